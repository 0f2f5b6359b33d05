/**
 * Which sessions, chats and terminals a host has: they come and go here, each in the catalogue and in the journal, and the
 * session list hears of it. Source: AHP, session channel and root channel.
 */

import { RpcCode } from '../protocol/errors.js';
import {
  Status,
  type ChatState,
  type ErrorInfo,
  type ErrorPart,
  type SessionState,
  type SessionSummary,
  type TerminalState,
  type URI,
} from '../protocol/state.js';
import { ROOT, toChatUri, toSessionUri } from '../protocol/uri.js';
import { sessionSummaryChanges, toChatSummary, toSessionSummary } from './catalogue.js';
import type { ChatChannel, SessionChannel } from './channels.js';
import { toTimestamp } from './environment.js';
import { rpcError, type ChatSeed, type SessionSeed } from './hooks.js';
import type { HostCore } from './host-core.js';
import { compareNewest } from './listing.js';

export interface NewSession extends SessionSeed {
  /** Made up by default. */
  readonly resource?: URI;
  readonly provider: string;
}

export class Directory {
  readonly #host: HostCore;
  /** What the session list was last told of each session. */
  readonly #told = new Map<URI, SessionSummary>();

  constructor(host: HostCore) {
    this.#host = host;
  }

  /** Newest first. */
  listSessions(): readonly SessionSummary[] {
    return this.#host.sessions().map(summarize).sort(compareNewest);
  }

  /** Adds a session and, unless `defaultChat` is `null`, its first chat. Returns its URI. */
  createSession(seed: NewSession): URI {
    const host = this.#host;
    const uri = seed.resource ?? toSessionUri(host.environment.createId());
    const { ready, defaultChat, resource: _resource, title = '', provider, ...fields } = seed;
    const createdAt = toTimestamp(host.environment.now());
    const state: SessionState = {
      resource: uri,
      provider,
      title,
      status: Status.Idle,
      lifecycle: ready ? 'creating' : 'ready',
      chats: [],
      activeClients: [],
      ...fields,
    };
    const channel: SessionChannel = { kind: 'session', uri, createdAt, state };
    host.together(() => {
      host.add(channel);
      host.journal({ kind: 'session', serverSeq: host.nextSeq(), channel: uri, createdAt, state });
      if (defaultChat !== null) {
        const chat = this.createChat(uri, defaultChat === undefined ? {} : { resource: defaultChat });
        host.commit(channel, { type: 'session/defaultChatChanged', defaultChat: chat });
      }
      const summary = summarize(channel);
      this.#told.set(uri, summary);
      host.notify('root/sessionAdded', { channel: ROOT, summary });
      this.#countSessions();
    });
    ready?.then(
      () => {
        if (host.isLive(channel)) host.commit(channel, { type: 'session/ready' });
      },
      (error: unknown) => {
        if (host.isLive(channel)) this.#failSession(channel, error);
      },
    );
    return uri;
  }

  #failSession(channel: SessionChannel, cause: unknown): void {
    this.#host.diagnose('session-failed', cause);
    const message = cause instanceof Error ? cause.message : 'The session could not be created.';
    const error = { errorType: 'creation-failed', message };
    this.#host.commit(channel, { type: 'session/creationFailed', error });
    for (const chat of this.#host.chats()) if (chat.session === channel.uri) this.#failTurn(chat, error, false);
  }

  #failTurn(chat: ChatChannel, error: ErrorInfo, resumable: boolean): void {
    const turn = chat.state.activeTurn;
    if (!turn) return;
    const part: ErrorPart = { kind: 'error', error, ...(resumable && { resumable }) };
    this.#host.commit(chat, { type: 'chat/error', turnId: turn.id, duration: 0, part });
  }

  #countSessions(): void {
    const activeSessions = this.#host.sessions().length;
    this.#host.dispatch(ROOT, { type: 'root/activeSessionsChanged', activeSessions });
  }

  /** Tells the session list, once all that is under way is done, what has changed since it was last told. */
  sessionChanged(channel: SessionChannel): void {
    if (!this.#told.has(channel.uri)) return;
    this.#host.later(() => {
      const told = this.#told.get(channel.uri);
      if (!told) return;
      const summary = summarize(channel);
      const changes = sessionSummaryChanges(told, summary);
      if (!changes) return;
      this.#told.set(channel.uri, summary);
      this.#host.notify('root/sessionSummaryChanged', { channel: ROOT, session: channel.uri, changes });
    });
  }

  /** Adds a chat to a session and its catalogue. Returns its URI. */
  createChat(session: URI, seed: ChatSeed = {}): URI {
    const host = this.#host;
    const owner = host.find(session);
    if (owner?.kind !== 'session') throw rpcError(RpcCode.SessionNotFound, 'There is no such session.');
    const uri = seed.resource ?? toChatUri(host.environment.createId());
    const state: ChatState = {
      status: Status.Idle,
      modifiedAt: toTimestamp(host.environment.now()),
      origin: { kind: 'user' },
      turns: [],
      ...seed,
      resource: uri,
    };
    host.together(() => {
      host.add({ kind: 'chat', uri, session, state });
      host.journal({ kind: 'chat', serverSeq: host.nextSeq(), channel: uri, session, state });
      host.commit(owner, { type: 'session/chatAdded', summary: toChatSummary(state) });
    });
    return uri;
  }

  /** Ends a chat. Returns `false` when there is none. */
  disposeChat(uri: URI): boolean {
    const channel = this.#host.find(uri);
    if (channel?.kind !== 'chat') return false;
    this.#host.together(() => {
      this.#host.runner.dispose(uri, 'disposed');
      const session = this.#host.sessionOf(channel);
      if (session) this.#takeFromCatalogue(session, uri);
      this.#remove(channel);
      this.#host.guard('hook-failed', () => this.#host.hooks.onChatDisposed?.(uri));
    });
    return true;
  }

  #takeFromCatalogue(session: SessionChannel, chat: URI): void {
    const wasDefault = session.state.defaultChat === chat;
    for (const { id } of session.state.inputNeeded?.filter((request) => request.chat === chat) ?? []) {
      this.#host.commit(session, { type: 'session/inputNeededRemoved', id });
    }
    this.#host.commit(session, { type: 'session/chatRemoved', chat });
    const next = session.state.chats.find(({ interactivity }) => interactivity !== 'hidden');
    if (wasDefault && next) {
      this.#host.commit(session, { type: 'session/defaultChatChanged', defaultChat: next.resource });
    }
  }

  #remove(channel: SessionChannel | ChatChannel): void {
    this.#host.remove(channel);
    this.#host.journal({ kind: 'removed', serverSeq: this.#host.nextSeq(), channel: channel.uri });
  }

  /** Ends a session and all its chats. Returns `false` when there is none. */
  disposeSession(uri: URI): boolean {
    const host = this.#host;
    const channel = host.find(uri);
    if (channel?.kind !== 'session') return false;
    host.together(() => {
      this.#told.delete(uri);
      for (const chat of host.chats()) if (chat.session === uri) this.disposeChat(chat.uri);
      this.#remove(channel);
      host.guard('hook-failed', () => host.hooks.onSessionDisposed?.(uri));
      host.notify('root/sessionRemoved', { channel: ROOT, session: uri });
      this.#countSessions();
    });
    return true;
  }

  /** What ran behind a chat died with its host. */
  #endWork(chat: ChatChannel): void {
    for (const { id } of chat.state.backgroundWork ?? []) {
      this.#host.commit(chat, { type: 'chat/backgroundWorkRemoved', id });
    }
    if (chat.state.activity !== undefined) this.#host.commit(chat, { type: 'chat/activityChanged' });
  }

  /** Says of each call that ran that it was cut off, which is more than that it was skipped. */
  #endCalls(chat: ChatChannel): void {
    const turn = chat.state.activeTurn;
    for (const part of turn?.responseParts ?? []) {
      if (!turn || part.kind !== 'toolCall') continue;
      const { status, toolCallId, displayName } = part.toolCall;
      if (status !== 'running' && status !== 'auth-required') continue;
      const error = { code: HOST_RESTARTED, message: restarted.message };
      const result = { success: false, pastTenseMessage: `${displayName} was cut off`, error };
      this.#host.commit(chat, { type: 'chat/toolCallComplete', turnId: turn.id, toolCallId, result });
    }
  }

  createTerminal(uri: URI, state: TerminalState): void {
    this.#host.add({ kind: 'terminal', uri, state });
    this.#listTerminals();
  }

  /** Ends a terminal. Returns `false` when there is none. */
  disposeTerminal(uri: URI): boolean {
    const channel = this.#host.find(uri);
    if (channel?.kind !== 'terminal') return false;
    this.#host.remove(channel);
    this.#listTerminals();
    return true;
  }

  #listTerminals(): void {
    const terminals = this.#host
      .terminals()
      .map(({ uri, state }) => ({ resource: uri, title: state.title, claim: state.claim }));
    this.#host.dispatch(ROOT, { type: 'root/terminalsChanged', terminals });
  }

  /**
   * Goes on with channels of an earlier host. Turns that ran then end with an error that can be resumed, unless they only
   * wait for a person or somebody else goes on with them; sessions that were being created have failed, and clients that provided tools have left.
   */
  takeOver(activeTurns: 'fail' | 'resume' | 'keep'): void {
    const host = this.#host;
    host.together(() => {
      for (const session of host.sessions()) {
        for (const { clientId } of session.state.activeClients) host.clientTools.remove(session.uri, clientId);
        if (session.state.lifecycle === 'creating') this.#failSession(session, new Error(restarted.message));
      }
      for (const chat of host.chats()) {
        if (activeTurns === 'keep') break;
        this.#endWork(chat);
        if (activeTurns === 'resume' && onlyWaits(chat.state)) {
          host.later(() => {
            host.runner.start(chat, true);
          });
        } else {
          this.#endCalls(chat);
          this.#failTurn(chat, restarted, true);
        }
      }
      for (const session of host.sessions()) this.#told.set(session.uri, summarize(session));
      this.#countSessions();
    });
  }
}

/** The code of calls and turns that were cut off by the end of their host. */
export const HOST_RESTARTED = 'host-restarted';

const restarted: ErrorInfo = {
  errorType: HOST_RESTARTED,
  message: 'The host was restarted while this was under way.',
};

const summarize = ({ uri, createdAt, state }: SessionChannel): SessionSummary =>
  toSessionSummary(uri, createdAt, state);

/**
 * Whether the turn does nothing but wait for a person: something is asked, and nothing runs. A worker's turn is cut off
 * with the call that waits for it.
 */
function onlyWaits({ activeTurn, origin }: ChatState): boolean {
  if (origin?.kind === 'tool') return false;
  const states = activeTurn?.responseParts.map((part) => {
    if (part.kind === 'toolCall') return part.toolCall.status;
    return part.kind === 'inputRequest' && part.response === undefined ? 'asked' : '';
  });
  const runs = states?.some((state) => state === 'running' || state === 'streaming' || state === 'auth-required');
  return !runs && states?.some((state) => state === 'asked' || state.startsWith('pending-')) === true;
}
