/**
 * Runs the hostile page in real Chromium with a driver that sees every request, and counts what came of it. For the test
 * beside it and for `npm run faults -- --hostile`.
 */

import { fileURLToPath } from 'node:url';
import puppeteer from 'puppeteer-core';
import { createServer } from 'vite';
import { chromeArgs, getChrome } from '../../scripts/browser.mjs';
import { prismPlugin } from '../../scripts/prism-plugin.mjs';
import type { HostileReport } from './hostile.page.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = '/test/helpers/open.html?module=/test/security/hostile.page.ts';
const patienceMs = 600_000;

export interface HostileOutcome extends HostileReport {
  /** Requests that left the page for anywhere but its own server, as the driver saw them. */
  readonly caught: readonly string[];
  /** Windows and dialogs that opened, and documents that took the page's place. */
  readonly opened: readonly string[];
}

/** `step`: every so many texts begin a round, in which each place has one; 1 puts each text into each place. */
export async function tryHostile(step: number): Promise<HostileOutcome> {
  const server = await createServer({
    root,
    configFile: false,
    appType: 'mpa',
    logLevel: 'error',
    plugins: [prismPlugin()],
    cacheDir: 'node_modules/.cache/hostile',
    optimizeDeps: { entries: ['src/**/*.ts'] },
    server: { host: '127.0.0.1', port: 0, watch: null, hmr: false },
  });
  await server.listen();
  const browser = await puppeteer.launch({ executablePath: getChrome(), headless: true, args: chromeArgs() });
  try {
    const origin = new URL(server.resolvedUrls!.local[0]!).origin;
    const tab = await browser.newPage();
    const caught: string[] = [];
    const opened: string[] = [];
    tab.on('popup', (popup) => opened.push(`window ${popup?.url()}`));
    tab.on('dialog', (dialog) => {
      opened.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    tab.on('framenavigated', (frame) => opened.push(frame.url()));
    await tab.setRequestInterception(true);
    tab.on('request', (request) => {
      const url = request.url();
      const isOwn = url.startsWith(`${origin}/`) || /^(data|blob):/.test(url);
      if (!isOwn) caught.push(url);
      if (isOwn) void request.continue();
      else void request.abort();
    });
    await tab.setViewport({ width: 900, height: 1_000 });
    const address = `${origin}${page}&step=${step}`;
    await tab.goto(address);
    const found = await tab.waitForFunction('window.report', { timeout: patienceMs, polling: 500 });
    const report = (await found.jsonValue()) as HostileReport & { readonly failed?: string };
    if (report.failed !== undefined) throw new Error(`The hostile page could not be loaded: ${report.failed}`);
    return { ...report, caught, opened: opened.filter((url) => url !== address) };
  } finally {
    await browser.close();
    await server.close();
  }
}

/** What `npm run faults` prints, and whether it is good. */
export function toFigures({ tried, texts, places, scriptRuns, requests, caught, ...rest }: HostileOutcome): {
  readonly lines: readonly string[];
  readonly isGood: boolean;
} {
  const asked = new Set([...requests, ...caught]);
  const wrong = [
    ...[...asked].map((url) => `Requested: ${url}`),
    ...rest.opened.map((url) => `Opened: ${url}`),
    ...rest.unsafe.map((kind) => `Unsafe: ${kind}`),
    ...rest.problems.map((problem) => `Problem: ${problem}`),
    ...rest.polluted.map((name) => `Polluted: Object.prototype.${name}`),
  ];
  const sum =
    `${tried} bad inputs tried (${texts} texts, ${places} places), ${scriptRuns} script runs caused, ` +
    `${asked.size} requests caused, ${rest.unsafe.length} kinds of unsafe nodes.`;
  return { lines: [...wrong, sum], isGood: scriptRuns === 0 && wrong.length === 0 };
}
