/**
 * The life of a turn: it starts, grows, ends, and may be resumed, cut off or paged in. Pure and without a clock: every
 * time comes from an action's own data. Source: AHP, chat reducer, turn lifecycle.
 */

import type {
  ChatDeltaAction,
  ChatErrorAction,
  ChatReasoningAction,
  ChatTruncatedAction,
  ChatTurnCancelledAction,
  ChatTurnCompleteAction,
  ChatTurnsLoadedAction,
  ChatTurnStartedAction,
} from '../protocol/actions.js';
import { isRecord, without, withField } from '../protocol/record.js';
import {
  Status,
  type ActiveTurn,
  type ChatState,
  type ErrorPart,
  type ToolCallState,
  type Turn,
  type TurnState,
} from '../protocol/state.js';
import { withActivity, withFlag } from '../protocol/status.js';
import { findCalls, findPart, forgetParts, replacePart, type Parts } from './parts.js';
import { consumePending } from './pending-message.js';
import { findResumable } from './selectors.js';
import { activityOf, withDerivedStatus } from './status.js';
import { skipCall } from './tool-call.js';
import { appendTurn, hasTurn, prependTurns } from './turn-ids.js';

/** Starts a turn once: its id is known from then on. A different turn that still runs is lost, as the protocol has it. */
export function startTurn(state: ChatState, action: ChatTurnStartedAction): ChatState {
  const { turnId, message, startedAt, queuedMessageId } = action;
  if (typeof turnId !== 'string' || !isRecord(message)) return state;
  if (turnId === state.activeTurn?.id || hasTurn(state.turns, turnId)) return state;
  const time = typeof startedAt === 'string' ? { startedAt } : undefined;
  const started: ChatState = {
    ...state,
    activeTurn: { id: turnId, ...time, message, responseParts: [] },
    status: withFlag(withActivity(state.status, Status.InProgress), Status.IsRead, false),
    ...(time && { modifiedAt: time.startedAt }),
  };
  return typeof queuedMessageId === 'string' ? consumePending(started, queuedMessageId) : started;
}

/** The chat with other parts in its running turn; the same chat if they are the same. */
export function withParts(state: ChatState, turn: ActiveTurn, responseParts: Parts): ChatState {
  return responseParts === turn.responseParts ? state : { ...state, activeTurn: { ...turn, responseParts } };
}

/** The running turn, if it is the one named. */
export const findActive = (state: ChatState, turnId: string): ActiveTurn | undefined =>
  state.activeTurn?.id === turnId ? state.activeTurn : undefined;

/** Appends text to the part it names, if that part is of the kind the action is for. */
export function growText(
  state: ChatState,
  action: ChatDeltaAction | ChatReasoningAction,
  kind: 'markdown' | 'reasoning',
): ChatState {
  const turn = findActive(state, action.turnId);
  if (!turn || typeof action.content !== 'string' || action.content === '') return state;
  const at = findPart(turn.responseParts, action.partId);
  const part = turn.responseParts[at];
  if (part?.kind !== kind) return state;
  const before = typeof part.content === 'string' ? part.content : '';
  return withParts(state, turn, replacePart(turn.responseParts, at, { ...part, content: before + action.content }));
}

/** Lets every call with this id answer; some hosts start one call twice, and both parts stay alike. */
export function updateCalls(
  state: ChatState,
  action: { readonly turnId: string; readonly toolCallId: string },
  answer: (call: ToolCallState) => ToolCallState,
): ChatState {
  const turn = findActive(state, action.turnId);
  if (!turn) return state;
  let parts = turn.responseParts;
  for (const at of findCalls(parts, action.toolCallId)) {
    const part = parts[at];
    if (part?.kind !== 'toolCall') continue;
    const toolCall = answer(part.toolCall);
    if (toolCall !== part.toolCall) parts = replacePart(parts, at, { ...part, toolCall });
  }
  return withParts(state, turn, parts);
}

export const completeTurn = (state: ChatState, action: ChatTurnCompleteAction): ChatState =>
  endTurn(state, action, 'complete');

export const cancelTurn = (state: ChatState, action: ChatTurnCancelledAction): ChatState =>
  endTurn(state, action, 'cancelled');

/** Ends a turn with an error: as its last part from 0.9 on, on the turn itself before that. */
export function failTurn(state: ChatState, action: ChatErrorAction): ChatState {
  if (isRecord(action.part)) return endTurn(state, action, 'error', { part: action.part });
  return endTurn(state, action, 'error', isRecord(action.error) ? { error: action.error } : {});
}

function endTurn(
  state: ChatState,
  action: { readonly turnId: string; readonly duration?: number },
  ending: TurnState,
  failure: { readonly part?: ErrorPart; readonly error?: Turn['error'] } = {},
): ChatState {
  const active = findActive(state, action.turnId);
  if (!active) return state;
  forgetParts(active.responseParts);
  const duration = Number.isFinite(action.duration) ? Math.max(0, action.duration ?? 0) : 0;
  const parts = active.responseParts.map((part) => {
    if (part?.kind !== 'toolCall' || !isRecord(part.toolCall)) return part;
    const toolCall = skipCall(part.toolCall);
    return toolCall === part.toolCall ? part : { ...part, toolCall };
  });
  const turn: Turn = {
    ...active,
    duration,
    responseParts: failure.part ? [...parts, failure.part] : parts,
    state: ending,
    ...(failure.error && { error: failure.error }),
  };
  const modifiedAt = endOf(active.startedAt, duration);
  return {
    ...without(state, 'activeTurn'),
    turns: appendTurn(state.turns, turn),
    status: withActivity(state.status, ending === 'error' ? Status.Error : Status.Idle),
    ...(modifiedAt && { modifiedAt }),
  };
}

/** The moment a turn ended; `undefined` where its start cannot be read. */
function endOf(startedAt: string | undefined, duration: number): string | undefined {
  if (typeof startedAt !== 'string') return undefined;
  const time = new Date(Date.parse(startedAt) + duration);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** Goes on with the last, failed turn. Its parts stay, the error among them. */
export function resumeTurn(state: ChatState, turnId: string): ChatState {
  const turn = findResumable(state);
  if (!turn || turn.id !== turnId) return state;
  const { state: _state, duration: _duration, error: _error, ...rest } = turn;
  const startedAt = rest.startedAt ?? state.modifiedAt;
  const activeTurn: ActiveTurn = { ...rest, ...(startedAt !== undefined && { startedAt }) };
  const status = withFlag(withActivity(state.status, activityOf(activeTurn)), Status.IsRead, false);
  return { ...state, turns: state.turns.slice(0, -1), activeTurn, status };
}

/** Cuts everything after a turn off, the running turn included; without one, everything. */
export function truncate(state: ChatState, action: ChatTruncatedAction): ChatState {
  if (action.turnId === undefined) {
    const cut = without(without(state, 'activeTurn'), 'turnsNextCursor');
    return withDerivedStatus(cut.turns.length === 0 ? cut : { ...cut, turns: [] });
  }
  const last = state.turns.findIndex((turn) => turn.id === action.turnId);
  if (last < 0) return state;
  const cut = without(state, 'activeTurn');
  return withDerivedStatus(last === state.turns.length - 1 ? cut : { ...cut, turns: state.turns.slice(0, last + 1) });
}

/** Puts a page of older turns in front. */
export function loadTurns(state: ChatState, action: ChatTurnsLoadedAction): ChatState {
  if (!Array.isArray(action.turns)) return state;
  const page = (action.turns as readonly Turn[]).filter((turn) => isRecord(turn));
  const turns = prependTurns(page, state.turns);
  const cursor = typeof action.turnsNextCursor === 'string' ? action.turnsNextCursor : undefined;
  return withField(turns === state.turns ? state : { ...state, turns }, 'turnsNextCursor', cursor);
}
