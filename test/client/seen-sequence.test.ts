import { expect } from '@open-wc/testing';
import { SeenSequence } from '../../src/client/seen-sequence.js';

describe('the last seen sequence number', () => {
  it('is the highest one where no channel is held back', () => {
    const seen = new SeenSequence();
    seen.restart(3);
    seen.note(7, 100, 0);
    seen.note(9, 200, 0);

    expect(seen.lastSeen(200, 0)).to.equal(9);
  });

  it('leaves out what came within the hold-back and a second, since other channels may lag', () => {
    const seen = new SeenSequence();
    seen.restart(3);
    seen.note(7, 1000, 50);
    seen.note(9, 2000, 50);

    expect(seen.lastSeen(2040, 50)).to.equal(3);
    expect(seen.lastSeen(2050, 50)).to.equal(7);
    expect(seen.lastSeen(3050, 50)).to.equal(9);
  });

  it('never falls below what every channel had at the start', () => {
    const seen = new SeenSequence();
    seen.restart(40);
    seen.note(41, 10, 50);

    expect(seen.lastSeen(20, 50)).to.equal(40);
  });

  it('takes a number that was passed on an earlier connection for a host that counts anew', () => {
    const seen = new SeenSequence();
    seen.restart(1);
    seen.note(20, 10, 0);

    expect(seen.isImpossible(5)).to.equal(false);
    seen.continue(20, 22);
    expect(seen.isImpossible(22)).to.equal(true);
    expect(seen.isImpossible(23)).to.equal(false);
  });

  it('forgets everything at a fresh start', () => {
    const seen = new SeenSequence();
    seen.restart(500);
    seen.note(600, 10, 0);
    seen.continue(600, 600);

    seen.restart(2);

    expect(seen.lastSeen(1000, 0)).to.equal(2);
    expect(seen.isImpossible(3)).to.equal(false);
  });

  it('stays small over a long life', () => {
    const seen = new SeenSequence();
    seen.restart(0);
    for (let seq = 1; seq <= 100_000; seq++) seen.note(seq, seq, 50);

    // Within a tenth of a second of what may be claimed, and never above it.
    expect(seen.lastSeen(100_000, 50)).to.be.within(100_000 - 1150, 100_000 - 1050);
  });
});
