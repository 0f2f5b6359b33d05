/**
 * What goes into a stored value and what comes out of it. Pure; shared by both mirrors, so that they keep and leave out
 * the same things. Cursors and client secrets never pass; a value this build cannot read comes out as `undefined`.
 */

import type { ActiveTurn, ResponsePart, Turn, URI } from '../protocol/state.js';
import type { ChatRecord, MirroredChat, StoredDraft } from './mirror.js';
import { STATE_FORMAT, type StoredChat, type StoredDraftRow } from './schema.js';

/** Above this many UTF-16 units a chat whose running turn alone has changed is not written. */
export const MAX_RUNNING_SIZE = 1024 * 1024;

export function toStoredChat(uri: URI, record: ChatRecord, isComplete: boolean, accessedAt: number): StoredChat {
  const { turns: _turns, turnsNextCursor: _cursor, ...rest } = record.state;
  const state = rest.activeTurn ? { ...rest, activeTurn: withoutSecrets(rest.activeTurn) } : rest;
  return {
    uri,
    format: STATE_FORMAT,
    state,
    isComplete,
    appliedSeq: record.appliedSeq,
    epoch: record.epoch,
    protocolVersion: record.protocolVersion,
    ...(record.session === undefined ? {} : { session: record.session }),
    accessedAt,
  };
}

export function fromStoredChat(stored: StoredChat, turns: readonly Turn[], isComplete: boolean): ChatRecord {
  return {
    state: { ...stored.state, turns },
    isComplete,
    appliedSeq: stored.appliedSeq,
    epoch: stored.epoch ?? '',
    protocolVersion: stored.protocolVersion,
    ...(stored.session === undefined ? {} : { session: stored.session }),
  };
}

/** What is known of turns before some turn: `isKept` if any of them are stored. */
export function toOlder(isKept: boolean, isComplete: boolean): MirroredChat['older'] {
  if (isKept) return 'mirror';
  return isComplete ? 'none' : 'unknown';
}

/** `undefined` if the draft was sent. */
export function findDraft(row: StoredDraftRow | undefined): StoredDraft | undefined {
  if (!row || 'isOver' in row) return undefined;
  const { channel: _channel, clientId: _clientId, ...draft } = row;
  return draft;
}

/** Whether this build knows the shape. What is stored was written by a build like it, or by a stranger. */
export function isReadableChat(stored: StoredChat): boolean {
  return (
    stored.format === STATE_FORMAT &&
    isObject(stored.state) &&
    typeof stored.state.resource === 'string' &&
    typeof stored.appliedSeq === 'number' &&
    typeof stored.protocolVersion === 'string' &&
    (stored.state.activeTurn === undefined || isReadableTurn(stored.state.activeTurn))
  );
}

export const isReadableTurn = (turn: Turn | ActiveTurn): boolean =>
  isObject(turn) && typeof turn.id === 'string' && isObject(turn.message) && Array.isArray(turn.responseParts);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Leaves out the client secret of a sign-in that a tool call waits for. The same object if there is none. Parts of
 * kinds this build does not know are searched as a whole. Source: AHP, authentication.
 */
export function withoutSecrets<T extends Turn | ActiveTurn>(turn: T): T {
  const responseParts = mapShared(turn.responseParts, withoutSecretsInPart);
  return responseParts === turn.responseParts ? turn : { ...turn, responseParts };
}

const PARTS_WITHOUT_SECRETS: ReadonlySet<string> = new Set<ResponsePart['kind']>([
  'markdown',
  'reasoning',
  'contentRef',
  'systemNotification',
  'inputRequest',
  'error',
]);

function withoutSecretsInPart(part: ResponsePart): ResponsePart {
  if (PARTS_WITHOUT_SECRETS.has(part.kind)) return part;
  if (part.kind !== 'toolCall') return withoutSecretsAnywhere(part);
  // Results of tools are theirs; only the requirement to sign in carries a secret of a client.
  if (!('auth' in part.toolCall)) return part;
  const auth = withoutSecretsAnywhere(part.toolCall.auth);
  return auth === part.toolCall.auth ? part : { ...part, toolCall: { ...part.toolCall, auth } };
}

function withoutSecretsAnywhere<T>(value: T): T {
  if (!isObject(value)) return value;
  // The casts say what the walk keeps: a value of the same shape, less the secrets.
  if (Array.isArray(value)) return mapShared(value, withoutSecretsAnywhere) as T;
  const entries = Object.entries(value);
  const kept = entries
    .filter(([key]) => key !== 'clientSecret')
    .map(([key, item]) => [key, withoutSecretsAnywhere<unknown>(item)] as const);
  const isSame = kept.length === entries.length && kept.every(([, item], index) => item === entries[index]?.[1]);
  return isSame ? value : (Object.fromEntries(kept) as T);
}

/** Like `map`, but the same array if every item came out as it went in. */
function mapShared<T>(items: readonly T[], map: (item: T) => T): readonly T[] {
  let changed: T[] | undefined;
  items.forEach((item, index) => {
    const mapped = map(item);
    if (mapped === item && !changed) return;
    changed ??= items.slice(0, index);
    changed.push(mapped);
  });
  return changed ?? items;
}

/** Whether the strings in `value`, with something for each node, add up to more than `limit`. Stops counting there. */
export function isLargerThan(value: unknown, limit: number): boolean {
  const open: unknown[] = [value];
  let size = 0;
  while (open.length > 0 && size <= limit) {
    const next = open.pop();
    size += typeof next === 'string' ? next.length : 8;
    if (isObject(next)) for (const item of Object.values(next)) open.push(item);
  }
  return size > limit;
}
