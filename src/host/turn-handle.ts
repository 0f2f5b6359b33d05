/**
 * How a plug-in runs one turn: it dispatches to the turn's chat, waits for what people decide, and ends the turn. A handle
 * outlives its turn without harm: then it does nothing and its waits reject.
 */

import type { ChatAction } from '../protocol/actions.js';
import type {
  ActiveTurn,
  ChatState,
  ErrorInfo,
  InputRequestPart,
  Message,
  PendingMessage,
  ToolCallState,
  URI,
} from '../protocol/state.js';

/** What begins or ends a turn is the host's business. */
type LifecycleType =
  | 'chat/turnStarted'
  | 'chat/turnComplete'
  | 'chat/turnCancelled'
  | 'chat/error'
  | 'chat/turnResume'
  | 'chat/truncated'
  | 'chat/turnsLoaded';

type WithoutTurnId<A> = A extends { readonly turnId: string } ? Omit<A, 'turnId'> : A;

/** A chat action of the running turn; the turn's id is added. */
export type TurnAction = WithoutTurnId<Exclude<ChatAction, { type: LifecycleType }>>;

/** Why a turn is no longer the one that runs. The `reason` of the handle's signal. */
export class TurnAborted extends Error {
  readonly reason: 'cancelled' | 'truncated' | 'replaced' | 'disposed' | 'ended' | 'closed';

  constructor(reason: TurnAborted['reason']) {
    super(`The turn is over: ${reason}.`);
    this.name = 'AbortError';
    this.reason = reason;
  }
}

/** A call in one of the states that nothing pending is left in. */
export type SettledToolCall = Extract<ToolCallState, { status: 'completed' | 'cancelled' }>;
export type ConfirmedToolCall = Exclude<ToolCallState, { status: 'streaming' | 'pending-confirmation' }>;

export interface TurnHandle {
  readonly session: URI;
  readonly chat: URI;
  readonly turnId: string;
  /** What started the turn. */
  readonly message: Message;
  /** The turn had failed, or its host was restarted while it waited; it goes on with the parts it has. */
  readonly isResumed: boolean;
  /** Aborted with a `TurnAborted` when the turn is cancelled, cut off or disposed of, and when it has ended. */
  readonly signal: AbortSignal;
  /** The chat as it is now. */
  readonly state: ChatState;
  /** The turn as it is now, `undefined` once it is over. */
  readonly turn: ActiveTurn | undefined;

  /** Applies and sends one action. Returns `false`, and does nothing, when the turn is over. */
  dispatch(action: TurnAction): boolean;

  /** Waits until somebody has confirmed or denied the call: it runs, is cancelled, or has ended otherwise. */
  confirmation(toolCallId: string): Promise<ConfirmedToolCall>;
  /** Waits until the call is over: a client has run it, or its result is confirmed or discarded. */
  completion(toolCallId: string): Promise<SettledToolCall>;
  /** Waits until the call no longer asks for a token. */
  authorization(toolCallId: string): Promise<ToolCallState>;
  /** Waits for the answer to an input request of this turn. */
  answer(requestId: string): Promise<InputRequestPart>;
  /** Waits until `check` returns something; it is asked now and after each change of the chat. */
  until<Value>(check: (state: ChatState) => Value | undefined): Promise<Value>;

  /** A message the person slipped in, taken out of its slot; the plug-in works it in. */
  takeSteering(): PendingMessage | undefined;

  /** Ends the turn. What still waits in the steering slot or the queue then starts the next one. */
  complete(): void;
  /** Ends the turn with an error; `resumable` lets the person have it go on later. */
  fail(error: ErrorInfo, options?: { readonly resumable?: boolean }): void;
}
