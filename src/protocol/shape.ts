/**
 * Small readers for values off the wire. A reader gives the value back, the very same object if nothing is wrong with it;
 * a copy in which members of the wrong type are absent or replaced by something harmless; or `undefined` if it cannot be
 * read at all. Unknown members always stay. The tables made of these are `chat-shapes.ts` and `channel-shapes.ts`; only `parse.ts` calls them.
 */

import { isRecord, putMember } from './record.js';

/** Reads one value; `undefined` means absent or unreadable. */
export type Read = (value: unknown) => unknown;

export const string: Read = (value) => (typeof value === 'string' ? value : undefined);
export const boolean: Read = (value) => (typeof value === 'boolean' ? value : undefined);
/** JSON has no infinity, but `1e999` becomes one. */
export const number: Read = (value) => (Number.isFinite(value) ? value : undefined);
export const record: Read = (value) => (isRecord(value) ? value : undefined);
/** Text that is shown literally, or Markdown. */
export const words: Read = (value) =>
  typeof value === 'string' || (isRecord(value) && typeof value.markdown === 'string') ? value : undefined;

/** The value as read, else `fallback`. */
export const orElse =
  (read: Read, fallback: unknown): Read =>
  (value) =>
    read(value) ?? fallback;

/** The first of two readings that succeeds. */
export const either =
  (first: Read, second: Read): Read =>
  (value) =>
    first(value) ?? second(value);

/** An array; items that cannot be read are left out. */
export function list(read: Read): Read {
  return (value) => {
    if (!Array.isArray(value)) return undefined;
    const items: readonly unknown[] = value;
    const readItems = items.map(read);
    if (readItems.every((item, index) => item === items[index] && item !== undefined)) return items;
    return readItems.filter((item) => item !== undefined);
  };
}

/** A record with any keys; members that cannot be read are left out. */
export function dictionary(read: Read): Read {
  return (value) => {
    if (!isRecord(value)) return undefined;
    const entries = Object.entries(value);
    if (entries.every(([, member]) => read(member) === member && member !== undefined)) return value;
    const copy = {};
    for (const [key, member] of entries) {
      const after = read(member);
      if (after !== undefined) putMember(copy, key, after);
    }
    return copy;
  };
}

/** A record whose known members are read by `fields`. Whatever `needs` names must be readable, or the whole is not. */
export function shape(fields: Readonly<Record<string, Read>>, needs: readonly string[] = []): Read {
  const entries = Object.entries(fields);
  return (value) => {
    if (!isRecord(value)) return undefined;
    let copy: Record<string, unknown> | undefined;
    for (const [key, read] of entries) {
      const before = value[key];
      const after = read(before);
      if (after === before) continue;
      copy ??= { ...value };
      if (after === undefined) delete copy[key];
      else copy[key] = after;
    }
    const result = copy ?? value;
    return needs.some((key) => result[key] === undefined) ? undefined : result;
  };
}

/** A record read by the table its discriminator names; of a kind not listed it is `other`. */
export function variant(key: string, reads: Readonly<Record<string, Read>>, other: Read = record): Read {
  const table = new Map(Object.entries(reads));
  return (value) => {
    const kind = isRecord(value) ? value[key] : undefined;
    return ((typeof kind === 'string' && table.get(kind)) || other)(value);
  };
}

/** For shapes that name each other in circles. */
export const lazy =
  (read: () => Read): Read =>
  (value) =>
    read()(value);
