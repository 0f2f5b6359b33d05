import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import test, { type TestContext } from 'node:test';
import { WebSocket } from 'ws';
import { loadToken } from '../../demo/host/security.js';
import { startServer, type RunningServer, type ServerOptions } from '../../demo/host/server.js';
import type { Link } from '../../src/protocol/link.js';
import { tempFolder } from './temp-folder.js';

const token = 'a-token-of-the-test';
const pageOrigin = 'http://127.0.0.1:5999';

interface Started extends RunningServer {
  /** Every link that was let in. */
  readonly links: Link[];
}

async function start(test: TestContext, options: Partial<ServerOptions> = {}): Promise<Started> {
  const links: Link[] = [];
  const server = await startServer({
    port: 0,
    token,
    origins: [pageOrigin],
    accept: (link) => links.push(link),
    health: () => ({ chats: 3 }),
    ...options,
  });
  test.after(() => server.close());
  return { ...server, links };
}

interface Knock {
  readonly path?: string;
  readonly host?: string;
  readonly origin?: string;
}

/** Asks for the upgrade and tells what came: 101 or a refusal. */
async function upgrade(port: number, knock: Knock): Promise<number> {
  const asked = request({
    host: '127.0.0.1',
    port,
    path: knock.path ?? `/ahp?tkn=${token}`,
    headers: {
      host: knock.host ?? `127.0.0.1:${port}`,
      connection: 'upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      ...(knock.origin !== undefined && { origin: knock.origin }),
    },
  });
  asked.end();
  return new Promise((resolve, reject) => {
    asked.once('upgrade', (_response, socket) => {
      socket.destroy();
      resolve(101);
    });
    asked.once('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.once('error', reject);
  });
}

async function get(port: number, knock: Knock): Promise<{ status: number; body: string }> {
  const asked = request({
    host: '127.0.0.1',
    port,
    path: knock.path ?? '/healthz',
    headers: { host: knock.host ?? `127.0.0.1:${port}`, ...(knock.origin !== undefined && { origin: knock.origin }) },
  });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of response.setEncoding('utf8')) body += chunk as string;
  return { status: response.statusCode ?? 0, body };
}

test('a socket opens with the token, from the page, from this port and from a program without an origin', async (t) => {
  const { port } = await start(t);

  for (const origin of [undefined, pageOrigin, `http://127.0.0.1:${port}`, `http://localhost:${port}`]) {
    assert.equal(await upgrade(port, origin === undefined ? {} : { origin }), 101, origin);
  }
  assert.equal(await upgrade(port, { host: `localhost:${port}` }), 101);
});

test('a socket is refused to other origins, other host names, other paths and wrong tokens', async (t) => {
  const { port, links } = await start(t);
  const refusals: [number, Knock][] = [
    [403, { origin: 'https://evil.example' }],
    [403, { origin: 'null' }],
    [403, { origin: 'http://127.0.0.1:6000' }],
    [403, { origin: `http://127.0.0.1:${port}.evil.example` }],
    [403, { origin: `https://127.0.0.1:${port}` }],
    [403, { host: 'evil.example' }],
    [403, { host: `evil.example:${port}` }],
    [403, { host: '127.0.0.1' }],
    [403, { host: `127.0.0.1:${port + 1}` }],
    [404, { path: `/?tkn=${token}` }],
    [404, { path: `/ahp/more?tkn=${token}` }],
    [401, { path: '/ahp' }],
    [401, { path: '/ahp?tkn=' }],
    [401, { path: `/ahp?tkn=${token}x` }],
    [401, { path: `/ahp?token=${token}` }],
  ];

  for (const [status, knock] of refusals) assert.equal(await upgrade(port, knock), status, JSON.stringify(knock));

  assert.equal(links.length, 0);
});

test('every HTTP route refuses a foreign origin and a foreign host, a plug-in’s as well', async (t) => {
  const { port } = await start(t, {
    routes: [{ prefix: '/extra', handle: (_request, response) => void response.end('extra') }],
  });

  for (const path of ['/healthz', '/extra', '/extra/deep', '/none']) {
    assert.equal((await get(port, { path, origin: 'https://evil.example' })).status, 403, path);
    assert.equal((await get(port, { path, host: `rebound.example:${port}` })).status, 403, path);
  }
  assert.deepEqual(await get(port, {}), { status: 200, body: '{"ok":true,"chats":3}' });
  assert.equal((await get(port, { path: '/extra/deep' })).body, 'extra');
  assert.equal((await get(port, { path: '/extras' })).status, 404);
});

test('a route that throws is a 500 without details', async (t) => {
  t.mock.method(console, 'error', () => {});
  const { port } = await start(t, {
    routes: [{ prefix: '/bad', handle: () => Promise.reject(new Error('inner secret')) }],
  });

  const { status, body } = await get(port, { path: '/bad' });

  assert.equal(status, 500);
  assert.doesNotMatch(body, /secret/);
});

async function open(server: Started): Promise<{ socket: WebSocket; link: Link }> {
  const socket = new WebSocket(`${server.url}?tkn=${token}`);
  await once(socket, 'open');
  const link = server.links.at(-1);
  assert.ok(link);
  return { socket, link };
}

test('frames go both ways as text, and a close is told to the link once', async (t) => {
  const server = await start(t);
  const { socket, link } = await open(server);
  const closed = new Promise((resolve) => (link.onclose = resolve));
  const received = new Promise((resolve) => (link.onmessage = resolve));

  socket.send('{"ü":1}');
  assert.equal(await received, '{"ü":1}');
  link.send('answer');
  const [data] = (await once(socket, 'message')) as [Buffer];
  socket.close();

  assert.equal(data.toString(), 'answer');
  assert.deepEqual(await closed, { reason: 'The socket closed with code 1005.', retry: true });
});

test('a frame over the bound ends the socket with 1009, and a binary one with 1003', async (t) => {
  const server = await start(t, { limits: { maxFrame: 1000 } });
  const large = await open(server);
  const binary = await open(server);

  large.socket.send('x'.repeat(1001));
  binary.socket.send(Buffer.from([1]));

  assert.equal((await once(large.socket, 'close'))[0], 1009);
  assert.equal((await once(binary.socket, 'close'))[0], 1003);
});

test('a client that does not read is cut off, and the others are not', async (t) => {
  const server = await start(t, { limits: { maxUnsent: 1024 * 1024 } });
  const slow = await open(server);
  const other = await open(server);
  const cut = new Promise<void>((resolve) => (slow.link.onclose = () => resolve()));
  slow.socket.pause();

  let isCut = false;
  void cut.then(() => (isCut = true));
  while (!isCut) {
    slow.link.send('x'.repeat(64 * 1024));
    await new Promise(setImmediate);
  }
  other.link.send('still here');

  assert.equal(String((await once(other.socket, 'message'))[0]), 'still here');
});

test('a client that answers no ping is cut off', async (t) => {
  const server = await start(t, { limits: { heartbeatMs: 20 } });
  const good = await open(server);
  const socket = connect(server.port, '127.0.0.1');
  socket.write(
    `GET /ahp?tkn=${token} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );

  // Reads, and says nothing.
  await once(socket.resume(), 'close');

  assert.equal(good.socket.readyState, WebSocket.OPEN);
});

test('closing ends every socket with 1001 and frees the port', async (t) => {
  const first = await start(t);
  const { socket } = await open(first);
  const closed = once(socket, 'close');

  await first.close();
  const second = await start(t, { port: first.port });

  assert.equal((await closed)[0], 1001);
  assert.equal(second.port, first.port);
});

test('a taken port is an error that says so', async (t) => {
  const { port } = await start(t);

  await assert.rejects(start(t, { port }), /EADDRINUSE/);
});

test('the token is made once, for this user only, and a broken one is refused', async (t) => {
  const folder = path.join(await tempFolder(t), 'data');

  const made = await loadToken(folder);
  const again = await loadToken(folder);

  assert.equal(again, made);
  assert.ok(Buffer.from(made, 'base64url').length === 32);
  assert.equal((await stat(path.join(folder, 'token'))).mode & 0o777, 0o600);
  assert.notEqual(made, await loadToken(path.join(await tempFolder(t), 'data')));
});
