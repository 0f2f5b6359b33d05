/**
 * `npm run pictures [-- names…]`: one picture of every section of the gallery, and of every part, tool call and question in
 * it, in light, in dark, from right to left and in the system's colours, into `out/pictures/`, which is ignored. Names
 * choose sections. To be looked at, not compared.
 */

import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ElementHandle } from 'puppeteer-core';
import { Gallery, type SectionOptions } from './gallery-page.js';

const outFolder = fileURLToPath(new URL('../out/pictures', import.meta.url));

interface Look {
  readonly options: SectionOptions;
  readonly features?: Readonly<Record<string, string>>;
}

const LOOKS: Readonly<Record<string, Look>> = {
  light: { options: { theme: 'light' } },
  dark: { options: { theme: 'dark' } },
  rtl: { options: { theme: 'light', dir: 'rtl', lang: 'ar' } },
  forced: { options: { theme: 'light' }, features: { 'forced-colors': 'active' } },
};
/** What has a picture of its own, by the first that fits. */
const PIECES = ['ahp-tool-call', 'ahp-input-request', 'ahp-content-ref', 'ahp-reasoning', '.message', '.tool-run'];

const toFileName = (name: string): string => name.replaceAll(/[^a-z0-9]+/gi, '-');

async function takePiece(piece: ElementHandle, file: string): Promise<boolean> {
  const box = await piece.boundingBox();
  if (!box || box.width < 1 || box.height < 1) return false;
  await piece.screenshot({ path: file });
  return true;
}

async function takeSection({ page }: Gallery, base: string): Promise<number> {
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
const gallery = await Gallery.start();
try {
  const all = await gallery.listSections();
  const unknown = wanted.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Error(`There is no section "${unknown}"; there are ${all.join(', ')}.`);
  let taken = 0;
  for (const [look, { options, features = {} }] of Object.entries(LOOKS)) {
    await gallery.emulate(features);
    for (const name of wanted.length === 0 ? all : wanted) {
      await gallery.open(name, options);
      taken += await takeSection(gallery, path.join(outFolder, `${toFileName(name)}-${look}`));
    }
  }
  console.log(`${taken} pictures in ${path.relative(process.cwd(), outFolder)}.`);
  if (gallery.faults.length > 0) throw new Error(`Errors in the page:\n${gallery.faults.join('\n')}`);
} finally {
  await gallery.close();
}
