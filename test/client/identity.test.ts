import { expect } from '@open-wc/testing';
import { createBrowserEnvironment } from '../../src/client/browser-environment.js';
import { Identity, toClientLock } from '../../src/client/identity.js';
import { ManualEnvironment, ManualLocks, ManualStore, createRandom } from '../helpers/manual-environment.js';

const random = createRandom(7);

/** A document of a tab: `session` is the tab's storage, `locks` the origin's. */
const openDocument = (options: { session?: ManualStore; locks?: ManualLocks | 'none' } = {}) =>
  new ManualEnvironment({ seed: random(), ...options });

async function acquire(environment: ManualEnvironment, identity = new Identity(environment, 'host')) {
  const acquired = identity.acquire();
  await environment.advanceAsync(200);
  await acquired;
  return identity;
}

describe('the identity of a document', () => {
  it('is fresh in a new tab and held by a lock of its name', async () => {
    const locks = new ManualLocks();
    const identity = await acquire(openDocument({ locks }));

    expect(identity.isFresh).to.equal(true);
    expect(identity.clientId).to.match(/^[0-9a-f]{32}$/);
    expect(locks.isHeld(toClientLock(identity.clientId))).to.equal(true);
  });

  it('stays the same over a reload, and never gives a number twice', async () => {
    const [locks, session] = [new ManualLocks(), new ManualStore()];
    const before = await acquire(openDocument({ locks, session }));
    const used = [before.nextClientSeq(), before.nextClientSeq()];
    before.release();

    const after = await acquire(openDocument({ locks, session }));

    expect(after.clientId).to.equal(before.clientId);
    expect(after.isFresh).to.equal(false);
    expect([...used, after.nextClientSeq()]).to.deep.equal([1, 2, 3]);
  });

  it('waits a moment for a page that is just being left', async () => {
    const [locks, session] = [new ManualLocks(), new ManualStore()];
    const before = await acquire(openDocument({ locks, session }));
    const environment = openDocument({ locks, session });
    const after = new Identity(environment, 'host');

    const acquired = after.acquire();
    await environment.advanceAsync(100);
    before.release();
    await acquired;

    expect(after.clientId).to.equal(before.clientId);
  });

  it('stays the same when the page was too busy to hear in time that its name is free', async () => {
    const [locks, session] = [new ManualLocks(), new ManualStore()];
    const before = await acquire(openDocument({ locks, session }));
    const environment = openDocument({ locks, session });
    const after = new Identity(environment, 'host');

    const acquired = after.acquire();
    environment.advance(200);
    before.release();
    await acquired;

    expect(after.clientId).to.equal(before.clientId);
  });

  it('is held by a lock of the browser’s, also when the page is busy as it starts', async () => {
    const identity = new Identity({ ...createBrowserEnvironment(), session: new ManualStore() }, 'host');
    const acquired = identity.acquire();
    // The lock is granted meanwhile, but the page hears of that and of the time that is over in one go.
    for (const start = performance.now(); performance.now() - start < 300;);
    await acquired;

    const { held = [] } = await navigator.locks.query();
    identity.release();

    expect(held.map(({ name }) => name)).to.include(toClientLock(identity.clientId));
  });

  it('is another one in a duplicated tab, whose copy of the storage finds the lock taken', async () => {
    const [locks, session] = [new ManualLocks(), new ManualStore()];
    const first = await acquire(openDocument({ locks, session }));
    first.nextClientSeq();

    const second = await acquire(openDocument({ locks, session: session.copy() }));

    expect(second.clientId).not.to.equal(first.clientId);
    expect(second.isFresh).to.equal(true);
    expect(second.nextClientSeq()).to.equal(1);
  });

  it('is taken up again when the page comes back, with the numbers used meanwhile in the same tab', async () => {
    const [locks, session] = [new ManualLocks(), new ManualStore()];
    const environment = openDocument({ locks, session });
    const cached = await acquire(environment);
    cached.nextClientSeq();
    cached.release();
    const next = await acquire(openDocument({ locks, session }));
    next.nextClientSeq();
    next.release();

    await acquire(environment, cached);

    expect(cached.clientId).to.equal(next.clientId);
    expect(cached.isFresh).to.equal(false);
    expect(cached.nextClientSeq()).to.equal(3);
  });

  it('is fresh when the page comes back and somebody else has its name', async () => {
    const locks = new ManualLocks();
    const environment = openDocument({ locks });
    const cached = await acquire(environment);
    const before = cached.clientId;
    cached.release();
    await locks.tryAcquire(toClientLock(before));

    await acquire(environment, cached);

    expect(cached.clientId).not.to.equal(before);
    expect(cached.isFresh).to.equal(true);
  });

  it('tells a reload from a duplicated tab without locks, by a mark in the storage', async () => {
    const session = new ManualStore();
    const first = await acquire(openDocument({ locks: 'none', session }));
    const copy = session.copy();
    first.release();

    const reloaded = await acquire(openDocument({ locks: 'none', session }));
    const duplicated = await acquire(openDocument({ locks: 'none', session: copy }));

    expect(reloaded.clientId).to.equal(first.clientId);
    expect(duplicated.clientId).not.to.equal(first.clientId);
  });

  it('is another one in a tab that is duplicated while the page is on its way back, without locks', async () => {
    const session = new ManualStore();
    const page = openDocument({ locks: 'none', session });
    const identity = await acquire(page);
    const { clientId } = identity;
    identity.release();

    identity.comeBack();
    const duplicated = await acquire(openDocument({ locks: 'none', session: session.copy() }));
    await acquire(page, identity);

    expect([identity.clientId, identity.isFresh]).to.deep.equal([clientId, false]);
    expect(duplicated.clientId).not.to.equal(clientId);
  });

  it('falls back on the mark where a document may not have locks at all', async () => {
    const session = new ManualStore();
    const environment = openDocument({ session });
    environment.locks!.acquire = () => Promise.reject(new DOMException('No locks here.', 'SecurityError'));

    const first = await acquire(environment);
    first.release();
    const second = await acquire(environment, new Identity(environment, 'host'));

    expect(second.clientId).to.equal(first.clientId);
  });

  it('works without any storage, and with nonsense in it', async () => {
    const broken = new ManualStore([['ahp-chat:client:host', '{"clientId":7']]);
    const closed = new ManualStore();
    closed.isWritable = false;

    const [first, second] = [
      await acquire(openDocument({ session: broken })),
      await acquire(openDocument({ session: closed })),
    ];

    expect(first.isFresh && second.isFresh).to.equal(true);
    expect(second.nextClientSeq()).to.equal(1);
  });

  it('differs by host and account', async () => {
    const environment = openDocument();
    const [one, other] = [new Identity(environment, 'a'), new Identity(environment, 'b')];

    await one.acquire();
    await other.acquire();

    expect(one.clientId).not.to.equal(other.clientId);
  });
});
