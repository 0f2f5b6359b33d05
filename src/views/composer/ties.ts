/**
 * Attachments that stand for a piece of the text. Their ranges follow the text while it is edited: what is written before
 * one moves it, an edit that touches it takes it out together with the words, and undoing that edit brings both back.
 * Positions are UTF-16 units within a line, ranges are half-open. Pure but for the history. Source: AHP, attachments.
 */

import { isEqual } from '../../protocol/record.js';
import type { Message, MessageAttachment, TextPosition, TextRange } from '../../protocol/state.js';

/** Half-open, in UTF-16 units of the whole text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

type Attachments = readonly MessageAttachment[];

/** Where `range` is in `text`; `undefined` if it is nowhere there, or empty. */
export function toSpan(text: string, { start, end }: TextRange): Span | undefined {
  const span = { start: toOffset(text, start), end: toOffset(text, end) };
  return span.start >= 0 && span.end > span.start ? span : undefined;
}

export const toRange = (text: string, { start, end }: Span): TextRange => ({
  start: toPosition(text, start),
  end: toPosition(text, end),
});

/** -1 for a place that is not there. */
function toOffset(text: string, { line, character }: TextPosition): number {
  let start = 0;
  for (let at = 0; at < line; at += 1) {
    start = text.indexOf('\n', start) + 1;
    if (start === 0) return -1;
  }
  const end = text.indexOf('\n', start);
  return character >= 0 && start + character <= (end < 0 ? text.length : end) ? start + character : -1;
}

function toPosition(text: string, offset: number): TextPosition {
  let line = 0;
  let start = 0;
  for (let next = text.indexOf('\n'); next >= 0 && next < offset; next = text.indexOf('\n', start)) {
    line += 1;
    start = next + 1;
  }
  return { line, character: offset - start };
}

/**
 * The one piece of `before` that was replaced, and how long it is now. Where the letters alone leave several places
 * (an `a` typed beside an `a`), the caret behind the change decides.
 */
export function findEdit(before: string, after: string, caret: number): Span & { readonly inserted: number } {
  const limit = Math.min(before.length, after.length);
  let head = 0;
  while (head < limit && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < limit && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const kept = Math.min(limit, head + tail);
  const behind = Math.min(Math.max(after.length - caret, kept - head), tail);
  const start = kept - behind;
  return { start, end: before.length - behind, inserted: after.length - behind - start };
}

/** The attachments of a text that was edited once; the same list if none of them moved. */
export function followEdit(attachments: Attachments, before: string, after: string, caret: number): Attachments {
  if (!attachments.some(({ range }) => range)) return attachments;
  const edit = findEdit(before, after, caret);
  const shift = edit.inserted - (edit.end - edit.start);
  return attachments.flatMap((attachment): Attachments => {
    const span = attachment.range && toSpan(before, attachment.range);
    if (!span) return [attachment.range ? untie(attachment) : attachment];
    const isBehind = span.start >= edit.end;
    if (!isBehind && span.end > edit.start) return [];
    const moved = isBehind ? { start: span.start + shift, end: span.end + shift } : span;
    return [{ ...attachment, range: toRange(after, moved) }];
  });
}

/** The attachment without its place. */
export function untie<T extends MessageAttachment>(attachment: T): T {
  const { range: _, ...rest } = attachment;
  return rest as T;
}

/** Whether two are the same but for their places. */
export const isSame = (a: MessageAttachment, b: MessageAttachment): boolean => isEqual(untie(a), untie(b));

const remembered = 100;
/** UTF-16 units; longer texts are not worth remembering a hundred times. */
const longest = 20_000;

/** Follows one text field, whose own undo brings texts back that it had before. */
export class Ties {
  readonly #history = new Map<string, Attachments>();

  /** The message with its new text; `caret` is where the field's selection ends. */
  follow(message: Message, text: string, caret: number, inputType = ''): Message {
    const attachments = message.attachments ?? [];
    this.note(message);
    const isHistory = inputType === 'historyUndo' || inputType === 'historyRedo';
    const known = isHistory ? this.#history.get(text) : undefined;
    const next = known ? recall(known, attachments) : followEdit(attachments, message.text, text, caret);
    const followed = next === attachments ? { ...message, text } : { ...message, text, attachments: next };
    this.note(followed);
    return followed;
  }

  /** Remembers what belongs to this text. */
  note({ text, attachments = [] }: Message): void {
    const isWorthIt = this.#history.size > 0 || attachments.some(({ range }) => range);
    if (!isWorthIt || text.length > longest) return;
    this.#history.delete(text);
    this.#history.set(text, attachments);
    for (const [oldest] of this.#history) {
      if (this.#history.size <= remembered) break;
      this.#history.delete(oldest);
    }
  }

  /** Removed by hand: undoing an edit does not bring it back. */
  forget(attachment: MessageAttachment): void {
    for (const [text, known] of this.#history) {
      const kept = known.filter((other) => !isSame(other, attachment));
      if (kept.length < known.length) this.#history.set(text, kept);
    }
  }

  clear(): void {
    this.#history.clear();
  }
}

/** What was tied to the text then, with what has no place in it now. */
function recall(known: Attachments, now: Attachments): Attachments {
  const free = now.filter(({ range }) => !range);
  const isFree = (attachment: MessageAttachment) => free.some((other) => isEqual(other, attachment));
  const fresh = free.filter((attachment) => !known.some((other) => isEqual(other, attachment)));
  return [...known.filter((attachment) => attachment.range || isFree(attachment)), ...fresh];
}
