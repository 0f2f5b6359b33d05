/** What the stored mirror does when storage fails: each rule on real IndexedDB, faults injected where none can be made. */

import { expect } from '@open-wc/testing';
import { BLOCKED_MS, OPEN_MS } from '../../src/mirror/open-database.js';
import { REOPEN_MS } from '../../src/mirror/database.js';
import { DB_VERSION, UPGRADE_STEPS } from '../../src/mirror/schema.js';
import type { Mirror } from '../../src/mirror/mirror.js';
import { databaseName, deleteRaw, newHostKey, open, openRaw, readAll, settled } from './databases.js';
import { changed, fault, FaultyFactory, next, rejection } from './faulty-factory.js';
import { CHAT, draft, entry, ids, message, record, turns } from './samples.js';

describe('storage that fails', () => {
  let hostKey: string;
  let faulty: FaultyFactory;
  const mirrors: Mirror[] = [];

  beforeEach(() => {
    hostKey = newHostKey();
    faulty = new FaultyFactory();
  });

  afterEach(async () => {
    await Promise.all(mirrors.splice(0).map((mirror) => mirror.close()));
    await deleteRaw(hostKey);
  });

  const openFaulty = (parts: Parameters<typeof open>[1] = {}) => {
    const opened = open(hostKey, { factory: faulty.factory, ...parts });
    mirrors.push(opened.mirror);
    return opened;
  };
  const load = (mirror: Mirror) => mirror.loadChat(CHAT, { clientId: 'me', turns: 50, now: 1 });

  /** Everything works, as in memory. */
  const expectToWork = async (mirror: Mirror): Promise<void> => {
    await mirror.saveChat(CHAT, record({ turns: turns(1, 2) }));
    await mirror.putOutbox([entry(1)], { nextClientSeq: 2, clearDraft: false });
    await mirror.putDraft(CHAT, 'me', draft('typed'));
    const chat = await load(mirror);
    expect(ids(chat.record?.state.turns)).to.deep.equal(['t1', 't2']);
    expect(chat.outbox).to.deep.equal([entry(1)]);
    expect(chat.draft).to.deep.equal(draft('typed'));
  };

  describe('no IndexedDB', () => {
    const own = Object.getOwnPropertyDescriptor(globalThis, 'indexedDB');

    const replaceIndexedDb = (parts: PropertyDescriptor): void => {
      Object.defineProperty(globalThis, 'indexedDB', { configurable: true, ...parts });
    };

    afterEach(() => {
      // Some engines have it on the window, some on its prototype.
      if (own) replaceIndexedDb(own);
      else Reflect.deleteProperty(globalThis, 'indexedDB');
    });

    it('works in memory and says so where the browser has none', async () => {
      replaceIndexedDb({ value: undefined });

      const { mirror } = open(hostKey);

      expect(mirror.notKept).to.equal('no-storage');
      await expectToWork(mirror);
      await mirror.clear();
      await mirror.close();
    });

    it('works in memory where the page may not even ask', async () => {
      replaceIndexedDb({
        get: () => {
          throw fault('SecurityError');
        },
      });

      const { mirror } = open(hostKey);

      expect(mirror.notKept).to.equal('no-storage');
      await expectToWork(mirror);
      await mirror.close();
    });

    it('works in memory where opening throws', async () => {
      faulty.onOpen = () => {
        throw fault('SecurityError');
      };

      const { mirror } = openFaulty();

      await expectToWork(mirror);
      expect(mirror.notKept).to.equal('no-storage');
    });
  });

  it('tries once more when opening fails, then works in memory', async () => {
    const { mirror, timers } = openFaulty({ steps: [(_, transaction) => transaction.abort()] });
    const kept = mirror.putDraft(CHAT, 'me', draft('typed'));

    await timers.fire(REOPEN_MS);
    await kept;

    expect(faulty.opens.length).to.equal(2);
    expect(mirror.notKept).to.equal('storage-failed');
    await expectToWork(mirror);
  });

  it('does not wait for a database that never answers', async () => {
    const { mirror, timers } = openFaulty();
    const told = changed(mirror);
    const kept = mirror.putDraft(CHAT, 'me', draft('typed'));
    // Before the browser can answer.
    await timers.fire(OPEN_MS);

    await Promise.all([kept, told]);

    expect(mirror.notKept).to.equal('storage-failed');
    await expectToWork(mirror);
  });

  it('leaves a database of somebody else alone', async () => {
    const stranger = indexedDB.open(databaseName(hostKey), DB_VERSION);
    stranger.onupgradeneeded = () => stranger.result.createObjectStore('theirs');
    (await settled(stranger)).close();

    const { mirror } = openFaulty();

    await expectToWork(mirror);
    expect(mirror.notKept).to.equal('storage-failed');
    const database = await openRaw(hostKey);
    expect([...database.objectStoreNames]).to.deep.equal(['theirs']);
    database.close();
  });

  describe('another version', () => {
    it('that is newer is left untouched', async () => {
      const newer = openFaulty({ steps: [...UPGRADE_STEPS, (database) => database.createObjectStore('later')] });
      await newer.mirror.putDraft(CHAT, 'me', draft('by the newer build'));
      await newer.mirror.close();

      const { mirror } = open(hostKey);
      mirrors.push(mirror);
      await expectToWork(mirror);

      expect(mirror.notKept).to.equal('newer-version');
      expect(await readAll(hostKey, 'drafts')).to.deep.equal([
        { ...draft('by the newer build'), channel: CHAT, clientId: 'me' },
      ]);
    });

    it('gets the database at once from an older page, which goes on in memory', async () => {
      const { mirror } = openFaulty();
      await mirror.putDraft(CHAT, 'me', draft('before'));

      const upgrade = indexedDB.open(databaseName(hostKey), DB_VERSION + 1);
      let isBlocked = false;
      upgrade.onblocked = () => {
        isBlocked = true;
      };
      const database = await settled(upgrade);

      expect(isBlocked).to.equal(false);
      expect(mirror.notKept).to.equal('newer-version');
      await mirror.putDraft(CHAT, 'me', draft('after'));
      expect((await load(mirror)).draft).to.deep.equal(draft('after'));
      database.close();
      const kept = await readAll<{ message: unknown }>(hostKey, 'drafts');
      expect(kept.map((row) => row.message)).to.deep.equal([message('before')]);
    });

    it('goes on in memory when an old page refuses to close, with one request for all mirrors of the page', async () => {
      const old = open(hostKey);
      await old.mirror.putDraft(CHAT, 'me', draft('old'));
      await old.mirror.close();
      const refusing = await openRaw(hostKey);
      const steps = [...UPGRADE_STEPS, () => {}];

      const four = [1, 2, 3, 4].map(() => openFaulty({ steps }));
      const waiting = four.map(({ mirror }) => mirror.putDraft(CHAT, 'me', draft('typed')));
      await next(faulty.opens[0]!, 'blocked');
      // They share what the first of them was opened with.
      await four[0]!.timers.fire(BLOCKED_MS);
      await Promise.all(waiting);

      expect(faulty.opens.length).to.equal(1);
      expect(four.map(({ mirror }) => mirror.notKept)).to.deep.equal(['blocked', 'blocked', 'blocked', 'blocked']);
      refusing.close();
      // The attempt that was given up does not upgrade behind everybody's back.
      await next(faulty.opens[0]!, 'error');
      const database = await openRaw(hostKey);
      expect(database.version).to.equal(DB_VERSION);
      database.close();
    });
  });

  describe('a connection that is lost', () => {
    it('is opened once more, and what was under way is done', async () => {
      const { mirror, timers } = openFaulty();
      await mirror.putDraft(CHAT, 'me', draft('before'));
      faulty.database.close();

      const kept = mirror.putDraft(CHAT, 'me', draft('after'));
      await timers.fire(REOPEN_MS);
      await kept;

      expect(mirror.notKept).to.equal(undefined);
      expect((await load(mirror)).draft).to.deep.equal(draft('after'));
      expect(faulty.opens.length).to.equal(2);
    });

    it('is opened once more when the browser says that it is gone', async () => {
      const { mirror, timers } = openFaulty();
      await mirror.putDraft(CHAT, 'me', draft('before'));

      faulty.loseConnection();
      await timers.fire(REOPEN_MS);

      expect((await load(mirror)).draft).to.deep.equal(draft('before'));
    });

    it('that WebKit reports for one transaction after the other is given up after one more attempt', async () => {
      const { mirror, timers } = openFaulty();
      await mirror.listClients();
      faulty.onTransaction = () => {
        throw fault('UnknownError');
      };

      const kept = mirror.putDraft(CHAT, 'me', draft('typed'));
      const told = changed(mirror);
      await timers.fire(REOPEN_MS);
      await Promise.all([kept, told]);

      expect(faulty.opens.length).to.equal(2);
      expect(mirror.notKept).to.equal('storage-failed');
      expect((await load(mirror)).draft).to.deep.equal(draft('typed'));
      expect(timers.delays).to.deep.equal([]);
    });

    it('may be lost again later', async () => {
      const { mirror, timers } = openFaulty();
      for (const text of ['one', 'two', 'three']) {
        await mirror.putDraft(CHAT, 'me', draft(text));
        faulty.loseConnection();
        await timers.fire(REOPEN_MS);
      }

      expect((await load(mirror)).draft).to.deep.equal(draft('three'));
      expect(mirror.notKept).to.equal(undefined);
    });

    it('keeps the order of what was asked meanwhile', async () => {
      const { mirror, timers } = openFaulty();
      await mirror.listClients();
      faulty.database.close();

      const kept = [1, 2, 3].map((n) => mirror.putDraft(CHAT, 'me', draft(`v${n}`, n)));
      await timers.fire(REOPEN_MS);
      await Promise.all(kept);

      expect((await load(mirror)).draft).to.deep.equal(draft('v3', 3));
    });

    it('writes its run again, since nothing is known of the disk any more', async () => {
      const { mirror, timers } = openFaulty();
      const run = record({ turns: turns(1, 3) });
      await mirror.saveChat(CHAT, run);
      const database = faulty.database;
      await settled(database.transaction('turns', 'readwrite').objectStore('turns').clear());
      faulty.loseConnection();
      await timers.fire(REOPEN_MS);

      await mirror.saveChat(CHAT, run);

      expect(ids((await load(mirror)).record?.state.turns)).to.deep.equal(['t1', 't2', 't3']);
    });
  });

  it('lets a page that deletes the database do so, and never writes to it again', async () => {
    const { mirror, timers } = openFaulty();
    await mirror.putDraft(CHAT, 'me', draft('before sign-out'));

    const { isBlocked } = await deleteRaw(hostKey);
    await mirror.putDraft(CHAT, 'me', draft('of a stale tab'));

    expect(isBlocked).to.equal(false);
    expect(mirror.notKept).to.equal('cleared');
    expect(timers.delays).to.deep.equal([]);
    const names = (await indexedDB.databases()).map(({ name }) => name);
    expect(names).not.to.contain(databaseName(hostKey));
    expect((await load(mirror)).draft).to.deep.equal(draft('of a stale tab'));
  });

  it('goes on counting where the disk was when it is given up', async () => {
    const { mirror } = openFaulty();
    await mirror.openClient('me', 1);
    await mirror.putOutbox([entry(41)], { nextClientSeq: 42, clearDraft: false });
    await deleteRaw(hostKey);

    expect((await mirror.openClient('me', 2)).nextClientSeq).to.equal(42);
    expect((await mirror.adopt('gone', 'me', 1)).nextClientSeq).to.equal(42);
  });

  describe('a write that fails by itself', () => {
    it('is rejected and shown, and the next one that works takes that back', async () => {
      const { mirror } = openFaulty();
      await mirror.putDraft(CHAT, 'me', draft('saved'));
      const unclonable = { ...draft('lost'), message: { ...message('lost'), _meta: { run: () => {} } } };

      const error = await rejection(mirror.putDraft(CHAT, 'me', unclonable));

      expect(error.code).to.equal('storage');
      expect(error.message).to.contain('Writing to drafts');
      expect(mirror.notKept).to.equal('storage-failed');
      expect((await load(mirror)).draft).to.deep.equal(draft('saved'));
      await mirror.putDraft(CHAT, 'me', draft('saved again'));
      expect(mirror.notKept).to.equal(undefined);
    });

    it('leaves nothing of itself behind', async () => {
      const { mirror } = openFaulty();
      await mirror.putDraft(CHAT, 'me', draft('typed'));
      const bad = { ...entry(2), action: { ...entry(2).action, _meta: { run: () => {} } } };

      await rejection(mirror.putOutbox([entry(1), bad], { nextClientSeq: 3, clearDraft: true }));

      const chat = await load(mirror);
      expect(chat.outbox).to.deep.equal([]);
      expect(chat.draft).to.deep.equal(draft('typed'));
    });

    it('makes the next save of the chat look and write its run', async () => {
      const { mirror } = openFaulty();
      const run = turns(1, 3);
      await mirror.saveChat(CHAT, record({ turns: run.slice(0, 2) }));
      faulty.onPut = (store) => {
        if (store === 'turns') throw fault('DataError');
      };
      await rejection(mirror.saveChat(CHAT, record({ turns: run })));
      faulty.onPut = () => {};

      await mirror.saveChat(CHAT, record({ turns: run }));

      expect(ids((await load(mirror)).record?.state.turns)).to.deep.equal(['t1', 't2', 't3']);
    });
  });

  describe('state this build cannot read', () => {
    const spoil = async (store: string, value: unknown): Promise<void> => {
      const database = await openRaw(hostKey);
      await settled(database.transaction(store, 'readwrite').objectStore(store).put(value));
      database.close();
    };
    const written = async (mirror: Mirror): Promise<void> => {
      await mirror.saveChat(CHAT, record({ turns: turns(1, 3), isComplete: true }));
      await mirror.putOutbox([entry(1)], { nextClientSeq: 2, clearDraft: false });
      await mirror.putDraft(CHAT, 'me', draft('typed'));
    };

    it('is discarded, while outbox and draft stay', async () => {
      const { mirror } = openFaulty();
      await written(mirror);
      await spoil('channels', { uri: CHAT, format: 99, accessedAt: 5, things: 'of another build' });

      const chat = await load(mirror);

      expect(chat).to.deep.equal({ record: undefined, older: 'unknown', outbox: [entry(1)], draft: draft('typed') });
      await mirror.listClients();
      expect(await readAll(hostKey, 'turns')).to.deep.equal([]);
      await mirror.saveChat(CHAT, record({ turns: turns(8, 9) }));
      expect(ids((await load(mirror)).record?.state.turns)).to.deep.equal(['t8', 't9']);
    });

    it('is discarded when it is one of the turns', async () => {
      const { mirror } = openFaulty();
      await written(mirror);
      await spoil('turns', { chat: CHAT, ordinal: -1, turn: { id: 't2', newShape: true } });

      const page = await mirror.loadTurnsBefore(CHAT, 't3', 10);
      const chat = await load(mirror);

      expect(page).to.deep.equal({ turns: [], older: 'unknown' });
      expect(chat.record).to.equal(undefined);
      expect(chat.draft).to.deep.equal(draft('typed'));
      expect(mirror.notKept).to.equal(undefined);
    });
  });
});
