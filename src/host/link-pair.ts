/** Two joined links in one process, and a transport made of them: a client and a host without any network between. */

import type { AhpTransport, Link, LinkClose } from '../protocol/link.js';
import { AhpError } from '../protocol/errors.js';

/** Whatever accepts links; a `HostCore` does. */
export interface LinkAcceptor {
  connect(link: Link): unknown;
}

/**
 * Two ends of one connection. A frame arrives in a microtask, in order; a close arrives after the frames sent before it.
 * Frames that come before `onmessage` is set wait for it.
 */
export function createLinkPair(): readonly [client: Link, host: Link] {
  const left = new QueueLink();
  const right = new QueueLink();
  left.peer = right;
  right.peer = left;
  return [left, right];
}

/** Opens an in-process link to `host` at every connect. */
export function createLocalTransport(host: LinkAcceptor): AhpTransport {
  return {
    isLocal: true,
    connect(signal: AbortSignal): Promise<Link> {
      if (signal.aborted) {
        return Promise.reject(new AhpError('disconnected', 'The connection was aborted.', { cause: signal.reason }));
      }
      const [client, end] = createLinkPair();
      host.connect(end);
      return Promise.resolve(client);
    },
  };
}

class QueueLink implements Link {
  peer: QueueLink | undefined;
  onclose: ((close: LinkClose) => void) | undefined;
  #onmessage: ((text: string) => void) | undefined;
  readonly #inbox: string[] = [];
  #isOpen = true;
  #isClosing = false;
  #isScheduled = false;

  get onmessage(): ((text: string) => void) | undefined {
    return this.#onmessage;
  }

  set onmessage(listener: ((text: string) => void) | undefined) {
    this.#onmessage = listener;
    if (listener) this.#schedule();
  }

  send(text: string): void {
    if (!this.#isOpen || !this.peer) return;
    this.peer.#inbox.push(text);
    this.peer.#schedule();
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#inbox.length = 0;
    if (!this.peer) return;
    this.peer.#isClosing = true;
    this.peer.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || !this.#isOpen) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#deliver();
    });
  }

  #deliver(): void {
    while (this.#isOpen && this.#onmessage && this.#inbox.length > 0) {
      this.#onmessage(this.#inbox.shift() ?? '');
    }
    if (!this.#isOpen || !this.#isClosing) return;
    this.#isOpen = false;
    this.onclose?.({ reason: 'The other end closed the link.', retry: true });
  }
}
