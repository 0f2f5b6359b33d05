/**
 * The demo host as a process: `src/host` on a socket and on disk, with the agents of its plug-ins. It is told where by
 * flags or the environment, tells whoever started it when it is ready, and ends with it. A host that is killed finds its
 * sessions, chats, queues and drafts again; a turn that ran then has failed and can be resumed.
 */

import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { HostEnvironment } from '../../src/host/environment.js';
import type { JournalEntry } from '../../src/host/hooks.js';
import type { HostExport } from '../../src/host/persistence.js';
import { naturalPace } from './agents/voice.js';
import { composeHost } from './compose.js';
import { Journal } from './journal.js';
import type { Contribution, Plugin } from './plugin.js';
import { createSecrets } from './secrets.js';
import { defaultDataDir, loadToken } from './security.js';
import { startServer, type Route } from './server.js';

/** What a host that was started with a channel to its parent sends through it. */
export interface ReadyMessage {
  readonly type: 'ready';
  readonly port: number;
}

const { values: flags } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    /** Takes a free port where the given one is taken. */
    fallback: { type: 'boolean', default: false },
    data: { type: 'string', default: process.env.AHP_DEMO_DATA ?? defaultDataDir },
    /** Origins of pages that may connect. */
    origin: { type: 'string', multiple: true, default: [] },
    /** Versions of the protocol it speaks in place of its own. */
    version: { type: 'string', multiple: true },
    plugins: { type: 'string', default: 'agents' },
    /** Bytes of journal after which it is folded into a snapshot. */
    fold: { type: 'string', default: process.env.AHP_DEMO_FOLD ?? String(8 * 1024 * 1024) },
    /** Milliseconds between two pieces of an answer. */
    pace: { type: 'string', default: process.env.AHP_DEMO_PACE ?? String(naturalPace.delayMs) },
  },
});

const environment: HostEnvironment = {
  now: () => Date.now(),
  createId: () => randomBytes(16).toString('hex'),
  schedule(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

const secrets = createSecrets();
const log = (line: string): void => console.log(secrets.redact(line));

const dataDir = path.resolve(flags.data);
const token = await loadToken(dataDir);
secrets.keep(token);
const journal = openJournal();
if (journal.contents.complaint !== undefined) log(journal.contents.complaint);

const contributions: Contribution<Route>[] = [];
for (const name of flags.plugins.split(',')) {
  if (!/^[\w-]+$/.test(name)) throw new Error(`"${name}" is not the name of a plug-in.`);
  const { plugin } = (await import(`./${name}/plugin.ts`)) as { plugin: Plugin<Route> };
  const pace = { ...naturalPace, delayMs: Number(flags.pace) };
  contributions.push(await plugin({ dataDir, env: process.env, environment, pace, secrets, log }));
}

let isFolding = false;
let isStopping = false;
const host = composeHost(contributions, {
  environment,
  ...(flags.version && { supportedVersions: flags.version }),
  onCommitted(entry) {
    try {
      journal.append(entry);
    } catch (error) {
      // What cannot be kept must not be shown either.
      log(`The journal cannot be written, so the host stops: ${(error as Error).message}`);
      process.exit(1);
    }
    if (journal.byteSize < Number(flags.fold) || isFolding) return;
    isFolding = true;
    setImmediate(() => {
      if (!isStopping) journal.compact(host.exportState());
      isFolding = false;
    });
  },
  onDiagnostic: ({ errorType, message, stack }) => log(`${errorType}: ${stack ?? message}`),
});

const { snapshot, records } = journal.contents;
host.restore({
  // Both were written by this program.
  ...(snapshot !== undefined && { saved: snapshot as HostExport }),
  journal: records as JournalEntry[],
  activeTurns: 'resume',
});
if (records.length > 0) journal.compact(host.exportState());

const listenOn = (port: number) =>
  startServer({
    port,
    token,
    origins: flags.origin,
    accept: (link) => void host.connect(link),
    health: () => ({ sessions: host.listSessions().length, serverSeq: host.serverSeq }),
    routes: contributions.flatMap((contribution) => contribution.routes ?? []),
  });
const server = await listenOn(Number(flags.port)).catch((error: NodeJS.ErrnoException) => {
  if (error.code !== 'EADDRINUSE' || !flags.fallback) throw error;
  return listenOn(0);
});

async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  await server.close();
  host.close();
  journal.close();
  process.exit(0);
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());

if (process.send) {
  // Whoever started this host is gone when the channel is.
  process.on('disconnect', () => void stop());
  process.send({ type: 'ready', port: server.port } satisfies ReadyMessage);
} else {
  // The one line that holds the token: somebody has to be told.
  console.log(`Demo host: ${server.url}#token=${token}`);
}

function openJournal(): Journal {
  try {
    return new Journal(path.join(dataDir, 'journal'));
  } catch (error) {
    log((error as Error).message);
    process.exit(1);
  }
}
