/**
 * `npm run bench [-- names…] [--rounds=N]`: measures the named benches, or all, one after the other. Prints a table of
 * medians and ratios for each and writes everything measured to `out/bench/<name>.json`. Exits 1 if a bench breaks or
 * runs into its limit; a target that is missed is printed as such and breaks nothing.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Bench, DEFAULT_LIMIT_MS, DEFAULT_ROUNDS } from './bench.js';
import { type Measurement, describeTarget, isMet, summarize, toTable } from './lib/figures.js';
import { describeMachine } from './lib/machine.js';
import type { Message } from './lib/measure.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = path.join(here, '../..');
const outFolder = path.join(root, 'out/bench');

/** What a process told to end may take before it is killed. */
const GRACE_MS = 5_000;

interface Run {
  readonly measurements: readonly Measurement[];
  readonly failures: readonly string[];
  readonly browser?: string;
}

/** Benches are the modules beside this one; pages and helpers stand in folders of their own or end in `.page.ts`. */
function findBenches(): string[] {
  return readdirSync(here)
    .filter((file) => /^[\w-]+\.ts$/.test(file) && file !== 'run.ts' && file !== 'bench.ts')
    .map((file) => file.replace(/\.ts$/, ''))
    .sort();
}

async function runBench(name: string, bench: Bench, rounds: number): Promise<Run> {
  const measurements: Measurement[] = [];
  const failures: string[] = [];
  let browser: string | undefined;
  const total = rounds * bench.cases.length;

  const child = spawn(
    process.execPath,
    ['--expose-gc', '--import', 'tsx', path.join(here, 'lib/measure.ts'), name, String(rounds)],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env: { ...process.env, NODE_ENV: 'production' } },
  );
  child.on('message', (message: Message) => {
    if (message.type === 'browser') browser = message.version;
    else if (message.type === 'failed') failures.push(`${message.name}, round ${message.round}: ${message.error}`);
    else measurements.push(message);
    showProgress(name, measurements.length + failures.length, total);
  });
  const end = await waitForEnd(child, bench.limitMs ?? DEFAULT_LIMIT_MS);
  showProgress(name, undefined, total);
  if (end) failures.push(end);
  return { measurements, failures, ...(browser !== undefined && { browser }) };
}

/** Resolves to what went wrong, if anything did. */
async function waitForEnd(child: ChildProcess, limitMs: number): Promise<string | undefined> {
  let problem: string | undefined;
  const stop = (reason: string) => {
    problem = reason;
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
  };
  const onInterrupt = () => stop('interrupted');
  const timer = setTimeout(() => stop(`stopped at its limit of ${limitMs / 1000} s`), limitMs);
  process.on('SIGINT', onInterrupt);
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  clearTimeout(timer);
  process.off('SIGINT', onInterrupt);
  return problem ?? (code === 0 ? undefined : `the process that measures ended with ${code}`);
}

function showProgress(name: string, done: number | undefined, total: number): void {
  if (!process.stderr.isTTY) return;
  process.stderr.write(done === undefined ? '\r\x1b[K' : `\r${name}: ${done} of ${total}`);
}

/** Prints and stores; returns whether the bench could be measured. */
function report(name: string, bench: Bench, rounds: number, run: Run, started: object): boolean {
  const result = summarize(run.measurements);
  const targets = bench.targets?.(result) ?? [];
  const idle = run.measurements.map((it) => it.idle);
  const share = (value: number) => `${Math.round(value * 100)} %`;

  console.log(`\n${name}: ${bench.title}\n\n${toTable(bench, result)}\n`);
  for (const target of targets) console.log(describeTarget(target));
  if (idle.length > 0) {
    console.log(
      `Rounds: ${rounds}; ${share(Math.min(...idle))} – ${share(Math.max(...idle))} of the machine was idle.`,
    );
  }
  for (const failure of run.failures) console.error(`✖ ${failure.split('\n').slice(0, 3).join('\n')}`);

  mkdirSync(outFolder, { recursive: true });
  const stored = {
    title: bench.title,
    date: new Date().toISOString(),
    machine: started,
    loadAtEnd: describeMachine().load,
    browser: run.browser,
    rounds,
    cases: bench.cases.map((caseName) => ({
      name: caseName,
      medians: Object.fromEntries(
        [...new Set(run.measurements.flatMap(({ figures }) => Object.keys(figures)))].map((figure) => [
          figure,
          result.median(caseName, figure),
        ]),
      ),
      ratio: result.ratio(bench.ratio.figure, caseName, bench.ratio.to),
    })),
    ratio: bench.ratio,
    targets: targets.map((target) => ({ ...target, isMet: isMet(target) })),
    measurements: run.measurements,
    failures: run.failures,
  };
  writeFileSync(path.join(outFolder, `${name}.json`), `${JSON.stringify(stored, undefined, 2)}\n`);
  return run.failures.length === 0;
}

const args = process.argv.slice(2);
const roundsOption = args.find((arg) => arg.startsWith('--rounds='))?.slice('--rounds='.length);
const known = findBenches();
const names = args.filter((arg) => !arg.startsWith('--'));
const unknown = names.find((name) => !known.includes(name));
if (unknown) {
  console.error(`There is no bench "${unknown}"; there are: ${known.join(', ') || 'none yet'}.`);
  process.exit(1);
}

// A run that measured nothing is not a good one.
let isGood = known.length > 0;
if (!isGood) console.error('There is no bench yet.');
for (const name of names.length > 0 ? names : known) {
  const { default: bench } = (await import(`./${name}.js`)) as { default: Bench };
  const rounds = Number(roundsOption ?? bench.rounds ?? DEFAULT_ROUNDS);
  const started = describeMachine();
  const run = await runBench(name, bench, rounds);
  isGood = report(name, bench, rounds, run, started) && isGood;
}
process.exitCode = isGood ? 0 : 1;
