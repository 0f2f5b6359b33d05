/**
 * The only place that asks for time, ids, chance, timers, locks and the state of page and network. Everything above takes
 * an `Environment`, so that tests and the simulation own all of it. Works on plain http, where `crypto.randomUUID` and
 * Web Locks are missing.
 */

/** Ends what a call began; calling it again does nothing. */
export type Cancel = () => void;

/** Exclusive named locks shared by the documents of one origin. */
export interface LockService {
  /** Resolves with the release if nobody holds `name` now, else with `undefined`. */
  tryAcquire(name: string): Promise<Cancel | undefined>;
  /** Waits for its turn. Rejects with the signal's reason when aborted. */
  acquire(name: string, signal: AbortSignal): Promise<Cancel>;
}

/** Moments at which the page or the network changes its state. */
export type LifecycleEvent =
  | 'online'
  | 'offline'
  | 'visible'
  | 'hidden'
  /** The page is left or frozen: locks and sockets go, no transaction is begun. */
  | 'pagehide'
  /** The page is back from the back/forward cache. */
  | 'pageshow';

/** A string store that outlives the document in its tab (`session`) or origin (`local`). Writes never throw. */
export interface KeyValueStore {
  get(key: string): string | undefined;
  /** Whether the value was kept. */
  set(key: string, value: string): boolean;
  delete(key: string): void;
  keys(): readonly string[];
}

export interface Environment {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds by a clock that never jumps. */
  monotonic(): number;
  /** 128 random bits as 32 hexadecimal digits. */
  createId(): string;
  /** From 0 to below 1; for jitter only. */
  random(): number;
  /** Calls `run` once after `delayMs`. */
  schedule(delayMs: number, run: () => void): Cancel;
  /** Absent where the platform has none. */
  readonly locks?: LockService;
  readonly session: KeyValueStore;
  readonly local: KeyValueStore;
  isOnline(): boolean;
  isVisible(): boolean;
  onLifecycle(listener: (event: LifecycleEvent) => void): Cancel;
}
