/**
 * Writes chats: remembers which turn objects stand on disk at which positions, so that a finished turn is written once and
 * a running one costs only its own record. One save of a chat at a time; what comes meanwhile waits as the newest.
 *
 * What is remembered holds only for the document that claimed the chat, and only until the connection is lost. Without
 * it a save looks up where its window starts, and writes all of it.
 */

import type { Turn, URI } from '../protocol/state.js';
import type { Job, MirrorDatabase } from './database.js';
import type { ChatRecord } from './mirror.js';
import { isLargerThan, MAX_RUNNING_SIZE, toStoredChat, withoutSecrets } from './records.js';
import {
  planFromDisk,
  planFromKnown,
  replaceRun,
  withoutRepeatedIds,
  type KnownRun,
  type RunPlan,
  type Window,
} from './run.js';
import { toOrdinal, toTurnRange } from './schema.js';
import { isConstraintError, type DiskJob, type DiskTransaction } from './write.js';

interface Save {
  readonly channel: URI;
  readonly record: ChatRecord;
  readonly window: Window;
  /** What stands on disk once it is through. */
  known?: KnownRun;
  /** An id stands twice, so nothing of the stored run can stay. */
  mustReplace: boolean;
}

interface Flight {
  /** Settles with this save; never rejects. */
  readonly over: Promise<void>;
  /** The newest save that waits for the one under way. */
  next?: { record: ChatRecord; readonly done: Promise<void>; readonly start: () => void };
  /** What it writes is not to be relied on: the chat was claimed or the connection lost meanwhile. */
  isStale: boolean;
}

export class ChatWriter {
  readonly #database: () => MirrorDatabase;
  readonly #known = new Map<URI, KnownRun>();
  readonly #accessedAt = new Map<URI, number>();
  readonly #flights = new Map<URI, Flight>();

  /** The database is asked for late, since it tells this writer when to forget. */
  constructor(database: () => MirrorDatabase) {
    this.#database = database;
  }

  save(channel: URI, record: ChatRecord): Promise<void> {
    const flight = this.#flights.get(channel);
    if (!flight) return this.#begin(channel, record);
    if (flight.next) {
      flight.next.record = record;
      return flight.next.done;
    }
    let start = (): void => {};
    const done = new Promise<void>((resolve, reject) => {
      start = () => {
        this.#begin(channel, flight.next?.record ?? record).then(resolve, reject);
      };
    });
    flight.next = { record, done, start };
    return done;
  }

  /** When the chat was last used, for the next save of it. */
  noteAccess(channel: URI, now: number): void {
    this.#accessedAt.set(channel, now);
  }

  /** Older turns were read from disk: they stand right before what is known, as these objects. */
  noteOlder(channel: URI, before: KnownRun | undefined, turns: readonly Turn[]): void {
    const known = this.#known.get(channel);
    if (!known || known !== before || this.#flights.has(channel)) return;
    this.#known.set(channel, { ...known, base: known.base - turns.length, turns: [...turns, ...known.turns] });
  }

  /** What is known of a chat now; hand it to `noteOlder`, which compares. */
  getKnown(channel: URI): KnownRun | undefined {
    return this.#known.get(channel);
  }

  forget(channel: URI): void {
    this.#known.delete(channel);
    const flight = this.#flights.get(channel);
    if (flight) flight.isStale = true;
  }

  forgetAll(): void {
    for (const channel of [...this.#known.keys(), ...this.#flights.keys()]) this.forget(channel);
  }

  /** Resolves when no save is under way or waits. */
  async settled(): Promise<void> {
    while (this.#flights.size > 0) await Promise.all([...this.#flights.values()].map(({ over }) => over));
  }

  #begin(channel: URI, record: ChatRecord): Promise<void> {
    const window = { turns: withoutRepeatedIds(record.state.turns), isComplete: record.isComplete };
    const save: Save = { channel, record, window, mustReplace: false };
    const { turns: _turns, ...rest } = record.state;
    if (this.#hasTurnsOf(save) && isLargerThan(rest, MAX_RUNNING_SIZE)) return Promise.resolve();

    const done = this.#database().run(this.#toJob(save));
    const end = (known: KnownRun | undefined): void => {
      if (known) this.#known.set(channel, known);
      else this.#known.delete(channel);
      this.#flights.delete(channel);
      flight.next?.start();
    };
    const over = done.then(
      () => end(flight.isStale ? undefined : save.known),
      () => end(undefined),
    );
    const flight: Flight = { over, isStale: false };
    this.#flights.set(channel, flight);
    return done;
  }

  /** Whether the turns on disk are already those of `save`. */
  #hasTurnsOf({ channel, window }: Save): boolean {
    const known = this.#known.get(channel);
    return known !== undefined && known.turns === window.turns && (known.isComplete || !window.isComplete);
  }

  #toJob(save: Save): Job<void> {
    return {
      channel: save.channel,
      onDisk: () => this.#toDiskJob(save),
      inMemory: (memory) => memory.saveChat(save.channel, save.record),
      canAnswer: (error) => {
        if (!isConstraintError(error) || save.mustReplace) return false;
        save.mustReplace = true;
        return true;
      },
    };
  }

  #toDiskJob(save: Save): DiskJob<void> {
    const known = this.#known.get(save.channel);
    if (known && this.#hasTurnsOf(save)) {
      save.known = known;
      return {
        stores: ['channels'],
        mode: 'readwrite',
        commitsAtOnce: true,
        run: (transaction) => this.#putChat(transaction, save, known.isComplete),
      };
    }
    const plan = save.mustReplace ? replaceRun(save.window) : known && planFromKnown(known, save.window);
    return {
      stores: ['channels', 'turns'],
      mode: 'readwrite',
      run: plan
        ? (transaction) => this.#carryOut(transaction, save, plan)
        : (transaction) => this.#lookAndCarryOut(transaction, save, known),
    };
  }

  async #lookAndCarryOut(transaction: DiskTransaction, save: Save, known: KnownRun | undefined): Promise<void> {
    const { channel, window } = save;
    const first = window.turns[0];
    const [key, stored] = await Promise.all([
      first ? transaction.read.objectStore('turns').index('id').getKey([channel, first.id]) : undefined,
      transaction.read.objectStore('channels').get(channel),
    ]);
    const position = key && toOrdinal(key[1]);
    if (!this.#accessedAt.has(channel)) this.noteAccess(channel, stored?.accessedAt ?? 0);
    this.#carryOut(transaction, save, planFromDisk(position, stored?.isComplete ?? false, known, window));
  }

  #carryOut(transaction: DiskTransaction, save: Save, plan: RunPlan): void {
    for (const { from, to } of plan.deletes) transaction.delete('turns', toTurnRange(save.channel, from, to));
    for (const { position, turn } of plan.puts) {
      transaction.put('turns', { chat: save.channel, ordinal: toOrdinal(position), turn: withoutSecrets(turn) });
    }
    this.#putChat(transaction, save, plan.known.isComplete);
    save.known = plan.known;
  }

  #putChat(transaction: DiskTransaction, { channel, record }: Save, isComplete: boolean): void {
    const accessedAt = this.#accessedAt.get(channel) ?? 0;
    transaction.put('channels', toStoredChat(channel, record, isComplete, accessedAt));
  }
}
