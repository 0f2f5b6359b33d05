/**
 * A client of the wire alone, for tests of the host: it sends requests and actions as AHP words them, and reduces what
 * comes with the shared reducer. No reconnects, nothing optimistic.
 */

import { sessionReducer } from '../../src/channels/session.js';
import { terminalReducer } from '../../src/channels/terminal.js';
import { chatReducer } from '../../src/chat/reducer.js';
import type { ActionEnvelope, ChatAction, StateAction } from '../../src/protocol/actions.js';
import type { InitializeResult, Snapshot } from '../../src/protocol/commands.js';
import type { Link } from '../../src/protocol/link.js';
import type {
  ChatState,
  Message,
  ResponsePart,
  SessionState,
  TerminalState,
  ToolCallState,
  URI,
} from '../../src/protocol/state.js';

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export class RawClient {
  readonly clientId = crypto.randomUUID();
  readonly envelopes: ActionEnvelope[] = [];
  /** Every frame that came, as text. */
  readonly frames: string[] = [];
  readonly #link: Link;
  readonly #waiting = new Map<number, Waiting>();
  readonly #chats = new Map<URI, ChatState>();
  readonly #sessions = new Map<URI, SessionState>();
  readonly #terminals = new Map<URI, TerminalState>();
  readonly #listeners = new Set<() => void>();
  /** The one that was opened last. */
  lastSession: URI = '';
  #nextId = 1;
  #nextSeq = 1;

  private constructor(link: Link) {
    this.#link = link;
    link.onmessage = (text) => this.#receive(text);
    link.onclose = ({ reason }) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(reason));
    };
  }

  /** Takes over a fresh link and initializes. */
  static async over(link: Link): Promise<RawClient> {
    const client = new RawClient(link);
    await client.request<InitializeResult>('initialize', {
      channel: 'ahp-root://',
      protocolVersions: ['1.0.0'],
      clientId: client.clientId,
    });
    return client;
  }

  request<Result>(method: string, params: Readonly<Record<string, unknown>>): Promise<Result> {
    const id = this.#nextId++;
    this.#send({ id, method, params });
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve, reject });
    });
  }

  dispatch(channel: URI, action: StateAction): void {
    this.#send({ method: 'dispatchAction', params: { channel, clientSeq: this.#nextSeq++, action } });
  }

  /** Makes a session and subscribes to its chat. */
  async openChat(provider = 'workspace'): Promise<URI> {
    const session = `ahp-session:/${crypto.randomUUID()}`;
    await this.request('createSession', { channel: session, provider });
    const { snapshot } = await this.request<{ snapshot: Snapshot<SessionState> }>('subscribe', { channel: session });
    const chat = snapshot.state.defaultChat ?? '';
    this.#sessions.set(session, snapshot.state);
    await this.subscribe(chat);
    this.lastSession = session;
    return chat;
  }

  /** Subscribes to a session that is there; see `session`. */
  async openSession(uri: URI): Promise<void> {
    const { snapshot } = await this.request<{ snapshot: Snapshot<SessionState> }>('subscribe', { channel: uri });
    this.#sessions.set(uri, snapshot.state);
    this.lastSession = uri;
  }

  session(uri: URI = this.lastSession): SessionState {
    const state = this.#sessions.get(uri);
    if (!state) throw new Error(`Nobody subscribed to ${uri}.`);
    return state;
  }

  /** Subscribes to a terminal and waits until its output, as far as it is known, matches. */
  async untilTerminal(uri: URI, output: RegExp): Promise<TerminalState> {
    const { snapshot } = await this.request<{ snapshot: Snapshot<TerminalState> }>('subscribe', { channel: uri });
    this.#terminals.set(uri, snapshot.state);
    return this.when(() => {
      const state = this.#terminals.get(uri);
      return state && output.test(outputOf(state)) ? state : undefined;
    });
  }

  async subscribe(chat: URI): Promise<ChatState> {
    const { snapshot } = await this.request<{ snapshot: Snapshot<ChatState> }>('subscribe', { channel: chat });
    this.#chats.set(chat, snapshot.state);
    return snapshot.state;
  }

  chat(uri: URI): ChatState {
    const state = this.#chats.get(uri);
    if (!state) throw new Error(`Nobody subscribed to ${uri}.`);
    return state;
  }

  /** Starts a turn; returns its id. */
  ask(chat: URI, text: string, more: Partial<Message> = {}): string {
    const turnId = crypto.randomUUID();
    const message: Message = { text, origin: { kind: 'user' }, ...more };
    this.dispatch(chat, { type: 'chat/turnStarted', turnId, startedAt: new Date().toISOString(), message });
    return turnId;
  }

  /** Waits until `find` finds something in the chat. */
  until<Found>(chat: URI, find: (state: ChatState) => Found | undefined): Promise<Found> {
    return this.when(() => find(this.chat(chat)));
  }

  /** Waits until `find` finds something; it is asked now and after each action. */
  when<Found>(find: () => Found | undefined): Promise<Found> {
    return new Promise((resolve) => {
      const check = (): void => {
        const found = find();
        if (found === undefined) return;
        this.#listeners.delete(check);
        resolve(found);
      };
      this.#listeners.add(check);
      check();
    });
  }

  /** Asks and waits for the end; confirms with `optionId` whatever must be confirmed. */
  async askAndWait(chat: URI, text: string, optionId?: 'allow-once' | 'allow-session' | 'allow-family' | 'deny') {
    const turnId = this.ask(chat, text);
    let isOver = false;
    const over = this.turnEnd(chat, turnId).finally(() => (isOver = true));
    const answered = new Set<string>();
    while (optionId !== undefined && !isOver) {
      const call = await Promise.race([over.then(() => undefined), this.pendingCall(chat, answered)]);
      if (!call) break;
      answered.add(call.toolCallId);
      this.confirm(chat, turnId, call.toolCallId, optionId);
    }
    return over;
  }

  confirm(chat: URI, turnId: string, toolCallId: string, optionId: string, more: Partial<ChatAction> = {}): void {
    const base = { type: 'chat/toolCallConfirmed', turnId, toolCallId, selectedOptionId: optionId } as const;
    const action =
      optionId === 'deny'
        ? ({ ...base, approved: false, reason: 'denied', ...more } as const)
        : ({ ...base, approved: true, confirmed: 'user-action', ...more } as const);
    this.dispatch(chat, action as StateAction);
  }

  pendingCall(chat: URI, except: ReadonlySet<string> = new Set()): Promise<ToolCallState> {
    return this.until(chat, (state) =>
      callsOf(state.activeTurn?.responseParts ?? []).find(
        (call) => call.status === 'pending-confirmation' && !except.has(call.toolCallId),
      ),
    );
  }

  turnEnd(chat: URI, turnId: string) {
    return this.until(chat, (state) => state.turns.find((turn) => turn.id === turnId));
  }

  close(): void {
    this.#link.close();
  }

  #send(message: Readonly<Record<string, unknown>>): void {
    this.#link.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  #receive(text: string): void {
    this.frames.push(text);
    const message = JSON.parse(text) as {
      id?: number;
      result?: unknown;
      error?: { code: number; message: string };
      method?: string;
      params?: unknown;
    };
    if (message.method === 'action') this.#apply(message.params as ActionEnvelope<ChatAction>);
    if (message.id === undefined || message.method !== undefined) return;
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.error) waiting?.reject(new Error(`${message.error.code}: ${message.error.message}`));
    else waiting?.resolve(message.result);
  }

  #apply(envelope: ActionEnvelope<ChatAction>): void {
    this.envelopes.push(envelope);
    const { channel, action } = envelope;
    if (envelope.rejectionReason === undefined) {
      const [chat, session, terminal] = [this.#chats, this.#sessions, this.#terminals];
      apply(chat, channel, (state) => chatReducer(state, action));
      apply(session, channel, (state) => sessionReducer(state, action));
      apply(terminal, channel, (state) => terminalReducer(state, action));
    }
    for (const listener of [...this.#listeners]) listener();
  }
}

function apply<State>(states: Map<URI, State>, channel: URI, reduce: (state: State) => State): void {
  const state = states.get(channel);
  if (state !== undefined) states.set(channel, reduce(state));
}

/** Everything a terminal has printed. */
export const outputOf = ({ content }: TerminalState): string =>
  content.map((part) => (part.type === 'command' ? part.output : part.value)).join('');

export const callsOf = (parts: readonly ResponsePart[]): ToolCallState[] =>
  parts.flatMap((part) => (part.kind === 'toolCall' ? [part.toolCall] : []));

export const textOf = (parts: readonly ResponsePart[]): string =>
  parts.map((part) => (part.kind === 'markdown' ? part.content : '')).join('');
