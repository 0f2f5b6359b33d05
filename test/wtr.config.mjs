/**
 * The browser tests: `wtr --config test/wtr.config.mjs --files …` runs them in Chromium, and with
 * `BROWSERS=chrome,firefox,webkit` in each of those. `npm run test:browser` and `npm run test:browsers` start this.
 */
import { fileURLToPath } from 'node:url';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { defaultReporter } from '@web/test-runner';
import { chromeLauncher } from '@web/test-runner-chrome';
import { a11ySnapshotPlugin } from '@web/test-runner-commands/plugins';
import puppeteer from 'puppeteer-core';
import { chromeArgs, findFirefox, getChrome } from '../scripts/browser.mjs';
import { liveFramePlugin } from '../scripts/live-bundle.mjs';
import { prismTestPlugin } from '../scripts/prism-plugin.mjs';
import { plainReporter } from '../scripts/plain-reporter.mjs';
import { webkitLauncher } from '../scripts/webkit-launcher.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

const launchers = {
  chrome() {
    const launcher = chromeLauncher({
      launchOptions: { executablePath: getChrome(), headless: true, args: chromeArgs() },
      async createPage({ context }) {
        // A window of its own: a hidden tab gets no animation frames, and `fixture` waits for one.
        const page = await context.newPage({ type: 'window' });
        await page.emulateFocusedPage(true);
        return page;
      },
    });
    // The launcher resets the viewport itself.
    afterEachFile(launcher, (page) => Promise.all([page.emulateMediaFeatures(), page.emulateMediaType()]));
    return launcher;
  },
  firefox() {
    const launcher = chromeLauncher({
      puppeteer,
      concurrency: 1,
      launchOptions: { browser: 'firefox', executablePath: findFirefox(), headless: true },
    });
    // A page that is used again has no focus any more, and without it Enter presses no button.
    afterEachFile(launcher, async (page) => {
      launcher.inactivePages.length = 0;
      await page.close();
    });
    return launcher;
  },
  // The viewport that the other launcher gives each test file.
  webkit: () => webkitLauncher({ width: 800, height: 600 }),
};

/**
 * The launcher hands a page on from file to file, because a new one costs as much as a small file's tests. One file must
 * not see what another left, so `tidy` cleans the page up.
 */
function afterEachFile(launcher, tidy) {
  const stopSession = launcher.stopSession.bind(launcher);
  launcher.stopSession = async (id) => {
    const page = launcher.getPage(id);
    const result = await stopSession(id);
    await tidy(page);
    return result;
  };
}

export default {
  rootDir: at('..'),
  files: [at('./**/*.test.ts'), '!**/node_modules/**'],
  nodeResolve: { exportConditions: ['development', 'browser'] },
  concurrency: 2,
  concurrentBrowsers: 1,
  browserStartTimeout: 60_000,
  testsStartTimeout: 60_000,
  testsFinishTimeout: 300_000,
  testFramework: { config: { timeout: 60_000 } },
  plugins: [
    a11ySnapshotPlugin(),
    prismTestPlugin(),
    liveFramePlugin(),
    esbuildPlugin({ ts: true, target: 'es2022', tsconfig: at('../tsconfig.json') }),
  ],
  // An unhandled rejection fails the run instead of only being logged; nothing of the file before is left.
  testRunnerHtml: (path) => `<!doctype html>
    <html lang="en">
      <title>test</title>
      <body>
        <script>
          sessionStorage.clear();
          addEventListener('unhandledrejection', (event) => setTimeout(() => { throw event.reason; }));
        </script>
        <script type="module" src="/test/helpers/element-failures.js"></script>
        <script type="module" src="/test/helpers/one-update.js"></script>
        <script type="module" src="${path}"></script>
      </body>
    </html>`,
  filterBrowserLogs: ({ args }) => !String(args[0]).includes('Lit is in dev mode'),
  reporters: [defaultReporter({ reportTestProgress: false }), plainReporter()],
  browsers: (process.env.BROWSERS ?? 'chrome').split(',').map((name) => launchers[name]()),
  coverageConfig: { include: ['src/**/*.ts'], reportDir: at('../coverage') },
};
