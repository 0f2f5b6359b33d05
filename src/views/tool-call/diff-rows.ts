/** What of a comparison is on screen: changed lines with some lines around them, and gaps that can be opened. Pure. */

import type { LineChange } from './diff-lines.js';

export type DiffRow =
  /** Lines are counted from 0. */
  | { readonly kind: 'same'; readonly oldLine: number; readonly newLine: number }
  /** `pair` is the line of the other side that stands in its place. */
  | { readonly kind: 'removed'; readonly oldLine: number; readonly pair?: number }
  | { readonly kind: 'added'; readonly newLine: number; readonly pair?: number }
  /** `count` lines that are the same and not shown. `key` names the stretch they belong to. */
  | { readonly kind: 'gap'; readonly key: number; readonly count: number };

/** How many lines of a stretch are shown beside those around changes: at its beginning and at its end. */
export type Opened = ReadonlyMap<number, number>;

/** Lines around a change. */
const CONTEXT = 3;
/** Lines that a press on a gap shows at either end of it. */
const MORE = 100;

/** Another `Opened`, with more shown of the stretch `key`. */
export const openGap = (opened: Opened, key: number): Opened =>
  new Map([...opened, [key, (opened.get(key) ?? 0) + MORE]]);

export function toRows(
  changes: readonly LineChange[],
  oldCount: number,
  newCount: number,
  opened: Opened,
): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  let [oldAt, newAt] = [0, 0];
  for (const { oldFrom, oldTo, newFrom, newTo } of changes) {
    addSame(rows, { oldAt, newAt, count: oldFrom - oldAt, isFirst: oldAt === 0 && newAt === 0, isLast: false }, opened);
    const pairs = Math.min(oldTo - oldFrom, newTo - newFrom);
    for (let at = 0; at < oldTo - oldFrom; at += 1) {
      rows.push({ kind: 'removed', oldLine: oldFrom + at, ...(at < pairs && { pair: newFrom + at }) });
    }
    for (let at = 0; at < newTo - newFrom; at += 1) {
      rows.push({ kind: 'added', newLine: newFrom + at, ...(at < pairs && { pair: oldFrom + at }) });
    }
    [oldAt, newAt] = [oldTo, newTo];
  }
  const count = Math.min(oldCount - oldAt, newCount - newAt);
  addSame(rows, { oldAt, newAt, count, isFirst: changes.length === 0, isLast: true }, opened);
  return rows;
}

interface Stretch {
  readonly oldAt: number;
  readonly newAt: number;
  readonly count: number;
  /** Nothing stands before it or behind it: there it needs no lines of context. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

function addSame(rows: DiffRow[], { oldAt, newAt, count, isFirst, isLast }: Stretch, opened: Opened): void {
  const more = opened.get(oldAt) ?? 0;
  const head = Math.min(count, (isFirst ? 0 : CONTEXT) + more);
  const tail = Math.min(count - head, (isLast ? 0 : CONTEXT) + more);
  // A gap of one line would take as much room as the line.
  const hidden = count - head - tail > 1 ? count - head - tail : 0;
  for (let i = 0; i < count; i += 1) {
    if (hidden > 0 && i === head) {
      rows.push({ kind: 'gap', key: oldAt, count: hidden });
      i += hidden - 1;
    } else rows.push({ kind: 'same', oldLine: oldAt + i, newLine: newAt + i });
  }
}

/** How many lines came and went. */
export function countLines(changes: readonly LineChange[]): { readonly added: number; readonly removed: number } {
  let [added, removed] = [0, 0];
  for (const change of changes) {
    added += change.newTo - change.newFrom;
    removed += change.oldTo - change.oldFrom;
  }
  return { added, removed };
}
