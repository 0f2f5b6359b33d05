/** Which resources the state of root and sessions says tokens are wanted for. Pure. Source: AHP, authentication. */

import type { AgentInfo, Customization } from '../protocol/state.js';

/** Those of agents, and of MCP servers that wait for a token, wherever they are nested. A host may leave lists out. */
export function listProtectedResources(
  agents: readonly AgentInfo[] = [],
  customizations: readonly Customization[] = [],
): ReadonlySet<string> {
  const resources = new Set<string>();
  for (const agent of agents) for (const { resource } of agent.protectedResources ?? []) resources.add(resource);
  const visit = ({ state, children }: Customization) => {
    const resource = state?.kind === 'authRequired' ? state.resource?.resource : undefined;
    if (resource !== undefined) resources.add(resource);
    children?.forEach(visit);
  };
  for (const agent of agents) agent.customizations?.forEach(visit);
  customizations.forEach(visit);
  return resources;
}
