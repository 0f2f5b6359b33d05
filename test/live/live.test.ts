/** Some of the sequences that `npm run faults -- --browser` runs by the thousand. */

import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { liveAll, toComplaints } from './live.js';
import { liveRun } from './steps.js';

/** The other engines load a document far more slowly. */
const isFast = navigator.userAgent.includes('Chrome');
const sequences = fc.sample(liveRun, { numRuns: isFast ? 50 : 6, seed: 5 });

describe('persons, documents, faults and a host, in this browser', () => {
  it('lose nothing, double nothing, show the truth and leave nothing open', async () => {
    const wrong: string[] = [];

    await liveAll(sequences, isFast ? 6 : 2, (outcome, run) => {
      const complaints = toComplaints(outcome);
      if (complaints.length > 0) wrong.push(`${complaints.join('\n')}\n${JSON.stringify(run)}`);
    });

    expect(wrong).to.deep.equal([]);
  }).timeout(240_000);
});
