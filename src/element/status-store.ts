/** What the element shows while there is no chat behind it: how the search goes, or what was there before it left. */

import type { ChatStore, ChatStoreStatus, SessionInfo } from '../chat/store.js';
import type { ChatState } from '../protocol/state.js';

export class StatusStore implements ChatStore {
  readonly state: ChatState | undefined;
  readonly session: SessionInfo | undefined;
  /** Set while there is somebody who waits for a sign-in. */
  giveUpSignIn?: (resource: string) => void;
  readonly #listeners = new Set<() => void>();
  readonly #reconnect: () => void;
  #status: ChatStoreStatus;

  /** `reconnect` is called by `reconnectNow`. */
  constructor(
    phase: ChatStoreStatus['phase'],
    reconnect: () => void,
    shown: { readonly state?: ChatState | undefined; readonly session?: SessionInfo | undefined } = {},
  ) {
    // What is written while the element has left its host is nowhere but in the composer.
    this.#status = { phase, pending: 0, unconfirmed: [], ...(phase === 'offline' && { notKept: 'no-chat' }) };
    this.#reconnect = reconnect;
    this.state = shown.state;
    this.session = shown.session;
  }

  get status(): ChatStoreStatus {
    return this.#status;
  }

  set status(status: ChatStoreStatus) {
    this.#status = status;
    for (const listener of [...this.#listeners]) listener();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  reconnectNow(): void {
    this.#reconnect();
  }

  loadOlderTurns(): Promise<void> {
    return Promise.resolve();
  }

  /** There is no chat to send anything to; the element offers nothing that would. */
  onRejected(): () => void {
    return () => undefined;
  }
  dispatch(): void {}
  retry(): void {}
  discard(): void {}
}
