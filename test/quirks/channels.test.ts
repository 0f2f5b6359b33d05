/** Hosts that give less than they were asked for, under other names, or no longer at all, and what a person sees of it. */

import { expect } from '@open-wc/testing';
import { fixtureOf, turnsOf } from '../helpers/chat-element.js';
import { PageHost, SESSION as PAGE_SESSION } from '../helpers/page-host.js';
import { openScreen, type Screen } from '../helpers/screen.js';
import { CHAT, createTurns, SESSION, userMessage } from '../helpers/scripted-host.js';
import { waitUntil } from '../helpers/until.js';
import { textOf } from '../helpers/views.js';

describe('a host whose handshake lacks some of the snapshots it was asked for', () => {
  it('shows the chat all the same, and asks for each missing one once', async () => {
    const screen = await openScreen({ turns: createTurns(2) });
    screen.host.withholdsSnapshots = true;
    screen.host.forgetClients();
    screen.host.drop();

    await screen.pass(1_000);

    expect(screen.tab.store.status.phase).to.equal('live');
    expect(screen.text).to.contain('answer of t2');
    await screen.say('still there?');
    expect(screen.host.chat.activeTurn!.message.text).to.equal('still there?');
    const asked = screen.host.sent('subscribe').map(({ channel }) => channel);
    expect(asked.filter((channel) => channel === SESSION)).to.have.length(1);
  });
});

describe('a host that names its default chat by a scheme of its own', () => {
  for (const chat of ['ahp-chat://default/YWhwLXNlc3Npb246L29uZQ', 'copilot:/c/1?x=1#y', 'urn:uuid:1-2']) {
    it(`opens ${chat} and writes into it`, async () => {
      const host = new PageHost();
      host.host.createChat(PAGE_SESSION, { resource: chat, turns: createTurns(1) });
      host.host.dispatch(PAGE_SESSION, { type: 'session/defaultChatChanged', defaultChat: chat });

      const element = await fixtureOf(host, { chat: undefined });
      await waitUntil(() => turnsOf(element).length === 1, 'the chat is shown');
      element.send(userMessage('hello'));
      await waitUntil(() => host.host.getChat(chat)!.turns.length === 2, 'the host has the message');

      expect(element.state!.resource).to.equal(chat);
      await waitUntil(() => textOf(turnsOf(element).at(-1)!).includes('You said: hello'), 'the answer is shown');
    });
  }
});

describe('a host that answers `fetchTurns` without turns', () => {
  it('offers no older turns any more, shows what it has and says nothing of a failure', async () => {
    const screen = await openScreen({ turns: createTurns(80) });
    expect(screen.buttons).to.include('Show older turns');
    screen.host.ignoresFetchTurns = true;

    await screen.press('Show older turns');
    await screen.pass(500);

    expect(screen.host.sent('fetchTurns')).to.have.length(1);
    expect(screen.buttons).not.to.include('Show older turns').and.not.to.include('Loading older turns…');
    expect(screen.tab.state.turns).to.have.length(50);
    expect(screen.strip).to.equal('');
  });
});

describe('a host whose replay misses the chat', () => {
  it('keeps the last known state readable, says so, and gives nothing written up', async () => {
    const screen = await openScreen({ turns: createTurns(2) });
    screen.tab.type('half a thought');
    screen.host.isReachable = false;
    screen.host.drop();
    await screen.pass();
    screen.tab.send('while away');
    screen.tab.type('half a thought');
    const saved = screen.host.host.exportState();
    screen.host.isReachable = true;
    screen.host.host.disposeSession(SESSION);

    await screen.pass(40_000);

    expect(saved.chats).to.have.length(1);
    expect(screen.tab.store.status.phase).to.equal('failed');
    expect(screen.strip).to.contain('The host no longer has this chat. What you see is the last known state.');
    expect(screen.text).to.contain('answer of t2').and.contain('while away');
    expect(screen.tab.draft.message.text).to.equal('half a thought');
  });
});

describe('a host that removes the session while it is open', () => {
  for (const [name, remove] of [
    ['by itself', ({ host }: Screen) => host.host.disposeSession(SESSION)],
    ['while nobody is connected', ({ host }: Screen) => host.restart({ state: 'lost' })],
  ] as const)
    it(`says that the chat is gone, keeps it on screen, and does not ask in a loop: ${name}`, async () => {
      const screen = await openScreen({ turns: createTurns(2) });

      remove(screen);
      await screen.pass(5_000);

      expect(screen.strip).to.contain('The host no longer has this chat.');
      expect(screen.text).to.contain('answer of t2');
      const asked = screen.host.sent('subscribe').length;
      await screen.pass(600_000);
      expect(screen.host.sent('subscribe').length).to.equal(asked);
      await screen.press('Try again');
      expect(
        screen.host
          .sent('subscribe')
          .map(({ channel }) => channel)
          .slice(asked),
      ).to.deep.equal([CHAT]);
      expect(screen.strip).to.contain('The host no longer has this chat.');
    });
});
