/**
 * The one connection that the mirrors of a database share, and every rule of what happens when it fails. It knows
 * nothing of chats: it is handed jobs, carries them out in the order they came, on disk while it can and in memory from
 * the moment it cannot.
 *
 * A lost connection is opened once more, and what was under way is done again. A full disk is answered by an eviction and
 * one more attempt. A job that fails by itself is rejected, and everything else goes on. A page that is frozen begins
 * nothing and leaves open nothing that can be ended.
 */

import { AhpError } from '../protocol/errors.js';
import { evictOldChats } from './eviction.js';
import type { MemoryMirror } from './memory-mirror.js';
import type { NotKeptReason } from './mirror.js';
import { deleteDatabase, openDatabase, type Opening, type Schedule } from './open-database.js';
import { MIRROR_STORES, toDurability, type MirrorStore, type UpgradeStep } from './schema.js';
import { begin, isLostConnection, isQuotaError, type Connection, type DiskJob, type Running } from './write.js';

/** How long after a loss the connection is opened again. */
export const REOPEN_MS = 250;
/** After so many evictions that did not help, what the host can give again is no longer written. */
export const MAX_STRIKES = 3;

export interface Job<T> {
  /** Asked again for each attempt. Only chooses; what may throw belongs into the job's `run`. */
  readonly onDisk: () => DiskJob<T>;
  readonly inMemory: (memory: MemoryMirror) => Promise<T>;
  /** It writes without looking, so it is not to be done again after a later write to its stores. */
  readonly isBlind?: boolean;
  /** It builds on what holds only while the page is here, so it is not to be done after the page was left. */
  readonly endsWithPage?: boolean;
  /** The chat that makes room last. */
  readonly channel?: string;
  /** Whether the next attempt does something else because of this error. */
  readonly canAnswer?: (error: unknown) => boolean;
}

interface Task {
  /** Grows in the order of the calls; an eviction has 0 and goes before all. */
  readonly order: number;
  readonly job: Job<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  attempts: number;
  losses: number;
  hasMadeRoom: boolean;
}

interface Execution {
  readonly task: Task;
  readonly job: DiskJob<unknown>;
  readonly running: Running<unknown>;
  /** Its task has its answer, or is in the queue again. */
  isSettled: boolean;
}

export interface DatabaseOptions {
  readonly name: string;
  /** `undefined` where there is no IndexedDB. */
  readonly factory: IDBFactory | undefined;
  readonly schedule: Schedule;
  readonly steps: readonly UpgradeStep[];
  readonly memory: MemoryMirror;
  /** What was known of the disk does not hold any more. */
  readonly onReset: () => void;
}

export class MirrorDatabase {
  readonly #options: DatabaseOptions;
  readonly #listeners = new Set<() => void>();
  /** In the order of the calls. */
  readonly #queue: Task[] = [];
  readonly #executions = new Set<Execution>();
  /** By store, the last task that wrote to it. */
  readonly #lastWrite = new Map<MirrorStore, number>();
  #failed: { readonly strict?: NotKeptReason | undefined; readonly relaxed?: NotKeptReason | undefined } = {};
  #waiting: (() => void)[] = [];
  #connection: Connection | undefined;
  #opening: Opening | undefined;
  #cancelReopen: (() => void) | undefined;
  /** Why the disk is given up; everything is done in memory then. */
  #givenUp: NotKeptReason | undefined;
  #notKept: NotKeptReason | undefined;
  #isSuspended = false;
  #isMakingRoom = false;
  #clearing: Promise<void> | undefined;
  /** Tasks of a higher order wait for the clearing. */
  #clearAfter = Infinity;
  #closing: Promise<void> | undefined;
  #begunAt: number | undefined;
  #reopens = 0;
  #strikes = 0;
  #order = 0;

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.#open();
  }

  /** See {@link Mirror.notKept}. */
  get notKept(): NotKeptReason | undefined {
    return this.#notKept;
  }

  get isSuspended(): boolean {
    return this.#isSuspended;
  }

  onNotKept(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Rejects with `AhpError`: `storage` if the job failed by itself, `misuse` after `close`. */
  run<T>(job: Job<T>): Promise<T> {
    if (this.#closing) return Promise.reject(this.#toClosed());
    if (this.#isSuspended && job.endsWithPage) return Promise.reject(toLeft());
    return new Promise<T>((resolve, reject) => {
      this.#order += 1;
      // What a job gives is what its caller gets; the queue between them does not know the type.
      this.#start(toTask(this.#order, job, resolve as (value: unknown) => void, reject));
    });
  }

  /** Deletes the database and begins a new one. Rejects, with nothing kept, if another page holds on to it. */
  clear(): Promise<void> {
    if (this.#closing) return Promise.reject(this.#toClosed());
    if (this.#clearing) return this.#clearing;
    this.#clearAfter = this.#order;
    this.#clearing = this.#clear().finally(() => {
      this.#clearing = undefined;
      this.#clearAfter = Infinity;
      this.#open();
      this.#drain();
    });
    return this.#clearing;
  }

  /** Waits for what was asked for, then lets go of the database. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Tells when the database that was read just now was begun. If it is another one than before, that was deleted. */
  noteBegun(begunAt: number): void {
    this.#begunAt ??= begunAt;
    if (begunAt !== this.#begunAt && !this.#givenUp) this.#giveUp('cleared');
  }

  suspend(): void {
    if (this.#isSuspended) return;
    this.#isSuspended = true;
    this.#cancelReopen?.();
    this.#cancelReopen = undefined;
    this.#opening?.abandon();
    this.#opening = undefined;
    for (const execution of [...this.#executions]) {
      if (!execution.running.abort()) continue;
      // WebKit does not say any more that it is over once its connection is closed.
      this.#executions.delete(execution);
      if (!execution.isSettled) this.#enqueue(execution.task);
      execution.isSettled = true;
    }
    for (const task of this.#queue.splice(0)) {
      if (task.job.endsWithPage) task.reject(toLeft());
      else this.#queue.push(task);
    }
    this.#dropConnection();
  }

  resume(): void {
    if (!this.#isSuspended) return;
    this.#isSuspended = false;
    this.#open();
    this.#checkQuiet();
  }

  /* -------------------------------------------------------------- connection */

  #open(): void {
    const { factory, steps } = this.#options;
    if (this.#isSuspended || this.#givenUp || this.#opening || this.#connection) return;
    if (this.#closing && this.#queue.length === 0) return;
    if (!factory) {
      this.#giveUp('no-storage');
      return;
    }
    const opening = openDatabase({ ...this.#options, factory }, steps);
    this.#opening = opening;
    void opening.result.then((result) => {
      if (this.#opening !== opening) {
        // The page was frozen in between.
        if ('connection' in result) result.connection.close();
        return;
      }
      this.#opening = undefined;
      if ('connection' in result) this.#use(result.connection);
      else if (result.failure.canRetry) this.#reopen(result.failure.reason);
      else this.#giveUp(result.failure.reason);
    });
  }

  #use(connection: Connection): void {
    this.#connection = connection;
    connection.addEventListener('close', () => this.#lose(connection));
    connection.addEventListener('versionchange', ({ newVersion }) => {
      // Another page is not kept waiting, and what it deletes is never written again.
      if (this.#connection === connection) this.#giveUp(newVersion === null ? 'cleared' : 'newer-version');
    });
    this.#drain();
  }

  #lose(connection: Connection): void {
    if (this.#connection !== connection) return;
    this.#dropConnection();
    this.#reopen('storage-failed');
  }

  #reopen(reason: NotKeptReason): void {
    if (this.#reopens > 0) {
      this.#giveUp(reason);
      return;
    }
    this.#reopens += 1;
    this.#cancelReopen = this.#options.schedule(REOPEN_MS, () => {
      this.#cancelReopen = undefined;
      this.#open();
    });
    this.#checkQuiet();
  }

  #giveUp(reason: NotKeptReason): void {
    this.#givenUp = reason;
    this.#dropConnection();
    this.#tell();
    this.#drain();
  }

  /** Transactions that were committed still end. */
  #dropConnection(): void {
    this.#connection?.close();
    this.#connection = undefined;
    this.#options.onReset();
  }

  /* -------------------------------------------------------------- tasks */

  #start(task: Task): void {
    const isHeld = task.order > this.#clearAfter || (this.#isMakingRoom && task.order > 0);
    if (!isHeld && this.#givenUp) task.job.inMemory(this.#options.memory).then(task.resolve, task.reject);
    else if (!isHeld && this.#connection) this.#execute(task, this.#connection);
    else this.#enqueue(task);
  }

  #enqueue(task: Task): void {
    const index = this.#queue.findIndex((other) => other.order > task.order);
    this.#queue.splice(index < 0 ? this.#queue.length : index, 0, task);
  }

  #drain(): void {
    for (const task of this.#queue.splice(0)) this.#start(task);
    this.#checkQuiet();
  }

  #execute(task: Task, connection: Connection): void {
    const job = task.job.onDisk();
    if (isRelaxedWrite(job) && this.#strikes >= MAX_STRIKES) {
      this.#refuse(task, job, 'quota', new AhpError('storage', 'The disk is full; nothing more is tried.'));
      return;
    }
    if (task.job.isBlind && task.attempts > 0 && this.#wasOvertaken(task, job)) {
      this.#refuse(task, job, 'storage-failed', new AhpError('storage', 'A later write has come through before it.'));
      return;
    }
    task.attempts += 1;
    let running: Running<unknown>;
    try {
      running = begin(connection, job);
    } catch (error) {
      this.#fail(task, job, connection, error);
      return;
    }
    const execution: Execution = { task, job, running, isSettled: false };
    this.#executions.add(execution);
    const settle = (then: () => void): void => {
      if (execution.isSettled) return;
      execution.isSettled = true;
      then();
    };
    running.result.then(
      (value) => settle(() => this.#succeed(task, job, value)),
      (error: unknown) => settle(() => this.#fail(task, job, connection, error)),
    );
    void running.over.then(() => {
      this.#executions.delete(execution);
      this.#checkQuiet();
    });
  }

  #wasOvertaken(task: Task, job: DiskJob<unknown>): boolean {
    const isUnderWay = (store: MirrorStore): boolean =>
      [...this.#executions].some(
        (other) => other.task.order > task.order && other.job.mode === 'readwrite' && other.job.stores.includes(store),
      );
    return job.stores.some((store) => (this.#lastWrite.get(store) ?? 0) > task.order || isUnderWay(store));
  }

  #succeed(task: Task, job: DiskJob<unknown>, value: unknown): void {
    this.#reopens = 0;
    if (job.mode === 'readwrite' && task.order > 0) {
      for (const store of job.stores) {
        this.#lastWrite.set(store, Math.max(task.order, this.#lastWrite.get(store) ?? 0));
      }
      // What had found no room finds some again, so there may be some for the rest as well.
      if (task.hasMadeRoom || this.#failed[toDurability(job.stores)]) this.#strikes = 0;
      this.#note(job, undefined);
    }
    task.resolve(value);
  }

  #fail(task: Task, job: DiskJob<unknown>, connection: Connection, error: unknown): void {
    if (task.job.canAnswer?.(error)) {
      this.#start(task);
    } else if (isQuotaError(error)) {
      this.#makeRoom(task, job, error);
    } else if (isLostConnection(error) && !(task.losses > 0 && this.#reopens === 0)) {
      task.losses += 1;
      this.#lose(connection);
      this.#start(task);
    } else {
      // Also a job that loses the connection again and again where others do not.
      this.#refuse(task, job, 'storage-failed', error);
    }
  }

  #refuse(task: Task, job: DiskJob<unknown>, reason: NotKeptReason, cause: unknown): void {
    const stores = job.stores.join(', ');
    const what = job.mode === 'readwrite' ? `Writing to ${stores}` : `Reading ${stores}`;
    const why = cause instanceof Error ? `${cause.name}, ${cause.message}` : String(cause);
    if (job.mode === 'readwrite' && task.order > 0) this.#note(job, reason);
    task.reject(
      new AhpError('storage', `${what} of the mirror failed: ${why} Nothing of it was kept; the chat goes on.`, {
        cause,
      }),
    );
  }

  /* -------------------------------------------------------------- a full disk */

  #makeRoom(task: Task, job: DiskJob<unknown>, error: unknown): void {
    if (task.order === 0 || task.hasMadeRoom || this.#strikes >= MAX_STRIKES) {
      if (task.hasMadeRoom) this.#strikes += 1;
      this.#refuse(task, job, 'quota', error);
      return;
    }
    task.hasMadeRoom = true;
    this.#enqueue(task);
    if (this.#isMakingRoom) return;
    this.#isMakingRoom = true;
    const end = (): void => {
      this.#isMakingRoom = false;
      this.#options.onReset();
      this.#drain();
    };
    const eviction: Job<unknown> = { onDisk: () => evictOldChats(task.job.channel), inMemory: () => Promise.resolve() };
    // Whether it helped shows in the attempt that follows.
    this.#start(toTask(0, eviction, end, end));
  }

  #note(job: DiskJob<unknown>, reason: NotKeptReason | undefined): void {
    this.#failed = { ...this.#failed, [toDurability(job.stores)]: reason };
    this.#tell();
  }

  #tell(): void {
    const notKept = this.#givenUp ?? this.#failed.strict ?? this.#failed.relaxed;
    if (notKept === this.#notKept) return;
    this.#notKept = notKept;
    for (const listener of [...this.#listeners]) listener();
  }

  /* -------------------------------------------------------------- ends */

  async #clear(): Promise<void> {
    const { factory, memory } = this.#options;
    await this.#quiet();
    const connection = this.#connection;
    // First what needs nobody's consent; deleting tells other pages to stop.
    if (connection) await wipe(connection);
    this.#dropConnection();
    await memory.clear();
    if (!factory) return;
    const failure = await deleteDatabase({ ...this.#options, factory });
    if (failure) {
      this.#giveUp(failure.reason);
      const { name } = this.#options;
      throw new AhpError('storage', `The database "${name}" could not be deleted: ${failure.reason}.`, failure);
    }
    this.#givenUp = undefined;
    this.#begunAt = undefined;
    this.#failed = {};
    this.#strikes = 0;
    this.#reopens = 0;
    this.#tell();
  }

  async #close(): Promise<void> {
    if (this.#isSuspended) {
      const error = new AhpError('storage', 'The mirror was closed while its page was frozen. Nothing was kept.');
      for (const task of this.#queue.splice(0)) task.reject(error);
    }
    // Whoever asked for it hears how it went.
    await this.#clearing?.catch(() => {});
    await this.#quiet();
    this.#cancelReopen?.();
    this.#dropConnection();
  }

  #toClosed(): AhpError {
    return new AhpError('misuse', `The mirror "${this.#options.name}" is closed. Nothing was read or written.`);
  }

  /** Resolves once nothing is under way and nothing waits, but for a clearing. */
  #quiet(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#checkQuiet();
    });
  }

  #checkQuiet(): void {
    const isQuiet =
      this.#executions.size === 0 && !this.#opening && this.#queue.every(({ order }) => order > this.#clearAfter);
    if (!isQuiet) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

const toTask = (
  order: number,
  job: Job<unknown>,
  resolve: (value: unknown) => void,
  reject: (error: unknown) => void,
): Task => ({ order, job, resolve, reject, attempts: 0, losses: 0, hasMadeRoom: false });

const toLeft = (): AhpError => new AhpError('storage', 'The page was left before this was done. Nothing was changed.');

const isRelaxedWrite = (job: DiskJob<unknown>): boolean =>
  job.mode === 'readwrite' && toDurability(job.stores) === 'relaxed';

async function wipe(connection: Connection): Promise<void> {
  try {
    await begin(connection, {
      stores: MIRROR_STORES,
      mode: 'readwrite',
      commitsAtOnce: true,
      run: (transaction) => MIRROR_STORES.forEach((store) => transaction.clear(store)),
    }).result;
  } catch {
    // Deleting the database follows, and says whether it could be done.
  }
}
