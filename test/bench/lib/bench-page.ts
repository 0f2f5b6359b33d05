/** A page in real Chromium and what its main thread spends, read over the DevTools protocol. */

import { setTimeout as delay } from 'node:timers/promises';
import { type Browser, type CDPSession, type Page, launch } from 'puppeteer-core';
import { chromeArgs, getChrome } from '../../../scripts/browser.mjs';
import type { BenchPage, CpuReading, OpenOptions, PageFigures } from '../bench.js';
import { percentile } from './figures.js';
import { type PageServer, startPageServer } from './page-server.js';

/** Nothing has moved if this many readings, so far apart, are alike. */
const STILL_READINGS = 4;
const READING_GAP_MS = 60;
const SETTLE_LIMIT_MS = 60_000;

export interface Pages {
  open(entry: string, options?: OpenOptions): Promise<BenchPage>;
  /** "Chrome/156…", once a page has been opened. */
  readonly browserVersion: string | undefined;
  close(): Promise<void>;
}

/** Browser and server start with the first page, so that a Node bench needs neither. */
export function createPages(): Pages {
  let starting: Promise<{ readonly browser: Browser; readonly server: PageServer }> | undefined;
  let browserVersion: string | undefined;

  async function start() {
    const browser = await launch({
      executablePath: getChrome(),
      headless: true,
      // The browser ends with this process, however that ends.
      pipe: true,
      defaultViewport: null,
      args: [...chromeArgs(), '--js-flags=--expose-gc'],
    });
    browserVersion = await browser.version();
    return { browser, server: await startPageServer() };
  }

  return {
    get browserVersion() {
      return browserVersion;
    },
    async open(entry, options = {}) {
      const { browser, server } = await (starting ??= start());
      const origin = await server.publish(entry, options.headers ?? {});
      const url = `${origin}?${new URLSearchParams(options.query)}`;
      // A window of its own: a hidden tab gets no animation frames.
      const page = await browser.defaultBrowserContext().newPage({ type: 'window' });
      await page.setViewport(options.viewport ?? { width: 1000, height: 800 });
      return load(page, url);
    },
    async close() {
      if (!starting) return;
      const { browser, server } = await starting;
      server.close();
      await browser.close();
    },
  };
}

async function load(page: Page, url: string): Promise<BenchPage> {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error instanceof Error ? error.message : error)));
  const session = await page.createCDPSession();
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  // The loader of these files names functions through a helper, also those that are sent to the page.
  await page.evaluateOnNewDocument('globalThis.__name = (named) => named');
  await page.goto(url, { waitUntil: 'load' });

  const failOnErrors = () => {
    if (errors.length > 0) throw new Error(`The page reported: ${errors.join('; ')}`);
  };
  failOnErrors();
  return {
    page,
    readCpu: async () => toCpu(await readMetrics(session)),
    async measure(work) {
      const figures = await measure(page, session, work);
      failOnErrors();
      return figures;
    },
    close: () => page.close(),
  };
}

type Metrics = Readonly<Record<string, number>>;

async function readMetrics(session: CDPSession): Promise<Metrics> {
  const { metrics } = await session.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

const seconds = (metrics: Metrics, name: string) => (metrics[name] ?? NaN) * 1000;

function toCpu(metrics: Metrics): CpuReading {
  return {
    mainMs: seconds(metrics, 'TaskDuration'),
    scriptMs: seconds(metrics, 'ScriptDuration'),
    styleMs: seconds(metrics, 'RecalcStyleDuration'),
    layoutMs: seconds(metrics, 'LayoutDuration'),
  };
}

async function measure(page: Page, session: CDPSession, work: (page: Page) => Promise<void>): Promise<PageFigures> {
  await session.send('HeapProfiler.collectGarbage');
  await startProbe(page);
  const before = await readMetrics(session);
  const start = performance.now();

  await work(page);
  const { metrics: after, wallMs } = await waitUntilStill(session, start);

  const { tasks, gaps } = await stopProbe(page);
  await session.send('HeapProfiler.collectGarbage');
  const collected = await readMetrics(session);
  const [from, to] = [toCpu(before), toCpu(after)];
  return {
    mainMs: to.mainMs - from.mainMs,
    scriptMs: to.scriptMs - from.scriptMs,
    styleMs: to.styleMs - from.styleMs,
    layoutMs: to.layoutMs - from.layoutMs,
    layouts: (after.LayoutCount ?? NaN) - (before.LayoutCount ?? NaN),
    wallMs,
    longTasks: tasks.length,
    longestTaskMs: Math.max(0, ...tasks),
    frameP95Ms: percentile(gaps, 0.95),
    nodes: collected.Nodes ?? NaN,
    heapMiB: ((collected.JSHeapUsedSize ?? NaN) - (before.JSHeapUsedSize ?? NaN)) / 2 ** 20,
  };
}

/** The readings that show that nothing moves any more are not part of the time: the first of them is what counts. */
async function waitUntilStill(session: CDPSession, start: number): Promise<{ metrics: Metrics; wallMs: number }> {
  const limit = performance.now() + SETTLE_LIMIT_MS;
  let first: { metrics: Metrics; wallMs: number } | undefined;
  for (let still = 0; ;) {
    const metrics = await readMetrics(session);
    if (first && metrics.LayoutCount === first.metrics.LayoutCount && metrics.Nodes === first.metrics.Nodes) still++;
    else {
      still = 0;
      first = { metrics, wallMs: performance.now() - start };
    }
    if (still >= STILL_READINGS) return first;
    if (performance.now() > limit) throw new Error(`The page still moves ${SETTLE_LIMIT_MS / 1000} s after its work.`);
    await delay(READING_GAP_MS);
  }
}

interface Probe {
  readonly tasks: number[];
  readonly gaps: number[];
  stop(): void;
}
declare global {
  interface Window {
    benchProbe?: Probe;
  }
}

/** Collects long tasks and the gaps between frames, in the page. */
async function startProbe(page: Page): Promise<void> {
  await page.evaluate(() => {
    const tasks: number[] = [];
    const gaps: number[] = [];
    const note = (entries: PerformanceEntryList) => tasks.push(...entries.map(({ duration }) => duration));
    const observer = new PerformanceObserver((list) => void note(list.getEntries()));
    observer.observe({ type: 'longtask' });
    let last = performance.now();
    let frame = requestAnimationFrame(function tick(now) {
      gaps.push(now - last);
      last = now;
      frame = requestAnimationFrame(tick);
    });
    window.benchProbe = {
      tasks,
      gaps,
      stop() {
        note(observer.takeRecords());
        observer.disconnect();
        cancelAnimationFrame(frame);
      },
    };
  });
}

async function stopProbe(page: Page): Promise<{ readonly tasks: number[]; readonly gaps: number[] }> {
  return page.evaluate(() => {
    const probe = window.benchProbe;
    probe?.stop();
    return { tasks: probe?.tasks ?? [], gaps: probe?.gaps ?? [] };
  });
}
