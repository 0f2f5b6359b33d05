/**
 * The thinnest client there is: it sends frames, keeps what comes back, and reduces what it is subscribed to by the very
 * rules of the protocol. It repairs nothing, so a host that breaks a rule shows.
 */

import { chatReducer } from '../../src/chat/reducer.js';
import { rootReducer } from '../../src/channels/root.js';
import { sessionReducer } from '../../src/channels/session.js';
import { terminalReducer } from '../../src/channels/terminal.js';
import type { ActionEnvelope, StateAction } from '../../src/protocol/actions.js';
import type {
  ChannelState,
  ClientCapabilities,
  InitializeResult,
  Snapshot,
  SubscribeParams,
} from '../../src/protocol/commands.js';
import type { Link } from '../../src/protocol/link.js';
import type { RpcErrorObject } from '../../src/protocol/messages.js';
import type { ChatState, SessionState, URI } from '../../src/protocol/state.js';
import { ROOT } from '../../src/protocol/uri.js';
import { settle } from './manual-environment.js';

export interface Answer<Result = Record<string, never>> {
  readonly result?: Result;
  readonly error?: RpcErrorObject;
}

type Envelope = ActionEnvelope<StateAction>;
/** Either form of the answer to `reconnect`. */
export interface Reconnected {
  readonly type: 'replay' | 'snapshot';
  readonly actions?: readonly Envelope[];
  readonly missing?: readonly URI[];
  readonly snapshots?: readonly Snapshot[];
}

type Held = { state: ChannelState; appliedSeq: number };

export class RawClient {
  readonly clientId: string;
  /** Every `action` notification, in order. */
  readonly envelopes: Envelope[] = [];
  /** Every other notification. */
  readonly notifications: { method: string; params: Record<string, unknown> }[] = [];
  /** Every request of the host. */
  readonly requests: { id: number; method: string; params: Record<string, unknown> }[] = [];
  /** Every frame, parsed, in order. */
  readonly frames: Record<string, unknown>[] = [];
  isClosed = false;
  capabilities: ClientCapabilities = { attachmentCollections: {} };
  readonly #channels = new Map<URI, Held>();
  readonly #waiting = new Map<number, (answer: Answer<unknown>) => void>();
  #link: Link | undefined;
  #nextId = 1;
  #nextSeq = 1;

  constructor(clientId: string, link: Link) {
    this.clientId = clientId;
    this.attach(link);
  }

  /** Goes on over another link. */
  attach(link: Link): void {
    this.#link = link;
    this.isClosed = false;
    link.onmessage = (text) => {
      if (this.#link === link) this.#receive(JSON.parse(text) as Record<string, unknown>);
    };
    link.onclose = () => {
      if (this.#link === link) this.isClosed = true;
    };
  }

  /** Cuts the link; the host hears of it, as of a socket that closed. */
  cut(): void {
    this.#link?.close();
    this.isClosed = true;
  }

  send(frame: object | string): void {
    this.#link?.send(typeof frame === 'string' ? frame : JSON.stringify({ jsonrpc: '2.0', ...frame }));
  }

  /** `onResult` runs before any later frame is read, as an adoption of snapshots must. */
  request<Result = Record<string, unknown>>(
    method: string,
    params: object = {},
    onResult?: (result: Result) => void,
  ): Promise<Answer<Result>> {
    const id = this.#nextId++;
    const answered = new Promise<Answer<Result>>((resolve) => {
      this.#waiting.set(id, (answer) => {
        if (answer.result) onResult?.(answer.result as Result);
        resolve(answer as Answer<Result>);
      });
    });
    this.send({ id, method, params: { channel: ROOT, ...params } });
    return answered;
  }

  initialize(params: object = {}): Promise<Answer<InitializeResult>> {
    const { clientId, capabilities } = this;
    const all = { protocolVersions: ['1.0.0'], clientId, capabilities, ...params };
    return this.request<InitializeResult>('initialize', all, ({ snapshots }) => {
      this.#channels.clear();
      for (const snapshot of snapshots) this.#adopt(snapshot);
    });
  }

  subscribe(channel: URI, options: Omit<SubscribeParams, 'channel'> = {}): Promise<Answer<{ snapshot: Snapshot }>> {
    return this.request<{ snapshot: Snapshot }>('subscribe', { channel, ...options }, ({ snapshot }) => {
      this.#adopt(snapshot);
    });
  }

  /** Sends `reconnect` with what was seen, and applies the answer. */
  reconnect(params: object = {}): Promise<Answer<Reconnected>> {
    const { clientId, lastSeen } = this;
    const all = { clientId, lastSeenServerSeq: lastSeen, subscriptions: [...this.#channels.keys()], ...params };
    return this.request<Reconnected>('reconnect', all, ({ actions = [], snapshots = [] }) => {
      for (const envelope of actions) this.#apply(envelope);
      for (const snapshot of snapshots) this.#adopt(snapshot);
    });
  }

  /** Returns its `clientSeq`. */
  dispatch(channel: URI, action: object): number {
    const clientSeq = this.#nextSeq++;
    this.send({ method: 'dispatchAction', params: { channel, clientSeq, action } });
    return clientSeq;
  }

  unsubscribe(channel: URI): void {
    this.#channels.delete(channel);
    this.send({ method: 'unsubscribe', params: { channel } });
  }

  /** The highest number seen on any envelope. */
  get lastSeen(): number {
    return this.envelopes.reduce((highest, { serverSeq }) => Math.max(highest, serverSeq), 0);
  }

  chat(uri: URI): ChatState {
    return this.#get(uri) as ChatState;
  }

  session(uri: URI): SessionState {
    return this.#get(uri) as SessionState;
  }

  state(uri: URI): ChannelState {
    return this.#get(uri);
  }

  /** The envelopes of one channel. */
  of(channel: URI): Envelope[] {
    return this.envelopes.filter((envelope) => envelope.channel === channel);
  }

  /** Waits until nothing is under way; microtasks only. */
  settle(): Promise<void> {
    return settle();
  }

  #get(uri: URI): ChannelState {
    const held = this.#channels.get(uri);
    if (!held) throw new Error(`${this.clientId} holds no ${uri}`);
    return held.state;
  }

  #adopt({ resource, state, fromSeq }: Snapshot): void {
    this.#channels.set(resource, { state, appliedSeq: fromSeq });
  }

  #receive(message: Record<string, unknown>): void {
    this.frames.push(message);
    if (typeof message.method === 'string') {
      const params = message.params as Record<string, unknown>;
      if (message.id !== undefined) {
        this.requests.push({ id: message.id as number, method: message.method, params });
      } else if (message.method === 'action') {
        const envelope = params as unknown as Envelope;
        this.envelopes.push(envelope);
        this.#apply(envelope);
      } else {
        this.notifications.push({ method: message.method, params });
      }
      return;
    }
    const waiting = this.#waiting.get(message.id as number);
    this.#waiting.delete(message.id as number);
    waiting?.(message);
  }

  #apply(envelope: Envelope): void {
    const held = this.#channels.get(envelope.channel);
    if (!held || envelope.serverSeq <= held.appliedSeq) return;
    held.appliedSeq = envelope.serverSeq;
    if (envelope.rejectionReason === undefined) held.state = reduce(held.state, envelope.action);
  }
}

function reduce(state: ChannelState, action: StateAction): ChannelState {
  if ('turns' in state) return chatReducer(state, action);
  if ('chats' in state) return sessionReducer(state, action);
  if ('agents' in state) return rootReducer(state, action);
  return terminalReducer(state, action);
}
