import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { packedFile, packSample } from '../../scripts/pack-sample.js';
import { tempFolder } from './temp-folder.js';

const sample = fileURLToPath(new URL('../../demo/workspace', import.meta.url));

test('the sample in the worker is the sample on disk; if not, run: npx tsx scripts/pack-sample.ts', async () => {
  assert.equal(await readFile(packedFile, 'utf8'), packSample());
});

test('exactly one test of the sample fails, and it is the one an agent can repair', async (t) => {
  const folder = await tempFolder(t);
  await cp(sample, folder, { recursive: true });
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;

  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, ['--test'], { cwd: folder, env }, (_error, stdout) => resolve(stdout));
  });

  assert.match(output, /pass 8\b/);
  assert.match(output, /fail 1\b/);
  assert.match(await readFile(path.join(folder, 'src/units.js'), 'utf8'), /teaspoon: \{ kind: 'volume', size: 4 \}/);
});
