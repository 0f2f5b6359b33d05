/**
 * The page: Vite's dev server behind a door of our own. The door is the same as the host's: this machine's own address
 * and origin only. It also keeps the data folder, which lies below the page's, out of reach, and has the switch that
 * stops and starts the host.
 */

import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { createServer as createVite } from 'vite';
import { defaultDataDir, findRefusal, isSameSecret, localOrigins } from './host/security.js';
import { answer, listen } from './host/server.js';

export interface HostStatus {
  readonly running: boolean;
  readonly url: string;
}

export interface PageServerOptions {
  readonly port: number;
  /** Never served. */
  readonly dataDir: string;
  readonly cacheDir?: string;
  readonly token: string;
  readonly status: () => HostStatus;
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
}

const repository = fileURLToPath(new URL('..', import.meta.url));
const pageRoot = fileURLToPath(new URL('.', import.meta.url));

export async function startPageServer(options: PageServerOptions): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer();
  const configFile = path.join(repository, 'vite.config.ts');
  const vite = await createVite({
    root: pageRoot,
    configFile: existsSync(configFile) ? configFile : false,
    ...(options.cacheDir !== undefined && { cacheDir: options.cacheDir }),
    clearScreen: false,
    logLevel: 'warn',
    server: {
      middlewareMode: true,
      ws: { server },
      cors: false,
      fs: { allow: [repository], deny: ['**/demo/data/**', '.env', '.env.*', '**/.git/**'] },
    },
  });

  let port = 0;
  const refusalOf = (request: IncomingMessage): string | undefined =>
    findRefusal(request, { port, origins: localOrigins(port) }) ??
    ([options.dataDir, defaultDataDir].some((folder) => leadsInto(folder, request.url ?? '/'))
      ? 'This folder is not served.'
      : undefined);

  server.on('request', (request, response) => {
    const refusal = refusalOf(request);
    if (refusal !== undefined) return answer(response, 403, { error: refusal });
    const route = (request.url ?? '/').split('?')[0] ?? '/';
    if (route === '/__host' || route.startsWith('/__host/')) void answerSwitch(request, response, route, options);
    else vite.middlewares(request, response);
  });
  // The only socket here is Vite's own, which has a listener of its own for it.
  server.prependListener('upgrade', (request, socket) => {
    const isVite = request.headers['sec-websocket-protocol']?.startsWith('vite-');
    if (!isVite || refusalOf(request) !== undefined) socket.destroy();
  });

  port = await listenNear(server, options.port);

  return {
    port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      await vite.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A port near the wanted one: what a browser keeps belongs to the port as well, and is found again the sooner. */
async function listenNear(server: Server, wanted: number): Promise<number> {
  for (let port = wanted; port < wanted + 10; port++) {
    try {
      return await listen(server, port);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
  return listen(server, 0);
}

/** Whether a URL, in any spelling Vite takes for a file, names something in `folder`. */
function leadsInto(folder: string, url: string): boolean {
  let route = url.replace(/[?#].*$/s, '');
  try {
    route = decodeURIComponent(route);
  } catch {
    // What is no encoding is looked up as it stands.
  }
  const file = /^\/+@fs\//.test(route) ? route.replace(/^\/+@fs/, '') : path.join(pageRoot, route);
  const inside = path.relative(folder.toLowerCase(), path.resolve(file.toLowerCase()));
  return !inside.startsWith('..') && !path.isAbsolute(inside);
}

async function answerSwitch(
  request: IncomingMessage,
  response: ServerResponse,
  route: string,
  { token, status, stop, start }: PageServerOptions,
): Promise<void> {
  if (route === '/__host' && request.method === 'GET') return answer(response, 200, status());
  const action = { '/__host/stop': stop, '/__host/start': start }[route];
  if (!action) return answer(response, 404, { error: 'There is nothing here.' });
  if (request.method !== 'POST') return answer(response, 405, { error: 'This takes POST.' });
  // A header no form can send; with the origin it makes two locks.
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  if (!isSameSecret(given, token)) return answer(response, 401, { error: 'The token is missing or wrong.' });
  try {
    await action();
    answer(response, 200, status());
  } catch (error) {
    answer(response, 500, { error: (error as Error).message });
  }
}
