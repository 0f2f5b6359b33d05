/**
 * The channels a client looks at. Each is subscribed once per connection, however many listeners share it; what the host
 * sends before it has answered a subscription waits for the answer; a failed subscription is remembered as failed and
 * never as made. Knows no sockets: the client hands it a wire. Source: AHP, channels and subscriptions.
 */

import type { ActionEnvelope } from '../protocol/actions.js';
import type { Snapshot, SubscribeParams, SubscribeResult } from '../protocol/commands.js';
import { AhpError, isRpcError, RpcCode } from '../protocol/errors.js';
import { compose } from '../protocol/record.js';
import type { ChannelKind } from '../protocol/parse.js';
import type { URI } from '../protocol/state.js';
import { canName } from '../protocol/uri.js';

/** What a holder of a channel's state is told. Calls come in an order that leaves the state right after each. */
export interface ChannelListener {
  /**
   * Replaces the confirmed state; the channel is live. `early` came while the snapshot was on its way. `hasGap`: something
   * before it could not be read, so that nothing known from before can be joined to it.
   */
  onSnapshot(snapshot: Snapshot, early: readonly ActionEnvelope[], hasGap: boolean): void;
  /** What was missed, in order and possibly nothing; the channel is live again afterwards. */
  onReplay(envelopes: readonly ActionEnvelope[]): void;
  onEnvelope(envelope: ActionEnvelope): void;
  /** The connection is gone; the state stays and may be old from now on. */
  onLost(): void;
  /** The host refused the channel or no longer has it. The state stays. */
  onFailed(error: AhpError): void;
  /** The confirmed state and the last number applied to it, where there is one to go on from. */
  current(): Snapshot | undefined;
}

export interface ChannelOptions extends Pick<SubscribeParams, 'view' | 'delivery'> {
  /** What its state is read as; a URI does not tell. */
  readonly kind: ChannelKind;
}

export interface ChannelSubscription {
  /** Ends this listener's part; the host is told when the last one has left. */
  release(): void;
  /** Something that could not be read may be missing in the state, until a snapshot makes it good. */
  readonly hasGap: boolean;
  /**
   * Asks for a new snapshot, also after a failure; where the connection is lost first, the next one brings it. Resolves when
   * it was handed to the listeners; rejects as the host does.
   */
  refresh(): Promise<void>;
}

/** The way to the host, while there is one. */
export interface ChannelWire {
  subscribe(params: SubscribeParams): Promise<SubscribeResult>;
  unsubscribe(channel: URI): void;
}

/** A subscription under way. */
interface Request {
  done: Promise<void>;
  /** What came since it was sent. */
  readonly early: ActionEnvelope[];
  /** Something came since that could not be read. */
  isTorn: boolean;
}

interface Channel {
  readonly uri: URI;
  readonly options: ChannelOptions;
  readonly listeners: Set<ChannelListener>;
  phase: 'idle' | 'live' | 'failed';
  /**
   * What a replay could build on: `live`, the state as the last connection left it; `stored`, one read from a mirror
   * before the first handshake; `none`, where only a snapshot helps.
   */
  basis: 'none' | 'stored' | 'live';
  hasGap: boolean;
  error?: AhpError;
  request?: Request;
}

const hasOptions = ({ options }: Channel) => options.view !== undefined || options.delivery !== undefined;

const goneCodes: readonly number[] = [RpcCode.NotFound, RpcCode.SessionNotFound, RpcCode.ContentNotFound];
const isGone = (error: AhpError) =>
  error.code === 'gone' || (error.rpc !== undefined && goneCodes.includes(error.rpc.code));

export class Channels {
  readonly #channels = new Map<URI, Channel>();
  #wire: ChannelWire | undefined;
  #wasAttached = false;

  /** Adds a listener. Where the state is already known it is told before this returns. */
  open(uri: URI, listener: ChannelListener, options: ChannelOptions): ChannelSubscription {
    if (!canName(uri, options.kind)) return refuseName(uri, listener, options);
    const channel = this.#channels.get(uri) ?? this.#create(uri, options);
    const state = channel.phase === 'live' ? this.#findCurrent(channel) : undefined;
    channel.listeners.add(listener);
    if (state) listener.onSnapshot(state, [], false);
    else if (channel.phase === 'failed') channel.phase = 'idle';
    if (!state && this.#wire) void this.#subscribe(channel).catch(toldByListener);
    return {
      release: () => this.#release(channel, listener),
      get hasGap() {
        return channel.hasGap;
      },
      refresh: () => this.#refresh(channel),
    };
  }

  findKind(uri: URI): ChannelKind | undefined {
    return this.#channels.get(uri)?.options.kind;
  }

  /** All channels somebody looks at, without those the host no longer has. */
  list(): readonly URI[] {
    return this.#wanted().map(({ uri }) => uri);
  }

  /**
   * Channels that can be asked for within `initialize`, which has no place for the size of a view: a long chat listed
   * there would come whole.
   */
  listInitial(): readonly URI[] {
    return this.#wanted()
      .filter((channel) => !hasOptions(channel))
      .map(({ uri }) => uri);
  }

  /** The number applied on each channel that a replay could go on from. */
  listApplied(): readonly { readonly seq: number; readonly basis: 'stored' | 'live' }[] {
    return this.#wanted().flatMap((channel) => {
      const current = this.#findCurrent(channel);
      return current && channel.basis !== 'none' ? [{ seq: current.fromSeq, basis: channel.basis }] : [];
    });
  }

  /** The longest hold-back asked for, in milliseconds. */
  get maxLatencyMs(): number {
    return Math.max(0, ...[...this.#channels.values()].map(({ options }) => options.delivery?.maxLatencyMs ?? 0));
  }

  /**
   * A handshake was answered; subscriptions may be sent from now on. `isFresh`: the host's counter may have started anew,
   * so that nothing known before can be gone on from.
   */
  attach(wire: ChannelWire, options: { readonly isFresh: boolean }): void {
    this.#wire = wire;
    this.#wasAttached = true;
    if (options.isFresh) for (const channel of this.#channels.values()) channel.basis = 'none';
  }

  /** The connection is gone. */
  detach(): void {
    this.#wire = undefined;
    for (const channel of this.#channels.values()) {
      delete channel.request;
      // What failed for another reason than being gone is asked for again on the next connection.
      if (channel.phase === 'failed' && channel.error && isGone(channel.error)) continue;
      channel.phase = 'idle';
      for (const listener of [...channel.listeners]) listener.onLost();
    }
  }

  /** Takes the snapshots of a handshake. */
  adoptSnapshots(snapshots: readonly Snapshot[]): void {
    for (const snapshot of snapshots) {
      const channel = this.#channels.get(snapshot.resource);
      if (channel) this.#adopt(channel, snapshot);
    }
  }

  /** Takes the replay of a handshake: every channel with a basis is live, save the missing ones. */
  adoptReplay(envelopes: readonly ActionEnvelope[], missing: readonly URI[]): void {
    const gone = new Set(missing);
    for (const channel of this.#wanted()) {
      if (gone.has(channel.uri)) {
        this.fail(channel.uri, new AhpError('gone', 'The host no longer has this channel.'));
      } else if (channel.basis !== 'none' && this.#findCurrent(channel)) {
        this.#setLive(channel);
        const missed = envelopes.filter((envelope) => envelope.channel === channel.uri);
        for (const listener of [...channel.listeners]) listener.onReplay(missed);
      }
    }
  }

  /**
   * Subscribes to every channel the handshake left without state. Resolves when all are settled; failures are told to the
   * listeners. A channel of `initial` was asked for before and may have stayed subscribed, so a failure takes it back.
   */
  async subscribeRest(initial: readonly URI[] = []): Promise<void> {
    const rest = this.#wanted().filter(({ phase, request }) => phase === 'idle' && !request);
    await Promise.all(
      rest.map(async (channel) => {
        const wire = this.#wire;
        try {
          await this.#subscribe(channel);
        } catch {
          // The listeners know. What is left is to end what the host may believe.
          if (initial.includes(channel.uri) && wire === this.#wire) wire?.unsubscribe(channel.uri);
        }
      }),
    );
  }

  /** Subscribes again to channels the host had refused for want of a token. */
  retryUnauthorized(): void {
    for (const channel of this.#channels.values())
      if (isRpcError(channel.error, RpcCode.AuthRequired)) void this.#refresh(channel).catch(toldByListener);
  }

  /** Something came that could not be read, and it may have been for any of them. */
  doubtAll(): void {
    for (const channel of this.#channels.values()) {
      channel.basis = 'none';
      channel.hasGap = true;
      if (channel.request) channel.request.isTorn = true;
    }
  }

  /** Asks for the state of everything that is live and lacks something. */
  closeGaps(): void {
    for (const channel of this.#channels.values()) {
      if (channel.phase === 'live' && channel.hasGap) void this.#refresh(channel).catch(toldByListener);
    }
  }

  deliver(envelope: ActionEnvelope): void {
    const channel = this.#channels.get(envelope.channel);
    if (!channel) return;
    channel.request?.early.push(envelope);
    if (channel.phase !== 'live') return;
    for (const listener of [...channel.listeners]) listener.onEnvelope(envelope);
  }

  /** Says that the host no longer has the channel, and leaves it. */
  fail(uri: URI, error: AhpError): void {
    const channel = this.#channels.get(uri);
    if (!channel) return;
    delete channel.request;
    channel.phase = 'failed';
    channel.basis = 'none';
    channel.error = error;
    for (const listener of [...channel.listeners]) listener.onFailed(error);
  }

  #create(uri: URI, options: ChannelOptions): Channel {
    const channel: Channel = {
      uri,
      options,
      listeners: new Set(),
      phase: 'idle',
      hasGap: false,
      basis: this.#wasAttached ? 'none' : 'stored',
    };
    this.#channels.set(uri, channel);
    return channel;
  }

  #wanted(): Channel[] {
    return [...this.#channels.values()].filter(({ phase }) => phase !== 'failed');
  }

  #release(channel: Channel, listener: ChannelListener): void {
    if (!channel.listeners.delete(listener) || channel.listeners.size > 0) return;
    this.#channels.delete(channel.uri);
    if (channel.phase === 'live' || channel.request) this.#wire?.unsubscribe(channel.uri);
  }

  #findCurrent(channel: Channel): Snapshot | undefined {
    for (const listener of channel.listeners) {
      const current = listener.current();
      if (current) return current;
    }
    return undefined;
  }

  #refresh(channel: Channel): Promise<void> {
    // A replay is no answer to this.
    channel.basis = 'none';
    if (this.#wire) return this.#subscribe(channel);
    // The next handshake takes the channel up again.
    if (channel.phase === 'failed') channel.phase = 'idle';
    return Promise.reject(new AhpError('not-connected', 'There is no connection to ask for this channel.'));
  }

  /** One request at a time per channel; who asks meanwhile shares it, or waits for one that is torn and asks again. */
  #subscribe(channel: Channel): Promise<void> {
    const { request: other } = channel;
    if (other) return other.isTorn ? this.#subscribeAfter(channel, other) : other.done;
    const wire = this.#wire;
    if (!wire) return Promise.reject(new AhpError('not-connected', 'There is no connection to subscribe on.'));
    // The buffer stands before the request leaves, so that nothing falls between them.
    const request: Request = { early: [], done: Promise.resolve(), isTorn: false };
    const isCurrent = () => channel.request === request;
    const ask = async () => {
      try {
        const { view, delivery } = channel.options;
        const { snapshot } = await wire.subscribe(compose({ channel: channel.uri }, { view, delivery }));
        if (!snapshot) throw new AhpError('gone', 'The host has no state for this channel.');
        if (isCurrent()) this.#adopt(channel, snapshot, request);
      } catch (error) {
        if (isCurrent()) this.#onRefused(channel, error);
        throw error;
      }
    };
    channel.request = request;
    request.done = ask();
    return request.done;
  }

  async #subscribeAfter(channel: Channel, other: Request): Promise<void> {
    await other.done.catch(toldByListener);
    if (this.#channels.get(channel.uri) === channel) await this.#subscribe(channel);
  }

  #onRefused(channel: Channel, error: unknown): void {
    delete channel.request;
    if (!(error instanceof AhpError)) throw error;
    // A lost connection is no answer; the next one asks again.
    if (error.code === 'disconnected') return;
    // Asking a live channel for a new snapshot may fail without harm.
    if (channel.phase === 'live' && !isGone(error)) return;
    // The question or its answer may have been lost; a host that takes half a minute can be asked twice.
    if (error.code === 'timeout') return void this.#subscribe(channel).catch(toldByListener);
    this.fail(channel.uri, isGone(error) ? toGone(error) : error);
  }

  #adopt(channel: Channel, snapshot: Snapshot, request?: Request): void {
    const { hasGap } = channel;
    this.#setLive(channel);
    channel.hasGap = request?.isTorn === true;
    if (channel.hasGap) channel.basis = 'none';
    for (const listener of [...channel.listeners]) listener.onSnapshot(snapshot, request?.early ?? [], hasGap);
  }

  #setLive(channel: Channel): void {
    delete channel.request;
    delete channel.error;
    channel.phase = 'live';
    channel.basis = 'live';
  }
}

/** By one code, whichever of the host's words for it was used. */
const toGone = (error: AhpError): AhpError =>
  new AhpError('gone', error.message, { cause: error, ...(error.rpc && { rpc: error.rpc }) });

/** `#onRefused` told the listeners, which show it; nobody waits for this promise. */
function toldByListener(error: unknown): void {
  if (!(error instanceof AhpError)) throw error;
}

/** A host may name anything where a channel belongs; what cannot be one is never asked for. */
function refuseName(uri: URI, listener: ChannelListener, { kind }: ChannelOptions): ChannelSubscription {
  const error = new AhpError('gone', `"${uri.slice(0, 100)}" names no ${kind} channel. The host was not asked for it.`);
  listener.onFailed(error);
  return { release: () => undefined, hasGap: false, refresh: () => Promise.reject(error) };
}
