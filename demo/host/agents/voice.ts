/**
 * How an agent speaks: in parts that grow by small pieces at a natural pace, and stop at once when the turn does. A long
 * text gets faster as it goes on: nobody reads along with all of it.
 */

import type { TurnHandle } from '../../../src/host/turn-handle.js';
import type { MarkdownPart, ReasoningPart } from '../../../src/protocol/state.js';
import { Replay } from './replay.js';
import { mannerOf, shorten, type Manner } from './workspace/manner.js';

export interface Pace {
  /** Between two pieces; 0 waits for nothing and only now and then lets other work in between. */
  readonly delayMs: number;
  /** About how long a piece is at first, in UTF-16 units. */
  readonly size: number;
}

export const naturalPace: Pace = { delayMs: 12, size: 24 };

/** Pieces are this many times as long in the end. */
const maxHaste = 4;
const lengthOfHaste = 8000;
const piecesInOneGo = 32;

export class Voice {
  readonly #turn: TurnHandle;
  readonly #pace: Pace;
  readonly #createId: () => string;
  readonly #replay: Replay;
  readonly #manner: Manner;
  #said = 0;
  #pieces = 0;

  constructor(turn: TurnHandle, pace: Pace, createId: () => string, replay = new Replay(turn)) {
    this.#replay = replay;
    this.#turn = turn;
    this.#manner = mannerOf(turn.message);
    this.#pace = this.#manner.isFast ? { ...pace, delayMs: 0 } : pace;
    this.#createId = createId;
  }

  /** Says one piece of Markdown in a part of its own. Rejects when the turn is stopped. */
  say(markdown: string): Promise<void> {
    return this.sayAll([markdown]);
  }

  async think(text: string): Promise<void> {
    if (this.#manner.thinks) await this.#speak('reasoning', text);
  }

  /** Says several pieces as one answer. */
  async sayAll(pieces: Iterable<string>): Promise<void> {
    const text = Array.from(pieces, (whole) => `${shorten(whole, this.#manner.maxLines).trimEnd()}\n\n`).join('');
    await this.#speak('markdown', text);
  }

  async #speak(kind: 'markdown' | 'reasoning', text: string): Promise<void> {
    // What was said before the turn broke off is not said again.
    const said = this.#replay.take(
      (part): part is MarkdownPart | ReasoningPart => part.kind === kind && text.startsWith(part.content),
    );
    if (!said) return this.#grow(this.open(kind), text);
    const rest = text.slice(said.content.length);
    if (rest !== '') await this.#grow(this.#reopen(kind, said.id), rest);
  }

  async #grow(part: (content: string) => void, text: string): Promise<void> {
    const { delayMs, size } = this.#pace;
    let start = 0;
    while (start < text.length) {
      const haste = Math.min(maxHaste, 1 + Math.floor(this.#said / lengthOfHaste));
      const [piece = ''] = toPieces(text.slice(start, start + size * haste + 1), size * haste);
      part(piece);
      start += piece.length;
      this.#said += piece.length;
      if (delayMs > 0 || ++this.#pieces % piecesInOneGo === 0) await pause(delayMs, this.#turn.signal);
      else this.#turn.signal.throwIfAborted();
    }
  }

  /** Begins a part and gives the function that makes it longer. For text that arrives by itself. */
  open(kind: 'markdown' | 'reasoning'): (content: string) => void {
    const id = this.#createId();
    this.#turn.dispatch({ type: 'chat/responsePart', part: { kind, id, content: '' } });
    return this.#reopen(kind, id);
  }

  #reopen(kind: 'markdown' | 'reasoning', partId: string): (content: string) => void {
    const type = kind === 'markdown' ? 'chat/delta' : 'chat/reasoning';
    return (content) => {
      this.#turn.dispatch({ type, partId, content });
    };
  }
}

/** Cuts at spaces where there are some, and never inside a character. */
export function* toPieces(text: string, size: number): Generator<string> {
  let start = 0;
  while (start < text.length) {
    let end = Math.min(text.length, start + size);
    const space = text.slice(start, end).search(/\s\S*$/);
    if (end < text.length && space > 0) end = start + space + 1;
    const last = text.charCodeAt(end - 1);
    if (last >= 0xd800 && last < 0xdc00 && end < text.length) end++;
    yield text.slice(start, end);
    start = end;
  }
}

/** Waits. Rejects with the signal's reason when it is aborted, also before and after. */
export async function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, delayMs);
    signal.addEventListener('abort', stop, { once: true });
  });
}
