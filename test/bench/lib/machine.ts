/** What else the machine does: benches wait a little for quiet, and say how much of it they got. */

import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/** Enough of the machine is ours. */
const QUIET = 0.85;
const SAMPLE_MS = 500;

function readTimes(): { readonly idle: number; readonly all: number } {
  let idle = 0;
  let all = 0;
  for (const { times } of cpus()) {
    idle += times.idle;
    all += times.user + times.nice + times.sys + times.idle + times.irq;
  }
  return { idle, all };
}

/** Waits at most `limitMs` until the machine is quiet. Returns the idle share last seen, 0 – 1. */
export async function waitForQuiet(limitMs: number): Promise<number> {
  const end = performance.now() + limitMs;
  for (;;) {
    const before = readTimes();
    await delay(SAMPLE_MS);
    const after = readTimes();
    const idle = (after.idle - before.idle) / Math.max(1, after.all - before.all);
    if (idle >= QUIET || performance.now() >= end) return idle;
  }
}

export function describeMachine(): Readonly<Record<string, unknown>> {
  return {
    cpu: cpus()[0]?.model,
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    load: loadavg().map((value) => Math.round(value * 100) / 100),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
  };
}
