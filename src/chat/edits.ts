/**
 * What is half written in place of a message that was sent or waits: the text of a turn's message that is edited to be sent
 * again, and of a waiting message that is edited in its row. It is the person's until it is sent or given up.
 */

import type { Message, Timestamp } from '../protocol/state.js';

/** Which message is being changed. */
export type EditKey = `turn ${string}` | `pending ${string}`;

export const toTurnKey = (turnId: string): EditKey => `turn ${turnId}`;
export const toPendingKey = (id: string): EditKey => `pending ${id}`;

export interface MessageEdit {
  /** The text as it was when the change began. */
  readonly was: string;
  /** The message as it is written at the moment. */
  readonly message: Message;
  /** Put aside without being given up: it is not shown before it is asked for again. */
  readonly isClosed?: boolean;
  /** When its turn began, if it is a turn's: tells one that was cut off from one that is not loaded. */
  readonly startedAt?: Timestamp;
}

/** The edits of one chat. */
export class Edits {
  readonly #edits = new Map<EditKey, MessageEdit>();
  readonly #listeners = new Set<() => void>();

  get size(): number {
    return this.#edits.size;
  }

  find(key: EditKey): MessageEdit | undefined {
    return this.#edits.get(key);
  }

  list(): readonly (readonly [EditKey, MessageEdit])[] {
    return [...this.#edits];
  }

  /** Calls `listener` when an edit begins, is put aside or ends; not for every letter. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Without `edit` there is none any more. */
  set(key: EditKey, edit: MessageEdit | undefined): void {
    const before = this.#edits.get(key);
    if (edit) this.#edits.set(key, edit);
    else this.#edits.delete(key);
    if (isShown(before) !== isShown(edit)) for (const listener of [...this.#listeners]) listener();
  }
}

const isShown = (edit: MessageEdit | undefined): boolean => edit !== undefined && edit.isClosed !== true;

export const isChanged = ({ was, message }: MessageEdit): boolean => message.text !== was;
