/**
 * Windows: a client that asked for `view.turns` holds only the newest turns of a chat, from `start` on, and the host keeps
 * count. Whatever the client reduces must come out as the tail of the authoritative state, so turns that an action refers
 * to are sent to it first. Pure. Source: AHP, subscriptions (view) and `chat/turnsLoaded`.
 */

import type { ChatAction, ChatTurnsLoadedAction, StateAction } from '../protocol/actions.js';
import type { ChatState } from '../protocol/state.js';

const CURSOR = 'after:';

/** The cursor of the page that ends right before `start`; none when `start` is the beginning. */
function toCursor(state: ChatState, start: number): string | undefined {
  const newest = state.turns[start - 1];
  return newest && CURSOR + newest.id;
}

/** Where the page of `cursor` ends, exclusive; `undefined` for a cursor that never was or is no more. */
export function findCursor(state: ChatState, cursor: string): number | undefined {
  if (!cursor.startsWith(CURSOR)) return undefined;
  const index = indexOfTurn(state, cursor.slice(CURSOR.length));
  return index < 0 ? undefined : index + 1;
}

export function indexOfTurn(state: ChatState, turnId: string): number {
  // From the end: what is referred to is mostly new.
  for (let index = state.turns.length - 1; index >= 0; index--) if (state.turns[index]?.id === turnId) return index;
  return -1;
}

/** Where a window of the newest `turns` finished turns starts. */
export const windowStart = (state: ChatState, turns: number): number => Math.max(0, state.turns.length - turns);

/** `state` as somebody sees it who holds its turns from `start` on. */
export function windowOf(state: ChatState, start: number): ChatState {
  const turnsNextCursor = toCursor(state, start);
  return turnsNextCursor === undefined ? state : { ...state, turns: state.turns.slice(start), turnsNextCursor };
}

/** The action that moves a window from `start` back to `newStart`. */
export function turnsLoaded(state: ChatState, newStart: number, start: number): ChatTurnsLoadedAction {
  const turns = state.turns.slice(newStart, start);
  const turnsNextCursor = toCursor(state, newStart);
  return turnsNextCursor === undefined
    ? { type: 'chat/turnsLoaded', turns }
    : { type: 'chat/turnsLoaded', turns, turnsNextCursor };
}

/** The finished turn `action` acts on, by index; `undefined` when it acts on none. */
export function referredTurn(state: ChatState, action: StateAction): number | undefined {
  const index = indexReferred(state, action as ChatAction);
  return index < 0 ? undefined : index;
}

function indexReferred(state: ChatState, action: ChatAction): number {
  switch (action.type) {
    case 'chat/truncated':
      return action.turnId === undefined ? -1 : indexOfTurn(state, action.turnId);
    // A start that is known already has no effect here, and must have none on a window that does not show the turn.
    case 'chat/turnStarted':
    case 'chat/turnResume':
      return indexOfTurn(state, action.turnId);
    default:
      return -1;
  }
}
