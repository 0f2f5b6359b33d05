// The browser tests: Chromium always, Firefox and WebKit with BROWSERS=chrome,firefox,webkit.
import { fileURLToPath } from 'node:url';
import { defaultReporter } from '@web/test-runner';
import { chromeLauncher } from '@web/test-runner-chrome';
import { a11ySnapshotPlugin } from '@web/test-runner-commands/plugins';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import puppeteer from 'puppeteer-core';
import { chromeArgs, findChrome, findFirefox } from '../scripts/browser.mjs';
import { webkitLauncher } from '../scripts/webkit-launcher.mjs';
import { plainReporter } from '../scripts/plain-reporter.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

const launchers = {
  // Every page is a window of its own: a hidden tab gets no animation frames, and `fixture` waits for one.
  chrome: () =>
    chromeLauncher({
      createPage: ({ context }) => context.newPage({ type: 'window' }),
      launchOptions: { executablePath: findChrome(), headless: true, args: chromeArgs() },
    }),
  firefox: () =>
    chromeLauncher({
      puppeteer,
      concurrency: 1,
      launchOptions: { browser: 'firefox', executablePath: findFirefox(), headless: true },
    }),
  webkit: () => webkitLauncher(),
};

export default {
  rootDir: at('..'),
  files: [at('./**/*.test.ts'), '!**/node_modules/**'],
  nodeResolve: { exportConditions: ['development', 'browser'] },
  concurrency: 2,
  concurrentBrowsers: 1,
  browserStartTimeout: 60000,
  testsStartTimeout: 60000,
  testFramework: { config: { timeout: 10000 } },
  plugins: [a11ySnapshotPlugin(), esbuildPlugin({ ts: true, target: 'es2022', tsconfig: at('../tsconfig.json') })],
  // An unhandled rejection fails the run instead of only being logged.
  testRunnerHtml: (path) =>
    `<!doctype html><html lang="en"><title>test</title><body><script>addEventListener('unhandledrejection', (e) => setTimeout(() => { throw e.reason; }))</script><script type="module" src="${path}"></script></body></html>`,
  filterBrowserLogs: ({ args }) => !String(args[0]).includes('Lit is in dev mode'),
  reporters: [defaultReporter({ reportTestProgress: false }), plainReporter()],
  browsers: (process.env.BROWSERS ?? 'chrome').split(',').map((name) => launchers[name]()),
  coverageConfig: { include: ['src/**/*.ts'] },
};
