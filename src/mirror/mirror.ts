/**
 * A mirror keeps a copy of chats on this device, and what the person wrote until the host is proven to have it. It stores
 * and finds; it knows neither reducer nor network. One per host and account. See `idb-mirror.ts` and `memory-mirror.ts`.
 *
 * Every method rejects with `AhpError` of code `storage` when its transaction fails; nothing is retried in silence.
 * Callers never wait for a write before they send.
 */

import type { ClientChatAction } from '../protocol/actions.js';
import type { ChatState, Message, Turn, URI } from '../protocol/state.js';

/** One dispatched action without proof. Actions of one intent share `group`. */
export interface OutboxEntry {
  readonly clientId: string;
  readonly clientSeq: number;
  readonly channel: URI;
  /** Identifies the intent; its entries stand or fall together. */
  readonly group: string;
  readonly action: ClientChatAction;
  /** Milliseconds since the epoch; absent until first sent. */
  readonly sentAt?: number;
  /** How often it went out. */
  readonly sends: number;
}

export interface StoredDraft {
  readonly message: Message;
  /** Grows with every change on this client; the greater one is the newer. */
  readonly revision: number;
  readonly updatedAt: number;
  /**
   * The host's draft when this one was last sent or compared; absent while the host had none. Tells after a reload
   * whether the host's draft is an older state of this one or somebody else's.
   */
  readonly base?: Message;
}

/** Confirmed state as it is written: `state.turns` is one unbroken run that ends with the newest finished turn. */
export interface ChatRecord {
  readonly state: ChatState;
  readonly appliedSeq: number;
  readonly protocolVersion: string;
  /** The session that lists the chat, so that the chat can be opened again without asking. */
  readonly session?: URI;
}

export interface MirroredChat {
  /**
   * Confirmed state with the last window of turns, or `undefined` if none is kept. Cursors are never stored:
   * `turnsNextCursor` is absent, and `hasOlder` says what is known instead.
   */
  readonly record: ChatRecord | undefined;
  /** `mirror`: older turns are kept here. `unknown`: the host must be asked. `none`: the run starts with the first turn. */
  readonly older: 'mirror' | 'unknown' | 'none';
  /** Of the asking client only, in `clientSeq` order. */
  readonly outbox: readonly OutboxEntry[];
  readonly draft: StoredDraft | undefined;
}

export type NotKeptReason = 'no-storage' | 'storage-failed' | 'quota' | 'newer-version' | 'blocked';

export interface ClientRecord {
  readonly clientId: string;
  readonly nextClientSeq: number;
  /** Milliseconds since the epoch; only meaningful where there are no locks. */
  readonly seenAt: number;
}

export interface Mirror {
  /** Why what is written now would not survive a reload; `undefined` while all is well. */
  readonly notKept: NotKeptReason | undefined;
  /** Calls `listener` when `notKept` changes. */
  onNotKept(listener: () => void): () => void;

  /** All clients that ever wrote here. */
  listClients(): Promise<readonly ClientRecord[]>;
  /** Reads a client's counter, or starts it at 1. */
  openClient(clientId: string, now: number): Promise<ClientRecord>;

  /** Reads everything a chat needs to show itself, in one transaction, and marks it as used at `now`. */
  loadChat(channel: URI, options: { clientId: string; turns: number; now: number }): Promise<MirroredChat>;
  /** Up to `count` turns that stand right before `turnId` in the run, oldest first, and what is older than those. */
  loadTurnsBefore(
    channel: URI,
    turnId: string,
    count: number,
  ): Promise<{ turns: readonly Turn[]; older: MirroredChat['older'] }>;
  /**
   * Writes confirmed state. Turns that are the same objects as at the last call are not written again; turns of the run
   * that stand before `record.state.turns[0]` are kept if that turn is in the run, else the run is replaced.
   */
  saveChat(channel: URI, record: ChatRecord): Promise<void>;
  /** The chat used last on this host. */
  findLastChat(): Promise<{ chat: URI; session?: URI } | undefined>;

  /**
   * Writes one intent before it is sent: its entries, the client's next `clientSeq`, and, where the intent is a message
   * being sent, the end of this client's draft, in one blind transaction.
   */
  putOutbox(entries: readonly OutboxEntry[], options: { nextClientSeq: number; clearDraft: boolean }): Promise<void>;
  /** Rewrites entries that are still there, for example with a new `sends`. */
  updateOutbox(entries: readonly OutboxEntry[]): Promise<void>;
  removeOutbox(entries: readonly Pick<OutboxEntry, 'clientId' | 'clientSeq'>[]): Promise<void>;

  putDraft(channel: URI, clientId: string, draft: StoredDraft): Promise<void>;
  /** Removes the draft unless a newer revision than `revision` stands there. */
  deleteDraft(channel: URI, clientId: string, revision: number): Promise<void>;

  /**
   * Moves outbox and drafts of a client that is gone to `to`, in one transaction, and forgets `from`. The entries keep
   * their order and get new sequence numbers, the first being `firstClientSeq` or the stored counter of `to`, whichever
   * is greater: `to` may have used numbers for what is never stored. The caller holds the lock of `from`. A draft of
   * `to` that is newer stays.
   */
  adopt(
    from: string,
    to: string,
    firstClientSeq: number,
  ): Promise<{ entries: readonly OutboxEntry[]; nextClientSeq: number }>;

  /** Deletes everything, on disk too. The mirror stays usable. */
  clear(): Promise<void>;
  /** Ends all use of the database; pending writes are finished first. */
  close(): Promise<void>;
  /** The page is frozen: what is open is aborted, to be written again after `resume`. */
  suspend(): void;
  resume(): void;
}
