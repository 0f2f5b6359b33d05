/**
 * One worker, started when the first job comes and ended when none has come for a while. Where no worker may start, for
 * example under a strict policy of the page, the same jobs run on this thread. Nothing here throws for want of a worker.
 */

import { wrap, type Remote } from 'comlink';
import { InThreadWorker } from './in-thread.js';
import type { JobBytes, JobOptions, WorkerApi, WorkerEndpoint } from './worker-api.js';
import { createWorker } from './worker-factory.js';

/** How long a worker has to answer for the first time. */
export const HANDSHAKE_MS = 3000;
/** How long it is kept without a job. */
export const IDLE_MS = 30_000;

export interface SpawnOptions {
  /** Calls `run` once after `delayMs`; the result ends the wait. */
  readonly schedule: (delayMs: number, run: () => void) => () => void;
  /** Starts the worker the page hosts itself; tried before the built-in one. */
  readonly factory?: (() => Worker) | undefined;
  /** Told once, when no worker starts. Everything still works. */
  readonly onFallback?: (reason: unknown) => void;
}

/** A worker that has answered. */
interface Running {
  readonly worker: Worker;
  readonly api: Remote<WorkerEndpoint>;
  /** Rejects when the worker breaks or is ended. */
  readonly gone: Promise<never>;
  end(): void;
}

/** A job is handed the API that is to do it; it may be asked twice. */
type Job<T> = (api: WorkerApi) => Promise<T>;

export class SpawnedWorker implements WorkerApi {
  readonly #options: SpawnOptions;
  readonly #inThread = new InThreadWorker();
  /** Ids of jobs under way, and whether they were cancelled. */
  readonly #jobs = new Map<string, { isCancelled: boolean }>();
  #starting: Promise<Running | undefined> | undefined;
  #running: Running | undefined;
  #mustStayInThread = false;
  #isClosed = false;
  #busy = 0;
  #cancelIdle: (() => void) | undefined;

  constructor(options: SpawnOptions) {
    this.#options = options;
  }

  decodeBase64(text: string, options?: JobOptions): Promise<ArrayBuffer> {
    return this.#run(options, (api) => api.decodeBase64(text, options));
  }

  encodeBase64(bytes: JobBytes, options?: JobOptions): Promise<ArrayBuffer> {
    return this.#run(options, (api) => api.encodeBase64(bytes, options));
  }

  digest(bytes: JobBytes, options?: JobOptions): Promise<string> {
    return this.#run(options, (api) => api.digest(bytes, options));
  }

  async cancel(id: string): Promise<void> {
    const job = this.#jobs.get(id);
    if (!job) return;
    job.isCancelled = true;
    await this.#inThread.cancel(id);
    // The answer does not matter, and does not come from a worker that is just ending.
    this.#running?.api.cancel(id).catch(() => {});
  }

  /** Ends the worker; jobs under way reject. */
  close(): void {
    this.#isClosed = true;
    this.#endWorker();
  }

  async #run<T>(options: JobOptions | undefined, job: Job<T>): Promise<T> {
    const state = { isCancelled: false };
    if (options?.id !== undefined) this.#jobs.set(options.id, state);
    const check = (): void => {
      if (state.isCancelled || this.#isClosed) throw new DOMException('The job was cancelled.', 'AbortError');
    };
    this.#busy += 1;
    this.#cancelIdle?.();
    try {
      const running = await this.#get();
      check();
      if (!running) return await job(this.#inThread);
      const done = job(running.api);
      return await Promise.race([done, running.gone]).catch((error: unknown) => {
        if (!(error instanceof WorkerGone)) throw error;
        // Whatever the worker still says of it, nobody is waiting for that.
        done.catch(() => {});
        check();
        return job(this.#inThread);
      });
    } finally {
      if (options?.id !== undefined) this.#jobs.delete(options.id);
      this.#busy -= 1;
      if (this.#busy === 0 && this.#running) {
        this.#cancelIdle = this.#options.schedule(IDLE_MS, () => this.#endWorker());
      }
    }
  }

  #get(): Promise<Running | undefined> {
    if (this.#mustStayInThread || this.#isClosed) return Promise.resolve(undefined);
    this.#starting ??= this.#start();
    return this.#starting;
  }

  async #start(): Promise<Running | undefined> {
    const { factory, onFallback } = this.#options;
    let reason: unknown;
    for (const create of factory ? [factory, createWorker] : [createWorker]) {
      try {
        const running = await shakeHands(create, (delayMs, run) => this.#options.schedule(delayMs, run));
        if (this.#isClosed) running.end();
        running.gone.catch(() => this.#forget(running));
        this.#running = running;
        return running;
      } catch (error) {
        reason = error;
      }
    }
    this.#mustStayInThread = true;
    onFallback?.(reason);
    return undefined;
  }

  #forget(running: Running): void {
    if (this.#running !== running) return;
    this.#running = undefined;
    this.#starting = undefined;
  }

  #endWorker(): void {
    this.#cancelIdle?.();
    this.#running?.end();
  }
}

class WorkerGone extends Error {}

/** Starts a worker and waits for its first word. Rejects with what went wrong; nothing is left of the worker then. */
async function shakeHands(create: () => Worker, schedule: SpawnOptions['schedule']): Promise<Running> {
  const worker = create();
  let lose = (_reason: unknown): void => {};
  const gone = new Promise<never>((_, reject) => {
    lose = (reason) => {
      worker.terminate();
      reject(new WorkerGone('The worker is gone.', { cause: reason }));
    };
  });
  worker.addEventListener('error', (event) => {
    // It is dealt with; the page's own error handlers have nothing to do with it.
    event.preventDefault();
    lose(event);
  });
  worker.addEventListener('messageerror', lose);
  const cancel = schedule(HANDSHAKE_MS, () => lose(`No answer within ${HANDSHAKE_MS} ms.`));
  const api = wrap<WorkerEndpoint>(worker);
  try {
    await Promise.race([api.ping(), gone]);
  } finally {
    cancel();
  }
  return { worker, api, gone, end: () => lose('It was not needed any more.') };
}
