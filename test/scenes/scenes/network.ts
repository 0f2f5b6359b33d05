/** Connections that break, stall, or only seem to be there. */

import assert from 'node:assert/strict';
import type { Scene } from '../world.js';

const long = 'Write a long report about the workspace';

export const networkScenes: readonly Scene[] = [
  {
    name: 'a half-open connection is found by a ping, and what was sent into it is sent once',
    async play(world) {
      const chat = await world.openLive();
      world.wire.abandon();
      await chat.send('is anybody there?');
      // After 10 s without an echo nobody claims any longer that it is on its way.
      await chat.until('it is not confirmed', ({ unconfirmed, phase }) => unconfirmed === 1 && phase === 'live');
      const { attempts } = world.wire;

      // 25 s of silence, and 10 s for an answer.
      await world.until('it has connected again', () => world.wire.attempts === attempts + 1);
      await world.ends(['is anybody there?']);
    },
  },
  {
    name: 'cut while an answer streams: nothing of it is missing or twice',
    async play(world) {
      const chat = await world.openLive();
      await chat.send(long);
      await chat.untilRunning();

      for (let cut = 0; cut < 3; cut++) {
        world.wire.cut();
        await chat.until('it is live again', ({ phase }) => phase === 'live');
      }

      await world.ends([long]);
    },
  },
  {
    name: 'cut before a message is out, and after the host has it: both are there once',
    async play(world) {
      const chat = await world.openLive();
      world.wire.hold('up');
      await chat.send('lost on the way');
      await chat.untilSending('lost on the way');
      world.wire.cut();
      world.wire.release();
      await chat.untilQuiet();

      world.wire.hold('down');
      await chat.send('arrived without a word');
      await world.untilHost('it is', ({ turns, activeTurn }) => turns.length === 2 || activeTurn !== undefined);
      world.wire.cut();
      world.wire.release();

      await world.ends(['lost on the way', 'arrived without a word']);
    },
  },
  {
    name: 'slow and thin: messages and answers come through whole and once',
    async play(world) {
      const chat = await world.openLive();
      world.wire.delayMs = 300;
      world.wire.bytesPerSecond = 20_000;

      await chat.send('help');
      await chat.send('read README.md');

      await world.ends(['help', 'read README.md']);
    },
  },
  {
    name: 'no host: it counts down to the next attempt, and a button makes it now',
    async play(world) {
      const chat = await world.openLive();
      world.wire.isDown = true;
      world.wire.cut();

      await chat.until('it counts down', ({ strip }) => /^Offline.* · Reconnecting in \d+/s.test(strip));
      await chat.until('the wait is long', ({ strip }) => /in ([5-9]|[123]\d)s/.test(strip));
      const { attempts } = world.wire;
      world.wire.isDown = false;
      await chat.press('Now');

      await chat.untilQuiet();
      assert.equal(world.wire.attempts, attempts + 1);
    },
  },
  {
    name: 'a host that is away for long is not asked without a pause',
    async play(world) {
      const chat = await world.openLive();
      world.wire.isDown = true;
      world.wire.cut();
      const { attempts } = world.wire;

      await chat.until('the wait is long', ({ strip }) => /in ([5-9]|[123]\d)s/.test(strip));

      // 0.25, 0.5, 1, 2, 4 s, and the next is 8 s away.
      assert.ok(world.wire.attempts - attempts <= 6, `${world.wire.attempts - attempts} attempts`);
    },
  },
  {
    name: 'a wrong token: it says that it is not connected and keeps what is written, until the token is right',
    async play(world) {
      const chat = await world.open({ token: 'wrong' });
      await chat.until('it says so', ({ strip }) => strip.startsWith('Offline'));
      await chat.type('let me in');

      await chat.tab.call('setHash', world.token);
      await chat.press('Now');
      await chat.untilComposer('let me in');
      await chat.until('it is live', ({ phase }) => phase === 'live');
      await chat.enter();

      await world.ends(['let me in']);
    },
  },
  {
    name: 'the browser goes offline and online again: it waits, then goes on at once',
    needs: ['network switch', 'plain http'],
    async play(world) {
      const chat = await world.openLive({ isPlain: true });
      await chat.tab.setOnline(false);
      await chat.until('it says so', ({ strip }) => strip.startsWith('Offline'));
      await chat.send('written on a train');
      const { attempts } = world.wire;

      await chat.tab.setOnline(true);

      await world.ends(['written on a train']);
      assert.equal(world.wire.attempts, attempts + 1);
    },
  },
];
