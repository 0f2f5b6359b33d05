import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import path from 'node:path';
import test, { after, before, describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { defaultDataDir } from '../../demo/host/security.js';
import { startDemo, type Demo } from '../../demo/host/supervisor.js';
import { isRunning } from './processes.js';
import { connectRaw } from './running-host.js';
import { tempFolder } from './temp-folder.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function ask(
  url: string,
  { method = 'GET', headers = {} }: Asked = {},
): Promise<{ status: number; body: string }> {
  const { hostname, port, pathname, search, host } = new URL(url);
  // Raw, so that `..` and odd encodings reach the server as they stand.
  const route = url.slice(url.indexOf(host) + host.length) || pathname + search;
  const asked = request({ hostname, port, method, path: route, headers: { host, ...headers } });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of response.setEncoding('utf8')) body += chunk as string;
  return { status: response.statusCode ?? 0, body };
}

describe('the demo’s page server', () => {
  let demo: Demo;
  let dataDir: string;

  before(async () => {
    // Where it is by default: below what the page server serves.
    await mkdir(defaultDataDir, { recursive: true });
    dataDir = await mkdtemp(path.join(defaultDataDir, 'test-'));
    demo = await startDemo({ dataDir, port: 0, paceMs: 0, log: () => {} });
  });
  after(async () => {
    await demo.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('has one address, with the token in the fragment only', () => {
    assert.match(demo.address, /^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/);
    assert.ok(!demo.pageUrl.includes(demo.token) && !demo.hostUrl.includes(demo.token));
  });

  it('serves sources as modules', async () => {
    const { status, body } = await ask(`${demo.pageUrl}host/security.ts`);

    assert.equal(status, 200);
    assert.match(body, /isSameSecret/);
  });

  it('refuses other origins and other host names on every route', async () => {
    const { port } = new URL(demo.pageUrl);
    for (const route of ['', '__host', 'host/security.ts', '@vite/client']) {
      const url = demo.pageUrl + route;
      assert.equal((await ask(url, { headers: { origin: 'https://evil.example' } })).status, 403, route);
      assert.equal((await ask(url, { headers: { host: `evil.example:${port}` } })).status, 403, route);
    }
    const bearer = { authorization: `Bearer ${demo.token}` };
    const foreign = { ...bearer, origin: 'https://evil.example' };
    assert.equal((await ask(`${demo.pageUrl}__host/stop`, { method: 'POST', headers: foreign })).status, 403);
    assert.ok(isRunning(demo.hostPid ?? 0));
  });

  it('refuses a socket of another origin, and one that is not the dev server’s', async () => {
    for (const [protocol, origin] of [
      ['vite-hmr', 'https://evil.example'],
      ['other', demo.pageUrl.slice(0, -1)],
    ] as const) {
      const socket = new WebSocket(demo.pageUrl.replace('http', 'ws'), protocol, { origin });
      const [error] = (await once(socket, 'error')) as [Error];
      assert.match(error.message, /hang up|closed|reset/i);
    }
  });

  it('does not serve the data folder, however it is spelled', async () => {
    const own = path.join(dataDir, 'token');
    const name = path.basename(dataDir);
    assert.ok((await ask(`${demo.pageUrl}@fs${repository}package.json`)).status === 200);
    const routes = [
      `data/${name}/token`,
      `data/${name}/token?raw`,
      `data/${name}/token?url`,
      `data/${name}/token?import&raw`,
      `data/${name}/token?x=/workspace/data`,
      `data//${name}///token`,
      `./data/${name}/token`,
      `host/../data/${name}/token`,
      `host/..%2fdata%2f${name}%2ftoken`,
      `%64ata/${name}/token`,
      `data/${name}/%74oken?raw`,
      `DATA/${name}/token`,
      `../demo/data/${name}/token`,
      `@fs${own}`,
      `@fs${own}?raw`,
      `@fs/${own}`,
      `//@fs${own}`,
      `%40fs${own}`,
      `@fs${repository}demo/host/../data/${name}/token`,
      `@fs${repository}demo/./data/${name}/token?import&raw`,
      `@id/${own}`,
      `@id/@fs${own}`,
    ];

    for (const route of routes) {
      const { body } = await ask(demo.pageUrl + route);
      assert.ok(!body.includes(demo.token), route);
    }
  });

  it('tells about the host, and kills and starts it on the same port and data', async () => {
    const url = `${demo.pageUrl}__host`;
    const headers = { authorization: `Bearer ${demo.token}`, origin: demo.pageUrl.slice(0, -1) };
    const client = await connectRaw(demo.hostUrl, demo.token);
    const chat = await client.openChat();
    await client.askAndWait(chat, 'help');
    const pid = demo.hostPid ?? 0;
    assert.deepEqual(JSON.parse((await ask(url)).body), { running: true, url: demo.hostUrl });

    const stopped = await ask(`${url}/stop`, { method: 'POST', headers });
    assert.deepEqual(JSON.parse(stopped.body), { running: false, url: demo.hostUrl });
    assert.ok(!isRunning(pid));
    assert.equal((await ask(`${url}/stop`, { method: 'POST', headers })).status, 200);

    const started = await ask(`${url}/start`, { method: 'POST', headers });
    assert.deepEqual(JSON.parse(started.body), { running: true, url: demo.hostUrl });
    const again = await connectRaw(demo.hostUrl, demo.token);
    assert.equal((await again.subscribe(chat)).turns.length, 1);
    again.close();
  });

  it('takes the switch with the token and POST only', async () => {
    const url = `${demo.pageUrl}__host`;
    const headers = { authorization: `Bearer ${demo.token}` };

    assert.equal((await ask(`${url}/stop`, { method: 'POST' })).status, 401);
    assert.equal((await ask(`${url}/stop`, { method: 'POST', headers: { authorization: 'Bearer x' } })).status, 401);
    assert.equal((await ask(`${url}/stop?tkn=${demo.token}`, { method: 'POST' })).status, 401);
    assert.equal((await ask(`${url}/stop`, { headers })).status, 405);
    assert.equal((await ask(`${url}/dance`, { method: 'POST', headers })).status, 404);
    assert.equal((await ask(url, { method: 'POST', headers })).status, 404);
    assert.ok(isRunning(demo.hostPid ?? 0));
  });

  it('lets the page’s origin open the host’s socket, and no other', async () => {
    const own = new WebSocket(`${demo.hostUrl}?tkn=${demo.token}`, { origin: demo.pageUrl.slice(0, -1) });
    await once(own, 'open');
    own.terminate();
    const foreign = new WebSocket(`${demo.hostUrl}?tkn=${demo.token}`, { origin: 'http://127.0.0.1:1' });
    const [error] = (await once(foreign, 'error')) as [Error];
    assert.match(error.message, /403/);
  });
});

async function startScript(t: TestContext, env: Readonly<Record<string, string>> = {}) {
  const dataDir = await tempFolder(t);
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/start.ts'], {
    cwd: repository,
    env: { ...process.env, AHP_DEMO_DATA: dataDir, AHP_DEMO_PORT: '0', AHP_DEMO_HOST_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  const address = await new Promise<string>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const found = /http:\/\/\S+/.exec(output);
      if (found) resolve(found[0]);
    });
  });
  const hostPid = Number(readFileSync(path.join(dataDir, 'journal/host.pid'), 'utf8'));
  return { child, address, hostPid, dataDir, output: () => output };
}

test('npm start prints one address, which works, and ends both processes when it is told to', async (t) => {
  const { child, address, hostPid, output } = await startScript(t);
  const { origin, hash } = new URL(address);
  const host = JSON.parse((await ask(`${origin}/__host`)).body) as { running: boolean; url: string };
  const client = await connectRaw(host.url, hash.replace('#token=', ''));
  client.close();

  child.kill('SIGINT');
  const [code] = (await once(child, 'exit')) as [number];

  assert.equal(code, 0);
  assert.equal(output().match(/http:\/\//g)?.length, 1);
  while (isRunning(hostPid)) await new Promise(setImmediate);
});

test('the host ends when the page server is killed, and the other way round', async (t) => {
  const first = await startScript(t);
  const second = await startScript(t);

  first.child.kill('SIGKILL');
  process.kill(second.hostPid, 'SIGKILL');
  const [code] = (await once(second.child, 'exit')) as [number];

  while (isRunning(first.hostPid)) await new Promise(setImmediate);
  assert.equal(code, 1);
});

test('a taken port is passed over for one near it, and a second start on the same data is refused', async (t) => {
  const first = await startScript(t);
  const { port } = new URL(first.address);

  const second = await startScript(t, { AHP_DEMO_PORT: port });

  const refused = spawn(process.execPath, ['--import', 'tsx', 'scripts/start.ts'], {
    cwd: repository,
    env: { ...process.env, AHP_DEMO_DATA: first.dataDir, AHP_DEMO_PORT: '0', AHP_DEMO_HOST_PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  refused.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [code] = (await once(refused, 'exit')) as [number];

  const distance = Number(new URL(second.address).port) - Number(port);
  assert.ok(distance > 0 && distance < 10, String(distance));
  assert.equal(code, 1);
  assert.match(said, /already keeps its chats/);
  for (const { child } of [first, second]) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
});
