/**
 * Which lines of a text came and went. Pure. The work is cut into pieces, so that a file of ten thousand lines never holds
 * the page up: the library finds the shortest edit while it is short; what differs more is first cut at the lines that
 * both texts have exactly once, and what has none of those counts as replaced.
 */

import { diffArrays } from 'diff';

export interface TextLines {
  readonly lines: readonly string[];
  /** How its lines end. What ends in both ways keeps the carriage returns in its lines. */
  readonly ending: 'none' | 'lf' | 'crlf' | 'mixed';
  /** Whether the last line ends with nothing. */
  readonly endsOpen: boolean;
}

/** Lines that stand in place of others; half-open, counted from 0. Between two of them the texts are the same. */
export interface LineChange {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/** Edits up to which the shortest way is looked for; the cost grows with the square. */
const MAX_EDITS = 100;
/** Lines above which anchors are looked for first. */
const MANY_LINES = 400;
/** Steps between two pauses, some ten milliseconds. */
const PIECE = 30_000;

export function toLines(text: string): TextLines {
  if (text === '') return { lines: [], ending: 'none', endsOpen: false };
  const lines = text.split('\n');
  const endsOpen = lines.at(-1) !== '';
  if (!endsOpen) lines.pop();
  const ended = endsOpen ? lines.length - 1 : lines.length;
  let returns = 0;
  for (let i = 0; i < ended; i += 1) if (lines[i]!.endsWith('\r')) returns += 1;
  const isCrlf = ended > 0 && returns === ended;
  const ending = ended === 0 ? 'none' : isCrlf ? 'crlf' : returns > 0 ? 'mixed' : 'lf';
  return { lines: isCrlf ? lines.map((line, i) => (i < ended ? line.slice(0, -1) : line)) : lines, ending, endsOpen };
}

/** The changes from `before` to `after`, in order. `pause` is awaited between two pieces of work. */
export async function compareLines(
  before: TextLines,
  after: TextLines,
  pause: () => Promise<void>,
): Promise<readonly LineChange[]> {
  const numbers = new Map<string, number>();
  const [old, now] = [toNumbers(before, numbers), toNumbers(after, numbers)];
  const changes: LineChange[] = [];
  const open: LineChange[] = [{ oldFrom: 0, oldTo: old.length, newFrom: 0, newTo: now.length }];
  let done = old.length + now.length;
  for (let range = open.pop(); range; range = open.pop()) {
    if (done > PIECE) {
      await pause();
      done = 0;
    }
    const rest = trim(old, now, range);
    done += countOf(range);
    if (rest.oldFrom === rest.oldTo || rest.newFrom === rest.newTo) {
      if (countOf(rest) > 0) add(changes, rest);
      continue;
    }
    const isLarge = countOf(rest) > MANY_LINES;
    let parts = isLarge ? cutAtAnchors(old, now, rest) : undefined;
    if (!parts) {
      const found = findShortest(old, now, rest);
      done += found ? 100 + 20 * found.length : MAX_EDITS ** 2;
      for (const change of found ?? []) add(changes, change);
      if (found) continue;
      if (!isLarge) parts = cutAtAnchors(old, now, rest);
    }
    done += 5 * countOf(rest);
    if (!parts) add(changes, rest);
    else for (let i = parts.length - 1; i >= 0; i -= 1) open.push(parts[i]!);
  }
  return changes;
}

const countOf = ({ oldFrom, oldTo, newFrom, newTo }: LineChange): number => oldTo - oldFrom + newTo - newFrom;

/** Each different line as a number. The last one is another line when nothing ends it. */
function toNumbers({ lines, endsOpen }: TextLines, numbers: Map<string, number>): number[] {
  return lines.map((line, index) => {
    // No line holds a line feed, so this is no line's key.
    const key = endsOpen && index === lines.length - 1 ? `${line}\n` : line;
    let number = numbers.get(key);
    if (number === undefined) numbers.set(key, (number = numbers.size));
    return number;
  });
}

/** Changes that touch are one. */
function add(changes: LineChange[], change: LineChange): void {
  const last = changes.at(-1);
  if (last && last.oldTo === change.oldFrom && last.newTo === change.newFrom) {
    changes[changes.length - 1] = { ...last, oldTo: change.oldTo, newTo: change.newTo };
  } else changes.push(change);
}

function trim(old: readonly number[], now: readonly number[], range: LineChange): LineChange {
  let { oldFrom, oldTo, newFrom, newTo } = range;
  while (oldFrom < oldTo && newFrom < newTo && old[oldFrom] === now[newFrom]) {
    oldFrom += 1;
    newFrom += 1;
  }
  while (oldFrom < oldTo && newFrom < newTo && old[oldTo - 1] === now[newTo - 1]) {
    oldTo -= 1;
    newTo -= 1;
  }
  return { oldFrom, oldTo, newFrom, newTo };
}

function findShortest(
  old: readonly number[],
  now: readonly number[],
  { oldFrom, oldTo, newFrom, newTo }: LineChange,
): readonly LineChange[] | undefined {
  // As many lines more on one side are as many edits at least.
  if (Math.abs(oldTo - oldFrom - (newTo - newFrom)) > MAX_EDITS) return undefined;
  const pieces = diffArrays(old.slice(oldFrom, oldTo), now.slice(newFrom, newTo), { maxEditLength: MAX_EDITS });
  if (!pieces) return undefined;
  const changes: LineChange[] = [];
  let [i, j] = [oldFrom, newFrom];
  for (const { added, removed, count } of pieces) {
    const next = { oldFrom: i, oldTo: added ? i : i + count, newFrom: j, newTo: removed ? j : j + count };
    if (added || removed) add(changes, next);
    i = next.oldTo;
    j = next.newTo;
  }
  return changes;
}

/**
 * The stretches between the lines that stand exactly once in both, as far as those are in the same order. Nothing where
 * there is no such line.
 */
function cutAtAnchors(
  old: readonly number[],
  now: readonly number[],
  range: LineChange,
): readonly LineChange[] | undefined {
  const inOld = findUnique(old, range.oldFrom, range.oldTo);
  const inNew = findUnique(now, range.newFrom, range.newTo);
  const pairs: (readonly [number, number])[] = [];
  for (const [number, at] of inOld) {
    const other = inNew.get(number);
    if (at >= 0 && other !== undefined && other >= 0) pairs.push([at, other]);
  }
  if (pairs.length === 0) return undefined;
  const parts: LineChange[] = [];
  let [oldFrom, newFrom] = [range.oldFrom, range.newFrom];
  for (const [oldTo, newTo] of findLongestRise(pairs)) {
    if (oldFrom < oldTo || newFrom < newTo) parts.push({ oldFrom, oldTo, newFrom, newTo });
    [oldFrom, newFrom] = [oldTo + 1, newTo + 1];
  }
  if (oldFrom < range.oldTo || newFrom < range.newTo) {
    parts.push({ oldFrom, oldTo: range.oldTo, newFrom, newTo: range.newTo });
  }
  return parts;
}

/** Where each number stands that stands there once; -1 for the others. In ascending order of the first place. */
function findUnique(numbers: readonly number[], from: number, to: number): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  for (let at = from; at < to; at += 1) places.set(numbers[at]!, places.has(numbers[at]!) ? -1 : at);
  return places;
}

type Pair = readonly [oldAt: number, newAt: number];

/** The longest run of pairs that ascends on both sides; `pairs` ascend on the first already. */
function findLongestRise(pairs: readonly Pair[]): readonly Pair[] {
  interface Link {
    readonly pair: Pair;
    readonly before: Link | undefined;
  }
  const ends: Link[] = [];
  for (const pair of pairs) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle]!.pair[1] < pair[1]) low = middle + 1;
      else high = middle;
    }
    ends[low] = { pair, before: ends[low - 1] };
  }
  const rise: Pair[] = [];
  for (let link = ends.at(-1); link; link = link.before) rise.push(link.pair);
  return rise.reverse();
}
