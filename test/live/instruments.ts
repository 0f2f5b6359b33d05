/**
 * What is laid under a document before anything runs in it: the clock of its run, the storage of its tab, and an eye on
 * database, locks, listeners, workers and errors. All of them stay the browser's own; they are counted, and fail where a
 * run says so.
 */

import type { LivePage } from './page.js';

export type FrameWindow = Window & typeof globalThis;

/** What a document has open. */
export class Holdings {
  readonly databases = new Set<IDBDatabase>();
  /** Locks held or asked for. */
  locks = 0;
  workers = 0;
  /** Listeners on window and document, by type. */
  readonly listeners = new Map<string, number>();

  get openDatabases(): number {
    return [...this.databases].filter(isOpen).length;
  }
}

function isOpen(database: IDBDatabase): boolean {
  try {
    database.transaction([...database.objectStoreNames].slice(0, 1), 'readonly').abort();
    return true;
  } catch {
    // Closed, or without stores because it was given up before it was ours.
    return false;
  }
}

export function instrument(window: FrameWindow, page: LivePage): void {
  layTime(window, page);
  layTab(window, page);
  layLifecycle(window, page);
  watchErrors(window, page);
  watchFrames(window, page);
  watchDatabases(window, page);
  watchLocks(window, page);
  watchListeners(window, page);
  watchWorkers(window, page);
}

function layTime(window: FrameWindow, page: LivePage): void {
  const { clock, environment } = page.world;
  window.Date.now = () => clock.now();
  window.performance.now = () => clock.monotonic();
  const timers = new Map<number, () => void>();
  let made = 0;
  const setTimer = (run: (...args: unknown[]) => void, delayMs = 0, ...args: unknown[]): number => {
    const id = (made += 1);
    const fire = () => {
      // Cancelled while the document was frozen.
      if (timers.delete(id)) attempt(window, () => run(...args));
    };
    timers.set(
      id,
      environment.schedule(delayMs, () => page.run(fire)),
    );
    return id;
  };
  const clearTimer = (id: number | undefined): void => {
    timers.get(id ?? 0)?.();
    timers.delete(id ?? 0);
  };
  page.countTimers = () => timers.size;
  Object.assign(window, { setTimeout: setTimer, clearTimeout: clearTimer });
}

/** What fails in a document is that document's error. */
function attempt(window: FrameWindow, run: () => void): void {
  try {
    run();
  } catch (error) {
    window.reportError(error);
  }
}

function layTab(window: FrameWindow, { session, world }: LivePage): void {
  Object.defineProperty(window, 'sessionStorage', { value: session });
  if (!world.hasLocks) Object.defineProperty(window.navigator, 'locks', { value: undefined });
}

/** A document that was killed hears nothing of its end; what a person cannot do to a frame is played. */
function layLifecycle(window: FrameWindow, page: LivePage): void {
  const { document, navigator } = window;
  const silence = (event: Event) => {
    if (page.isKilled) event.stopImmediatePropagation();
  };
  for (const type of ['pagehide', 'beforeunload', 'unload']) window.addEventListener(type, silence, true);
  for (const type of ['visibilitychange', 'freeze']) document.addEventListener(type, silence, true);
  Object.defineProperty(navigator, 'onLine', { get: () => page.isOnline() });
  Object.defineProperty(document, 'visibilityState', { get: () => (page.isHidden ? 'hidden' : 'visible') });
  Object.defineProperty(document, 'hidden', { get: () => page.isHidden });
}

function watchErrors(window: FrameWindow, page: LivePage): void {
  window.addEventListener('error', ({ message, error }) => page.noteError(`error: ${toText(error ?? message)}`));
  window.addEventListener('unhandledrejection', ({ reason }) =>
    page.noteError(`unhandled rejection: ${toText(reason)}`),
  );
}

/** Errors of another realm are no `Error` here. */
function toText(error: unknown): string {
  const { name, message, stack } = Object(error) as Partial<Error>;
  return message === undefined ? JSON.stringify(error) : `${name}: ${message} ${stack}`;
}

function watchFrames(window: FrameWindow, page: LivePage): void {
  const ends = new Map<number, () => void>();
  const { requestAnimationFrame, cancelAnimationFrame } = window;
  window.requestAnimationFrame = (run) => {
    const end = page.begin();
    const handle = requestAnimationFrame.call(window, (time) => {
      ends.delete(handle);
      run(time);
      // What a frame sets off, its paint among it, belongs to it.
      requestAnimationFrame.call(window, end);
    });
    ends.set(handle, end);
    return handle;
  };
  window.cancelAnimationFrame = (handle) => {
    ends.get(handle)?.();
    cancelAnimationFrame.call(window, handle);
  };
}

const personal: ReadonlySet<string> = new Set(['outbox', 'drafts']);

function watchDatabases(window: FrameWindow, page: LivePage): void {
  const { IDBDatabase, IDBFactory, IDBObjectStore, DOMException } = window;
  const { world, holdings } = page;
  /** By transaction, the words that it writes. */
  const words = new WeakMap<IDBTransaction, string[]>();

  const open = IDBFactory.prototype.open;
  IDBFactory.prototype.open = function (this: IDBFactory, ...args: Parameters<typeof open>) {
    const request = open.apply(this, args);
    const end = page.begin();
    request.addEventListener('success', () => {
      end();
      holdings.databases.add(request.result);
    });
    request.addEventListener('error', end);
    return request;
  };

  const begin = IDBDatabase.prototype.transaction;
  IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...args: Parameters<typeof begin>) {
    const transaction = begin.apply(this, args);
    const end = page.begin();
    const written: string[] = [];
    words.set(transaction, written);
    transaction.addEventListener('complete', () => {
      end();
      world.ledger.noteKept(written.join());
    });
    transaction.addEventListener('abort', end);
    return transaction;
  };

  const put = IDBObjectStore.prototype.put;
  IDBObjectStore.prototype.put = function (this: IDBObjectStore, ...args: Parameters<typeof put>) {
    if (world.isDiskFull) throw new DOMException('The run has filled the disk.', 'QuotaExceededError');
    if (personal.has(this.name)) words.get(this.transaction)?.push(JSON.stringify(args[0]));
    return put.apply(this, args);
  };
}

/** A lock that somebody else has is waited for longer, in ms, and nothing is under way then. */
const LOCK_MS = 400;

function watchLocks({ navigator }: FrameWindow, page: LivePage): void {
  const { locks } = navigator as { locks?: LockManager };
  if (!locks) return;
  const { holdings } = page;
  const request = locks.request.bind(locks) as (
    name: string,
    options: LockOptions,
    run: LockGrantedCallback<unknown>,
  ) => Promise<unknown>;
  const watched = (name: string, options: LockOptions, run: LockGrantedCallback<unknown>) => {
    const end = page.begin(LOCK_MS);
    holdings.locks += 1;
    return request(name, options, (lock) => {
      end();
      return run(lock);
    }).finally(() => {
      end();
      holdings.locks -= 1;
    });
  };
  Object.defineProperty(locks, 'request', { value: watched });
}

function watchListeners(window: FrameWindow, page: LivePage): void {
  const { EventTarget, document } = window;
  const { listeners } = page.holdings;
  const known = new Map<string, Set<unknown>>();
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  const isWatched = (target: EventTarget) => target === window || target === document;
  const remove = (type: string, listener: unknown) => {
    if (known.get(type)?.delete(listener)) listeners.set(type, known.get(type)!.size);
  };
  EventTarget.prototype.addEventListener = function (this: EventTarget | undefined, type, listener, options) {
    const target = this ?? window;
    if (isWatched(target) && listener) {
      const all = known.get(type) ?? new Set();
      known.set(type, all.add(listener));
      listeners.set(type, all.size);
      const { signal } = typeof options === 'object' ? options : {};
      if (signal) addEventListener.call(signal, 'abort', () => remove(type, listener));
    }
    addEventListener.call(target, type, listener, options);
  };
  EventTarget.prototype.removeEventListener = function (this: EventTarget | undefined, type, listener, options) {
    const target = this ?? window;
    if (isWatched(target)) remove(type, listener);
    removeEventListener.call(target, type, listener, options);
  };
}

function watchWorkers(window: FrameWindow, { holdings }: LivePage): void {
  const { Worker } = window;
  window.Worker = class extends Worker {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args);
      holdings.workers += 1;
    }

    override terminate(): void {
      super.terminate();
      holdings.workers -= 1;
    }
  };
}
