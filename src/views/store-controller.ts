/**
 * Turns the changes of a `ChatStore` into updates of its element: at most one for each animation frame (a timer while the
 * page is hidden, where there are no frames), and after an update that took *c* ms none for another 2*c*. So a flood of
 * deltas never takes more than a third of the main thread.
 */

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { ChatStore } from '../chat/store.js';
import type { Clock } from './clock.js';

const HIDDEN_DELAY_MS = 250;
/** Below this a pause is not worth a timer: the next frame is further away. */
const SHORT_PAUSE_MS = 8;

export class StoreController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #clock: Clock;
  #store: ChatStore | undefined;
  #isConnected = false;
  #unsubscribe: (() => void) | undefined;
  #cancel: (() => void) | undefined;
  /** By the monotonic clock: no update starts before it. */
  #restUntil = 0;

  constructor(host: ReactiveControllerHost, clock: Clock) {
    this.#host = host;
    this.#clock = clock;
    host.addController(this);
  }

  get store(): ChatStore | undefined {
    return this.#store;
  }

  set store(store: ChatStore | undefined) {
    if (store === this.#store) return;
    this.#store = store;
    this.#leave();
    if (this.#isConnected) this.#join();
    this.#host.requestUpdate();
  }

  hostConnected(): void {
    this.#isConnected = true;
    document.addEventListener('visibilitychange', this.#onVisibility);
    this.#join();
  }

  hostDisconnected(): void {
    this.#isConnected = false;
    document.removeEventListener('visibilitychange', this.#onVisibility);
    this.#leave();
  }

  #join(): void {
    this.#unsubscribe = this.#store?.subscribe(this.#onChange);
    // What changed while nobody listened.
    if (this.#store) this.#host.requestUpdate();
  }

  #leave(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  readonly #onChange = (): void => {
    if (!this.#cancel) this.#schedule();
  };

  /** A frame asked for before the page was hidden does not come until it is shown again. */
  readonly #onVisibility = (): void => {
    if (!this.#cancel) return;
    this.#cancel();
    this.#schedule();
  };

  #schedule(): void {
    const pause = this.#restUntil - this.#clock.monotonic();
    if (document.hidden) this.#cancel = this.#clock.schedule(Math.max(HIDDEN_DELAY_MS, pause), this.#update);
    else if (pause > SHORT_PAUSE_MS) this.#cancel = this.#clock.schedule(pause, () => this.#requestFrame());
    else this.#requestFrame();
  }

  #requestFrame(): void {
    const frame = requestAnimationFrame(this.#update);
    this.#cancel = () => cancelAnimationFrame(frame);
  }

  readonly #update = (): void => {
    this.#cancel = undefined;
    const start = this.#clock.monotonic();
    this.#host.requestUpdate();
    // A message posted inside a frame is delivered after its style, layout and paint: they are part of the cost.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      const end = this.#clock.monotonic();
      this.#restUntil = end + 2 * (end - start);
    };
    port2.postMessage(undefined);
  };
}
