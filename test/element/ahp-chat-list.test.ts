/** The list beside the chat, with a host in the page and in real time. */

import { expect, fixture, html } from '@open-wc/testing';
import { en } from '../../src/i18n/en.js';
import { Status } from '../../src/protocol/state.js';
import '../../src/element/ahp-chat-list.js';
import type { AhpChatList } from '../../src/element/ahp-chat-list.js';
import type { AhpCatalogue } from '../../src/views/chat-list/ahp-catalogue.js';
import { fixtureOf, transcriptOf, turnsOf, untilLive } from '../helpers/chat-element.js';
import { turn } from '../helpers/chat-states.js';
import { CHAT, PageHost, SESSION } from '../helpers/page-host.js';
import { waitUntil } from '../helpers/until.js';
import {
  deepFocus,
  expectAccessible,
  find,
  findAll,
  findButton,
  nameOf,
  press,
  rendered,
  type,
} from '../helpers/views.js';

const SECOND = 'ahp-chat:/second';
const HIDDEN = 'ahp-chat:/hidden';
const agents = [
  {
    provider: 'test',
    displayName: 'Test',
    description: '',
    models: [],
    capabilities: { multipleChats: { fork: true, sideChat: true } },
  },
];

function makeHost(options: ConstructorParameters<typeof PageHost>[0] = {}): PageHost {
  const page = new PageHost({ agents, ...options });
  page.host.createChat(SESSION, { resource: SECOND, title: 'Second' });
  page.host.createChat(SESSION, { resource: HIDDEN, title: 'Hidden', interactivity: 'hidden' });
  return page;
}

async function listOf(page: PageHost, settings: Partial<AhpChatList> = {}): Promise<AhpChatList> {
  const list = document.createElement('ahp-chat-list');
  Object.assign(list, { transport: page.transport, storageKey: page.key, session: SESSION, ...settings });
  await fixture(html`${list}`);
  await waitUntil(() => catalogueOf(list).catalogue.phase === 'live', 'the list is live');
  await rendered(list);
  await catalogueOf(list).updateComplete;
  return list;
}

const catalogueOf = (list: AhpChatList) => find<AhpCatalogue>(list, 'ahp-catalogue');
const rowsOf = (list: AhpChatList) => findAll(catalogueOf(list), '[data-row]');
const titlesOf = (list: AhpChatList) =>
  findAll(catalogueOf(list), '.title').map(({ textContent }) => textContent.trim());
const openersOf = (list: AhpChatList) => findAll<HTMLButtonElement>(catalogueOf(list), '.open');
const pressOn = (list: AhpChatList, name: string | RegExp) => findButton(catalogueOf(list), name).click();
const untilTitles = (list: AhpChatList, ...titles: readonly string[]) =>
  waitUntil(() => titlesOf(list).toSorted().join() === titles.toSorted().join(), `the list is ${titles.join()}`);

describe('<ahp-chat-list>', () => {
  it('lists the chats of a session, never a hidden one, on the connection of the chat beside it', async () => {
    const page = makeHost();
    await fixtureOf(page);

    const list = await listOf(page);

    expect(titlesOf(list).toSorted()).to.deep.equal(['Page', 'Second']);
    expect(page.connections).to.equal(1);
  });

  it('lists the sessions of a host, with their chats where there are several', async () => {
    const page = makeHost();
    page.host.createSession({ resource: 'ahp-session:/other', provider: 'test', title: 'Other' });

    const list = await listOf(page, { session: undefined });

    expect(titlesOf(list).toSorted()).to.deep.equal(['Other', 'Page', 'Page', 'Second']);
  });

  it('follows the host, also over a loss of the connection', async () => {
    const page = makeHost();
    const list = await listOf(page, { session: undefined });
    page.host.createSession({ resource: 'ahp-session:/a', provider: 'test', title: 'While connected' });
    await waitUntil(() => titlesOf(list).includes('While connected'));

    page.goAway();
    await waitUntil(() => catalogueOf(list).catalogue.phase !== 'live');
    page.host.createSession({ resource: 'ahp-session:/b', provider: 'test', title: 'While away' });
    page.isReachable = true;

    await waitUntil(() => titlesOf(list).includes('While away'), 'it is asked for again');
  });

  it('marks what waits for a person, what runs and what is unread, in words as well', async () => {
    // An agent that goes on until it is stopped.
    const page = makeHost({ hooks: { runTurn: (turn) => turn.until(() => undefined) } });
    const list = await listOf(page);
    const row = () => rowsOf(list).find((each) => each.textContent.includes('Second'))!;
    expect(row().textContent).to.contain('Unread');

    page.host.dispatch(SECOND, { type: 'chat/isReadChanged', isRead: true });
    page.host.dispatch(SECOND, {
      type: 'chat/turnStarted',
      turnId: 't',
      startedAt: '2026-01-01T00:00:00.000Z',
      message: { text: 'x', origin: { kind: 'user' } },
    });
    page.host.dispatch(SECOND, { type: 'chat/inputRequested', request: { id: 'q', message: 'Which?' } });

    await waitUntil(() => row().textContent.includes(en.waitingForYou));
  });

  it('opens a chat in the element it is for, and marks it', async () => {
    const page = makeHost();
    const chat = await fixtureOf(page, { id: 'main' });
    const list = await listOf(page, { for: 'main' });

    openersOf(list)
      .find((button) => button.textContent.includes('Second'))!
      .click();
    await waitUntil(() => chat.state?.resource === SECOND, 'the chat is shown');
    await untilLive(chat);
    await waitUntil(() => openersOf(list).some((button) => button.ariaCurrent === 'true'));

    expect(openersOf(list).find((button) => button.ariaCurrent === 'true')!.textContent).to.contain('Second');
  });

  it('makes a chat and opens it', async () => {
    const page = makeHost();
    const chat = await fixtureOf(page, { id: 'main' });
    const list = await listOf(page, { for: 'main' });

    pressOn(list, 'New chat');
    await waitUntil(
      () => chat.state !== undefined && ![CHAT, SECOND].includes(chat.state.resource),
      'a new chat is shown',
    );

    expect(page.host.getSession(SESSION)!.chats).to.have.length(4);
  });

  it('makes no further chat, and offers none, where the agent has one only', async () => {
    const page = new PageHost({ agents: [{ ...agents[0]!, capabilities: {} }], turns: [turn('a')] });
    const chat = await fixtureOf(page, { id: 'main' });
    const list = await listOf(page, { for: 'main' });

    await waitUntil(
      () => findAll(transcriptOf(chat), 'ahp-turn .actions button').length > 0,
      'the turn has its actions',
    );
    expect(findAll(turnsOf(chat)[0]!, 'button').map(nameOf).join()).to.not.match(/fork|side/i);
    expect(findAll(catalogueOf(list), 'button').map(nameOf).join()).to.not.match(/new chat/i);
    expect(page.received.filter(({ method }) => method === 'createChat')).to.be.empty;
  });

  it('renames a session in place', async () => {
    const page = makeHost();
    const list = await listOf(page, { session: undefined });

    pressOn(list, 'Rename: Page');
    await catalogueOf(list).updateComplete;
    expect(deepFocus()?.localName).to.equal('input');
    (deepFocus() as HTMLInputElement).select();
    await type('Renamed');
    await press('Enter');

    await waitUntil(() => page.host.getSession(SESSION)!.title === 'Renamed');
    await waitUntil(() => titlesOf(list).includes('Renamed'));
    expect(deepFocus()).to.equal(openersOf(list).find((button) => button.textContent.includes('Renamed')));
  });

  it('lets the page prevent ahp-catalogue-rename, and then the title stays', async () => {
    const page = makeHost();
    const list = await listOf(page, { session: undefined });
    const asked: string[] = [];
    list.addEventListener('ahp-catalogue-rename', (event) => {
      asked.push(event.type);
      event.preventDefault();
    });

    pressOn(list, 'Rename: Page');
    await catalogueOf(list).updateComplete;
    (deepFocus() as HTMLInputElement).select();
    await type('Renamed');
    await press('Enter');
    await rendered(list);

    expect(asked).to.have.length(1);
    expect(page.received.some((frame) => JSON.stringify(frame).includes('Renamed'))).to.equal(false);
    expect(page.host.getSession(SESSION)!.title).to.equal('Page');
  });

  it('leaves the title alone on Escape', async () => {
    const page = makeHost();
    const list = await listOf(page, { session: undefined });
    pressOn(list, 'Rename: Page');
    await catalogueOf(list).updateComplete;

    await type('no');
    await press('Escape');
    await catalogueOf(list).updateComplete;

    expect(page.host.getSession(SESSION)!.title).to.equal('Page');
    expect(titlesOf(list)).to.include('Page');
  });

  it('puts a chat away and takes it out again', async () => {
    const page = makeHost();
    const list = await listOf(page);

    pressOn(list, 'Archive: Second');
    await untilTitles(list, 'Page');
    expect(page.host.getChat(SECOND)!.status & Status.IsArchived).to.equal(Status.IsArchived);

    pressOn(list, /archived/);
    await catalogueOf(list).updateComplete;
    pressOn(list, 'Unarchive: Second');

    await waitUntil(() => (page.host.getChat(SECOND)!.status & Status.IsArchived) === 0);
  });

  it('is reached with Tab where it was put away, and goes on from there', async () => {
    const page = makeHost();
    page.host.createChat(SESSION, { resource: 'ahp-chat:/third', title: 'Third' });
    const list = await listOf(page);
    for (const title of ['Second', 'Third']) pressOn(list, `Archive: ${title}`);
    await untilTitles(list, 'Page');

    findButton(catalogueOf(list), /archived/).focus();
    await press('Enter');
    await catalogueOf(list).updateComplete;
    await press('Tab');
    const reached = nameOf(deepFocus()!);
    await press('ArrowDown');
    const next = nameOf(deepFocus()!);
    await press('ArrowDown');
    expect([reached, next].map((name) => /Second|Third/.exec(name)?.[0]).toSorted()).to.deep.equal(['Second', 'Third']);
    expect(nameOf(deepFocus()!)).to.equal(next);
    await press('ArrowRight');
    await press('Enter');

    await untilTitles(list, 'Page', 'Second', 'Third');
    expect(deepFocus()?.closest('[data-row]')?.textContent).to.include(/Second|Third/.exec(next)![0]);
  });

  it('deletes only what was confirmed, and the first Enter confirms nothing', async () => {
    const page = makeHost();
    const list = await listOf(page);

    pressOn(list, 'Delete: Second');
    await catalogueOf(list).updateComplete;
    expect(nameOf(deepFocus()!)).to.equal('Keep');
    await press('Enter');
    await catalogueOf(list).updateComplete;
    expect(titlesOf(list)).to.include('Second');

    pressOn(list, 'Delete: Second');
    await catalogueOf(list).updateComplete;
    pressOn(list, 'Delete');

    await untilTitles(list, 'Page');
    expect(page.host.getChat(SECOND)).to.equal(undefined);
  });

  it('goes up and down with the arrows, and sideways to what can be done', async () => {
    const page = makeHost();
    const list = await listOf(page);
    const [first, second] = openersOf(list);

    list.focus();
    await press('ArrowDown');
    const down = deepFocus();
    await press('ArrowRight');
    const aside = deepFocus();
    await press('Home');

    expect(down).to.equal(second);
    expect(nameOf(aside!)).to.match(/^Archive/);
    expect(deepFocus()).to.equal(first);
    expect(findAll(catalogueOf(list), 'button[tabindex="0"].open')).to.have.length(1);
  });

  it('goes sideways in the direction of the page', async () => {
    const page = makeHost();
    const list = await listOf(page);
    list.dir = 'rtl';

    list.focus();
    await press('ArrowLeft');

    expect(nameOf(deepFocus()!)).to.match(/^Archive/);
  });

  it('offers nothing but opening where it is only read', async () => {
    const list = await listOf(makeHost(), { readOnly: true });

    expect(findAll(catalogueOf(list), 'button').map(({ className }) => className.split(' ')[0])).to.deep.equal([
      'open',
      'open',
    ]);
  });

  it('breaks no rule of accessibility, with a title being edited as well', async () => {
    const list = await listOf(makeHost(), { session: undefined });
    await expectAccessible(list);

    pressOn(list, 'Rename: Page');
    await catalogueOf(list).updateComplete;

    await expectAccessible(list);
  });

  it('leaves nothing open when it goes', async () => {
    const page = makeHost();
    const list = await listOf(page);

    list.remove();

    await waitUntil(() => page.links === 0);
  });

  for (const [name, act] of [
    [
      'ahp-open-chat',
      (list: AhpChatList) =>
        openersOf(list)
          .find((one) => one.textContent.includes('Second'))!
          .click(),
    ],
    ['ahp-catalogue-create', (list: AhpChatList) => pressOn(list, 'New chat')],
    ['ahp-catalogue-archive', (list: AhpChatList) => pressOn(list, 'Archive: Second')],
    [
      'ahp-catalogue-remove',
      async (list: AhpChatList) => {
        pressOn(list, 'Delete: Second');
        await catalogueOf(list).updateComplete;
        pressOn(list, 'Delete');
      },
    ],
  ] as const) {
    it(`lets the page prevent ${name}, and then nothing reaches the host`, async () => {
      const page = makeHost();
      const chat = await fixtureOf(page, { id: 'main' });
      const list = await listOf(page, { for: 'main' });
      const before = JSON.stringify(page.host.getSession(SESSION));
      let asked = 0;
      list.addEventListener(name, (event) => {
        asked += 1;
        event.preventDefault();
      });

      await act(list);
      await rendered(list);

      expect(asked).to.equal(1);
      expect(JSON.stringify(page.host.getSession(SESSION))).to.equal(before);
      expect(chat.chat).to.equal(CHAT);
    });
  }
});
