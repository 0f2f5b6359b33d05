/** The `workspace` agent as the host knows it: its provider, what a session starts with, and how it runs a turn. */

import type { Host } from '../../../src/host/create-host.js';
import type { HostEnvironment } from '../../../src/host/environment.js';
import type { URI } from '../../../src/protocol/state.js';
import type { Contribution } from '../plugin.js';
import { toFileUri } from '../workspace/content.js';
import { complete } from './completions.js';
import { workspaceResources } from '../workspace/resources.js';
import { commands } from './commands.js';
import { Background } from './background.js';
import { Market } from './market.js';
import { sessionConfig } from './permissions.js';
import { reader } from './reader.js';
import { Terminals } from './terminals.js';
import type { AgentParts } from './tool.js';
import { runWorkspaceTurn } from './workspace/agent.js';
import { brief, thorough } from './workspace/manner.js';

export function createParts({
  environment,
  ...parts
}: Pick<AgentParts, 'workspace' | 'contents' | 'pace'> & { readonly environment: HostEnvironment }): AgentParts {
  const createId = (): string => environment.createId();
  return {
    ...parts,
    createId,
    terminals: new Terminals(createId, () => environment.now()),
    background: new Background(),
    market: new Market(environment),
  };
}

export function contributeWorkspace(parts: AgentParts): Contribution {
  const { workspace, contents } = parts;
  return {
    agents: [
      {
        info: {
          provider: 'workspace',
          displayName: 'Workspace',
          description: 'Works on the files of a folder by simple rules. Needs no model, no key and no network.',
          models: [thorough, brief],
          capabilities: { multipleChats: { fork: true, sideChat: true } },
        },
        createSession: ({ config }) => sessionSeed(parts, config),
        runTurn: (turn, host) => runWorkspaceTurn({ ...parts, turn, host }),
      },
    ],
    resources: workspaceResources(workspace, contents),
    complete: (params) => complete(workspace, commands, params),
    authenticate: (params, host) => parts.market.authenticate(params, host),
    chatEnded: (chat: URI) => void parts.background.stop(chat),
    sessionEnded: (session: URI, host: Host) => parts.terminals.forget(host, session),
  };
}

/** What every session on a workspace starts with. */
export const sessionSeed = ({ workspace, market }: AgentParts, config?: Readonly<Record<string, unknown>>) => ({
  project: { uri: toFileUri('.'), displayName: workspace.title },
  customizations: [market.customization, reader],
  workingDirectories: [toFileUri('.')],
  config: sessionConfig(config),
});
