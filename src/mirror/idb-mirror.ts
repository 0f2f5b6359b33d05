/**
 * The mirror on disk. Says for each call what it does in a transaction and what it does in memory; when which of the two
 * happens is the database's business. See `mirror.ts` for what the calls mean.
 */

import { AhpError } from '../protocol/errors.js';
import type { Turn, URI } from '../protocol/state.js';
import { adoptEstate } from './adoption.js';
import type { ChatWriter } from './chat-writer.js';
import type { Job, MirrorDatabase } from './database.js';
import type { MemoryMirror } from './memory-mirror.js';
import type {
  ChatRecord,
  ClientRecord,
  Mirror,
  MirroredChat,
  NotKeptReason,
  OutboxEntry,
  PutOutboxOptions,
  StoredDraft,
} from './mirror.js';
import { readChat, readEntries, readLastEntryKey, readTurnsBefore } from './read-chat.js';
import { findDraft } from './records.js';
import { DATABASE_ITSELF, toTurnRange } from './schema.js';

/** No host has a call of a client run for longer. */
const TOOL_RUN_KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** What the mirrors of one database share. */
export interface SharedDatabase {
  readonly database: MirrorDatabase;
  readonly chats: ChatWriter;
  readonly memory: MemoryMirror;
  /** Called once by each mirror that is closed; the last one closes the database. */
  release(): Promise<void>;
}

export class IdbMirror implements Mirror {
  readonly #shared: SharedDatabase;
  #closed: Promise<void> | undefined;

  constructor(shared: SharedDatabase) {
    this.#shared = shared;
  }

  get notKept(): NotKeptReason | undefined {
    return this.#shared.database.notKept;
  }

  onNotKept(listener: () => void): () => void {
    return this.#shared.database.onNotKept(listener);
  }

  /* -------------------------------------------------------------- clients */

  listClients(): Promise<readonly ClientRecord[]> {
    return this.#run({
      onDisk: () => ({
        stores: ['clients'],
        mode: 'readonly',
        run: ({ read }) => read.objectStore('clients').getAll(IDBKeyRange.lowerBound(DATABASE_ITSELF, true)),
      }),
      inMemory: (memory) => memory.listClients(),
    });
  }

  async openClient(clientId: string, now: number): Promise<ClientRecord> {
    const { memory, database } = this.#shared;
    memory.noteSeen(clientId, now);
    const { begunAt, ...opened } = await this.#run<ClientRecord & { readonly begunAt?: number }>({
      onDisk: () => ({
        stores: ['clients', 'outbox'],
        mode: 'readwrite',
        run: async (transaction) => {
          const clients = transaction.read.objectStore('clients');
          const [begun, stored, lastKey] = await Promise.all([
            clients.get(DATABASE_ITSELF),
            clients.get(clientId),
            readLastEntryKey(transaction.read, clientId),
          ]);
          // No number of an entry is given twice, even if a torn write kept the entry and not the counter.
          const nextClientSeq = Math.max(stored?.nextClientSeq ?? 1, (lastKey?.[1] ?? 0) + 1);
          // The memory has to go on counting there, should the disk fail.
          const record = memory.noteClient({ clientId, nextClientSeq, seenAt: now });
          transaction.put('clients', record);
          if (!begun) transaction.put('clients', { clientId: DATABASE_ITSELF, nextClientSeq: 1, seenAt: now });
          return { ...record, begunAt: begun?.seenAt ?? now };
        },
      }),
      inMemory: () => memory.openClient(clientId, now),
    });
    if (begunAt !== undefined) database.noteBegun(begunAt);
    return opened;
  }

  /* -------------------------------------------------------------- chats */

  async loadChat(channel: URI, options: { clientId: string; turns: number; now: number }): Promise<MirroredChat> {
    this.#shared.chats.noteAccess(channel, options.now);
    const { isUnreadable, ...chat } = await this.#run({
      onDisk: () => ({
        stores: ['channels', 'turns', 'outbox', 'drafts'],
        mode: 'readonly',
        run: (transaction) => readChat(transaction, channel, options.clientId, options.turns),
      }),
      inMemory: async (memory) => ({ ...(await memory.loadChat(channel, options)), isUnreadable: false }),
    });
    if (isUnreadable) this.#discardChat(channel);
    else if (chat.record) this.#touchChat(channel, options.now);
    return chat;
  }

  async loadTurnsBefore(
    channel: URI,
    turnId: string,
    count: number,
  ): Promise<{ turns: readonly Turn[]; older: MirroredChat['older'] }> {
    const known = this.#shared.chats.getKnown(channel);
    const { isUnreadable, ...page } = await this.#run({
      onDisk: () => ({
        stores: ['channels', 'turns'],
        mode: 'readonly',
        run: (transaction) => readTurnsBefore(transaction, channel, turnId, count),
      }),
      inMemory: async (memory) => ({
        ...(await memory.loadTurnsBefore(channel, turnId, count)),
        isUnreadable: false,
      }),
    });
    if (isUnreadable) this.#discardChat(channel);
    else if (known?.turns[0]?.id === turnId) this.#shared.chats.noteOlder(channel, known, page.turns);
    return page;
  }

  claimChat(channel: URI): void {
    this.#shared.chats.forget(channel);
  }

  saveChat(channel: URI, record: ChatRecord): Promise<void> {
    if (this.#closed) return Promise.reject(toClosed());
    return this.#shared.chats.save(channel, record);
  }

  findLastChat(): Promise<{ chat: URI; session?: URI } | undefined> {
    return this.#run({
      onDisk: () => ({
        stores: ['channels'],
        mode: 'readonly',
        run: async ({ read }) => {
          const cursor = await read.objectStore('channels').index('accessedAt').openCursor(null, 'prev');
          if (!cursor) return undefined;
          const { uri, session } = cursor.value;
          return { chat: uri, ...(session === undefined ? {} : { session }) };
        },
      }),
      inMemory: (memory) => memory.findLastChat(),
    });
  }

  /* -------------------------------------------------------------- outbox */

  putOutbox(entries: readonly OutboxEntry[], options: PutOutboxOptions): Promise<void> {
    if (entries.length === 0) return Promise.resolve();
    const { memory } = this.#shared;
    const { nextClientSeq } = options;
    const clientIds = new Set(entries.map(({ clientId }) => clientId));
    const clients = [...clientIds].map((clientId) => ({ clientId, nextClientSeq, seenAt: memory.getSeen(clientId) }));
    return this.#run<void>({
      isBlind: true,
      endsWithPage: true,
      channel: entries[0]?.channel,
      onDisk: () => ({
        stores: options.clearDraft ? ['clients', 'outbox', 'drafts'] : ['clients', 'outbox'],
        mode: 'readwrite',
        commitsAtOnce: true,
        run: (transaction) => {
          for (const entry of entries) transaction.put('outbox', entry);
          for (const client of clients) transaction.put('clients', memory.noteClient(client));
          if (!options.clearDraft) return;
          const draft = options.draft ?? ({ isOver: true } as const);
          for (const { channel, clientId } of entries) transaction.put('drafts', { ...draft, channel, clientId });
        },
      }),
      inMemory: () => memory.putOutbox(entries, options),
    });
  }

  updateOutbox(entries: readonly OutboxEntry[]): Promise<void> {
    if (entries.length === 0) return Promise.resolve();
    return this.#run<void>({
      onDisk: () => ({
        stores: ['outbox'],
        mode: 'readwrite',
        run: async (transaction) => {
          const store = transaction.read.objectStore('outbox');
          const found = await Promise.all(entries.map((entry) => store.getKey([entry.clientId, entry.clientSeq])));
          entries.filter((_, index) => found[index]).forEach((entry) => transaction.put('outbox', entry));
        },
      }),
      inMemory: (memory) => memory.updateOutbox(entries),
    });
  }

  removeOutbox(entries: readonly Pick<OutboxEntry, 'clientId' | 'clientSeq'>[]): Promise<void> {
    if (entries.length === 0) return Promise.resolve();
    return this.#run<void>({
      onDisk: () => ({
        stores: ['outbox'],
        mode: 'readwrite',
        commitsAtOnce: true,
        run: (transaction) => {
          for (const { clientId, clientSeq } of entries) transaction.delete('outbox', [clientId, clientSeq]);
        },
      }),
      inMemory: (memory) => memory.removeOutbox(entries),
    });
  }

  /* -------------------------------------------------------------- drafts */

  putDraft(channel: URI, clientId: string, draft: StoredDraft): Promise<void> {
    return this.#run<void>({
      isBlind: true,
      endsWithPage: true,
      channel,
      onDisk: () => ({
        stores: ['drafts'],
        mode: 'readwrite',
        commitsAtOnce: true,
        run: (transaction) => transaction.put('drafts', { ...draft, channel, clientId }),
      }),
      inMemory: (memory) => memory.putDraft(channel, clientId, draft),
    });
  }

  deleteDraft(channel: URI, clientId: string, revision: number): Promise<void> {
    return this.#run<void>({
      onDisk: () => ({
        stores: ['drafts'],
        mode: 'readwrite',
        run: async (transaction) => {
          const stored = await transaction.read.objectStore('drafts').get([channel, clientId]);
          const draft = findDraft(stored);
          if (stored && !(draft && draft.revision > revision)) transaction.delete('drafts', [channel, clientId]);
        },
      }),
      inMemory: (memory) => memory.deleteDraft(channel, clientId, revision),
    });
  }

  adopt(
    from: string,
    to: string,
    firstClientSeq: number,
  ): Promise<{ entries: readonly OutboxEntry[]; nextClientSeq: number }> {
    const { memory } = this.#shared;
    if (from === to) return memory.adopt(from, to, firstClientSeq);
    return this.#run({
      endsWithPage: true,
      onDisk: () => ({
        stores: ['clients', 'outbox', 'drafts'],
        mode: 'readwrite',
        run: async (transaction) => {
          const { read } = transaction;
          const [left, drafts, adopter] = await Promise.all([
            readEntries(read, from),
            read.objectStore('drafts').getAll(),
            read.objectStore('clients').get(to),
          ]);
          const adoption = adoptEstate({ from, to, entries: left, drafts, adopter, firstClientSeq });
          for (const { clientSeq } of left) transaction.delete('outbox', [from, clientSeq]);
          for (const { channel, clientId } of drafts) {
            if (clientId === from) transaction.delete('drafts', [channel, from]);
          }
          transaction.delete('clients', from);
          for (const entry of adoption.entries) transaction.put('outbox', entry);
          for (const draft of adoption.drafts) transaction.put('drafts', draft);
          transaction.put('clients', memory.noteClient(adoption.adopter));
          return { entries: adoption.entries, nextClientSeq: adoption.adopter.nextClientSeq };
        },
      }),
      inMemory: () => memory.adopt(from, to, firstClientSeq),
    });
  }

  /* -------------------------------------------------------------- tools of the page */

  claimToolRun(id: string, now: number): Promise<boolean> {
    return this.#run({
      onDisk: () => ({
        stores: ['toolRuns'],
        mode: 'readwrite',
        run: async (transaction) => {
          const store = transaction.read.objectStore('toolRuns');
          const [known, old] = await Promise.all([
            store.getKey(id),
            store.index('startedAt').getAllKeys(IDBKeyRange.upperBound(now - TOOL_RUN_KEPT_MS)),
          ]);
          for (const key of old) if (key !== id) transaction.delete('toolRuns', key);
          if (known !== undefined) return false;
          transaction.put('toolRuns', { id, startedAt: now });
          return true;
        },
      }),
      inMemory: (memory) => memory.claimToolRun(id),
    });
  }

  /* -------------------------------------------------------------- life */

  clear(): Promise<void> {
    return this.#closed ? Promise.reject(toClosed()) : this.#shared.database.clear();
  }

  close(): Promise<void> {
    this.#closed ??= this.#shared.release();
    return this.#closed;
  }

  suspend(): void {
    this.#shared.database.suspend();
  }

  resume(): void {
    this.#shared.database.resume();
  }

  #run<T>(job: Job<T>): Promise<T> {
    return this.#closed ? Promise.reject(toClosed()) : this.#shared.database.run(job);
  }

  /** Marks a chat as used, after it was read, so that the first paint does not wait for a write. */
  #touchChat(channel: URI, now: number): void {
    const touched = this.#run<void>({
      channel,
      onDisk: () => ({
        stores: ['channels'],
        mode: 'readwrite',
        run: async (transaction) => {
          const stored = await transaction.read.objectStore('channels').get(channel);
          if (stored) transaction.put('channels', { ...stored, accessedAt: now });
        },
      }),
      // Loading it has done that.
      inMemory: () => Promise.resolve(),
    });
    // A failure shows in `notKept`; nothing but the order of chats is lost.
    touched.catch(() => {});
  }

  /** Deletes chat state that this build cannot read. The host gives it again; what the person wrote stays. */
  #discardChat(channel: URI): void {
    this.#shared.chats.forget(channel);
    const discarded = this.#run<void>({
      onDisk: () => ({
        stores: ['channels', 'turns'],
        mode: 'readwrite',
        run: (transaction) => {
          transaction.delete('channels', channel);
          transaction.delete('turns', toTurnRange(channel));
        },
      }),
      inMemory: () => Promise.resolve(),
    });
    // It will be met, and discarded, again.
    discarded.catch(() => {});
  }
}

const toClosed = (): AhpError =>
  new AhpError('misuse', 'This mirror is closed. Nothing was read or written; open another one.');
