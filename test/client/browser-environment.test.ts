import { expect } from '@open-wc/testing';
import { createBrowserEnvironment, createKeyValueStore } from '../../src/client/browser-environment.js';
import type { LifecycleEvent } from '../../src/client/environment.js';

const transition = (type: string) => new PageTransitionEvent(type, { persisted: true });

describe('the environment of a page', () => {
  it('makes ids of 128 random bits, also where there is no randomUUID', () => {
    const { createId } = createBrowserEnvironment();
    // Plain http has neither of these.
    for (const name of ['randomUUID', 'subtle']) Object.defineProperty(crypto, name, { configurable: true });
    let ids: readonly string[];
    try {
      expect(crypto.randomUUID).to.equal(undefined);
      ids = Array.from({ length: 100 }, createId);
    } finally {
      for (const name of ['randomUUID', 'subtle']) Reflect.deleteProperty(crypto, name);
    }

    expect(new Set(ids).size).to.equal(100);
    for (const id of ids) expect(id).to.match(/^[0-9a-f]{32}$/);
  });

  it('runs what is scheduled, unless it was cancelled', async () => {
    const { schedule } = createBrowserEnvironment();
    let isCancelledRun = false;
    const cancel = schedule(0, () => (isCancelledRun = true));
    cancel();

    await new Promise<void>((resolve) => schedule(1, resolve));

    expect(isCancelledRun).to.equal(false);
  });

  it('holds a lock against everybody until it is released', async () => {
    const { locks, createId } = createBrowserEnvironment();
    const name = createId();

    const release = await locks!.tryAcquire(name);
    const second = await locks!.tryAcquire(name);
    const waiting = locks!.acquire(name, new AbortController().signal);
    release!();
    release!();
    const third = await waiting;

    expect(release).to.be.a('function');
    expect(second).to.equal(undefined);
    expect(await locks!.tryAcquire(name)).to.equal(undefined);
    third();
  });

  it('gives up waiting for a lock when aborted', async () => {
    const { locks, createId } = createBrowserEnvironment();
    const name = createId();
    const release = await locks!.tryAcquire(name);
    const abort = new AbortController();
    const waiting = locks!.acquire(name, abort.signal);
    let reason: unknown;

    abort.abort();
    await waiting.catch((error: unknown) => (reason = error));

    expect(reason).to.have.property('name', 'AbortError');
    release!();
  });

  it('tells of page and network, and of nothing between leaving and coming back', () => {
    const seen: LifecycleEvent[] = [];
    const end = createBrowserEnvironment().onLifecycle((event) => seen.push(event));

    window.dispatchEvent(new Event('offline'));
    window.dispatchEvent(new Event('online'));
    window.dispatchEvent(transition('pageshow'));
    window.dispatchEvent(transition('pagehide'));
    document.dispatchEvent(new Event('freeze'));
    document.dispatchEvent(new Event('visibilitychange'));
    document.dispatchEvent(new Event('resume'));
    window.dispatchEvent(transition('pageshow'));
    end();
    window.dispatchEvent(new Event('offline'));

    expect(seen).to.deep.equal(['offline', 'online', 'pagehide', 'pageshow']);
  });

  it('keeps strings in the tab and in the origin', () => {
    const { session, local, createId } = createBrowserEnvironment();
    for (const store of [session, local]) {
      const key = createId();

      expect(store.get(key)).to.equal(undefined);
      expect(store.set(key, 'value')).to.equal(true);
      expect(store.get(key)).to.equal('value');
      expect(store.keys()).to.include(key);
      store.delete(key);
      expect(store.keys()).not.to.include(key);
    }
  });
});

describe('a string store', () => {
  const broken = () => {
    throw new DOMException('No storage here.', 'SecurityError');
  };
  const full = {
    length: 0,
    key: () => null,
    getItem: () => null,
    setItem: () => {
      throw new DOMException('Full.', 'QuotaExceededError');
    },
    removeItem: broken,
  };
  for (const [name, find] of [
    ['forbidden', broken],
    ['full', () => full],
    ['missing', () => undefined],
  ] as const) {
    it(`never throws when it is ${name}, and says that nothing was kept`, () => {
      const store = createKeyValueStore(find);

      expect(store.set('a', 'b')).to.equal(false);
      expect(store.get('a')).to.equal(undefined);
      expect(store.keys()).to.deep.equal([]);
      store.delete('a');
    });
  }
});
