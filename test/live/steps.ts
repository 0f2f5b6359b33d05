/** What can happen in a run in a real browser: what happens in the simulation, and what can befall a real database. */

import fc from 'fast-check';
import { run, type Run, type Step } from '../simulation/steps.js';

const disk = fc.record({
  does: fc.constant('disk' as const),
  tab: fc.nat({ max: 4 }),
  fault: fc.constantFrom('full', 'connection lost', 'deleted'),
  ms: fc.nat({ max: 15_000 }),
});
export type DiskStep = typeof disk extends fc.Arbitrary<infer T> ? T : never;

export type LiveStep = Step | DiskStep;

export interface LiveRun extends Omit<Run, 'steps'> {
  readonly steps: readonly LiveStep[];
}

const befalling = fc.array(fc.record({ at: fc.nat({ max: 60 }), step: disk }), { maxLength: 2 });

export const liveRun: fc.Arbitrary<LiveRun> = fc
  .record({ run, befalling })
  .map(({ run: { steps, ...options }, befalling }) => {
    const all: LiveStep[] = [...steps];
    for (const { at, step } of befalling) all.splice(at, 0, step);
    return { ...options, steps: all };
  });
