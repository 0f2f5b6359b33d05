/**
 * Which words of a changed line came and went. Pure. Only lines that still have much in common and are not too long: of
 * others the whole line is the change.
 */

import { diffWordsWithSpace } from 'diff';
import type { TextLines } from './diff-lines.js';

/** A part of a line, and whether the other line has something else there. */
export interface Stretch {
  readonly text: string;
  readonly isChanged: boolean;
}

/** A line before and the one that stands in its place. */
export interface WordMarks {
  readonly old: readonly Stretch[];
  readonly now: readonly Stretch[];
}

export interface Sides {
  readonly old: TextLines;
  readonly now: TextLines;
}

/** UTF-16 units of either line. */
const MAX_LINE = 1_000;
/** Words that come and go; the cost grows with the square. */
const MAX_EDITS = 60;
/** The least part of the longer line that both have in common, white space aside. */
const LEAST_SAME = 0.3;

export function compareWords(old: string, now: string): WordMarks | undefined {
  if (Math.max(old.length, now.length) > MAX_LINE) return undefined;
  const pieces = diffWordsWithSpace(old, now, { maxEditLength: MAX_EDITS });
  if (!pieces) return undefined;
  const marks: WordMarks = {
    old: pieces.filter(({ added }) => !added).map(({ value, removed }) => ({ text: value, isChanged: removed })),
    now: pieces.filter(({ removed }) => !removed).map(({ value, added }) => ({ text: value, isChanged: added })),
  };
  const same = countLetters(marks.old.filter(({ isChanged }) => !isChanged));
  return same > 0 && same >= LEAST_SAME * Math.max(countLetters(marks.old), countLetters(marks.now))
    ? marks
    : undefined;
}

const countLetters = (stretches: readonly Stretch[]): number =>
  stretches.reduce((sum, { text }) => sum + text.replace(/\s+/g, '').length, 0);

const found = new WeakMap<Sides, Map<number, WordMarks | undefined>>();

/** The words of two lines that stand for one another. Both rows of a pair ask; one comparison answers them. */
export function findWords(sides: Sides, oldLine: number, newLine: number): WordMarks | undefined {
  const known = found.get(sides) ?? new Map<number, WordMarks | undefined>();
  found.set(sides, known);
  if (!known.has(oldLine)) {
    known.set(oldLine, compareWords(sides.old.lines[oldLine] ?? '', sides.now.lines[newLine] ?? ''));
  }
  return known.get(oldLine);
}
