/** The worker's own module: the jobs, reached through comlink. Needs neither `eval` nor further scripts. */

import { expose, transfer } from 'comlink';
import { InThreadWorker, WORKER_SLICE } from './in-thread.js';
import type { WorkerEndpoint } from './worker-api.js';

const jobs = new InThreadWorker(WORKER_SLICE);

const handOver = (buffer: ArrayBuffer): ArrayBuffer => transfer(buffer, [buffer]);

const endpoint: WorkerEndpoint = {
  ping: async () => true,
  decodeBase64: async (text, options) => handOver(await jobs.decodeBase64(text, options)),
  encodeBase64: async (bytes, options) => handOver(await jobs.encodeBase64(bytes, options)),
  digest: (bytes, options) => jobs.digest(bytes, options),
  cancel: (id) => jobs.cancel(id),
};

expose(endpoint);
