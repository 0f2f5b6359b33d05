/**
 * A host without I/O: it owns the truth. It holds every channel's state, one counter, the newest envelopes and what each
 * client is subscribed to, and `commit` is the one way by which anything changes. What a client may do is judged by
 * `intake.ts`, requests are answered by `requests.ts`, turns are run by `turn-runner.ts`. Clock, ids and timers come from
 * the environment, links from whoever owns the sockets. Source: AHP, host duties.
 */

import type { ActionEnvelope, ActionOrigin, StateAction } from '../protocol/actions.js';
import type { ChannelState } from '../protocol/commands.js';
import { RpcCode } from '../protocol/errors.js';
import type { Link } from '../protocol/link.js';
import type { RpcErrorObject } from '../protocol/messages.js';
import { isRecord } from '../protocol/record.js';
import type {
  ChatState,
  Message,
  PendingMessage,
  RootState,
  SessionState,
  TerminalState,
  URI,
} from '../protocol/state.js';
import { ROOT } from '../protocol/uri.js';
import { Auth } from './auth.js';
import { catalogueActions, sessionStatus } from './catalogue.js';
import {
  reduceChannel,
  type Channel,
  type ChatChannel,
  type RootChannel,
  type SessionChannel,
  type TerminalChannel,
} from './channels.js';
import { ClientRegistry, type Client, type Subscription } from './clients.js';
import { ClientTools } from './client-tools.js';
import { Connection, type ConnectionOwner, type HostConnection } from './connection.js';
import { Directory } from './directory.js';
import { toTimestamp, type HostEnvironment } from './environment.js';
import { initialize, reconnect } from './handshake.js';
import { rpcError, type HostHooks, type JournalEntry } from './hooks.js';
import { Intake } from './intake.js';
import type { MessageRules } from './messages.js';
import { resolveOptions, type HostOptions, type ResolvedOptions } from './options.js';
import { isDurable, readSaved, toExport, type HostExport, type RestoreOptions } from './persistence.js';
import { noteRead } from './read-messages.js';
import type { Params } from './read.js';
import { adaptAction, adaptNotification, adaptState, type Receiver } from './receiver.js';
import { answerRequest } from './requests.js';
import { EnvelopeRing } from './ring.js';
import { TurnRunner } from './turn-runner.js';
import { referredTurn, turnsLoaded } from './window.js';

export class HostCore implements ConnectionOwner {
  readonly environment: HostEnvironment;
  readonly hooks: HostHooks;
  readonly options: ResolvedOptions;
  readonly rules: MessageRules;
  readonly clients: ClientRegistry;
  readonly intake: Intake;
  readonly clientTools: ClientTools;
  readonly auth: Auth;
  readonly directory: Directory;
  readonly runner: TurnRunner;
  readonly #root: RootChannel;
  readonly #channels = new Map<URI, Channel>();
  readonly #connections = new Set<Connection>();
  #ring: EnvelopeRing;
  #serverSeq: number;
  #isClosed = false;
  /** How many commits are under way; what they set off runs when the outermost is done. */
  #depth = 0;
  #later: (() => void)[] = [];

  constructor(options: HostOptions) {
    this.environment = options.environment;
    this.hooks = options.hooks ?? {};
    this.options = resolveOptions(options);
    this.rules = {
      findChat: (uri) => this.getChat(uri),
      takesCollections: Boolean(this.options.announced.attachmentCollections),
    };
    this.clients = new ClientRegistry(this.options.maxAwayClients);
    this.#serverSeq = options.serverSeq ?? 0;
    this.#ring = new EnvelopeRing(this.options.ringSize, this.#serverSeq);
    const state: RootState = {
      agents: options.agents ?? [],
      activeSessions: 0,
      terminals: [],
      ...(options.config && { config: options.config }),
    };
    this.#root = { kind: 'root', uri: ROOT, state };
    this.#channels.set(ROOT, this.#root);
    this.intake = new Intake(this);
    this.clientTools = new ClientTools(this);
    this.auth = new Auth(this);
    this.directory = new Directory(this);
    this.runner = new TurnRunner(this);
  }

  /* -------------------------------------------------------------- reading */

  get serverSeq(): number {
    return this.#serverSeq;
  }

  get ring(): EnvelopeRing {
    return this.#ring;
  }

  get root(): RootState {
    return this.#root.state;
  }

  find(uri: URI): Channel | undefined {
    return this.#channels.get(uri);
  }

  /** Whether `channel` still is what it was when something was begun that took its time. */
  isLive(channel: Channel): boolean {
    return !this.#isClosed && this.#channels.get(channel.uri) === channel;
  }

  getSession(uri: URI): SessionState | undefined {
    const channel = this.#channels.get(uri);
    return channel?.kind === 'session' ? channel.state : undefined;
  }

  getChat(uri: URI): ChatState | undefined {
    const channel = this.#channels.get(uri);
    return channel?.kind === 'chat' ? channel.state : undefined;
  }

  getTerminal(uri: URI): TerminalState | undefined {
    const channel = this.#channels.get(uri);
    return channel?.kind === 'terminal' ? channel.state : undefined;
  }

  /** The session that lists a chat. */
  sessionOf(chat: ChatChannel): SessionChannel | undefined {
    const channel = this.#channels.get(chat.session);
    return channel?.kind === 'session' ? channel : undefined;
  }

  sessions(): readonly SessionChannel[] {
    return [...this.#channels.values()].filter((channel) => channel.kind === 'session');
  }

  chats(): readonly ChatChannel[] {
    return [...this.#channels.values()].filter((channel) => channel.kind === 'chat');
  }

  terminals(): readonly TerminalChannel[] {
    return [...this.#channels.values()].filter((channel) => channel.kind === 'terminal');
  }

  /* -------------------------------------------------------------- changing */

  /**
   * Applies one action of the host itself and tells everybody who is subscribed. Returns its `serverSeq`, or `undefined`
   * when there is no such channel.
   */
  dispatch(uri: URI, action: StateAction): number | undefined {
    const channel = this.#channels.get(uri);
    return channel && this.commit(channel, action);
  }

  /** Applies one action, whoever wants it. All that follows from it has happened when the outermost commit returns. */
  commit(channel: Channel, action: StateAction, origin?: ActionOrigin): number {
    return this.together(() => {
      if (channel.kind === 'chat') this.#widenWindows(channel, action);
      if (channel.kind === 'session' && action.type === 'session/activeClientRemoved') {
        this.clientTools.failCalls(channel, action.clientId);
      }
      const before = channel.state;
      reduceChannel(channel, action);
      const serverSeq = ++this.#serverSeq;
      const envelope = { channel: channel.uri, action, serverSeq, ...(origin && { origin }) };
      this.#ring.push({ envelope });
      if (isDurable(channel, action)) this.journal({ kind: 'action', serverSeq, channel: channel.uri, action });
      for (const subscription of this.clients.subscribers(channel.uri)) {
        if (channel.kind === 'chat') subscription.start = Math.min(subscription.start, channel.state.turns.length);
        subscription.client.connection?.deliver(envelope, subscription.maxLatencyMs);
      }
      if (channel.kind === 'chat') this.#followChat(channel, before as ChatState, action);
      if (channel.kind === 'session') this.#followSession(channel, action);
      return serverSeq;
    });
  }

  /** Runs `run` after the commit that is under way, or at once. */
  later(run: () => void): void {
    this.#later.push(run);
    if (this.#depth === 0) this.together(() => undefined);
  }

  /** Runs `change` as one: what it sets off waits for its end. */
  together<Result>(change: () => Result): Result {
    this.#depth++;
    try {
      return change();
    } finally {
      if (this.#depth === 1) {
        for (let run = this.#later.shift(); run; run = this.#later.shift()) this.guard('effect-failed', run);
      }
      this.#depth--;
    }
  }

  #followChat(channel: ChatChannel, before: ChatState, action: StateAction): void {
    const session = this.sessionOf(channel);
    if (session && before !== channel.state) {
      for (const derived of catalogueActions(session.state, before, channel.state, action))
        this.commit(session, derived);
    }
    this.runner.follow(channel, before, action);
  }

  #followSession(channel: SessionChannel, action: StateAction): void {
    if (action.type === 'session/activeClientSet') {
      this.clientTools.hasReturned(channel.uri, action.activeClient.clientId);
    }
    if (action.type === 'session/ready') {
      this.later(() => {
        for (const chat of this.chats()) if (chat.session === channel.uri) this.runner.start(chat, false);
      });
    }
    this.directory.sessionChanged(channel);
  }

  /** Sends a notification to everybody who is subscribed to the root. It is never replayed. */
  notify(method: string, params: Params): void {
    if (method === 'auth/required') this.auth.advertise([params.resource]);
    for (const { client } of this.clients.subscribers(ROOT)) {
      client.connection?.notify(method, adaptNotification(toReceiver(client), method, params));
    }
  }

  /** Records a durable fact. A journal that fails is reported; what clients see goes on and stays in itself consistent. */
  journal(entry: JournalEntry): void {
    this.guard('journal-failed', () => this.hooks.onCommitted?.(entry));
  }

  /** A turn has read a steering message, and nobody is told but the journal. */
  noteRead(channel: ChatChannel, message: PendingMessage): void {
    noteRead(channel, message);
    this.journal({ kind: 'read', serverSeq: this.nextSeq(), channel: channel.uri, message });
  }

  /** Runs what others wrote, and reports what it throws. */
  guard(errorType: string, run: () => void): void {
    try {
      run();
    } catch (error) {
      this.diagnose(errorType, error);
    }
  }

  diagnose(errorType: string, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    const stack = error instanceof Error ? error.stack : undefined;
    this.hooks.onDiagnostic?.({ errorType, message, ...(stack !== undefined && { stack }) });
  }

  /** A number of its own for something that is no envelope. */
  nextSeq(): number {
    return ++this.#serverSeq;
  }

  add(channel: Channel): void {
    if (this.#channels.has(channel.uri))
      throw rpcError(RpcCode.AlreadyExists, 'There is something at this URI already.');
    this.#channels.set(channel.uri, channel);
  }

  remove(channel: Channel): void {
    this.clients.dropChannel(channel.uri);
    this.#channels.delete(channel.uri);
  }

  /* -------------------------------------------------------------- windows */

  /** Sends every subscriber the turns that `action` refers to and its window does not hold. */
  #widenWindows(channel: ChatChannel, action: StateAction): void {
    const referred = referredTurn(channel.state, action);
    if (referred === undefined) return;
    for (const subscription of this.clients.subscribers(channel.uri)) {
      this.loadTurns(subscription, channel, referred, subscription.start);
    }
  }

  /** Sends one subscriber the turns from `start` to `end`, and moves its window back to `start` if that is further. */
  loadTurns(subscription: Subscription, channel: ChatChannel, start: number, end: number): void {
    if (start >= Math.min(end, subscription.start)) return;
    const action = turnsLoaded(channel.state, start, end);
    subscription.start = start;
    this.sendTo(subscription.client.id, { channel: channel.uri, action });
  }

  /** Sends an envelope to one client alone, now and, if it misses it, at its return. */
  sendTo(clientId: string, envelope: Omit<ActionEnvelope<StateAction>, 'serverSeq'>): void {
    const numbered = { ...envelope, serverSeq: ++this.#serverSeq };
    this.#ring.push({ envelope: numbered, only: clientId });
    this.clients.find(clientId)?.connection?.deliver(numbered, 0);
  }

  /* -------------------------------------------------------------- turns */

  /** Starts a turn of the host's own accord. Returns its id, or `undefined` when the chat is gone or busy. */
  startTurn(uri: URI, message: Message, options: { readonly queuedMessageId?: string } = {}): string | undefined {
    const channel = this.find(uri);
    if (channel?.kind !== 'chat' || channel.state.activeTurn) return undefined;
    const turnId = this.environment.createId();
    const startedAt = toTimestamp(this.environment.now());
    this.commit(channel, { type: 'chat/turnStarted', turnId, startedAt, message, ...options });
    return turnId;
  }

  /** Starts what waits in an idle chat: its steering message, else the head of its queue. */
  startPending(uri: URI): boolean {
    const channel = this.find(uri);
    return channel?.kind === 'chat' && this.runner.startPending(channel);
  }

  /* -------------------------------------------------------------- persistence */

  exportState(): HostExport {
    return toExport(this.#serverSeq, this.root.config, this.#channels.values());
  }

  restore(options: RestoreOptions): void {
    const { serverSeq, channels } = readSaved(options, this.#root);
    for (const channel of channels) this.add(channel);
    // An export knows the counter. A journal that ends where its host was killed does not: clients may have seen numbers
    // of what is never journalled, refusals and pages of old turns.
    this.#serverSeq = Math.max(this.#serverSeq, serverSeq) + (options.journal ? JOURNAL_GAP : 0);
    this.#ring = new EnvelopeRing(this.options.ringSize, this.#serverSeq);
    this.directory.takeOver(options.activeTurns ?? 'fail');
  }

  /* -------------------------------------------------------------- connections */

  /** Takes over a link; the first frame must be a handshake. */
  connect(link: Link): HostConnection {
    const connection = new Connection(this, link);
    if (this.#isClosed) connection.close();
    else this.#connections.add(connection);
    return connection;
  }

  answer(connection: Connection, method: string, params: Params): unknown {
    switch (method) {
      case 'ping':
        return null;
      case 'initialize':
        return initialize(this, connection, params);
      case 'reconnect': {
        const result = reconnect(this, connection, params);
        const client = connection.client;
        if (client) this.clientTools.hasReconnected(client.id, new Set(client.subscriptions.keys()));
        return result;
      }
      default:
        if (!connection.client) {
          throw rpcError(RpcCode.InvalidRequest, 'The first request of a connection is "initialize" or "reconnect".');
        }
        return answerRequest(this, connection, connection.client, method, params);
    }
  }

  hear(connection: Connection, method: string, params: Params): void {
    this.guard('notification-failed', () => {
      this.#hear(connection, method, params);
    });
  }

  #hear(connection: Connection, method: string, params: Params): void {
    if (method === 'dispatchAction') {
      this.intake.receive(connection, params.channel, params.clientSeq, params.action);
    } else if (method === 'unsubscribe' && typeof params.channel === 'string' && connection.client) {
      if (this.clients.unsubscribe(connection.client, params.channel)) {
        this.clientTools.remove(params.channel, connection.client.id);
      }
    }
  }

  refusing({ code, data }: RpcErrorObject): void {
    if (code === RpcCode.AuthRequired && isRecord(data) && Array.isArray(data.resources)) {
      this.auth.advertise(data.resources);
    }
  }

  closed(connection: Connection): void {
    this.#connections.delete(connection);
    const { client } = connection;
    if (client?.connection !== connection) return;
    this.clients.detach(client);
    this.clientTools.hasLeft(client.id);
  }

  /** Ends everything: turns are aborted without a record, links closed, timers cancelled. */
  close(): void {
    this.#isClosed = true;
    this.runner.disposeAll();
    for (const connection of [...this.#connections]) connection.close();
    this.clientTools.close();
  }

  /* -------------------------------------------------------------- what a client is shown */

  /** A channel's state with what is only known here: a session's status looks at all its chats. */
  present(channel: Channel): ChannelState {
    if (channel.kind !== 'session') return channel.state;
    const status = sessionStatus(channel.state);
    return status === channel.state.status ? channel.state : { ...channel.state, status };
  }

  adapt(client: Client, envelope: ActionEnvelope<StateAction>): ActionEnvelope {
    // A refusal brings its sender's own words back, whatever their form.
    if (envelope.rejectionReason !== undefined) return envelope;
    const action = adaptAction(toReceiver(client), envelope.action);
    return action === envelope.action ? envelope : { ...envelope, action };
  }

  adaptState(client: Client, state: ChannelState): ChannelState {
    return adaptState(toReceiver(client), state);
  }
}

const JOURNAL_GAP = 1000;

const toReceiver = ({ protocolVersion, capabilities }: Client): Receiver => ({
  protocolVersion,
  hasCollections: Boolean(capabilities.attachmentCollections),
});
