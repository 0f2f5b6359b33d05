/**
 * A chat store without a host: what is dispatched is reduced on the spot and remembered. For demos, for tests of views, and
 * as the smallest example of what a `ChatStore` is. It keeps nothing and confirms nothing.
 */

import type { ChatAction, ClientChatAction, UnknownAction } from '../protocol/actions.js';
import type { AhpError } from '../protocol/errors.js';
import type { ChatState } from '../protocol/state.js';
import { chatReducer } from './reducer.js';
import type { ChatServices, ChatStore, ChatStoreStatus, Rejection, SessionInfo } from './store.js';

export interface MemoryChatStoreOptions {
  readonly session?: SessionInfo;
  readonly services?: ChatServices;
  readonly status?: Partial<ChatStoreStatus>;
  /** Answers `loadOlderTurns`; what it resolves with is applied, for example a `chat/turnsLoaded`. */
  readonly loadOlder?: (state: ChatState) => Promise<ChatAction | undefined>;
}

export class MemoryChatStore implements ChatStore {
  /** Every group that was dispatched, oldest first. */
  readonly dispatched: (readonly ClientChatAction[])[] = [];
  readonly services?: ChatServices;

  #state: ChatState | undefined;
  #session: SessionInfo | undefined;
  #status: ChatStoreStatus;
  readonly #loadOlder: MemoryChatStoreOptions['loadOlder'];
  readonly #listeners = new Set<() => void>();
  readonly #rejectionListeners = new Set<(rejection: Rejection) => void>();

  /** Without a state the store is `loading` until `setState`. */
  constructor(state?: ChatState, options: MemoryChatStoreOptions = {}) {
    this.#state = state;
    this.#session = options.session;
    this.#status = { phase: state ? 'live' : 'loading', pending: 0, unconfirmed: [], ...options.status };
    this.#loadOlder = options.loadOlder;
    if (options.services) this.services = options.services;
  }

  get state(): ChatState | undefined {
    return this.#state;
  }

  get session(): SessionInfo | undefined {
    return this.#session;
  }

  get status(): ChatStoreStatus {
    return this.#status;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onRejected(listener: (rejection: Rejection) => void): () => void {
    this.#rejectionListeners.add(listener);
    return () => this.#rejectionListeners.delete(listener);
  }

  dispatch(...group: readonly ClientChatAction[]): void {
    this.dispatched.push(group);
    this.apply(...group);
  }

  /** Takes actions as a host would send them. */
  apply(...actions: readonly (ChatAction | UnknownAction)[]): void {
    if (!this.#state) return;
    const next = actions.reduce(chatReducer, this.#state);
    if (next !== this.#state) this.setState(next);
  }

  /** Refuses a group as a host would: the listeners get it back. The state is the caller's to mend. */
  reject(actions: readonly ClientChatAction[], reason: string): void {
    for (const listener of [...this.#rejectionListeners]) listener({ actions, reason });
  }

  setState(state: ChatState): void {
    this.#state = state;
    if (this.#status.phase === 'loading') this.#status = { ...this.#status, phase: 'live' };
    this.#notify();
  }

  setSession(session: SessionInfo | undefined): void {
    this.#session = session;
    this.#notify();
  }

  /** Changes parts of the status, for example `{ phase: 'offline' }`. */
  setStatus(status: Partial<ChatStoreStatus>): void {
    this.#status = { ...this.#status, ...status };
    this.#notify();
  }

  fail(error: AhpError): void {
    this.setStatus({ phase: 'failed', error });
  }

  /** Dispatches an unconfirmed intent again. */
  retry(id: string): void {
    const intent = this.#status.unconfirmed.find((other) => other.id === id);
    this.discard(id);
    if (intent?.canRetry) this.dispatch(...intent.actions);
  }

  discard(id: string): void {
    const unconfirmed = this.#status.unconfirmed.filter((intent) => intent.id !== id);
    if (unconfirmed.length < this.#status.unconfirmed.length) this.setStatus({ unconfirmed });
  }

  async loadOlderTurns(): Promise<void> {
    const page = this.#state && (await this.#loadOlder?.(this.#state));
    if (page) this.apply(page);
  }

  #notify(): void {
    // One that leaves while others are told is not told any more.
    for (const listener of [...this.#listeners]) if (this.#listeners.has(listener)) listener();
  }
}
