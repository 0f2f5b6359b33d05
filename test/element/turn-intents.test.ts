/** What a person does with turns, with a host in the page and in real time. */

import { expect } from '@open-wc/testing';
import { MemoryChatStore } from '../../src/chat/memory-store.js';
import type { AhpChat } from '../../src/element/ahp-chat.js';
import type { TurnHandle } from '../../src/host/turn-handle.js';
import { Status, type ChatState } from '../../src/protocol/state.js';
import { loadChatNotes, loadSelectionBar } from '../../src/views/parts/lazy.js';
import {
  comeToRest,
  fixtureOf,
  fixtureWith,
  transcriptOf,
  turnsOf,
  untilLive,
  untilQuiet,
} from '../helpers/chat-element.js';
import { busyChat, chat, turn } from '../helpers/chat-states.js';
import { CHAT, PageHost, SESSION } from '../helpers/page-host.js';
import { waitUntil } from '../helpers/until.js';
import { click, collect, drag, expectAccessible, find, findAll, findButton, type } from '../helpers/views.js';
import '../../src/element/ahp-chat-list.js';

const agents = [
  {
    provider: 'test',
    displayName: 'Test',
    description: '',
    models: [],
    capabilities: { multipleChats: { fork: true, sideChat: true } },
  },
];

const failed = turn('bad', {
  state: 'error',
  responseParts: [{ kind: 'error', resumable: true, error: { errorType: 'x', message: 'No.' } }],
});

async function pressOn(element: AhpChat, place: number, name: string): Promise<void> {
  const find = () => turnsOf(element)[place]?.querySelector<HTMLElement>(`.actions [aria-label="${name}"]`);
  await waitUntil(find, `there is ${name}`);
  find()!.click();
}

async function editOf(element: AhpChat, place: number): Promise<void> {
  await pressOn(element, place, 'Edit message');
  await waitUntil(() => transcriptOf(element).renderRoot.querySelector('ahp-message-editor textarea'));
}

const kinds = (store: MemoryChatStore) => store.dispatched.map((group) => group.map(({ type }) => type));

describe('turns in <ahp-chat>', () => {
  it('edits and sends again as one group, which the host takes whole', async () => {
    const host = new PageHost({ turns: ['a', 'b', 'c'].map((id) => turn(id)) });
    const element = await fixtureOf(host);
    await editOf(element, 1);

    await type(' again');
    findButton(transcriptOf(element), 'Send again').click();
    await waitUntil(() => host.chat.turns.length === 2 && host.chat.turns[1]!.id !== 'b');
    await untilQuiet(element);

    expect(host.chat.turns.map(({ message }) => message.text)).to.deep.equal(['question a', 'question b again']);
  });

  it('dispatches truncation and start together, and the first turn cuts everything', async () => {
    const store = new MemoryChatStore(chat({ turns: [turn('a'), turn('b')] }));
    const element = await fixtureWith(store);
    await editOf(element, 0);

    findButton(transcriptOf(element), 'Send again').click();
    await waitUntil(() => store.dispatched.length > 0);

    expect(kinds(store)).to.deep.equal([['chat/truncated', 'chat/turnStarted']]);
    expect(store.dispatched[0]![0]).to.deep.equal({ type: 'chat/truncated' });
  });

  it('loads what stands before the first turn in memory, so that it is not cut off as well', async () => {
    const store = new MemoryChatStore(chat({ turns: [turn('b')], turnsNextCursor: 'more' }), {
      loadOlder: async () => ({ type: 'chat/turnsLoaded', turns: [turn('a')] }),
    });
    const element = await fixtureWith(store);
    await editOf(element, turnsOf(element).length - 1);

    findButton(transcriptOf(element), 'Send again').click();
    await waitUntil(() => store.dispatched.length > 0);

    expect(store.dispatched[0]![0]).to.deep.equal({ type: 'chat/truncated', turnId: 'a' });
  });

  it('forks from a turn and shows the new chat, which says where it comes from and leads back', async () => {
    const host = new PageHost({ agents, turns: [turn('a'), turn('b')] });
    const element = await fixtureOf(host);
    await waitUntil(() => element.store?.session, 'the session is known');
    await comeToRest(element);

    await pressOn(element, 0, 'Fork from here');
    await waitUntil(() => element.state !== undefined && element.state.resource !== CHAT, 'the fork is shown');
    await untilLive(element);
    await loadChatNotes();
    await waitUntil(() => findAll(element, 'ahp-chat-notes').length > 0, 'the notes are there');
    await comeToRest(element);

    expect(element.state!.turns.map(({ id }) => id)).to.deep.equal(['a']);
    expect(element.session).to.equal(SESSION);
    const notes = find(element, 'ahp-chat-notes');
    expect(notes.shadowRoot!.textContent).to.contain('Forked from');
    await expectAccessible(notes);

    find(notes, '.link-button').click();
    await waitUntil(() => element.state?.resource === CHAT, 'it leads back');
  });

  it('begins a side chat about a selected piece of an answer, which shows the piece', async () => {
    const responseParts = [{ kind: 'markdown', id: 'p', content: 'These very words.' }] as const;
    const host = new PageHost({ agents, turns: [turn('a', { responseParts })] });
    const element = await fixtureOf(host);
    await waitUntil(() => element.store?.session, 'the session is known');
    await loadSelectionBar();
    await waitUntil(() => findAll(transcriptOf(element), 'ahp-markdown p').length > 0, 'the answer is set');
    await comeToRest(element);
    const words = find(turnsOf(element)[0]!, 'ahp-markdown p');

    await drag(words, words);
    await waitUntil(() => findAll(transcriptOf(element), '[part=selection-bar]').length > 0, 'it is offered');
    await click(findButton(transcriptOf(element), 'Ask in a side chat'));
    await waitUntil(() => element.state !== undefined && element.state.resource !== CHAT, 'the side chat is shown');
    await untilLive(element);
    await loadChatNotes();
    await waitUntil(() => findAll(element, 'ahp-chat-notes').length > 0, 'the notes are there');
    await comeToRest(element);

    expect(element.state!.origin).to.deep.equal({
      kind: 'sideChat',
      chat: CHAT,
      turnId: 'a',
      selection: { text: 'These very words.', responsePartId: 'p' },
    });
    expect(find(find(element, 'ahp-chat-notes'), 'blockquote').textContent).to.equal('These very words.');
  });

  it('says what a host answers that does not fork, and stays where it is', async () => {
    const store = new MemoryChatStore(chat({ turns: [turn('a')] }), {
      session: {
        resource: SESSION,
        title: '',
        lifecycle: 'ready',
        provider: 'test',
        models: [],
        agents: [],
        capabilities: { multipleChats: { fork: true } },
        chats: [],
        completionTriggerCharacters: [],
      },
      services: {
        createChat: async () => {
          const { AhpError } = await import('../../src/protocol/errors.js');
          throw new AhpError('rpc', 'No room.');
        },
      },
    });
    const element = await fixtureWith(store);
    const errors = collect(element, 'ahp-error');

    await pressOn(element, 0, 'Fork from here');
    await waitUntil(() => errors.length === 1);
    await comeToRest(element);

    expect(find(element, 'ahp-composer').shadowRoot!.textContent).to.contain('No room.');
  });

  it('names a chat it came from that is gone, without a link', async () => {
    const origin = { kind: 'fork' as const, chat: 'ahp-chat:/gone', turnId: 'x' };
    await loadChatNotes();
    const element = await fixtureWith(new MemoryChatStore(chat({ origin })));

    const notes = find(element, 'ahp-chat-notes');

    expect(notes.shadowRoot!.textContent).to.contain('another chat');
    expect(findAll(notes, 'button')).to.deep.equal([]);
  });

  it('shows that a chat is archived, and what runs in the background', async () => {
    await loadChatNotes();
    const work = [
      { kind: 'shell', id: 'w', label: 'Dev server', startedAt: '2026-01-01T00:00:00.000Z', command: 'npm start' },
    ];
    const state: ChatState = chat({ status: Status.Idle | Status.IsArchived, backgroundWork: work });
    const element = await fixtureWith(new MemoryChatStore(state));
    const notes = find(element, 'ahp-chat-notes');

    findButton(notes, /background/).click();
    await waitUntil(() => notes.shadowRoot!.textContent?.includes('npm start'));

    expect(notes.shadowRoot!.textContent).to.contain('This chat is archived.');
    expect(notes.shadowRoot!.textContent).to.contain('Dev server');
  });

  it('resumes only what the host would resume', async () => {
    const store = new MemoryChatStore(chat({ turns: [failed] }));
    const element = await fixtureWith(store);
    await pressOn(element, 0, 'Resume');
    expect(kinds(store)).to.deep.equal([['chat/turnResume']]);

    const busy = new MemoryChatStore(busyChat([], { turns: [failed] }));
    const other = await fixtureWith(busy);
    expect(findAll(turnsOf(other)[0]!, 'button').map(({ textContent }) => textContent.trim())).to.not.include('Resume');
  });

  describe('says that a chat was read', () => {
    const unread = async (element: AhpChat, host: PageHost) => {
      await untilQuiet(element);
      return (host.chat.status & Status.IsRead) === 0;
    };

    it('when its end was seen for a moment', async () => {
      const host = new PageHost({ turns: [turn('a')] });
      await fixtureOf(host);

      await waitUntil(() => (host.chat.status & Status.IsRead) !== 0, 'it is read');
    });

    it('not while a turn runs', async () => {
      let end: (() => void) | undefined;
      const runTurn = (_turn: TurnHandle) => new Promise<void>((resolve) => (end = resolve));
      const host = new PageHost({ hooks: { runTurn } });
      const element = await fixtureOf(host);
      await waitUntil(() => (host.chat.status & Status.IsRead) !== 0, 'it is read');

      element.send({ text: 'go', origin: { kind: 'user' } });
      await waitUntil(() => end !== undefined);
      expect(host.chat.status & Status.IsRead).to.equal(0);
      end!();

      expect(await unread(element, host)).to.equal(true);
      await waitUntil(() => (host.chat.status & Status.IsRead) !== 0, 'it is read');
    });
  });

  const prevented: readonly [
    name: 'ahp-send' | 'ahp-resume' | 'ahp-fork' | 'ahp-open-chat',
    act: (element: AhpChat) => Promise<void>,
  ][] = [
    [
      'ahp-send',
      async (element) => {
        await editOf(element, 0);
        findButton(transcriptOf(element), 'Send again').click();
      },
    ],
    ['ahp-resume', (element) => pressOn(element, 1, 'Resume')],
    ['ahp-fork', (element) => pressOn(element, 0, 'Fork from here')],
    [
      'ahp-open-chat',
      async (element) => {
        await pressOn(element, 0, 'Fork from here');
        await waitUntil(() => element.store!.session!.chats.length === 2);
      },
    ],
  ];

  for (const [name, act] of prevented) {
    it(`lets the page prevent ${name}, and then nothing of it happens`, async () => {
      const host = new PageHost({ agents, turns: [turn('a'), failed] });
      const element = await fixtureOf(host);
      await waitUntil(() => element.store?.session, 'the session is known');
      await comeToRest(element);
      const before = JSON.stringify(host.chat.turns);
      const seen = collect(element, name);
      element.addEventListener(name, (event) => event.preventDefault());

      await act(element);
      await waitUntil(() => seen.length === 1);
      await untilQuiet(element);

      expect(JSON.stringify(host.chat.turns)).to.equal(before);
      expect(host.host.getSession(SESSION)!.chats).to.have.length(name === 'ahp-open-chat' ? 2 : 1);
      expect(element.chat).to.equal(CHAT);
    });
  }

  it('keeps a pushed token out of everything that is stored or shown', async () => {
    const host = new PageHost({
      agents: agents.map((agent) => ({ ...agent, protectedResources: [{ resource: 'https://api.example' }] })),
    });
    const element = await fixtureOf(host);

    await element.authenticate('https://api.example', 'secret-token-4711');
    element.send({ text: 'hello', origin: { kind: 'user' } });
    await waitUntil(() => host.chat.turns.length === 1);
    await untilQuiet(element);

    const stored = [JSON.stringify(localStorage), JSON.stringify(sessionStorage), ...(await readDatabases())];
    expect(stored.filter((text) => text.includes('secret-token-4711'))).to.deep.equal([]);
    expect(textsOf(element)).to.not.contain('secret-token-4711');
    expect(JSON.stringify(element.state)).to.not.contain('secret-token-4711');
  });
});

/** Everything in every database of the origin. */
async function readDatabases(): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const { name } of await indexedDB.databases()) {
    const database = await toPromise(indexedDB.open(name!));
    for (const store of database.objectStoreNames) {
      const rows = await toPromise(database.transaction(store).objectStore(store).getAll());
      texts.push(JSON.stringify(rows));
    }
    database.close();
  }
  return texts;
}

const toPromise = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(new Error(`The database cannot be read: ${request.error?.message}`));
  });

/** All text and all attributes, through every shadow root. */
function textsOf(element: Element): string {
  const inner = [...(element.shadowRoot?.querySelectorAll('*') ?? [])];
  const own = [
    element.textContent,
    element.shadowRoot?.textContent,
    ...[...element.attributes].map(({ value }) => value),
  ];
  return [...own, ...inner.map(textsOf)].join(' ');
}
