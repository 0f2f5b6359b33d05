/**
 * Brings a fresh clone to a state in which the next command runs: packages, and with `--browser` a browser for the
 * tests, with `--bench` the packages of the benches. Every entry script in `package.json` has this as its `pre…`.
 * Node built-ins only, because nothing else is there yet; silent and quick when there is nothing to do.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { NO_CHROME, findChrome, isRoot } from './browser.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const machine = `${process.platform}-${process.arch}`;

function fail(message) {
  console.error(`\n${message}\n`);
  process.exit(1);
}

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`Node.js 20.19 or newer is needed; this is ${process.version}.`);
}

// First what can fail at once.
if (process.argv.includes('--browser')) ensureBrowser();
ensurePackages(root, []);
const benches = path.join(root, 'test/bench');
if (process.argv.includes('--bench') && existsSync(path.join(benches, 'package-lock.json'))) {
  // The peers of what we compare with do not agree among each other, and some of their install scripts phone home.
  ensurePackages(benches, ['--legacy-peer-deps', '--ignore-scripts']);
}

/** Makes `folder/node_modules` what `folder/package-lock.json` says. */
function ensurePackages(folder, options) {
  if (isInstalled(folder)) return;
  const unlock = takeLock(path.join(root, '.setup-lock'));
  try {
    // Another setup may have done it while we waited.
    if (!isInstalled(folder)) install(folder, options);
  } finally {
    unlock();
  }
}

function stampFile(folder) {
  return path.join(folder, 'node_modules', '.setup-stamp');
}

function stampFor(folder) {
  const lock = readFileSync(path.join(folder, 'package-lock.json'));
  return `${machine} ${createHash('sha256').update(lock).digest('hex')}`;
}

/**
 * The stamp ties `node_modules` to the lock file and the machine. Without one that fits, npm's own record decides, so
 * that a plain `npm install` is not done over again.
 */
function isInstalled(folder) {
  const stamp = existsSync(stampFile(folder)) ? readFileSync(stampFile(folder), 'utf8') : undefined;
  const expected = stampFor(folder);
  if (stamp === expected) return true;
  const isOtherMachines = stamp !== undefined && !stamp.startsWith(`${machine} `);
  if (isOtherMachines || !npmHasInstalled(folder)) return false;
  writeFileSync(stampFile(folder), expected);
  return true;
}

/** Whether npm's hidden lock lists every locked package at its version; optional ones may be for other machines. */
function npmHasInstalled(folder) {
  const hiddenLock = path.join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(hiddenLock)) return false;
  const readPackages = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;
  const installed = readPackages(hiddenLock);
  const locked = readPackages(path.join(folder, 'package-lock.json'));
  return Object.entries(locked).every(([place, { version, optional }]) => {
    if (place === '') return true;
    return installed[place] ? installed[place].version === version : optional === true;
  });
}

function install(folder, options) {
  const what = folder === root ? '' : ` of ${path.relative(root, folder)}`;
  console.log(`Installing the packages${what} (npm ci) …`);
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error', ...options];
  const npm = process.env.npm_execpath;
  // npm's own script where npm started us: on Windows npm is a .cmd file, which cannot be spawned without a shell.
  const result = /\.[cm]?js$/.test(npm ?? '')
    ? spawnSync(process.execPath, [npm, ...args], { cwd: folder, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' });
  if (result.status !== 0) {
    fail('npm ci failed. Check that the npm registry can be reached, then run the same command again.');
  }
  writeFileSync(stampFile(folder), stampFor(folder));
}

/** Start and test may be run at once in a fresh clone: one installs, the other waits. Returns the release. */
function takeLock(lock) {
  const holderFile = path.join(lock, 'pid');
  for (let hasSaidSo = false; ;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isAbandoned(lock, holderFile)) {
      rmSync(lock, { recursive: true, force: true });
      continue;
    }
    if (!hasSaidSo) console.log('Waiting for another setup in this folder …');
    hasSaidSo = true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  }
  writeFileSync(holderFile, String(process.pid));
  let isHeld = true;
  const release = () => {
    if (isHeld) rmSync(lock, { recursive: true, force: true });
    isHeld = false;
  };
  process.on('exit', release);
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));
  return release;
}

/** A killed setup leaves its lock behind. */
function isAbandoned(lock, holderFile) {
  try {
    if (!existsSync(holderFile)) return Date.now() - statSync(lock).mtimeMs > 10_000;
    process.kill(Number(readFileSync(holderFile, 'utf8')), 0);
    return false;
  } catch (error) {
    // ESRCH: no such process. ENOENT: it has just finished. EPERM: it lives and is somebody else's.
    return error.code === 'ESRCH';
  }
}

/** Exits with one sentence if there is no browser and none can be installed. */
function ensureBrowser() {
  if (findChrome()) return;
  if (process.env.CHROME_PATH) fail(NO_CHROME);
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  const isDebian = /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(release);
  if (!isDebian) fail(NO_CHROME);
  if (!isRoot()) {
    fail('The tests need Chrome, Chromium or Edge: run "sudo apt-get install -y chromium", or set CHROME_PATH.');
  }
  console.log('Installing Chromium for the tests (apt-get) …');
  const complaint = installChromium();
  if (!findChrome()) fail(`apt-get could not install Chromium${complaint ? ` (${complaint})` : ''}. ${NO_CHROME}`);
}

/** Returns apt's last word if it failed. */
function installChromium() {
  const apt = (...args) =>
    spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=600', '-qq', '-y', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  apt('update');
  const add = ['install', '--no-install-recommends'];
  // Debian's name, then Ubuntu's.
  const first = apt(...add, 'chromium', 'fonts-liberation');
  if (first.status === 0) return undefined;
  const second = apt(...add, 'chromium-browser');
  return second.status === 0 ? undefined : (first.stderr ?? String(first.error)).trim().split('\n').at(-1);
}
