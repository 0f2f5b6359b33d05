/**
 * The rows of a comparison. A table to those who hear it: line before, line after, what happened, text. Signs and words
 * say what colours say. Numbers and signs are not copied along with the text.
 */

import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { ref } from 'lit/directives/ref.js';
import type { Localization } from '../../i18n/localize.js';
import { icon } from '../icons.js';
import { showHidden } from '../label.js';
import type { TextLines } from './diff-lines.js';
import type { DiffRow } from './diff-rows.js';
import { findWords, type Sides, type Stretch } from './diff-words.js';

/** UTF-16 units of one line that are drawn before anybody asks for more. */
const MAX_LINE = 4_000;
/** Rows that are laid out together, or not at all while they are far away. */
const PAGE = 200;

export interface RowActions {
  onGap(key: number): void;
  /** Lines that are drawn whole however long they are. */
  readonly whole: ReadonlySet<string>;
  onWhole(line: string): void;
}

/** The first `count` of `rows`. */
export function renderRows(
  rows: readonly DiffRow[],
  count: number,
  sides: Sides,
  language: Pick<Localization, 'strings' | 'format'>,
  actions: RowActions,
): TemplateResult {
  const { strings } = language;
  const starts = Array.from({ length: Math.ceil(count / PAGE) }, (_, page) => page * PAGE);
  const digits = String(Math.max(sides.old.lines.length, sides.now.lines.length)).length;
  // Set on the object: a policy that forbids style attributes has nothing against it.
  const setDigits = (table: Element | undefined) =>
    (table as HTMLElement | undefined)?.style.setProperty('--_digits', `${digits}ch`);
  return html`<div class="diff-table" role="table" dir="ltr" ${ref(setDigits)}>
    <div class="hidden-text" role="rowgroup">
      <div role="row">
        ${[strings.lineBefore, strings.lineAfter, strings.lineChange, strings.lineText].map(
          (name) => html`<span role="columnheader">${name}</span>`,
        )}
      </div>
    </div>
    ${starts.map((from) => {
      const to = Math.min(count, from + PAGE);
      // What is drawn already is not looked at again when more is drawn.
      const page = () => rows.slice(from, to).map((row) => renderRow(row, sides, language, actions));
      return html`<div class="diff-page" role="rowgroup">${guard([rows, to, actions.whole, strings], page)}</div>`;
    })}
  </div>`;
}

function renderRow(
  row: DiffRow,
  sides: Sides,
  { strings, format }: Pick<Localization, 'strings' | 'format'>,
  { onGap, whole, onWhole }: RowActions,
): TemplateResult {
  const { old, now } = sides;
  switch (row.kind) {
    case 'gap':
      return html`<div class="diff-row gap" role="row">
        <span role="cell" aria-colspan="4" class="diff-gap"
          ><button type="button" data-gap=${row.key} @click=${() => onGap(row.key)}>
            ${icon('chevron')}${strings.showUnchanged(row.count)}
          </button></span
        >
      </div>`;
    case 'same':
      return renderLine('', row.oldLine, row.newLine, now, row.newLine);
    case 'removed':
      return renderLine('removed', row.oldLine, undefined, old, row.oldLine, findMarks(row.oldLine, row.pair)?.old);
    case 'added':
      return renderLine('added', undefined, row.newLine, now, row.newLine, findMarks(row.pair, row.newLine)?.now);
  }

  function findMarks(oldLine: number | undefined, newLine: number | undefined) {
    return oldLine === undefined || newLine === undefined ? undefined : findWords(sides, oldLine, newLine);
  }

  function renderLine(
    kind: '' | 'added' | 'removed',
    oldLine: number | undefined,
    newLine: number | undefined,
    side: TextLines,
    at: number,
    marks?: readonly Stretch[],
  ): TemplateResult {
    const word = { '': '', added: strings.lineAdded, removed: strings.lineRemoved }[kind];
    const line = side.lines[at] ?? '';
    const isCut = line.length > MAX_LINE && !whole.has(line);
    const isOpenEnd = side.endsOpen && at === side.lines.length - 1;
    return html`<div class="diff-row ${kind}" role="row">
      <span role="cell" class="diff-number">${oldLine === undefined ? nothing : format.number(oldLine + 1)}</span>
      <span role="cell" class="diff-number">${newLine === undefined ? nothing : format.number(newLine + 1)}</span>
      <span role="cell" class="diff-sign" aria-label=${word || nothing}
        >${{ '': nothing, added: '+', removed: '−' }[kind]}</span
      >
      <span role="cell" class="diff-text"
        >${marks ? marks.map((stretch) => renderStretch(stretch, kind)) : showHidden(isCut ? line.slice(0, MAX_LINE) : line)}${
          isCut
            ? html`<button class="diff-whole" type="button" @click=${() => onWhole(line)}>
                ${strings.wholeLine(format.number(line.length))}
              </button>`
            : nothing
        }${isOpenEnd ? html`<span class="diff-note">${strings.noNewline}</span>` : nothing}</span
      >
    </div>`;
  }
}

function renderStretch({ text, isChanged }: Stretch, kind: '' | 'added' | 'removed'): unknown {
  const shown = showHidden(text);
  if (!isChanged) return shown;
  return kind === 'added' ? html`<ins>${shown}</ins>` : html`<del>${shown}</del>`;
}
