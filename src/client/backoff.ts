/** How long to wait before the next attempt to connect. Source: AHP, reconnect procedure. */

const firstDelayMs = 250;
const longestDelayMs = 30_000;
const jitter = 0.25;

/** Milliseconds before attempt number `attempt` (1 is the first after a loss); `random` is from 0 to below 1. */
export function toBackoffMs(attempt: number, random: number): number {
  // The exponent is bounded, so that a night of attempts does not overflow.
  const delayMs = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(attempt - 1, 20));
  return Math.round(delayMs * (1 - jitter + 2 * jitter * random));
}
