/**
 * A `Link` over a MessagePort: between a page and its worker, between two frames, or inside one test. Both ends use this
 * file, so it is also the definition of what crosses: a string is one frame, anything else says that the other end has
 * closed. A port does not tell when its other end is gone without a word; the ping of the client finds that.
 */

import type { Link, LinkClose } from './link.js';

/** The part of a MessagePort that is used; Node's ports fit as well. */
export interface PortLike {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  start?(): void;
  close(): void;
}

/** Takes over `port`: it is started at once, and closed when the link is. */
export function createPortLink(port: PortLike): Link {
  return new PortLink(port);
}

class PortLink implements Link {
  onclose: ((close: LinkClose) => void) | undefined;
  readonly #port: PortLike;
  #onmessage: ((text: string) => void) | undefined;
  /** Frames that came before anybody listened. */
  #early: string[] | undefined = [];
  #isOpen = true;

  constructor(port: PortLike) {
    this.#port = port;
    port.addEventListener('message', ({ data }) => {
      this.#receive(data);
    });
    port.start?.();
  }

  get onmessage(): ((text: string) => void) | undefined {
    return this.#onmessage;
  }

  set onmessage(listener: ((text: string) => void) | undefined) {
    this.#onmessage = listener;
    if (!listener || !this.#early) return;
    const early = this.#early;
    this.#early = undefined;
    for (const text of early) this.#receive(text);
  }

  send(text: string): void {
    if (this.#isOpen) this.#port.postMessage(text);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#port.postMessage(null);
    this.#port.close();
  }

  #receive(data: unknown): void {
    if (!this.#isOpen) return;
    if (typeof data === 'string') {
      if (this.#early) this.#early.push(data);
      else this.#onmessage?.(data);
      return;
    }
    this.#isOpen = false;
    this.#port.close();
    this.onclose?.({ reason: 'The other end closed the port.', retry: true });
  }
}
