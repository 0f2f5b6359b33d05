/**
 * The composition root: chooses the real mirror, transport and environment, and joins them to the element. It takes a chat
 * from the page's hub, gives it back when the element has left, and starts over when the page asks for another one.
 * Nothing else in `src` knows that these parts exist together.
 */

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { MemoryChatStore } from '../chat/memory-store.js';
import type { ChatStore, ChatStoreStatus, Rejection } from '../chat/store.js';
import type { ConnectionState } from '../client/ahp-client.js';
import { createBrowserEnvironment } from '../client/browser-environment.js';
import type { Chat } from '../client/chat.js';
import type { Lease } from '../client/counted.js';
import { isBlank } from '../client/draft-message.js';
import type { HostClient } from '../client/host-client.js';
import { Hub, toHostKey } from '../client/hub.js';
import type { ChatTarget } from '../client/open-target.js';
import { toStatus } from '../client/store-status.js';
import { createWebSocketTransport, type Token } from '../client/websocket-transport.js';
import { MemoryMirror } from '../mirror/memory-mirror.js';
import { openMirror } from '../mirror/open-mirror.js';
import { AhpError } from '../protocol/errors.js';
import type { AhpTransport } from '../protocol/link.js';
import type { McpAuthRequirement, Message, URI } from '../protocol/state.js';
import { MemoryDraft, type Draft } from './memory-draft.js';

/** One for the page: what asks for time and ids, and what shares connections between elements. */
export const environment = createBrowserEnvironment();
const hub = new Hub(environment);

/** What the page has set on the element. */
export interface HostSettings {
  readonly src: string | undefined;
  readonly token: Token | undefined;
  readonly session: URI | undefined;
  readonly chat: URI | undefined;
  readonly turns: number;
  readonly storage: 'indexeddb' | 'memory';
  readonly storageKey: string | undefined;
  readonly transport: AhpTransport | undefined;
}

/** A change of one of these asks for another chat; a new token only counts at the next connection. */
const identifying = ['src', 'session', 'chat', 'turns', 'storage', 'storageKey', 'transport'] as const;

export interface HostListener {
  /** `isGivenBack`: the text stands in the draft again. */
  onRejected(rejection: Rejection, isGivenBack: boolean): void;
  onAuthRequired(requirement: McpAuthRequirement): void;
  onDiagnostic(code: string, text: string): void;
}

/** One stay at a host: from joining to leaving. */
interface Stay {
  readonly host: Lease<HostClient>;
  readonly search: AbortController;
  chat: Lease<Chat> | undefined;
  readonly ends: (() => void)[];
}

export class HostController implements ReactiveController {
  readonly #element: ReactiveControllerHost;
  readonly #listener: HostListener;
  #settings: HostSettings | undefined;
  #isConnected = false;
  /** The page asked to leave. */
  #isLeft = false;
  #stay: Stay | undefined;
  #store: ChatStore | undefined;
  #draft: Draft | undefined;
  #ownStore: ChatStore | undefined;
  #cancelLeave: (() => void) | undefined;
  #ends: (() => void)[] = [];
  /** What was written before there was a chat to write to. */
  #early: Message | undefined;

  constructor(element: ReactiveControllerHost, listener: HostListener) {
    this.#element = element;
    this.#listener = listener;
    element.addController(this);
  }

  get store(): ChatStore | undefined {
    return this.#ownStore ?? this.#store;
  }

  get draft(): Draft | undefined {
    return this.#draft;
  }

  /** Whether the page has left the host by `disconnect()`. */
  get isLeft(): boolean {
    return this.#isLeft;
  }

  /** The page's own store; wins over everything else. */
  set ownStore(store: ChatStore | undefined) {
    if (store === this.#ownStore) return;
    this.#leave();
    this.#ownStore = store;
    this.#join();
  }

  /** Takes what the page has set; joins another chat when that asks for one. */
  configure(settings: HostSettings): void {
    const before = this.#settings;
    this.#settings = pick(settings);
    if (before && identifying.every((name) => before[name] === settings[name])) return;
    this.#leave();
    this.#join();
  }

  hostConnected(): void {
    this.#cancelLeave?.();
    this.#cancelLeave = undefined;
    this.#isConnected = true;
    this.#join();
  }

  /** A move within the document disconnects and connects in one task: everything stays as it is then. */
  hostDisconnected(): void {
    this.#isConnected = false;
    this.#cancelLeave = environment.schedule(0, () => this.#leave());
  }

  connect(): void {
    this.#isLeft = false;
    this.#join();
    this.store?.reconnectNow?.();
  }

  disconnect(): void {
    this.#isLeft = true;
    const { state, session } = this.#store ?? {};
    this.#leave();
    // What is shown stays, without anybody behind it.
    this.#store = new MemoryChatStore(state, { ...(session && { session }), status: { phase: 'offline' } });
    this.#element.requestUpdate();
  }

  /** Keeps what is written while there is no draft to write to. */
  keepEarly(message: Message): void {
    this.#early = message;
  }

  authenticate(resource: string, token: string, options: { scopes?: readonly string[]; expiresIn?: number }) {
    if (this.#stay) return this.#stay.host.value.client.authenticate(resource, token, options);
    return Promise.reject(new AhpError('misuse', 'authenticate() needs a host: set src or transport first.'));
  }

  async clearMirror(): Promise<void> {
    await this.#stay?.host.value.clearMirror();
  }

  /* -------------------------------------------------------------- joining */

  #join(): void {
    if (!this.#isConnected || this.#draft || this.#stay) return;
    if (this.#ownStore) return this.#show(this.#ownStore, new MemoryDraft(environment));
    const settings = this.#settings;
    if (!settings || this.#isLeft || (settings.src === undefined && !settings.transport)) return;
    const host = acquireHost(settings, (code, text) => this.#listener.onDiagnostic(code, text));
    this.#stay = { host, search: new AbortController(), chat: undefined, ends: [] };
    void this.#find(this.#stay, settings);
  }

  async #find(stay: Stay, settings: HostSettings, except?: URI): Promise<void> {
    const { value: host } = stay.host;
    this.#showSearch(stay);
    const { session, chat } = settings;
    try {
      const target = await host.findChat(
        { ...(session && { session }), ...(chat && { chat }), ...(except && { except }) },
        stay.search.signal,
      );
      if (stay === this.#stay) this.#open(stay, target, settings);
    } catch (error) {
      if (stay !== this.#stay) return;
      if (!(error instanceof AhpError)) throw error;
      if (this.#store instanceof MemoryChatStore) this.#store.fail(error);
      this.#element.requestUpdate();
    }
  }

  /** Until the chat is known there is only the connection to tell of. */
  #showSearch(stay: Stay): void {
    const { client } = stay.host.value;
    const store = new MemoryChatStore(undefined, { status: toConnectionStatus(client.state) });
    const onState = () => {
      if (store.state === undefined) store.setStatus(toConnectionStatus(client.state));
    };
    stay.ends.push(
      client.onState(onState),
      client.onAuthRequired((requirement) => this.#listener.onAuthRequired(requirement)),
    );
    this.#store = Object.assign(store, { reconnectNow: () => client.reconnectNow() });
    this.#element.requestUpdate();
  }

  #open(stay: Stay, { chat, session }: ChatTarget, settings: HostSettings): void {
    for (const end of stay.ends.splice(0)) end();
    const lease = stay.host.value.acquireChat(chat, { ...(session && { session }), turns: settings.turns });
    stay.chat = lease;
    const { store, draft } = lease.value;
    this.#show(store, draft);
    const isNamed = settings.chat !== undefined || settings.session !== undefined;
    if (!isNamed) this.#ends.push(store.subscribe(() => this.#moveOn(stay, settings)));
  }

  /** A remembered chat that is gone, and holds nothing of the person's, makes room for another. */
  #moveOn(stay: Stay, settings: HostSettings): void {
    const lease = stay.chat;
    if (!lease || stay !== this.#stay) return;
    const { store, draft, uri } = lease.value;
    const { error, phase, pending, unconfirmed } = store.status;
    const isGone = phase === 'failed' && error?.code === 'gone';
    if (!isGone || pending > 0 || unconfirmed.length > 0 || !isBlank(draft.message)) return;
    this.#hide();
    stay.chat = undefined;
    lease.release();
    void this.#find(stay, settings, uri);
  }

  #show(store: ChatStore, draft: Draft): void {
    this.#store = store;
    this.#draft = draft;
    const early = this.#early;
    this.#early = undefined;
    if (early && !isBlank(early)) {
      if (draft.revision === 0) draft.change(early);
      else draft.giveBack(early);
    }
    this.#ends.push(
      draft.subscribe(() => this.#element.requestUpdate()),
      store.onRejected((rejection) => this.#listener.onRejected(rejection, this.#takeBack(rejection))),
    );
    const onAuthRequired = store.onAuthRequired?.((requirement) => this.#listener.onAuthRequired(requirement));
    if (onAuthRequired) this.#ends.push(onAuthRequired);
    this.#element.requestUpdate();
  }

  /** A chat of the hub gives text back by itself, once for all elements that show it. */
  #takeBack({ actions }: Rejection): boolean {
    const message = actions.map((action) => ('message' in action ? action.message : undefined)).find(Boolean);
    if (message && this.#ownStore) this.#draft?.giveBack(message);
    return message !== undefined;
  }

  #hide(): void {
    for (const end of this.#ends.splice(0)) end();
    this.#draft = this.#store = undefined;
  }

  #leave(): void {
    this.#draft?.setFocused(this.#element, false);
    this.#hide();
    const stay = this.#stay;
    this.#stay = undefined;
    if (!stay) return;
    for (const end of stay.ends) end();
    stay.search.abort(new AhpError('disconnected', 'The element has left the host.'));
    stay.chat?.release();
    stay.host.release();
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

const pick = ({ src, token, session, chat, turns, storage, storageKey, transport }: HostSettings): HostSettings => ({
  src,
  token,
  session,
  chat,
  turns,
  storage,
  storageKey,
  transport,
});

/** Transports without a name of their own are told apart by what they are. */
const names = new WeakMap<AhpTransport, string>();

function acquireHost(settings: HostSettings, onDiagnostic: HostListener['onDiagnostic']): Lease<HostClient> {
  const { src, token, storage, storageKey, transport } = settings;
  const isNamed = src !== undefined || storageKey !== undefined;
  const key = isNamed
    ? toHostKey(src ?? 'transport:', { base: location.href, ...(storageKey !== undefined && { storageKey }) })
    : nameOf(transport);
  // Without a name the same chat could not be found again.
  const isKept = storage === 'indexeddb' && isNamed;
  return hub.acquire(isKept ? key : `${key} memory`, () => ({
    mirror: isKept ? openMirror(key, environment) : new MemoryMirror(),
    transport:
      transport ?? createWebSocketTransport({ url: src ?? '', environment, ...(token !== undefined && { token }) }),
    locale: () => document.documentElement.lang || navigator.language,
    onDiagnostic: ({ code, message }) => onDiagnostic(code, message),
  }));
}

function nameOf(transport: AhpTransport | undefined): string {
  if (!transport) return '';
  const name = names.get(transport) ?? `transport:${environment.createId()}`;
  names.set(transport, name);
  return name;
}
