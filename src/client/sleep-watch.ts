/**
 * Notices that the machine has slept. No event tells a page of that, and its timers go on where they were when it fell
 * asleep; only the clock on the wall has gone on meanwhile. A clock that somebody has set looks the same, and does no harm.
 */

import type { Cancel, Environment } from './environment.js';

const tickMs = 5_000;
/** A busy machine is late as well. */
const lateMs = 5_000;

/** Calls `onWake` soon after each sleep. */
export function watchSleep(environment: Pick<Environment, 'now' | 'schedule'>, onWake: () => void): Cancel {
  let cancel: Cancel;
  const wait = () => {
    const since = environment.now();
    cancel = environment.schedule(tickMs, () => {
      const isLate = environment.now() - since > tickMs + lateMs;
      wait();
      if (isLate) onWake();
    });
  };
  wait();
  return () => cancel();
}
