/** From measurements to a table. Pure; knows neither clocks nor processes. */

import type { Bench, BenchResult, Figures, Target } from '../bench.js';

/** One measurement of one case. */
export interface Measurement {
  readonly name: string;
  readonly round: number;
  readonly figures: Figures;
  /** Share of the machine that was idle just before, 0 – 1. */
  readonly idle: number;
}

/** NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** `share` is 0 – 1. NaN for no values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

export function summarize(measurements: readonly Measurement[]): BenchResult {
  const of = (name: string, figure: string) =>
    measurements.filter((it) => it.name === name).map((it) => [it.round, it.figures[figure] ?? NaN] as const);
  return {
    median: (name, figure) => median(of(name, figure).map(([, value]) => value)),
    ratio(figure, name, to) {
      const references = new Map(of(to, figure));
      return median(of(name, figure).map(([round, value]) => value / (references.get(round) ?? NaN)));
    },
  };
}

/** Columns are padded, so that the table reads well in a terminal and as Markdown. */
export function toTable(bench: Bench, result: BenchResult): string {
  const { figure, to } = bench.ratio;
  const heading = ['', ...Object.values(bench.columns), `× ${to}`];
  const rows = bench.cases.map((name) => [
    name,
    ...Object.keys(bench.columns).map((column) => formatNumber(result.median(name, column))),
    formatNumber(result.ratio(figure, name, to)),
  ]);
  const widths = heading.map((_, column) => Math.max(...[heading, ...rows].map((row) => row[column]?.length ?? 0)));
  const toLine = (row: readonly string[]) => {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    return `| ${cells.join(' | ')} |`;
  };
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [toLine(heading), rule, ...rows.map(toLine)].join('\n');
}

export function formatNumber(value: number): string {
  if (Number.isNaN(value)) return '–';
  if (Number.isInteger(value)) return value.toLocaleString('en-US');
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { maximumFractionDigits: digits, minimumFractionDigits: digits });
}

export function isMet({ value, bound }: Target): boolean {
  return 'atMost' in bound ? value <= bound.atMost : value >= bound.atLeast;
}

export function describeTarget(target: Target): string {
  const { what, value, bound } = target;
  const wanted = 'atMost' in bound ? `≤ ${bound.atMost}` : `≥ ${bound.atLeast}`;
  return `${isMet(target) ? '✓' : '✖'} ${what}: ${formatNumber(value)} (${wanted})`;
}
