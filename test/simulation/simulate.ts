/** One run from beginning to end, and what many of them add up to. */

import { examine, findOpen, type Findings } from './check.js';
import type { HazardName } from './hazards.js';
import type { Run } from './steps.js';
import { World } from './world.js';

export interface Outcome extends Findings {
  readonly open: readonly string[];
  readonly intents: number;
  readonly faults: ReadonlyMap<string, number>;
  readonly hazards: ReadonlyMap<HazardName, number>;
  /** From the end of all faults to screens that show the truth, in milliseconds; absent where they never did. */
  readonly truthMs?: number;
  /** `terminal/input`s that were sent. */
  readonly terminalInputs: number;
}

export async function simulate({ steps, ...options }: Run): Promise<Outcome> {
  const world = new World(options);
  world.openTab();
  await world.advance(1_000);
  for (const step of steps) await world.take(step);
  const truthMs = await world.rest();
  const findings = examine(world);
  await world.close();
  return {
    ...findings,
    open: findOpen(world),
    intents: world.ledger.intents.length,
    faults: world.faults,
    hazards: world.hazards.counts,
    ...(truthMs !== undefined && { truthMs }),
    terminalInputs: world.host.dispatched('terminal/input').length,
  };
}

/** What is wrong with a run, one line each. */
export const toComplaints = ({ lost, doubled, untrue, open, terminalInputs }: Outcome): readonly string[] => [
  ...lost.map((mark) => `lost: ${mark}`),
  ...doubled.map((mark) => `doubled: ${mark}`),
  ...untrue,
  ...open.map((what) => `left open: ${what}`),
  ...(terminalInputs > 0 ? [`sent: ${terminalInputs} terminal inputs`] : []),
];
