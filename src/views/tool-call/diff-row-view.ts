/**
 * The rows of a comparison. A table to those who hear it: line before, line after, what happened, text. Signs and words
 * say what colours say. Numbers and signs are not copied along with the text.
 */

import { html, nothing, type TemplateResult } from 'lit';
import { styleMap } from 'lit/directives/style-map.js';
import type { Localization } from '../../i18n/localize.js';
import { icon } from '../icons.js';
import { showHidden } from '../label.js';
import type { TextLines } from './diff-lines.js';
import type { DiffRow } from './diff-rows.js';

interface Sides {
  readonly old: TextLines;
  readonly now: TextLines;
}

/** Rows that are laid out together, or not at all while they are far away. */
const PAGE = 200;

export function renderRows(
  rows: readonly DiffRow[],
  sides: Sides,
  language: Pick<Localization, 'strings' | 'format'>,
  onGap: (key: number) => void,
): TemplateResult {
  const { strings } = language;
  const pages: (readonly DiffRow[])[] = [];
  for (let from = 0; from < rows.length; from += PAGE) pages.push(rows.slice(from, from + PAGE));
  const digits = String(Math.max(sides.old.lines.length, sides.now.lines.length)).length;
  return html`<div class="diff-table" role="table" dir="ltr" style=${styleMap({ '--_digits': `${digits}ch` })}>
    <div class="hidden-text" role="rowgroup">
      <div role="row">
        ${[strings.lineBefore, strings.lineAfter, strings.lineChange, strings.lineText].map(
          (name) => html`<span role="columnheader">${name}</span>`,
        )}
      </div>
    </div>
    ${pages.map(
      (page) =>
        html`<div class="diff-page" role="rowgroup">${page.map((row) => renderRow(row, sides, language, onGap))}</div>`,
    )}
  </div>`;
}

function renderRow(
  row: DiffRow,
  { old, now }: Sides,
  { strings, format }: Pick<Localization, 'strings' | 'format'>,
  onGap: (key: number) => void,
): TemplateResult {
  switch (row.kind) {
    case 'gap':
      return html`<div class="diff-row gap" role="row">
        <span role="cell" aria-colspan="4" class="diff-gap"
          ><button type="button" @click=${() => onGap(row.key)}>
            ${icon('chevron')}${strings.showUnchanged(row.count)}
          </button></span
        >
      </div>`;
    case 'same':
      return renderLine('', row.oldLine, row.newLine, now, row.newLine);
    case 'removed':
      return renderLine('removed', row.oldLine, undefined, old, row.oldLine);
    case 'added':
      return renderLine('added', undefined, row.newLine, now, row.newLine);
  }

  function renderLine(
    kind: '' | 'added' | 'removed',
    oldLine: number | undefined,
    newLine: number | undefined,
    side: TextLines,
    at: number,
  ): TemplateResult {
    const word = { '': '', added: strings.lineAdded, removed: strings.lineRemoved }[kind];
    const isOpenEnd = side.endsOpen && at === side.lines.length - 1;
    return html`<div class="diff-row ${kind}" role="row">
      <span role="cell" class="diff-number">${oldLine === undefined ? nothing : format.number(oldLine + 1)}</span>
      <span role="cell" class="diff-number">${newLine === undefined ? nothing : format.number(newLine + 1)}</span>
      <span role="cell" class="diff-sign" aria-label=${word || nothing}
        >${{ '': nothing, added: '+', removed: '−' }[kind]}</span
      >
      <span role="cell" class="diff-text"
        >${showHidden(side.lines[at] ?? '')}${isOpenEnd ? html`<span class="diff-note">${strings.noNewline}</span>` : nothing}</span
      >
    </div>`;
  }
}
