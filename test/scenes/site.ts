/** The pages of the scenes: built once, and served to each scene at an origin of its own, with the wire to the host. */

import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { prismPlugin } from '../../scripts/prism-plugin.mjs';
import { Wire } from './wire.js';

const root = fileURLToPath(new URL('./page', import.meta.url));
const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

export interface Site {
  readonly port: number;
  readonly wire: Wire;
  /** Errors that a page of this origin has not caught. */
  readonly troubles: readonly string[];
}

export interface Sites {
  open(findHost: () => URL): Promise<Site>;
  close(): Promise<void>;
}

export async function buildSites(): Promise<Sites> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ahp-scenes-'));
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [prismPlugin()],
    worker: { format: 'es' },
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2022',
      minify: false,
      rolldownOptions: { input: ['chat.html', 'other.html'].map((page) => path.join(root, page)) },
    },
  });
  const ends: (() => void)[] = [];
  return {
    open: (findHost) => serve(folder, findHost, ends),
    async close() {
      for (const end of ends) end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** An origin is not given to another scene while the browser may have something of it, so all stay until the end. */
async function serve(folder: string, findHost: () => URL, ends: (() => void)[]): Promise<Site> {
  const wire = new Wire(findHost);
  const troubles: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://scene');
    if (pathname === '/__trouble') {
      request.setEncoding('utf8').on('data', (text: string) => troubles.push(text));
      return void response.writeHead(204).end();
    }
    const file = path.join(folder, path.normalize(pathname));
    readFile(file).then(
      (bytes) => response.writeHead(200, { 'content-type': types[path.extname(file)] ?? '' }).end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  server.on('upgrade', (request, socket, head) => wire.admit(request, socket, head));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, wire, troubles };
}
