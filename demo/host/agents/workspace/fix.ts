/**
 * Guesses which number makes a test fail. The test says what it expected and what it got; a number that is wrong by just
 * that ratio, on a line with a word that only failing tests speak of, is the best suspect. A guess, and said to be one:
 * whether it is right is for the tests to say. Pure.
 */

import { splitLines } from '../../workspace/files.js';
import type { FileText } from './answers.js';
import type { TestFailure } from './test-run.js';

export interface Suspect {
  readonly path: string;
  /** One-based. */
  readonly line: number;
  /** The line as it is, and as it might be. */
  readonly find: string;
  readonly replaceWith: string;
  readonly word: string;
  readonly from: number;
  readonly to: number;
}

/** `otherTests` are the names of the tests that pass. Best guess first. */
export function findSuspects(
  failure: TestFailure,
  otherTests: readonly string[],
  files: readonly FileText[],
): Suspect[] {
  const expected = Number(failure.expected);
  const actual = Number(failure.actual);
  if (!Number.isFinite(expected / actual) || expected === 0 || expected === actual) return [];
  const spokenOf = new Set(otherTests.flatMap(wordsOf));
  const words = wordsOf(failure.name).filter((word) => !spokenOf.has(word));
  const suspects: Suspect[] = [];
  for (const { path, text } of files) {
    for (const [index, line] of splitLines(text).entries()) {
      const word = words.find((candidate) => wordsOf(line).includes(candidate));
      if (word === undefined || text.split(line).length !== 2) continue;
      for (const number of line.matchAll(/(?<![\w.])\d+(?:\.\d+)?(?![\w.])/g)) {
        const from = Number(number[0]);
        for (const to of [(from * actual) / expected, (from * expected) / actual]) {
          if (from === 0 || !Number.isInteger(Math.round(to * 1e6) / 1e6)) continue;
          const replaceWith =
            line.slice(0, number.index) + String(Math.round(to)) + line.slice(number.index + number[0].length);
          suspects.push({ path, line: index + 1, find: line, replaceWith, word, from, to: Math.round(to) });
        }
      }
    }
  }
  return suspects;
}

/** Longer words in the singular. */
const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[a-z]{4,}/g) ?? []).map((word) => word.replace(/s$/, ''));
