/** Pieces of Markdown that say what a text says, whatever stands in it. Pure. */

import type { StringOrMarkdown } from '../protocol/state.js';

/** Text that means nothing to Markdown. */
export const escapeText = (text: string): string =>
  text
    .replace(/[\\`*_{}[\]<>#|~]/g, '\\$&')
    .replace(/^(\s*)([-+])(?=\s)/gm, '$1\\$2')
    .replace(/^(\s*\d+)([.)])(?=\s)/gm, '$1\\$2');

/** One line of escaped text. */
export const toLine = (text: string): string => escapeText(text.replace(/\s+/g, ' ').trim());

/** One line of what may be Markdown already. */
export function toMarkdownLine(value: StringOrMarkdown | undefined): string {
  if (typeof value === 'string') return toLine(value);
  return typeof value?.markdown === 'string' ? value.markdown.replace(/\s+/g, ' ').trim() : '';
}

/** Each line behind a mark of quotation. */
export const quote = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');

const opening = /^ {0,3}(`{3,}|~{3,})/;

/** Ends a code fence that was left open, so that what follows is not code. */
export function closeFence(markdown: string): string {
  let open = '';
  for (const line of markdown.split('\n')) {
    const fence = opening.exec(line)?.[1];
    if (!fence) continue;
    if (open === '') open = fence;
    else if (fence[0] === open[0] && fence.length >= open.length && line.trim() === fence) open = '';
  }
  return open === '' ? markdown : `${markdown.replace(/\n$/, '')}\n${open}`;
}

/** A link; the label says what the address does not. */
export const link = (label: string, address: string): string =>
  `[${toLine(label)}](<${address.replace(/[<>\s]/g, encodeURIComponent)}>)`;
