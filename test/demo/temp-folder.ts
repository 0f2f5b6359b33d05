/** Folders that are gone after the test. */

import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';

export async function tempFolder(test: TestContext): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'ahp-demo-')));
  test.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
