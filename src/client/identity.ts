/**
 * Who this document is for a host: one `clientId` per tab, kept over reloads and never shared by two live documents. The
 * tab's storage holds the id, a Web Lock of its name says that it is in use. A duplicated tab copies the storage but finds
 * the lock taken. Where there are no locks, a mark in the storage stands in for it. Source: architecture, mirror.
 */

import type { ClientIdentity } from './ahp-client.js';
import type { Cancel, Environment } from './environment.js';
import { isRecord } from '../protocol/record.js';

/** A page that is just being left lets its lock go within this time. */
const handoverMs = 200;

/** The lock that says a client is alive. Who holds another client's may take over what that one left behind. */
export const toClientLock = (clientId: string) => `ahp-chat:client:${clientId}`;

interface Stored {
  readonly clientId: string;
  readonly nextClientSeq: number;
  /** In use, as far as the tab's storage knows: a duplicated tab starts with a copy that says so. */
  readonly isOpen: boolean;
}

export class Identity implements ClientIdentity {
  readonly #environment: Environment;
  readonly #key: string;
  #clientId = '';
  #next = 1;
  #isFresh = true;
  #unlock: Cancel | undefined;
  #isOpen = false;
  /** Said to be in use, and not taken yet. */
  #isComing = false;

  /** `key` names the host and account within the tab. */
  constructor(environment: Environment, key: string) {
    this.#environment = environment;
    this.#key = `ahp-chat:client:${key}`;
  }

  /** Empty before `acquire`. */
  get clientId(): string {
    return this.#clientId;
  }

  /** Whether the id was made by the last `acquire`: a host cannot know it, and nothing on disk is its own. */
  get isFresh(): boolean {
    return this.#isFresh;
  }

  /** Whether `clientId` is this document's to use now. */
  holds(clientId: string): boolean {
    return this.#isOpen && this.#clientId === clientId;
  }

  /** Takes the id this tab had, or a fresh one if somebody else has that by now. Also for coming back after `release`. */
  async acquire(): Promise<void> {
    const stored = this.#read();
    const known = this.#clientId || stored?.clientId;
    if (stored && stored.clientId === known) this.raise(stored.nextClientSeq);
    const isMarked = stored?.isOpen === true && !this.#isComing;
    this.#isComing = false;
    const unlock = known ? await this.#lock(known, isMarked) : undefined;
    if (known && unlock) {
      this.#isFresh = false;
      this.#clientId = known;
      this.#unlock = unlock;
    } else {
      this.#isFresh = true;
      this.#clientId = this.#environment.createId();
      this.#next = 1;
      this.#unlock = await this.#lock(this.#clientId, false);
    }
    this.#isOpen = true;
    this.#write();
  }

  /** The page is back, and takes the id in a moment; a copy of the tab made until then must find it in use. Synchronous. */
  comeBack(): void {
    const stored = this.#read();
    if (!stored || stored.isOpen || stored.clientId !== this.#clientId) return;
    this.raise(stored.nextClientSeq);
    this.#isComing = true;
    this.#write();
  }

  /** Lets the id go; synchronous, for `pagehide`. */
  release(): void {
    if (!this.#isOpen && !this.#isComing) return;
    this.#isOpen = this.#isComing = false;
    this.#write();
    this.#unlock?.();
    this.#unlock = undefined;
  }

  nextClientSeq(): number {
    const seq = this.#next++;
    this.#write();
    return seq;
  }

  /** Numbers below `next` were used. */
  raise(next: number): void {
    if (next > this.#next) this.#next = next;
  }

  /** Takes `count` numbers at once and gives the first. */
  reserve(count: number): number {
    const first = this.#next;
    this.#next += count;
    this.#write();
    return first;
  }

  /** `undefined` where somebody else has it. */
  async #lock(clientId: string, isMarked: boolean): Promise<Cancel | undefined> {
    const { locks } = this.#environment;
    const byMark = () => (isMarked ? undefined : () => undefined);
    if (!locks) return byMark();
    const timeout = new AbortController();
    const cancelTimeout = this.#environment.schedule(handoverMs, () => timeout.abort());
    const name = toClientLock(clientId);
    try {
      return await locks.acquire(name, timeout.signal);
    } catch {
      // In a busy page the timer may come before the news of a lock that is free. Without it, it is taken, or this is a
      // document that may not have locks at all, such as a sandboxed one: there the mark decides.
      if (!timeout.signal.aborted) return byMark();
      // For Chromium the request that was given up has the lock for a moment more, where it had been granted by then.
      return (await locks.tryAcquire(name)) ?? locks.tryAcquire(name);
    } finally {
      cancelTimeout();
    }
  }

  #read(): Stored | undefined {
    try {
      const value: unknown = JSON.parse(this.#environment.session.get(this.#key) ?? 'null');
      if (!isRecord(value) || typeof value.clientId !== 'string' || value.clientId === '') return undefined;
      const next = value.nextClientSeq;
      return {
        clientId: value.clientId,
        nextClientSeq: typeof next === 'number' && Number.isSafeInteger(next) ? next : 1,
        isOpen: value.isOpen === true,
      };
    } catch {
      // Not ours: a fresh id overwrites it.
      return undefined;
    }
  }

  #write(): void {
    const isOpen = this.#isOpen || this.#isComing;
    const stored: Stored = { clientId: this.#clientId, nextClientSeq: this.#next, isOpen };
    this.#environment.session.set(this.#key, JSON.stringify(stored));
  }
}
