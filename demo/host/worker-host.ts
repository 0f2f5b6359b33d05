/**
 * The demo host in a worker: the same core, the same agent and the same tools as on disk, on a workspace in memory, over
 * MessagePorts. A built page therefore works from any static file server. Runs as a shared worker, one for all tabs, or
 * as a worker of one page; then the tab that came first keeps its chats, and the others forget theirs.
 */

import { acceptPorts } from '../../src/host/worker-host.js';
import type { HostEnvironment } from '../../src/host/environment.js';
import type { Link } from '../../src/protocol/link.js';
import { naturalPace } from './agents/voice.js';
import { contributeWorkspace, createParts } from './agents/workspace-agent.js';
import { composeHost } from './compose.js';
import { contentTypeOf, toVersionUri, type ContentStore } from './workspace/content.js';
import { createMemoryWorkspace } from './workspace/memory-workspace.js';
import { WorkerStore } from './worker-store.js';

/** The worker of a page that is being left may hold the store for a moment. */
const lockPatienceMs = 3000;

const environment: HostEnvironment = {
  now: () => Date.now(),
  createId: () =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(''),
  schedule(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

/** `store` names the database, `pace` is in milliseconds between two pieces of an answer. */
const query = new URL(self.location.href).searchParams;
const storeName = query.get('store') ?? 'ahp-chat-demo-host';
const ready = start();
// Ports are taken from the first moment on; a link keeps what comes before the host is ready.
const acceptor = { connect: (link: Link) => void ready.then((accept) => accept(link)) };
if ('onconnect' in self) {
  self.addEventListener('connect', (event) => {
    const [port] = (event as MessageEvent).ports;
    if (!port) return;
    acceptPorts(acceptor, port);
    port.start();
  });
} else {
  acceptPorts(acceptor, self);
}

/** Makes the host; gives what takes a link to it. */
async function start(): Promise<(link: Link) => void> {
  const store = await openStore();
  const saved = await store?.load();
  const files = saved?.snapshot.files ?? (await readSample());
  const workspace = createMemoryWorkspace('larder', files, () => store?.putFiles(workspace.files()));
  const pace = { ...naturalPace, delayMs: Number(query.get('pace') ?? naturalPace.delayMs) };
  const parts = createParts({ workspace, contents: createContents(store), environment, pace });
  const host = composeHost([contributeWorkspace(parts)], {
    environment,
    onCommitted: (entry) => store?.append(entry),
    onDiagnostic: ({ errorType, message }) => console.warn(`Demo host, ${errorType}: ${message}`),
  });
  const { snapshot, journal = [] } = saved ?? {};
  host.restore({ ...(snapshot?.host && { saved: snapshot.host }), journal, activeTurns: 'resume' });
  await store?.compact(host.exportState());
  return (link) => void host.connect(store?.behind(link) ?? link);
}

/** `undefined` where nothing can be kept: no IndexedDB, or another worker has it. */
async function openStore(): Promise<WorkerStore | undefined> {
  if (!(await takeLock())) return undefined;
  return WorkerStore.open(storeName).catch((error: unknown) => {
    console.warn('The demo host in this page forgets its chats at a reload:', error);
    return undefined;
  });
}

/** Takes the store for this worker's lifetime. */
function takeLock(): Promise<boolean> {
  // Plain http from another machine has no locks; then nobody is asked.
  if (!('locks' in navigator)) return Promise.resolve(true);
  return new Promise((resolve) => {
    navigator.locks
      .request(storeName, { signal: AbortSignal.timeout(lockPatienceMs) }, () => {
        resolve(true);
        return new Promise(() => {});
      })
      .catch(() => resolve(false));
  });
}

async function readSample(): Promise<Record<string, string>> {
  const response = await fetch(new URL('../workspace.json', import.meta.url));
  return (await response.json()) as Record<string, string>;
}

function createContents(store: WorkerStore | undefined): ContentStore {
  const versions = new Map<string, string>();
  return {
    async put(path, text) {
      const id = environment.createId();
      versions.set(id, text);
      store?.putVersion(id, text);
      return {
        uri: toVersionUri(id, path),
        sizeHint: text.length,
        contentType: contentTypeOf(path) ?? 'text/plain',
        nonce: id,
      };
    },
    get: async (id) => versions.get(id) ?? store?.getVersion(id),
  };
}
