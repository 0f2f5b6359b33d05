/** The session list in pages: newest first, by cursors that survive a list that moves. Source: AHP, `listSessions`. */

import type { ListSessionsResult } from '../protocol/commands.js';
import type { SessionSummary } from '../protocol/state.js';

type Place = Pick<SessionSummary, 'modifiedAt' | 'resource'>;

/** Newest first; sessions of one moment by their URI. */
export function compareNewest(a: Place, b: Place): number {
  if (a.modifiedAt !== b.modifiedAt) return a.modifiedAt > b.modifiedAt ? -1 : 1;
  if (a.resource === b.resource) return 0;
  return a.resource < b.resource ? -1 : 1;
}

/** One page of `all`, which is sorted; `undefined` for a cursor that is none. */
export function toPage(
  all: readonly SessionSummary[],
  limit: number | undefined,
  cursor: string | undefined,
): ListSessionsResult | undefined {
  const start = cursor === undefined ? 0 : findStart(all, cursor);
  if (start === undefined) return undefined;
  const items = limit ? all.slice(start, start + Math.max(1, Math.floor(limit))) : all.slice(start);
  const last = items.at(-1);
  return last && start + items.length < all.length ? { items, nextCursor: toCursor(last) } : { items };
}

/** A page goes on after the place of the last one's end, whatever has moved since. */
const toCursor = ({ modifiedAt, resource }: Place) => `after:${modifiedAt}|${resource}`;

function findStart(all: readonly SessionSummary[], cursor: string): number | undefined {
  const match = /^after:([^|]*)\|(.*)$/s.exec(cursor);
  if (!match) return undefined;
  const [, modifiedAt = '', resource = ''] = match;
  const index = all.findIndex((summary) => compareNewest(summary, { modifiedAt, resource }) > 0);
  return index < 0 ? all.length : index;
}
