/** A full disk. Real IndexedDB; only the browser's refusal is injected. */

import { expect } from '@open-wc/testing';
import { MAX_STRIKES } from '../../src/mirror/database.js';
import type { Mirror } from '../../src/mirror/mirror.js';
import type { StoredChat, StoredTurn } from '../../src/mirror/schema.js';
import { deleteRaw, newHostKey, open, openRaw, readAll, settled } from './databases.js';
import { fault, FaultyFactory, rejection } from './faulty-factory.js';
import { CHAT, draft, entry, ids, record, turns } from './samples.js';

describe('a full disk', () => {
  let hostKey: string;
  let faulty: FaultyFactory;
  let mirror: Mirror;
  /** What was told of `notKept`, in order. */
  let told: (string | undefined)[];

  beforeEach(() => {
    hostKey = newHostKey();
    faulty = new FaultyFactory();
    mirror = open(hostKey, { factory: faulty.factory }).mirror;
    told = [];
    mirror.onNotKept(() => told.push(mirror.notKept));
  });

  afterEach(async () => {
    await mirror.close();
    await deleteRaw(hostKey);
  });

  const chatAt = (index: number): string => `ahp-chat:/${index}`;
  const load = () => mirror.loadChat(CHAT, { clientId: 'me', turns: 50, now: 100 });
  const keptChats = async () => (await readAll<StoredChat>(hostKey, 'channels')).map(({ uri }) => uri);
  const keptTurns = async () => (await readAll<StoredTurn>(hostKey, 'turns')).map(({ chat }) => chat);

  /** Chats used one after the other, the first longest ago. */
  async function fill(count: number): Promise<void> {
    for (let index = 1; index <= count; index += 1) {
      await mirror.loadChat(chatAt(index), { clientId: 'me', turns: 1, now: index });
      await mirror.saveChat(chatAt(index), record({ turns: turns(1, 2) }));
    }
  }

  /** The next `times` puts into `store` find the disk full. */
  function refuse(store: string, times: number): void {
    let left = times;
    faulty.onPut = (name) => {
      if (name !== store || left === 0) return;
      left -= 1;
      throw fault('QuotaExceededError');
    };
  }

  it('loses the chats used longest ago, and then takes what it had refused', async () => {
    await fill(5);
    await load();
    refuse('turns', 1);

    await mirror.saveChat(CHAT, record({ turns: turns(1, 2) }));

    expect(await keptChats()).to.deep.equal([chatAt(4), chatAt(5), CHAT]);
    expect(new Set(await keptTurns())).to.deep.equal(new Set([chatAt(4), chatAt(5), CHAT]));
    expect(told).to.deep.equal([]);
  });

  it('never loses what the person wrote', async () => {
    await fill(2);
    await mirror.putOutbox([entry(1)], { nextClientSeq: 2, clearDraft: false });
    await mirror.putDraft(CHAT, 'me', draft('typed'));
    const staged = {
      id: 's',
      channel: CHAT,
      clientId: 'me',
      label: 'a.txt',
      members: [],
      uploads: {},
      source: 'picker',
    };
    const slice = { member: 'm', n: 0, bytes: new ArrayBuffer(3) };
    const database = await openRaw(hostKey);
    await settled(database.transaction('staged', 'readwrite').objectStore('staged').put(staged));
    await settled(database.transaction('blobs', 'readwrite').objectStore('blobs').put(slice));
    database.close();
    refuse('turns', 100);

    for (let round = 0; round < MAX_STRIKES; round += 1) {
      await rejection(mirror.saveChat(CHAT, record({ turns: turns(round, round + 1) })));
    }

    expect(await keptChats()).to.deep.equal([]);
    const chat = await load();
    expect([chat.outbox, chat.draft]).to.deep.equal([[entry(1)], draft('typed')]);
    expect(await readAll(hostKey, 'staged')).to.deep.equal([staged]);
    expect(await readAll(hostKey, 'blobs')).to.deep.equal([slice]);
  });

  it('loses the chat itself when there is no other, and keeps the window that is being saved', async () => {
    const all = turns(1, 6);
    await mirror.saveChat(CHAT, record({ turns: all, isComplete: true }));
    refuse('turns', 1);

    await mirror.saveChat(CHAT, record({ turns: [...all.slice(4), ...turns(7, 7)] }));

    const chat = await load();
    expect(ids(chat.record?.state.turns)).to.deep.equal(['t5', 't6', 't7']);
    expect(chat.older).to.equal('unknown');
  });

  it('that stays full makes the write fail, and says so', async () => {
    await fill(2);
    refuse('drafts', 100);

    const error = await rejection(mirror.putDraft(CHAT, 'me', draft('typed')));

    expect(error.code).to.equal('storage');
    expect(error.message).to.contain('QuotaExceededError');
    expect(told).to.deep.equal(['quota']);
  });

  it('that takes something smaller keeps that', async () => {
    refuse('drafts', 2);
    await rejection(mirror.putDraft(CHAT, 'me', draft('very long')));

    await mirror.putDraft(CHAT, 'me', draft('short'));

    expect((await load()).draft).to.deep.equal(draft('short'));
    expect(told).to.deep.equal(['quota', undefined]);
  });

  it('is not asked again and again for what the host can give, but always for what the person wrote', async () => {
    refuse('turns', 100);
    for (let round = 0; round < MAX_STRIKES; round += 1) {
      await rejection(mirror.saveChat(CHAT, record({ turns: turns(round, round + 1) })));
    }
    const asked = faulty.transactions.length;

    const error = await rejection(mirror.saveChat(CHAT, record({ turns: turns(8, 9) })));
    const askedAgain = faulty.transactions.length - asked;
    await mirror.putDraft(CHAT, 'me', draft('typed'));

    expect(error.code).to.equal('storage');
    expect(askedAgain).to.equal(0);
    expect((await load()).draft).to.deep.equal(draft('typed'));
    expect(told).to.deep.equal(['quota']);
  });

  it('that has room again for what the person wrote is tried with the rest, too', async () => {
    faulty.onPut = () => {
      throw fault('QuotaExceededError');
    };
    await rejection(mirror.putDraft(CHAT, 'me', draft('typed')));
    for (let round = 0; round < MAX_STRIKES; round += 1) {
      await rejection(mirror.saveChat(CHAT, record({ turns: turns(round, round + 1) })));
    }

    faulty.onPut = () => undefined;
    await mirror.putDraft(CHAT, 'me', draft('typed', 2));
    await mirror.saveChat(CHAT, record({ turns: turns(1, 2) }));

    expect(ids((await load()).record?.state.turns)).to.deep.equal(['t1', 't2']);
    expect(told).to.deep.equal(['quota', undefined]);
  });

  it('that was cleared is used again', async () => {
    refuse('turns', 2 * MAX_STRIKES);
    for (let round = 0; round < MAX_STRIKES; round += 1) {
      await rejection(mirror.saveChat(CHAT, record({ turns: turns(round, round + 1) })));
    }

    await mirror.clear();
    await mirror.saveChat(CHAT, record({ turns: turns(1, 2) }));

    expect(ids((await load()).record?.state.turns)).to.deep.equal(['t1', 't2']);
    expect(mirror.notKept).to.equal(undefined);
  });

  it('does not bring an older draft back over a newer one', async () => {
    await fill(2);
    refuse('drafts', 1);

    const older = rejection(mirror.putDraft(CHAT, 'me', draft('v1', 1)));
    const newer = mirror.putDraft(CHAT, 'me', draft('v2', 2));
    await newer;

    expect((await older).message).to.contain('A later write has come through');
    expect((await load()).draft).to.deep.equal(draft('v2', 2));
  });

  it('does what was asked meanwhile after it has made room', async () => {
    await fill(2);
    refuse('drafts', 1);

    const kept = [mirror.putDraft(CHAT, 'me', draft('typed')), mirror.listClients(), load()] as const;
    const [, clients, chat] = await Promise.all(kept);

    expect(clients).to.deep.equal([]);
    expect(chat.outbox).to.deep.equal([]);
    expect((await load()).draft).to.deep.equal(draft('typed'));
  });
});
