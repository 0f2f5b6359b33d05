/**
 * Whether an element is in view: what costs the host something is kept open only then. A short look away does not count,
 * so that scrolling past an edge does not open and close.
 */

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Clock } from '../clock.js';

/** How long it may be out of view, ms. */
const LINGER_MS = 3_000;

export class ShownController implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element;
  readonly #findClock: () => Clock | undefined;
  #observer: IntersectionObserver | undefined;
  #cancel: (() => void) | undefined;
  #isShown = false;

  /** Without a clock, out of view is out of view at once. The host is updated when `isShown` changes. */
  constructor(host: ReactiveControllerHost & Element, findClock: () => Clock | undefined) {
    this.#host = host;
    this.#findClock = findClock;
    host.addController(this);
  }

  get isShown(): boolean {
    return this.#isShown;
  }

  hostConnected(): void {
    this.#observer = new IntersectionObserver((entries) => this.#onChange(entries.at(-1)!.isIntersecting));
    this.#observer.observe(this.#host);
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
    this.#stopWaiting();
    this.#isShown = false;
  }

  #onChange(isIntersecting: boolean): void {
    this.#stopWaiting();
    if (isIntersecting) return this.#set(true);
    const clock = this.#findClock();
    if (this.#isShown && clock) this.#cancel = clock.schedule(LINGER_MS, () => this.#set(false));
    else this.#set(false);
  }

  #set(isShown: boolean): void {
    if (isShown === this.#isShown) return;
    this.#isShown = isShown;
    this.#host.requestUpdate();
  }

  #stopWaiting(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
