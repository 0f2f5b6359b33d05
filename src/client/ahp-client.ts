/**
 * One client of one host: connects, notices when the connection is gone, waits and tries again, and lets subscriptions
 * outlive every connection. It holds no chat state and decides nothing about intents; what is said on a connection is in
 * `dialogue.ts`. Source: AHP, connection lifecycle and reconnect procedure.
 */

import type { StateAction } from '../protocol/actions.js';
import type { ClientRequestMethod, ClientRequests } from '../protocol/commands.js';
import { AhpError } from '../protocol/errors.js';
import type { AhpTransport, Link, LinkClose } from '../protocol/link.js';
import type { McpAuthRequirement, URI } from '../protocol/state.js';
import type { TokenOptions } from './authenticator.js';
import { toBackoffMs } from './backoff.js';
import type { ChannelListener, ChannelOptions, ChannelSubscription } from './channels.js';
import { Connection, type RequestOptions } from './connection.js';
import { Dialogue, type DialogueOptions } from './dialogue.js';
import type { Cancel, Environment } from './environment.js';
import { isVersionRefusal, type Handshake } from './handshake.js';
import { answerHostRequest, type PublishedResources } from './host-requests.js';
import { KeepAlive } from './keep-alive.js';
import { Listeners } from './listeners.js';
import { watchSleep } from './sleep-watch.js';
import { waitFor } from './wait.js';

export interface ConnectionState {
  /**
   * `idle`: not asked to connect. `waiting`: the next attempt starts at `retryAt`. `offline`: it starts when the browser
   * is online or the page is back. `failed`: none is made by itself.
   */
  readonly phase: 'idle' | 'connecting' | 'connected' | 'waiting' | 'offline' | 'failed';
  /** Attempts that failed in a row. */
  readonly attempt: number;
  /** Milliseconds since the epoch. */
  readonly retryAt?: number;
  /** Why the last attempt or connection ended; absent while connected. */
  readonly error?: AhpError;
}

/** Who the host takes this client for. */
export interface ClientIdentity {
  readonly clientId: string;
  /** Never gives the same number twice, reloads included. */
  nextClientSeq(): number;
}

export interface AhpClientOptions extends DialogueOptions {
  readonly transport: AhpTransport;
  readonly identity: ClientIdentity;
  readonly published?: PublishedResources;
}

export interface HostNotification {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export class AhpClient {
  readonly #transport: AhpTransport;
  readonly #environment: Environment;
  readonly #published: PublishedResources | undefined;
  readonly #dialogue: Dialogue;
  readonly #states = new Listeners<[]>();
  readonly #notifications = new Listeners<[HostNotification]>();
  readonly #stopListening: Cancel;
  #identity: ClientIdentity;
  #state: ConnectionState = { phase: 'idle', attempt: 0 };
  #attempt: AbortController | undefined;
  #connection: Connection | undefined;
  /** How the present connection ended while its handshake was not over. */
  #closed: LinkClose | undefined;
  #connectedAt = 0;
  #keepAlive: KeepAlive | undefined;
  #cancelRetry: Cancel | undefined;
  #stopWatching: Cancel | undefined;
  #isSuspended = false;

  constructor(options: AhpClientOptions) {
    this.#transport = options.transport;
    this.#environment = options.environment;
    this.#identity = options.identity;
    this.#published = options.published;
    this.#dialogue = new Dialogue(options, () => this.#open());
    this.#stopListening = options.environment.onLifecycle((event) => {
      if (event === 'online' || event === 'visible') this.#onBetterTimes();
      else if (event === 'offline') this.#onOffline();
    });
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** What the last handshake settled; kept while there is no connection. */
  get handshake(): Handshake | undefined {
    return this.#dialogue.handshake;
  }

  /** When the present connection's handshake was done, by the monotonic clock. */
  get connectedAt(): number {
    return this.#connectedAt;
  }

  get clientId(): string {
    return this.#identity.clientId;
  }

  onState(listener: () => void): Cancel {
    return this.#states.add(listener);
  }

  /** Called when the host wants a token this client does not have. */
  onAuthRequired(listener: (requirement: McpAuthRequirement) => void): Cancel {
    return this.#dialogue.authenticator.onRequired(listener);
  }

  /** Called for notifications other than actions. */
  onNotification(listener: (notification: HostNotification) => void): Cancel {
    return this.#notifications.add(listener);
  }

  /** Starts to connect and stays connected until `disconnect()`. */
  connect(): void {
    if (this.#state.phase === 'idle') this.#open();
  }

  /** Tries at once, also after a failure that ended all attempts. */
  reconnectNow(): void {
    const { phase } = this.#state;
    if (phase === 'waiting' || phase === 'offline' || phase === 'failed') this.#open();
    else this.#keepAlive?.check();
  }

  /** Ends the connection and all attempts. Subscriptions stay for a later `connect()`. */
  disconnect(): void {
    this.#drop();
    this.#set({ phase: 'idle', attempt: 0 });
  }

  /** Ends everything; the client must not be used afterwards. */
  dispose(): void {
    this.disconnect();
    this.#stopListening();
  }

  /** The page is left: the socket goes, so that the page may be kept for going back. */
  suspend(): void {
    const { phase } = this.#state;
    if (phase === 'idle' || phase === 'failed') return;
    this.#isSuspended = true;
    this.#drop();
    this.#set({ phase: 'offline', attempt: 0 });
  }

  /** The page is back; `identity` is another one if somebody else took the old one. */
  resume(identity: ClientIdentity): void {
    if (identity.clientId !== this.#identity.clientId) this.#dialogue.startAnew();
    this.#identity = identity;
    if (!this.#isSuspended) return;
    this.#isSuspended = false;
    this.#open();
  }

  /** Adds a listener to a channel; see `Channels.open`. */
  subscribe(uri: URI, listener: ChannelListener, options: ChannelOptions): ChannelSubscription {
    return this.#dialogue.channels.open(uri, listener, options);
  }

  /** Says that the host no longer has a channel, where another channel told so. */
  markGone(uri: URI, error: AhpError): void {
    this.#dialogue.channels.fail(uri, error);
  }

  nextClientSeq(): number {
    return this.#identity.nextClientSeq();
  }

  /** Sends an action under a number from `nextClientSeq`. Whether it left; nothing proves that it arrived. */
  dispatch(channel: URI, clientSeq: number, action: StateAction): boolean {
    if (this.#state.phase !== 'connected' || !this.#connection) return false;
    this.#connection.notify('dispatchAction', { channel, clientSeq, action });
    return true;
  }

  /**
   * Sends a request. Rejects with `AhpError`: `rpc` when the host refuses, `timeout`, `disconnected`, `bad-frame` when the
   * answer makes no sense, `not-connected`. A host that wants a token is heard by `onAuthRequired`, and asked once more
   * when it has taken one; it is refused where nobody signs in within two minutes, see `signIns`.
   */
  request<M extends ClientRequestMethod>(
    method: M,
    params: ClientRequests[M]['params'],
    options?: RequestOptions,
  ): Promise<ClientRequests[M]['result']> {
    return this.#dialogue.ask(method, params, options);
  }

  /**
   * Hands a token to the host and keeps it in memory for later handshakes. It waits there without a connection, and until
   * the host has named the resource. Rejects when the host refuses the token, which is forgotten then.
   */
  authenticate(resource: string, token: string, options: TokenOptions = {}): Promise<void> {
    return this.#dialogue.authenticator.authenticate(resource, token, options);
  }

  /** Resources the host's state says it protects. Tokens that waited for that go out. */
  advertise(resources: Iterable<string>): void {
    this.#dialogue.authenticator.advertise(resources);
  }

  /** Answers a demand for a token with one that is known. Whether the host took it; else the page has to be asked. */
  satisfy(requirement: McpAuthRequirement): Promise<boolean> {
    return this.#dialogue.authenticator.satisfy(requirement);
  }

  /** What requests wait for that were refused for want of a token. The same list while that is so. */
  get signIns(): readonly McpAuthRequirement[] {
    return this.#dialogue.signIns.open;
  }

  onSignIns(listener: () => void): Cancel {
    return this.#dialogue.signIns.onChange(listener);
  }

  /** Nobody will sign in there: requests that wait for it are refused at once. */
  giveUpSignIn(resource: string): void {
    this.#dialogue.signIns.giveUp(resource);
  }

  /** Resolves when the host has taken a token. Rejects with the signal's reason. */
  authenticated(signal: AbortSignal): Promise<true> {
    let isDone: true | undefined;
    return waitFor(() => isDone, {
      signal,
      subscribe: (look) =>
        this.#dialogue.authenticator.onAuthenticated(() => {
          isDone = true;
          look();
        }),
    });
  }

  /** Whatever was known before counts for nothing at the next handshake. */
  startAnew(): void {
    this.#dialogue.startAnew();
  }

  #open(): void {
    this.#drop();
    const { attempt, error } = this.#state;
    this.#attempt = new AbortController();
    this.#set({ phase: 'connecting', attempt, ...(error ? { error } : {}) });
    void this.#run(this.#attempt);
  }

  async #run(attempt: AbortController): Promise<void> {
    try {
      const link = await this.#transport.connect(attempt.signal);
      if (attempt !== this.#attempt) return link.close();
      const connection = this.#createConnection(link);
      this.#connection = connection;
      await this.#dialogue.begin(connection, this.clientId);
      if (connection !== this.#connection) return;
      if (this.#closed) this.#end(this.#closed);
      else this.#onConnected(connection);
    } catch (error) {
      if (attempt === this.#attempt) this.#onAttemptFailed(error);
    }
  }

  #createConnection(link: Link): Connection {
    return new Connection(link, this.#environment, {
      onNotification: (method, params) => {
        this.#dialogue.receive(method, params);
        if (method !== 'action') this.#notifications.call({ method, params });
      },
      onRequest: (method, params) => answerHostRequest(method, params, this.#published),
      onClose: (close) => this.#onClose(close),
      onBadFrame: (reason) => this.#dialogue.onBadFrame(reason),
    });
  }

  #onConnected(connection: Connection): void {
    this.#connectedAt = this.#environment.monotonic();
    this.#keepAlive = new KeepAlive(connection, this.#environment, (error) => this.#lose(error));
    this.#set({ phase: 'connected', attempt: 0 });
  }

  #onAttemptFailed(error: unknown): void {
    // Anything else is a mistake in this client, and must not look like a lost connection.
    if (!(error instanceof AhpError)) throw error;
    if (error.code === 'bad-url') return this.#fail(error);
    if (!isVersionRefusal(error)) return this.#closed ? this.#end(this.#closed) : this.#lose(error);
    const mismatch = this.#dialogue.onVersionRefused(error);
    if (mismatch) this.#fail(mismatch);
    else this.#open();
  }

  /** Ends the present connection or attempt, whichever there is. Late events of either reach nobody. */
  #drop(): void {
    this.#closed = undefined;
    this.#cancelRetry?.();
    this.#keepAlive?.stop();
    this.#attempt?.abort();
    const connection = this.#connection;
    this.#cancelRetry = this.#keepAlive = this.#attempt = this.#connection = undefined;
    if (!connection) return;
    connection.close();
    this.#dialogue.end();
  }

  /** A close in the middle of a handshake waits: an answer that came just before it counts first. */
  #onClose(close: LinkClose): void {
    if (this.#state.phase === 'connecting') this.#closed = close;
    else this.#end(close);
  }

  #end({ code, reason, retry }: LinkClose): void {
    const error = new AhpError(code ?? 'disconnected', reason);
    if (retry) this.#lose(error);
    else this.#fail(error);
  }

  #fail(error: AhpError): void {
    const { attempt } = this.#state;
    this.#drop();
    this.#set({ phase: 'failed', attempt, error });
  }

  #lose(error: AhpError): void {
    const attempt = this.#state.attempt + 1;
    this.#drop();
    if (this.#isOffline()) return this.#set({ phase: 'offline', attempt, error });
    const delayMs = toBackoffMs(attempt, this.#environment.random());
    this.#cancelRetry = this.#environment.schedule(delayMs, () => this.#open());
    this.#set({ phase: 'waiting', attempt, retryAt: this.#environment.now() + delayMs, error });
  }

  #isOffline(): boolean {
    return !this.#transport.isLocal && !this.#environment.isOnline();
  }

  #onBetterTimes(): void {
    const { phase } = this.#state;
    const isWaiting = phase === 'waiting' || (phase === 'offline' && !this.#isSuspended);
    if (!isWaiting) this.#keepAlive?.check();
    else if (!this.#isOffline()) this.#open();
  }

  #onOffline(): void {
    const { phase, attempt, error } = this.#state;
    this.#keepAlive?.check();
    if (!this.#isOffline() || (phase !== 'waiting' && phase !== 'connecting')) return;
    this.#drop();
    this.#set({ phase: 'offline', attempt, ...(error ? { error } : {}) });
  }

  #set(state: ConnectionState): void {
    this.#state = state;
    if (state.phase !== 'idle' && state.phase !== 'failed') {
      this.#stopWatching ??= watchSleep(this.#environment, () => this.#onBetterTimes());
    } else {
      this.#stopWatching?.();
      this.#stopWatching = undefined;
    }
    this.#states.call();
  }
}
