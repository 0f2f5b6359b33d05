/** The root channel: which agents and terminals a host has. Pure. Source: AHP, root channel. */

import type { RootAction, UnknownAction } from '../protocol/actions.js';
import { isRecord, withField } from '../protocol/record.js';
import type { RootState } from '../protocol/state.js';
import { changeConfig } from './config.js';

/** Total: an action without effect, or of another channel, gives the very same object back. */
export function rootReducer(state: RootState, unknownAction: RootAction | UnknownAction): RootState {
  // An action of a later version falls through to `default`.
  const action = unknownAction as RootAction;
  switch (action.type) {
    case 'root/agentsChanged':
      return Array.isArray(action.agents) ? withField(state, 'agents', action.agents) : state;
    case 'root/activeSessionsChanged':
      return withField(state, 'activeSessions', action.activeSessions);
    case 'root/terminalsChanged':
      return Array.isArray(action.terminals) ? withField(state, 'terminals', action.terminals) : state;
    case 'root/configChanged':
      return isRecord(action.config) ? withField(state, 'config', changeConfig(state.config, action)) : state;
    default:
      return state;
  }
}
