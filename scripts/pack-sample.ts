/**
 * Writes the sample workspace into one file, for the host in a worker, which has no disk to copy it from:
 * `npx tsx scripts/pack-sample.ts`, after each change of `demo/workspace`. A test says when it was forgotten.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = fileURLToPath(new URL('../demo/workspace', import.meta.url));
export const packedFile = fileURLToPath(new URL('../demo/workspace.json', import.meta.url));

export function packSample(): string {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();
  const files = Object.fromEntries(names.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]));
  return `${JSON.stringify(files, null, 2)}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeFileSync(packedFile, packSample());
