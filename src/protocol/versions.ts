/**
 * Protocol versions: what we offer, and how two lists meet. Only `client/to-wire.ts` asks which version was negotiated,
 * and only to decide what may be sent. Source: AHP, versioning.
 */

/** Offered in this order. 0.10.0 was announced by shipped hosts only; its wire shape is that of 1.0. */
export const offeredVersions = ['1.0.0', '0.10.0', '0.9.0', '0.8.0', '0.7.0', '0.6.0'] as const;

const PLAIN = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

function parts(version: string): readonly [number, number, number] | undefined {
  const match = PLAIN.exec(version);
  return match ? [Number(match[1]), Number(match[2]), Number(match[3])] : undefined;
}

/** Negative, zero or positive as `a` is below, equal to or above `b`. A malformed version is below every other. */
export function compareVersions(a: string, b: string): number {
  const left = parts(a);
  const right = parts(b);
  if (!left || !right) return Number(Boolean(left)) - Number(Boolean(right));
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2];
}

/** Whether `version` is plain `MAJOR.MINOR.PATCH`. */
export const isVersion = (version: unknown): version is string =>
  typeof version === 'string' && parts(version) !== undefined;

/**
 * Whether `version` lies in `range`: one version, or space-separated comparators such as `>=1.0.0 <2.0.0`. Anything
 * else never matches.
 */
export function satisfies(version: string, range: string): boolean {
  const comparators = range.trim().split(/\s+/);
  return comparators.every((comparator) => {
    const match = /^(>=|<=|>|<|=)?(\d+\.\d+\.\d+)$/.exec(comparator);
    if (!match?.[2] || !isVersion(match[2])) return false;
    const order = compareVersions(version, match[2]);
    switch (match[1]) {
      case '>=':
        return order >= 0;
      case '<=':
        return order <= 0;
      case '>':
        return order > 0;
      case '<':
        return order < 0;
      default:
        return order === 0;
    }
  });
}

/** The highest of `offered` that lies in one of `ranges`, whatever their order, as 1.x hosts choose. */
export function chooseVersion(offered: readonly string[], ranges: readonly string[]): string | undefined {
  return offered
    .filter((version) => isVersion(version) && ranges.some((range) => satisfies(version, range)))
    .sort(compareVersions)
    .at(-1);
}
