/**
 * Starts a test runner as a process of its own and learns what it ran, so that several runs close with one sum.
 * The runners' side of it is in `plain-reporter.mjs`.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The script of an installed tool: Windows cannot spawn what is in `node_modules/.bin`. */
export const tool = (script) => path.join(root, 'node_modules', script);

/** The browser runner's command line. */
export const browserTests = [tool('@web/test-runner/dist/bin.js'), '--config', 'test/wtr.config.mjs'];

/** The command line of Node's runner; the files follow. */
export const nodeTests = ['--import', 'tsx', '--test', '--test-reporter', './scripts/plain-reporter.mjs'];

/** The closing line. Scripts read it, so its form is fixed. */
export const closingLine = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed, ${skipped} skipped`;

export const addCounts = (a, b) => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});

/** Runs `node …args` with its output passed through. A run that fails, or runs no test, counts as a failure at least. */
export async function runCounted(args, env = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'test-counts-'));
  const file = path.join(folder, 'counts.json');
  try {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...env, TEST_COUNTS: file },
    });
    const exitCode = await new Promise((resolve) => child.once('error', () => resolve(1)).once('exit', resolve));
    const counts = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { passed: 0, failed: 0, skipped: 0 };
    const isGood = exitCode === 0 && counts.passed > 0;
    return isGood || counts.failed > 0 ? counts : { ...counts, failed: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
