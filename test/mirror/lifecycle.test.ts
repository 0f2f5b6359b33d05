/** A page comes and goes: frozen, back, closed, cleared; alone and with others on the same database. */

import { expect } from '@open-wc/testing';
import { BLOCKED_MS } from '../../src/mirror/open-database.js';
import { openMirror } from '../../src/mirror/open-mirror.js';
import { DB_VERSION } from '../../src/mirror/schema.js';
import type { Mirror } from '../../src/mirror/mirror.js';
import { databaseName, deleteRaw, newHostKey, open, openRaw, readAll, settled } from './databases.js';
import { changed, FaultyFactory, rejection } from './faulty-factory.js';
import { CHAT, draft, entry, ids, record, turn, turns } from './samples.js';

describe('a mirror and its page', () => {
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

  const openFaulty = () => {
    const opened = open(hostKey, { factory: faulty.factory });
    mirrors.push(opened.mirror);
    return opened;
  };
  const load = (mirror: Mirror) => mirror.loadChat(CHAT, { clientId: 'me', turns: 50, now: 1 });

  /** Whether another page could upgrade the database right now. */
  async function upgradeIsBlocked(): Promise<boolean> {
    const request = indexedDB.open(databaseName(hostKey), DB_VERSION + 1);
    let isBlocked = false;
    request.onblocked = () => {
      isBlocked = true;
    };
    (await settled(request)).close();
    return isBlocked;
  }

  describe('that is frozen', () => {
    it('carries out a write that was made just before', async () => {
      const { mirror } = openFaulty();
      await mirror.listClients();

      const kept = mirror.putDraft(CHAT, 'me', draft('typed at the last moment'));
      mirror.suspend();
      await kept;

      const rows = await readAll<{ revision: number }>(hostKey, 'drafts');
      expect(rows.length).to.equal(1);
    });

    it('begins nothing, and does it when it is back, in order', async () => {
      const { mirror } = openFaulty();
      await mirror.putOutbox([entry(1)], { nextClientSeq: 2, clearDraft: false });
      await mirror.putDraft(CHAT, 'me', draft('before', 1));
      const before = faulty.transactions.length;

      mirror.suspend();
      const waiting = [
        mirror.updateOutbox([entry(1, { sends: 1 })]),
        mirror.updateOutbox([entry(1, { sends: 2 })]),
        mirror.deleteDraft(CHAT, 'me', 1),
      ];
      const begun = faulty.transactions.length - before;
      mirror.resume();
      await Promise.all(waiting);

      expect(begun).to.equal(0);
      const chat = await load(mirror);
      expect(chat.outbox).to.deep.equal([entry(1, { sends: 2 })]);
      expect(chat.draft).to.equal(undefined);
    });

    it('writes no draft over what another page may have rescued of it by the time it is back', async () => {
      const { mirror } = openFaulty();
      await mirror.putDraft(CHAT, 'me', draft('v1', 1));
      mirror.suspend();
      const refused = rejection(mirror.putDraft(CHAT, 'me', draft('v2', 2)));
      const other = open(hostKey).mirror;
      await other.putDraft(CHAT, 'me', draft('v3, left at the origin', 3));
      await other.close();

      mirror.resume();

      expect((await refused).code).to.equal('storage');
      expect((await load(mirror)).draft).to.deep.equal(draft('v3, left at the origin', 3));
      expect(mirror.notKept).to.equal(undefined);
    });

    it('writes no intent that another page may have sent by the time it is back', async () => {
      const { mirror } = openFaulty();
      mirror.suspend();
      const refused = rejection(mirror.putOutbox([entry(1)], { nextClientSeq: 2, clearDraft: false }));
      mirror.resume();

      expect((await refused).code).to.equal('storage');
      expect((await load(mirror)).outbox).to.deep.equal([]);
      expect(mirror.notKept).to.equal(undefined);
    });

    it('aborts what reads first, and does it again when it is back', async () => {
      const { mirror } = openFaulty();
      await mirror.putOutbox([entry(1)], { nextClientSeq: 2, clearDraft: false });
      const before = faulty.transactions.length;

      const opening = mirror.openClient('me', 5);
      const loading = load(mirror);
      mirror.suspend();
      mirror.resume();
      const [opened, chat] = await Promise.all([opening, loading]);

      const counting = 'readwrite clients,outbox';
      const reading = 'readonly channels,turns,outbox,drafts';
      expect(faulty.transactions.slice(before)).to.deep.equal([counting, reading, counting, reading]);
      expect(opened.nextClientSeq).to.equal(2);
      expect(chat.outbox).to.deep.equal([entry(1)]);
      expect(mirror.notKept).to.equal(undefined);
    });

    it('takes nothing over in a name that it may have lost by the time it is back', async () => {
      const { mirror } = openFaulty();
      await mirror.putOutbox([entry(1, { clientId: 'gone' })], { nextClientSeq: 2, clearDraft: false });

      const underWay = rejection(mirror.adopt('gone', 'me', 1));
      mirror.suspend();
      const afterwards = rejection(mirror.adopt('gone', 'me', 1));
      mirror.resume();

      expect([await underWay, await afterwards].map(({ code }) => code)).to.deep.equal(['storage', 'storage']);
      const left = await mirror.loadChat(CHAT, { clientId: 'gone', turns: 0, now: 0 });
      expect(left.outbox).to.deep.equal([entry(1, { clientId: 'gone' })]);
      expect(mirror.notKept).to.equal(undefined);
    });

    it('stands in nobody’s way', async () => {
      const { mirror } = openFaulty();
      await mirror.putDraft(CHAT, 'me', draft('typed'));
      void load(mirror).catch(() => {});

      mirror.suspend();

      expect(await upgradeIsBlocked()).to.equal(false);
    });

    it('finds the database gone to a newer build when it is back', async () => {
      const { mirror } = openFaulty();
      await mirror.putDraft(CHAT, 'me', draft('typed'));
      mirror.suspend();
      await upgradeIsBlocked();

      mirror.resume();
      await mirror.putDraft(CHAT, 'me', draft('in memory'));

      expect(mirror.notKept).to.equal('newer-version');
      expect((await load(mirror)).draft).to.deep.equal(draft('in memory'));
    });

    it('may be frozen while it is still opening', async () => {
      const { mirror } = openFaulty();
      const opened = mirror.openClient('me', 5);

      mirror.suspend();
      mirror.suspend();
      mirror.resume();

      expect((await opened).clientId).to.equal('me');
      expect(faulty.opens.length).to.equal(2);
    });

    it('writes its run anew when it is back, since another page may have been the writer', async () => {
      const { mirror } = openFaulty();
      const run = turns(1, 3);
      await mirror.saveChat(CHAT, record({ turns: run }));
      mirror.suspend();
      const other = open(hostKey).mirror;
      await other.saveChat(CHAT, record({ turns: [...run.slice(1), turn('t9')] }));
      await other.close();
      mirror.resume();

      await mirror.saveChat(CHAT, record({ turns: [...run, turn('t4')] }));

      expect(ids((await load(mirror)).record?.state.turns)).to.deep.equal(['t1', 't2', 't3', 't4']);
    });

    it('loses what had to wait when it is closed, and says so', async () => {
      const { mirror } = openFaulty();
      await mirror.listClients();
      mirror.suspend();
      const lost = rejection(mirror.putDraft(CHAT, 'me', draft('typed')));

      await mirror.close();

      expect((await lost).code).to.equal('storage');
    });
  });

  describe('that closes it', () => {
    it('has let go of the database when that resolves, with everything written', async () => {
      const { mirror } = openFaulty();
      const writes = [
        mirror.putDraft(CHAT, 'me', draft('typed')),
        mirror.saveChat(CHAT, record({ turns: turns(1, 2) })),
        mirror.saveChat(CHAT, record({ turns: turns(1, 3) })),
      ];

      await mirror.close();

      expect(await upgradeIsBlocked()).to.equal(false);
      await Promise.all(writes);
      expect((await readAll(hostKey, 'turns')).length).to.equal(3);
      expect((await readAll(hostKey, 'drafts')).length).to.equal(1);
    });

    it('before it is open leaves nothing open', async () => {
      const { mirror } = openFaulty();

      await mirror.close();

      expect((await deleteRaw(hostKey)).isBlocked).to.equal(false);
    });

    it('is told when it goes on using it', async () => {
      const { mirror } = openFaulty();
      await mirror.close();

      for (const use of [
        () => mirror.listClients(),
        () => mirror.saveChat(CHAT, record()),
        () => mirror.putDraft(CHAT, 'me', draft('late')),
        () => mirror.clear(),
      ]) {
        expect((await rejection(use())).code).to.equal('misuse');
      }
      expect(await mirror.close()).to.equal(undefined);
    });
  });

  describe('that opens it several times', () => {
    it('may hand over an object that needs to be called as its owner', async () => {
      class Clock {
        readonly #delays: number[] = [];

        schedule(delayMs: number): () => void {
          this.#delays.push(delayMs);
          return () => {};
        }
      }

      const mirror = openMirror(hostKey, new Clock());
      mirrors.push(mirror);

      expect(await mirror.listClients()).to.deep.equal([]);
    });

    it('has one connection, until the last one is closed', async () => {
      const [one, two, three] = [openFaulty(), openFaulty(), openFaulty()].map(({ mirror }) => mirror);
      await one!.putDraft(CHAT, 'me', draft('typed'));
      await one!.close();
      await one!.close();
      await two!.close();

      const chat = await load(three!);
      await three!.close();

      expect(chat.draft).to.deep.equal(draft('typed'));
      expect(faulty.opens.length).to.equal(1);
      expect((await deleteRaw(hostKey)).isBlocked).to.equal(false);
    });

    it('gets a new connection after the last one was closed', async () => {
      const { mirror: first } = openFaulty();
      const closing = first.putDraft(CHAT, 'me', draft('typed')).then(() => first.close());
      await closing;

      const { mirror: second } = openFaulty();

      expect((await load(second)).draft).to.deep.equal(draft('typed'));
      expect(faulty.opens.length).to.equal(2);
    });

    it('keeps hosts and accounts apart', async () => {
      const { mirror } = openFaulty();
      const other = open(`${hostKey}-other-account`).mirror;
      mirrors.push(other);
      await mirror.putDraft(CHAT, 'me', draft('mine'));

      expect((await load(other)).draft).to.equal(undefined);
      await other.clear();
      expect((await load(mirror)).draft).to.deep.equal(draft('mine'));
    });
  });

  describe('that clears it', () => {
    it('makes another page stop writing for good', async () => {
      const { mirror } = openFaulty();
      const stale = open(hostKey).mirror;
      mirrors.push(stale);
      await stale.putDraft(CHAT, 'them', draft('before'));
      const told = changed(stale);

      await mirror.clear();
      await told;
      await stale.putDraft(CHAT, 'them', draft('of a signed-out user'));

      expect(stale.notKept).to.equal('cleared');
      expect(mirror.notKept).to.equal(undefined);
      await mirror.putDraft(CHAT, 'me', draft('of the next user'));
      expect((await readAll<{ clientId: string }>(hostKey, 'drafts')).map(({ clientId }) => clientId)).to.deep.equal([
        'me',
      ]);
    });

    for (const [who, beginAnew] of [
      ['nobody', async () => undefined],
      ['a third page', () => open(hostKey).mirror],
    ] as const) {
      it(`makes a page that was away stop writing, too, where ${who} has begun anew`, async () => {
        const { mirror } = openFaulty();
        await mirror.openClient('me', 5);
        mirror.suspend();
        await deleteRaw(hostKey);
        const third = await beginAnew();
        if (third) mirrors.push(third);
        await third?.openClient('third', 6);

        mirror.resume();
        await mirror.openClient('me', 7);
        await mirror.putDraft(CHAT, 'me', draft('of a signed-out user'));

        expect(mirror.notKept).to.equal('cleared');
        expect(await readAll(hostKey, 'drafts')).to.deep.equal([]);
      });
    }

    it('goes on in a database that nobody has deleted while the page was away, or that it has itself', async () => {
      const { mirror } = openFaulty();
      await mirror.openClient('me', 5);

      mirror.suspend();
      mirror.resume();
      await mirror.openClient('me', 7);
      const afterReturn = mirror.notKept;
      await mirror.clear();
      await mirror.openClient('me', 9);

      expect(afterReturn).to.equal(undefined);
      expect(mirror.notKept).to.equal(undefined);
    });

    it('clears what was asked before, and keeps what was asked after', async () => {
      const { mirror } = openFaulty();

      const steps = [
        mirror.putDraft(CHAT, 'me', draft('before')),
        mirror.clear(),
        mirror.putDraft(CHAT, 'other', draft('after')),
      ];
      await Promise.all(steps);

      expect((await load(mirror)).draft).to.equal(undefined);
      expect((await mirror.loadChat(CHAT, { clientId: 'other', turns: 1, now: 1 })).draft).to.deep.equal(
        draft('after'),
      );
    });

    it('hears that another page holds on to it, which finds it empty all the same', async () => {
      const { mirror, timers } = openFaulty();
      await mirror.putDraft(CHAT, 'me', draft('secret'));
      const refusing = await openRaw(hostKey);

      const clearing = rejection(mirror.clear());
      await timers.fire(BLOCKED_MS);

      expect((await clearing).code).to.equal('storage');
      expect(mirror.notKept).to.equal('blocked');
      const left = await settled(refusing.transaction('drafts').objectStore('drafts').getAll());
      expect(left).to.deep.equal([]);
      refusing.close();
    });

    it('gets the disk back where it had been given up', async () => {
      const { mirror } = openFaulty();
      await mirror.listClients();
      await deleteRaw(hostKey);
      await mirror.putDraft(CHAT, 'me', draft('in memory'));

      await mirror.clear();
      await mirror.putDraft(CHAT, 'me', draft('on disk'));

      expect(mirror.notKept).to.equal(undefined);
      expect((await readAll(hostKey, 'drafts')).length).to.equal(1);
    });
  });
});
