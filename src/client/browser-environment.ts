/**
 * The real `Environment`: a page's, a worker's or Node's. What the platform lacks is absent or does nothing, so that the
 * client runs on plain http, in private mode and without a document. The only file besides `environment.ts` that may ask
 * the platform for time, ids and chance.
 */

import type { Cancel, Environment, KeyValueStore, LifecycleEvent, LockService } from './environment.js';

/** The part of `Storage` used here; the type itself does not exist outside documents. */
interface StorageLike {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** What a page has and a worker or Node may lack. */
interface PageGlobals {
  readonly document?: EventTarget & { readonly visibilityState: 'visible' | 'hidden' };
  readonly sessionStorage?: StorageLike;
  readonly localStorage?: StorageLike;
  readonly navigator?: { readonly onLine?: boolean; readonly locks?: LockManager };
  addEventListener?: EventTarget['addEventListener'];
}

// The platform's global object, of which this file knows nothing for certain.
const page = globalThis as unknown as PageGlobals;

/** Runs `end` the first time only. */
function once(end: () => void): Cancel {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    end();
  };
}

/** 128 random bits as 32 hexadecimal digits; `getRandomValues` also exists where `randomUUID` does not. */
function createId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function schedule(delayMs: number, run: () => void): Cancel {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
}

/** Wraps `find()`, which may throw where storage is forbidden, as may every call on what it returns. */
export function createKeyValueStore(find: () => StorageLike | undefined): KeyValueStore {
  const attempt = <T>(work: (storage: StorageLike) => T, otherwise: T): T => {
    try {
      const storage = find();
      return storage ? work(storage) : otherwise;
    } catch {
      // Storage is blocked or full. Callers are told by the result and live without it.
      return otherwise;
    }
  };
  return {
    get: (key) => attempt((storage) => storage.getItem(key) ?? undefined, undefined),
    set: (key, value) =>
      attempt((storage) => {
        storage.setItem(key, value);
        return true;
      }, false),
    delete: (key) => attempt((storage) => storage.removeItem(key), undefined),
    keys: () =>
      attempt<readonly string[]>(
        (storage) =>
          Array.from({ length: storage.length }, (_, index) => storage.key(index)).filter((key) => key !== null),
        [],
      ),
  };
}

/** Holds a Web Lock until the returned function is called. */
function createLockService(manager: LockManager): LockService {
  const request = (name: string, options: LockOptions) =>
    new Promise<Cancel | undefined>((resolve, reject) => {
      manager
        .request(name, options, (lock) => {
          if (!lock) return resolve(undefined);
          return new Promise<void>((release) => resolve(once(release)));
        })
        .catch(reject);
    });
  return {
    tryAcquire: (name) => request(name, { ifAvailable: true }),
    acquire: async (name, signal) => {
      const release = await request(name, { signal });
      // Only `ifAvailable` is answered without a lock.
      return release ?? (() => undefined);
    },
  };
}

/**
 * Tells `listener` about page and network. A page that is frozen counts as left. Between `pagehide` and `pageshow`
 * nothing else is told: browsers report `hidden` on either side of `pagehide`, and nothing may be begun after it.
 */
function onLifecycle(listener: (event: LifecycleEvent) => void): Cancel {
  const ended = new AbortController();
  let isAway = false;
  const listen = (target: Pick<EventTarget, 'addEventListener'> | undefined, type: string, run: () => void) =>
    target?.addEventListener(type, run, { signal: ended.signal });
  const tell = (event: LifecycleEvent) => {
    if (!isAway) listener(event);
  };
  const leave = () => {
    tell('pagehide');
    isAway = true;
  };
  const comeBack = () => {
    if (!isAway) return;
    isAway = false;
    tell('pageshow');
  };
  const scope = page.addEventListener ? (globalThis as unknown as EventTarget) : undefined;
  const { document } = page;
  listen(scope, 'online', () => tell('online'));
  listen(scope, 'offline', () => tell('offline'));
  listen(scope, 'pagehide', leave);
  listen(scope, 'pageshow', comeBack);
  listen(document, 'freeze', leave);
  listen(document, 'resume', comeBack);
  listen(document, 'visibilitychange', () => tell(document?.visibilityState === 'hidden' ? 'hidden' : 'visible'));
  return () => ended.abort();
}

/** Creates the environment of the page, worker or process this runs in. Touches nothing until it is used. */
export function createBrowserEnvironment(): Environment {
  const manager = page.navigator?.locks;
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    createId,
    random: () => Math.random(),
    schedule,
    ...(manager ? { locks: createLockService(manager) } : {}),
    session: createKeyValueStore(() => page.sessionStorage),
    local: createKeyValueStore(() => page.localStorage),
    isOnline: () => page.navigator?.onLine !== false,
    isVisible: () => page.document?.visibilityState !== 'hidden',
    onLifecycle,
  };
}
