/**
 * The response parts of a running turn as one array that is copied for each change and yet searched in constant time: a
 * delta into a turn with thousands of tool calls costs one pointer copy of the array and no look at the other parts.
 *
 * The index is kept beside the array, in a `WeakMap`, and handed from each array to its successor. Successors of one array
 * may branch (an optimistic state and a confirmed one), so what the index says is a candidate and is checked against the
 * array before it counts; it never misses one, because every appended part is entered.
 */

import type { ResponsePart } from '../protocol/state.js';

export type Parts = readonly ResponsePart[];

interface PartsIndex {
  /** Where parts with an id may stand, in this array or in one that shares its beginning. */
  readonly candidates: Map<string, number[]>;
  /** How many parts of exactly this array wait for somebody. */
  readonly blocking: number;
}

const indexes = new WeakMap<Parts, PartsIndex>();

/** The id of a part: a tool call's is its `toolCallId`; some kinds have none. */
function idOf(part: ResponsePart | undefined): unknown {
  if (part?.kind === 'toolCall') return part.toolCall?.toolCallId;
  return (part as { id?: unknown } | undefined)?.id;
}

/** Whether the part holds up its turn until a person acts. */
export function isBlocking(part: ResponsePart): boolean {
  if (part?.kind === 'inputRequest') return part.response === undefined;
  if (part?.kind !== 'toolCall') return false;
  const status = part.toolCall?.status;
  return status === 'pending-confirmation' || status === 'pending-result-confirmation' || status === 'auth-required';
}

function enter(candidates: Map<string, number[]>, part: ResponsePart, position: number): void {
  const id = idOf(part);
  if (typeof id !== 'string') return;
  const known = candidates.get(id);
  if (!known) candidates.set(id, [position]);
  else if (!known.includes(position)) known.push(position);
}

function indexFor(parts: Parts): PartsIndex {
  let index = indexes.get(parts);
  if (!index) {
    const candidates = new Map<string, number[]>();
    let blocking = 0;
    parts.forEach((part, position) => {
      enter(candidates, part, position);
      if (isBlocking(part)) blocking++;
    });
    index = { candidates, blocking };
    indexes.set(parts, index);
  }
  return index;
}

/** How many parts wait for somebody. */
export const countBlocking = (parts: Parts): number => indexFor(parts).blocking;

/** Where the first part with this id stands; -1 if there is none. */
export function findPart(parts: Parts, id: string): number {
  let first = -1;
  for (const position of indexFor(parts).candidates.get(id) ?? []) {
    if ((first < 0 || position < first) && idOf(parts[position]) === id) first = position;
  }
  return first;
}

/** Where all tool calls with this id stand: some hosts start one call twice. */
export function findCalls(parts: Parts, toolCallId: string): readonly number[] {
  const found = indexFor(parts).candidates.get(toolCallId) ?? [];
  return found.filter((at) => parts[at]?.kind === 'toolCall' && idOf(parts[at]) === toolCallId);
}

/** The parts with one more at the end. */
export function appendPart(parts: Parts, part: ResponsePart): Parts {
  const index = indexFor(parts);
  const next = [...parts, part];
  enter(index.candidates, part, parts.length);
  indexes.set(next, isBlocking(part) ? { ...index, blocking: index.blocking + 1 } : index);
  return next;
}

/** The parts with another one at `position`; its id must be that of the old one. */
export function replacePart(parts: Parts, position: number, part: ResponsePart): Parts {
  const index = indexFor(parts);
  const old = parts[position];
  const next = parts.slice();
  next[position] = part;
  const change = Number(isBlocking(part)) - Number(old !== undefined && isBlocking(old));
  indexes.set(next, change === 0 ? index : { ...index, blocking: index.blocking + change });
  return next;
}
