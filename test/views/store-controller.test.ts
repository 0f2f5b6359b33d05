import { expect, fixture, html } from '@open-wc/testing';
import { LitElement } from 'lit';
import type { ChatStore } from '../../src/chat/store.js';
import { StoreController } from '../../src/views/store-controller.js';
import { ManualClock } from '../helpers/manual-environment.js';
import { frame } from '../helpers/views.js';

const clock = new ManualClock();

class TestWatcher extends LitElement {
  readonly chat = new StoreController(this, clock);
  updates = 0;
  /** What one update costs, in ms of the clock. */
  cost = 0;
  override render() {
    this.updates += 1;
    clock.advance(this.cost);
    return html`${this.chat.store?.status.pending}`;
  }
}
customElements.define('test-watcher', TestWatcher);

function fakeStore() {
  const listeners = new Set<() => void>();
  const store = {
    subscribe: (listener: () => void) => (listeners.add(listener), () => void listeners.delete(listener)),
    status: { phase: 'live', pending: 0, unconfirmed: [] },
  } as unknown as ChatStore;
  return { store, listeners, change: () => listeners.forEach((listener) => listener()) };
}

/** After a frame and what was posted in it; the next frame is certain to come later than that. */
const painted = async () => {
  await frame();
  await new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => (port1.close(), resolve());
    port2.postMessage(undefined);
  });
  await frame();
};

async function watcherFixture() {
  const watcher = await fixture<TestWatcher>(html`<test-watcher></test-watcher>`);
  const fake = fakeStore();
  watcher.chat.store = fake.store;
  await watcher.updateComplete;
  watcher.updates = 0;
  return { watcher, ...fake };
}

describe('StoreController', () => {
  it('makes one update of many changes in a frame', async () => {
    const { watcher, change } = await watcherFixture();

    for (let i = 0; i < 1_000; i += 1) change();
    await painted();
    await watcher.updateComplete;

    expect(watcher.updates).to.equal(1);
  });

  it('rests twice as long as an update took', async () => {
    const { watcher, change } = await watcherFixture();
    watcher.cost = 100;
    change();
    await painted();
    expect(watcher.updates).to.equal(1);

    change();
    await painted();
    clock.advance(150);
    await painted();
    expect(watcher.updates).to.equal(1);

    clock.advance(60);
    await painted();
    expect(watcher.updates).to.equal(2);
  });

  it('leaves the old store when it is given another', async () => {
    const { watcher, change, listeners } = await watcherFixture();
    const other = fakeStore();

    watcher.chat.store = other.store;
    await watcher.updateComplete;
    change();
    await painted();

    expect(listeners.size).to.equal(0);
    expect(other.listeners.size).to.equal(1);
    expect(watcher.updates).to.equal(1);
  });

  it('leaves the store when its element goes, and shows what it missed when it comes back', async () => {
    const { watcher, change, listeners } = await watcherFixture();
    const parent = watcher.parentElement!;

    change();
    watcher.remove();
    expect(listeners.size).to.equal(0);
    await painted();
    expect(watcher.updates).to.equal(0);

    parent.append(watcher);
    await watcher.updateComplete;
    expect(watcher.updates).to.equal(1);
    expect(listeners.size).to.equal(1);
  });

  it('updates by a timer while the page is hidden, where there are no frames', async () => {
    const { watcher, change } = await watcherFixture();
    Object.defineProperty(document, 'hidden', { value: true, configurable: true });
    try {
      change();
      await painted();
      expect(watcher.updates).to.equal(0);

      clock.advance(250);
      await watcher.updateComplete;
      expect(watcher.updates).to.equal(1);
    } finally {
      Reflect.deleteProperty(document, 'hidden');
    }
  });

  it('moves a waiting update from the frame to the timer when the page is hidden, and back', async () => {
    const { watcher, change } = await watcherFixture();
    const hide = (hidden: boolean) => {
      Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    };
    try {
      change();
      hide(true);
      await painted();
      expect(watcher.updates).to.equal(0);

      hide(false);
      await painted();
      expect(watcher.updates).to.equal(1);
      clock.advance(1_000);
      expect(clock.pendingTimers).to.equal(0);
    } finally {
      Reflect.deleteProperty(document, 'hidden');
    }
  });
});
