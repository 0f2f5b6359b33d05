/**
 * Writes intents ahead of sending them. An action goes out when the disk has it, with the fact that it goes out, or when
 * the disk has not answered in 250 ms: storage never gates sending. What is not kept is told, not hidden. One per chat.
 * Source: architecture, IndexedDB mirror; AHP, exactly-once outbox.
 */

import type { PendingAction } from '../chat/pending-action.js';
import type { Mirror, OutboxEntry, PutOutboxOptions } from '../mirror/mirror.js';
import { AhpError } from '../protocol/errors.js';
import { compose, isRecord } from '../protocol/record.js';
import type { URI } from '../protocol/state.js';
import type { Environment, KeyValueStore } from './environment.js';
import { mayLeave, maxLeftover, toLeftoverKey, type Leftover } from './leftovers.js';

const patienceMs = 250;

export interface OutboxOptions {
  readonly environment: Pick<Environment, 'now' | 'schedule' | 'local' | 'createId'>;
  readonly mirror: Mirror;
  /** Host and account, as in the name of the database. */
  readonly key: string;
  readonly channel: URI;
  /** Something became ready to be sent, or is kept or not kept from now on. */
  onChange(): void;
}

/** What is known of an entry's copy on disk. */
interface Copy {
  /** A write that has to be waited for before the entry may leave. */
  isAwaited: boolean;
  /** How often it went out, as the disk says or will say. */
  sends: number;
  isKept: boolean;
  /** What was never seen to be on disk. */
  unwritten?: OutboxEntry | undefined;
}

export class Outbox {
  readonly #options: OutboxOptions;
  readonly #copies = new Map<number, Copy>();
  #clientId = '';
  /** What was left when the page went, and where; and where intents that nothing was opened for were. */
  #left: { readonly at: string; readonly clientSeqs: readonly number[] } | undefined;
  /** Of that, what somebody else has taken over. */
  #taken: ReadonlySet<number> = new Set();
  #earlyAt: string | undefined;
  /** Kept over departures: whoever was taking them over when the page left once more finds the same ones again. */
  #earlyId: string | undefined;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Whose entries these are from now on; forgets what it knew. `kept` are on disk. */
  open(clientId: string, kept: readonly PendingAction[]): void {
    this.#clientId = clientId;
    this.#copies.clear();
    this.note(kept);
    if (this.#left) this.#options.environment.local.delete(this.#left.at);
    this.#left = undefined;
    this.#taken = new Set();
  }

  /** Numbers of entries that are not ours any more. */
  get taken(): ReadonlySet<number> {
    return this.#taken;
  }

  /** The page is back, and nothing was moved into the mirror since. */
  noteReturn(): void {
    const isTaken = this.#left && this.#options.environment.local.get(this.#left.at) === undefined;
    this.#taken = new Set(isTaken ? this.#left?.clientSeqs : []);
  }

  /**
   * The page is left: what the disk may not have stays in the origin's storage. Synchronous. `early` are intents that
   * nothing was opened for; they are left as those of a client that is gone.
   */
  leave(early: readonly PendingAction[]): void {
    const unwritten = [...this.#copies.values()].flatMap((copy) => copy.unwritten ?? []);
    const at = this.#leave(this.#clientId, unwritten);
    this.#left = at === undefined ? undefined : { at, clientSeqs: unwritten.map(({ clientSeq }) => clientSeq) };
    this.#earlyId ??= this.#options.environment.createId();
    this.#earlyAt = this.#leave(
      this.#earlyId,
      early.map((entry) => this.#toStored(entry)),
    );
  }

  /** The page is back, and `early` with it, unless somebody else has taken over what was left. */
  reclaim<T>(early: readonly T[]): readonly T[] {
    if (this.#earlyAt === undefined) return early;
    const { local } = this.#options.environment;
    const isTakenOver = local.get(this.#earlyAt) === undefined;
    local.delete(this.#earlyAt);
    this.#earlyAt = undefined;
    if (isTakenOver) this.#earlyId = undefined;
    return isTakenOver ? [] : early;
  }

  /** Where they are left, if they may be and there are any. */
  #leave(clientId: string, entries: readonly OutboxEntry[]): string | undefined {
    const { environment, mirror, key, channel } = this.#options;
    if (entries.length === 0 || !mayLeave(mirror)) return undefined;
    const localKey = toLeftoverKey('outbox', key, clientId, channel);
    // What an earlier page of this client has left, and the disk has had no room for, stays.
    const before = this.#left?.at === localKey ? this.#left.clientSeqs : [];
    const known = new Set([...before, ...entries.map(({ clientSeq }) => clientSeq)]);
    const standing = parseEntries(environment.local.get(localKey)).filter(({ clientSeq }) => !known.has(clientSeq));
    const text = JSON.stringify([...standing, ...entries]);
    if (text.length > maxLeftover) return undefined;
    environment.local.set(localKey, text);
    return localKey;
  }

  /** All that is kept on this device was deleted: nothing is written again but what comes from now on. */
  onCleared(): void {
    for (const copy of this.#copies.values()) copy.unwritten = undefined;
  }

  /** These are on disk as well. */
  note(kept: readonly PendingAction[]): void {
    for (const { clientSeq, sends } of kept) this.#copies.set(clientSeq, { isAwaited: false, sends, isKept: true });
  }

  /** Whether everything that was put here is on disk. */
  get isKept(): boolean {
    for (const { isKept } of this.#copies.values()) if (!isKept) return false;
    return true;
  }

  /**
   * Whether the entry was seen to be on disk, from where another client may have taken it over; one that is being written may
   * be missing from what is read meanwhile, and one that was deleted with everything else is nobody's but ours.
   */
  isEntryKept(clientSeq: number): boolean {
    const copy = this.#copies.get(clientSeq);
    return copy?.isKept === true && !copy.unwritten && this.#options.mirror.notKept !== 'cleared';
  }

  /**
   * Writes one intent. `isLeaving`: it goes out as soon as it is written, so that the disk counts it as sent at once and
   * a document that finds it there never takes it for untouched. `clearDraft`: it is the draft that is being sent, and
   * `draft` what is left of that.
   */
  put(
    entries: readonly PendingAction[],
    { isLeaving, ...options }: PutOutboxOptions & { readonly isLeaving: boolean },
  ): void {
    const sends = isLeaving ? 1 : 0;
    const written = entries.map((entry) => this.#toStored({ ...entry, sends: Math.max(entry.sends, sends) }));
    for (const entry of written) {
      this.#copies.set(entry.clientSeq, { isAwaited: true, sends: entry.sends, isKept: true, unwritten: entry });
    }
    this.#await(written, this.#options.mirror.putOutbox(written, options));
  }

  /**
   * Whether `entry` may leave now. If the disk still thinks that it never did, that is written first and `onChange` told
   * when it is time.
   */
  isReady(entry: PendingAction): boolean {
    const copy = this.#copies.get(entry.clientSeq);
    if (!copy || copy.isAwaited) return false;
    if (copy.sends > 0 || !copy.isKept) return true;
    copy.isAwaited = true;
    copy.sends = 1;
    const written = [this.#toStored({ ...entry, sends: Math.max(entry.sends, 1) })];
    this.#await(written, this.#options.mirror.updateOutbox(written));
    return false;
  }

  /** Rewrites entries that changed otherwise; nobody waits for it. */
  update(entries: readonly PendingAction[]): void {
    const kept = entries.filter(({ clientSeq }) => this.#copies.has(clientSeq));
    if (kept.length === 0) return;
    const written = kept.map((entry) => {
      const copy = this.#copies.get(entry.clientSeq);
      return this.#toStored({ ...entry, sends: Math.max(entry.sends, copy?.sends ?? 0) });
    });
    void this.#hasDone(this.#options.mirror.updateOutbox(written));
  }

  /** Forgets entries whose fate is known. */
  remove(entries: readonly PendingAction[]): void {
    if (entries.length === 0) return;
    for (const { clientSeq } of entries) this.#copies.delete(clientSeq);
    const keys = entries.map(({ clientSeq }) => ({ clientId: this.#clientId, clientSeq }));
    void this.#hasDone(this.#options.mirror.removeOutbox(keys));
  }

  /** Lets the entries go when they are written or when the disk has had its time, whichever comes first. */
  #await(written: readonly OutboxEntry[], write: Promise<void>): void {
    const copies = written.flatMap(({ clientSeq }) => this.#copies.get(clientSeq) ?? []);
    const set = (isKept: boolean) => {
      for (const copy of copies) Object.assign(copy, { isAwaited: false, isKept });
      this.#options.onChange();
    };
    const cancelTimeout = this.#options.environment.schedule(patienceMs, () => set(false));
    void this.#hasDone(write).then((isKept) => {
      cancelTimeout();
      if (isKept) for (const copy of copies) copy.unwritten = undefined;
      // A mirror that runs in memory says so by itself, in `notKept`.
      set(isKept);
    });
  }

  async #hasDone(write: Promise<void>): Promise<boolean> {
    try {
      await write;
      return true;
    } catch (error) {
      if (error instanceof AhpError) return false;
      throw error;
    }
  }

  #toStored({ clientSeq, group, action, sends, sentAfter, isHeld }: PendingAction): OutboxEntry {
    return compose(
      { clientId: this.#clientId, clientSeq, channel: this.#options.channel, group, action, sends },
      { sentAt: sends > 0 ? this.#options.environment.now() : undefined, sentAfter, isHeld },
    );
  }
}

/**
 * Moves what a page has left of its outbox into the mirror, and resolves with it. The counter of the client becomes
 * `nextClientSeq` at least.
 */
export async function rescueOutbox(
  local: KeyValueStore,
  mirror: Mirror,
  { clientId, channel, localKey }: Leftover,
  nextClientSeq: number,
): Promise<{ readonly entries: readonly OutboxEntry[]; readonly nextClientSeq: number }> {
  const entries = parseEntries(local.get(localKey)).map((entry) => ({ ...entry, clientId, channel }));
  const next = Math.max(nextClientSeq, ...entries.map(({ clientSeq }) => clientSeq + 1));
  await mirror.putOutbox(entries, { nextClientSeq: next, clearDraft: false });
  local.delete(localKey);
  return { entries, nextClientSeq: next };
}

function parseEntries(text: string | undefined): readonly OutboxEntry[] {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return Array.isArray(value) ? value.filter(isEntry) : [];
  } catch {
    // Written by somebody else under our key; there is nothing to recover.
    return [];
  }
}

const isEntry = (value: unknown): value is OutboxEntry =>
  isRecord(value) &&
  Number.isSafeInteger(value.clientSeq) &&
  Number.isSafeInteger(value.sends) &&
  typeof value.group === 'string' &&
  isRecord(value.action) &&
  typeof value.action.type === 'string';

/** An entry as it is kept in memory. */
export const toPending = ({ clientSeq, group, action, sends, sentAfter, isHeld }: OutboxEntry): PendingAction =>
  compose({ clientSeq, group, action, sends }, { sentAfter, isHeld });
