/** Storage that is missing, full, held, deleted or broken: the chat goes on, and says in words what is not kept. */

import assert from 'node:assert/strict';
import type { ChatTab, Scene } from '../world.js';

const says = (chat: ChatTab, words: RegExp): Promise<void> =>
  chat.until(`it says ${words}`, ({ strip }) => strip.includes('Not kept on this device') && words.test(strip));

export const storageScenes: readonly Scene[] = [
  ...(['indexeddb', 'access to indexeddb'] as const).map((without): Scene => ({
    name: `without ${without}: it says so, and everything can be sent`,
    async play(world) {
      const chat = await world.openLive({ without });
      await says(chat, /The browser offers no storage here/);

      await chat.send('from memory');

      await world.ends(['from memory']);
    },
  })),
  {
    name: 'a database that never answers: the message goes out all the same, and it says what is not kept',
    async play(world) {
      const chat = await world.openLive({ without: 'answers of indexeddb' });

      await chat.send('not gated by a disk');

      await says(chat, /storage failed/);
      await world.ends(['not gated by a disk']);
    },
  },
  {
    name: 'an old page holds the database and will not let go: it says so, and the chat goes on',
    async play(world) {
      const other = await world.openOther();
      await other.call('hold', world.database, 1);

      const chat = await world.open();
      await says(chat, /Another tab holds the storage/);
      await chat.send('blocked, not stopped');

      await world.ends(['blocked, not stopped']);
      await other.call('letGo');
    },
  },
  {
    name: 'a newer version’s data on disk: it says so and leaves it alone',
    async play(world) {
      const other = await world.openOther();
      await other.call('hold', world.database, 99);
      await other.call('letGo');

      const chat = await world.openLive();
      await says(chat, /newer version/);
      await chat.send('older, and polite');

      await world.ends(['older, and polite']);
      assert.deepEqual(await other.call('read', world.database, 'theirs'), ['untouched']);
    },
  },
  {
    name: 'a newer page upgrades the database under an open chat: it gets it at once, and the chat says so and goes on',
    async play(world) {
      const chat = await world.openLive();
      const other = await world.openOther();

      await other.call('hold', world.database, 99);

      await says(chat, /newer version/);
      await chat.send('overtaken');
      await world.ends(['overtaken']);
    },
  },
  {
    name: 'the database is deleted under an open chat: it says so, goes on, and never writes to it again',
    async play(world) {
      const chat = await world.openLive();
      const other = await world.openOther();

      await other.call('remove', world.database);

      await says(chat, /Stored data was cleared/);
      await chat.send('after the clearing');
      await chat.type('and a draft');
      await world.ends(['after the clearing']);
      assert.deepEqual(await other.call('databases'), []);
    },
  },
  {
    name: 'clearMirror() in one tab: nothing is left on this device, and no open tab writes it again',
    async play(world) {
      const [first, second] = [await world.openLive(), await world.openLive()];
      await first.type('a secret');
      const other = await world.openOther();
      await world.untilStored(other, 'drafts', 'a secret');
      await world.untilHost('the draft is', ({ draft }) => draft?.text === 'a secret');

      await first.tab.call('clearMirror');
      await first.close();
      await says(second, /Stored data was cleared/);
      await second.send(', which is none any more');
      await second.until('it is sent', ({ prompts, pending }) => prompts.length === 1 && pending === 0);
      await second.type('another secret');
      await second.close();

      const stores = ['clients', 'channels', 'turns', 'outbox', 'drafts'];
      const kept = [];
      for (const store of stores) kept.push(...((await other.call('read', world.database, store)) as unknown[]));
      assert.deepEqual(kept, []);
      assert.deepEqual(await other.call('left'), []);
    },
  },
  {
    name: 'storage="memory": nothing of the chat is on this device',
    async play(world) {
      const chat = await world.openLive({ storage: 'memory' });
      await chat.send('leave no trace');
      await chat.untilQuiet();
      await chat.type('half a trace');
      await chat.leave();
      chat.isGone = true;

      const other = await world.openOther();
      assert.deepEqual(await other.call('databases'), []);
      assert.deepEqual(await other.call('left'), []);
      await world.ends(['leave no trace']);
    },
  },
  {
    name: 'storage-key: two accounts on one host do not see each other’s words',
    async play(world) {
      const mine = await world.openLive({ storageKey: 'mine' });
      await mine.type('between me and me');
      await mine.close();

      const chat = await world.newChat();
      const theirs = await world.openLive({ storageKey: 'theirs', chat });
      assert.equal((await theirs.look()).composer, '');
      await theirs.close();

      const again = await world.open({ storageKey: 'mine' });
      await again.untilComposer('between me and me');
      assert.equal((await (await world.openOther()).call('databases')).length, 2);
    },
  },
  {
    name: 'a full disk: it says so, what is sent arrives, and with room again it says nothing more',
    needs: ['quota'],
    async play(world) {
      const other = await world.openOther();
      // Before the first write: Chromium asks only now and then how much room there is.
      await other.setQuota(1);
      const chat = await world.openLive();
      await chat.send('no room for this');
      await says(chat, /storage is full/);
      await chat.untilQuiet();

      await other.setQuota(undefined);
      await chat.send('room for this');

      await world.ends(['no room for this', 'room for this']);
      await chat.until('all is well again', ({ strip }) => strip === '');
    },
  },
  {
    name: 'a full disk while the host is away: it never says that what is written is kept',
    needs: ['quota'],
    async play(world) {
      const other = await world.openOther();
      await other.setQuota(1);
      const chat = await world.openLive();
      await world.killHost();
      await chat.until('it knows that the host is gone', ({ strip }) => strip.startsWith('Offline'));

      await chat.send('nowhere to put this');
      await says(chat, /storage is full/);

      assert.doesNotMatch((await chat.look()).strip, /is kept/);
      await world.startHost();
      await world.ends(['nowhere to put this']);
    },
  },
  {
    name: 'a private window: it keeps what it says it keeps for as long as it is there, and then nothing is left of it',
    async play(world) {
      const window = await world.useProfile('private');
      const chat = await world.openLive();
      await chat.send('between us');
      await chat.untilQuiet();
      await world.loseHost(chat);
      await chat.send('not sent');
      await chat.type('not even finished');
      await chat.until('it promises that', ({ strip }) => strip.startsWith('Offline – what you write is kept'));
      assert.doesNotMatch((await chat.look()).strip, /Not kept/);

      await chat.reload();
      await chat.until('both messages are there', ({ prompts }) => prompts.join() === 'between us,not sent');
      await chat.untilComposer('not even finished');
      chat.isGone = true;
      await window.restart();

      const other = await world.openOther();
      assert.deepEqual(await other.call('databases'), []);
      assert.deepEqual(await other.call('left'), []);
      await world.startHost();
      const next = await world.openLive();
      assert.equal((await next.look()).composer, '');
      await world.ends(['between us']);
    },
  },
  {
    name: 'site data is cleared in the browser under an open chat: it goes on, loses nothing of its own, and keeps again',
    needs: ['clearing of site data'],
    async play(world) {
      const chat = await world.openLive();
      await chat.send('before');
      await chat.untilQuiet();
      await world.loseHost(chat);
      await chat.send('on its way');
      await chat.type('half a thought');
      const other = await world.openOther();
      await world.untilStored(other, 'drafts', 'half a thought');

      await other.clearSiteData();
      await world.startHost();
      await world.ends(['before', 'on its way']);
      await chat.untilComposer('half a thought');
      await chat.type(', kept again');
      await chat.until('all is well', ({ strip }) => strip === '');
      await chat.reload();
      await chat.untilComposer('half a thought, kept again');
      await world.ends(['before', 'on its way']);
    },
  },
];
