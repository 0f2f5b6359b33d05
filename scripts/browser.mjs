// Finds a Chrome-family browser. Node built-ins only.
import { existsSync, statSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const env = process.env;
const onPath = (names) =>
  (env.PATH ?? '')
    .split(path.delimiter)
    .filter(Boolean)
    .flatMap((d) => names.map((n) => path.join(d, n)));
function candidates() {
  if (env.CHROME_PATH) return [env.CHROME_PATH];
  if (process.platform === 'darwin')
    return ['', env.HOME ?? '']
      .flatMap((h) =>
        ['Google Chrome', 'Chromium', 'Microsoft Edge', 'Brave Browser', 'Google Chrome Canary'].map(
          (n) => `${h}/Applications/${n}.app/Contents/MacOS/${n}`,
        ),
      )
      .concat(onPath(['chromium', 'google-chrome']));
  if (process.platform === 'win32')
    return [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA]
      .filter(Boolean)
      .flatMap((r) =>
        [
          'Google\\Chrome\\Application\\chrome.exe',
          'Microsoft\\Edge\\Application\\msedge.exe',
          'Chromium\\Application\\chrome.exe',
        ].map((p) => path.join(r, p)),
      );
  const names = [
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
    'microsoft-edge',
    'microsoft-edge-stable',
    'brave-browser',
  ];
  return [
    ...onPath(names),
    ...names.map((n) => '/usr/bin/' + n),
    '/opt/google/chrome/chrome',
    '/opt/microsoft/msedge/msedge',
    '/snap/bin/chromium',
  ];
}
const runs = (f) =>
  process.platform !== 'linux' || spawnSync(f, ['--version'], { stdio: 'ignore', timeout: 20000 }).status === 0;
export function findChrome() {
  for (const f of candidates()) if (existsSync(f) && statSync(f).isFile() && runs(f)) return f;
  return undefined;
}
export function findFirefox() {
  if (env.FIREFOX_PATH) return env.FIREFOX_PATH;
  return [
    ...onPath(['firefox-esr', 'firefox']),
    '/usr/bin/firefox-esr',
    '/usr/bin/firefox',
    '/Applications/Firefox.app/Contents/MacOS/firefox',
  ].find((f) => existsSync(f));
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
