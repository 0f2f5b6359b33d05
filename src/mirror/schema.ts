/**
 * What stands on disk: names, keys, indexes and the steps that make them. A step that was released is never edited, only
 * followed by another; the version is the number of steps. Values may gain fields without a step, keys may not.
 *
 * One database per host and account. Which store is flushed strictly follows one rule: strict for what only the person
 * has, relaxed for what the host can give again.
 */

import type { DBSchema } from 'idb';
import type { ChatState, Turn, URI } from '../protocol/state.js';
import type { ClientRecord, OutboxEntry, StoredDraft } from './mirror.js';

/** Changes when chat state is stored in another shape under the same keys. State of another format is discarded. */
export const STATE_FORMAT = 1;

/** A chat without its finished turns. */
export interface StoredChat {
  readonly uri: URI;
  readonly format: number;
  readonly state: Omit<ChatState, 'turns' | 'turnsNextCursor'>;
  /** Nothing is older than the first turn of the stored run. */
  readonly isComplete: boolean;
  readonly appliedSeq: number;
  /** Absent in what an earlier build wrote; `appliedSeq` says nothing then. */
  readonly epoch?: string;
  readonly protocolVersion: string;
  readonly session?: URI;
  /** Milliseconds since the epoch. */
  readonly accessedAt: number;
}

/**
 * One finished turn. Ordinals of a chat have no gap and fall from turn to turn: the newest turns come first, so that the
 * last window of a chat is one request however many turns there are.
 */
export interface StoredTurn {
  readonly chat: URI;
  readonly ordinal: number;
  readonly turn: Turn;
}

interface DraftKey {
  readonly channel: URI;
  readonly clientId: string;
}

/**
 * A draft, or the mark that it was sent. The mark is written together with the message in the outbox, and not a deletion:
 * where a page goes in the middle of that, WebKit carries the deletion out and loses the message (measured); writes it
 * keeps or loses together.
 */
export type StoredDraftRow = (DraftKey & StoredDraft) | (DraftKey & { readonly isOver: true });

/** One file of something staged. Its bytes are `blobs` under its id. */
export interface StoredMember {
  readonly id: string;
  /** Relative to what was staged, with `/`; the plain name for a single file. */
  readonly path: string;
  readonly contentType: string;
  readonly byteSize: number;
  readonly lastModified?: number;
}

/** A file, folder or other thing that is attached and not sent yet, without its bytes. */
export interface StoredStaged {
  readonly id: string;
  readonly channel: URI;
  readonly clientId: string;
  readonly label: string;
  readonly members: readonly StoredMember[];
  /** By member id: what its upload has reached, in the words of the port that does it. */
  readonly uploads: Readonly<Record<string, unknown>>;
  /** How it came in. */
  readonly source: string;
}

/** A slice of at most 4 MiB. Never a Blob: WebKit may refuse to store those. */
export interface StoredSlice {
  readonly member: string;
  readonly n: number;
  readonly bytes: ArrayBuffer;
}

/** A tool call of this client's that has begun to run. */
export interface StoredToolRun {
  /** Chat, turn and call. */
  readonly id: string;
  readonly startedAt: number;
}

export interface MirrorSchema extends DBSchema {
  clients: { key: string; value: ClientRecord };
  channels: { key: URI; value: StoredChat; indexes: { accessedAt: number } };
  turns: { key: [URI, number]; value: StoredTurn; indexes: { id: [URI, string] } };
  outbox: { key: [string, number]; value: OutboxEntry; indexes: { channel: URI } };
  drafts: { key: [URI, string]; value: StoredDraftRow };
  staged: { key: string; value: StoredStaged; indexes: { channel: URI } };
  blobs: { key: [string, number]; value: StoredSlice };
  toolRuns: { key: string; value: StoredToolRun; indexes: { startedAt: number } };
}

export type MirrorStore = 'clients' | 'channels' | 'turns' | 'outbox' | 'drafts' | 'staged' | 'blobs' | 'toolRuns';

/** In the order they were added. */
export const MIRROR_STORES: readonly MirrorStore[] = [
  'clients',
  'channels',
  'turns',
  'outbox',
  'drafts',
  'staged',
  'blobs',
  'toolRuns',
];

/**
 * The name in `clients` under which stands when the database was begun, as `seenAt`. It sorts before every client's, and
 * tells a page that was away whether another one has deleted what it knew.
 */
export const DATABASE_ITSELF = '';

/** How many of them each version has; a later one than is known here has all. */
const COUNTS: readonly number[] = [7, 8];

/** The stores a database has after so many steps. */
export const storesAfter = (steps: number): readonly MirrorStore[] => MIRROR_STORES.slice(0, COUNTS[steps - 1]);

const RELAXED: ReadonlySet<MirrorStore> = new Set<MirrorStore>(['channels', 'turns']);

/** Strict as soon as one of the stores is. */
export const toDurability = (stores: readonly MirrorStore[]): 'strict' | 'relaxed' =>
  stores.every((store) => RELAXED.has(store)) ? 'relaxed' : 'strict';

/** `position` grows from turn to turn, as in an array; it may be negative. */
export const toOrdinal = (position: number): number => 0 - position;

/** The turns of `chat` whose positions lie between the two, both included; newest first. */
export const toTurnRange = (chat: URI, from = -Infinity, to = Infinity): IDBKeyRange =>
  IDBKeyRange.bound([chat, toOrdinal(to)], [chat, toOrdinal(from)]);

/** Makes version `n + 1` out of version `n`, inside the version change transaction. */
export type UpgradeStep = (database: IDBDatabase, transaction: IDBTransaction) => void;

/** Step `n` leads from version `n` to `n + 1`. */
export const UPGRADE_STEPS: readonly UpgradeStep[] = [
  (database) => {
    database.createObjectStore('clients', { keyPath: 'clientId' });
    database.createObjectStore('channels', { keyPath: 'uri' }).createIndex('accessedAt', 'accessedAt');
    database
      .createObjectStore('turns', { keyPath: ['chat', 'ordinal'] })
      .createIndex('id', ['chat', 'turn.id'], { unique: true });
    database.createObjectStore('outbox', { keyPath: ['clientId', 'clientSeq'] }).createIndex('channel', 'channel');
    database.createObjectStore('drafts', { keyPath: ['channel', 'clientId'] });
    database.createObjectStore('staged', { keyPath: 'id' }).createIndex('channel', 'channel');
    database.createObjectStore('blobs', { keyPath: ['member', 'n'] });
  },
  (database) => {
    database.createObjectStore('toolRuns', { keyPath: 'id' }).createIndex('startedAt', 'startedAt');
  },
];

export const DB_VERSION = UPGRADE_STEPS.length;

/** `hostKey` is the host's URL without query and fragment, plus what keeps two accounts on it apart. */
export const toDatabaseName = (hostKey: string): string => `ahp-chat:${hostKey}`;
