/**
 * What the person wrote and sent, kept apart from everything that is tested. Each text is a mark that occurs once; at the
 * end it has to be somewhere, unless the person gave it up or it died with its process on no disk.
 */

import type { Message } from '../../src/protocol/state.js';

export type Way = 'start' | 'queued' | 'steering' | 'change' | 'again';

export interface Intent {
  readonly id: string;
  readonly marks: readonly string[];
  readonly way: Way;
  /** As it was sent, where that is known. */
  readonly message?: Message;
}

/** The marks in whatever holds a person's words. */
export const toMarks = (text: string): readonly string[] => text.match(/w\d+\./g) ?? [];

export class Ledger {
  readonly intents: Intent[] = [];
  /** By mark, where it was typed. */
  readonly #typed = new Map<string, object>();
  /** On a disk. */
  readonly #kept = new Set<string>();
  readonly #given = new Set<string>();
  readonly #gone = new Set<string>();

  noteTyped(mark: string, document: object): void {
    this.#typed.set(mark, document);
  }

  noteSent(id: string, sent: string | Message, way: Way): void {
    if (typeof sent === 'string') this.intents.push({ id, marks: toMarks(sent), way });
    else this.intents.push({ id, marks: toMarks(JSON.stringify(sent)), way, message: sent });
  }

  noteKept(text: string): void {
    for (const mark of toMarks(text)) this.#kept.add(mark);
  }

  /** The person does not want these any more. */
  giveUp(text: string): void {
    for (const mark of toMarks(text)) this.#given.add(mark);
  }

  /**
   * `document` is gone without a word, and with it what was on no disk and not in the host's hands: what was written in it,
   * and `unkept`, which stood in it while it said that it keeps nothing.
   */
  noteKilled(document: object, atHost: ReadonlySet<string>, unkept = ''): void {
    const shown = new Set(toMarks(unkept));
    for (const [mark, origin] of this.#typed) {
      // What once was on disk may have made way there for a later draft, and is nowhere but here then.
      const isUnkept = shown.has(mark) || (origin === document && !this.#kept.has(mark));
      if (isUnkept && !atHost.has(mark)) this.#gone.add(mark);
    }
  }

  /**
   * Somebody has deleted what the disk had. An open document still has what was written in it; of what was written in others
   * only what the host has is somewhere else.
   */
  noteWiped(isOpen: (document: object) => boolean, atHost: ReadonlySet<string>): void {
    for (const [mark, origin] of this.#typed) if (!isOpen(origin) && !atHost.has(mark)) this.#gone.add(mark);
    this.#kept.clear();
  }

  /** Whether `id` is a turn that the person has started. */
  isStart(id: string): boolean {
    return this.intents.some((intent) => intent.id === id && intent.way === 'start');
  }

  /** Whether the mark was added to a message that waited. */
  isChange(mark: string): boolean {
    return this.intents.some(({ marks, way }) => way === 'change' && marks.includes(mark));
  }

  /** How often the person has pressed a button that sends this mark. */
  sendings(mark: string): number {
    return this.intents.filter(({ marks }) => marks.includes(mark)).length;
  }

  /** What has to be somewhere. */
  get owed(): readonly string[] {
    return [...this.#typed.keys()].filter((mark) => !this.#given.has(mark) && !this.#gone.has(mark));
  }

  get typed(): readonly string[] {
    return [...this.#typed.keys()];
  }
}
