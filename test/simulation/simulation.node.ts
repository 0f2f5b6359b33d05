/** The simulation itself: it repeats from its seed, and these sequences lose and double nothing. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { simulate, toComplaints } from './simulate.js';
import { run, sample } from './steps.js';

const sequences = [...sample(run, { runs: 2_000, seed: 7 })];

describe('persons, tabs, faults and a host on one clock', () => {
  it('do the same again from the same seed and steps', async () => {
    for (const sequence of sequences.slice(0, 20)) {
      assert.deepEqual(await simulate(sequence), await simulate(sequence));
    }
  });

  it('lose nothing, double nothing, show the truth and leave nothing open', async () => {
    for (const sequence of sequences) {
      assert.deepEqual(toComplaints(await simulate(sequence)), [], JSON.stringify(sequence));
    }
  });
});
