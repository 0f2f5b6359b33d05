/**
 * When what holds the focus goes away, the browser leaves it on the page: the person is nowhere, and a screen reader says
 * nothing. The element around it puts it on what has taken its place. Nothing else ever moves it.
 */

import type { ReactiveController, ReactiveElement } from 'lit';

export class FocusKeeper implements ReactiveController {
  readonly #host: ReactiveElement;
  readonly #find: (lost: Element) => HTMLElement | null;
  #holder: Element | undefined;

  /** `find` tells where the focus belongs when `lost` has gone. */
  constructor(host: ReactiveElement, find: (lost: Element) => HTMLElement | null) {
    this.#host = host;
    this.#find = find;
    host.addController(this);
  }

  hostUpdate(): void {
    const focused = this.#focused();
    this.#holder = focused && this.#host.contains(focused) ? focused : undefined;
  }

  hostUpdated(): void {
    const lost = this.#holder;
    this.#holder = undefined;
    // Taken out and not given to somebody else meanwhile.
    if (!lost || lost.isConnected || this.#focused()) return;
    this.#find(lost)?.focus({ preventScroll: true });
  }

  /** Nothing stands for the whole page. */
  #focused(): Element | null {
    const root = this.#host.getRootNode();
    const focused = root instanceof ShadowRoot || root instanceof Document ? root.activeElement : null;
    return focused === document.body ? null : focused;
  }
}
