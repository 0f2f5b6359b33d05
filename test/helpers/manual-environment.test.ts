import { expect } from '@open-wc/testing';
import { ManualEnvironment, ManualLocks } from './manual-environment.js';

describe('the manual environment', () => {
  it('runs timers in the order in which they fall due, also those that timers start', () => {
    const environment = new ManualEnvironment();
    const order: string[] = [];
    environment.schedule(20, () => order.push('late'));
    environment.schedule(10, () => {
      order.push('early');
      environment.schedule(5, () => order.push('between'));
    });

    environment.advance(20);

    expect(order).to.deep.equal(['early', 'between', 'late']);
  });

  it('runs no timer that was cancelled', () => {
    const environment = new ManualEnvironment();
    let ran = false;
    const cancel = environment.schedule(1, () => (ran = true));

    cancel();
    environment.advance(10);

    expect(ran).to.equal(false);
  });

  it('repeats its ids from the seed', () => {
    const ids = (seed: number) => {
      const environment = new ManualEnvironment({ seed });
      return [environment.createId(), environment.createId()];
    };

    expect(ids(7)).to.deep.equal(ids(7));
    expect(ids(7)).not.to.deep.equal(ids(8));
    expect(ids(7)[0]).to.match(/^[0-9a-f]{32}$/);
  });

  it('moves the wall clock without the monotonic one', () => {
    const environment = new ManualEnvironment({ now: 1000 });

    environment.clock.jump(-500);
    environment.advance(10);

    expect([environment.now(), environment.monotonic()]).to.deep.equal([510, 10]);
  });

  it('gives a lock to one holder at a time', async () => {
    const locks = new ManualLocks();
    const release = await locks.tryAcquire('a');
    const refused = await locks.tryAcquire('a');
    const next = locks.acquire('a', new AbortController().signal);

    release?.();
    const second = await next;

    expect(refused).to.equal(undefined);
    expect(locks.isHeld('a')).to.equal(true);
    second();
    expect(locks.isHeld('a')).to.equal(false);
  });
});
