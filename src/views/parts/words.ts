/** Short texts of a host that may be Markdown: one line of words, or a block. */

import { html, nothing, type TemplateResult } from 'lit';
import type { StringOrMarkdown } from '../../protocol/state.js';
import { shortenEnd, showHidden, toLabel } from '../label.js';
import './ahp-markdown.js';

const code = /(`+)([^`]+)\1/;
/** Emphasis and links lose their marks; on one line their words are enough. No bracket is looked for behind another. */
const marks = /\*\*|__|~~|!?\[([^[\]]*)\]\([^()]*\)/g;
const LONGEST_LINE = 400;
/** UTF-16 units that words are looked for in. */
const LONGEST_WORDS = 8_000;

/** The words alone, without any marks. */
export function toWords(value: StringOrMarkdown | undefined): string {
  if (typeof value === 'string') return toLabel(value);
  const markdown = value?.markdown;
  return typeof markdown === 'string'
    ? toLabel(markdown.slice(0, LONGEST_WORDS).replace(marks, '$1').replaceAll('`', ''))
    : '';
}

/** On one line: code stays code, everything else is text. Nothing in it can be pressed. */
export function renderWords(value: StringOrMarkdown | undefined): TemplateResult {
  if (typeof value !== 'object') return html`<bdi>${shortenEnd(value ?? '', LONGEST_LINE)}</bdi>`;
  const line = shortenEnd(value?.markdown ?? '', LONGEST_LINE);
  // Every third piece is the code between two runs of backticks.
  const pieces = line.split(code);
  return html`<bdi
    >${pieces.map((piece, index) => {
      if (index % 3 === 1) return nothing;
      return index % 3 === 2 ? html`<code>${piece.trim()}</code>` : piece.replace(marks, '$1');
    })}</bdi
  >`;
}

/** As a block: a string stands as it is, Markdown is rendered. */
export function renderText(value: StringOrMarkdown | undefined): TemplateResult | typeof nothing {
  if (value === undefined || value === '') return nothing;
  if (typeof value === 'string') return html`<p class="literal" dir="auto">${showHidden(value)}</p>`;
  return html`<ahp-markdown .text=${value.markdown ?? ''}></ahp-markdown>`;
}

/** Whether there is anything to show. */
export const hasWords = (value: StringOrMarkdown | undefined): boolean => toWords(value) !== '';
