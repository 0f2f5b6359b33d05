/**
 * What is said over one connection after the other: the handshake that goes on where the last one ended, or starts anew
 * where the host cannot; tokens and subscriptions in between; then the stream of actions. It remembers what connecting
 * again takes, and leaves *when* to `AhpClient`. Source: AHP, connection lifecycle and reconnect procedure.
 */

import type { ActionEnvelope } from '../protocol/actions.js';
import type {
  ClientCapabilities,
  ClientRequestMethod,
  ClientRequests,
  Implementation,
  ReconnectResult,
  Snapshot,
} from '../protocol/commands.js';
import { AhpError, isRpcError, RpcCode } from '../protocol/errors.js';
import { parseEnvelope, parseNotification, parseResult, parseSupportedVersions } from '../protocol/parse.js';
import { compose } from '../protocol/record.js';
import { ROOT } from '../protocol/uri.js';
import { offeredVersions } from '../protocol/versions.js';
import { Authenticator, listChallenges, toRequirement } from './authenticator.js';
import { Channels } from './channels.js';
import type { Connection, RequestOptions } from './connection.js';
import type { Cancel, Environment } from './environment.js';
import { findSpoken, toHandshake, toVersionMismatch, type Handshake } from './handshake.js';
import { SeenSequence } from './seen-sequence.js';
import { SignIns } from './sign-ins.js';

/** Something a developer or an operator may want to know; for `ahp-diagnostic`, never for the transcript. */
export interface Diagnostic {
  readonly code: 'bad-frame' | 'bad-answer' | 'host-restarted' | 'token-refused';
  readonly message: string;
}

export interface DialogueOptions {
  readonly environment: Environment;
  readonly clientInfo?: Implementation;
  /** BCP 47; asked before each handshake. */
  readonly locale?: () => string | undefined;
  readonly capabilities?: ClientCapabilities;
  /** The handshake of before a reload, so that the connection can be resumed. */
  readonly resume?: Handshake;
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
}

const initializeTimeoutMs = 30_000;
const reconnectTimeoutMs = 10_000;
/** A host that closes on `reconnect` so often in a row is asked to `initialize` instead. */
const maxResumeLosses = 2;
/** A host that goes on sending what cannot be read must not be asked each time. */
const refreshPauseMs = 10_000;

export class Dialogue {
  readonly channels = new Channels();
  readonly authenticator: Authenticator;
  readonly signIns: SignIns;
  readonly #options: DialogueOptions;
  readonly #environment: Environment;
  readonly #onRestarted: () => void;
  readonly #seen = new SeenSequence();
  #connection: Connection | undefined;
  /** Ends what waits for something to happen on the present connection. */
  #ended = new AbortController();
  #handshake: Handshake | undefined;
  /** The handshake of the present connection was answered, and `#seen` speaks of it. */
  #isAttached = false;
  /** Envelopes that came before the handshake was worked through. */
  #early: ActionEnvelope[] | undefined;
  /** What may be claimed as seen, as the last connection left it. */
  #lastSeen = Infinity;
  /** The present connection goes on from an earlier one by replay. */
  #isResumed = false;
  #mustInitialize = false;
  /** When everything was asked for anew, by the monotonic clock. */
  #refreshedAt = -Infinity;
  #cancelRefresh: Cancel | undefined;
  #resumeLosses = 0;
  /** Versions offered; grows for one attempt by those a host named and this client speaks. */
  #offered: readonly string[] = offeredVersions;

  /** `onRestarted` is called when the host is found to count anew: the connection has to be made again. */
  constructor(options: DialogueOptions, onRestarted: () => void) {
    this.#options = options;
    this.#environment = options.environment;
    this.#handshake = options.resume;
    this.#onRestarted = onRestarted;
    this.authenticator = new Authenticator((error) => this.report('token-refused', error.message));
    this.authenticator.onAuthenticated(() => this.channels.retryUnauthorized());
    this.signIns = new SignIns(this.authenticator, this.#environment);
  }

  /** What the last handshake settled; kept while there is no connection. */
  get handshake(): Handshake | undefined {
    return this.#handshake;
  }

  /** The next connection starts from nothing. */
  startAnew(): void {
    this.#mustInitialize = true;
  }

  /**
   * Shakes hands on a new connection. Resolves when every snapshot or replay that came with it has been handed out, or
   * when another call has ended the connection meanwhile; rejects with `AhpError` when there will be no dialogue on it.
   */
  async begin(connection: Connection, clientId: string): Promise<void> {
    this.#connection = connection;
    this.#ended = new AbortController();
    this.#early = [];
    const applied = this.#handshake && !this.#mustInitialize ? this.channels.listApplied() : [];
    const isResumed = applied.length > 0 && (await this.#reconnect(connection, clientId, applied));
    if (connection === this.#connection && !isResumed) await this.#initialize(connection, clientId);
    if (connection !== this.#connection) return;
    this.#offered = offeredVersions;
    this.#resumeLosses = 0;
    const early = this.#early;
    this.#early = undefined;
    for (const envelope of early) this.#onEnvelope(envelope);
  }

  /** The connection is gone. */
  end(): void {
    const connection = this.#connection;
    this.#connection = this.#early = undefined;
    if (!connection) return;
    this.#ended.abort(new AhpError('disconnected', 'The connection was lost before anybody had signed in.'));
    if (this.#isAttached) this.#lastSeen = this.#seen.lastSeen(connection.lastHeardAt, this.channels.maxLatencyMs);
    this.#isAttached = false;
    this.#cancelRefresh?.();
    this.#cancelRefresh = undefined;
    this.authenticator.detach();
    this.channels.detach();
  }

  /** Sends a request on the present connection, once more when its refusal has led to a token; see `AhpClient.request`. */
  async ask<M extends ClientRequestMethod>(
    method: M,
    params: ClientRequests[M]['params'],
    options: RequestOptions = {},
  ): Promise<ClientRequests[M]['result']> {
    const connection = this.#connection;
    if (!connection || !this.#isAttached) {
      throw new AhpError('not-connected', `There is no connection to send ${method} on.`);
    }
    try {
      return await this.#request(connection, method, params, options);
    } catch (error) {
      if (!isRpcError(error, RpcCode.AuthRequired)) throw error;
      const { signal } = options;
      const ended = AbortSignal.any([this.#ended.signal, ...(signal ? [signal] : [])]);
      if (!(await this.signIns.wait(listChallenges(error), ended))) throw error;
      return this.#ask(connection, method, params, options);
    }
  }

  /** Takes a notification of the host that is spoken of here. */
  receive(method: string, params: Readonly<Record<string, unknown>>): void {
    if (method === 'action') return this.#onAction(params);
    if (method !== 'auth/required') return;
    const news = parseNotification('auth/required', params);
    if (news) void this.authenticator.require(toRequirement(news.resource, news.reason));
  }

  /**
   * Decides about a refused version: `undefined` where a second attempt with other versions is worth it, else the error
   * for a person.
   */
  onVersionRefused(error: AhpError): AhpError | undefined {
    const offered = this.#offered;
    const spoken = findSpoken(parseSupportedVersions(error.rpc?.data), offered);
    this.#mustInitialize = true;
    if (spoken.length > 0 && offered === offeredVersions) {
      this.#offered = [...spoken, ...offeredVersions];
      return undefined;
    }
    this.#offered = offeredVersions;
    return toVersionMismatch(error, offered);
  }

  /** A frame could not be read, and nobody knows what it was to change: all is asked for anew, at most every so often. */
  onBadFrame(reason: string): void {
    this.report('bad-frame', reason);
    this.channels.doubtAll();
    const delayMs = Math.max(0, this.#refreshedAt + refreshPauseMs - this.#environment.monotonic());
    if (delayMs === 0) this.#refresh();
    else this.#cancelRefresh ??= this.#environment.schedule(delayMs, () => this.#refresh());
  }

  #refresh(): void {
    this.#cancelRefresh = undefined;
    this.#refreshedAt = this.#environment.monotonic();
    this.channels.closeGaps();
  }

  report(code: Diagnostic['code'], message: string): void {
    this.#options.onDiagnostic?.({ code, message });
  }

  /** Whether the host went on from where it was; it may have forgotten this client, or never knew `reconnect`. */
  async #reconnect(
    connection: Connection,
    clientId: string,
    applied: ReturnType<Channels['listApplied']>,
  ): Promise<boolean> {
    // A state from the mirror took no part in the last connection: it must not miss anything since its own number.
    const stored = applied.filter(({ basis }) => basis === 'stored').map(({ seq }) => seq);
    const lastSeenServerSeq = Math.min(this.#lastSeen, ...stored);
    const subscriptions = this.channels.list();
    const params = { channel: ROOT, clientId, lastSeenServerSeq, subscriptions };
    try {
      const result = await this.#ask(connection, 'reconnect', params, { timeoutMs: reconnectTimeoutMs });
      if (connection !== this.#connection) return false;
      this.#adopt(connection, result, lastSeenServerSeq, Math.max(...applied.map(({ seq }) => seq)));
      return true;
    } catch (error) {
      if (!(error instanceof AhpError)) throw error;
      if (error.code === 'rpc' || error.code === 'bad-frame') return false;
      // After silence a late answer must not meet an `initialize`, so that one gets a connection of its own.
      if (error.code === 'timeout' || ++this.#resumeLosses >= maxResumeLosses) this.#mustInitialize = true;
      throw error;
    }
  }

  #adopt(connection: Connection, result: ReconnectResult, lastSeen: number, highest: number): void {
    if (result.type === 'replay') {
      this.#seen.continue(lastSeen, highest);
      this.#attach(connection, true);
      this.#attachAuthenticator(connection);
      for (const { serverSeq } of result.actions) this.#note(serverSeq);
      this.channels.adoptReplay(result.actions, result.missing);
    } else {
      this.#seen.restart(toBase(result.snapshots));
      this.#attach(connection, false);
      this.#attachAuthenticator(connection);
      this.channels.adoptSnapshots(result.snapshots);
    }
    void this.channels.subscribeRest();
  }

  async #initialize(connection: Connection, clientId: string): Promise<void> {
    const initialSubscriptions = this.channels.listInitial();
    const { clientInfo, locale, capabilities } = this.#options;
    const params = compose(
      { channel: ROOT, protocolVersions: this.#offered, clientId, initialSubscriptions },
      {
        clientInfo,
        locale: locale?.(),
        capabilities: { attachmentCollections: {}, steeringMessages: {}, ...capabilities },
      },
    );
    const result = await this.#ask(connection, 'initialize', params, { timeoutMs: initializeTimeoutMs });
    if (connection !== this.#connection) return;
    this.#mustInitialize = false;
    this.#handshake = toHandshake(result, this.#environment.createId());
    this.#seen.restart(toBase(result.snapshots, result.serverSeq));
    this.#attach(connection, false);
    this.channels.adoptSnapshots(result.snapshots);
    // The root that came with it says which tokens are wanted.
    this.#attachAuthenticator(connection);
    await this.authenticator.pushAll();
    if (connection === this.#connection) void this.channels.subscribeRest(initialSubscriptions);
  }

  #attach(connection: Connection, isResumed: boolean): void {
    this.#isAttached = true;
    this.#isResumed = isResumed;
    this.channels.attach(
      {
        subscribe: (params) => this.#ask(connection, 'subscribe', params),
        unsubscribe: (channel) => connection.notify('unsubscribe', { channel }),
      },
      { isFresh: !isResumed },
    );
  }

  #attachAuthenticator(connection: Connection): void {
    this.authenticator.attach({
      protocolVersion: this.#handshake?.protocolVersion ?? '',
      send: (params) => this.#ask(connection, 'authenticate', params),
    });
  }

  #onAction(params: Readonly<Record<string, unknown>>): void {
    const envelope = parseEnvelope(params);
    if (!envelope) this.report('bad-frame', 'An action without a channel, a number or a type was ignored.');
    else if (this.#early) this.#early.push(envelope);
    else this.#onEnvelope(envelope);
  }

  #onEnvelope(envelope: ActionEnvelope): void {
    const { serverSeq, rejectionReason } = envelope;
    // A rejection may carry an old number; nothing else may, on a connection that was resumed.
    if (this.#isResumed && rejectionReason === undefined && this.#seen.isImpossible(serverSeq)) {
      this.report('host-restarted', 'The host counts anew; everything is asked for again.');
      this.#mustInitialize = true;
      return this.#onRestarted();
    }
    this.#note(serverSeq);
    this.channels.deliver(envelope);
  }

  #note(serverSeq: number): void {
    this.#seen.note(serverSeq, this.#environment.monotonic(), this.channels.maxLatencyMs);
  }

  async #request<M extends ClientRequestMethod>(
    connection: Connection,
    method: M,
    params: ClientRequests[M]['params'],
    options?: RequestOptions,
  ): Promise<ClientRequests[M]['result']> {
    const answer = await connection.request(method, params, options);
    const result = parseResult(method, answer, (uri) => this.channels.findKind(uri));
    // `null` is what an answer without content reads as.
    if (result !== undefined) return result;
    const message = `The host's answer to ${method} cannot be used.`;
    this.report('bad-answer', message);
    throw new AhpError('bad-frame', message);
  }

  /** A request whose refusal for want of a token is told, and not waited for. */
  async #ask<M extends ClientRequestMethod>(
    connection: Connection,
    method: M,
    params: ClientRequests[M]['params'],
    options?: RequestOptions,
  ): Promise<ClientRequests[M]['result']> {
    try {
      return await this.#request(connection, method, params, options);
    } catch (error) {
      if (isRpcError(error, RpcCode.AuthRequired) && method !== 'authenticate') {
        for (const requirement of listChallenges(error)) void this.authenticator.require(requirement);
      }
      throw error;
    }
  }
}

/** The lowest number in the snapshots of a handshake and the host's own: everything up to it is in all of them. */
function toBase(snapshots: readonly Snapshot[], serverSeq?: number): number {
  const numbers = [...snapshots.map(({ fromSeq }) => fromSeq), ...(serverSeq === undefined ? [] : [serverSeq])];
  return numbers.length > 0 ? Math.min(...numbers) : 0;
}
