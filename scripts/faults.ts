/**
 * `npm run faults`: random sequences of what persons do, against random faults, in one process and on one clock; with
 * `--browser`, with the real element in the installed Chromium. Prints what was run and what went wrong; exits with 1 if
 * anything was lost, doubled, untrue or left open. A run that fails is printed as JSON, and `--only FILE` repeats it.
 *
 *     npm run faults -- --runs 100000 --seed 1
 *     npm run faults -- --browser --only run.json
 *     npm run faults -- --hostile    only what hostile text can do, in real Chromium
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type fc from 'fast-check';
import { liveRun } from '../test/live/steps.js';
import { simulate, toComplaints } from '../test/simulation/simulate.js';
import { run, sample } from '../test/simulation/steps.js';
import { runInBrowser } from './faults-in-browser.js';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    browser: { type: 'boolean', default: false },
    hostile: { type: 'boolean', default: false },
  },
});
if (values.hostile) {
  const { toFigures, tryHostile } = await import('../test/security/try-hostile.js');
  const { lines, isGood } = toFigures(await tryHostile(7));
  console.log(lines.join('\n'));
  process.exit(isGood ? 0 : 1);
}
const runs = Number(values.runs);
const seed = Number(values.seed);

const chooseRuns = <T>(arbitrary: fc.Arbitrary<T>): Iterable<T> =>
  values.only === undefined ? sample(arbitrary, { runs, seed }) : [JSON.parse(readFileSync(values.only, 'utf8')) as T];

const faults = new Map<string, number>();
const hazards = new Map<string, number>();
const sum = { sequences: 0, intents: 0, lost: 0, doubled: 0, untrue: 0, open: 0, errors: 0 };
let longestMs = 0;
let terminalInputs = 0;

const add = (into: Map<string, number>, counts: Iterable<readonly [string, number]>) => {
  for (const [name, count] of counts) into.set(name, (into.get(name) ?? 0) + count);
};

type Counted = Record<'lost' | 'doubled' | 'untrue' | 'open', readonly string[]> & {
  readonly intents: number;
  readonly truthMs?: number | undefined;
};

function note(outcome: Counted, complaints: readonly string[], each: unknown): void {
  sum.sequences++;
  sum.intents += outcome.intents;
  longestMs = Math.max(longestMs, outcome.truthMs ?? 0);
  for (const kind of ['lost', 'doubled', 'untrue', 'open'] as const) sum[kind] += outcome[kind].length;
  if (complaints.length > 0) console.log(`\n${complaints.join('\n')}\n${JSON.stringify(each)}`);
}

process.on('unhandledRejection', (error) => {
  sum.errors++;
  console.error('Unhandled rejection:', error);
});

if (values.browser) {
  await runInBrowser(chooseRuns(liveRun), ({ outcome, complaints }, each) => {
    note(outcome, complaints, each);
    sum.errors += outcome.errors.length;
    add(faults, Object.entries(outcome.faults));
    if (sum.sequences % 100 === 0) console.log(`${sum.sequences} sequences`);
  });
} else {
  for (const each of chooseRuns(run)) {
    const outcome = await simulate(each);
    note(outcome, toComplaints(outcome), each);
    add(faults, outcome.faults);
    add(hazards, outcome.hazards);
    terminalInputs += outcome.terminalInputs;
  }
}

console.log('\nFaults injected:');
for (const [name, count] of [...faults].sort()) console.log(`  ${name}: ${count}`);
if (!values.browser) {
  console.log('Hazards met:');
  for (const [name, count] of hazards) console.log(`  ${name}: ${count}`);
  console.log(
    `  terminal/input is never optimistic: nothing to meet, this client sends none (sent: ${terminalInputs})`,
  );
}
console.log(`Longest time to a truthful screen after the network was back: ${(longestMs / 1000).toFixed(1)} s.`);
console.log(
  `${sum.sequences} sequences, ${sum.intents} intents sent, ${sum.lost} texts lost, ${sum.doubled} doubled, ` +
    `${sum.untrue} untrue screens, ${sum.open} things left open, ${sum.errors} unhandled rejections and errors.`,
);
const neverMet = values.only === undefined ? [...hazards].filter(([, count]) => count === 0) : [];
for (const [name] of neverMet) console.log(`Never met: ${name}.`);
const isGood = sum.lost + sum.doubled + sum.untrue + sum.open + sum.errors + terminalInputs + neverMet.length === 0;
process.exitCode = isGood ? 0 : 1;
