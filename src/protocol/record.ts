/**
 * Plain JSON records without surprises: a key may be called `__proto__`, an absent member and an `undefined` one are the
 * same, and a setter that changes nothing gives back the very same object.
 */

/** Whether `value` is an object with members; arrays and `null` are not. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Deeper than any JSON that `parse.ts` lets in; what is nested deeper counts as different. */
const MAX_DEPTH = 1000;

/** Whether two JSON values are the same by content. Order of keys does not count; an `undefined` member is absent. */
export function isEqual(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a !== a && b !== b;
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => isEqual(item, b[index], depth + 1));
  }
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  let members = 0;
  for (const key of Object.keys(left)) {
    if (left[key] === undefined) continue;
    if (!Object.hasOwn(right, key) || !isEqual(left[key], right[key], depth + 1)) return false;
    members++;
  }
  for (const key of Object.keys(right)) if (right[key] !== undefined) members--;
  return members === 0;
}

/** Sets an own member; `record` must be one's own, still under construction. */
export function putMember(record: object, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    (record as Record<string, unknown>)[key] = value;
  }
}

/**
 * A new record with the members of all sources; the later win, and what is `undefined` is left out. For literals with more
 * than one spread, which cost engines ten times as much; `Object.assign` would let `__proto__` change the prototype.
 */
export function compose<A extends object, B extends object, C extends object = object, D extends object = object>(
  ...sources: [a: A, b: B, c?: C, d?: D]
): A & B & C & D {
  const record = {};
  for (const source of sources as Record<string, unknown>[]) {
    for (const key of Object.keys(source)) if (source[key] !== undefined) putMember(record, key, source[key]);
  }
  return record as A & B & C & D;
}

/** Only the members named, as far as they are given. */
export function pick<T extends object, K extends keyof T & string>(record: T, keys: readonly K[]): Pick<T, K> {
  const picked = {};
  for (const key of keys) if (record[key] !== undefined) putMember(picked, key, record[key]);
  return picked as Pick<T, K>;
}

/** A copy without `key`; the same object if it has none. */
export function without<T extends object, K extends keyof T>(record: T, key: K): T {
  if (!Object.hasOwn(record, key) || record[key] === undefined) return record;
  const { [key]: _, ...rest } = record;
  return rest as T;
}

/** A copy in which `key` is `value`, or absent for `undefined`; the same object if that is so already. */
export function withField<T extends object, K extends keyof T>(record: T, key: K, value: T[K] | undefined): T {
  if (value === undefined) return without(record, key);
  return isEqual(record[key], value) ? record : { ...record, [key]: value };
}

/** The list with `item` in the place of the one it is the new version of, else at its end; the same list if it is equal. */
export function upsert<T>(list: readonly T[], item: T, isSame: (other: T) => boolean): readonly T[] {
  const at = list.findIndex(isSame);
  if (at < 0) return [...list, item];
  return isEqual(list[at], item) ? list : list.with(at, item);
}

/** The list without what matches; the same list if nothing does. */
export function withoutItems<T>(list: readonly T[], matches: (item: T) => boolean): readonly T[] {
  return list.some(matches) ? list.filter((item) => !matches(item)) : list;
}

/** Sets a list that is absent rather than empty. */
export function withList<T extends object, K extends keyof T>(record: T, key: K, list: T[K] & readonly unknown[]): T {
  if (list === record[key]) return record;
  return list.length === 0 ? without(record, key) : { ...record, [key]: list };
}
