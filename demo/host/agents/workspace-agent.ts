/** The `workspace` agent as the host knows it: its provider, what a session starts with, and how it runs a turn. */

import type { Host } from '../../../src/host/create-host.js';
import type { HostEnvironment } from '../../../src/host/environment.js';
import type { URI } from '../../../src/protocol/state.js';
import type { Contribution } from '../plugin.js';
import { toFileUri } from '../workspace/content.js';
import { completeFiles, workspaceResources } from '../workspace/resources.js';
import type { Workspace } from '../workspace/workspace.js';
import { sessionConfig } from './permissions.js';
import { Terminals } from './terminals.js';
import type { AgentParts } from './tool.js';
import { runWorkspaceTurn } from './workspace/agent.js';

export function createParts({
  environment,
  ...parts
}: Pick<AgentParts, 'workspace' | 'contents' | 'pace'> & { readonly environment: HostEnvironment }): AgentParts {
  const createId = (): string => environment.createId();
  return { ...parts, createId, terminals: new Terminals(createId, () => environment.now()) };
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
          models: [],
          capabilities: { multipleChats: {} },
        },
        createSession: ({ config }) => sessionSeed(workspace, config),
        runTurn: (turn, host) => runWorkspaceTurn({ ...parts, turn, host }),
      },
    ],
    resources: workspaceResources(workspace, contents),
    complete: (params) => completeFiles(workspace, params),
    sessionEnded: (session: URI, host: Host) => parts.terminals.forget(host, session),
  };
}

/** What every session on a workspace starts with. */
export const sessionSeed = (workspace: Workspace, config?: Readonly<Record<string, unknown>>) => ({
  project: { uri: toFileUri('.'), displayName: workspace.title },
  workingDirectories: [toFileUri('.')],
  config: sessionConfig(config),
});
