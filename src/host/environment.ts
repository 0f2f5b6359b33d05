/**
 * Everything a host takes from the outside: time, ids and timers. The host has no clock of its own, so a test owns all of
 * it, and the same core runs in Node, a worker and a page. The client's `Environment` is one, too.
 */

import type { Timestamp } from '../protocol/state.js';

export interface HostEnvironment {
  /** Milliseconds since the epoch. */
  now(): number;
  /** An identifier nobody can guess: 128 random bits. */
  createId(): string;
  /** Calls `run` once after `delayMs`. Returns what prevents it; calling that again does nothing. */
  schedule(delayMs: number, run: () => void): () => void;
}

/** AHP's form of a moment. */
export const toTimestamp = (milliseconds: number): Timestamp => new Date(milliseconds).toISOString();
