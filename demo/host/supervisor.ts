/**
 * The demo's two processes as one: the page server here, the host as a child that can be killed and started again on the
 * same port and data. `scripts/start.ts` and the flow tests use it.
 *
 * Routes of the page server, besides the page itself (each refuses a foreign `Host` and `Origin`):
 *
 * - `GET /__host` → `{ running, url }`: whether the host runs, and its WebSocket URL without the token.
 * - `POST /__host/stop`, `POST /__host/start` with `Authorization: Bearer <token>` → the same, when it is done. Stop kills
 *   the host without a warning, as a power cut would.
 */

import { HostProcess, type HostProcessOptions } from './host-process.js';
import { startPageServer } from '../page-server.js';
import { defaultDataDir, loadToken, localOrigins, loopback } from './security.js';

export interface DemoOptions extends Omit<HostProcessOptions, 'dataDir' | 'port'> {
  /** Where the host keeps everything; `demo/data` by default. */
  readonly dataDir?: string;
  /** Of the page. 0, the default, takes a free one; one that is taken, the next that is free. */
  readonly port?: number;
  /** Of the host; a free one by default and when it is taken. */
  readonly hostPort?: number;
  /** Where the page's packages are bundled; by default in `node_modules`, shared by all demos of this checkout. */
  readonly cacheDir?: string;
}

export interface Demo {
  /** With the token in its fragment: the one address to open. */
  readonly address: string;
  readonly pageUrl: string;
  /** `ws://127.0.0.1:…/ahp`, without the token. */
  readonly hostUrl: string;
  readonly token: string;
  /** Of the host's process; `undefined` while it is stopped. */
  readonly hostPid: number | undefined;
  /** Kills the host (SIGKILL). Resolves when it is gone. */
  stopHost(): Promise<void>;
  /** Starts it again. Resolves when it listens. */
  startHost(): Promise<void>;
  /** Ends both, the host in its own time. */
  close(): Promise<void>;
}

export async function startDemo(options: DemoOptions = {}): Promise<Demo> {
  const dataDir = options.dataDir ?? defaultDataDir;
  const token = await loadToken(dataDir);
  const host = new HostProcess({ ...options, dataDir, port: options.hostPort ?? 0 });
  const page = await startPageServer({
    port: options.port ?? 0,
    dataDir,
    token,
    ...(options.cacheDir !== undefined && { cacheDir: options.cacheDir }),
    status: () => ({ running: host.isRunning, url: host.url }),
    stop: () => host.kill(),
    start: () => host.start(),
  });
  host.origins = localOrigins(page.port);
  try {
    await host.start();
  } catch (error) {
    await page.close();
    throw error;
  }
  const pageUrl = `http://${loopback}:${page.port}/`;
  return {
    address: `${pageUrl}#token=${token}`,
    pageUrl,
    token,
    get hostUrl() {
      return host.url;
    },
    get hostPid() {
      return host.pid;
    },
    stopHost: () => host.kill(),
    startHost: () => host.start(),
    async close() {
      await Promise.all([host.end(), page.close()]);
    },
  };
}
