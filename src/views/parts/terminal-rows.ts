/**
 * A terminal's buffer as lines of a document. A line that the terminal has wrapped is one element, so that it is copied as
 * one. What has scrolled off the screen never changes any more: each painting touches the screen and what is new, and
 * takes away what the buffer has let go.
 */

import type { IBuffer, IBufferCell, IBufferLine, IMarker, Terminal } from '@xterm/headless';
import { readStretches, type Stretch } from './terminal-cells.js';

interface Line {
  /** The first row, counted from the first one ever painted since the last `clear`. */
  readonly start: number;
  readonly element: HTMLDivElement;
  key: string;
}

/** Rows in one element: a longer line is written anew at each change. */
const MOST_ROWS = 100;

export class TerminalRows {
  readonly #terminal: Terminal;
  readonly #box: HTMLElement;
  readonly #cell: IBufferCell;
  #lines: Line[] = [];
  #type: IBuffer['type'] = 'normal';
  /** Rows the buffer has let go since the last `clear`. */
  #gone = 0;
  /** Stands on the last row above the screen at the last painting; from it one sees how far rows have moved. */
  #anchor: { readonly marker: IMarker; readonly row: number } | undefined;

  /** Lines go into `box`; those of a screen before go. */
  constructor(terminal: Terminal, box: HTMLElement) {
    this.#terminal = terminal;
    this.#box = box;
    this.#cell = terminal.buffer.active.getNullCell();
    box.replaceChildren();
  }

  /** Forgets everything: the next painting paints all. */
  clear(): void {
    this.#drop();
    this.#gone = 0;
    this.#lines = [];
    this.#box.replaceChildren();
  }

  /** Brings the lines up to date. Returns how many pixels of lines went away above. */
  paint(): number {
    const buffer = this.#terminal.buffer.active;
    if (buffer.type !== this.#type) this.clear();
    this.#type = buffer.type;
    const firstChanged = this.#findFirstChanged();
    const removed = this.#removeGone();
    this.#paintFrom(buffer, firstChanged);
    this.#setAnchor(buffer);
    return removed;
  }

  /** The element that shows this row of the buffer. */
  findLine(bufferRow: number): HTMLElement | undefined {
    return this.#lines.findLast(({ start }) => start <= bufferRow + this.#gone)?.element;
  }

  /** The last line that begins at or above this row of the buffer, and how many rows below its top the row is. */
  findPlace(bufferRow: number): { readonly element: HTMLElement | undefined; readonly rows: number } {
    const row = bufferRow + this.#gone;
    const line = this.#lines.findLast(({ start }) => start <= row);
    return { element: line?.element, rows: row - (line?.start ?? this.#gone) };
  }

  /** Also finds out how many rows have gone. */
  #findFirstChanged(): number {
    const anchor = this.#anchor;
    if (!anchor) {
      // Nothing had left the screen yet: all of it is looked at again, as if nothing had been painted.
      this.#gone = 0;
      return 0;
    }
    if (anchor.marker.line < 0) {
      this.clear();
      return 0;
    }
    this.#gone = anchor.row - anchor.marker.line;
    return anchor.row + 1;
  }

  #removeGone(): number {
    let count = 0;
    while ((this.#lines[count + 1]?.start ?? Infinity) <= this.#gone) count += 1;
    if (count === 0) return 0;
    const [first] = this.#lines;
    const height = this.#lines[count]!.element.offsetTop - first!.element.offsetTop;
    for (const { element } of this.#lines.splice(0, count)) element.remove();
    return height;
  }

  #paintFrom(buffer: IBuffer, firstChanged: number): void {
    const end = this.#gone + findEnd(buffer);
    let at = this.#lines.findIndex(({ start }) => start >= firstChanged);
    if (at < 0) at = this.#lines.length;
    // The line before goes on here.
    if (at > 0 && (this.#lines[at]?.start ?? Infinity) > firstChanged) at -= 1;
    if (at > 0 && buffer.getLine(firstChanged - this.#gone)?.isWrapped) at -= 1;
    let row = Math.max(this.#gone, Math.min(firstChanged, this.#lines[at]?.start ?? firstChanged));
    while (row < end) {
      const rows = readRows(buffer, row - this.#gone, end - row);
      this.#set(at, row, readStretches(rows, this.#cell));
      at += 1;
      row += rows.length;
    }
    for (const { element } of this.#lines.splice(at)) element.remove();
  }

  #set(at: number, start: number, stretches: readonly Stretch[]): void {
    const key = keyOf(stretches);
    const before = this.#lines[at];
    if (before?.key === key) {
      this.#lines[at] = { ...before, start };
      return;
    }
    const element = before?.element ?? this.#box.appendChild(createLine());
    fill(element, stretches, before?.key);
    this.#lines[at] = { start, element, key };
  }

  #setAnchor(buffer: IBuffer): void {
    this.#drop();
    if (buffer.type !== 'normal' || buffer.baseY === 0) return;
    const marker = this.#terminal.registerMarker(-1 - buffer.cursorY);
    if (marker) this.#anchor = { marker, row: buffer.baseY - 1 + this.#gone };
  }

  #drop(): void {
    this.#anchor?.marker.dispose();
    this.#anchor = undefined;
  }
}

/** One past the last row worth showing: blank ones at the end of the screen are not, unless the cursor is below them. */
function findEnd(buffer: IBuffer): number {
  if (buffer.type === 'alternate') return buffer.length;
  const least = buffer.baseY + (buffer.cursorX > 0 ? buffer.cursorY + 1 : buffer.cursorY);
  for (let row = buffer.length - 1; row >= least; row -= 1)
    if (buffer.getLine(row)!.translateToString(true) !== '') return row + 1;
  return least;
}

/** The row and those that it was wrapped into. */
function readRows(buffer: IBuffer, row: number, most: number): readonly IBufferLine[] {
  const rows = [buffer.getLine(row)!];
  while (rows.length < Math.min(most, MOST_ROWS)) {
    const next = buffer.getLine(row + rows.length);
    if (!next?.isWrapped) break;
    rows.push(next);
  }
  return rows;
}

const keyOf = (stretches: readonly Stretch[]): string =>
  stretches.map(({ text, look, ink = '', paper = '' }) => `${look}\n${ink}${paper}\n${text}`).join('\n\n');

function createLine(): HTMLDivElement {
  const line = document.createElement('div');
  line.className = 'terminal-line';
  return line;
}

function fill(line: HTMLElement, stretches: readonly Stretch[], before: string | undefined): void {
  const [only] = stretches;
  const node = line.firstChild;
  // Plain text that goes on keeps its node, and so a selection in it.
  if (only && stretches.length === 1 && only.look === '' && before !== undefined && node instanceof Text) {
    const isSame = line.childNodes.length === 1 && only.text.startsWith(node.data);
    if (isSame) return node.appendData(only.text.slice(node.data.length));
  }
  line.replaceChildren(...stretches.map(toNode));
}

function toNode({ text, look, ink, paper }: Stretch): Node {
  if (look === '') return document.createTextNode(text);
  const span = document.createElement('span');
  span.className = look;
  span.textContent = text;
  // Set on the object: a policy that forbids style attributes has nothing against it.
  if (ink) span.style.setProperty('--_ink', ink);
  if (paper) span.style.setProperty('--_paper', paper);
  return span;
}
