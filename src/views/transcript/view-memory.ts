/**
 * What a person has opened and done, by turn and part: it outlives the nodes, which leave the document when they scroll
 * far away. Owned by the transcript, in memory only.
 */

/** By the monotonic clock, ms. */
export interface SeenSpan {
  readonly start: number;
  end?: number;
}

/** What was decided about a tool call while it was on screen. */
export interface Decision {
  /** This person, or somebody else: another client, or the host. */
  readonly by: 'here' | 'elsewhere';
  readonly approved: boolean;
}

export class ViewMemory {
  readonly #open = new Set<string>();
  /** By part and by what was asked: the call or its result. */
  readonly decisions = new Map<string, Decision>();
  /** What is half written into a field of a part, by part and field. */
  readonly texts = new Map<string, string>();
  /** Reasoning whose beginning was seen here, so that its length is known. */
  readonly spans = new Map<string, SeenSpan>();

  /** The turn whose message was opened for editing just now: its field takes the focus. */
  freshEdit: string | undefined;

  isOpen(key: string): boolean {
    return this.#open.has(key);
  }

  setOpen(key: string, isOpen: boolean): void {
    if (isOpen) this.#open.add(key);
    else this.#open.delete(key);
  }
}
