/** What a save costs: which records are written, counted at the real object stores. */

import { expect } from '@open-wc/testing';
import { MAX_RUNNING_SIZE } from '../../src/mirror/records.js';
import type { Mirror } from '../../src/mirror/mirror.js';
import { deleteRaw, newHostKey, open } from './databases.js';
import { FaultyFactory } from './faulty-factory.js';
import { CHAT, ids, record, streaming, turn, turns } from './samples.js';

describe('saving a chat', () => {
  let hostKey: string;
  let faulty: FaultyFactory;
  let mirror: Mirror;

  beforeEach(async () => {
    hostKey = newHostKey();
    faulty = new FaultyFactory();
    mirror = open(hostKey, { factory: faulty.factory }).mirror;
    await mirror.listClients();
  });

  afterEach(async () => {
    await mirror.close();
    await deleteRaw(hostKey);
  });

  const load = (count = 50) => mirror.loadChat(CHAT, { clientId: 'me', turns: count, now: 1 });
  /** Stores that were put into by `act`. */
  async function putsOf(act: () => Promise<unknown>): Promise<string[]> {
    faulty.puts.length = 0;
    await act();
    return [...faulty.puts];
  }

  for (const prior of [0, 1000]) {
    it(`writes one record for a delta into a chat of ${prior} turns`, async () => {
      const finished = turns(1, prior);
      await mirror.saveChat(CHAT, streaming(finished, 'a'));
      faulty.transactions.length = 0;

      const puts = await putsOf(async () => {
        for (const text of ['ab', 'abc', 'abcd']) await mirror.saveChat(CHAT, streaming(finished, text));
      });

      expect(puts).to.deep.equal(['channels', 'channels', 'channels']);
      expect(new Set(faulty.transactions)).to.deep.equal(new Set(['readwrite channels']));
    });
  }

  it('writes a finished turn once', async () => {
    const finished = turns(1, 20);
    await mirror.saveChat(CHAT, streaming(finished, 'done'));
    const more = [...finished, turn('running', 'done')];

    const atEnd = await putsOf(() => mirror.saveChat(CHAT, record({ turns: more })));
    const afterwards = await putsOf(() => mirror.saveChat(CHAT, record({ turns: more })));

    expect(atEnd).to.deep.equal(['turns', 'channels']);
    expect(afterwards).to.deep.equal(['channels']);
  });

  it('writes only the turn that changed', async () => {
    const finished = turns(1, 20);
    await mirror.saveChat(CHAT, record({ turns: finished }));

    const puts = await putsOf(() => mirror.saveChat(CHAT, record({ turns: finished.with(7, turn('t8', 'new')) })));

    expect(puts).to.deep.equal(['turns', 'channels']);
  });

  it('writes only the page that the host put in front', async () => {
    const all = turns(1, 30);
    await mirror.saveChat(CHAT, record({ turns: all.slice(10) }));

    const puts = await putsOf(() => mirror.saveChat(CHAT, record({ turns: all })));

    expect(puts.filter((store) => store === 'turns').length).to.equal(10);
    expect(ids((await load()).record?.state.turns)).to.deep.equal(ids(all));
  });

  it('writes nothing of a page that it gave itself', async () => {
    const all = turns(1, 30);
    await mirror.saveChat(CHAT, record({ turns: all, isComplete: true }));
    const window = all.slice(20);
    await mirror.saveChat(CHAT, record({ turns: window }));
    const page = await mirror.loadTurnsBefore(CHAT, 't21', 10);

    const puts = await putsOf(() => mirror.saveChat(CHAT, record({ turns: [...page.turns, ...window] })));

    expect(puts).to.deep.equal(['channels']);
    expect(ids((await load()).record?.state.turns)).to.deep.equal(ids(all));
  });

  it('writes its window once when it takes the chat over', async () => {
    const finished = turns(1, 5);
    await mirror.saveChat(CHAT, record({ turns: finished }));
    mirror.claimChat(CHAT);

    const first = await putsOf(() => mirror.saveChat(CHAT, record({ turns: finished })));
    const second = await putsOf(() => mirror.saveChat(CHAT, record({ turns: finished })));

    expect(first.filter((store) => store === 'turns').length).to.equal(5);
    expect(second).to.deep.equal(['channels']);
  });

  it('puts state and its number into one transaction with the turns they belong to', async () => {
    faulty.transactions.length = 0;

    await mirror.saveChat(CHAT, record({ turns: turns(1, 3) }));

    expect(faulty.transactions).to.deep.equal(['readwrite channels,turns']);
  });

  it('clones within the call while nothing is under way', async () => {
    await mirror.saveChat(CHAT, streaming([], 'a'));
    faulty.puts.length = 0;

    const saved = mirror.saveChat(CHAT, streaming([], 'ab'));
    const putsInCall = [...faulty.puts];
    await saved;

    expect(putsInCall).to.deep.equal(['channels']);
  });

  it('writes the newest of many saves that come while one is under way', async () => {
    const finished = turns(1, 2);
    await mirror.saveChat(CHAT, streaming(finished, ''));

    const puts = await putsOf(() =>
      Promise.all(['a', 'ab', 'abc', 'abcd'].map((text) => mirror.saveChat(CHAT, streaming(finished, text)))),
    );

    expect(puts).to.deep.equal(['channels', 'channels']);
    expect((await load()).record).to.deep.equal(streaming(finished, 'abcd'));
  });

  describe('with a running turn above 1 MiB', () => {
    const large = 'x'.repeat(MAX_RUNNING_SIZE + 1);

    it('leaves what is stored, state and number, as it was', async () => {
      const finished = turns(1, 2);
      await mirror.saveChat(CHAT, streaming(finished, 'small', 8));

      const puts = await putsOf(() => mirror.saveChat(CHAT, streaming(finished, large, 9)));

      expect(puts).to.deep.equal([]);
      expect((await load()).record).to.deep.equal(streaming(finished, 'small', 8));
    });

    it('writes it when it is finished', async () => {
      const finished = turns(1, 2);
      await mirror.saveChat(CHAT, streaming(finished, 'small', 8));
      await mirror.saveChat(CHAT, streaming(finished, large, 9));
      const done = record({ turns: [...finished, turn('running', large)], appliedSeq: 10 });

      await mirror.saveChat(CHAT, done);

      expect((await load()).record).to.deep.equal(done);
    });
  });

  describe('and loading it', () => {
    it('reads as much of 2,000 turns as of 50', async () => {
      await mirror.saveChat(CHAT, record({ turns: turns(1, 2000) }));
      await mirror.listClients();
      faulty.reads.length = 0;

      const chat = await load(50);

      expect(ids(chat.record?.state.turns)).to.deep.equal(ids(turns(1951, 2000)));
      // One turn more tells whether there are older ones.
      expect(faulty.reads.slice(0, 4)).to.deep.equal(['channels 1', 'turns 51', 'outbox 0', 'drafts 0']);
    });

    it('marks it as used only after it was read', async () => {
      await mirror.saveChat(CHAT, record({ turns: turns(1, 3) }));
      faulty.transactions.length = 0;

      await load();
      await mirror.listClients();

      expect(faulty.transactions).to.deep.equal([
        'readonly channels,turns,outbox,drafts',
        'readwrite channels',
        'readonly clients',
      ]);
    });
  });
});
