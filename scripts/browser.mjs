/**
 * Finds the browsers that are installed here, and says how to start them. Node built-ins only: `setup.mjs` uses this
 * before any package is there. `CHROME_PATH` and `FIREFOX_PATH` win, and then nothing else is tried.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const { env, platform } = process;

/** Says what to do when there is none; the one sentence a person gets. */
export const NO_CHROME = env.CHROME_PATH
  ? `CHROME_PATH is "${env.CHROME_PATH}", but no browser answers there: correct it, or unset it to use an installed Chrome, Chromium or Edge.`
  : 'The tests need Chrome, Chromium or Edge: install one, or set CHROME_PATH to its program file.';

const LINUX_CHROMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
  'brave-browser',
];
const MAC_CHROMES = ['Google Chrome', 'Chromium', 'Microsoft Edge', 'Brave Browser', 'Google Chrome Canary'];
const WINDOWS_CHROMES = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
  'Chromium\\Application\\chrome.exe',
];

function onPath(names) {
  const folders = (env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return folders.flatMap((folder) => names.map((name) => path.join(folder, name)));
}

function macApps(names) {
  return ['', env.HOME ?? ''].flatMap((home) =>
    names.map((name) => `${home}/Applications/${name}.app/Contents/MacOS/${name}`),
  );
}

function chromeCandidates() {
  if (env.CHROME_PATH) return [env.CHROME_PATH];
  if (platform === 'darwin') return [...macApps(MAC_CHROMES), ...onPath(['chromium', 'google-chrome'])];
  if (platform === 'win32') {
    const roots = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].filter(Boolean);
    return roots.flatMap((root) => WINDOWS_CHROMES.map((program) => path.join(root, program)));
  }
  return [
    ...onPath(LINUX_CHROMES),
    ...LINUX_CHROMES.map((name) => `/usr/bin/${name}`),
    '/opt/google/chrome/chrome',
    '/opt/microsoft/msedge/msedge',
    '/snap/bin/chromium',
  ];
}

const isFile = (file) => existsSync(file) && statSync(file).isFile();

/** On Linux a browser's name may belong to a stub that only asks to install a snap, so it has to answer. */
function answers(program) {
  if (platform !== 'linux') return true;
  return spawnSync(program, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0;
}

/**
 * The program file of a Chrome-family browser, or undefined.
 * @returns {string | undefined}
 */
export function findChrome() {
  return chromeCandidates().find((file) => isFile(file) && answers(file));
}

/** The same; without one it throws {@link NO_CHROME}. */
export function getChrome() {
  const program = findChrome();
  if (!program) throw new Error(NO_CHROME);
  return program;
}

/**
 * The program file of a stock Firefox, or undefined.
 * @returns {string | undefined}
 */
export function findFirefox() {
  const candidates = env.FIREFOX_PATH
    ? [env.FIREFOX_PATH]
    : [
        ...onPath(platform === 'win32' ? ['firefox.exe'] : ['firefox-esr', 'firefox']),
        ...macApps(['Firefox']).map((app) => app.replace(/Firefox$/, 'firefox')),
        ...[env.PROGRAMFILES].filter(Boolean).map((root) => path.join(root, 'Mozilla Firefox\\firefox.exe')),
      ];
  return candidates.find((file) => isFile(file) && answers(file));
}

/** WebKitGTK's test browser and its driver, or undefined. They come with Debian's `webkit2gtk-driver`. */
export function findWebKit() {
  const driver = onPath(['WebKitWebDriver']).find(isFile);
  const libraries = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib', '/usr/libexec'];
  const browser = libraries
    .filter(existsSync)
    .flatMap((library) => readdirSync(library).map((name) => path.join(library, name, 'MiniBrowser')))
    .find((file) => /webkit(2)?gtk-/.test(file) && isFile(file));
  // Session creation hangs without a display.
  const hasDisplay = Boolean(env.DISPLAY) || onPath(['Xvfb']).some(isFile);
  return driver && browser && hasDisplay ? { driver, browser } : undefined;
}

export const isRoot = () => process.getuid?.() === 0;

/** Launch flags that work headless, as root, in containers, and without a network. */
export const chromeArgs = () => [
  ...(isRoot() || env.CI ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--force-color-profile=srgb',
];
