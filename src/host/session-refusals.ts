/** Which well-formed client actions the root and the sessions refuse, and why. Pure. Source: AHP, session channel. */

import type { RootAction, SessionAction } from '../protocol/actions.js';
import type { Customization, RootState, SessionState } from '../protocol/state.js';

export function findSessionRefusal(action: SessionAction, state: SessionState, clientId: string): string | undefined {
  switch (action.type) {
    case 'session/activeClientSet':
      return action.activeClient.clientId === clientId ? undefined : FOREIGN;
    case 'session/activeClientRemoved':
      return action.clientId === clientId ? undefined : FOREIGN;
    case 'session/configChanged': {
      if (!state.config) return 'no-config: the session has nothing to configure.';
      const { properties } = state.config.schema;
      const fixed = Object.keys(action.config).find(
        (name) => !Object.hasOwn(properties, name) || properties[name]?.sessionMutable !== true,
      );
      return fixed === undefined ? undefined : `fixed: "${fixed}" cannot be changed in a running session.`;
    }
    case 'session/customizationToggled':
      return hasCustomization(state.customizations ?? [], action.id)
        ? undefined
        : 'unknown-customization: the session has none with that id.';
    default:
      return undefined;
  }
}

const FOREIGN = 'not-owner: a client speaks for itself only.';

const hasCustomization = (list: readonly Customization[], id: string): boolean =>
  list.some((each) => each.id === id || hasCustomization(each.children ?? [], id));

export function findRootRefusal(action: RootAction, state: RootState): string | undefined {
  if (action.type !== 'root/configChanged') return undefined;
  return state.config ? undefined : 'no-config: the host has nothing to configure.';
}
