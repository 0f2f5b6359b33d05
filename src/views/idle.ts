/** Work that can wait until the page has nothing better to do. */

/** The longest wait, in ms; also the wait where the engine cannot tell when it is idle (WebKit). */
const LONGEST_MS = 1_000;
const BLIND_MS = 200;

/** Calls `run` once in idle time. Returns the end of it. */
export function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(run, { timeout: LONGEST_MS });
    return () => cancelIdleCallback(handle);
  }
  const handle = setTimeout(run, BLIND_MS);
  return () => clearTimeout(handle);
}
