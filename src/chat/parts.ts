/**
 * The response parts of a running turn as one array that is copied for each change and yet searched in constant time: a
 * delta into a turn with thousands of tool calls costs one pointer copy of the array and no look at the other parts.
 *
 * The index is kept beside the array and moves on to its successor. An array that is changed a second time (an optimistic
 * state and a confirmed one may part ways) gets a new index, which is the one moment that all parts are looked at.
 */

import type { ResponsePart } from '../protocol/state.js';

export type Parts = readonly ResponsePart[];

interface PartsIndex {
  /** The array this is about. */
  parts: Parts;
  /** Where the parts with an id stand, in ascending order. */
  readonly positions: Map<string, number[]>;
  /** How many parts wait for somebody. */
  blocking: number;
}

/**
 * The arrays in use right now. A stream asks for the array it made last, and a chat with pending actions is two streams.
 * Writing a `WeakMap` for each delta would cost a fifth of the delta.
 */
const recent: PartsIndex[] = [];
const MAX_RECENT = 4;

/** Others that were in use once and may be again. */
const parked = new WeakMap<Parts, PartsIndex>();

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

function enter(index: PartsIndex, part: ResponsePart, position: number): void {
  if (isBlocking(part)) index.blocking++;
  const id = idOf(part);
  if (typeof id !== 'string') return;
  const known = index.positions.get(id);
  if (known) known.push(position);
  else index.positions.set(id, [position]);
}

function indexFor(parts: Parts): PartsIndex {
  for (const index of recent) if (index.parts === parts) return index;
  let index = parked.get(parts);
  // An index that was parked here may have moved on since.
  if (index?.parts !== parts) {
    index = { parts, positions: new Map(), blocking: 0 };
    for (let position = 0; position < parts.length; position++) enter(index, parts[position] as ResponsePart, position);
  }
  const oldest = recent.length < MAX_RECENT ? undefined : recent.shift();
  if (oldest) parked.set(oldest.parts, oldest);
  recent.push(index);
  return index;
}

/** Lets go of the parts of a turn that has ended. */
export function forgetParts(parts: Parts): void {
  const at = recent.findIndex((index) => index.parts === parts);
  if (at >= 0) recent.splice(at, 1);
}

/** How many parts wait for somebody. */
export const countBlocking = (parts: Parts): number => indexFor(parts).blocking;

/** Where the first part with this id stands; -1 if there is none. */
export const findPart = (parts: Parts, id: string): number => indexFor(parts).positions.get(id)?.[0] ?? -1;

/** Where all tool calls with this id stand: some hosts start one call twice. */
export function findCalls(parts: Parts, toolCallId: string): readonly number[] {
  return (
    indexFor(parts)
      .positions.get(toolCallId)
      ?.filter((at) => parts[at]?.kind === 'toolCall') ?? []
  );
}

/** The parts with one more at the end. */
export function appendPart(parts: Parts, part: ResponsePart): Parts {
  const index = indexFor(parts);
  enter(index, part, parts.length);
  return (index.parts = parts.concat([part]));
}

/** The parts with another one at `position`; its id must be that of the old one. */
export function replacePart(parts: Parts, position: number, part: ResponsePart): Parts {
  const index = indexFor(parts);
  const next = parts.slice();
  const old = next[position];
  next[position] = part;
  index.blocking += Number(isBlocking(part)) - Number(old !== undefined && isBlocking(old));
  return (index.parts = next);
}
