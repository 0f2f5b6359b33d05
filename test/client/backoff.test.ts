import { expect } from '@open-wc/testing';
import { toBackoffMs } from '../../src/client/backoff.js';

describe('the wait before the next attempt to connect', () => {
  it('starts at 250 ms and doubles up to 30 s', () => {
    const waits = [1, 2, 3, 8, 9, 1000].map((attempt) => toBackoffMs(attempt, 0.5));

    expect(waits).to.deep.equal([250, 500, 1000, 30_000, 30_000, 30_000]);
  });

  it('varies by a quarter to either side', () => {
    expect(toBackoffMs(1, 0)).to.equal(188);
    expect(toBackoffMs(1, 0.999_999)).to.equal(312);
  });
});
