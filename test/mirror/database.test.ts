import { expect } from '@open-wc/testing';
import { MirrorDatabase, REOPEN_MS, type Job } from '../../src/mirror/database.js';
import { MemoryMirror } from '../../src/mirror/memory-mirror.js';
import { UPGRADE_STEPS } from '../../src/mirror/schema.js';
import { databaseName, ManualTimers, newHostKey } from './databases.js';
import { fault, rejection } from './faulty-factory.js';

describe('the database of the mirrors', () => {
  const timers = new ManualTimers();
  let database: MirrorDatabase;
  let resets: number;

  beforeEach(() => {
    resets = 0;
    database = new MirrorDatabase({
      name: databaseName(newHostKey()),
      factory: indexedDB,
      schedule: timers.schedule,
      steps: UPGRADE_STEPS,
      memory: new MemoryMirror(),
      onReset: () => {
        resets += 1;
      },
    });
  });

  afterEach(async () => {
    await database.clear();
    await database.close();
  });

  const listClients: Job<unknown> = {
    onDisk: () => ({ stores: ['clients'], mode: 'readonly', run: ({ read }) => read.objectStore('clients').getAll() }),
    inMemory: (memory) => memory.listClients(),
  };

  it('lets only that job fail which loses the connection again where others do not', async () => {
    const cursed: Job<unknown> = {
      onDisk: () => ({
        stores: ['drafts'],
        mode: 'readwrite',
        run: async ({ read }) => {
          // Longer than the other job takes.
          for (let round = 0; round < 20; round += 1) await read.objectStore('drafts').count();
          throw fault('UnknownError');
        },
      }),
      inMemory: () => Promise.resolve('in memory'),
    };
    await database.run(listClients);

    const failed = rejection(database.run(cursed));
    const reopened = timers.fire(REOPEN_MS);
    await reopened;
    await database.run(listClients);

    expect((await failed).code).to.equal('storage');
    expect(database.notKept).to.equal('storage-failed');
    expect(await database.run(listClients)).to.deep.equal([]);
  });

  it('says when what was known of the disk does not hold any more', async () => {
    await database.run(listClients);
    const before = resets;

    database.suspend();
    database.resume();

    expect(resets).to.be.greaterThan(before);
  });
});
