/**
 * Text of a machine in a box with its own scroll: what a tool is given and what it said. Always left to right, every hidden
 * character visible, so that what is approved is what is read.
 */

import { html, type TemplateResult } from 'lit';
import { growing } from '../growing.js';
import { showHidden } from '../label.js';

/** `label` names the box for those who meet it with the keyboard. */
export function renderCodeBox(label: string, text: string): TemplateResult {
  return html`<pre class="code-box" dir="ltr" tabindex="0" role="group" aria-label=${label}>
${growing(showHidden(text))}</pre>`;
}

/**
 * JSON with a line for each member. Only white space between tokens changes, so that what is shown is what is sent: no
 * number is rounded, no escape undone, no repeated key lost. What is not JSON comes back as it is.
 */
export function indentJson(text: string): string {
  if (!/^\s*[[{]/.test(text) || text.length > LONGEST_JSON) return text;
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let depth = 0;
  const newline = () => `\n${'  '.repeat(depth)}`;
  return text.replace(tokens, (token, open?: string, close?: string, comma?: string) => {
    if (open) {
      depth += 1;
      return `${open}${newline()}`;
    }
    if (close) {
      depth -= 1;
      return `${newline()}${close}`;
    }
    if (comma) return `,${newline()}`;
    if (token === ':') return ': ';
    return token.trim() === '' ? '' : token;
  });
}
const LONGEST_JSON = 200_000;
/** Strings and empty pairs stay whole; then what opens, closes, separates; then white space. */
const tokens = /"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|([[{])|([\]}])|(,)|:|\s+/g;
