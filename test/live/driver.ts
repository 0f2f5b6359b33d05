/** The page that `npm run faults -- --browser` opens: runs what it is handed. */

import { live, toComplaints, type LiveOutcome } from './live.js';
import type { LiveRun } from './steps.js';

export interface Driven {
  readonly outcome: LiveOutcome;
  readonly complaints: readonly string[];
}

const runLive = async (run: LiveRun): Promise<Driven> => {
  const outcome = await live(run);
  return { outcome, complaints: toComplaints(outcome) };
};

Object.assign(globalThis, { runLive });
