/** The setup behind every entry script, run in a folder of its own with an npm that only writes down what was asked. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const scripts = fileURLToPath(new URL('../../scripts', import.meta.url));

let root;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'setup-'));
  cpSync(scripts, path.join(root, 'scripts'), { recursive: true });
  write('npm.js', "require('fs').appendFileSync('asked.txt', process.argv.slice(2).join(' ') + '\\n');");
  mkdirSync(path.join(root, 'node_modules'));
  lock('package-lock.json', { '': {}, 'node_modules/lit': { version: '3.3.3' } });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (file, text) => writeFileSync(path.join(root, file), text);
const lock = (file, packages) => write(file, JSON.stringify({ packages }));
const asked = () => {
  const file = path.join(root, 'asked.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
};

function setup(args = [], env = {}) {
  const result = spawnSync(process.execPath, ['scripts/setup.mjs', ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, npm_execpath: path.join(root, 'npm.js'), ...env },
  });
  return { status: result.status, output: result.stdout + result.stderr };
}

describe('setup', () => {
  it('installs what the lock file says, once', () => {
    const first = setup();
    const second = setup();

    assert.deepEqual([first.status, second.status], [0, 0]);
    assert.match(first.output, /Installing the packages/);
    assert.equal(second.output, '');
    assert.equal(asked().length, 1);
    assert.match(asked()[0], /^ci --include=dev/);
    assert.equal(existsSync(path.join(root, '.setup-lock')), false);
  });

  it('installs again when the lock file has changed', () => {
    setup();
    lock('package-lock.json', { '': {}, 'node_modules/lit': { version: '3.3.4' } });

    setup();

    assert.equal(asked().length, 2);
  });

  it('takes what a plain npm install has left, other machines’ optional packages aside', () => {
    lock('package-lock.json', {
      '': {},
      'node_modules/lit': { version: '3.3.3' },
      'node_modules/fsevents': { version: '2.3.3', optional: true },
    });
    lock('node_modules/.package-lock.json', { 'node_modules/lit': { version: '3.3.3' } });

    const { status } = setup();

    assert.equal(status, 0);
    assert.deepEqual(asked(), []);
  });

  it('does not take another version for installed', () => {
    lock('node_modules/.package-lock.json', { 'node_modules/lit': { version: '3.3.2' } });

    setup();

    assert.equal(asked().length, 1);
  });

  it('passes over the lock of a setup that was killed', () => {
    mkdirSync(path.join(root, '.setup-lock'));
    // No process can have this number.
    write('.setup-lock/pid', '4194305');

    const { status } = setup();

    assert.equal(status, 0);
    assert.equal(asked().length, 1);
  });

  it('says what to do when npm ci fails, and leaves no stamp', () => {
    write('npm.js', 'process.exit(1);');

    const { status, output } = setup();

    assert.equal(status, 1);
    assert.match(output, /npm ci failed\. Check that the npm registry can be reached/);
    assert.equal(existsSync(path.join(root, 'node_modules/.setup-stamp')), false);
  });

  it('answers a wrong CHROME_PATH with one sentence before it installs anything', () => {
    const { status, output } = setup(['--browser'], { CHROME_PATH: '/nowhere/chrome' });

    assert.equal(status, 1);
    assert.equal(output.trim().split('\n').length, 1);
    assert.match(output, /CHROME_PATH is "\/nowhere\/chrome", but no browser answers there/);
    assert.deepEqual(asked(), []);
  });
});
