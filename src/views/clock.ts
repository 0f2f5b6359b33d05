/** What a view needs of time. The client's environment is one; a test brings its own. */

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds by a clock that never jumps. */
  monotonic(): number;
  /** Calls `run` once after `delayMs`. Returns the end of it. */
  schedule(delayMs: number, run: () => void): () => void;
}
