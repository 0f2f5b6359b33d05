/**
 * Which turns a list of finished turns holds. Paging through a long chat asks this once per page; the answer is handed
 * from each array to its successor, so that a page costs what the page holds and not what the chat holds.
 */

import type { Turn } from '../protocol/state.js';

type Turns = readonly Turn[];

interface KnownIds {
  /** The ids of this array, and perhaps of arrays that grew out of it on another branch. */
  readonly ids: Set<string>;
  /** How many ids there were when they were exactly those of this array. */
  readonly exactSize: number;
}

const known = new WeakMap<Turns, KnownIds>();

/** The exact ids of `turns`. */
function idsOf(turns: Turns): Set<string> {
  const found = known.get(turns);
  if (found?.ids.size === found?.exactSize && found) return found.ids;
  const ids = new Set(turns.map((turn) => turn.id));
  known.set(turns, { ids, exactSize: ids.size });
  return ids;
}

/** Records that `next` is `turns` with `added`. `ids` are those of `turns`, and are given away. */
function handOver(ids: Set<string>, next: Turns, added: Turns): void {
  for (const turn of added) ids.add(turn.id);
  known.set(next, { ids, exactSize: ids.size });
}

/** Whether a finished turn has this id. */
export function hasTurn(turns: Turns, id: string): boolean {
  // A scan is cheap once per turn; only paging pays for an index.
  const found = known.get(turns);
  if (found) return idsOf(turns).has(id);
  return turns.some((turn) => turn.id === id);
}

/** The turns with one more at the end. */
export function appendTurn(turns: Turns, turn: Turn): Turns {
  const next = [...turns, turn];
  if (known.has(turns)) handOver(idsOf(turns), next, [turn]);
  return next;
}

/** The turns with older ones in front, without those that are there already; the same array if none is new. */
export function prependTurns(older: Turns, turns: Turns): Turns {
  const ids = idsOf(turns);
  const added = older.filter((turn) => !ids.has(turn.id));
  if (added.length === 0) return turns;
  const next = [...added, ...turns];
  handOver(ids, next, added);
  return next;
}
