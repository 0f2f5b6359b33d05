/**
 * A terminal that is only watched: its text goes through a terminal emulator, and what that makes of it is painted into a
 * box. Text is taken in pieces between which the page lives, and painted once a frame at most. Nothing ever goes back:
 * what a program asks of its terminal is not answered, titles, links and the clipboard are not its to set.
 */

import type { IMarker } from '@xterm/headless';
import { Terminal } from '@xterm/headless/lib-headless/xterm-headless.mjs';
import type { CommandMark } from '../../channels/terminal.js';
import { framePacer } from '../frame-pacer.js';
import { TerminalCursor } from './terminal-cursor.js';
import { TerminalRows } from './terminal-rows.js';

/** Rows kept above the screen. */
const SCROLLBACK = 5_000;
const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;
/** Beyond these a screen is no screen, whatever a host says. */
const MOST_COLUMNS = 500;
const MOST_ROWS = 200;

export interface Screenful {
  /** All that is kept of the terminal's text. */
  readonly text: string;
  /** UTF-16 units that stood before it. */
  readonly dropped: number;
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  readonly commands: readonly CommandMark[];
  /** Whether somebody may still write to it. */
  readonly isRunning: boolean;
}

export interface ScreenOptions {
  /** Whether a line feed also goes to the start of the line: the text comes from no terminal. */
  readonly hasBareLineFeeds: boolean;
  /** Called after each painting with the pixels of lines that went away above. */
  readonly onPaint: (removedAbove: number) => void;
}

export class TerminalScreen {
  readonly #terminal: Terminal;
  readonly #rows: TerminalRows;
  readonly #cursor: TerminalCursor;
  readonly #box: HTMLElement;
  readonly #onPaint: ScreenOptions['onPaint'];
  readonly #markers = new Map<string, IMarker>();
  readonly #marked = new Set<HTMLElement>();
  #wanted: Screenful = {
    text: '',
    dropped: 0,
    columns: undefined,
    rows: undefined,
    commands: [],
    isRunning: false,
  };
  /** What the emulator was given so far. */
  #text = '';
  #dropped = 0;
  #isWriting = false;
  #isDisposed = false;

  constructor(box: HTMLElement, { hasBareLineFeeds, onPaint }: ScreenOptions) {
    this.#terminal = new Terminal({
      allowProposedApi: true,
      cols: DEFAULT_COLUMNS,
      rows: DEFAULT_ROWS,
      scrollback: SCROLLBACK,
      convertEol: hasBareLineFeeds,
      logLevel: 'off',
    });
    this.#box = box;
    this.#rows = new TerminalRows(this.#terminal, box);
    this.#cursor = new TerminalCursor(this.#terminal, box);
    this.#onPaint = onPaint;
  }

  /** Shows this from now on. What continues the text before is appended; anything else begins anew. */
  show(screenful: Screenful): void {
    this.#wanted = screenful;
    if (!this.#isWriting) this.#write();
  }

  dispose(): void {
    this.#isDisposed = true;
    framePacer.cancel(this.#paint);
    this.#terminal.dispose();
  }

  #write(): void {
    const { text, dropped, commands } = this.#wanted;
    this.#resize();
    const added = this.#findAdded(text, dropped);
    const start = dropped + text.length - added.length;
    this.#text = text;
    this.#dropped = dropped;
    if (added === '') return framePacer.request(this.#paint);
    this.#isWriting = true;
    let written = 0;
    for (const { id, offset } of commands) {
      const at = offset - start;
      if (at < written || at > added.length || this.#markers.has(id)) continue;
      // The mark is set where the cursor stands when all before it has been taken in.
      this.#terminal.write(added.slice(written, at), () => this.#mark(id));
      written = at;
    }
    this.#terminal.write(added.slice(written), this.#onWritten);
  }

  /** What stands behind the text that was given already; all of it, after a reset, where it does not go on. */
  #findAdded(text: string, dropped: number): string {
    const cut = dropped - this.#dropped;
    const known = cut >= 0 && cut <= this.#text.length ? this.#text.slice(cut) : undefined;
    if (known !== undefined && text.startsWith(known)) return text.slice(known.length);
    this.#terminal.reset();
    this.#cursor.reset();
    this.#rows.clear();
    this.#markers.clear();
    return text;
  }

  readonly #onWritten = (): void => {
    this.#isWriting = false;
    if (this.#isDisposed) return;
    framePacer.request(this.#paint);
    const { text, dropped } = this.#wanted;
    if (text.length + dropped !== this.#text.length + this.#dropped || text !== this.#text) this.#write();
  };

  #mark(id: string): void {
    if (this.#isDisposed) return;
    const marker = this.#terminal.registerMarker(0);
    if (marker) this.#markers.set(id, marker);
  }

  #resize(): void {
    const columns = toSize(this.#wanted.columns, DEFAULT_COLUMNS, MOST_COLUMNS);
    const rows = toSize(this.#wanted.rows, DEFAULT_ROWS, MOST_ROWS);
    if (columns === this.#terminal.cols && rows === this.#terminal.rows) return;
    this.#terminal.resize(columns, rows);
    this.#rows.clear();
  }

  readonly #paint = (): void => {
    if (this.#isDisposed) return;
    this.#box.style.setProperty('--_columns', String(this.#terminal.cols));
    const removed = this.#rows.paint();
    this.#paintCommands();
    this.#paintCursor();
    this.#onPaint(removed);
  };

  #paintCursor(): void {
    if (!this.#wanted.isRunning) return this.#cursor.hide();
    const { baseY, cursorY } = this.#terminal.buffer.active;
    const { element, rows } = this.#rows.findPlace(baseY + cursorY);
    this.#cursor.paint(element, rows);
  }

  /** Where commands begin, and how they ended. */
  #paintCommands(): void {
    for (const line of this.#marked) delete line.dataset['command'];
    this.#marked.clear();
    if (this.#terminal.buffer.active.type !== 'normal') return;
    for (const { id, isComplete, exitCode } of this.#wanted.commands) {
      const marker = this.#markers.get(id);
      const line = marker && marker.line >= 0 ? this.#rows.findLine(marker.line) : undefined;
      if (!line) continue;
      line.dataset['command'] = !isComplete ? 'running' : exitCode ? 'failed' : 'done';
      this.#marked.add(line);
    }
  }
}

/** A size a person could look at. */
const toSize = (size: number | undefined, otherwise: number, most: number): number =>
  size !== undefined && Number.isFinite(size) && size >= 1 ? Math.min(Math.floor(size), most) : otherwise;
