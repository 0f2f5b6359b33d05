/** The public entry of the byte jobs. Nothing inside the package imports it. */

export { InThreadWorker } from './in-thread.js';
export { SpawnedWorker, type SpawnOptions } from './spawn.js';
export type { JobBytes, JobOptions, WorkerApi } from './worker-api.js';
