// Brings a fresh clone to a state in which the next command runs. Node built-ins only.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { findChrome, isRoot } from './browser.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const at = (...p) => path.join(root, ...p);
const die = (m) => {
  console.error('\n' + m + '\n');
  process.exit(1);
};
const [maj, min] = process.versions.node.split('.').map(Number);
if (maj < 20 || (maj === 20 && min < 19)) die(`Node.js 20.19 or newer is needed; this is ${process.version}.`);

// 1. Packages: the stamp ties node_modules to this lock file, Node major and platform.
const stampFile = at('node_modules', '.setup-stamp');
const want = createHash('sha256')
  .update(readFileSync(at('package-lock.json')))
  .update([maj, process.platform, process.arch].join())
  .digest('hex');
const fresh = () => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === want;
if (!fresh()) {
  const lock = at('.setup-lock');
  const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch {
      try {
        if (Date.now() - statSync(lock).mtimeMs > 15 * 60e3) rmSync(lock, { recursive: true, force: true });
      } catch {
        /* the other one just finished */
      }
      sleep(500);
    }
  }
  process.on('exit', () => rmSync(lock, { recursive: true, force: true }));
  for (const s of ['SIGINT', 'SIGTERM']) process.on(s, () => process.exit(130));
  if (!fresh()) {
    console.log('Installing packages (npm ci) …');
    const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
    const cli = process.env.npm_execpath;
    const r =
      cli && /\.[cm]?js$/.test(cli)
        ? spawnSync(process.execPath, [cli, ...args], { cwd: root, stdio: 'inherit' })
        : spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
    if (r.status !== 0)
      die('npm ci failed. Check that the npm registry can be reached, then run the same command again.');
    writeFileSync(stampFile, want);
  }
}

// 2. A browser for the tests.
if (process.argv.includes('--browser') && !findChrome()) {
  if (process.env.CHROME_PATH) die(`CHROME_PATH is ${process.env.CHROME_PATH}, but no browser runs there.`);
  const os = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  const debian = /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(os);
  if (debian && isRoot()) {
    console.log('Installing Chromium for the tests (apt-get) …');
    const apt = (...a) =>
      spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=600', '-qq', '-y', ...a], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      }).status === 0;
    apt('update');
    apt('install', '--no-install-recommends', 'chromium', 'fonts-liberation') ||
      apt('install', '--no-install-recommends', 'chromium-browser');
  }
  if (!findChrome())
    die(
      debian
        ? 'The tests need Chrome, Chromium or Edge. Run:  sudo apt-get install -y chromium\nor set CHROME_PATH to a browser.'
        : 'The tests need Chrome, Chromium or Edge. Install one, or set CHROME_PATH to its program file.',
    );
}
