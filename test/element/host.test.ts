/** The element with a host, in the page and in real time: what is kept, shared, and left behind. */

import { expect, fixture, html } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import type { AhpChat } from '../../src/element/ahp-chat.js';
import { HostStay, type StayListener } from '../../src/element/host-stay.js';
import type { Draft } from '../../src/element/memory-draft.js';
import { environment } from '../../src/element/page-environment.js';
import { toDatabaseName } from '../../src/mirror/schema.js';
import { toHostKey } from '../../src/client/hub.js';
import {
  comeToRest,
  composerOf,
  fieldOf,
  fixtureOf,
  turnsOf,
  untilLive,
  untilQuiet,
  writtenIn,
} from '../helpers/chat-element.js';
import { turn } from '../helpers/chat-states.js';
import { CHAT, PageHost, SESSION } from '../helpers/page-host.js';
import { userMessage } from '../helpers/scripted-host.js';
import { waitUntil } from '../helpers/until.js';
import { find, findAll, press, textOf, type } from '../helpers/views.js';

const databaseOf = (host: PageHost) => toDatabaseName(toHostKey('transport:', { storageKey: host.key }));

const nothing = (): void => undefined;
const unheard: StayListener = {
  onSearching: nothing,
  onChat: nothing,
  onChatGone: nothing,
  onFailed: nothing,
  onAuthRequired: nothing,
  onDiagnostic: nothing,
};

async function say(chat: AhpChat, text: string): Promise<void> {
  chat.focus();
  await type(text);
  await press('Enter');
}

/** Between `hold` and `letGo` nothing that a page says reaches the host. */
function slowDown(host: PageHost): { hold(): void; letGo(): void } {
  const { transport } = host;
  const connect = transport.connect.bind(transport);
  const held: (() => void)[] = [];
  let isHeld = false;
  transport.connect = async (signal) => {
    const link = await connect(signal);
    const send = link.send.bind(link);
    link.send = (text) => void (isHeld ? held.push(() => send(text)) : send(text));
    return link;
  };
  return {
    hold: () => (isHeld = true),
    letGo: () => {
      isHeld = false;
      for (const go of held.splice(0)) go();
    },
  };
}

/** An element leaves its host in a later task, and the host is let go in one after that: the next has a host of its own. */
async function untilLetGo(): Promise<void> {
  for (let tasks = 0; tasks < 2; tasks++) await new Promise<void>((resolve) => environment.schedule(0, resolve));
}

/** As if the tab had been closed and opened again: another element, the same disk. */
async function leaveAndReturn(chat: AhpChat, host: PageHost): Promise<AhpChat> {
  chat.remove();
  await waitUntil(() => host.links === 0, 'the link is closed');
  return fixtureOf(host);
}

describe('<ahp-chat> with a host', () => {
  it('sends a message and shows the answer', async () => {
    const host = new PageHost();
    const chat = await fixtureOf(host);

    await say(chat, 'hello');
    await waitUntil(() => host.chat.turns.length === 1);
    await untilQuiet(chat);
    await waitUntil(() => turnsOf(chat)[0]?.textContent.includes('You said: hello'));

    expect(turnsOf(chat)).to.have.length(1);
    expect(chat.state).to.deep.include({ turns: host.chat.turns });
  });

  it('steers with several messages side by side where the host has a list for them', async () => {
    const host = new PageHost({ steeringMessages: true, hooks: { runTurn: (turn) => turn.until(() => undefined) } });
    host.host.startTurn(CHAT, { text: 'go', origin: { kind: 'user' } });
    const chat = await fixtureOf(host);
    await waitUntil(() => chat.store?.session?.takesSteeringList === true, 'the session is known');

    chat.focus();
    for (const text of ['go left', 'mind the step']) {
      await type(text);
      await sendKeys({ down: 'Control' });
      await press('Enter');
      await sendKeys({ up: 'Control' });
    }
    await waitUntil(() => host.chat.steeringMessages?.length === 2, 'the host has both');
    await comeToRest(chat);

    expect(host.chat.steeringMessages?.map(({ message }) => message.text)).to.deep.equal(['go left', 'mind the step']);
    expect(findAll(composerOf(chat)!, '.queue-text').map(textOf)).to.deep.equal(['go left', 'mind the step']);
  });

  it('opens the default chat of the first session when the page names none', async () => {
    const host = new PageHost({ turns: [turn('a')] });

    const chat = await fixtureOf(host, { chat: undefined, session: undefined });

    expect(chat.state?.resource).to.equal(CHAT);
  });

  it('shows transcript and draft again while the host is away', async () => {
    const host = new PageHost({ turns: [turn('a'), turn('b')] });
    const chat = await fixtureOf(host);
    chat.focus();
    await type('half a thought');
    fieldOf(chat).blur();
    await waitUntil(async () => (await readDrafts(host)).includes('half a thought'), 'the draft is on disk');
    host.goAway();

    const again = await leaveAndReturn(chat, host);
    await waitUntil(() => again.state?.turns.length === 2, 'the mirror is shown');
    await comeToRest(again);

    expect(again.status?.phase).to.not.equal('live');
    expect(writtenIn(again)).to.equal('half a thought');
    expect(turnsOf(again)).to.have.length(2);
  });

  it('delivers exactly once what was sent while the host was away', async () => {
    const host = new PageHost();
    const chat = await fixtureOf(host);
    host.goAway();
    await waitUntil(() => chat.status?.phase === 'offline');

    await say(chat, 'for later');
    await waitUntil(() => chat.status?.pending === 1);
    host.isReachable = true;
    chat.connect();
    await waitUntil(() => host.chat.turns.length === 1, 'the host has the turn');
    await untilQuiet(chat);

    expect(host.chat.turns.map((each) => each.message.text)).to.deep.equal(['for later']);
    expect(turnsOf(chat)).to.have.length(1);
  });

  it('keeps what was typed before the chat was known', async () => {
    const host = new PageHost();
    host.isReachable = false;
    const chat = await fixtureOf(host, { chat: undefined, session: undefined });
    await comeToRest(chat);
    chat.focus();
    await type('early');

    host.isReachable = true;
    chat.connect();
    await untilLive(chat);
    await comeToRest(chat);

    expect(writtenIn(chat)).to.equal('early');
    expect(chat.draft?.text).to.equal('early');
  });

  it('keeps what is written before anything was read, also when the page is left in the same moment', async () => {
    const host = new PageHost();
    const { key: storageKey, transport } = host;
    const settings = { chat: CHAT, session: SESSION, storageKey, transport, storage: 'indexeddb', turns: 50 } as const;
    let written: Draft | undefined;

    const stay = new HostStay({ ...settings, src: undefined, token: undefined }, environment, {
      ...unheard,
      onChat: (_store, draft) => (written = draft),
    });
    written?.change(userMessage('the first words'));
    window.dispatchEvent(new PageTransitionEvent('pagehide'));
    stay.leave();
    await untilLetGo();
    const chat = await fixtureOf(host);

    await waitUntil(() => writtenIn(chat) === 'the first words', `${writtenIn(chat)} is written`);
  });

  it('keeps what is written while no chat is known yet, says so, and writes it into the chat that is found', async () => {
    const host = new PageHost();
    host.isReachable = false;
    const unnamed = { chat: undefined, session: undefined };
    const first = await fixtureOf(host, unnamed);
    const rows = () => findAll(find(first, 'ahp-status'), '.row').map(textOf);
    await waitUntil(() => rows()[0]?.startsWith('Offline'), 'the strip shows');
    expect(rows().map((row) => row.replace(/ · .*/, ''))).to.deep.equal(['Offline – what you write is kept']);
    first.focus();
    await type('for whoever answers');
    first.remove();
    await untilLetGo();

    const second = await fixtureOf(host, unnamed);
    await waitUntil(() => writtenIn(second) === 'for whoever answers', 'it is there for the next page');
    host.isReachable = true;
    second.connect();
    await untilLive(second);
    expect(second.draft?.text).to.equal('for whoever answers');
    await waitUntil(() => composerOf(second)!.canSend, 'it can be sent');
    second.focus();
    await press('Enter');
    await waitUntil(() => host.chat.turns.length === 1, 'it is sent');
    await untilQuiet(second);
    second.remove();
    await untilLetGo();

    const third = await fixtureOf(host, unnamed);
    await comeToRest(third);
    expect(host.chat.turns.map(({ message }) => message.text)).to.deep.equal(['for whoever answers']);
    expect(third.draft?.text).to.equal('');
  });

  it('keeps two chats’ drafts apart while a message of one is slowly on its way', async () => {
    const OTHER = 'ahp-chat:/other';
    const host = new PageHost();
    host.host.createChat(SESSION, { resource: OTHER });
    const { hold, letGo } = slowDown(host);
    const chat = await fixtureOf(host);
    const show = async (uri: string) => {
      const before = chat.store;
      chat.chat = uri;
      await waitUntil(() => chat.store !== before && chat.draft, `${uri} is shown`);
      await comeToRest(chat);
    };
    hold();
    await say(chat, 'slowly sent');
    await show(OTHER);
    chat.focus();
    await type('written meanwhile');

    await show(CHAT);
    await waitUntil(() => turnsOf(chat).length === 1, 'it is on its way');
    expect(writtenIn(chat)).to.equal('');
    await show(OTHER);
    letGo();
    await waitUntil(() => host.chat.turns.length === 1, 'it has arrived');
    await untilQuiet(chat);

    expect(writtenIn(chat)).to.equal('written meanwhile');
    await show(CHAT);
    await untilQuiet(chat);
    expect(writtenIn(chat)).to.equal('');
    await show(OTHER);
    await waitUntil(() => writtenIn(chat) === 'written meanwhile', 'the other draft is there');
    expect(host.chat.turns.map(({ message }) => message.text)).to.deep.equal(['slowly sent']);
  });

  it('shares connection, store and draft between two elements on one chat', async () => {
    const host = new PageHost();
    const first = await fixtureOf(host);
    const second = await fixtureOf(host);

    await say(first, 'shared');
    await waitUntil(() => host.chat.turns.length === 1);
    await waitUntil(() => turnsOf(second).length === 1, 'the other one shows it too');

    expect(host.connections).to.equal(1);
    expect(first.store).to.equal(second.store);
  });

  it('stays connected through a move within the document', async () => {
    const host = new PageHost();
    const chat = await fixtureOf(host);
    const { store } = chat;
    const elsewhere = await fixture(html`<div></div>`);

    elsewhere.append(chat);
    await untilLive(chat);

    expect(host.connections).to.equal(1);
    expect(chat.store).to.equal(store);
  });

  it('closes its connection and its database when it has left', async () => {
    const host = new PageHost();
    const chat = await fixtureOf(host);
    await say(chat, 'bye');
    await untilQuiet(chat);

    chat.remove();
    await waitUntil(() => host.links === 0, 'no link is left');
    const outcome = await new Promise((resolve) => {
      const request = indexedDB.deleteDatabase(databaseOf(host));
      request.onsuccess = () => resolve('deleted');
      request.onblocked = () => resolve('blocked');
    });

    expect(outcome).to.equal('deleted');
  });

  it('leaves the host when told, still shows the chat, and comes back', async () => {
    const host = new PageHost({ turns: [turn('a')] });
    const chat = await fixtureOf(host);

    chat.disconnect();
    await waitUntil(() => host.links === 0, 'the link is closed');
    await comeToRest(chat);
    const shown = turnsOf(chat).length;
    chat.connect();
    await untilLive(chat);

    expect(shown).to.equal(1);
    expect(host.links).to.equal(1);
  });

  it('says which versions do not meet, and keeps what is written', async () => {
    const host = new PageHost({ supportedVersions: ['>=3.0.0 <4.0.0'] });
    host.isReachable = true;
    const chat = document.createElement('ahp-chat');
    Object.assign(chat, { transport: host.transport, storageKey: host.key });
    await fixture(html`${chat}`);
    await waitUntil(() => chat.status?.phase === 'failed', 'it gives up');
    await comeToRest(chat);
    chat.focus();
    await type('still here');

    expect(chat.status?.error?.code).to.equal('version-mismatch');
    expect(find(chat, 'ahp-status').shadowRoot!.textContent).to.contain('>=3.0.0 <4.0.0');
    expect(writtenIn(chat)).to.equal('still here');
  });

  it('clears everything it keeps when asked', async () => {
    const host = new PageHost({ turns: [turn('a')] });
    const chat = await fixtureOf(host);
    await waitUntil(async () => (await readStore(host, 'turns')).length > 0, 'the turn is on disk');

    await chat.clearMirror();

    expect(await readStore(host, 'turns')).to.deep.equal([]);
    expect(composerOf(chat)).to.not.equal(null);
  });
});

async function readStore(host: PageHost, name: string): Promise<readonly unknown[]> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(databaseOf(host));
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(new Error(`The database cannot be read: ${request.error?.message}`));
  });
  try {
    if (!database.objectStoreNames.contains(name)) return [];
    return await new Promise((resolve, reject) => {
      const request = database.transaction(name).objectStore(name).getAll();
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(new Error(`The database cannot be read: ${request.error?.message}`));
    });
  } finally {
    database.close();
  }
}

const readDrafts = async (host: PageHost): Promise<readonly string[]> =>
  (await readStore(host, 'drafts')).map((draft) => (draft as { message: { text: string } }).message.text);
