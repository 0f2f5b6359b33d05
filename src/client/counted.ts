/**
 * Things that several users share and that end some time after the last one has left: a move within the document releases
 * and takes them again in one task, and must not end them in between.
 */

import type { Cancel, Environment } from './environment.js';

interface Entry<T> {
  readonly value: T;
  users: number;
  cancelEnd: Cancel | undefined;
}

export interface Lease<T> {
  readonly value: T;
  /** Ends this use; calling it again does nothing. */
  release(): void;
}

export class Counted<T> {
  readonly #environment: Pick<Environment, 'schedule'>;
  readonly #end: (value: T, key: string) => void;
  readonly #entries = new Map<string, Entry<T>>();

  /** `end` is called in a later task when nobody uses a value any more. */
  constructor(environment: Pick<Environment, 'schedule'>, end: (value: T, key: string) => void) {
    this.#environment = environment;
    this.#end = end;
  }

  /** The value of `key`, made by `create` where there is none. */
  acquire(key: string, create: () => T): Lease<T> {
    const entry = this.#entries.get(key) ?? this.#create(key, create);
    entry.users++;
    entry.cancelEnd?.();
    entry.cancelEnd = undefined;
    let isHeld = true;
    return {
      value: entry.value,
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#release(key, entry);
      },
    };
  }

  get(key: string): T | undefined {
    return this.#entries.get(key)?.value;
  }

  values(): readonly T[] {
    return [...this.#entries.values()].map(({ value }) => value);
  }

  /** Ends everything at once, whoever still uses it. */
  endAll(): void {
    for (const [key, { value, cancelEnd }] of [...this.#entries]) {
      cancelEnd?.();
      this.#entries.delete(key);
      this.#end(value, key);
    }
  }

  #create(key: string, create: () => T): Entry<T> {
    const entry: Entry<T> = { value: create(), users: 0, cancelEnd: undefined };
    this.#entries.set(key, entry);
    return entry;
  }

  #release(key: string, entry: Entry<T>): void {
    entry.users--;
    // Ended by `endAll` before, or still in use.
    if (entry.users > 0 || this.#entries.get(key) !== entry) return;
    entry.cancelEnd = this.#environment.schedule(0, () => {
      this.#entries.delete(key);
      this.#end(entry.value, key);
    });
  }
}
