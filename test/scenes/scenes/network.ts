/** Connections that break, stall, or only seem to be there. */

import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChatTab, Scene } from '../world.js';

const long = 'Write a long report about the workspace';

/** How long a machine sleeps; a ping waits 10 s for its answer. */
const nightMs = 12_000;

/** Long enough for whatever is done before it is over. */
const waitsLong = (chat: ChatTab): Promise<void> =>
  chat.until('the wait is long', ({ strip }) => /in ([6-9]|[123]\d)s/.test(strip));

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
        const { attempts } = world.wire;
        world.wire.cut();
        await world.until('it has noticed', () => world.wire.attempts > attempts);
        await chat.untilLive();
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
      await waitsLong(chat);
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

      await waitsLong(chat);

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
      await waitsLong(chat);

      await chat.tab.call('setHash', world.token);
      await chat.press('Now');
      await chat.untilComposer('let me in');
      await chat.untilLive();
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
  {
    name: 'the machine sleeps and wakes with its connection gone: the screen is true again, and nothing is waited out',
    needs: ['sleep'],
    async play(world) {
      const profile = await world.useProfile();
      const chat = await world.openLive();
      await chat.type('half a dream');
      const { attempts } = world.wire;

      await profile.sleep(async () => {
        world.wire.abandon();
        await world.say('said at night');
        await delay(nightMs);
      });

      await chat.until('it knows what was said', ({ prompts }) => prompts.includes('said at night'));
      await chat.untilComposer('half a dream');
      await chat.send(' is over');
      await world.ends(['said at night', 'half a dream is over']);
      assert.equal(world.wire.attempts, attempts + 1);
    },
  },
  {
    name: 'the machine sleeps in the middle of a long wait for the host: awake, it asks at once',
    needs: ['sleep'],
    async play(world) {
      const profile = await world.useProfile();
      const chat = await world.openLive();
      world.wire.isDown = true;
      world.wire.cut();
      await waitsLong(chat);
      await chat.send('before the night');
      const { attempts } = world.wire;

      await profile.sleep(async () => {
        world.wire.isDown = false;
        await delay(nightMs);
      });

      await world.ends(['before the night']);
      assert.equal(world.wire.attempts, attempts + 1);
    },
  },
];
