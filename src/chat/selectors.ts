/**
 * The questions views and hosts ask of a chat. Pure; each costs what it looks at: the running turn, the queue, or one
 * turn. Nothing here walks all turns twice for the same array, and nothing here knows the reducer: a page asks these before
 * it has met a host.
 */

import { MetaKey } from '../protocol/meta.js';
import { isRecord } from '../protocol/record.js';
import {
  Status,
  type ActiveTurn,
  type ChatInputRequest,
  type ChatState,
  type ErrorInfo,
  type InputRequestPart,
  type Message,
  type PendingMessage,
  type PendingMessageKind,
  type ResponsePart,
  type ToolCallAuthRequired,
  type ToolCallPendingConfirmation,
  type ToolCallPendingResultConfirmation,
  type ToolCallState,
  type Turn,
} from '../protocol/state.js';
import { hasStatus } from '../protocol/status.js';
import { countBlocking } from './parts.js';

/** Whether a turn runs; a message that is sent now is queued. */
export const isBusy = (state: ChatState): boolean => state.activeTurn !== undefined;

/** Whether the running turn waits for a person. */
export const needsInput = (state: ChatState): boolean =>
  state.activeTurn !== undefined && countBlocking(state.activeTurn.responseParts) > 0;

/** Whether the person may write here. What is neither known nor absent counts as read-only. */
export const canWrite = (state: ChatState): boolean =>
  state.interactivity === undefined || state.interactivity === 'full';

export const isRead = (state: ChatState): boolean => hasStatus(state.status, Status.IsRead);
export const isArchived = (state: ChatState): boolean => hasStatus(state.status, Status.IsArchived);

/** Whether the host has older turns than the chat holds. */
export const hasOlderTurns = (state: ChatState): boolean => state.turnsNextCursor !== undefined;

/** The last turn, if the host offers to go on with it. */
export function findResumable(state: ChatState): Turn | undefined {
  const turn = state.turns.at(-1);
  if (state.activeTurn || turn?.state !== 'error') return undefined;
  const end = turn.responseParts.at(-1);
  return end?.kind === 'error' && end.resumable === true ? turn : undefined;
}

/** Whether `turn` failed and the host offers to go on with it: only the last one, and only while nothing runs. */
export const isResumable = (state: ChatState, turn: Turn): boolean => findResumable(state)?.id === turn.id;

/** The running turn's questions without a response, in order. Those of finished turns stay unanswered for good. */
export const openInputRequests = (state: ChatState): readonly InputRequestPart[] =>
  activeParts(state).filter(
    (part): part is InputRequestPart => part.kind === 'inputRequest' && part.response === undefined,
  );

/**
 * The open request that one text can answer for good: it asks exactly one thing and leads nowhere else. Questions that
 * belong together need their form.
 */
export function findAnswerable(state: ChatState): ChatInputRequest | undefined {
  const request = openInputRequests(state)[0]?.request;
  return request?.questions?.length === 1 && request.url === undefined ? request : undefined;
}

/** A call that waits for a person, in one of the three ways a call can. */
export type BlockedCall = ToolCallPendingConfirmation | ToolCallPendingResultConfirmation | ToolCallAuthRequired;

/** The running turn's calls that wait for a person, in order; a call that was started twice counts once. */
export const blockedCalls = (state: ChatState): readonly BlockedCall[] => activeCalls(state).filter(isBlocked);

/** The running turn's calls that wait for approval before they run. */
export const pendingConfirmations = (state: ChatState): readonly ToolCallPendingConfirmation[] =>
  activeCalls(state).filter((call): call is ToolCallPendingConfirmation => call.status === 'pending-confirmation');

function isBlocked(call: ToolCallState): call is BlockedCall {
  return (
    call.status === 'pending-confirmation' ||
    call.status === 'pending-result-confirmation' ||
    call.status === 'auth-required'
  );
}

/** A call of the running turn or of one that has ended. */
export const findCall = (
  turn: Pick<Turn | ActiveTurn, 'responseParts'> | undefined,
  toolCallId: string,
): ToolCallState | undefined => callsOf(turn?.responseParts ?? []).find((call) => call.toolCallId === toolCallId);

const activeParts = (state: ChatState): readonly ResponsePart[] => state.activeTurn?.responseParts ?? [];

const activeCalls = (state: ChatState): readonly ToolCallState[] => callsOf(activeParts(state));

/** The first part of each call; some hosts send one call as two parts that are kept alike. */
function callsOf(parts: readonly ResponsePart[]): readonly ToolCallState[] {
  const calls = new Map<string, ToolCallState>();
  for (const part of parts) {
    if (part.kind === 'toolCall' && isRecord(part.toolCall) && !calls.has(part.toolCall.toolCallId)) {
      calls.set(part.toolCall.toolCallId, part.toolCall);
    }
  }
  return [...calls.values()];
}

/** The turn of this id, running or finished. */
export function findTurn(state: ChatState, turnId: string): Turn | ActiveTurn | undefined {
  return state.activeTurn?.id === turnId ? state.activeTurn : state.turns.findLast((turn) => turn.id === turnId);
}

/** What the assistant wrote: all Markdown of the turn, in order. */
export const assistantText = (turn: Pick<Turn, 'responseParts'>): string =>
  turn.responseParts.map((part) => (part?.kind === 'markdown' ? part.content : '')).join('');

/** Why the turn failed, whichever version's shape says it. */
export function turnError(turn: Turn): ErrorInfo | undefined {
  const end = turn.responseParts.at(-1);
  return end?.kind === 'error' ? end.error : turn.error;
}

/** A message that waits for its turn, as it is shown. */
export interface WaitingMessage extends PendingMessage {
  readonly kind: PendingMessageKind;
  /** It stands in the list of steering messages, out of which only the host takes messages. */
  readonly isListed?: boolean;
}

/**
 * The messages that wait, in the order in which they will be taken: the steering slot, the steering list, the queue. An id
 * shows once, and not at all when a turn was made of it already: hosts may start the turn before they clear the queue.
 */
export function waitingMessages(state: ChatState): readonly WaitingMessage[] {
  const { steeringMessage, steeringMessages = [], queuedMessages = [] } = state;
  const all: readonly WaitingMessage[] = [
    ...(steeringMessage ? [{ ...steeringMessage, kind: 'steering' as const }] : []),
    ...steeringMessages.map((entry) => ({ ...entry, kind: 'steering' as const, isListed: true })),
    ...queuedMessages.map((entry) => ({ ...entry, kind: 'queued' as const })),
  ];
  const shown = new Map<string, WaitingMessage>();
  for (const entry of all) if (!shown.has(entry.id) && !isTaken(state, entry.id)) shown.set(entry.id, entry);
  return [...shown.values()];
}

/** Whether a turn, running or finished, was made of the pending message with this id. */
export const isTaken = (state: ChatState, pendingId: string): boolean =>
  pendingIdsOf(state.activeTurn?.message).includes(pendingId) || takenIds(state.turns).has(pendingId);

/**
 * The id under which a message waited before it became a turn, if one of our kind sent it, and those of the messages that
 * had been put into it.
 */
export function pendingIdsOf(message: Message | undefined): readonly string[] {
  const mark = message?._meta?.[MetaKey.pending];
  if (!isRecord(mark) || typeof mark.id !== 'string') return [];
  const joins = Array.isArray(mark.joins) ? mark.joins : [];
  return [mark.id, ...joins.filter((id): id is string => typeof id === 'string')];
}

const takenByTurns = new WeakMap<readonly Turn[], ReadonlySet<string>>();

function takenIds(turns: readonly Turn[]): ReadonlySet<string> {
  let ids = takenByTurns.get(turns);
  if (!ids) {
    ids = new Set(turns.flatMap((turn) => pendingIdsOf(turn.message)));
    takenByTurns.set(turns, ids);
  }
  return ids;
}
