/**
 * The page of the element's benches: `<ahp-chat>` as a page would use it, with a host in the same page that says what the
 * bench wants. Host and client share the thread, so their cost is part of what is measured.
 */

import '../../../src/index.js';
import { createBrowserEnvironment } from '../../../src/client/browser-environment.js';
import type { AhpChat } from '../../../src/element/ahp-chat.js';
import { createHost, type Host } from '../../../src/host/create-host.js';
import { createLinkPair } from '../../../src/host/link-pair.js';
import { AhpError } from '../../../src/protocol/errors.js';
import type { Turn } from '../../../src/protocol/state.js';
import { createAnswer, toDeltas } from '../stream/workload.js';

const SESSION = 'ahp-session:/bench';
const CHAT = 'ahp-chat:/bench';
const PART = 'part';

let host: Host | undefined;
let chat: AhpChat | undefined;
let deltas: readonly string[] = [];
let turnId: string | undefined;

const nextFrame = () => new Promise<unknown>((resolve) => requestAnimationFrame(resolve));
const nextTask = () =>
  new Promise<unknown>((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve(undefined);
    };
    port2.postMessage(undefined);
  });

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await nextFrame();
}

function startHost(turns: readonly Turn[]): Host {
  const made = createHost({
    environment: createBrowserEnvironment(),
    agents: [{ provider: 'bench', displayName: 'Bench', description: '', models: [] }],
    hooks: { runTurn: (turn) => turn.until(() => undefined) },
  });
  made.createSession({ resource: SESSION, provider: 'bench', title: 'Bench', defaultChat: null });
  made.createChat(SESSION, { resource: CHAT, turns });
  made.dispatch(SESSION, { type: 'session/defaultChatChanged', defaultChat: CHAT });
  return made;
}

function mount(turns: number): AhpChat {
  const element = document.createElement('ahp-chat');
  element.style.blockSize = '760px';
  element.storageKey = 'bench';
  element.session = SESSION;
  element.chat = CHAT;
  element.turns = turns;
  element.transport = {
    isLocal: true,
    connect() {
      if (!host) return Promise.reject(new AhpError('disconnected', 'The bench has no host.'));
      const [end, other] = createLinkPair();
      host.connect(other);
      return Promise.resolve(end);
    },
  };
  document.querySelector('#root')?.append(element);
  return element;
}

const shownTurns = () =>
  [...(chat?.renderRoot.querySelectorAll('ahp-transcript') ?? [])].flatMap((transcript) => [
    ...transcript.renderRoot.querySelectorAll('ahp-turn'),
  ]);

function createTurn(index: number): Turn {
  return {
    id: `turn-${index}`,
    startedAt: new Date(index * 60_000).toISOString(),
    duration: 1000,
    message: { text: `Question ${index}`, origin: { kind: 'user' } },
    responseParts: [
      {
        kind: 'toolCall',
        toolCall: {
          status: 'completed',
          toolCallId: `call-${index}`,
          toolName: 'read',
          displayName: 'Read file',
          invocationMessage: 'Reading',
          pastTenseMessage: `Read file ${index}`,
          confirmed: 'not-needed',
          success: true,
        },
      },
      { kind: 'markdown', id: `m-${index}`, content: createAnswer(800).slice(0, 800) },
    ],
    state: 'complete',
  };
}

const bench = {
  /** A live chat in which a turn runs that has said nothing yet. */
  async prepareStream(size: number, count: number): Promise<void> {
    deltas = toDeltas(createAnswer(size), count);
    host = startHost([]);
    chat = mount(50);
    await until(() => chat?.status?.phase === 'live');
    turnId = host.startTurn(CHAT, { text: 'Go', origin: { kind: 'user' } });
    host.dispatch(CHAT, {
      type: 'chat/responsePart',
      turnId: turnId ?? '',
      part: { kind: 'markdown', id: PART, content: '' },
    });
    await until(() => shownTurns().length === 1);
  },

  /** Sends the part of the deltas between two shares of all, one a task, and waits until the host has let them go. */
  async feed(from: number, to: number): Promise<void> {
    const part = deltas.slice(Math.round(deltas.length * from), Math.round(deltas.length * to));
    for (const content of part) {
      host?.dispatch(CHAT, { type: 'chat/delta', turnId: turnId ?? '', partId: PART, content });
      await nextTask();
    }
    const length = deltas.slice(0, Math.round(deltas.length * to)).join('').length;
    await until(() => {
      const shown = chat?.state?.activeTurn?.responseParts[0];
      return shown?.kind === 'markdown' && shown.content.length === length;
    });
    await nextFrame();
  },

  async finish(): Promise<void> {
    host?.dispatch(CHAT, { type: 'chat/turnComplete', turnId: turnId ?? '', duration: 1 });
    await until(() => chat?.state?.activeTurn === undefined);
  },

  /** Fills the mirror with a chat of `count` turns. */
  async fill(count: number): Promise<void> {
    host = startHost(Array.from({ length: count }, (_, index) => createTurn(index)));
    chat = mount(count);
    await until(() => chat?.status?.phase === 'live');
    await until(() => shownTurns().length > 0);
  },

  /** Opens the chat from the mirror alone. Returns the milliseconds until its last turn is painted. */
  async open(count: number): Promise<number> {
    const start = performance.now();
    chat = mount(50);
    const last = `Question ${count - 1}`;
    await until(() => shownTurns().at(-1)?.textContent.includes(last) === true);
    await nextFrame();
    await nextTask();
    return performance.now() - start;
  },

  /** Turns in the mirror's store. */
  async countStored(): Promise<number> {
    const databases = await indexedDB.databases();
    const name = databases.map((each) => each.name ?? '').find((each) => each.startsWith('ahp-chat:'));
    if (!name) return 0;
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(new Error(`The database cannot be read: ${request.error?.message}`));
    });
    const count = await new Promise<number>((resolve, reject) => {
      const request = database.transaction('turns').objectStore('turns').count();
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(new Error(`The database cannot be read: ${request.error?.message}`));
    });
    database.close();
    return count;
  },
};

declare global {
  interface Window {
    readonly elementBench: typeof bench;
  }
}
Object.assign(window, { elementBench: bench });
