/**
 * Which of the lexer's blocks no further text can change. A block is finished when what follows it stands on lines that
 * are complete: half a line may still turn out to be its continuation (`#` a heading, `#1` the paragraph going on). Pure.
 */

import type { Tokens } from 'marked';
import type { BlockToken } from './lexer.js';

/** A token and where it stands in its source. */
export interface Placed {
  readonly token: BlockToken;
  readonly start: number;
  /** Behind its last character that is not blank. */
  readonly end: number;
  /** The token says what stands there. The lexer puts some lines of quotes together anew. */
  readonly isExact: boolean;
}

/** `tokens` with their places. Blank tokens are left out. */
export function toPlaced(tokens: readonly BlockToken[], src: string): readonly Placed[] {
  const placed: Placed[] = [];
  let start = 0;
  for (const token of tokens) {
    const raw = token.raw.trimEnd();
    const isExact = src.startsWith(raw, start);
    if (token.type !== 'space') placed.push({ token, start, end: start + raw.length, isExact });
    start += token.raw.length;
  }
  return placed;
}

/** How many of `placed`, from the first, are finished in `src`. */
export function countFinished(placed: readonly Placed[], src: string): number {
  let count = 0;
  while (placed[count]?.isExact && isFinished(placed, count, src)) count += 1;
  return count;
}

function isFinished(placed: readonly Placed[], i: number, src: string): boolean {
  const { token, end } = placed[i] as Placed;
  const next = placed[i + 1];
  const gap = countLineBreaks(src, end, next?.start ?? src.length);
  switch (token.type) {
    case 'heading':
    case 'hr':
      return gap > 0;
    case 'paragraph':
    case 'raw-table':
    case 'blockquote':
      return gap > 1 || (next !== undefined && isDecided(next, src));
    case 'code':
      if (isClosedFence(token as Tokens.Code)) return gap > 0;
      return next !== undefined && isDecided(next, src);
    case 'def':
      // Its title may stand on lines of its own.
      if (gap > 1) return true;
      return next !== undefined && isDecided(next, src) && !/^["'(]/.test(next.token.raw.trimStart());
    default:
      return next !== undefined && isDecided(next, src);
  }
}

/** Whether the lines that make `placed` what it is are complete. */
function isDecided({ token, start }: Placed, src: string): boolean {
  const first = src.indexOf('\n', start);
  return first >= 0 && (token.type !== 'raw-table' || src.indexOf('\n', first + 1) >= 0);
}

const fenceOpening = /^ {0,3}(`{3,}|~{3,})/;

function isClosedFence({ raw, codeBlockStyle }: Tokens.Code): boolean {
  const opening = codeBlockStyle === 'indented' ? undefined : fenceOpening.exec(raw)?.[1];
  if (opening === undefined) return false;
  const last = raw.slice(raw.lastIndexOf('\n') + 1).trim();
  return raw.includes('\n') && last.startsWith(opening) && last === opening.charAt(0).repeat(last.length);
}

function countLineBreaks(src: string, from: number, to: number): number {
  let count = 0;
  for (let at = src.indexOf('\n', from); at >= 0 && at < to; at = src.indexOf('\n', at + 1)) count += 1;
  return count;
}
