/**
 * What a chat needs of the root: the agents with their models, and what runs. Pure and total; no effect, same object.
 * Source: AHP, root channel parts.
 */

import type { RootAction, UnknownAction } from '../protocol/actions.js';
import { withField } from '../protocol/record.js';
import type { AgentInfo, RootState } from '../protocol/state.js';
import { mergeConfig } from './config.js';

export function rootReducer(state: RootState, unknownAction: RootAction | UnknownAction): RootState {
  // An action of a later version falls through to `default`.
  const action = unknownAction as RootAction;
  switch (action?.type) {
    case 'root/agentsChanged':
      return Array.isArray(action.agents) ? withField(state, 'agents', action.agents) : state;
    case 'root/activeSessionsChanged':
      return Number.isFinite(action.activeSessions) ? withField(state, 'activeSessions', action.activeSessions) : state;
    case 'root/terminalsChanged':
      return Array.isArray(action.terminals) ? withField(state, 'terminals', action.terminals) : state;
    case 'root/configChanged':
      return withField(state, 'config', mergeConfig(state.config, action));
    default:
      action satisfies never;
      return state;
  }
}

/** The agent behind a session's `provider`. */
export const findAgent = (state: RootState, provider: string): AgentInfo | undefined =>
  state.agents.find((agent) => agent.provider === provider);
