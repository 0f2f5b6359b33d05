import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Run {
  readonly code: number;
  readonly output: string;
}

const run = (...folders: readonly string[]): Promise<Run> =>
  new Promise((resolve) => {
    const args = ['--import', 'tsx', 'scripts/conformance.ts', ...folders];
    execFile(process.execPath, args, { cwd: root }, (error, stdout) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout }),
    );
  });

describe('npm run conformance', () => {
  it('passes the fixtures of our own: reducer cases, round trips, and one clock that an override corrects', async () => {
    const { code, output } = await run('test/fixtures/ahp/reducers', 'test/fixtures/ahp/round-trips');

    assert.equal(output, '20 passed, 0 failed\n');
    assert.equal(code, 0);
  });

  it('names what failed with the first difference, and ends with 1', async () => {
    const { code, output } = await run('test/fixtures/ahp/failing', 'test/fixtures/ahp/round-trips');

    assert.deepEqual(output.trimEnd().split('\n'), [
      'failing/lost-member.json',
      '  isRead: expected nothing, got true',
      'failing/neither.json',
      '  is neither a reducer case nor a round trip',
      'failing/no-such-reducer.json',
      '  names the reducer "weather", which does not exist',
      'failing/wrong-expectation.json',
      '  activity: expected "Writing", got "Reading"',
      '10 passed, 4 failed',
    ]);
    assert.equal(code, 1);
  });

  it('ends with 1 for a folder that is empty or not there, and for none at all', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'fixtures-'));
    try {
      for (const folders of [[empty], ['test/fixtures/no-such-folder'], []]) {
        assert.equal((await run(...folders)).code, 1, folders.join());
      }
    } finally {
      rmSync(empty, { recursive: true });
    }
  });
});
