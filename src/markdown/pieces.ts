/**
 * Cuts a long run of inline text into pieces that are lexed one by one. A paragraph of a person is one piece. The cost of
 * a piece is bounded, because several inline rules take time in proportion to its length times its special characters;
 * and a piece that is full never changes when text is appended, so a stream lexes only the last one. Pure.
 */

/** UTF-16 units. */
const MAX_LENGTH = 8 * 1024;
/** Below this no density is too high. */
const MIN_LENGTH = 1024;
/** Length times special characters. */
const MAX_COST = 2_000_000;
/** Longer runs of one mark of emphasis are text: WebKit takes a second for a thousand stars. */
const MAX_RUN = 64;

/** By character code. A dot can end an address wherever it stands in one. */
const specials = '*_~`[]!<&\\@:$.';
const isSpecial = Array.from({ length: 128 }, (_, code) => specials.includes(String.fromCharCode(code)));

/** The pieces of `src`, in order; together they are `src`. */
export type Pieces = readonly string[];

/** Cuts `src`. Those of its beginning, `before`, are still right but for the last one. */
export function toPieces(src: string, before: Pieces = []): Pieces {
  if (src.length <= MIN_LENGTH) return [src];
  const pieces = before.slice(0, -1);
  let start = pieces.reduce((sum, piece) => sum + piece.length, 0);
  while (start < src.length) {
    const end = findEnd(src, start);
    pieces.push(src.slice(start, end));
    start = end;
  }
  return pieces;
}

/**
 * Where the piece from `start` on ends: in front of the word that makes it too large, and if possible where no emphasis,
 * code or bracket is open. Depends on nothing behind that word.
 */
function findEnd(src: string, start: number): number {
  const open = new OpenMarks();
  let count = 0;
  let lastSpace = -1;
  let lastCalm = -1;
  for (let at = start; at < src.length; at += 1) {
    const code = src.charCodeAt(at);
    if (code < 128 && isSpecial[code]) {
      if (isLongRun(src, at)) return at > start ? at : endOfRun(src, at, code);
      count += 1;
      at = open.read(src, at, code);
    } else if (code === 32 && isBetweenWords(src, at)) {
      lastSpace = at;
      if (open.isNone) lastCalm = at;
    }
    const length = at - start + 1;
    if (length < MIN_LENGTH || (length < MAX_LENGTH && length * count < MAX_COST)) continue;
    const half = start + length / 2;
    if (lastCalm > half) return lastCalm + 1;
    if (lastSpace > half) return lastSpace + 1;
    return toBoundary(src, at + 1);
  }
  return src.length;
}

const isMark = (code: number) => code === 42 || code === 95 || code === 126;

/** Whether a run of one mark of emphasis that is too long starts at `at`. */
const isLongRun = (src: string, at: number) =>
  isMark(src.charCodeAt(at)) && endOfRun(src, at, src.charCodeAt(at)) - at > MAX_RUN;

/** Whether a piece is such a run and nothing else. */
export const isOnlyMarks = (piece: string): boolean =>
  isLongRun(piece, 0) && endOfRun(piece, 0, piece.charCodeAt(0)) === piece.length;

/** One space with a word on both sides: not the two that make a hard break. */
const isBetweenWords = (src: string, at: number) =>
  at > 0 && isWord(src.charCodeAt(at - 1)) && isWord(src.charCodeAt(at + 1));
const isWord = (code: number) => code > 32;

/** `at` or one less, so that no character and no escape is cut apart. */
function toBoundary(src: string, at: number): number {
  const before = src.charCodeAt(at - 1);
  const isHigh = before >= 0xd800 && before < 0xdc00;
  return isHigh || before === 92 ? at - 1 : at;
}

/** A rough count of what is open. Wrong for odd text, and then a piece ends at some space. */
class OpenMarks {
  #brackets = 0;
  /** Length of the run of backticks that is open. */
  #code = 0;
  /** One bit for each kind of emphasis. */
  #marks = 0;

  get isNone(): boolean {
    return this.#brackets === 0 && this.#code === 0 && this.#marks === 0;
  }

  /** Takes the special character at `at` and returns the last place that went with it. */
  read(src: string, at: number, code: number): number {
    if (code === 92 && this.#code === 0) return Math.min(at + 1, src.length - 1);
    if (code === 96) {
      const end = endOfRun(src, at, code);
      const length = end - at;
      if (this.#code === 0) this.#code = length;
      else if (this.#code === length) this.#code = 0;
      return end - 1;
    }
    if (this.#code > 0) return at;
    if (code === 91) this.#brackets += 1;
    if (code === 93) this.#brackets = Math.max(0, this.#brackets - 1);
    if (isMark(code)) {
      const end = endOfRun(src, at, code);
      this.#marks ^= bitOf(code, end - at);
      return end - 1;
    }
    return at;
  }
}

function endOfRun(src: string, at: number, code: number): number {
  let end = at + 1;
  while (src.charCodeAt(end) === code) end += 1;
  return end;
}

const bitOf = (code: number, length: number) => (code === 42 ? 1 : code === 95 ? 8 : 64) * Math.min(length, 3);
