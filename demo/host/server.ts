/**
 * The host's front door: HTTP and WebSocket on the loopback address. It checks who comes, bounds what comes in, cuts
 * off who does not read or does not answer, and hands each socket on as a `Link`. It knows nothing of AHP.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Link } from '../../src/protocol/link.js';
import { findRefusal, isSameSecret, localOrigins, loopback } from './security.js';

/** A plug-in's own HTTP route. `Host` and `Origin` have been checked; the token is the route's own business. */
export interface Route {
  /** Everything below this path is the route's. */
  readonly prefix: string;
  handle(request: IncomingMessage, response: ServerResponse, url: URL): void | Promise<void>;
}

export interface ServerLimits {
  /** Bytes of one frame; a longer one ends the socket with code 1009. */
  readonly maxFrame: number;
  /** Bytes that may wait for a client that does not read. */
  readonly maxUnsent: number;
  /** Between two pings; a client that has not answered the last one is cut off. */
  readonly heartbeatMs: number;
}

export const defaultLimits: ServerLimits = {
  maxFrame: 32 * 1024 * 1024,
  maxUnsent: 64 * 1024 * 1024,
  heartbeatMs: 20_000,
};

export interface ServerOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly token: string;
  /** Origins of pages besides those on this server's own port. */
  readonly origins: readonly string[];
  readonly accept: (link: Link) => void;
  readonly health: () => Readonly<Record<string, unknown>>;
  readonly routes?: readonly Route[];
  readonly limits?: Partial<ServerLimits>;
}

export interface RunningServer {
  readonly port: number;
  /** Without the token. */
  readonly url: string;
  /** Ends every socket and stops listening. */
  close(): Promise<void>;
}

export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const limits = { ...defaultLimits, ...options.limits };
  const sockets = new WebSocketServer({ noServer: true, maxPayload: limits.maxFrame, perMessageDeflate: false });
  const server = createServer();
  const port = await listen(server, options.port);
  const guard = { port, origins: [...options.origins, ...localOrigins(port)] };

  server.on('request', (request, response) => {
    const url = new URL(request.url ?? '/', `http://${loopback}`);
    const refusal = findRefusal(request, guard);
    if (refusal !== undefined) return answer(response, 403, { error: refusal });
    if (url.pathname === '/healthz') return answer(response, 200, { ok: true, ...options.health() });
    const route = options.routes?.find(
      ({ prefix }) => url.pathname === prefix || url.pathname.startsWith(`${prefix}/`),
    );
    if (!route) return answer(response, 404, { error: 'There is nothing here.' });
    Promise.resolve(route.handle(request, response, url)).catch((error: unknown) => {
      console.error(`Route ${route.prefix} failed:`, error);
      if (!response.headersSent) answer(response, 500, { error: 'The host failed at this request.' });
      else response.destroy();
    });
  });

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const url = new URL(request.url ?? '/', `http://${loopback}`);
    const refusal = findRefusal(request, guard);
    if (refusal !== undefined) return refuse(socket, '403 Forbidden', refusal);
    if (url.pathname !== '/ahp') return refuse(socket, '404 Not Found', 'There is no socket here.');
    if (!isSameSecret(url.searchParams.get('tkn'), options.token)) {
      return refuse(socket, '401 Unauthorized', 'The token is missing or wrong.');
    }
    sockets.handleUpgrade(request, socket, head, (opened) => options.accept(toLink(opened, limits)));
  });

  const heartbeat = setInterval(() => {
    for (const socket of sockets.clients) beat(socket);
  }, limits.heartbeatMs);

  return {
    port,
    url: `ws://${loopback}:${port}/ahp`,
    async close() {
      clearInterval(heartbeat);
      for (const socket of sockets.clients) socket.close(1001, 'The host is stopping.');
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      // Whoever does not close in turn is not waited for.
      const impatient = setTimeout(() => {
        for (const socket of sockets.clients) socket.terminate();
      }, 500);
      await closed;
      clearTimeout(impatient);
      for (const socket of sockets.clients) socket.terminate();
    },
  };
}

const unanswered = new WeakSet<WebSocket>();

function beat(socket: WebSocket): void {
  if (unanswered.has(socket)) return socket.terminate();
  unanswered.add(socket);
  socket.ping();
}

function toLink(socket: WebSocket, limits: ServerLimits): Link {
  let isClosed = false;
  const link: Link = {
    onmessage: undefined,
    onclose: undefined,
    send(text) {
      if (isClosed) return;
      socket.send(text);
      if (socket.bufferedAmount > limits.maxUnsent) socket.terminate();
    },
    close() {
      isClosed = true;
      socket.close(1000);
    },
  };
  socket.on('pong', () => unanswered.delete(socket));
  socket.on('message', (data: Buffer, isBinary) => {
    if (isClosed) return;
    if (isBinary) return socket.close(1003, 'AHP is text.');
    link.onmessage?.(data.toString('utf8'));
  });
  // `close` follows and says the same.
  socket.on('error', () => {});
  socket.on('close', (code) => {
    if (isClosed) return;
    isClosed = true;
    link.onclose?.({ reason: `The socket closed with code ${code}.`, retry: true });
  });
  return link;
}

export async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, loopback, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

/** Answers with JSON that no page of another origin may read and no browser may take for anything else. */
export function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(JSON.stringify(body));
}

function refuse(socket: Duplex, status: string, reason: string): void {
  const type = 'content-type: text/plain; charset=utf-8';
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n${type}\r\ncontent-length: ${reason.length}\r\n\r\n${reason}`);
}
