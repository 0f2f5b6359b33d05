/** kill -9 of the host, in each phase of a turn, and what a person finds when it is back. */

import assert from 'node:assert/strict';
import type { Scene } from '../world.js';

const long = 'Write a long report about the workspace';
const dangerous = 'run `sleep 300`';

export const hostScenes: readonly Scene[] = [
  {
    name: 'killed before it hears of a message: the message is sent once it is back',
    async play(world) {
      const chat = await world.openLive();
      world.wire.hold('up');
      await chat.send('never arrived');
      await chat.untilSending('never arrived');

      await world.killHost();
      world.wire.cut();
      world.wire.release();
      await world.startHost();

      await world.ends(['never arrived']);
    },
  },
  {
    name: 'killed before its echo: the message is there once',
    async play(world) {
      const chat = await world.openLive();
      world.wire.hold('down');
      await chat.send('no echo');
      await world.untilHost('the message is', ({ turns, activeTurn }) => turns.length === 1 || !!activeTurn);

      await world.killHost();
      world.wire.cut();
      world.wire.release();
      await world.startHost();

      await world.ends(['no echo']);
    },
  },
  {
    name: 'killed while it streams: what became of the turn is what the host says',
    async play(world) {
      const chat = await world.openLive();
      await chat.send(long);
      await chat.untilRunning();

      await world.killHost();
      await chat.until('it says so', ({ strip }) => strip.startsWith('Offline'));
      await world.startHost();

      await world.ends([long]);
    },
  },
  {
    name: 'killed while a tool waits: the question is asked as the host then has it, and one answer counts',
    async play(world) {
      const chat = await world.openLive();
      await chat.send(dangerous);
      await chat.until('it asks', ({ buttons }) => buttons.includes('Deny'));

      await world.loseHost(chat);
      await world.startHost();
      await chat.untilLive();
      const { activeTurn } = await world.truth();
      if (activeTurn) await chat.press('Deny');

      await world.ends([dangerous]);
      assert.ok(!(await chat.look()).buttons.includes('Deny'));
    },
  },
  {
    name: 'killed while a question is open, with half an answer: the answer is there if the question is',
    async play(world) {
      const chat = await world.openLive();
      await chat.send('Add a recipe');
      await chat.until('it asks', ({ transcript }) => transcript.includes('What is the dish called?'));
      await chat.fill('Name', 'Stew');

      await world.loseHost(chat);
      await world.startHost();
      await chat.untilLive();
      const { activeTurn } = await world.truth();
      if (activeTurn) {
        await chat.until('the answer is there', ({ fields }) => fields.includes('Stew'));
        await chat.press('Decline');
      }

      await world.ends(['Add a recipe']);
    },
  },
  {
    name: 'killed with messages in the queue: each runs once',
    async play(world) {
      const chat = await world.openLive();
      await chat.send(dangerous);
      await chat.until('it asks', ({ buttons }) => buttons.includes('Deny'));
      await chat.send('one');
      await chat.send('two');
      await chat.until('both wait', ({ waiting, pending }) => waiting.length === 2 && pending === 0);

      await world.loseHost(chat);
      await world.startHost();
      await chat.untilLive();
      if ((await world.truth()).activeTurn) await chat.press('Deny');

      await world.ends([dangerous, 'one', 'two']);
    },
  },
  {
    name: 'killed and back several times: one message in between each time, each once',
    async play(world) {
      const chat = await world.openLive();
      const sent = ['one', 'two', 'three'];
      for (const text of sent) {
        await world.killHost();
        await chat.send(text);
        await world.startHost();
        await chat.untilQuiet();
      }

      await world.ends(sent);
    },
  },
  {
    name: 'updated to versions nobody here speaks: it says so once, asks only when told to, keeps everything, and goes on after another update',
    async play(world) {
      const chat = await world.openLive();
      await world.updateHost(['9.0.0']);
      await chat.until('it says so', ({ strip }) => /no common version.*Host: 9\.0\.0/s.test(strip));
      const { attempts } = world.wire;
      await chat.send('held back');
      await chat.type('half a thought');

      await world.updateHost(['9.1.0']);
      assert.deepEqual(await chat.tab.call('failures'), ['version-mismatch']);
      assert.equal(world.wire.attempts, attempts);
      await chat.press('Try again');
      await chat.until('it says so anew', ({ strip }) => strip.includes('Host: 9.1.0'));
      assert.equal(world.wire.attempts, attempts + 1);

      await chat.reload();
      await chat.until(
        'all is there, and it says so',
        ({ strip, prompts, composer }) =>
          strip.includes('Host: 9.1.0') && prompts.join() === 'held back' && composer === 'half a thought',
      );
      await world.updateHost([]);
      assert.equal(world.wire.attempts, attempts + 2);
      await chat.press('Try again');

      await world.ends(['held back']);
      await chat.untilComposer('half a thought');
      assert.equal(world.wire.attempts, attempts + 3);
    },
  },
];
