/**
 * The process that measures one bench: `measure.ts <name> <rounds>`. It sends each measurement to its parent as soon as
 * it has it, so that a bench killed at its limit loses nothing.
 */

import { type Bench, type BenchTools, DEFAULT_LIMIT_MS } from '../bench.js';
import { createPages } from './bench-page.js';
import { waitForQuiet } from './machine.js';

export type Message =
  | {
      readonly type: 'measured';
      readonly name: string;
      readonly round: number;
      readonly figures: Readonly<Record<string, number>>;
      readonly idle: number;
    }
  | { readonly type: 'failed'; readonly name: string; readonly round: number; readonly error: string }
  | { readonly type: 'browser'; readonly version: string };

const [name = '', roundsText = ''] = process.argv.slice(2);
const rounds = Number(roundsText);
const { default: bench } = (await import(`../${name}.js`)) as { default: Bench };
const pages = createPages();

/** How long all waiting for a quiet machine may take, and one wait of it; most of the bench's time is for measuring. */
const quiet = {
  totalMs: Number(process.env.BENCH_QUIET_MS ?? Math.min(60_000, (bench.limitMs ?? DEFAULT_LIMIT_MS) / 4)),
  onceMs: 5_000,
};

try {
  await bench.prepare?.(toolsFor(0));
  for (let round = 0; round < rounds; round++) {
    for (const contestant of rotate(bench.cases, round)) await measureOnce(contestant, round);
  }
} finally {
  await pages.close();
}
if (pages.browserVersion) await tell({ type: 'browser', version: pages.browserVersion });
process.disconnect();

async function measureOnce(contestant: string, round: number): Promise<void> {
  const start = performance.now();
  const idle = await waitForQuiet(Math.min(quiet.onceMs, quiet.totalMs));
  quiet.totalMs = Math.max(0, quiet.totalMs - (performance.now() - start));
  const opened: { close(): Promise<void> }[] = [];
  try {
    const figures = await bench.measure(contestant, toolsFor(round, opened));
    await tell({ type: 'measured', name: contestant, round, figures, idle });
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    await tell({ type: 'failed', name: contestant, round, error: text });
  } finally {
    // A page left open would go on spending what the next case is measured by.
    for (const page of opened) await page.close().catch(() => undefined);
  }
}

function toolsFor(round: number, opened: { close(): Promise<void> }[] = []): BenchTools {
  return {
    round,
    async open(entry, options) {
      const page = await pages.open(entry, options);
      opened.push(page);
      return page;
    },
    cpuMs(work) {
      const before = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    },
    collectGarbage() {
      if (!globalThis.gc) throw new Error('The bench process needs --expose-gc.');
      globalThis.gc();
    },
  };
}

function rotate(cases: readonly string[], by: number): readonly string[] {
  const start = by % cases.length;
  return [...cases.slice(start), ...cases.slice(0, start)];
}

function tell(message: Message): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(message, undefined, undefined, (error) => (error ? reject(error) : resolve()));
  });
}
