/** The newest envelopes of a host, kept for clients that come back. Source: AHP, reconnect. */

import type { ActionEnvelope, StateAction } from '../protocol/actions.js';

export interface RingEntry {
  readonly envelope: ActionEnvelope<StateAction>;
  /** The one client it is for: a refusal goes to its sender, a page of old turns to who asked. Absent: everybody. */
  readonly only?: string;
}

/** A bounded run of envelopes, the oldest overwritten first. */
export class EnvelopeRing {
  readonly #capacity: number;
  readonly #entries: RingEntry[] = [];
  #first = 0;
  /** Everything up to here is gone. */
  #lostUpTo: number;

  constructor(capacity: number, serverSeq: number) {
    this.#capacity = Math.max(1, capacity);
    this.#lostUpTo = serverSeq;
  }

  push(entry: RingEntry): void {
    if (this.#entries.length < this.#capacity) {
      this.#entries.push(entry);
      return;
    }
    const lost = this.#entries[this.#first];
    if (lost) this.#lostUpTo = lost.envelope.serverSeq;
    this.#entries[this.#first] = entry;
    this.#first = (this.#first + 1) % this.#capacity;
  }

  /** Whether nothing after `serverSeq` has been lost. */
  covers(serverSeq: number): boolean {
    return serverSeq >= this.#lostUpTo;
  }

  /** What came after `serverSeq`, oldest first. */
  *after(serverSeq: number): Generator<RingEntry> {
    for (let index = 0; index < this.#entries.length; index++) {
      const entry = this.#entries[(this.#first + index) % this.#entries.length];
      if (entry && entry.envelope.serverSeq > serverSeq) yield entry;
    }
  }
}
