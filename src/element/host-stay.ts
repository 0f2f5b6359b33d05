/**
 * One stay at a host, from joining to leaving: takes host and chat from the page's hub and gives them back. Loaded when the
 * element is told of a host; a page that brings a store of its own never needs it.
 */

import type { Edits } from '../chat/edits.js';
import { isBlank } from '../chat/joined-message.js';
import type { ChatStore, ChatStoreStatus } from '../chat/store.js';
import type { AhpClient } from '../client/ahp-client.js';
import type { TokenOptions } from '../client/authenticator.js';
import type { AnswerSession } from '../client/answer-session.js';
import type { Chat } from '../client/chat.js';
import type { ClientTool } from '../client/client-tools.js';
import type { Lease } from '../client/counted.js';
import type { DraftSession } from '../client/draft-session.js';
import type { EarlyDraft } from '../client/early-draft.js';
import type { Environment } from '../client/environment.js';
import type { HostClient } from '../client/host-client.js';
import type { ChatTarget } from '../client/open-target.js';
import { toStatus } from '../client/store-status.js';
import type { Mirror } from '../mirror/mirror.js';
import { AhpError } from '../protocol/errors.js';
import type { McpAuthRequirement, URI } from '../protocol/state.js';
import type { HostSettings } from './host-controller.js';
import { acquireHost } from './page-hub.js';

export interface StayListener {
  /** There is no chat yet: how the connection is, and where what is written is kept meanwhile. */
  onSearching(status: ChatStoreStatus, draft: DraftSession): void;
  onChat(store: ChatStore, draft: DraftSession, answers: AnswerSession, edits: Edits): void;
  /** The chat is given up; another one is looked for. */
  onChatGone(): void;
  /** There will be no chat unless somebody does something. */
  onFailed(error: AhpError): void;
  onAuthRequired(requirement: McpAuthRequirement): void;
  onDiagnostic(code: string, text: string): void;
}

export class HostStay {
  readonly #settings: HostSettings;
  readonly #listener: StayListener;
  readonly #host: Lease<HostClient>;
  readonly #search = new AbortController();
  #chat: Lease<Chat> | undefined;
  #early: Lease<EarlyDraft> | undefined;
  #ends: (() => void)[] = [];
  #tools: readonly ClientTool[] = [];
  #endTools: (() => void) | undefined;

  constructor(settings: HostSettings, environment: Environment, listener: StayListener) {
    this.#settings = settings;
    this.#listener = listener;
    this.#host = acquireHost(settings, environment, (code, text) => listener.onDiagnostic(code, text));
    void this.#find();
  }

  /** What the page offers the agent of the chat's session. */
  set tools(tools: readonly ClientTool[]) {
    this.#tools = tools;
    void this.#provideTools();
  }

  reconnectNow(): void {
    this.#host.value.client.reconnectNow();
  }

  giveUpSignIn(resource: string): void {
    this.#host.value.client.giveUpSignIn(resource);
  }

  authenticate(resource: string, token: string, options: TokenOptions): Promise<void> {
    return this.#host.value.client.authenticate(resource, token, options);
  }

  clearMirror(): Promise<void> {
    return this.#host.value.clearMirror();
  }

  leave(): void {
    this.#stopListening();
    this.#endTools?.();
    this.#search.abort(new AhpError('disconnected', 'The element has left the host.'));
    this.#chat?.release();
    this.#early?.release();
    this.#host.release();
  }

  async #find(except?: URI): Promise<void> {
    const { session, chat } = this.#settings;
    // At once: what is written from the first moment on has a draft that keeps it, also if the page is left again.
    if (chat) return this.#open({ chat, ...(session && { session }) });
    const { signal } = this.#search;
    const early = this.#host.value.acquireEarlyDraft(session);
    this.#early = early;
    this.#tellConnection(early.value);
    try {
      const target = await this.#host.value.findChat(
        { ...(session && { session }), ...(except && { except }) },
        signal,
      );
      await early.value.loaded;
      if (!signal.aborted) this.#open(target);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof AhpError)) throw error;
      this.#listener.onFailed(error);
    }
  }

  /** Until the chat is known there is only the connection to tell of. */
  #tellConnection(draft: EarlyDraft): void {
    const { client, mirror } = this.#host.value;
    const tell = () => this.#listener.onSearching(toConnectionStatus(client, mirror), draft);
    this.#ends.push(
      mirror.onNotKept(tell),
      client.onState(tell),
      client.onSignIns(tell),
      client.onAuthRequired((requirement) => this.#listener.onAuthRequired(requirement)),
    );
    tell();
  }

  #open({ chat, session }: ChatTarget): void {
    this.#stopListening();
    const { turns } = this.#settings;
    const lease = this.#host.value.acquireChat(chat, { ...(session && { session }), turns });
    this.#chat = lease;
    const { store, draft, answers, edits } = lease.value;
    this.#early?.value.handOver(draft);
    this.#early?.release();
    this.#early = undefined;
    const isNamed = this.#settings.chat !== undefined || this.#settings.session !== undefined;
    if (!isNamed) this.#ends.push(store.subscribe(() => this.#moveOn(lease)));
    this.#listener.onChat(store, draft, answers, edits);
    void this.#provideTools();
  }

  /** What was provided before stays until what follows it is, so that a call under way keeps its owner. */
  async #provideTools(): Promise<void> {
    const [tools, chat] = [this.#tools, this.#chat?.value];
    const provide = tools.length > 0 && chat ? (await import('../client/client-tools.js')).provideTools : undefined;
    if (tools !== this.#tools || chat !== this.#chat?.value || this.#search.signal.aborted) return;
    const before = this.#endTools;
    this.#endTools = chat && provide?.(this.#host.value, chat, tools);
    before?.();
  }

  /** A remembered chat that is gone, and holds nothing of the person's, makes room for another. */
  #moveOn(lease: Lease<Chat>): void {
    const { store, draft, uri } = lease.value;
    const { error, phase, pending, unconfirmed } = store.status;
    const isGone = phase === 'failed' && error?.code === 'gone';
    if (!isGone || pending > 0 || unconfirmed.length > 0 || !isBlank(draft.message)) return;
    this.#stopListening();
    this.#chat = undefined;
    void this.#provideTools();
    this.#listener.onChatGone();
    lease.release();
    void this.#find(uri);
  }

  #stopListening(): void {
    for (const end of this.#ends.splice(0)) end();
  }
}

/** What connection and disk alone can tell. */
const toConnectionStatus = ({ state, signIns }: AhpClient, { notKept }: Mirror): ChatStoreStatus =>
  toStatus({
    connection: state,
    signIns,
    failure: undefined,
    isLive: false,
    hasState: false,
    pending: [],
    unconfirmed: [],
    waiting: 0,
    notKept,
    stoppingTurnId: undefined,
    isStalled: false,
  });
