/** A set of callbacks. One that is removed while others are called is not called any more. */

import type { Cancel } from './environment.js';

export class Listeners<Args extends readonly unknown[]> {
  readonly #listeners = new Set<(...args: Args) => void>();

  /** The same function may be added twice; each addition ends by itself. */
  add(listener: (...args: Args) => void): Cancel {
    const own = (...args: Args) => listener(...args);
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  }

  call(...args: Args): void {
    for (const listener of [...this.#listeners]) if (this.#listeners.has(listener)) listener(...args);
  }
}
