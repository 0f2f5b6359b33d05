/**
 * Reads a chat inside a transaction: its last turns, or those before one. What is read does not grow with the number of
 * turns. A chat with something in it that this build cannot read comes back as `unreadable`.
 */

import type { Turn, URI } from '../protocol/state.js';
import type { MirroredChat, OutboxEntry } from './mirror.js';
import { findDraft, fromStoredChat, isReadableChat, isReadableTurn, toOlder } from './records.js';
import { toOrdinal, toTurnRange } from './schema.js';
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
  const [stored, page, entries, draft] = await Promise.all([
    read.objectStore('channels').get(channel),
    readPage(read, toTurnRange(channel), count),
    readEntries(read, clientId),
    read.objectStore('drafts').get([channel, clientId]),
  ]);
  const written = {
    outbox: entries.filter((entry) => entry.channel === channel),
    draft: findDraft(draft),
  };
  const isUnreadable = stored !== undefined && !(isReadableChat(stored) && areReadable(page.turns));
  if (!stored || isUnreadable) return { record: undefined, older: 'unknown', ...written, isUnreadable };

  const older = toOlder(page.hasOlder, stored.isComplete);
  return { record: fromStoredChat(stored, page.turns, older === 'none'), older, ...written, isUnreadable };
}

export async function readTurnsBefore(
  { read }: DiskTransaction,
  channel: URI,
  turnId: string,
  count: number,
): Promise<ReadTurns> {
  const [key, stored] = await Promise.all([
    read.objectStore('turns').index('id').getKey([channel, turnId]),
    read.objectStore('channels').get(channel),
  ]);
  if (!key || !stored) return NO_TURNS;
  const { turns, hasOlder } = await readPage(read, toTurnRange(channel, -Infinity, toOrdinal(key[1]) - 1), count);
  if (!areReadable(turns)) return { ...NO_TURNS, isUnreadable: true };
  return { turns, older: toOlder(hasOlder, stored.isComplete), isUnreadable: false };
}

/** The newest `count` turns of `range`, oldest first; one more is read to see whether there are others. */
async function readPage(
  read: DiskTransaction['read'],
  range: IDBKeyRange,
  count: number,
): Promise<{ turns: Turn[]; hasOlder: boolean }> {
  const found = await read.objectStore('turns').getAll(range, count + 1);
  const turns = found.slice(0, count).map(({ turn }) => turn);
  return { turns: turns.reverse(), hasOlder: found.length > count };
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

const areReadable = (turns: readonly Turn[]): boolean => turns.every(isReadableTurn);
