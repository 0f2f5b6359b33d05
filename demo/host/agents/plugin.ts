/**
 * The agents on disk: the sample workspace, copied into the data folder at the first start so that the repository stays
 * as it is, the `workspace` agent on it, and the `model` agent on the same when an endpoint is configured.
 */

import { cp, mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Agent, Plugin } from '../plugin.js';
import { openDiskContent } from '../workspace/disk-content.js';
import { openDiskWorkspace } from '../workspace/disk-workspace.js';
import { findPty } from '../workspace/pty.js';
import type { Secrets } from '../secrets.js';
import { readModelConfig } from './model/config.js';
import type { AgentParts } from './tool.js';
import { contributeWorkspace, createParts, sessionSeed } from './workspace-agent.js';
import { runWorkspaceTurn } from './workspace/agent.js';

const sample = fileURLToPath(new URL('../../workspace', import.meta.url));

export const plugin: Plugin = async ({ dataDir, env, environment, pace, secrets, log }) => {
  const root = path.join(dataDir, 'workspace');
  const home = path.join(dataDir, 'home');
  await copyOnce(sample, root);
  await mkdir(home, { recursive: true });
  const pty = await findPty();
  if (!pty) log('No terminal can be opened here: commands run on pipes.');
  const parts = createParts({
    workspace: await openDiskWorkspace({ root, title: 'larder', home, secrets, pty }),
    contents: await openDiskContent(path.join(dataDir, 'versions')),
    environment,
    pace,
  });
  const contribution = contributeWorkspace(parts);
  const model = await findModelAgent(parts, env, secrets, log);
  if (!model) return contribution;
  const { agent, run } = model;
  const runTurn: Agent['runTurn'] = (turn, host) =>
    // A command line is one with every agent.
    turn.message.text.startsWith('!') ? runWorkspaceTurn({ ...parts, turn, host }) : run({ ...parts, turn, host });
  return { ...contribution, agents: [...(contribution.agents ?? []), { ...agent, runTurn }] };
};

async function findModelAgent(
  parts: AgentParts,
  env: Readonly<Record<string, string | undefined>>,
  secrets: Secrets,
  log: (line: string) => void,
) {
  let config;
  try {
    config = readModelConfig(env);
  } catch (error) {
    log(`No model agent: ${(error as Error).message}`);
    return undefined;
  }
  if (!config) return undefined;
  if (config.key !== undefined) secrets.keep(config.key);
  // The library is large and only needed here.
  const { createModelAgent } = await import('./model/agent.js');
  const agent: Omit<Agent, 'runTurn'> = {
    info: {
      provider: 'model',
      displayName: 'Model',
      description: `Works on the same files with a language model at ${new URL(config.baseUrl).host}.`,
      models: config.models.map((id) => ({ id, provider: 'model', name: id })),
      capabilities: { multipleChats: { fork: true, sideChat: true } },
    },
    createSession: ({ config }) => sessionSeed(parts, config),
  };
  return { agent, run: createModelAgent(config).run };
}

/** All or nothing: a copy that was interrupted is made anew. */
async function copyOnce(from: string, to: string): Promise<void> {
  if (await stat(to).catch(() => undefined)) return;
  const beside = `${to}.copying`;
  await rm(beside, { recursive: true, force: true });
  await cp(from, beside, { recursive: true });
  await rename(beside, to);
}
