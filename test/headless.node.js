/**
 * The headless client, packed as it is published, in bare Node: it is imported and run while every browser global is a
 * trap, and chats with a host over a link in the process and over a MessagePort. Prints one line.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import path from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const outDir = path.join(root, 'out/headless');

/** What a page has and Node has not. Whoever asks for one of these leans on a page. */
const BROWSER_GLOBALS = [
  'window',
  'document',
  'self',
  'location',
  'history',
  'HTMLElement',
  'customElements',
  'indexedDB',
  'sessionStorage',
  'localStorage',
  'requestAnimationFrame',
  'matchMedia',
];

/** Packs both entries without their imports left over, so that nothing is found by accident. */
async function pack() {
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      minify: false,
      lib: {
        entry: { client: path.join(root, 'src/client/index.ts'), host: path.join(root, 'src/host/index.ts') },
        formats: ['es'],
      },
      rolldownOptions: { output: { entryFileNames: '[name].js' } },
    },
  });
  const load = (name) => import(pathToFileURL(path.join(outDir, `${name}.js`)).href);
  return { ...(await load('client')), ...(await load('host')) };
}

function setTraps() {
  const touched = new Set();
  for (const name of BROWSER_GLOBALS) {
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get() {
        touched.add(name);
        return undefined;
      },
    });
  }
  return touched;
}

/** All a client asks of its surroundings, with nothing of a page in it. */
function createNodeEnvironment() {
  const createStore = (values = new Map()) => ({
    get: (key) => values.get(key),
    set: (key, value) => Boolean(values.set(key, value)),
    delete: (key) => void values.delete(key),
    keys: () => [...values.keys()],
  });
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    createId: () => crypto.randomUUID().replaceAll('-', ''),
    random: () => Math.random(),
    schedule(delayMs, run) {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
    session: createStore(),
    local: createStore(),
    isOnline: () => true,
    isVisible: () => true,
    onLifecycle: () => () => {},
  };
}

/** Answers each message with its own words. */
const startHost = ({ createHost }, environment) =>
  createHost({
    environment,
    agents: [{ provider: 'echo', displayName: 'Echo', description: '', models: [] }],
    hooks: {
      runTurn(turn) {
        const { text } = turn.message;
        turn.dispatch({ type: 'chat/responsePart', part: { kind: 'markdown', id: 'answer', content: `echo ${text}` } });
      },
    },
  });

/** Resolves when `find` finds something in the store. */
const until = (store, find) =>
  new Promise((resolve) => {
    const end = store.subscribe(() => look());
    const look = () => {
      const found = store.state && find(store.state);
      if (!found) return;
      end();
      resolve(found);
    };
    look();
  });

/** One whole chat: finds a place, types, sends, reads the answer, leaves. */
async function chat(api, transport) {
  const environment = createNodeEnvironment();
  const hub = new api.Hub(environment);
  const lease = hub.acquire('host', () => ({ transport, mirror: new api.MemoryMirror() }));
  const target = await lease.value.findChat({}, new AbortController().signal);
  const { value, release } = lease.value.acquireChat(target.chat, { session: target.session });
  const { store, draft } = value;
  await until(store, () => store.status.phase === 'live' && store.session);
  draft.change(api.userMessage('hello'));
  store.dispatch(...draft.takeForSend(store.state));
  const turn = await until(store, (state) => state.turns.at(-1));
  release();
  lease.release();
  // The hub lets go in a later task.
  await new Promise((resolve) => setTimeout(resolve, 20));
  return { turn, draft: draft.message.text, provider: store.session?.provider };
}

test('the packed client chats in bare Node', async () => {
  const touched = setTraps();
  const api = await pack();
  assert.deepEqual([...touched], [], 'importing touched browser globals');

  const overLink = await chat(api, api.createLocalTransport(startHost(api, createNodeEnvironment())));
  const hostBehindPort = startHost(api, createNodeEnvironment());
  const ports = [];
  const overPort = await chat(
    api,
    api.createPortTransport({
      open: () => {
        const { port1, port2 } = new MessageChannel();
        ports.push(port1, port2);
        hostBehindPort.connect(api.createPortLink(port2));
        return port1;
      },
    }),
  );

  for (const { turn, draft, provider } of [overLink, overPort]) {
    assert.equal(turn.message.text, 'hello');
    assert.equal(api.assistantText(turn), 'echo hello');
    assert.equal(turn.state, 'complete');
    assert.equal(draft, '');
    assert.equal(provider, 'echo');
  }
  assert.equal(ports.length, 2, 'one channel for one connection');
  assert.deepEqual([...touched], [], 'running touched browser globals');
  for (const port of ports) port.close();
  console.log(
    `headless: ${Object.keys(api).length} exports, a chat over a link and one over a MessagePort, no browser`,
  );
});
