/** What a page under a policy does: asks for a few byte jobs, and tells the test how it went. */

import { SpawnedWorker } from '../../../src/worker/spawn.js';

interface Outcome {
  readonly decoded: readonly number[];
  readonly digest: string;
  readonly fallbacks: number;
  readonly errors: readonly string[];
}

const errors: string[] = [];
addEventListener('error', (event) => errors.push(event.message));
addEventListener('unhandledrejection', (event) => errors.push(String(event.reason)));

let fallbacks = 0;
const worker = new SpawnedWorker({
  schedule: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
  onFallback: () => {
    fallbacks += 1;
  },
});

const decoded = [...new Uint8Array(await worker.decodeBase64('QUJD'))];
const digest = await worker.digest(new Blob(['abc']));
worker.close();

const outcome: Outcome = { decoded, digest, fallbacks, errors };
parent.postMessage(outcome, location.origin);
