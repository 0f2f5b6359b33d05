/**
 * What a person has opened and done, by turn and part: it outlives the nodes, which leave the document when they scroll
 * far away. Owned by the transcript, in memory only.
 */

/** By the monotonic clock, ms. */
export interface SeenSpan {
  readonly start: number;
  end?: number;
}

export class ViewMemory {
  readonly #open = new Set<string>();
  /** Tool calls that were answered here, and not by another client or the host. */
  readonly answeredHere = new Set<string>();
  /** Reasoning whose beginning was seen here, so that its length is known. */
  readonly spans = new Map<string, SeenSpan>();

  isOpen(key: string): boolean {
    return this.#open.has(key);
  }

  setOpen(key: string, isOpen: boolean): void {
    if (isOpen) this.#open.add(key);
    else this.#open.delete(key);
  }
}
