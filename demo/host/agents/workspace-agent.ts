/** The `workspace` agent as the host knows it: its provider, what a session starts with, and how it runs a turn. */

import type { URI } from '../../../src/protocol/state.js';
import type { Contribution } from '../plugin.js';
import { toFileUri, type ContentStore } from '../workspace/content.js';
import { completeFiles, workspaceResources } from '../workspace/resources.js';
import type { Workspace } from '../workspace/workspace.js';
import { Permissions } from './tool-call.js';
import type { Pace } from './voice.js';
import { runWorkspaceTurn } from './workspace/agent.js';

export interface WorkspaceParts {
  readonly workspace: Workspace;
  readonly contents: ContentStore;
  readonly permissions: Permissions;
  readonly createId: () => string;
}

export const createParts = (parts: Omit<WorkspaceParts, 'permissions'>): WorkspaceParts => ({
  ...parts,
  permissions: new Permissions(),
});

export function contributeWorkspace(parts: WorkspaceParts, pace: Pace): Contribution {
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
        createSession: () => sessionSeed(workspace),
        runTurn: (turn) => runWorkspaceTurn({ ...parts, turn }, pace),
      },
    ],
    resources: workspaceResources(workspace, contents),
    complete: (params) => completeFiles(workspace, params),
    sessionEnded: (session: URI) => parts.permissions.forget(session),
  };
}

/** What every session on a workspace starts with. */
export const sessionSeed = (workspace: Workspace) => ({
  project: { uri: toFileUri('.'), displayName: workspace.title },
  workingDirectories: [toFileUri('.')],
});
