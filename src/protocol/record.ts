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
