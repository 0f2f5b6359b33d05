/**
 * `npm run test:browsers`: the browser tests and the scenes in Chromium and in whatever of Firefox and WebKit is
 * installed, each as a run of its own so that one browser's end is not another's. Names choose, and so do files:
 * `npm run test:browsers -- firefox scenes`, `npm run test:browsers -- firefox --files …`.
 */
import { findChrome, findFirefox, findWebKit } from './browser.mjs';
import { addCounts, browserTests, closingLine, nodeTests, runCounted } from './counted.mjs';

const browsers = {
  chrome: { find: findChrome, advice: 'set CHROME_PATH, or install Chrome, Chromium or Edge' },
  firefox: { find: findFirefox, advice: 'set FIREFOX_PATH, or install Firefox (Debian: firefox-esr)' },
  webkit: { find: findWebKit, advice: 'on Debian or Ubuntu install webkit2gtk-driver and xvfb' },
};

const args = process.argv.slice(2);
const firstOption = args.findIndex((arg) => !(arg in browsers));
const named = firstOption < 0 ? args : args.slice(0, firstOption);
const options = args.slice(named.length);
const parts = [
  ...(options[0] === 'scenes' ? [] : [[...browserTests, ...options]]),
  // Files that are chosen are files of the browser tests.
  ...(options.length === 0 || options[0] === 'scenes' ? [[...nodeTests, 'test/scenes/scenes.node.ts']] : []),
];
const wanted = named.length > 0 ? named : Object.keys(browsers);

const summary = [];
let total = { passed: 0, failed: 0, skipped: 0 };
for (const name of wanted) {
  if (!browsers[name].find()) {
    summary.push(`${name}: not found (${browsers[name].advice})`);
    // Who asks for a browser by name wants to know that it was not tested.
    if (named.length > 0) total.failed++;
    continue;
  }
  console.log(`\n${name}`);
  const start = performance.now();
  let counts = { passed: 0, failed: 0, skipped: 0 };
  for (const part of parts) counts = addCounts(counts, await runCounted(part, { BROWSERS: name }));
  summary.push(`${name}: ${closingLine(counts)} (${((performance.now() - start) / 1000).toFixed(0)} s)`);
  total = addCounts(total, counts);
}
if (named.length === 0 && !findFirefox() && !findWebKit()) {
  summary.push('Neither Firefox nor WebKit was tested, so this run says no more than "npm test" does.');
  total.failed++;
}

console.log(`\n${summary.join('\n')}\n\n${closingLine(total)}`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
