/**
 * A mirror keeps a copy of chats on this device, and what the person wrote until the host is proven to have it. It stores
 * and finds; it knows neither reducer nor network. One per host and account. See `idb-mirror.ts` and `memory-mirror.ts`.
 *
 * A write resolves when it is on disk, or, while `notKept` says so, when it is in memory. It rejects with `AhpError` of
 * code `storage` when its own transaction failed: nothing was kept then, and nothing is tried again later. Where the
 * storage itself is gone, `notKept` is set first, and what waited is done in memory. Writes take effect in the order of the
 * calls. A read sees what was written before it; that it sees nothing written after it is not promised, since WebKit
 * lets later writes go first. Callers never wait for a write before they send.
 */

import type { EditKey, MessageEdit } from '../chat/edits.js';
import type { ClientChatAction } from '../protocol/actions.js';
import type { ChatState, InputAnswer, Message, Turn, URI } from '../protocol/state.js';

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
  /** The newest turn when it first went out. */
  readonly sentAfter?: string;
  /** It waits for the person and is never sent by itself. */
  readonly isHeld?: boolean;
}

/** What was entered for one question of an open request; without `answer`, one that was taken away. */
export interface KeptAnswer {
  readonly requestId: string;
  readonly questionId: string;
  readonly answer?: InputAnswer;
  /** The host's answer as it was last seen. */
  readonly base?: InputAnswer;
}

/** A message that is being changed where it stands. */
export interface KeptEdit extends MessageEdit {
  readonly key: EditKey;
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
  /** What was sent to the host and has not come back; it may be there as well. */
  readonly sent?: Message;
  /** Drafts of clients that are gone, for the person to take or to dismiss. */
  readonly left?: readonly Message[];
  /** In place of a message, where the draft is of a chat's open requests. */
  readonly answers?: readonly KeptAnswer[];
  /** In place of a message, where the draft is of messages that are being changed. */
  readonly edits?: readonly KeptEdit[];
}

/** Confirmed state as it is written: `state.turns` is one unbroken run that ends with the newest finished turn. */
export interface ChatRecord {
  /** `turnsNextCursor` and client secrets in it are never stored. */
  readonly state: ChatState;
  /** Nothing is older than `state.turns[0]`. A snapshot without a cursor says so; so does `older: 'none'`. */
  readonly isComplete: boolean;
  readonly appliedSeq: number;
  /** Where the host began to count as in `appliedSeq`, as the client names it; empty where no replay is to go on from there. */
  readonly epoch: string;
  readonly protocolVersion: string;
  /** The session that lists the chat, so that the chat can be opened again without asking. */
  readonly session?: URI;
}

export interface MirroredChat {
  /**
   * Confirmed state with the last window of turns, or `undefined` if none is kept. Cursors are never stored:
   * `turnsNextCursor` is absent, and `older` says what is known instead.
   */
  readonly record: ChatRecord | undefined;
  /** `mirror`: older turns are kept here. `unknown`: the host must be asked. `none`: the run starts with the first turn. */
  readonly older: 'mirror' | 'unknown' | 'none';
  /** Of the asking client only, in `clientSeq` order. */
  readonly outbox: readonly OutboxEntry[];
  readonly draft: StoredDraft | undefined;
}

export type NotKeptReason =
  /** Memory was chosen. */
  | 'memory'
  /** The page has no IndexedDB. */
  | 'no-storage'
  /** The last write failed, or the database was lost twice. */
  | 'storage-failed'
  /** The disk is full, also without older turns of other chats. */
  | 'quota'
  /** A newer build owns the database; what is stored is untouched. */
  | 'newer-version'
  /** Another page keeps an old database open. */
  | 'blocked'
  /** Another page deleted the database, for example at sign-out. This one never writes to it again. */
  | 'cleared';

export interface ClientRecord {
  readonly clientId: string;
  readonly nextClientSeq: number;
  /** Milliseconds since the epoch; only meaningful where there are no locks. */
  readonly seenAt: number;
}

export interface PutOutboxOptions {
  readonly nextClientSeq: number;
  readonly clearDraft: boolean;
  /** What stands in the place of a draft that is cleared. */
  readonly draft?: StoredDraft | undefined;
}

export interface Mirror {
  /** Why what is written now would not survive a reload; `undefined` while all is well. */
  readonly notKept: NotKeptReason | undefined;
  /** Calls `listener` when `notKept` changes. */
  onNotKept(listener: () => void): () => void;

  /** All clients that ever wrote here. */
  listClients(): Promise<readonly ClientRecord[]>;
  /** Reads a client's counter, or starts it at 1, and says that the client is alive at `now`. */
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
   * Says that this document has just become the one that writes `channel`: it gained the lock `mirror:<chat>`. What
   * stands there may come from another document, so the next `saveChat` looks first and writes its turns once.
   */
  claimChat(channel: URI): void;
  /**
   * Writes confirmed state; only the document that claimed the chat calls it. Turns that are the same objects as at the
   * last call are not written again. Turns of the run that stand before `record.state.turns[0]` are kept if that turn is
   * in the run and `record.isComplete` is not set, else the run is replaced.
   *
   * Writes at once, and clones within the call unless an earlier save of the chat is under way; saves that wait for one
   * become one, the newest. When to save is the caller's choice: a finished turn at once, a running one now and then.
   * While only the running turn has changed and is above 1 MiB, nothing is written and what is stored stays as it is.
   */
  saveChat(channel: URI, record: ChatRecord): Promise<void>;
  /** The chat used last on this host. */
  findLastChat(): Promise<{ chat: URI; session?: URI } | undefined>;

  /**
   * Writes one intent before it is sent: its entries, all of one chat and client, the client's next `clientSeq`, and, where
   * the intent is a message being sent, the end of this client's draft, in one blind transaction. Rejects with `AhpError`,
   * and changes nothing, where the page is left meanwhile: by then somebody else may send what it left at the origin.
   */
  putOutbox(entries: readonly OutboxEntry[], options: PutOutboxOptions): Promise<void>;
  /** Rewrites entries that are still there, for example with a new `sends`. */
  updateOutbox(entries: readonly OutboxEntry[]): Promise<void>;
  removeOutbox(entries: readonly Pick<OutboxEntry, 'clientId' | 'clientSeq'>[]): Promise<void>;

  /** Rejects where the page is left before it is done, since another one may rescue a newer state in this name meanwhile. */
  putDraft(channel: URI, clientId: string, draft: StoredDraft): Promise<void>;
  /** Removes the draft unless a greater revision than `revision` stands there. */
  deleteDraft(channel: URI, clientId: string, revision: number): Promise<void>;

  /**
   * Moves outbox and drafts of a client that is gone to `to`, in one transaction, and forgets `from`. The entries keep
   * their order and get new sequence numbers, the first being `firstClientSeq` or the stored counter of `to`, whichever
   * is greater: `to` may have used numbers for what is never stored. The caller holds the lock of `from`. Where `to` has a
   * draft of its own for the chat, that of `from` stands beside it, in `left`; of two forms the one with the later
   * `updatedAt` stays. Either has a revision above that of the row it replaces. Rejects with `AhpError`, and changes nothing,
   * where the page is left meanwhile: with it `to` is given up.
   */
  adopt(
    from: string,
    to: string,
    firstClientSeq: number,
  ): Promise<{ entries: readonly OutboxEntry[]; nextClientSeq: number }>;

  /**
   * Notes that a tool call of this client is about to run. Resolves with whether that is the first time; a call that was
   * noted before must not run again. Notes of a month ago are forgotten.
   */
  claimToolRun(id: string, now: number): Promise<boolean>;

  /** Deletes everything, on disk too, and makes other pages stop writing. The mirror stays usable, and is kept again. */
  clear(): Promise<void>;
  /** Ends all use of the database; pending writes are finished first. The mirror must not be used afterwards. */
  close(): Promise<void>;
  /**
   * The page is frozen or left: nothing is begun from now on, and what can be is aborted, to be written after `resume`,
   * but for intents, drafts and adoptions.
   * Synchronous, for `pagehide`.
   */
  suspend(): void;
  /** The page is back. Locks were gone in between, so every chat has to be claimed again; until then a save looks first. */
  resume(): void;
}
