/**
 * Runs turns through the host's hook, watches how they end, and lets what waits in a chat's steering slot and queue start
 * the next ones. Source: AHP, pending messages; host duties on queue and steering.
 */

import type { ChatAction, StateAction } from '../protocol/actions.js';
import type {
  ActiveTurn,
  ChatState,
  ErrorInfo,
  InputRequestPart,
  Message,
  PendingMessage,
  ToolCallState,
  Turn,
  URI,
} from '../protocol/state.js';
import type { ChatChannel } from './channels.js';
import type { HostCore } from './host-core.js';
import {
  TurnAborted,
  type ConfirmedToolCall,
  type SettledToolCall,
  type TurnAction,
  type TurnHandle,
} from './turn-handle.js';

/** Actions of a chat, not of one of its turns: they carry no turn id. */
const turnless: ReadonlySet<string> = new Set<ChatAction['type']>([
  'chat/activityChanged',
  'chat/workingDirectorySet',
  'chat/workingDirectoryRemoved',
  'chat/pendingMessageSet',
  'chat/pendingMessageRemoved',
  'chat/queuedMessagesReordered',
  'chat/steeringMessageSet',
  'chat/steeringMessageRemoved',
  'chat/draftChanged',
  'chat/inputRequested',
  'chat/inputAnswerChanged',
  'chat/inputCompleted',
  'chat/isReadChanged',
  'chat/isArchivedChanged',
  'chat/changesetsChanged',
  'chat/backgroundWorkSet',
  'chat/backgroundWorkRemoved',
  'chat/movableChanged',
]);

export class TurnRunner {
  readonly #host: HostCore;
  readonly #running = new Map<URI, RunningTurn>();
  /** Who waits for the end of a chat's turn. */
  readonly #ends = new Set<{ readonly chat: URI; readonly resolve: () => void }>();

  constructor(host: HostCore) {
    this.#host = host;
  }

  /** Follows a chat that went from `before` to its present state by `action`. */
  follow(channel: ChatChannel, before: ChatState, action: StateAction): void {
    const after = channel.state;
    const running = this.#running.get(channel.uri);
    if (running && after.activeTurn?.id !== running.turnId) {
      this.#running.delete(channel.uri);
      running.abort(reasonOf(action));
    } else {
      running?.check();
    }
    if (before.activeTurn && after.activeTurn?.id !== before.activeTurn.id) this.#tellEnd(channel.uri);
    if (after.activeTurn && after.activeTurn.id !== before.activeTurn?.id) {
      this.#host.later(() => {
        this.start(channel, action.type === 'chat/turnResume');
      });
    }
    // A queue goes on after a natural end only; what was stopped or has failed waits until somebody acts.
    if (!after.activeTurn && (action.type === 'chat/turnComplete' || isNewlyQueued(before, action))) {
      this.#host.later(() => {
        this.startPending(channel);
      });
    }
  }

  /** Hands the active turn to the hook, once. A session that is still being created keeps it waiting. */
  start(channel: ChatChannel, isResumed: boolean): void {
    const turn = channel.state.activeTurn;
    const session = this.#host.sessionOf(channel);
    if (!turn || !session || session.state.lifecycle === 'creating') return;
    if (this.#running.get(channel.uri)?.turnId === turn.id) return;
    const running = new RunningTurn(this.#host, channel, turn, isResumed);
    this.#running.set(channel.uri, running);
    void running.run();
  }

  /** Starts what waits: a steering message nobody took, else the head of the queue. */
  startPending(channel: ChatChannel): boolean {
    const { activeTurn, steeringMessage, steeringMessages, queuedMessages } = channel.state;
    if (activeTurn) return false;
    const steering = steeringMessage ?? steeringMessages?.[0];
    if (steering) return this.#startWith(channel, steering);
    const queued = queuedMessages?.[0];
    if (!queued) return false;
    this.#host.commit(channel, { type: 'chat/pendingMessageRemoved', kind: 'queued', id: queued.id });
    return this.#startWith(channel, queued);
  }

  #startWith(channel: ChatChannel, { id, message }: PendingMessage): boolean {
    this.#host.startTurn(channel.uri, message, { queuedMessageId: id });
    return true;
  }

  /** Resolves with a turn when it has ended; `undefined` when it was cut off, or the chat is gone. */
  async turnEnd(uri: URI, turnId: string): Promise<Turn | undefined> {
    const find = (): Turn | undefined => this.#host.getChat(uri)?.turns.find(({ id }) => id === turnId);
    while (this.#host.getChat(uri)?.activeTurn?.id === turnId) {
      await new Promise<void>((resolve) => this.#ends.add({ chat: uri, resolve }));
    }
    return find();
  }

  #tellEnd(chat: URI): void {
    for (const end of this.#ends) {
      if (end.chat !== chat) continue;
      this.#ends.delete(end);
      end.resolve();
    }
  }

  /** The chat is no more. */
  dispose(chat: URI, reason: TurnAborted['reason']): void {
    this.#running.get(chat)?.abort(reason);
    this.#running.delete(chat);
    this.#tellEnd(chat);
  }

  disposeAll(): void {
    for (const chat of [...this.#running.keys()]) this.dispose(chat, 'closed');
  }
}

function reasonOf(action: StateAction): TurnAborted['reason'] {
  switch (action.type) {
    case 'chat/turnCancelled':
      return 'cancelled';
    case 'chat/truncated':
      return 'truncated';
    case 'chat/turnStarted':
      return 'replaced';
    default:
      return 'ended';
  }
}

/** An edit of a message that waits already is no new wish to send it. */
function isNewlyQueued(before: ChatState, action: StateAction): boolean {
  if (action.type !== 'chat/pendingMessageSet' || action.kind !== 'queued') return false;
  return !before.queuedMessages?.some(({ id }) => id === action.id);
}

interface Wait {
  /** Returns whether it is over. */
  check(): boolean;
  abort(reason: TurnAborted): void;
}

class RunningTurn implements TurnHandle {
  readonly turnId: string;
  readonly message: Message;
  readonly isResumed: boolean;
  readonly #host: HostCore;
  readonly #channel: ChatChannel;
  readonly #controller = new AbortController();
  readonly #startedAt: number;
  #waits: Wait[] = [];

  constructor(host: HostCore, channel: ChatChannel, turn: ActiveTurn, isResumed: boolean) {
    this.#host = host;
    this.#channel = channel;
    this.turnId = turn.id;
    this.message = turn.message;
    this.isResumed = isResumed;
    this.#startedAt = host.environment.now();
  }

  get session(): URI {
    return this.#channel.session;
  }

  get chat(): URI {
    return this.#channel.uri;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get state(): ChatState {
    return this.#channel.state;
  }

  get turn(): ActiveTurn | undefined {
    return this.#isActive ? this.state.activeTurn : undefined;
  }

  get #isActive(): boolean {
    return !this.signal.aborted && this.state.activeTurn?.id === this.turnId;
  }

  async run(): Promise<void> {
    const { runTurn } = this.#host.hooks;
    // Without a hook somebody else drives the chat by dispatching to it.
    if (!runTurn) return;
    try {
      await runTurn(this);
      this.complete();
    } catch (error) {
      // A wait that was cut off by the end of the turn is no failure.
      if (this.signal.aborted) return;
      this.#host.diagnose('turn-failed', error);
      this.fail({ errorType: 'agent-failed', message: 'The agent failed.' }, { resumable: true });
    }
  }

  dispatch(action: TurnAction): boolean {
    if (!this.#isActive) return false;
    // The turn's id is all that `TurnAction` leaves out.
    const whole = (turnless.has(action.type) ? action : { ...action, turnId: this.turnId }) as ChatAction;
    this.#host.commit(this.#channel, whole);
    return true;
  }

  confirmation(toolCallId: string): Promise<ConfirmedToolCall> {
    return this.#untilCall(toolCallId, (call) =>
      call.status === 'streaming' || call.status === 'pending-confirmation' ? undefined : call,
    );
  }

  completion(toolCallId: string): Promise<SettledToolCall> {
    return this.#untilCall(toolCallId, (call) =>
      call.status === 'completed' || call.status === 'cancelled' ? call : undefined,
    );
  }

  authorization(toolCallId: string): Promise<ToolCallState> {
    return this.#untilCall(toolCallId, (call) => (call.status === 'auth-required' ? undefined : call));
  }

  answer(requestId: string): Promise<InputRequestPart> {
    return this.until((state) => {
      const isAnswered = (part: { readonly kind: string }): part is InputRequestPart =>
        part.kind === 'inputRequest' &&
        (part as InputRequestPart).request.id === requestId &&
        (part as InputRequestPart).response !== undefined;
      // The newest: an id may be asked again after it was answered.
      return state.activeTurn?.responseParts.findLast(isAnswered);
    });
  }

  #untilCall<Call>(toolCallId: string, check: (call: ToolCallState) => Call | undefined): Promise<Call> {
    return this.until((state) => {
      for (const part of state.activeTurn?.responseParts ?? []) {
        if (part.kind === 'toolCall' && part.toolCall.toolCallId === toolCallId) return check(part.toolCall);
      }
      return undefined;
    });
  }

  until<Value>(check: (state: ChatState) => Value | undefined): Promise<Value> {
    const promise = new Promise<Value>((resolve, reject) => {
      if (this.signal.aborted) {
        reject(this.signal.reason as TurnAborted);
        return;
      }
      const wait: Wait = {
        check: () => {
          const value = check(this.state);
          if (value !== undefined) resolve(value);
          return value !== undefined;
        },
        abort: reject,
      };
      if (!wait.check()) this.#waits.push(wait);
    });
    // A plug-in may have stopped looking; the end of the turn is not its unhandled failure.
    promise.catch(() => undefined);
    return promise;
  }

  takeSteering(): PendingMessage | undefined {
    const { steeringMessage, steeringMessages } = this.state;
    if (!this.#isActive) return undefined;
    if (steeringMessage) {
      this.#host.noteRead(this.#channel, steeringMessage);
      this.dispatch({ type: 'chat/pendingMessageRemoved', kind: 'steering', id: steeringMessage.id });
      return steeringMessage;
    }
    const first = steeringMessages?.[0];
    if (first) this.dispatch({ type: 'chat/steeringMessageRemoved', id: first.id });
    return first;
  }

  complete(): void {
    if (!this.#isActive) return;
    this.#host.commit(this.#channel, { type: 'chat/turnComplete', turnId: this.turnId, duration: this.#duration });
  }

  fail(error: ErrorInfo, { resumable = false }: { readonly resumable?: boolean } = {}): void {
    if (!this.#isActive) return;
    this.#host.commit(this.#channel, {
      type: 'chat/error',
      turnId: this.turnId,
      duration: this.#duration,
      part: { kind: 'error', error, ...(resumable && { resumable }) },
    });
  }

  /** Milliseconds; a clock that was set back gives 0. */
  get #duration(): number {
    return Math.max(0, this.#host.environment.now() - this.#startedAt);
  }

  /** The chat has changed. */
  check(): void {
    if (this.#waits.length > 0) this.#waits = this.#waits.filter((wait) => !wait.check());
  }

  abort(reason: TurnAborted['reason']): void {
    const aborted = new TurnAborted(reason);
    this.#controller.abort(aborted);
    const waits = this.#waits;
    this.#waits = [];
    for (const wait of waits) wait.abort(aborted);
  }
}
