/** Several documents on one chat, and documents that end without a warning. */

import assert from 'node:assert/strict';
import type { Scene } from '../world.js';

const long = 'Write a long report about the workspace';

export const tabScenes: readonly Scene[] = [
  {
    name: 'two tabs: what one sends is in both, once',
    async play(world) {
      const [first, second] = [await world.openLive(), await world.openLive()];

      await first.send('from the first');
      await second.untilTold('from the first');
      await second.send('from the second');

      await world.ends(['from the first', 'from the second']);
      assert.notEqual((await first.look()).clientId, (await second.look()).clientId);
    },
  },
  {
    name: 'five tabs: each sends while an answer streams, each message runs once, and all show the same',
    async play(world) {
      const tabs = [await world.openLive()];
      await tabs[0]!.send(long);
      while (tabs.length < 5) tabs.push(await world.open());
      const sent: string[] = [];
      for (const [index, tab] of tabs.entries()) {
        const text = `from tab ${index + 1}`;
        await tab.untilTold(sent.at(-1) ?? long);
        sent.push(text);
        await tab.send(text);
        // The order of five tabs is nobody's promise; that of one after the other is.
        await world.untilHost(`${text} is`, (state) => JSON.stringify(state).includes(`"${text}"`), tab);
      }

      await world.ends([long, ...sent]);
    },
  },
  {
    name: 'two tabs: a draft shows in the other one, and neither takes words from whoever types',
    async play(world) {
      const [first, second] = [await world.openLive(), await world.openLive()];
      await first.type('written in the first');
      await second.untilComposer('written in the first');

      await second.type(', continued in the second');
      await first.until('no word is gone', ({ composer }) => composer.startsWith('written in the first'));
      await second.enter();

      await world.ends(['written in the first, continued in the second']);
      for (const tab of [first, second]) {
        await tab.until(
          'the composer is empty, or offers what stood there',
          ({ composer }) => composer === '' || composer === 'written in the first',
        );
      }
    },
  },
  {
    name: 'a duplicated tab is another client, and both take part',
    async play(world) {
      const first = await world.openLive();
      await first.type('half a word');
      const second = world.watch(await first.tab.duplicate());
      await second.untilShown();
      await second.untilQuiet();
      assert.notEqual((await first.look()).clientId, (await second.look()).clientId);

      await first.send(' from the first');
      await second.until('it has heard of it', ({ prompts }) => prompts.length === 1);
      await second.send('and one from the second');
      await world.untilHost('it is', ({ turns }) => turns.length === 2);
      const { turns } = await world.truth();

      assert.equal(turns[0]?.message.text, 'half a word from the first');
      assert.ok(turns[1]?.message.text.endsWith('and one from the second'));
      await world.ends(turns.map(({ message }) => message.text));
    },
  },
  {
    name: 'a tab duplicated with an unsent message sends it once',
    async play(world) {
      const first = await world.openLive();
      await world.loseHost(first);
      await first.send('only one of us');
      await first.untilSending('only one of us');
      const second = world.watch(await first.tab.duplicate());
      await second.untilShown();

      await world.startHost();

      await world.ends(['only one of us']);
      assert.notEqual((await first.look()).clientId, (await second.look()).clientId);
    },
  },
  {
    name: 'a tab is closed with an unsent message: another that is open adopts it',
    async play(world) {
      const [first, second] = [await world.openLive(), await world.openLive()];
      await world.loseHost(first);
      await first.send('for whoever stays');
      await first.untilSending('for whoever stays');
      await first.close();
      await world.startHost();

      // Whoever lives looks every 20 s for what others have left.
      await second.until('it has adopted it', ({ prompts }) => prompts.includes('for whoever stays'), 60_000);

      await world.ends(['for whoever stays']);
    },
  },
  {
    name: 'the renderer dies between typing and sending: every letter is there',
    needs: ['crash'],
    async play(world) {
      const chat = await world.openLive();
      await chat.type('cut short');
      // 200 ms after the first letter the draft goes to disk.
      const other = await world.openOther();
      await world.untilStored(other, 'drafts', 'cut short');

      await chat.tab.crash();
      await chat.reload();
      await chat.untilComposer('cut short');
      await chat.enter();

      await world.ends(['cut short']);
    },
  },
  {
    name: 'the renderer dies between writing a message down and sending it: it is sent once',
    needs: ['crash'],
    async play(world) {
      const chat = await world.openLive();
      const other = await world.openOther();
      await chat.tab.call('swallow', 'chat/turnStarted');
      await chat.send('written down, not sent');
      await world.untilStored(other, 'outbox', 'written down, not sent');
      await world.until('it is about to be sent', () => chat.tab.call('hasSwallowed'));

      await chat.tab.crash();
      await chat.reload();

      await world.ends(['written down, not sent']);
    },
  },
  {
    name: 'the renderer dies between writing a message down and sending it, and its tab is closed: another sends it once',
    needs: ['crash'],
    async play(world) {
      const chat = await world.openLive();
      const other = await world.openOther();
      await chat.tab.call('swallow', 'chat/turnStarted');
      await chat.send('written down, not sent');
      await world.untilStored(other, 'outbox', 'written down, not sent');
      await world.until('it is about to be sent', () => chat.tab.call('hasSwallowed'));

      await chat.tab.crash();
      await world.until('the locks of the dead are free', async () => (await other.call('locks')).length === 0);
      await chat.close();
      await world.open();

      await world.ends(['written down, not sent']);
    },
  },
  {
    name: 'the renderer dies while an answer streams: it is whole',
    needs: ['crash'],
    async play(world) {
      const chat = await world.openLive();
      await chat.send(long);
      await chat.untilRunning();

      await chat.tab.crash();
      await chat.reload();

      await world.ends([long]);
    },
  },
  {
    name: 'the whole browser is killed: what was written and what was sent is there when it starts again',
    needs: ['restart'],
    async play(world) {
      const profile = await world.useProfile();
      const first = await world.openLive();
      await world.loseHost(first);
      await first.send('sent before the crash');
      await first.type('not sent before the crash');
      const other = await world.openOther();
      await world.untilStored(other, 'outbox', 'sent before the crash');
      await world.untilStored(other, 'drafts', 'not sent before the crash');

      first.isGone = true;
      await profile.restart();
      const second = await world.open();
      await second.until('the message is there', ({ prompts }) => prompts.includes('sent before the crash'));
      await second.untilComposer('not sent before the crash');
      await world.startHost();

      await world.ends(['sent before the crash']);
    },
  },
  {
    name: 'a tab is frozen and wakes: it has what happened meanwhile, and takes part',
    needs: ['freeze'],
    async play(world) {
      const [first, second] = [await world.openLive(), await world.openLive()];
      await first.tab.freeze();
      await world.until('it has let its socket go', () => world.wire.open === 1);
      await second.send('while you slept');
      await second.untilQuiet();

      await first.tab.wake();
      await first.untilTold('while you slept');
      await first.send('now I am awake');

      await world.ends(['while you slept', 'now I am awake']);
    },
  },
  {
    name: 'a tab is frozen with an unsent message, which another adopts: awake again, it does not send it too',
    needs: ['freeze'],
    async play(world) {
      const first = await world.openLive();
      await world.loseHost(first);
      await first.send('who has it?');
      await first.untilSending('who has it?');
      await first.tab.freeze();

      const second = await world.open();
      await second.until('the other has it', ({ prompts }) => prompts.includes('who has it?'));
      await world.startHost();
      await second.untilQuiet();
      await first.tab.wake();

      await world.ends(['who has it?']);
    },
  },
  {
    name: 'plain http, without Web Locks: a reload is the same client, a duplicated tab another, and both take part',
    needs: ['plain http'],
    async play(world) {
      const first = await world.openLive({ isPlain: true });
      assert.equal(await first.tab.call('isSecure'), false);
      const { clientId } = await first.look();
      await first.type('still ');
      await first.reload();
      await first.untilComposer('still ');
      assert.equal((await first.look()).clientId, clientId);

      const second = world.watch(await first.tab.duplicate());
      await second.untilShown();
      await second.untilQuiet();
      assert.notEqual((await second.look()).clientId, clientId);
      await first.send('me');
      await world.untilHost('it is', ({ turns }) => turns.length === 1);

      await world.ends(['still me']);
    },
  },
  {
    name: 'without Web Locks: a message that was pending at a reload is sent once',
    async play(world) {
      const chat = await world.openLive({ without: 'locks' });
      await world.loseHost(chat);
      await chat.send('no lock, no loss');
      await chat.untilSending('no lock, no loss');
      await chat.reload();
      await world.startHost();

      await world.ends(['no lock, no loss']);
    },
  },
];
