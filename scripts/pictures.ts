/**
 * `npm run pictures [-- names…]`: one picture of every section of the gallery, and of every part, tool call and question in
 * it, in light and in dark, into `out/pictures/`, which is ignored. Names choose sections. To be looked at, not compared.
 */

import { mkdirSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import puppeteer, { type ElementHandle, type Page } from 'puppeteer-core';
import { createServer } from 'vite';
import { chromeArgs, getChrome } from './browser.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const outFolder = path.join(root, 'out/pictures');

const THEMES = ['light', 'dark'] as const;
const SIZE = { width: 720, height: 1_400, deviceScaleFactor: 1 };
/** What has a picture of its own, by the first that fits. */
const PIECES = ['ahp-tool-call', 'ahp-input-request', 'ahp-content-ref', 'ahp-reasoning', '.message', '.tool-run'];

const toFileName = (name: string): string => name.replaceAll(/[^a-z0-9]+/gi, '-');

/** Waits until fonts, lazy modules and what they draw have come: nothing is loaded and two frames are past. */
async function settle(page: Page): Promise<void> {
  await page.waitForNetworkIdle({ idleTime: 300, timeout: 15_000 });
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
}

async function takePiece(piece: ElementHandle, file: string): Promise<boolean> {
  const box = await piece.boundingBox();
  if (!box || box.width < 1 || box.height < 1) return false;
  await piece.screenshot({ path: file });
  return true;
}

async function takeSection(page: Page, address: string, name: string, theme: string): Promise<number> {
  const query = new URLSearchParams({ only: name, theme });
  await page.goto(`${address}gallery.html?${query.toString()}`);
  await settle(page);
  const base = path.join(outFolder, `${toFileName(name)}-${theme}`);
  await page.screenshot({ path: `${base}.png` });
  let taken = 1;
  for (const selector of PIECES) {
    for (const [index, piece] of (await page.$$(`section >>> ${selector}`)).entries()) {
      const file = `${base}-${toFileName(selector.replace(/^(ahp-|\.)/, ''))}-${index + 1}.png`;
      if (await takePiece(piece, file)) taken++;
    }
  }
  return taken;
}

const wanted = process.argv.slice(2);
rmSync(outFolder, { recursive: true, force: true });
mkdirSync(outFolder, { recursive: true });
const server = await createServer({
  root: path.join(root, 'demo'),
  configFile: path.join(root, 'vite.config.ts'),
  logLevel: 'warn',
  server: { port: 0, hmr: false },
});
await server.listen();
const browser = await puppeteer.launch({ executablePath: getChrome(), headless: true, args: chromeArgs() });
try {
  const address = `http://127.0.0.1:${(server.httpServer?.address() as AddressInfo).port}/`;
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.setViewport(SIZE);
  await page.goto(`${address}gallery.html`);
  await settle(page);
  const all = await page.$$eval('section h2', (titles) => titles.map((title) => title.textContent ?? ''));
  const unknown = wanted.filter((name) => !all.includes(name));
  if (unknown.length > 0) throw new Error(`There is no section "${unknown[0]}"; there are ${all.join(', ')}.`);
  let taken = 0;
  for (const name of all.filter((each) => wanted.length === 0 || wanted.includes(each))) {
    for (const theme of THEMES) taken += await takeSection(page, address, name, theme);
  }
  console.log(`${taken} pictures in ${path.relative(process.cwd(), outFolder)}.`);
  if (errors.length > 0) throw new Error(`Errors in the page:\n${errors.join('\n')}`);
} finally {
  await browser.close();
  await server.close();
}
