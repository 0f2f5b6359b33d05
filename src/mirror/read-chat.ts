/**
 * Reads a chat inside a transaction: its last turns, or those before one. What is read does not grow with the number of
 * turns. A chat with something in it that this build cannot read comes back as `unreadable`.
 */

import type { Turn, URI } from '../protocol/state.js';
import type { MirroredChat, OutboxEntry } from './mirror.js';
import { fromStoredChat, isReadableChat, isReadableTurn, toDraft, toOlder } from './records.js';
import { toTurnRange, type StoredTurn } from './schema.js';
import type { DiskTransaction } from './write.js';

export type ReadChat = MirroredChat & { readonly isUnreadable: boolean };

export interface ReadTurns {
  readonly turns: readonly Turn[];
  readonly older: MirroredChat['older'];
  readonly isUnreadable: boolean;
}

const NO_TURNS: ReadTurns = { turns: [], older: 'unknown', isUnreadable: false };

export async function readChat(
  { read }: DiskTransaction,
  channel: URI,
  clientId: string,
  count: number,
): Promise<ReadChat> {
  const turns = read.objectStore('turns');
  const [stored, firstKey, lastCursor, entries, draft] = await Promise.all([
    read.objectStore('channels').get(channel),
    turns.getKey(toTurnRange(channel)),
    turns.openKeyCursor(toTurnRange(channel), 'prev'),
    readEntries(read, clientId),
    read.objectStore('drafts').get([channel, clientId]),
  ]);
  const written = {
    outbox: entries.filter((entry) => entry.channel === channel),
    draft: draft && toDraft(draft),
  };
  if (!stored) return { record: undefined, older: 'unknown', ...written, isUnreadable: false };

  const end = (lastCursor?.key[1] ?? -1) + 1;
  const first = firstKey?.[1] ?? end;
  const start = Math.max(end - count, first);
  const page = start < end ? await turns.getAll(toTurnRange(channel, start, end - 1)) : [];
  if (!isReadableChat(stored) || !areReadable(page)) {
    return { record: undefined, older: 'unknown', ...written, isUnreadable: true };
  }
  const older = toOlder(start > first, stored.isComplete);
  const record = fromStoredChat(stored, page.map(toTurn), older === 'none');
  return { record, older, ...written, isUnreadable: false };
}

export async function readTurnsBefore(
  { read }: DiskTransaction,
  channel: URI,
  turnId: string,
  count: number,
): Promise<ReadTurns> {
  const turns = read.objectStore('turns');
  const [endKey, firstKey, stored] = await Promise.all([
    turns.index('id').getKey([channel, turnId]),
    turns.getKey(toTurnRange(channel)),
    read.objectStore('channels').get(channel),
  ]);
  if (!endKey || !firstKey || !stored) return NO_TURNS;

  const end = endKey[1];
  const first = firstKey[1];
  const start = Math.max(end - count, first);
  const page = start < end ? await turns.getAll(toTurnRange(channel, start, end - 1)) : [];
  if (!areReadable(page)) return { ...NO_TURNS, isUnreadable: true };
  return { turns: page.map(toTurn), older: toOlder(start > first, stored.isComplete), isUnreadable: false };
}

/** All entries of a client in `clientSeq` order. */
export const readEntries = (read: DiskTransaction['read'], clientId: string): Promise<OutboxEntry[]> =>
  read.objectStore('outbox').getAll(toEntryRange(clientId));

export async function readLastEntryKey(
  read: DiskTransaction['read'],
  clientId: string,
): Promise<[string, number] | undefined> {
  const cursor = await read.objectStore('outbox').openKeyCursor(toEntryRange(clientId), 'prev');
  return cursor?.primaryKey;
}

const toEntryRange = (clientId: string): IDBKeyRange => IDBKeyRange.bound([clientId, -Infinity], [clientId, Infinity]);

const toTurn = ({ turn }: StoredTurn): Turn => turn;

const areReadable = (page: readonly StoredTurn[]): boolean => page.every(({ turn }) => isReadableTurn(turn));
