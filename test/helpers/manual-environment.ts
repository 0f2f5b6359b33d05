/**
 * Time, ids, chance, locks and storage that a test owns. It is the client's `Environment` and the host's
 * `HostEnvironment` at once, so that both sides of a test live on one clock. Nothing here waits: time is advanced.
 */

import type { Cancel, Environment, KeyValueStore, LifecycleEvent, LockService } from '../../src/client/environment.js';
import type { HostEnvironment } from '../../src/host/environment.js';

export interface ManualEnvironmentOptions {
  /** Milliseconds since the epoch at the start; 2026-01-01 by default. */
  readonly now?: number;
  /** The same seed gives the same ids and the same chance. */
  readonly seed?: number;
  /** Shared by documents of one origin. */
  readonly locks?: ManualLocks | 'none';
  readonly session?: KeyValueStore;
  readonly local?: KeyValueStore;
  /** The clock of another environment: documents of one browser, or a client and its host, live on one. */
  readonly clock?: ManualClock;
}

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** A clock and its timers. */
export class ManualClock {
  #now: number;
  #elapsed = 0;
  #order = 0;
  readonly #timers = new Set<Timer>();

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  schedule(delayMs: number, run: () => void): Cancel {
    const timer: Timer = { at: this.#elapsed + Math.max(0, delayMs), order: this.#order++, run };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** How many timers wait. */
  get pendingTimers(): number {
    return this.#timers.size;
  }

  /** Moves the wall clock alone, as a person or a time server does. */
  jump(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /** Runs every timer that falls due, in order, also those that timers start on the way. Microtasks do not run between. */
  advance(milliseconds: number): void {
    const end = this.#elapsed + milliseconds;
    while (this.runNext(end));
    this.#moveTo(end);
  }

  /** Like `advance`, and lets everything that a timer set off come to rest before the next one runs. */
  async advanceAsync(milliseconds: number): Promise<void> {
    const end = this.#elapsed + milliseconds;
    await settle();
    while (this.runNext(end)) await settle();
    this.#moveTo(end);
  }

  /** Moves to the timer that falls due first, if that is not after `end`, and runs it. Returns whether there was one. */
  runNext(end: number): boolean {
    const timer = this.#next(end);
    if (!timer) return false;
    this.#moveTo(timer.at);
    this.#timers.delete(timer);
    timer.run();
    return true;
  }

  #next(end: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at <= end && (!next || timer.at < next.at || (timer.at === next.at && timer.order < next.order))) {
        next = timer;
      }
    }
    return next;
  }

  #moveTo(elapsed: number): void {
    const step = Math.max(0, elapsed - this.#elapsed);
    this.#elapsed += step;
    this.#now += step;
  }
}

/** Exclusive locks in memory, first come first served. */
export class ManualLocks implements LockService {
  readonly #held = new Set<string>();
  readonly #waiting = new Map<string, (() => void)[]>();

  isHeld(name: string): boolean {
    return this.#held.has(name);
  }

  /** How many names are held. */
  get held(): number {
    return this.#held.size;
  }

  tryAcquire(name: string): Promise<Cancel | undefined> {
    return Promise.resolve(this.#held.has(name) ? undefined : this.#take(name));
  }

  acquire(name: string, signal: AbortSignal): Promise<Cancel> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiting.set(
          name,
          this.#waitingFor(name).filter((entry) => entry !== enter),
        );
        // An abort reason is whatever the caller chose.
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
        reject(signal.reason);
      };
      const enter = () => {
        signal.removeEventListener('abort', abort);
        resolve(this.#take(name));
      };
      if (signal.aborted) {
        abort();
      } else if (this.#held.has(name)) {
        this.#waiting.set(name, [...this.#waitingFor(name), enter]);
        signal.addEventListener('abort', abort);
      } else {
        enter();
      }
    });
  }

  #waitingFor(name: string): (() => void)[] {
    return this.#waiting.get(name) ?? [];
  }

  #take(name: string): Cancel {
    this.#held.add(name);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#held.delete(name);
      const [next, ...others] = this.#waitingFor(name);
      this.#waiting.set(name, others);
      next?.();
    };
  }
}

/** Strings in memory. Its content can be handed to the next document, as a reload does. */
export class ManualStore implements KeyValueStore {
  /** `false` refuses every write, as a full or forbidden store does. */
  isWritable = true;
  readonly #values: Map<string, string>;

  constructor(values: Iterable<readonly [string, string]> = []) {
    this.#values = new Map(values);
  }

  /** What a duplicated tab starts with. */
  copy(): ManualStore {
    return new ManualStore(this.#values);
  }

  get(key: string): string | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: string): boolean {
    if (this.isWritable) this.#values.set(key, value);
    return this.isWritable;
  }

  delete(key: string): void {
    this.#values.delete(key);
  }

  keys(): readonly string[] {
    return [...this.#values.keys()];
  }
}

export class ManualEnvironment implements Environment, HostEnvironment {
  readonly clock: ManualClock;
  readonly locks?: ManualLocks;
  readonly session: KeyValueStore;
  readonly local: KeyValueStore;
  readonly #next: () => number;
  readonly #listeners = new Set<(event: LifecycleEvent) => void>();
  #isOnline = true;
  #isVisible = true;

  constructor(options: ManualEnvironmentOptions = {}) {
    this.clock = options.clock ?? new ManualClock(options.now);
    if (options.locks !== 'none') this.locks = options.locks ?? new ManualLocks();
    this.session = options.session ?? new ManualStore();
    this.local = options.local ?? new ManualStore();
    this.#next = createRandom(options.seed ?? 1);
  }

  now(): number {
    return this.clock.now();
  }

  monotonic(): number {
    return this.clock.monotonic();
  }

  schedule(delayMs: number, run: () => void): Cancel {
    return this.clock.schedule(delayMs, run);
  }

  createId(): string {
    return Array.from({ length: 4 }, () => this.#next().toString(16).padStart(8, '0')).join('');
  }

  random(): number {
    return this.#next() / 2 ** 32;
  }

  isOnline(): boolean {
    return this.#isOnline;
  }

  isVisible(): boolean {
    return this.#isVisible;
  }

  onLifecycle(listener: (event: LifecycleEvent) => void): Cancel {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** How many listen for lifecycle events. */
  get listeners(): number {
    return this.#listeners.size;
  }

  /** Tells all listeners, after `isOnline` and `isVisible` say the same. */
  emit(event: LifecycleEvent): void {
    if (event === 'online' || event === 'offline') this.#isOnline = event === 'online';
    if (event === 'visible' || event === 'hidden') this.#isVisible = event === 'visible';
    for (const listener of [...this.#listeners]) listener(event);
  }

  advance(milliseconds: number): void {
    this.clock.advance(milliseconds);
  }

  advanceAsync(milliseconds: number): Promise<void> {
    return this.clock.advanceAsync(milliseconds);
  }
}

/** Resolves when every microtask that is under way, and all that those set off, has run. */
export function settle(): Promise<void> {
  return new Promise((resolve) => {
    // Where there is one it costs a fraction of a port.
    if (typeof setImmediate === 'function') {
      setImmediate(resolve);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** Unsigned 32-bit numbers that follow from `seed` (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}
