/** Leaving for another page and coming back, from the back/forward cache where the engine keeps the page there. */

import assert from 'node:assert/strict';
import type { ChatTab, Scene, World } from '../world.js';

const long = 'Write a long report about the workspace';

/** Chromium says why a page was not kept; nothing of it may be the chat's doing. */
async function checkReturn({ engine }: World, chat: ChatTab): Promise<void> {
  const wasKept = (await chat.tab.call('returns')).at(-1);
  const reasons = await chat.tab.call('notRestoredReasons');
  if (engine.name === 'Chromium') assert.deepEqual([wasKept, reasons], [true, null]);
}

export const historyScenes: readonly Scene[] = [
  {
    name: 'leave and come back: the chat goes on at once, and nothing of it kept the page from being kept',
    async play(world) {
      const chat = await world.openLive();
      await chat.send('before');
      await chat.untilQuiet();
      const { clientId } = await chat.look();

      await chat.leave();
      await chat.back();
      await chat.send('after');

      await world.ends(['before', 'after']);
      assert.equal((await chat.look()).clientId, clientId);
      await checkReturn(world, chat);
    },
  },
  {
    name: 'leave while an answer streams and come back: it is whole, and the host was let go meanwhile',
    async play(world) {
      const chat = await world.openLive();
      await chat.send(long);
      await chat.untilRunning();

      await chat.leave();
      await world.until('the socket is closed', () => world.wire.open === 0);
      await chat.back();

      await world.ends([long]);
      await world.until('one connection is open', () => world.wire.open === 1);
      await checkReturn(world, chat);
    },
  },
  {
    name: 'leave in the middle of a sentence and come back: it is there once',
    async play(world) {
      const chat = await world.openLive();
      await chat.type('there and ');

      await chat.leave();
      await chat.back();
      await chat.untilComposer('there and ');
      await chat.send('back again');

      await world.ends(['there and back again']);
    },
  },
  {
    name: 'go forward and back several times: one connection is open, and the chat takes part',
    async play(world) {
      const chat = await world.openLive();

      for (let turn = 0; turn < 3; turn++) {
        await chat.leave();
        await chat.back();
      }
      await chat.send('still here');

      await world.ends(['still here']);
      await world.until('one connection is open', () => world.wire.open === 1);
    },
  },
  {
    name: 'stream, press Back, open the chat in a second page: it reads and writes at once',
    async play(world) {
      const first = await world.openLive();
      await first.leave();
      await first.back();
      await first.send(long);
      await first.untilRunning();
      await first.leave();
      first.isGone = true;

      const second = await world.open();
      await second.until('the transcript is there', ({ prompts }) => prompts.includes(long));
      await second.send('from the second page');
      await second.until('the disk takes it', ({ notKept, composer }) => notKept === undefined && composer === '');

      await world.ends([long, 'from the second page']);
    },
  },
  {
    name: 'leave with an unsent message, which another tab takes over, and come back: it is sent once',
    async play(world) {
      const first = await world.openLive();
      await world.loseHost(first);
      await first.send('who sends this?');
      await first.untilSending('who sends this?');
      await first.leave();

      const second = await world.open();
      await second.until('the other tab has it', ({ prompts }) => prompts.includes('who sends this?'));
      await first.back();
      await world.startHost();

      await world.ends(['who sends this?']);
    },
  },
  {
    name: 'a page that is left holds no lock, no socket and no database',
    async play(world) {
      const chat = await world.openLive();
      const other = await world.openOther();
      assert.ok((await other.call('locks')).some((name) => name.startsWith('ahp-chat:client:')));

      await chat.leave();
      chat.isGone = true;

      await world.until('the locks are free', async () => (await other.call('locks')).length === 0);
      await world.until('the socket is closed', () => world.wire.open === 0);
      // It would be blocked for as long as anybody has the database open.
      await other.call('remove', world.database);
      assert.deepEqual(await other.call('databases'), []);
    },
  },
];
