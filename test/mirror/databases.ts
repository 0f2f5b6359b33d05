/** Databases for the tests of the stored mirror: real IndexedDB, a name for each test, and time that is pushed. */

import { openMirror } from '../../src/mirror/open-mirror.js';
import type { Mirror } from '../../src/mirror/mirror.js';
import type { UpgradeStep } from '../../src/mirror/schema.js';

let count = 0;

/** A host key no other test has, in this page or an earlier one. */
export const newHostKey = (): string => `test-${performance.timeOrigin}-${(count += 1)}`;

export const databaseName = (hostKey: string): string => `ahp-chat:${hostKey}`;

/** Timers that fire when they are told to. */
export class ManualTimers {
  readonly #timers = new Set<{ delayMs: number; run: () => void }>();
  #onSchedule = (): void => {};

  readonly schedule = (delayMs: number, run: () => void): (() => void) => {
    const timer = { delayMs, run };
    this.#timers.add(timer);
    this.#onSchedule();
    return () => this.#timers.delete(timer);
  };

  get delays(): number[] {
    return [...this.#timers].map(({ delayMs }) => delayMs).sort((a, b) => a - b);
  }

  /** Fires the timer of exactly `delayMs`, as soon as there is one. */
  async fire(delayMs: number): Promise<void> {
    const find = () => [...this.#timers].find((timer) => timer.delayMs === delayMs);
    while (!find()) {
      await new Promise<void>((resolve) => {
        this.#onSchedule = resolve;
      });
    }
    const timer = find()!;
    this.#timers.delete(timer);
    timer.run();
  }
}

export interface Opened {
  readonly mirror: Mirror;
  readonly timers: ManualTimers;
}

export function open(hostKey: string, parts: { factory?: IDBFactory; steps?: readonly UpgradeStep[] } = {}): Opened {
  const timers = new ManualTimers();
  return { mirror: openMirror(hostKey, { schedule: timers.schedule, ...parts }), timers };
}

export function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', (event) => {
      event.preventDefault();
      reject(request.error ?? new Error('no reason given'));
    });
  });
}

/** A connection past the mirror, as another page would have it. */
export const openRaw = (hostKey: string, version?: number): Promise<IDBDatabase> =>
  settled(indexedDB.open(databaseName(hostKey), version));

export async function readAll<T = unknown>(hostKey: string, store: string): Promise<T[]> {
  const database = await openRaw(hostKey);
  try {
    return (await settled(database.transaction(store).objectStore(store).getAll())) as T[];
  } finally {
    database.close();
  }
}

/** Resolves when the database is gone; `isBlocked` tells whether somebody was still holding it. */
export function deleteRaw(hostKey: string): Promise<{ isBlocked: boolean }> {
  return new Promise((resolve, reject) => {
    let isBlocked = false;
    const request = indexedDB.deleteDatabase(databaseName(hostKey));
    request.onblocked = () => {
      isBlocked = true;
    };
    request.onsuccess = () => resolve({ isBlocked });
    request.onerror = () => reject(request.error ?? new Error('no reason given'));
  });
}
