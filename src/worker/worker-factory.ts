/**
 * Starts the worker from its own file, as development servers and tests serve it. The published build takes
 * `worker-factory.inline.ts` instead, since other bundlers do not follow this form.
 */

export const createWorker = (): Worker => new Worker(new URL('./bytes.worker.ts', import.meta.url), { type: 'module' });
