/** What the closing line counts, of both runners. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { plainReporter } from '../../scripts/plain-reporter.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'reporter-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const reporter = fileURLToPath(new URL('../../scripts/plain-reporter.mjs', import.meta.url));
const countsFile = path.join(folder, 'counts.json');

function runNodeTests(source) {
  const file = path.join(folder, 'sample.mjs');
  writeFileSync(file, `import { describe, it, test } from 'node:test';\n${source}`);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout } = spawnSync(process.execPath, ['--test', '--test-reporter', reporter, file], {
    encoding: 'utf8',
    env: { ...env, TEST_COUNTS: countsFile },
  });
  return { output: stdout, counts: JSON.parse(readFileSync(countsFile, 'utf8')) };
}

describe('the reporter of the Node tests', () => {
  it('counts tests, not the suites around them', () => {
    const { counts, output } = runNodeTests("describe('s', () => { it('a', () => {}); it('b', () => {}); });");

    assert.deepEqual(counts, { passed: 2, failed: 0, skipped: 0 });
    assert.equal(output, '');
  });

  it('counts what is skipped or to do apart', () => {
    const { counts } = runNodeTests("it('a', () => {}); it.skip('b', () => {}); it.todo('c');");

    assert.deepEqual(counts, { passed: 1, failed: 0, skipped: 2 });
  });

  it('says which test failed, where and how, and counts its suite not again', () => {
    const { counts, output } = runNodeTests(
      "describe('s', () => { it('adds up', () => { throw new Error('odd'); }); });",
    );

    assert.deepEqual(counts, { passed: 0, failed: 1, skipped: 0 });
    assert.match(output, /✖ adds up\n.*sample\.mjs\n/);
    assert.match(output, /Error: odd\n.*sample\.mjs:2/);
  });

  it('counts a file that runs no test, or breaks outside of its tests, as a failure', () => {
    const empty = runNodeTests('');
    const broken = runNodeTests("it('a', () => {}); setTimeout(() => { throw new Error('late'); });");

    assert.deepEqual(empty.counts, { passed: 0, failed: 1, skipped: 0 });
    assert.match(empty.output, /No test ran in .*sample\.mjs/);
    assert.equal(broken.counts.failed, 1);
  });
});

describe('the reporter of the browser tests', () => {
  const stop = (...sessions) => {
    process.env.TEST_COUNTS = countsFile;
    try {
      plainReporter().stop({ sessions });
    } finally {
      delete process.env.TEST_COUNTS;
    }
    return JSON.parse(readFileSync(countsFile, 'utf8'));
  };
  const passed = { passed: true, skipped: false };
  const failed = { passed: false, skipped: false };
  const skipped = { passed: false, skipped: true };

  it('counts the tests of all suites of all sessions', () => {
    const nested = { tests: [passed], suites: [{ tests: [failed, skipped], suites: [] }] };
    const flat = { tests: [passed], suites: [] };

    assert.deepEqual(stop({ testResults: nested }, { testResults: flat }), { passed: 2, failed: 1, skipped: 1 });
  });

  it('counts an error that belongs to no test, and a file that runs none, as a failure', (context) => {
    const said = context.mock.method(console, 'error', () => undefined);
    const broken = { testResults: { tests: [passed], suites: [] }, errors: [new Error('late')] };
    const empty = { testFile: 'test/x.test.ts', testResults: { tests: [], suites: [] }, errors: [] };

    assert.deepEqual(stop(broken), { passed: 1, failed: 1, skipped: 0 });
    assert.deepEqual(stop(empty), { passed: 0, failed: 1, skipped: 0 });
    assert.match(said.mock.calls[0].arguments[0], /No test ran/);
  });
});
