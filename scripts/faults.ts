/**
 * `npm run faults`: random sequences of what persons do, against random faults, in one process and on one clock. Prints
 * what was run and what went wrong; exits with 1 if anything was lost, doubled, untrue or left open. A run that fails is
 * printed as JSON, and `npm run faults -- --only FILE` repeats it.
 *
 *     npm run faults -- --runs 100000 --seed 1
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { simulate, toComplaints } from '../test/simulation/simulate.js';
import { run, type Run } from '../test/simulation/steps.js';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});
const runs = Number(values.runs);
const seed = Number(values.seed);

/** A few hundred at a time: a sample is made whole before its first run. */
function* chooseRuns(): Generator<Run> {
  if (values.only !== undefined) {
    yield JSON.parse(readFileSync(values.only, 'utf8')) as Run;
    return;
  }
  for (let first = 0; first < runs; first += 500) {
    yield* fc.sample(run, { numRuns: Math.min(500, runs - first), seed: seed + first });
  }
}

const faults = new Map<string, number>();
const hazards = new Map<string, number>();
const sum = { sequences: 0, intents: 0, lost: 0, doubled: 0, untrue: 0, open: 0, unhandled: 0 };
const add = (into: Map<string, number>, counts: ReadonlyMap<string, number>) => {
  for (const [name, count] of counts) into.set(name, (into.get(name) ?? 0) + count);
};

process.on('unhandledRejection', (error) => {
  sum.unhandled++;
  console.error('Unhandled rejection:', error);
});

for (const each of chooseRuns()) {
  const outcome = await simulate(each);
  sum.sequences++;
  sum.intents += outcome.intents;
  for (const kind of ['lost', 'doubled', 'untrue', 'open'] as const) sum[kind] += outcome[kind].length;
  add(faults, outcome.faults);
  add(hazards, outcome.hazards);
  const complaints = toComplaints(outcome);
  if (complaints.length > 0) console.log(`\n${complaints.join('\n')}\n${JSON.stringify(each)}`);
}

console.log('\nFaults injected:');
for (const [name, count] of [...faults].sort()) console.log(`  ${name}: ${count}`);
console.log('Hazards met:');
for (const [name, count] of hazards) console.log(`  ${name}: ${count}`);
console.log(
  `${sum.sequences} sequences, ${sum.intents} intents sent, ${sum.lost} texts lost, ${sum.doubled} doubled, ` +
    `${sum.untrue} untrue screens, ${sum.open} things left open, ${sum.unhandled} unhandled rejections.`,
);
const neverMet = values.only === undefined ? [...hazards].filter(([, count]) => count === 0) : [];
for (const [name] of neverMet) console.log(`Never met: ${name}.`);
const isGood = sum.lost + sum.doubled + sum.untrue + sum.open + sum.unhandled + neverMet.length === 0;
process.exitCode = isGood ? 0 : 1;
