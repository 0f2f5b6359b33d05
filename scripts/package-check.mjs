/**
 * `npm run package-check`: builds, then meets the package as the people who use it do. publint and attw read its
 * manifest and types; Node imports it packed, with nothing else installed; a browser loads the stand-alone build from
 * another origin, and the demo from a folder of a plain file server.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import puppeteer from 'puppeteer-core';
import ts from 'typescript';
import { chromeArgs, getChrome } from './browser.mjs';
import { root, tool } from './counted.mjs';

/** Subpaths that run in bare Node, with no dependency installed. */
const HEADLESS = ['client', 'protocol', 'host'];

const at = (file) => path.join(root, file);
const WAIT = { timeout: 10_000 };
const { dependencies, exports } = JSON.parse(readFileSync(at('package.json'), 'utf8'));

/** Each throws with what is wrong. */
const steps = {
  build: () => node('scripts/build.mjs'),
  publint: () => node(tool('publint/src/cli.js'), '--strict'),
  attw: () => node(tool('@arethetypeswrong/cli/dist/index.js'), '--pack', '.', '--profile', 'esm-only'),
  dependencies: checkDependencies,
  headless: checkHeadless,
  standalone: () => checkPages(checkStandalone),
  demo: () => checkPages(checkDemo),
};

for (const [name, step] of Object.entries(steps)) {
  const start = performance.now();
  try {
    await step();
  } catch (error) {
    console.error(`✖ ${name}\n${error.message}`);
    process.exit(1);
  }
  console.log(`✓ ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
}

function node(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout + stderr);
}

/** What a published module or its types import has to be declared, or strict package managers do not find it. */
function checkDependencies() {
  const files = readdirSync(at('dist'), { recursive: true }).filter((file) => /\.(js|d\.ts)$/.test(file));
  const missing = files.flatMap((file) =>
    ts
      .preProcessFile(readFileSync(at(path.join('dist', file)), 'utf8'))
      .importedFiles.filter(({ fileName }) => !fileName.startsWith('.'))
      .map(({ fileName }) => /^(@[^/]+\/)?[^/]+/.exec(fileName)[0])
      .filter((name) => !(name in dependencies))
      .map((name) => `dist/${file} imports ${name}, which is not in the dependencies.`),
  );
  if (missing.length > 0) throw new Error(missing.join('\n'));
}

/** Packs the package as it would be published, and imports it in a folder where nothing else is. */
function checkHeadless() {
  const folder = mkdtempSync(path.join(tmpdir(), 'packed-'));
  try {
    const npm = process.env.npm_execpath ?? '';
    const pack = ['pack', '--silent', '--pack-destination', folder];
    const options = { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' };
    const isScript = /\.[cm]?js$/.test(npm);
    execFileSync(isScript ? process.execPath : 'npm', isScript ? [npm, ...pack] : pack, options);
    const [archive] = readdirSync(folder);
    execFileSync('tar', ['-xzf', archive], { cwd: folder });
    for (const name of HEADLESS) {
      const subpath = `./${name}`;
      const target = exports[subpath].default;
      const url = JSON.stringify(`${new URL(`file://${path.join(folder, 'package', target)}`)}`);
      execFileSync(process.execPath, ['--input-type=module', '-e', `await import(${url})`], { encoding: 'utf8' });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Gives `check` a browser page in which nothing may go wrong. */
async function checkPages(check) {
  const browser = await puppeteer.launch({ executablePath: getChrome(), headless: true, args: chromeArgs() });
  const servers = [];
  const problems = [];
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('requestfailed', (request) => problems.push(`${request.url()} could not be loaded.`));
    page.on('response', (response) => {
      if (response.status() >= 400) problems.push(`${response.url()} answers ${response.status()}.`);
    });
    const serve = async (respond) => {
      const server = createServer(respond);
      servers.push(server);
      await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
      return `http://127.0.0.1:${server.address().port}`;
    };
    await check(page, serve);
  } catch (error) {
    problems.push(error.message);
  } finally {
    await browser.close();
    for (const server of servers) server.close();
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** A page of its own origin takes both elements from another, as from a CDN. They share code and connection. */
async function checkStandalone(page, serve) {
  const cdn = await serve(filesOf('dist/standalone', '/'));
  const site = await serve((request, response) => {
    const isPage = request.url === '/';
    response.writeHead(isPage ? 200 : 204, { 'content-type': 'text/html; charset=utf-8' });
    response.end(
      isPage
        ? `<!doctype html><html lang="en"><title>site</title><script type="module" src="${cdn}/ahp-chat.js"></script>
           <script type="module" src="${cdn}/ahp-chat-list.js"></script>
           <body><ahp-chat id="chat" storage="memory"></ahp-chat><ahp-chat-list for="chat"></ahp-chat-list></body></html>`
        : undefined,
    );
  });
  await page.goto(site);
  for (const name of ['ahp-chat', 'ahp-chat-list']) {
    await page.waitForFunction((tag) => document.querySelector(tag)?.shadowRoot?.childElementCount > 0, WAIT, name);
  }
  await page.evaluate(() => {
    window.connections = 0;
    document.querySelector('ahp-chat').transport = {
      connect: () => {
        window.connections += 1;
        return new Promise(() => undefined);
      },
    };
    document.querySelector('ahp-chat-list').requestUpdate();
  });
  await page.waitForFunction(() => window.connections > 0, WAIT);
  const list = "document.querySelector('ahp-chat-list').shadowRoot.querySelector('ahp-catalogue')";
  await page.waitForFunction(`${list}.catalogue.phase === 'loading' && !${list}.isUpdatePending`, WAIT);
  const connections = await page.evaluate(() => window.connections);
  if (connections !== 1) throw new Error(`The chat and its list have ${connections} connections to one host.`);
}

/** The built page finds its files wherever it is put, and chats without a host process. */
async function checkDemo(page, serve) {
  const site = await serve(filesOf('demo-dist', '/some/folder/'));
  await page.goto(`${site}/some/folder/index.html?host=worker`);
  await page.waitForFunction(() => document.querySelector('ahp-chat')?.shadowRoot?.childElementCount > 0, WAIT);
}

/** A file server as plain as they come. */
function filesOf(folder, base) {
  const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css' };
  return (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const file = pathname.startsWith(base) ? at(path.join(folder, path.normalize(pathname.slice(base.length)))) : '';
    if (pathname === '/favicon.ico') response.writeHead(204).end();
    else if (!existsSync(file)) response.writeHead(404).end();
    else {
      const type = types[path.extname(file)] ?? 'application/octet-stream';
      response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' }).end(readFileSync(file));
    }
  };
}
