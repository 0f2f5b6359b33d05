/** One run in a real browser, from beginning to end. */

import type { LiveRun } from './steps.js';
import { LiveWorld } from './world.js';

export interface LiveOutcome {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly untrue: readonly string[];
  readonly open: readonly string[];
  readonly errors: readonly string[];
  readonly intents: number;
  readonly faults: Readonly<Record<string, number>>;
  /** By the clock of the run. */
  readonly truthMs: number | undefined;
}

export async function live({ steps, ...options }: LiveRun): Promise<LiveOutcome> {
  const world = new LiveWorld(options);
  await world.open();
  await world.clock.pass(1_000);
  for (const step of steps) await world.take(step);
  const findings = await world.rest();
  const open = await world.close();
  return {
    ...findings,
    open,
    errors: world.errors,
    intents: world.ledger.intents.length,
    faults: Object.fromEntries(world.faults),
    truthMs: world.truthMs,
  };
}

/** What is wrong with a run, one line each. */
export const toComplaints = ({ lost, doubled, untrue, open, errors }: LiveOutcome): readonly string[] => [
  ...lost.map((mark) => `lost: ${mark}`),
  ...doubled.map((mark) => `doubled: ${mark}`),
  ...untrue,
  ...open.map((what) => `left open: ${what}`),
  ...errors,
];

/** Runs all of them, so many side by side, and hands each outcome over as it comes. */
export async function liveAll(
  runs: readonly LiveRun[],
  sideBySide: number,
  onOutcome: (outcome: LiveOutcome, run: LiveRun) => void,
): Promise<void> {
  const waiting = runs.values();
  const work = async () => {
    for (const run of waiting) onOutcome(await live(run), run);
  };
  await Promise.all(Array.from({ length: sideBySide }, work));
}
