/**
 * Lets a `<textarea>` grow with its text up to the `max-block-size` of the sheet. Engines with `field-sizing` do it by
 * themselves; for the others (WebKit 2.50) it is measured after each change of text or width.
 */

import type { ReactiveController, ReactiveControllerHost } from 'lit';

const isNative = CSS.supports('field-sizing', 'content');

export class GrowController implements ReactiveController {
  readonly #find: () => HTMLTextAreaElement | null;
  readonly #observer = isNative ? undefined : new ResizeObserver(() => this.#onResize());
  #width = 0;

  constructor(host: ReactiveControllerHost, find: () => HTMLTextAreaElement | null) {
    this.#find = find;
    host.addController(this);
  }

  hostUpdated(): void {
    const field = this.#find();
    // Observing the same field again does nothing.
    if (field) this.#observer?.observe(field);
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
  }

  /** To be called when the text has changed. */
  fit(): void {
    const field = this.#find();
    if (isNative || !field) return;
    field.style.blockSize = 'auto';
    const border = field.offsetHeight - field.clientHeight;
    field.style.blockSize = `${field.scrollHeight + border}px`;
  }

  #onResize(): void {
    const width = this.#find()?.clientWidth ?? 0;
    if (width === this.#width) return;
    this.#width = width;
    this.fit();
  }
}
