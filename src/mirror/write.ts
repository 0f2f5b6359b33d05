/**
 * One transaction, from its begin to what became of it. All writes go through here.
 *
 * A job that writes without reading makes its requests in one go and is committed in the same task. Measured in all three
 * engines: only such a transaction outlives the page it was begun in (in WebKit if its server has begun with it), and only
 * it leaves the stores open for other pages when WebKit freezes its page. The price: once the commit was asked for, Firefox completes a transaction whose request
 * has failed, without that request, and WebKit aborts it without a reason. So failed requests are watched here, and what
 * must be all or nothing under any fault commits by itself, when its last request is answered. And such a job either puts
 * or deletes, never both: of a page that is gone in the middle, WebKit may carry out the deletions alone.
 *
 * Requests that write go to the bare objects: their failure is the transaction's, and a promise for each would only be
 * one more thing to handle. Reading goes through idb.
 */

import { unwrap, type IDBPDatabase, type IDBPTransaction } from 'idb';
import { toDurability, type MirrorSchema, type MirrorStore } from './schema.js';

export type Connection = IDBPDatabase<MirrorSchema>;
export type Mode = 'readonly' | 'readwrite';

/** What a job does with its transaction. It may be run again after an abort, so it takes nothing from an earlier run. */
export interface DiskJob<T> {
  readonly stores: readonly MirrorStore[];
  readonly mode: Mode;
  /** Committed in the same task; `run` is synchronous then. */
  readonly commitsAtOnce?: boolean;
  /** Synchronous, or waiting for nothing but its own requests. */
  readonly run: (transaction: DiskTransaction) => T | Promise<T>;
}

export interface Running<T> {
  /**
   * Resolves once the transaction is complete, or what was to be read is there. Rejects with what made it fail: what `run`
   * threw, or the error of the transaction, as a `DOMException`.
   */
  readonly result: Promise<T>;
  /** Resolves once the transaction is over, however it went; only then does a closed connection let go. */
  readonly over: Promise<void>;
  /** Whether it could be aborted: not once its commit was asked for. */
  abort(): boolean;
}

export class DiskTransaction {
  /** For reading. */
  readonly read: IDBPTransaction<MirrorSchema, MirrorStore[], Mode>;
  readonly #raw: IDBTransaction;

  constructor(transaction: IDBPTransaction<MirrorSchema, MirrorStore[], Mode>) {
    this.read = transaction;
    this.#raw = unwrap(transaction);
  }

  put<S extends MirrorStore>(store: S, value: MirrorSchema[S]['value']): void {
    this.#raw.objectStore(store).put(value);
  }

  delete<S extends MirrorStore>(store: S, query: MirrorSchema[S]['key'] | IDBKeyRange): void {
    this.#raw.objectStore(store).delete(query);
  }

  clear(store: MirrorStore): void {
    this.#raw.objectStore(store).clear();
  }
}

/** Begins `job` at once. Throws if the connection is closed or lacks a store. */
export function begin<T>(connection: Connection, job: DiskJob<T>): Running<T> {
  const stores = [...job.stores];
  const transaction = connection.transaction(stores, job.mode, { durability: toDurability(stores) });
  // idb makes this promise for every transaction; the events below tell more.
  transaction.done.catch(() => {});
  const raw = unwrap(transaction);

  let firstError: DOMException | null = null;
  raw.addEventListener('error', ({ target }) => {
    // Only requests fire it; it bubbles up from them.
    firstError ??= (target as IDBRequest).error;
  });
  const completed = new Promise<void>((resolve, reject) => {
    raw.addEventListener('complete', () => (firstError ? reject(firstError) : resolve()));
    raw.addEventListener('abort', () => {
      reject(raw.error ?? firstError ?? new DOMException('The transaction was aborted.', 'AbortError'));
    });
  });
  const abort = (): boolean => {
    try {
      raw.abort();
      return true;
    } catch {
      // It is being committed, or is over.
      return false;
    }
  };

  const ran = runJob(job, new DiskTransaction(transaction), raw);
  ran.catch(abort);
  const over = completed.then(
    () => {},
    () => {},
  );
  // What was read is there before the transaction is over. For a write, whichever fails first says more: what `run` threw,
  // or the request that made the transaction fail.
  const result = job.mode === 'readonly' ? ran : Promise.all([ran, completed]).then(([value]) => value);
  return { result, over, abort };
}

async function runJob<T>(job: DiskJob<T>, transaction: DiskTransaction, raw: IDBTransaction): Promise<T> {
  const outcome = job.run(transaction);
  if (job.commitsAtOnce) raw.commit();
  return outcome;
}

/** `DOMException`s are errors with a name of their own. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');

/** The disk is full, or the origin's share of it. */
export const isQuotaError = (error: unknown): boolean => nameOf(error) === 'QuotaExceededError';

/** A unique index refused a value. */
export const isConstraintError = (error: unknown): boolean => nameOf(error) === 'ConstraintError';

const LOST: ReadonlySet<string> = new Set(['InvalidStateError', 'UnknownError', 'AbortError', 'NotFoundError']);

/**
 * The connection is of no use any more: closed, its server gone (WebKit reports that as `UnknownError`), its transaction
 * aborted by the browser, or its stores deleted.
 */
export const isLostConnection = (error: unknown): boolean => LOST.has(nameOf(error));
