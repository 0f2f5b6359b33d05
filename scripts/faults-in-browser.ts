/**
 * `npm run faults -- --browser`: the sequences of the simulation with the real element in the installed Chromium: real
 * documents, databases, locks and events. Many run side by side, each with storage of its own.
 */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import type { Driven } from '../test/live/driver.js';
import type { LiveRun } from '../test/live/steps.js';
import { chromeArgs, getChrome } from './browser.mjs';
import { root } from './counted.mjs';
import { bundle } from './live-bundle.mjs';

/** Runs in one page, which has one thread. */
const sideBySide = 6;

/** Hands each outcome over as it comes. */
export async function runInBrowser(
  runs: Iterable<LiveRun>,
  onOutcome: (driven: Driven, run: LiveRun) => void,
): Promise<void> {
  const server = await serve();
  const browser = await puppeteer.launch({
    executablePath: getChrome(),
    headless: true,
    args: chromeArgs(),
    protocolTimeout: 1_800_000,
  });
  try {
    const { port } = server.address() as AddressInfo;
    const waiting = runs[Symbol.iterator]();
    const workers = Array.from({ length: Math.max(1, availableParallelism()) }, async () => {
      const page = await openDriver(browser, `http://127.0.0.1:${port}/driver.html`);
      const slots = Array.from({ length: sideBySide }, () => work(page, waiting, onOutcome));
      await Promise.all(slots);
    });
    await Promise.all(workers);
  } finally {
    await browser.close();
    server.close();
  }
}

async function work(
  page: Page,
  waiting: Iterator<LiveRun>,
  onOutcome: (driven: Driven, run: LiveRun) => void,
): Promise<void> {
  for (let next = waiting.next(); !next.done; next = waiting.next()) {
    const run = next.value;
    const driven = await page.evaluate(
      (each) => (globalThis as unknown as { runLive(run: LiveRun): Promise<Driven> }).runLive(each),
      run,
    );
    onOutcome(driven, run);
  }
}

async function openDriver(browser: Browser, address: string): Promise<Page> {
  // A window of its own: a hidden tab gets no animation frames.
  const page = await browser.newPage({ type: 'window' });
  await page.emulateFocusedPage(true);
  page.on('pageerror', (error) => console.error('In the page around:', error));
  await page.goto(address);
  await page.waitForFunction(() => 'runLive' in globalThis);
  return page;
}

/** The page around, and the documents in it. */
async function serve(): Promise<Server> {
  const html = 'text/html; charset=utf-8';
  const script = 'text/javascript; charset=utf-8';
  const page = '<!doctype html><title>Runs</title><body><script type="module" src="/driver.js"></script>';
  const files = new Map<string, readonly [string, string]>([
    ['/driver.html', [html, page]],
    ['/driver.js', [script, await bundle('test/live/driver.ts')]],
    ['/test/live/frame.html', [html, readFileSync(path.join(root, 'test/live/frame.html'), 'utf8')]],
    ['/test/live/frame.js', [script, await bundle('test/live/frame.ts')]],
  ]);
  const server = createServer(({ url = '' }, response) => {
    const [type, text] = files.get(url) ?? ['text/plain', undefined];
    const caching = { 'cache-control': 'max-age=3600' };
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': type, ...caching }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
