/**
 * `npm run build`: the package in `dist/` – modules, types, `custom-elements.json` and the stand-alone build – and the
 * demo in `demo-dist/`. Prints what a page loads first and fails if that is over the budget.
 *
 * With `--size` only the stand-alone build is made, in `out/size/`, and measured: `npm test` does that. `--modules` lists
 * what the first load is made of.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { root, tool } from './counted.mjs';

/** KiB of gzip for `ahp-chat.js` and all that it imports statically. */
const BUDGET_KIB = 60;

const at = (file) => path.join(root, file);
const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KiB`;

if (process.argv.includes('--size')) {
  await measureStandalone('out/size');
} else {
  rmSync(at('dist'), { recursive: true, force: true });
  await run('library');
  execFileSync(process.execPath, [tool('typescript/bin/tsc'), '-p', 'scripts/tsconfig.build.json'], inherit());
  nameLitInTypes();
  const cem = tool('@custom-elements-manifest/analyzer/cem.js');
  execFileSync(process.execPath, [cem, 'analyze', '--config', 'scripts/cem.config.mjs', '--quiet'], inherit());
  await run('demo');
  await measureStandalone('dist/standalone');
}

function inherit() {
  return { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] };
}

/** The compiler names inferred types after the package that lit takes them from, which is no dependency of ours. */
function nameLitInTypes() {
  for (const name of readdirSync(at('dist'), { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue;
    const file = at(path.join('dist', name));
    const text = readFileSync(file, 'utf8');
    const named = text.replaceAll(/import\("lit-html(?=["/])/g, 'import("lit');
    if (named !== text) writeFileSync(file, named);
  }
}

async function run(mode, outDir) {
  const start = performance.now();
  const result = await build({
    root: mode === 'demo' ? undefined : root,
    configFile: at('vite.config.ts'),
    mode: mode === 'demo' ? 'production' : mode,
    logLevel: 'warn',
    build: outDir ? { outDir: at(outDir), emptyOutDir: true } : {},
  });
  console.log(`${mode} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  return [result].flat()[0].output;
}

async function measureStandalone(outDir) {
  const output = await run('standalone', outDir);
  const chunks = new Map(output.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]));
  refuseBareImports(chunks);

  const first = reach(['ahp-chat.js'], chunks, ({ imports }) => imports);
  const list = reach(['ahp-chat-list.js'], chunks, ({ imports }) => imports);
  const ofList = [...list].filter((name) => !first.has(name));
  const rest = [...chunks.keys()].filter((name) => !first.has(name) && !ofList.includes(name));
  const sizes = new Map([...chunks.keys()].map((name) => [name, gzipSize(at(path.join(outDir, name)))]));
  const print = (name) => console.log(`  ${kib(sizes.get(name)).padStart(10)}  ${name}`);
  const total = [...first].reduce((sum, name) => sum + sizes.get(name), 0);

  console.log(`\nLoaded when first needed (gzip):`);
  rest.sort((a, b) => sizes.get(b) - sizes.get(a)).forEach(print);
  console.log(`\nThe list of chats, beside the first load (gzip):`);
  ofList.forEach(print);
  console.log(`\nFirst load (gzip):`);
  [...first].forEach(print);
  if (process.argv.includes('--modules')) printModules([...first].map((name) => chunks.get(name)));
  const left = BUDGET_KIB * 1024 - total;
  const verdict = left >= 0 ? `${kib(left)} left` : `${kib(-left)} too much`;
  console.log(`\nFirst load: ${kib(total)} of ${BUDGET_KIB} KiB, ${verdict}.`);
  if (left < 0) process.exitCode = 1;
}

/** A script tag has no import map: whatever is imported has to be a file beside it. */
function refuseBareImports(chunks) {
  for (const { fileName, imports, dynamicImports } of chunks.values()) {
    const bare = [...imports, ...dynamicImports].find((name) => !chunks.has(name));
    if (bare) throw new Error(`${fileName} imports "${bare}", which a page without a bundler cannot load.`);
  }
}

function reach(names, chunks, next, seen = new Set()) {
  for (const name of names) {
    if (seen.has(name)) continue;
    seen.add(name);
    reach(next(chunks.get(name)), chunks, next, seen);
  }
  return seen;
}

/** Each module's text by itself, before it is minified: right in proportion only. */
function printModules(chunks) {
  const modules = chunks.flatMap((chunk) => Object.entries(chunk.modules));
  const sizes = modules.map(([id, { code }]) => [path.relative(root, id), gzipSync(code ?? '').length]);
  console.log(`\nModules of the first load (gzip, not minified):`);
  for (const [id, size] of sizes.sort((a, b) => b[1] - a[1])) console.log(`  ${kib(size).padStart(10)}  ${id}`);
}

function gzipSize(file) {
  return gzipSync(readFileSync(file), { level: 9 }).length;
}
