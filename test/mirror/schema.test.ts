import { expect } from '@open-wc/testing';
import { DB_VERSION, MIRROR_STORES, toDatabaseName, toDurability, UPGRADE_STEPS } from '../../src/mirror/schema.js';
import { databaseName, deleteRaw, newHostKey, open, openRaw } from './databases.js';
import { CHAT, draft, entry, record, turns } from './samples.js';

/** As it was released. A released step is never edited; a later one adds a line to the table it leads to. */
const RELEASED = {
  1: {
    clients: { keyPath: 'clientId', indexes: {} },
    channels: { keyPath: 'uri', indexes: { accessedAt: { keyPath: 'accessedAt', unique: false } } },
    turns: { keyPath: ['chat', 'ordinal'], indexes: { id: { keyPath: ['chat', 'turn.id'], unique: true } } },
    outbox: { keyPath: ['clientId', 'clientSeq'], indexes: { channel: { keyPath: 'channel', unique: false } } },
    drafts: { keyPath: ['channel', 'clientId'], indexes: {} },
    staged: { keyPath: 'id', indexes: { channel: { keyPath: 'channel', unique: false } } },
    blobs: { keyPath: ['member', 'n'], indexes: {} },
  },
  2: {
    clients: { keyPath: 'clientId', indexes: {} },
    channels: { keyPath: 'uri', indexes: { accessedAt: { keyPath: 'accessedAt', unique: false } } },
    turns: { keyPath: ['chat', 'ordinal'], indexes: { id: { keyPath: ['chat', 'turn.id'], unique: true } } },
    outbox: { keyPath: ['clientId', 'clientSeq'], indexes: { channel: { keyPath: 'channel', unique: false } } },
    drafts: { keyPath: ['channel', 'clientId'], indexes: {} },
    staged: { keyPath: 'id', indexes: { channel: { keyPath: 'channel', unique: false } } },
    blobs: { keyPath: ['member', 'n'], indexes: {} },
    toolRuns: { keyPath: 'id', indexes: { startedAt: { keyPath: 'startedAt', unique: false } } },
  },
} as const;

/** What stands on disk, in the words of the table above. */
async function describeDatabase(hostKey: string): Promise<{ version: number; stores: object }> {
  const database = await openRaw(hostKey);
  const stores = Object.fromEntries(
    [...database.objectStoreNames].map((name) => {
      const store = database.transaction(name).objectStore(name);
      const indexes = [...store.indexNames].map((index) => {
        const { keyPath, unique } = store.index(index);
        return [index, { keyPath, unique }];
      });
      return [name, { keyPath: store.keyPath, indexes: Object.fromEntries(indexes) as object }];
    }),
  );
  const { version } = database;
  database.close();
  return { version, stores };
}

describe('the schema', () => {
  it('is named after host and account', () => {
    expect(toDatabaseName('wss://host.example/ahp')).to.equal('ahp-chat:wss://host.example/ahp');
  });

  it('has as many versions as steps', () => {
    expect(DB_VERSION).to.equal(UPGRADE_STEPS.length);
    expect(Object.keys(RELEASED).map(Number).at(-1)).to.equal(DB_VERSION);
  });

  it('flushes what only the person has, and not what the host can give again', () => {
    const byStore = Object.fromEntries(MIRROR_STORES.map((store) => [store, toDurability([store])]));

    expect(byStore).to.deep.equal({
      clients: 'strict',
      channels: 'relaxed',
      turns: 'relaxed',
      outbox: 'strict',
      drafts: 'strict',
      staged: 'strict',
      blobs: 'strict',
      toolRuns: 'strict',
    });
    expect(toDurability(['channels', 'turns'])).to.equal('relaxed');
    expect(toDurability(['channels', 'drafts'])).to.equal('strict');
  });

  for (const [version, stores] of Object.entries(RELEASED)) {
    it(`is as it was released at version ${version}`, async () => {
      const hostKey = newHostKey();
      const { mirror } = open(hostKey, { steps: UPGRADE_STEPS.slice(0, Number(version)) });
      await mirror.listClients();
      await mirror.close();

      expect(await describeDatabase(hostKey)).to.deep.equal({ version: Number(version), stores });
      await deleteRaw(hostKey);
    });
  }

  for (let from = 1; from <= DB_VERSION; from += 1) {
    it(`keeps everything on the way from version ${from} to one step beyond today's`, async () => {
      const hostKey = newHostKey();
      const before = open(hostKey, { steps: UPGRADE_STEPS.slice(0, from) }).mirror;
      await before.saveChat(CHAT, record({ turns: turns(1, 3) }));
      await before.putOutbox([entry(1)], { nextClientSeq: 2, clearDraft: false });
      await before.putDraft(CHAT, 'me', draft('typed'));
      await before.close();
      const later = [...UPGRADE_STEPS, (database: IDBDatabase) => database.createObjectStore('later')];

      const { mirror } = open(hostKey, { steps: later });
      const chat = await mirror.loadChat(CHAT, { clientId: 'me', turns: 50, now: 1 });
      await mirror.close();

      expect(chat.record).to.deep.equal(record({ turns: turns(1, 3) }));
      expect(chat.outbox).to.deep.equal([entry(1)]);
      expect(chat.draft).to.deep.equal(draft('typed'));
      const names = (await indexedDB.databases()).find(({ name }) => name === databaseName(hostKey));
      expect(names?.version).to.equal(DB_VERSION + 1);
      await deleteRaw(hostKey);
    });
  }
});
