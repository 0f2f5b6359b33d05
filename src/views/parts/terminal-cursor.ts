/** Where a running terminal writes next: a box in the place of the cursor, unless the program has hidden it. */

import type { Terminal } from '@xterm/headless';

/** DEC private mode 25, by which programs show and hide the cursor. */
const CURSOR_MODE = 25;

export class TerminalCursor {
  readonly #terminal: Terminal;
  readonly #box: HTMLElement;
  readonly #element = document.createElement('div');
  #isHidden = false;

  /** Stands in `box`, in which the lines are placed too. */
  constructor(terminal: Terminal, box: HTMLElement) {
    this.#terminal = terminal;
    this.#box = box;
    this.#element.className = 'terminal-cursor';
    // What is written there is read in the lines.
    this.#element.setAttribute('aria-hidden', 'true');
    const listen = (final: string, isHidden: boolean) =>
      terminal.parser.registerCsiHandler({ prefix: '?', final }, (modes) => {
        if (modes.includes(CURSOR_MODE)) this.#isHidden = isHidden;
        // The emulator's own handler follows.
        return false;
      });
    listen('h', false);
    listen('l', true);
    terminal.parser.registerEscHandler({ final: 'c' }, () => {
      this.reset();
      return false;
    });
  }

  /** The terminal begins anew. */
  reset(): void {
    this.#isHidden = false;
  }

  hide(): void {
    this.#element.remove();
  }

  /** `line` is the element that the cursor's row is in or stands below, `rows` how many rows it is below its top. */
  paint(line: HTMLElement | undefined, rows: number): void {
    if (this.#isHidden) return this.hide();
    const { cursorX } = this.#terminal.buffer.active;
    // Behind the last column it waits for the next character.
    const column = Math.min(cursorX, this.#terminal.cols - 1);
    this.#element.style.setProperty('inset-block-start', `calc(${line?.offsetTop ?? 0}px + ${rows} * 1lh)`);
    this.#element.style.setProperty('inset-inline-start', `${column}ch`);
    if (!this.#element.isConnected) this.#box.append(this.#element);
  }
}
