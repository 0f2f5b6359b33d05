/** The transport against a real server; `ws` is only the server's end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WebSocket as NodeSocket, WebSocketServer } from 'ws';
import { createBrowserEnvironment } from '../../src/client/browser-environment.js';
import { createWebSocketTransport } from '../../src/client/websocket-transport.js';
import type { LinkClose } from '../../src/protocol/link.js';

async function listen() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  return { server, url: `ws://127.0.0.1:${port}/ahp` };
}

const connect = (url: string, token?: string) =>
  createWebSocketTransport({
    url,
    ...(token ? { token } : {}),
    environment: createBrowserEnvironment(),
    // The shapes agree in what the transport uses.
    WebSocket: NodeSocket as unknown as typeof WebSocket,
  }).connect(new AbortController().signal);

test('carries frames both ways over a real socket, with the token in the upgrade', async () => {
  const { server, url } = await listen();
  const upgrade = new Promise<string>((resolve) =>
    server.once('connection', (socket, request) => {
      resolve(request.url ?? '');
      socket.on('message', (data: Buffer) => socket.send(`echo ${data.toString()}`));
    }),
  );

  const link = await connect(url, 'secret');
  const answer = new Promise<string>((resolve) => (link.onmessage = resolve));
  link.send('hello');

  assert.equal(await answer, 'echo hello');
  assert.equal(await upgrade, '/ahp?tkn=secret');
  link.close();
  server.close();
});

test('tells when the server is gone, and fails plainly when nobody listens', async () => {
  const { server, url } = await listen();
  const link = await connect(url);
  const closed = new Promise<LinkClose>((resolve) => (link.onclose = resolve));

  for (const client of server.clients) client.terminate();
  await new Promise((resolve) => server.close(resolve));

  assert.equal((await closed).retry, true);
  await assert.rejects(connect(url, 'secret'), (error: Error) => !error.message.includes('secret'));
});
