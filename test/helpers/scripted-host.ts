/**
 * A host that does what a test says: the real core, with one session and one chat, behind links whose every frame the test
 * may drop, hold, repeat or answer itself. All switches are here; the core has none.
 *
 * Frames cross in microtasks and time stands still: `await settle()` after an action, `environment.advance()` for timers.
 */

import type { StateAction, UnknownAction } from '../../src/protocol/actions.js';
import { hasContent } from '../../src/chat/proof.js';
import { pendingIdsOf } from '../../src/chat/selectors.js';
import { AhpError, RpcCode } from '../../src/protocol/errors.js';
import type { AhpTransport, Link } from '../../src/protocol/link.js';
import type { ActiveTurn, AgentInfo, ChatState, Message, SessionState, Turn, URI } from '../../src/protocol/state.js';
import { createHost, type Host } from '../../src/host/create-host.js';
import type { Decision, HostHooks, JournalEntry } from '../../src/host/hooks.js';
import { createLinkPair } from '../../src/host/link-pair.js';
import type { HostOptions } from '../../src/host/options.js';
import { TurnAborted, type TurnHandle } from '../../src/host/turn-handle.js';
import { ManualEnvironment } from './manual-environment.js';

export const SESSION: URI = 'ahp-session:/one';
export const CHAT: URI = 'ahp-chat:/one';

export interface ScriptedHostOptions extends Partial<Omit<HostOptions, 'environment'>> {
  /** Shared with the client, so that both live on one clock. */
  readonly environment?: ManualEnvironment;
  /** Finished turns the chat starts with. */
  readonly turns?: readonly Turn[];
  /** Bits that the chat's status has from the start, for example those of later versions. */
  readonly statusBits?: number;
  /** `false` starts without a session. */
  readonly hasSession?: boolean;
  /** Runs each turn; by default a turn waits for the test, see `turn`. */
  readonly agent?: (turn: TurnHandle) => void | Promise<void>;
}

/** One frame that a client has sent. */
export interface ClientFrame {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** How `reconnect` is answered: as the host would, or as the test wants. */
export type ReconnectMode = 'host' | 'snapshot' | 'silence' | { readonly code: number };

export const testAgent: AgentInfo = {
  provider: 'test',
  displayName: 'Test agent',
  description: 'Does what the test says.',
  models: [{ id: 'model-a', provider: 'test', name: 'Model A' }],
  capabilities: { multipleChats: { fork: true, sideChat: true }, multipleWorkingDirectories: {} },
};

export class ScriptedHost {
  readonly environment: ManualEnvironment;
  /** Opens links to the host that is up at that time. */
  readonly transport: AhpTransport;
  /** Every frame of every client, in order. */
  readonly received: ClientFrame[] = [];
  /** Every durable fact. */
  readonly journal: JournalEntry[] = [];
  /** `false`: nobody gets a link. */
  isReachable = true;
  /** `true`: links stay open and every frame is lost. */
  isHalfOpen = false;
  /** `true`: every envelope arrives twice. */
  duplicatesEnvelopes = false;
  /** `true`: `fetchTurns` is answered without turns, as hosts without paging do. */
  ignoresFetchTurns = false;
  /** `true`: `initialize` answers without snapshots; what was asked for stays subscribed all the same. */
  withholdsSnapshots = false;
  /** `true`: a start or a queued message that comes once more runs once more, as at hosts that forget what they took. */
  runsRepeats = false;
  onReconnect: ReconnectMode = 'host';
  /** The turn that runs, when no `agent` was given. */
  turn: TurnHandle | undefined;
  readonly #options: ScriptedHostOptions;
  readonly #links = new Set<FaultyLink>();
  readonly #forgotten = new Set<unknown>();
  readonly #verdicts: { readonly type: string; readonly decision: Decision }[] = [];
  #host: Host;

  constructor(options: ScriptedHostOptions = {}) {
    this.#options = options;
    this.environment = options.environment ?? new ManualEnvironment();
    this.#host = this.#start(options.serverSeq ?? 0);
    if (options.hasSession !== false) {
      this.#host.createSession({ resource: SESSION, provider: 'test', title: 'One', defaultChat: null });
      this.#host.createChat(SESSION, { resource: CHAT, ...(options.turns && { turns: options.turns }) });
      this.#host.dispatch(SESSION, { type: 'session/defaultChatChanged', defaultChat: CHAT });
    }
    if (options.statusBits !== undefined) this.#setStatusBits(options.statusBits);
    this.transport = { isLocal: true, connect: (signal) => this.#connect(signal) };
  }

  /** The host that is up. */
  get host(): Host {
    return this.#host;
  }

  get chat(): ChatState {
    return this.#host.getChat(CHAT)!;
  }

  get session(): SessionState {
    return this.#host.getSession(SESSION)!;
  }

  /** How many links are open. */
  get links(): number {
    return this.#links.size;
  }

  /** The params of every notification or request of `method` so far. */
  sent(method: string): readonly Readonly<Record<string, unknown>>[] {
    return this.received.flatMap((frame) => (frame.method === method ? [frame.params ?? {}] : []));
  }

  /** Every action that clients have dispatched, of `type` if given. */
  dispatched(type?: string): readonly StateAction[] {
    const actions = this.sent('dispatchAction').map(({ action }) => action as StateAction);
    return type === undefined ? actions : actions.filter((action) => action.type === type);
  }

  /** Applies one action of the host, of a later version too; unknown ones change no state but go out. */
  dispatch(action: StateAction | UnknownAction, channel: URI = CHAT): void {
    this.#host.dispatch(channel, action as StateAction);
  }

  /** Lets a turn run and end: `text` in one part, in as many deltas as it has lines. */
  say(text: string, turnId?: string): void {
    const running =
      turnId ?? this.#host.startTurn(CHAT, userMessage(`about ${text}`)) ?? this.chat.activeTurn?.id ?? '';
    const partId = `${running}-text`;
    this.dispatch({ type: 'chat/responsePart', turnId: running, part: { kind: 'markdown', id: partId, content: '' } });
    for (const line of text.split(/(?<=\n)/)) {
      this.dispatch({ type: 'chat/delta', turnId: running, partId, content: line });
    }
    this.dispatch({ type: 'chat/turnComplete', turnId: running, duration: 1 });
  }

  /* -------------------------------------------------------------- verdicts */

  /** Refuses the next action of `type`. */
  refuseNext(type: string, reason = 'the test says so'): void {
    this.#verdicts.push({ type, decision: { kind: 'refuse', reason } });
  }

  /** Neither applies nor echoes the next action of `type`. */
  ignoreNext(type: string): void {
    this.#verdicts.push({ type, decision: { kind: 'silent' } });
  }

  /** Applies and echoes `action` in the place of the next one of its type. */
  alterNext(action: StateAction): void {
    this.#verdicts.push({ type: action.type, decision: { kind: 'accept', action } });
  }

  /** What was said of the next actions holds no more. */
  forgetVerdicts(): void {
    this.#verdicts.length = 0;
  }

  /* -------------------------------------------------------------- links */

  /** Ends every link, as a network does. */
  drop(): void {
    for (const link of [...this.#links]) link.cut();
  }

  /** Ends every open link once `frames` more frames have gone out on it. */
  dropAfter(frames: number): void {
    for (const link of this.#links) link.framesLeft = frames;
  }

  /** Keeps every frame to the clients back; `release` lets them go in order. */
  hold(): void {
    for (const link of this.#links) link.held ??= [];
  }

  release(): void {
    for (const link of this.#links) link.release();
  }

  /** What was held back never arrives; what comes from now on does. */
  loseHeld(): void {
    for (const link of this.#links) link.held = undefined;
  }

  /** Sends one frame to every client, whatever it says. */
  inject(frame: object | string): void {
    const text = typeof frame === 'string' ? frame : JSON.stringify({ jsonrpc: '2.0', ...frame });
    for (const link of this.#links) link.down(text);
  }

  /**
   * Kills the host and starts another with its state. Clients are forgotten. `serverSeq: 'anew'` lets the counter start
   * at 0, as hosts do that do not keep it; `state: 'lost'` starts with nothing.
   */
  restart(
    options: {
      readonly serverSeq?: 'kept' | 'anew';
      readonly state?: 'kept' | 'lost';
      /** Whether the next one has a list of steering messages; by default as before. */
      readonly steeringMessages?: boolean;
    } = {},
  ): void {
    const saved = this.#host.exportState();
    this.drop();
    this.#host.close();
    this.turn = undefined;
    const isAnew = options.serverSeq === 'anew';
    const { steeringMessages = this.#options.steeringMessages === true } = options;
    this.#host = this.#start(isAnew ? 0 : saved.serverSeq, { steeringMessages });
    if (options.state !== 'lost') this.#host.restore({ saved: isAnew ? { ...saved, serverSeq: 0 } : saved });
  }

  /** Forgets every client that was here so far: its `reconnect` is refused until it initializes again. */
  forgetClients(): void {
    for (const { clientId } of this.sent('initialize')) this.#forgotten.add(clientId);
  }

  /** Ends everything. */
  close(): void {
    this.drop();
    this.#host.close();
  }

  #setStatusBits(bits: number): void {
    const saved = this.#host.exportState();
    const chats = saved.chats.map((chat) => ({
      ...chat,
      state: { ...chat.state, status: (chat.state.status | bits) >>> 0 },
    }));
    this.#host.close();
    this.#host = this.#start(saved.serverSeq);
    this.#host.restore({ saved: { ...saved, chats } });
  }

  #start(serverSeq: number, more: Partial<HostOptions> = {}): Host {
    const { turns: _turns, hasSession: _hasSession, statusBits: _bits, agent, hooks = {}, ...options } = this.#options;
    const all: HostHooks = {
      ...hooks,
      decide: (action, context) => this.#verdict(action) ?? hooks.decide?.(action, context),
      onCommitted: (entry) => {
        this.journal.push(entry);
        hooks.onCommitted?.(entry);
      },
      runTurn: agent ?? hooks.runTurn ?? ((turn) => this.#await(turn)),
    };
    const { environment } = this;
    return createHost({ agents: [testAgent], ...options, ...more, environment, serverSeq, hooks: all });
  }

  /** Shows the turn to the test and waits until it is over. */
  #await(turn: TurnHandle): Promise<void> {
    this.turn = turn;
    return new Promise((resolve) => {
      turn.signal.addEventListener('abort', () => {
        if (this.turn === turn) this.turn = undefined;
        resolve();
      });
    });
  }

  #verdict(action: StateAction): Decision | undefined {
    const index = this.#verdicts.findIndex(({ type }) => type === action.type);
    return index < 0 ? undefined : this.#verdicts.splice(index, 1)[0]?.decision;
  }

  #connect(signal: AbortSignal): Promise<Link> {
    if (!this.isReachable || signal.aborted) {
      return Promise.reject(new AhpError('disconnected', 'The scripted host is not reachable.'));
    }
    const [client, near] = createLinkPair();
    const [far, host] = createLinkPair();
    const link = new FaultyLink(this, near, far, () => this.#links.delete(link));
    this.#links.add(link);
    this.#host.connect(host);
    return Promise.resolve(client);
  }

  /** The core knows every id and passes over what it has; here it runs, under an id of its own. */
  #repeat(action: StateAction): void {
    const message = findRepeated(this.chat, action);
    if (!message || this.#host.startTurn(CHAT, message) !== undefined) return;
    this.dispatch({ type: 'chat/pendingMessageSet', kind: 'queued', id: this.environment.createId(), message });
  }

  /** What becomes of a client's frame: passed on as returned, or kept. */
  filter(frame: ClientFrame, answer: (message: object) => void): ClientFrame | undefined {
    this.received.push(frame);
    if (this.isHalfOpen) return undefined;
    if (frame.method === 'fetchTurns' && this.ignoresFetchTurns) {
      answer({ id: frame.id, result: {} });
      return undefined;
    }
    if (frame.method === 'dispatchAction' && this.runsRepeats) this.#repeat(frame.params?.action as StateAction);
    if (frame.method === 'initialize') this.#forgotten.delete(frame.params?.clientId);
    if (frame.method !== 'reconnect') return frame;
    const isForgotten = this.#forgotten.has(frame.params?.clientId);
    const mode: ReconnectMode = isForgotten ? { code: RpcCode.NotFound } : this.onReconnect;
    if (mode === 'host') return frame;
    if (mode === 'silence') return undefined;
    if (mode === 'snapshot') {
      // A number the host has never reached is answered with snapshots.
      return { ...frame, params: { ...frame.params, lastSeenServerSeq: Number.MAX_SAFE_INTEGER } };
    }
    answer({ id: frame.id, error: { code: mode.code, message: 'The test says so.' } });
    return undefined;
  }
}

/** The message of a turn there is, if `action` asks for that turn once more; a change of what has waited is another message. */
function findRepeated({ turns, activeTurn }: ChatState, action: StateAction): Message | undefined {
  const all: readonly (Turn | ActiveTurn)[] = activeTurn ? [...turns, activeTurn] : turns;
  const find = (isSame: (turn: Turn | ActiveTurn) => boolean) => all.find(isSame)?.message;
  switch (action.type) {
    case 'chat/turnStarted':
      return find(({ id }) => id === action.turnId);
    case 'chat/pendingMessageSet':
      return find(({ message }) => pendingIdsOf(message)[0] === action.id && hasContent(message, action.message));
    default:
      return undefined;
  }
}

/** The two halves of one connection with the test between them. */
class FaultyLink {
  /** The link is cut when this many more frames have gone out. */
  framesLeft = Infinity;
  held: string[] | undefined;
  readonly #script: ScriptedHost;
  readonly #near: Link;
  readonly #far: Link;
  readonly #closed: () => void;

  constructor(script: ScriptedHost, near: Link, far: Link, closed: () => void) {
    this.#script = script;
    this.#near = near;
    this.#far = far;
    this.#closed = closed;
    near.onmessage = (text) => {
      this.#up(text);
    };
    near.onclose = () => {
      this.#far.close();
      this.#closed();
    };
    far.onmessage = (text) => {
      this.down(text);
    };
    far.onclose = () => {
      this.release();
      this.#near.close();
      this.#closed();
    };
  }

  cut(): void {
    this.#near.close();
    this.#far.close();
    this.#closed();
  }

  release(): void {
    const held = this.held ?? [];
    this.held = undefined;
    for (const text of held) this.down(text);
  }

  down(text: string): void {
    if (this.#script.isHalfOpen) return;
    if (this.held) {
      this.held.push(text);
      return;
    }
    if (this.framesLeft-- <= 0) {
      this.cut();
      return;
    }
    const frame = this.#script.withholdsSnapshots ? withoutSnapshots(text) : text;
    this.#near.send(frame);
    if (this.#script.duplicatesEnvelopes && text.includes('"method":"action"')) this.#near.send(frame);
    if (this.framesLeft <= 0) this.cut();
  }

  #up(text: string): void {
    let frame: ClientFrame;
    try {
      frame = JSON.parse(text) as ClientFrame;
    } catch {
      // The host answers what cannot be read.
      this.#far.send(text);
      return;
    }
    const passed = this.#script.filter(frame, (message) => {
      this.down(JSON.stringify({ jsonrpc: '2.0', ...message }));
    });
    if (passed) this.#far.send(passed === frame ? text : JSON.stringify(passed));
  }
}

function withoutSnapshots(text: string): string {
  const message = JSON.parse(text) as { result?: { protocolVersion?: string } };
  return message.result?.protocolVersion === undefined
    ? text
    : JSON.stringify({ ...message, result: { ...message.result, snapshots: [] } });
}

export const userMessage = (text: string, more: Partial<Message> = {}): Message => ({
  text,
  origin: { kind: 'user' },
  ...more,
});

/** Finished turns `t1` to `t<count>`, each a short exchange. */
export function createTurns(count: number, more: (index: number) => Partial<Turn> = () => ({})): Turn[] {
  return Array.from({ length: count }, (_, index) => {
    const id = `t${index + 1}`;
    return {
      id,
      startedAt: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
      duration: 5,
      message: userMessage(`message of ${id}`),
      responseParts: [{ kind: 'markdown', id: `${id}-text`, content: `answer of ${id}` }],
      state: 'complete' as const,
      ...more(index),
    };
  });
}

/** Whether a wait of a turn was cut off. */
export const isAborted = (error: unknown): error is TurnAborted => error instanceof TurnAborted;
