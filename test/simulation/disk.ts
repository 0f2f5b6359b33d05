/**
 * The database of one origin as its documents meet it: every call is a transaction that takes its turn and its time, and
 * a crash keeps any prefix of what a document had under way. What a document that is left has not finished is aborted,
 * and written again if it comes back.
 */

import { MemoryMirror } from '../../src/mirror/memory-mirror.js';
import type {
  ChatRecord,
  Mirror,
  MirroredChat,
  NotKeptReason,
  OutboxEntry,
  PutOutboxOptions,
  StoredDraft,
} from '../../src/mirror/mirror.js';
import { AhpError } from '../../src/protocol/errors.js';
import type { URI } from '../../src/protocol/state.js';
import type { SimDocument } from './document.js';

/** What is on disk, whoever wrote it. */
class Platter extends MemoryMirror {
  constructor() {
    super(undefined);
  }
}

interface Transaction {
  readonly owner: DocumentMirror;
  /** Not to be done after the page was left. */
  readonly endsWithPage: boolean;
  readonly carryOut: () => Promise<void>;
  readonly fail: (error: AhpError) => void;
}

export interface DiskOptions {
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly schedule: (delayMs: number, run: () => void) => unknown;
  /** Called with everything that has just reached the disk and holds a person's words. */
  readonly onKept: (written: unknown) => void;
}

export class Disk {
  readonly platter = new Platter();
  /** The longest time of a transaction, in milliseconds. */
  slowness = 20;
  /** Every write fails. */
  isFull = false;
  readonly #options: DiskOptions;
  #queue: Transaction[] = [];
  #isBusy = false;

  constructor(options: DiskOptions) {
    this.#options = options;
  }

  /** How many transactions are not finished. */
  get pending(): number {
    return this.#queue.length;
  }

  open(document: SimDocument): DocumentMirror {
    return new DocumentMirror(this, document, this.#options);
  }

  add(transaction: Transaction): void {
    this.#queue.push(transaction);
    this.#next();
  }

  /** Takes a document's unfinished transactions away, all behind a prefix of its choice. */
  cut(owner: DocumentMirror): readonly Transaction[] {
    const own = this.#queue.filter((transaction) => transaction.owner === owner);
    const lost = own.slice(Math.floor(this.#options.random() * (own.length + 1)));
    this.#queue = this.#queue.filter((transaction) => !lost.includes(transaction));
    return lost;
  }

  #next(): void {
    if (this.#isBusy || this.#queue.length === 0) return;
    this.#isBusy = true;
    this.#options.schedule(Math.floor(this.#options.random() * this.slowness), () => {
      const transaction = this.#queue.shift();
      const done = transaction?.carryOut() ?? Promise.resolve();
      void done.then(() => {
        this.#isBusy = false;
        this.#next();
      });
    });
  }
}

/** The disk as one document has it open. */
export class DocumentMirror implements Mirror {
  notKept: NotKeptReason | undefined;
  readonly #disk: Disk;
  readonly #document: SimDocument;
  readonly #options: DiskOptions;
  readonly #listeners = new Set<() => void>();
  /** Aborted when the page was left; `undefined` while it is here. */
  #aborted: Transaction[] | undefined;
  #isClosed = false;

  constructor(disk: Disk, document: SimDocument, options: DiskOptions) {
    this.#disk = disk;
    this.#document = document;
    this.#options = options;
  }

  onNotKept(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  listClients = () => this.#read((platter) => platter.listClients());
  openClient = (clientId: string, now: number) => this.#read((platter) => platter.openClient(clientId, now));
  findLastChat = () => this.#read((platter) => platter.findLastChat());

  loadChat(channel: URI, options: { clientId: string; turns: number; now: number }): Promise<MirroredChat> {
    return this.#read((platter) => platter.loadChat(channel, options));
  }

  loadTurnsBefore(channel: URI, turnId: string, count: number) {
    return this.#read((platter) => platter.loadTurnsBefore(channel, turnId, count));
  }

  claimChat(): void {
    // The platter looks at each save what stands there.
  }

  saveChat(channel: URI, record: ChatRecord): Promise<void> {
    return this.#write((platter) => platter.saveChat(channel, record));
  }

  putOutbox(entries: readonly OutboxEntry[], options: PutOutboxOptions): Promise<void> {
    return this.#write((platter) => platter.putOutbox(entries, options), [entries, options.draft], true);
  }

  updateOutbox(entries: readonly OutboxEntry[]): Promise<void> {
    return this.#write((platter) => platter.updateOutbox(entries));
  }

  removeOutbox(entries: readonly Pick<OutboxEntry, 'clientId' | 'clientSeq'>[]): Promise<void> {
    return this.#write((platter) => platter.removeOutbox(entries));
  }

  putDraft(channel: URI, clientId: string, draft: StoredDraft): Promise<void> {
    return this.#write((platter) => platter.putDraft(channel, clientId, draft), draft, true);
  }

  deleteDraft(channel: URI, clientId: string, revision: number): Promise<void> {
    return this.#write((platter) => platter.deleteDraft(channel, clientId, revision));
  }

  adopt(from: string, to: string, firstClientSeq: number) {
    return this.#enqueue((platter) => platter.adopt(from, to, firstClientSeq), { isWrite: true, endsWithPage: true });
  }

  claimToolRun(id: string): Promise<boolean> {
    return this.#read((platter) => platter.claimToolRun(id));
  }

  clear(): Promise<void> {
    return this.#write((platter) => platter.clear());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  suspend(): void {
    if (this.#aborted) return;
    const aborted = this.#disk.cut(this);
    this.#aborted = aborted.filter(({ endsWithPage }) => !endsWithPage);
    for (const { endsWithPage, fail } of aborted) if (endsWithPage) fail(new AhpError('storage', 'The page was left.'));
  }

  resume(): void {
    const again = this.#aborted ?? [];
    this.#aborted = undefined;
    for (const transaction of again) this.#disk.add(transaction);
  }

  /** The document is gone, and with it what it had not finished. */
  crash(): void {
    this.#disk.cut(this);
  }

  #read<T>(work: (platter: Platter) => Promise<T>): Promise<T> {
    return this.#enqueue(work);
  }

  #write(work: (platter: Platter) => Promise<void>, words?: unknown, endsWithPage = false): Promise<void> {
    return this.#enqueue(
      async (platter) => {
        await work(platter);
        if (words) this.#options.onKept(words);
      },
      { isWrite: true, endsWithPage },
    );
  }

  #enqueue<T>(work: (platter: Platter) => Promise<T>, { isWrite = false, endsWithPage = false } = {}): Promise<T> {
    if (this.#document.isDead) return new Promise(() => undefined);
    return new Promise((resolve, reject) => {
      const fail = (error: AhpError) => this.#document.run(() => reject(error));
      const transaction: Transaction = {
        owner: this,
        endsWithPage,
        fail,
        carryOut: async () => {
          if (isWrite && this.#disk.isFull) return fail(new AhpError('storage', 'The disk is full.'));
          const result = await work(this.#disk.platter);
          this.#document.run(() => resolve(result));
        },
      };
      if (!this.#aborted) this.#disk.add(transaction);
      else if (endsWithPage) fail(new AhpError('storage', 'The page was left.'));
      else this.#aborted.push(transaction);
    });
  }
}
