/** What a chat's status says, derived from its running turn. Source: AHP, status bits. */

import { Status, type ActiveTurn, type ChatState } from '../protocol/state.js';
import { withActivity } from '../protocol/status.js';
import { countBlocking } from './parts.js';

/** The activity bits of a chat with this running turn. Only a failed turn says `Error`, and only until the next change. */
export function activityOf(turn: ActiveTurn | undefined): number {
  if (!turn) return Status.Idle;
  return countBlocking(turn.responseParts) > 0 ? Status.InputNeeded : Status.InProgress;
}

/** The chat with its activity bits derived anew; flags and unknown bits stay. */
export function withDerivedStatus(state: ChatState): ChatState {
  const status = withActivity(state.status, activityOf(state.activeTurn));
  return status === state.status ? state : { ...state, status };
}
