/** What can happen in a run, and how often it does. */

import fc from 'fast-check';

const tab = fc.nat({ max: 4 });
/** From a blink to an hour. */
const time = fc.oneof(
  { weight: 6, arbitrary: fc.nat({ max: 500 }) },
  { weight: 3, arbitrary: fc.integer({ min: 500, max: 15_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(60_000, 3_600_000) },
);

const person = fc.record({
  does: fc.constant('person' as const),
  tab,
  act: fc.constantFrom(
    'type',
    'type',
    'send',
    'type and send',
    'type and send',
    'type and send',
    'attach',
    'attach and send',
    'attach to queued',
    'choose',
    'steer',
    'stop',
    'resume',
    'allow',
    'deny',
    'use result',
    'discard result',
    'answer',
    'remove',
    'change',
    'reorder',
    'edit and resend',
    'cut off',
    'retry',
    'discard',
    'take offer',
    'dismiss offer',
    'older',
  ),
});

const page = fc.record({
  does: fc.constant('page' as const),
  tab,
  act: fc.constantFrom(
    'open',
    'open',
    'reload',
    'reload',
    'kill',
    'crash and reload',
    'close',
    'duplicate',
    'back and forward',
    'sleep',
    'hide',
    'offline',
  ),
  ms: time,
});

const network = fc.record({
  does: fc.constant('network' as const),
  tab,
  fault: fc.constantFrom('cut', 'cut', 'half-open', 'delay', 'throttle', 'duplicate', 'corrupt', 'drop echo'),
  ms: time,
});

const host = fc.record({
  does: fc.constant('host' as const),
  blow: fc.constantFrom(
    'restart',
    'restart',
    'restart, counting anew',
    'forget clients',
    'answer reconnect with snapshots',
    'answer reconnect with -32008',
    'answer reconnect with -32601',
    'do not answer reconnect',
    'ignore',
    'refuse',
    'clear its draft',
    'cut turns off',
  ),
});

const passing = fc.record({ does: fc.constant('pass time' as const), ms: time });

export const step = fc.oneof(
  { weight: 10, arbitrary: person },
  { weight: 6, arbitrary: passing },
  { weight: 2, arbitrary: page },
  { weight: 2, arbitrary: network },
  { weight: 1, arbitrary: host },
);
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

export const run = fc.record({
  seed: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  ringSize: fc.constantFrom(5, 2000),
  hasLocks: fc.constantFrom(true, true, true, false),
  steps: fc.array(step, { minLength: 15, maxLength: 60, size: 'max' }),
});
/** The same ones for the same seed. A few hundred at a time: a sample is made whole before its first run. */
export function* sample<T>(arbitrary: fc.Arbitrary<T>, { runs, seed }: { runs: number; seed: number }): Generator<T> {
  for (let first = 0; first < runs; first += 500) {
    yield* fc.sample(arbitrary, { numRuns: Math.min(500, runs - first), seed: seed + first });
  }
}

export type Run = typeof run extends fc.Arbitrary<infer T> ? T : never;
