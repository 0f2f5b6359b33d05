/**
 * What a bench is. `npm run bench [-- names…]` runs `test/bench/<name>.ts`, whose default export is a {@link Bench}.
 *
 * A bench compares cases. Every round measures each case once, in rotated order, so that whatever else the machine does
 * hits all alike; a ratio is taken inside a round, and its median over the rounds is what is reported. Absolute times are
 * for orientation only. The runner owns the clock: each bench runs in a process of its own and is killed at its limit.
 *
 * A page bench opens pages with {@link BenchTools.open}: the entry module is built by Vite as it would ship (minified,
 * production conditions) and may `import()` what one case alone needs. A Node bench simply does its work in `measure`.
 */

import type { Page } from 'puppeteer-core';

export const DEFAULT_ROUNDS = 5;
export const DEFAULT_LIMIT_MS = 5 * 60_000;

/** What one measurement of one case yields, by name of the figure. Put the unit in the name: `mainMs`, `actionsPerSecond`. */
export type Figures = Readonly<Record<string, number>>;

export interface Bench<Case extends string = string> {
  /** One sentence: what is measured. */
  readonly title: string;
  /** What is compared, in the order of the table. */
  readonly cases: readonly Case[];
  /** The columns of the table: a figure's name and its heading. */
  readonly columns: Readonly<Record<string, string>>;
  /** The figure, and the case it is divided by, for the table's ratio column. */
  readonly ratio: { readonly figure: string; readonly to: Case };
  /** Default {@link DEFAULT_ROUNDS}; `npm run bench -- --rounds=3` overrides it. */
  readonly rounds?: number;
  /** Hard limit for the whole bench, in ms; default {@link DEFAULT_LIMIT_MS}. */
  readonly limitMs?: number;
  /** Runs once before the first round, in the process that measures: make the input, warm up. */
  prepare?(tools: BenchTools): Promise<void> | void;
  /** Measures one case once. */
  measure(name: Case, tools: BenchTools): Promise<Figures> | Figures;
  /** Ratios that have a target. They are printed beside it; a missed target is news, not a failure. */
  targets?(result: BenchResult<Case>): readonly Target[];
}

/** All rounds of one bench. */
export interface BenchResult<Case extends string = string> {
  /** The median of a figure over the rounds; NaN if no round gave it. */
  median(name: Case, figure: string): number;
  /** The median over the rounds of `name`'s figure divided by `to`'s in the same round. */
  ratio(figure: string, name: Case, to: Case): number;
}

export interface Target {
  readonly what: string;
  readonly value: number;
  readonly bound: { readonly atMost: number } | { readonly atLeast: number };
}

/** What the runner gives a bench. */
export interface BenchTools {
  /** The round being measured, from 0. */
  readonly round: number;
  /**
   * Opens a fresh page (own storage) with the module `entry`, a path relative to `test/bench`, and waits for its `load`
   * event. The body holds one empty `<main id="root">`. The page is cross-origin isolated, so its clock is precise.
   */
  open(entry: string, options?: OpenOptions): Promise<BenchPage>;
  /** Runs `work` and returns the CPU time, in ms, that this process spent: other work on the machine does not count. */
  cpuMs(work: () => void): number;
  /** Collects garbage in this process, so that one case does not pay for another's. */
  collectGarbage(): void;
}

export interface OpenOptions {
  /** Put behind `?`, to tell the entry which case to load. */
  readonly query?: Readonly<Record<string, string>>;
  /** Extra response headers of the document, for instance a content security policy. */
  readonly headers?: Readonly<Record<string, string>>;
  /** CSS pixels; default 1000 × 800. */
  readonly viewport?: { readonly width: number; readonly height: number };
}

export interface BenchPage {
  /** For `evaluate`, `keyboard` and the like. */
  readonly page: Page;
  /**
   * Runs `work` and waits until layout and node counts stand still, polled from outside so that the page pays nothing.
   * Times are of the page's main thread.
   */
  measure(work: (page: Page) => Promise<void>): Promise<PageFigures>;
  /** Reads the main thread's CPU time since the page began, without waiting: two readings bracket a phase. */
  readCpu(): Promise<CpuReading>;
  close(): Promise<void>;
}

/** CPU time, not wall time (CDP `Performance.getMetrics`, `threadTicks`): holds up when other work shares the machine. */
export type CpuReading = {
  /** All tasks; the others are parts of it. */
  readonly mainMs: number;
  readonly scriptMs: number;
  readonly styleMs: number;
  readonly layoutMs: number;
};

/** A type, not an interface, so that it is assignable to {@link Figures}. */
export type PageFigures = CpuReading & {
  readonly layouts: number;
  /** From the start of `work` until nothing moved any more. */
  readonly wallMs: number;
  /** Tasks over 50 ms of wall time, and the longest of all. */
  readonly longTasks: number;
  readonly longestTaskMs: number;
  /** Of the gaps between animation frames. */
  readonly frameP95Ms: number;
  /** DOM nodes alive at the end, after a collection. */
  readonly nodes: number;
  /** Growth of the JavaScript heap, after a collection before and after. */
  readonly heapMiB: number;
};
