/** A page that is loaded again, on the browser's own IndexedDB, locks, timers and ports. */
import { expect } from '@open-wc/testing';
import { createBrowserEnvironment } from '../../src/client/browser-environment.js';
import type { Chat } from '../../src/client/chat.js';
import type { KeyValueStore } from '../../src/client/environment.js';
import { HostClient } from '../../src/client/host-client.js';
import { createPortTransport } from '../../src/client/port-transport.js';
import { createHost, type Host } from '../../src/host/create-host.js';
import { openMirror } from '../../src/mirror/open-mirror.js';
import { AhpError } from '../../src/protocol/errors.js';
import { createPortLink } from '../../src/protocol/port-link.js';
import { ManualStore } from '../helpers/manual-environment.js';
import { CHAT, SESSION, testAgent, userMessage } from '../helpers/scripted-host.js';

/** Resolves when `find` finds something, now or after a change of the store or the draft. */
function until<T>({ store, draft }: Chat, find: () => T | false | undefined): Promise<T> {
  return new Promise((resolve) => {
    const look = () => {
      const found = find();
      if (found === undefined || found === false) return;
      for (const end of ends) end();
      resolve(found);
    };
    const ends = [store.subscribe(look), draft.subscribe(look)];
    look();
  });
}

describe('a page that is loaded again', () => {
  const environment = createBrowserEnvironment();
  let host: Host;
  let key: string;
  let tab: KeyValueStore;
  let isReachable: boolean;
  const open: HostClient[] = [];

  /** A document of the tab. */
  function load(): { client: HostClient; chat: Chat } {
    const client = new HostClient({
      key,
      environment: { ...environment, session: tab },
      mirror: openMirror(key, environment),
      transport: createPortTransport({
        open: () => {
          if (!isReachable) throw new AhpError('disconnected', 'The host is down.');
          const { port1, port2 } = new MessageChannel();
          host.connect(createPortLink(port2));
          return port1;
        },
      }),
    });
    open.push(client);
    return { client, chat: client.acquireChat(CHAT, { session: SESSION }).value };
  }

  beforeEach(() => {
    key = `reload-${environment.createId()}`;
    tab = new ManualStore();
    isReachable = true;
    host = createHost({
      environment,
      agents: [testAgent],
      hooks: {
        runTurn(turn) {
          const content = `answer to ${turn.message.text}`;
          turn.dispatch({ type: 'chat/responsePart', part: { kind: 'markdown', id: 'p', content } });
        },
      },
    });
    host.createSession({ resource: SESSION, provider: 'test', title: 'One', defaultChat: CHAT });
  });

  afterEach(async () => {
    for (const client of open.splice(0)) client.close();
    host.close();
    indexedDB.deleteDatabase(`ahp-chat:${key}`);
  });

  it('shows transcript and draft while the host is down, and delivers what was written then exactly once', async () => {
    const first = load();
    await until(first.chat, () => first.chat.store.status.phase === 'live');
    first.chat.draft.change(userMessage('one'));
    first.chat.store.dispatch(...first.chat.draft.takeForSend(first.chat.store.state));
    await until(first.chat, () => first.chat.store.state?.turns.length === 1 && first.chat.store.status.pending === 0);
    first.chat.draft.change(userMessage('half a'));
    first.client.close();

    isReachable = false;
    const second = load();
    await until(second.chat, () => second.chat.store.state);
    expect(second.chat.store.status.phase).to.equal('offline');
    expect(second.chat.store.state!.turns.map(({ message }) => message.text)).to.deep.equal(['one']);
    expect(second.chat.draft.message.text).to.equal('half a');
    second.chat.draft.change(userMessage('half a thought'));
    second.chat.store.dispatch(...second.chat.draft.takeForSend(second.chat.store.state));
    expect(second.chat.store.status.pending).to.equal(1);
    second.client.close();

    isReachable = true;
    const third = load();
    await until(third.chat, () => third.chat.store.state?.turns.length === 2 && third.chat.store.status.pending === 0);

    const said = host.getChat(CHAT)!.turns.map(({ message }) => message.text);
    expect(said).to.deep.equal(['one', 'half a thought']);
    expect(third.client.identity.clientId).to.equal(first.client.identity.clientId);
    expect(third.chat.draft.message.text).to.equal('');
    expect(third.chat.store.status).not.to.have.property('notKept');
  });

  it('takes over what a tab that is gone has left, through the browser’s own locks', async () => {
    isReachable = false;
    const gone = load();
    await until(gone.chat, () => gone.chat.store.status.phase === 'offline');
    gone.chat.store.dispatch(...gone.chat.draft.takeForSend(undefined));
    gone.chat.draft.change(userMessage('left behind'));
    gone.chat.store.dispatch(...gone.chat.draft.takeForSend(gone.chat.store.state));
    gone.client.close();

    isReachable = true;
    tab = new ManualStore();
    const next = load();
    await until(next.chat, () => next.chat.store.state?.turns.length === 1 && next.chat.store.status.pending === 0);

    expect(next.client.identity.clientId).not.to.equal(gone.client.identity.clientId);
    expect(host.getChat(CHAT)!.turns.map(({ message }) => message.text)).to.deep.equal(['left behind']);
  });

  it('finds the chat used last without the host', async () => {
    const first = load();
    await until(first.chat, () => first.chat.store.status.phase === 'live' && first.chat.store.session);
    // The transcript is written once the lock is there; each look is a transaction of its own.
    while (!(await first.client.mirror.findLastChat()));
    first.client.close();
    isReachable = false;

    const { client } = load();
    const target = await client.findChat({}, new AbortController().signal);

    expect(target).to.deep.equal({ chat: CHAT, session: SESSION });
  });
});
