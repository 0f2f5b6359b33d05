/** Builds page modules with Vite as they would ship, and serves them cross-origin isolated: clocks there are precise. */

import { createReadStream, existsSync } from 'node:fs';
import { type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, type Rolldown, build } from 'vite';
import { prismPlugin } from '../../../scripts/prism-plugin.mjs';

const benches = fileURLToPath(new URL('..', import.meta.url));
const outRoot = fileURLToPath(new URL('../../../out/bench/pages', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

export interface PageServer {
  /** Builds the entry if this is its first page. Each call returns an origin of its own, so storage is not shared. */
  publish(entry: string, headers: Readonly<Record<string, string>>): Promise<string>;
  close(): void;
}

export async function startPageServer(): Promise<PageServer> {
  const builds = new Map<string, Promise<string>>();
  /** By host name: what its document is and which headers it has. */
  const documents = new Map<string, { readonly html: string; readonly headers: Readonly<Record<string, string>> }>();

  const server = createServer((request, response) => {
    const { hostname, pathname } = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const document = documents.get(hostname);
    if (pathname === '/' && document) send(response, document.headers, '.html').end(document.html);
    else sendFile(response, pathname);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    async publish(entry, headers) {
      const html = await (builds.get(entry) ?? remember(builds, entry, buildPage(entry)));
      // Chromium resolves every name under localhost to this machine.
      const hostname = `page${documents.size}.localhost`;
      documents.set(hostname, { html, headers });
      return `http://${hostname}:${port}/`;
    },
    close: () => void server.close(),
  };
}

function remember<K, V>(map: Map<K, V>, key: K, value: V): V {
  map.set(key, value);
  return value;
}

function send(response: ServerResponse, headers: Readonly<Record<string, string>>, ending: string): ServerResponse {
  return response.writeHead(200, {
    'content-type': TYPES[ending] ?? 'application/octet-stream',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
    ...headers,
  });
}

function sendFile(response: ServerResponse, pathname: string): void {
  const file = path.join(outRoot, path.normalize(pathname));
  if (existsSync(file)) createReadStream(file).pipe(send(response, {}, path.extname(file)));
  else response.writeHead(404).end();
}

/** Returns the document that loads the built entry. */
async function buildPage(entry: string): Promise<string> {
  const folder = entry.replace(/\.\w+$/, '').replace(/\W+/g, '-');
  const result = await build({
    configFile: false,
    root: benches,
    mode: 'production',
    base: `/${folder}/`,
    logLevel: 'error',
    // What runs only in Node says `global`.
    define: { global: 'globalThis' },
    plugins: [prismPlugin(), leaveOutMissingPeers],
    worker: { format: 'es' },
    build: {
      outDir: path.join(outRoot, folder),
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: false,
      chunkSizeWarningLimit: Infinity,
      rolldownOptions: { input: path.join(benches, entry) },
    },
  });
  const { output } = [result].flat()[0] as Rolldown.RolldownOutput;
  const script = output.find((file) => file.type === 'chunk' && file.isEntry);
  const styles = output.filter(({ fileName }) => fileName.endsWith('.css'));
  return `<!doctype html>
    <html lang="en">
      <meta charset="utf-8">
      <title>${folder}</title>
      <link rel="icon" href="data:,">
      ${styles.map(({ fileName }) => `<link rel="stylesheet" href="/${folder}/${fileName}">`).join('')}
      <style>html, body { margin: 0; block-size: 100% } #root { block-size: 100%; overflow: auto }</style>
      <body><main id="root"></main><script type="module" src="/${folder}/${script?.fileName}"></script></body>
    </html>`;
}

/** What we compare with has optional parts that are not installed and never loaded. */
const leaveOutMissingPeers: Plugin = {
  name: 'leave-out-missing-peers',
  async resolveId(source, importer, options) {
    if (!importer?.includes('node_modules') || /^[./\0]/.test(source)) return null;
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    return found ?? { id: source, external: true };
  },
};
