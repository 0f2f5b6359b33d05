/** What a chat shows of its session, out of the session and root channels and the handshake. Pure. Source: AHP, models and agents. */

import type { SessionInfo } from '../chat/store.js';
import { compose } from '../protocol/record.js';
import type { AgentInfo, Customization, RootState, SessionState, URI } from '../protocol/state.js';
import type { Handshake } from './handshake.js';

export function toSessionInfo(
  resource: URI,
  session: SessionState,
  root: RootState | undefined,
  handshake: Handshake | undefined,
): SessionInfo {
  const agent = list(root?.agents).find(({ provider }) => provider === session.provider);
  return compose(
    {
      resource,
      title: session.title,
      lifecycle: session.lifecycle,
      provider: session.provider,
      models: listModels(agent),
      agents: listAgents([...list(session.customizations), ...list(agent?.customizations)]),
      capabilities: agent?.capabilities ?? {},
      chats: list(session.chats),
      completionTriggerCharacters: handshake?.completionTriggerCharacters ?? [],
      takesSteeringList: handshake?.takesSteeringList === true,
    },
    {
      creationError: session.creationError?.message,
      providerName: agent?.displayName,
      terminalCommandPrefix: handshake?.terminalCommandPrefix,
    },
  );
}

const listModels = (agent: AgentInfo | undefined) =>
  list(agent?.models).filter(({ policyState }) => policyState !== 'disabled');

/** A host may leave out what the protocol demands. */
const list = <T>(value: readonly T[] | undefined): readonly T[] =>
  Array.isArray(value) ? (value as readonly T[]) : [];

/** Agents a person may pick, also those inside plugins and directories; each once. */
function listAgents(customizations: readonly Customization[]): SessionInfo['agents'] {
  const agents = new Map<URI, SessionInfo['agents'][number]>();
  const visit = (customization: Customization) => {
    if (customization.enabled === false) return;
    const { type, uri, name, description, disableUserInvocation } = customization;
    if (type === 'agent' && uri !== undefined && disableUserInvocation !== true && !agents.has(uri)) {
      agents.set(uri, compose({ uri, name }, { description }));
    }
    for (const child of list(customization.children)) visit(child);
  };
  for (const customization of customizations) visit(customization);
  return [...agents.values()];
}
