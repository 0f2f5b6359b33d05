/**
 * One stay at a host, from joining to leaving: takes host and chat from the page's hub and gives them back. The composition
 * root of everything below the views: here, and only here, are the real mirror and the real socket chosen. Loaded when the
 * element is told of a host; a page that brings a store of its own never needs it.
 */

import type { ChatStore, ChatStoreStatus } from '../chat/store.js';
import type { ConnectionState } from '../client/ahp-client.js';
import type { TokenOptions } from '../client/authenticator.js';
import type { AnswerSession } from '../client/answer-session.js';
import type { Chat } from '../client/chat.js';
import type { Lease } from '../client/counted.js';
import { isBlank } from '../client/draft-message.js';
import type { DraftSession } from '../client/draft-session.js';
import type { Environment } from '../client/environment.js';
import type { HostClient } from '../client/host-client.js';
import { Hub, toHostKey } from '../client/hub.js';
import type { ChatTarget } from '../client/open-target.js';
import { toStatus } from '../client/store-status.js';
import { createWebSocketTransport } from '../client/websocket-transport.js';
import { MemoryMirror } from '../mirror/memory-mirror.js';
import { openMirror } from '../mirror/open-mirror.js';
import { AhpError } from '../protocol/errors.js';
import type { AhpTransport } from '../protocol/link.js';
import type { McpAuthRequirement, URI } from '../protocol/state.js';
import type { HostSettings } from './host-controller.js';

export interface StayListener {
  /** The connection has changed, and there is no chat yet. */
  onSearching(status: ChatStoreStatus): void;
  onChat(store: ChatStore, draft: DraftSession, answers: AnswerSession): void;
  /** The chat is given up; another one is looked for. */
  onChatGone(): void;
  /** There will be no chat unless somebody does something. */
  onFailed(error: AhpError): void;
  onAuthRequired(requirement: McpAuthRequirement): void;
  onDiagnostic(code: string, text: string): void;
}

/** One for the page; made with the first stay. */
let hub: Hub | undefined;

export class HostStay {
  readonly #settings: HostSettings;
  readonly #listener: StayListener;
  readonly #host: Lease<HostClient>;
  readonly #search = new AbortController();
  #chat: Lease<Chat> | undefined;
  #ends: (() => void)[] = [];

  constructor(settings: HostSettings, environment: Environment, listener: StayListener) {
    hub ??= new Hub(environment);
    this.#settings = settings;
    this.#listener = listener;
    this.#host = acquireHost(hub, settings, listener);
    void this.#find();
  }

  reconnectNow(): void {
    this.#host.value.client.reconnectNow();
  }

  authenticate(resource: string, token: string, options: TokenOptions): Promise<void> {
    return this.#host.value.client.authenticate(resource, token, options);
  }

  clearMirror(): Promise<void> {
    return this.#host.value.clearMirror();
  }

  leave(): void {
    this.#stopListening();
    this.#search.abort(new AhpError('disconnected', 'The element has left the host.'));
    this.#chat?.release();
    this.#host.release();
  }

  async #find(except?: URI): Promise<void> {
    const { session, chat } = this.#settings;
    const { signal } = this.#search;
    this.#tellConnection();
    try {
      const target = await this.#host.value.findChat(
        { ...(session && { session }), ...(chat && { chat }), ...(except && { except }) },
        signal,
      );
      if (!signal.aborted) this.#open(target);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof AhpError)) throw error;
      this.#listener.onFailed(error);
    }
  }

  /** Until the chat is known there is only the connection to tell of. */
  #tellConnection(): void {
    const { client } = this.#host.value;
    const tell = () => this.#listener.onSearching(toConnectionStatus(client.state));
    this.#ends.push(
      client.onState(tell),
      client.onAuthRequired((requirement) => this.#listener.onAuthRequired(requirement)),
    );
    tell();
  }

  #open({ chat, session }: ChatTarget): void {
    this.#stopListening();
    const { turns } = this.#settings;
    const lease = this.#host.value.acquireChat(chat, { ...(session && { session }), turns });
    this.#chat = lease;
    const { store, draft, answers } = lease.value;
    const isNamed = this.#settings.chat !== undefined || this.#settings.session !== undefined;
    if (!isNamed) this.#ends.push(store.subscribe(() => this.#moveOn(lease)));
    this.#listener.onChat(store, draft, answers);
  }

  /** A remembered chat that is gone, and holds nothing of the person's, makes room for another. */
  #moveOn(lease: Lease<Chat>): void {
    const { store, draft, uri } = lease.value;
    const { error, phase, pending, unconfirmed } = store.status;
    const isGone = phase === 'failed' && error?.code === 'gone';
    if (!isGone || pending > 0 || unconfirmed.length > 0 || !isBlank(draft.message)) return;
    this.#stopListening();
    this.#chat = undefined;
    this.#listener.onChatGone();
    lease.release();
    void this.#find(uri);
  }

  #stopListening(): void {
    for (const end of this.#ends.splice(0)) end();
  }
}

/** What the connection alone can tell. */
const toConnectionStatus = (connection: ConnectionState): ChatStoreStatus =>
  toStatus({
    connection,
    failure: undefined,
    isLive: false,
    hasState: false,
    pending: [],
    unconfirmed: [],
    waiting: 0,
    notKept: undefined,
    stoppingTurnId: undefined,
    isStalled: false,
  });

/** Transports without a name of their own are told apart by what they are. */
const names = new WeakMap<AhpTransport, string>();

function acquireHost(hub: Hub, settings: HostSettings, listener: StayListener): Lease<HostClient> {
  const { src, token, storage, storageKey, transport } = settings;
  const { environment } = hub;
  const isNamed = src !== undefined || storageKey !== undefined;
  const key = isNamed
    ? toHostKey(src ?? 'transport:', { base: location.href, ...(storageKey !== undefined && { storageKey }) })
    : nameOf(transport, environment);
  // Without a name the same chat could not be found again.
  const isKept = storage === 'indexeddb' && isNamed;
  return hub.acquire(isKept ? key : `${key} memory`, () => ({
    mirror: isKept ? openMirror(key, environment) : new MemoryMirror(),
    transport:
      transport ?? createWebSocketTransport({ url: src ?? '', environment, ...(token !== undefined && { token }) }),
    locale: () => document.documentElement.lang || navigator.language,
    onDiagnostic: ({ code, message }) => listener.onDiagnostic(code, message),
  }));
}

function nameOf(transport: AhpTransport | undefined, environment: Environment): string {
  if (!transport) return '';
  const name = names.get(transport) ?? `transport:${environment.createId()}`;
  names.set(transport, name);
  return name;
}
