/** Waiting for something to become true, with an end. */

import { AhpError } from '../protocol/errors.js';
import type { Cancel, Environment } from './environment.js';

export interface WaitOptions {
  /** Calls the listener whenever it is worth looking again. */
  subscribe(listener: () => void): Cancel;
  readonly signal: AbortSignal;
  readonly environment?: Pick<Environment, 'schedule'>;
  /** Together with `environment`: gives up after so many milliseconds. */
  readonly timeoutMs?: number;
  /** For the message of the timeout: what did not come. */
  readonly subject?: string;
}

/**
 * Resolves with what `find` finds, now or later. Rejects with what `find` throws, with the signal's reason, or with an
 * `AhpError` of code `timeout`.
 */
export function waitFor<T>(find: () => T | undefined, options: WaitOptions): Promise<T> {
  const { subscribe, signal, environment, timeoutMs, subject = 'answer' } = options;
  return new Promise((resolve, reject) => {
    const ends: Cancel[] = [];
    const end = (finish: () => void) => {
      for (const cancel of ends.splice(0)) cancel();
      finish();
    };
    const look = () => {
      try {
        const found = find();
        if (found !== undefined) end(() => resolve(found));
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        end(() => reject(error));
      }
    };
    const onAbort = () => end(() => reject(signal.reason as Error));
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort);
    ends.push(() => signal.removeEventListener('abort', onAbort), subscribe(look));
    if (environment && timeoutMs !== undefined) {
      const onTimeout = () =>
        end(() => reject(new AhpError('timeout', `The host gave no ${subject} within ${timeoutMs} ms.`)));
      ends.push(environment.schedule(timeoutMs, onTimeout));
    }
    look();
  });
}

/** What `promise` resolves with, or `undefined` after `timeoutMs`. Rejects as the promise does, before that. */
export function within<T>(
  promise: Promise<T>,
  environment: Pick<Environment, 'schedule'>,
  timeoutMs: number,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = environment.schedule(timeoutMs, () => resolve(undefined));
    promise.then(resolve, reject).finally(cancel);
  });
}
