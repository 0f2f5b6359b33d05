/**
 * `npm test`: all checks that run nothing, then, if they hold, the Node tests and the browser tests, and one plain line
 * with the sum of both. A part can be named, and what follows goes to it:
 *
 *     node scripts/test.mjs check types lint
 *     node scripts/test.mjs node test/host/host-core.node.ts
 *     node scripts/test.mjs browser --files test/chat/reducer.test.ts --coverage
 */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { addCounts, browserTests, closingLine, nodeTests, root, runCounted, tool } from './counted.mjs';

/** The compiler and the formatter know what has not changed since their last run; a linter with types cannot. */
const typeCheck = (project, name) => [
  tool('typescript/bin/tsc'),
  ...['--project', project, '--incremental', '--tsBuildInfoFile', `node_modules/.cache/${name}.tsbuildinfo`],
];

const checks = {
  types: typeCheck('tsconfig.json', 'types'),
  // Layers 0 to 4 have no DOM to lean on.
  headless: typeCheck('scripts/tsconfig.headless.json', 'headless'),
  lint: [tool('eslint/bin/eslint.js'), '-c', 'scripts/eslint.config.mjs', '.'],
  format: [tool('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '--cache', '.'],
  layers: ['test/layers.node.js'],
  readme: ['scripts/readme-api.mjs', '--check'],
  size: ['scripts/build.mjs', '--size'],
};

/** Runs the named checks at once and prints what the failed ones say. Resolves to whether all hold. */
async function runChecks(names) {
  const unknown = names.find((name) => !(name in checks));
  if (unknown) throw new Error(`There is no check "${unknown}"; there are ${Object.keys(checks).join(', ')}.`);
  const results = await Promise.all(names.map(runCheck));
  for (const { name, isGood, output } of results) if (!isGood) console.error(`\n${name}:\n${output}`);
  const bad = results.filter(({ isGood }) => !isGood).map(({ name }) => name);
  if (bad.length > 0) console.error(`\nFailed: ${bad.join(', ')}.`);
  return bad.length === 0;
}

function runCheck(name) {
  const start = performance.now();
  return new Promise((resolve) => {
    execFile(process.execPath, checks[name], { cwd: root, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      // The last line of a good check is its figure, where it has one.
      const figure = error ? '' : stdout.trim().split('\n').at(-1);
      console.log(`${error ? '✖' : '✓'} ${name} (${seconds} s)${figure && `: ${figure}`}`);
      resolve({ name, isGood: !error, output: stdout + stderr });
    });
  });
}

function runNodeTests(args) {
  const files = args.length > 0 ? args : findNodeTests();
  // Node 20's runner knows no patterns, and with no file at all it is content.
  if (files.length === 0) throw new Error('There is no Node test under test/.');
  return runCounted([...nodeTests, ...files]);
}

/** The layer check is a check, not a test; it can be run before anything is installed but the packages. */
function findNodeTests() {
  return readdirSync(path.join(root, 'test'), { recursive: true })
    .filter((file) => /\.node\.[tj]s$/.test(file) && file !== 'layers.node.js' && !file.includes('node_modules'))
    .map((file) => path.join('test', file))
    .sort();
}

const runBrowserTests = (args) => runCounted([...browserTests, ...args]);

function close(counts) {
  console.log(`\n${closingLine(counts)}`);
  process.exitCode = counts.failed > 0 ? 1 : 0;
}

const [part, ...args] = process.argv.slice(2);
switch (part) {
  case 'check':
    process.exitCode = (await runChecks(args.length > 0 ? args : Object.keys(checks))) ? 0 : 1;
    break;
  case 'node':
    close(await runNodeTests(args));
    break;
  case 'browser':
    close(await runBrowserTests(args));
    break;
  case undefined:
    if (await runChecks(Object.keys(checks))) close(addCounts(await runNodeTests([]), await runBrowserTests([])));
    // A check that fails stands for all tests, which have not been run.
    else close({ passed: 0, failed: 1, skipped: 0 });
    break;
  default:
    throw new Error(`"${part}" is none of check, node, browser.`);
}
