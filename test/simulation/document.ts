/** A document that may freeze, lose its locks and wake, besides being left and killed. */

import { DocumentEnvironment } from '../helpers/browser.js';

export class SimDocument extends DocumentEnvironment {
  /** What waits for the document to wake. */
  #held: (() => void)[] | undefined;

  get isFrozen(): boolean {
    return this.#held !== undefined;
  }

  override schedule(delayMs: number, run: () => void): () => void {
    let isCancelled = false;
    const cancel = super.schedule(delayMs, () => this.run(() => isCancelled || run()));
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  /** Runs an event of this document now, or when it wakes; never when it is dead. */
  run(work: () => void): void {
    if (this.isDead) return;
    if (this.#held) this.#held.push(work);
    else work();
  }

  freeze(): void {
    this.#held ??= [];
  }

  wake(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const work of held) this.run(work);
  }
}
