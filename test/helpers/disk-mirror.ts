/**
 * A memory mirror that plays a disk: it says that it keeps what it is given, outlives the documents of a test, and can be
 * made slow or broken.
 */

import { MemoryMirror } from '../../src/mirror/memory-mirror.js';
import type { Mirror, NotKeptReason, OutboxEntry, PutOutboxOptions, StoredDraft } from '../../src/mirror/mirror.js';
import { AhpError } from '../../src/protocol/errors.js';
import type { URI } from '../../src/protocol/state.js';

export class DiskMirror extends MemoryMirror implements Mirror {
  override notKept: NotKeptReason | undefined = undefined;
  /** Every write fails. */
  isBroken = false;
  /** Writes are neither carried out nor answered, as of a page that goes while it writes. */
  isLost = false;
  readonly #listeners = new Set<() => void>();
  #held: (() => void)[] | undefined;

  override onNotKept(listener?: () => void): () => void {
    if (listener) this.#listeners.add(listener);
    return () => {
      if (listener) this.#listeners.delete(listener);
    };
  }

  setNotKept(reason: NotKeptReason | undefined): void {
    this.notKept = reason;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Writes take effect in order, but their answers wait for `release`. */
  hold(): void {
    this.#held ??= [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const answer of held) answer();
  }

  override putOutbox(entries: readonly OutboxEntry[], options: PutOutboxOptions): Promise<void> {
    return this.#answer(() => super.putOutbox(entries, options));
  }

  override updateOutbox(entries: readonly OutboxEntry[]): Promise<void> {
    return this.#answer(() => super.updateOutbox(entries));
  }

  override putDraft(channel: URI, clientId: string, draft: StoredDraft): Promise<void> {
    return this.#answer(() => super.putDraft(channel, clientId, draft));
  }

  #answer(write: () => Promise<void>): Promise<void> {
    if (this.isBroken) return Promise.reject(new AhpError('storage', 'The disk is broken.'));
    if (this.isLost) return new Promise(() => undefined);
    const done = write();
    const held = this.#held;
    return held ? new Promise((resolve) => held.push(() => resolve(done))) : done;
  }
}
