/**
 * A mirror that lasts as long as its page: for Node, for tests, and where there is no storage or it has failed. It does
 * what the stored one does, down to what is left out, so that nothing above has to know which of the two it has.
 */

import { AhpError } from '../protocol/errors.js';
import type { Turn, URI } from '../protocol/state.js';
import { adoptEstate } from './adoption.js';
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
import { findDraft, fromStoredChat, toOlder, toStoredChat, withoutSecrets } from './records.js';
import { withoutRepeatedIds } from './run.js';
import type { StoredChat, StoredDraftRow } from './schema.js';

interface KeptChat {
  readonly stored: StoredChat;
  readonly turns: readonly Turn[];
}

export class MemoryMirror implements Mirror {
  readonly notKept: NotKeptReason | undefined;
  readonly #clients = new Map<string, ClientRecord>();
  readonly #seenAt = new Map<string, number>();
  readonly #chats = new Map<URI, KeptChat>();
  readonly #accessedAt = new Map<URI, number>();
  readonly #outbox = new Map<string, OutboxEntry>();
  readonly #drafts = new Map<string, StoredDraftRow>();
  readonly #toolRuns = new Set<string>();

  /** `notKept` is what is told to whoever asks; nothing here survives a reload, whatever it says. */
  constructor(notKept: NotKeptReason | undefined = 'memory') {
    this.notKept = notKept;
  }

  onNotKept(): () => void {
    return () => {};
  }

  async listClients(): Promise<readonly ClientRecord[]> {
    return [...this.#clients.values()].sort((a, b) => compare(a.clientId, b.clientId));
  }

  async openClient(clientId: string, now: number): Promise<ClientRecord> {
    this.noteSeen(clientId, now);
    const lastSeq = this.#entriesOf(clientId).at(-1)?.clientSeq ?? 0;
    const nextClientSeq = Math.max(this.#clients.get(clientId)?.nextClientSeq ?? 1, lastSeq + 1);
    return this.noteClient({ clientId, nextClientSeq, seenAt: now });
  }

  /** Takes a client's record as it is on disk, so that counting goes on from there should the disk fail. */
  noteClient(record: ClientRecord): ClientRecord {
    this.#clients.set(record.clientId, record);
    return record;
  }

  /** When a client was last alive, for the records of it that are written without reading. */
  noteSeen(clientId: string, now: number): void {
    this.#seenAt.set(clientId, now);
  }

  getSeen(clientId: string): number {
    return this.#seenAt.get(clientId) ?? 0;
  }

  async loadChat(channel: URI, options: { clientId: string; turns: number; now: number }): Promise<MirroredChat> {
    const { clientId, now } = options;
    this.#accessedAt.set(channel, now);
    const chat = this.#chats.get(channel);
    if (chat) this.#chats.set(channel, { ...chat, stored: { ...chat.stored, accessedAt: now } });
    const turns = chat && options.turns > 0 ? chat.turns.slice(-options.turns) : [];
    const older = chat ? toOlder(chat.turns.length > turns.length, chat.stored.isComplete) : 'unknown';
    const draft = this.#drafts.get(toDraftKey(channel, clientId));
    return {
      record: chat && fromStoredChat(chat.stored, turns, older === 'none'),
      older,
      outbox: this.#entriesOf(clientId).filter((entry) => entry.channel === channel),
      draft: findDraft(draft),
    };
  }

  async loadTurnsBefore(
    channel: URI,
    turnId: string,
    count: number,
  ): Promise<{ turns: readonly Turn[]; older: MirroredChat['older'] }> {
    const chat = this.#chats.get(channel);
    const end = chat ? chat.turns.findIndex((turn) => turn.id === turnId) : -1;
    if (!chat || end < 0) return { turns: [], older: 'unknown' };
    const start = Math.max(end - count, 0);
    return { turns: chat.turns.slice(start, end), older: toOlder(start > 0, chat.stored.isComplete) };
  }

  claimChat(): void {
    // Nobody else writes here.
  }

  async saveChat(channel: URI, record: ChatRecord): Promise<void> {
    const window = withoutRepeatedIds(record.state.turns).map(withoutSecrets);
    const chat = this.#chats.get(channel);
    const start = chat && !record.isComplete ? chat.turns.findIndex((turn) => turn.id === window[0]?.id) : -1;
    const older = chat && start > 0 ? chat.turns.slice(0, start) : [];
    const ids = new Set(window.map((turn) => turn.id));
    const continues = start >= 0 && !older.some((turn) => ids.has(turn.id));
    const isComplete = record.isComplete || (continues && chat?.stored.isComplete === true);
    this.#chats.set(channel, {
      stored: toStoredChat(channel, record, isComplete, this.#accessedAt.get(channel) ?? 0),
      turns: continues ? [...older, ...window] : window,
    });
  }

  async findLastChat(): Promise<{ chat: URI; session?: URI } | undefined> {
    const last = [...this.#chats.values()]
      .map(({ stored }) => stored)
      .sort((a, b) => a.accessedAt - b.accessedAt || compare(a.uri, b.uri))
      .at(-1);
    if (!last) return undefined;
    return { chat: last.uri, ...(last.session === undefined ? {} : { session: last.session }) };
  }

  async putOutbox(entries: readonly OutboxEntry[], options: PutOutboxOptions): Promise<void> {
    for (const entry of entries) {
      const { clientId, channel } = entry;
      this.#outbox.set(toEntryKey(entry), entry);
      this.noteClient({ clientId, nextClientSeq: options.nextClientSeq, seenAt: this.getSeen(clientId) });
      if (!options.clearDraft) continue;
      if (options.draft) await this.putDraft(channel, clientId, options.draft);
      else this.#drafts.delete(toDraftKey(channel, clientId));
    }
  }

  async updateOutbox(entries: readonly OutboxEntry[]): Promise<void> {
    for (const entry of entries) {
      if (this.#outbox.has(toEntryKey(entry))) this.#outbox.set(toEntryKey(entry), entry);
    }
  }

  async removeOutbox(entries: readonly Pick<OutboxEntry, 'clientId' | 'clientSeq'>[]): Promise<void> {
    for (const entry of entries) this.#outbox.delete(toEntryKey(entry));
  }

  async putDraft(channel: URI, clientId: string, draft: StoredDraft): Promise<void> {
    this.#drafts.set(toDraftKey(channel, clientId), { ...draft, channel, clientId });
  }

  async deleteDraft(channel: URI, clientId: string, revision: number): Promise<void> {
    const key = toDraftKey(channel, clientId);
    const draft = findDraft(this.#drafts.get(key));
    if (draft && draft.revision <= revision) this.#drafts.delete(key);
  }

  async adopt(
    from: string,
    to: string,
    firstClientSeq: number,
  ): Promise<{ entries: readonly OutboxEntry[]; nextClientSeq: number }> {
    if (from === to) throw new AhpError('misuse', `Client "${from}" cannot adopt itself. Nothing was moved.`);
    const { entries, drafts, adopter } = adoptEstate({
      from,
      to,
      entries: this.#entriesOf(from),
      drafts: [...this.#drafts.values()],
      adopter: this.#clients.get(to),
      firstClientSeq,
    });
    for (const entry of this.#entriesOf(from)) this.#outbox.delete(toEntryKey(entry));
    for (const draft of [...this.#drafts.values()]) {
      if (draft.clientId === from) this.#drafts.delete(toDraftKey(draft.channel, from));
    }
    this.#clients.delete(from);
    for (const entry of entries) this.#outbox.set(toEntryKey(entry), entry);
    for (const draft of drafts) this.#drafts.set(toDraftKey(draft.channel, to), draft);
    this.noteClient(adopter);
    return { entries, nextClientSeq: adopter.nextClientSeq };
  }

  async claimToolRun(id: string): Promise<boolean> {
    const isFirst = !this.#toolRuns.has(id);
    this.#toolRuns.add(id);
    return isFirst;
  }

  async clear(): Promise<void> {
    for (const kept of [this.#clients, this.#seenAt, this.#chats, this.#accessedAt, this.#outbox, this.#drafts])
      kept.clear();
    this.#toolRuns.clear();
  }

  async close(): Promise<void> {
    // What is kept goes with this object.
  }

  suspend(): void {
    // A frozen page keeps its memory.
  }

  resume(): void {
    // See `suspend`.
  }

  #entriesOf(clientId: string): OutboxEntry[] {
    return [...this.#outbox.values()]
      .filter((entry) => entry.clientId === clientId)
      .sort((a, b) => a.clientSeq - b.clientSeq);
  }
}

/** Keys of two parts; URIs and ids are opaque, so the parts are kept apart by length. */
const toDraftKey = (channel: URI, clientId: string): string => `${channel.length}:${channel}${clientId}`;

const toEntryKey = ({ clientId, clientSeq }: Pick<OutboxEntry, 'clientId' | 'clientSeq'>): string =>
  `${clientSeq}:${clientId}`;

/** By UTF-16 units, as IndexedDB orders strings. */
const compare = (a: string, b: string): number => Number(a > b) - Number(a < b);
