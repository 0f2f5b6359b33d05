/** A host process on a folder of its own, for one test or a whole file of them. */

import { once } from 'node:events';
import { readFile, rm, mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HostProcess } from '../../demo/host/host-process.js';
import { loadToken } from '../../demo/host/security.js';
import { WebSocket } from 'ws';
import type { Link } from '../../src/protocol/link.js';
import { RawClient } from './raw-client.js';

/** Opens a socket and initializes over it. */
export async function connectRaw(url: string, token: string): Promise<RawClient> {
  const socket = new WebSocket(`${url}?tkn=${token}`);
  const link: Link = {
    onmessage: undefined,
    onclose: undefined,
    send: (text) => socket.send(text),
    close: () => socket.terminate(),
  };
  socket.on('message', (data: Buffer) => link.onmessage?.(data.toString('utf8')));
  socket.on('close', (code) => link.onclose?.({ reason: `The socket closed with ${code}.`, retry: true }));
  await once(socket, 'open');
  return RawClient.over(link);
}

export interface RunningHost {
  readonly host: HostProcess;
  readonly token: string;
  readonly dataDir: string;
  /** Everything the host logged. */
  readonly log: readonly string[];
  connect(): Promise<RawClient>;
  /** The text of a file in the workspace. */
  read(file: string): Promise<string>;
  /** Ends the host and deletes its folder. */
  end(): Promise<void>;
}

export async function runHost(options: { paceMs?: number; env?: Record<string, string> } = {}): Promise<RunningHost> {
  const dataDir = await realpath(await mkdtemp(path.join(tmpdir(), 'ahp-host-')));
  const token = await loadToken(dataDir);
  const log: string[] = [];
  const clients: RawClient[] = [];
  const host = new HostProcess({ dataDir, paceMs: 0, log: (text) => log.push(text), ...options });
  await host.start();
  return {
    host,
    token,
    dataDir,
    log,
    async connect() {
      const client = await connectRaw(host.url, token);
      clients.push(client);
      return client;
    },
    read: (file) => readFile(path.join(dataDir, 'workspace', file), 'utf8'),
    async end() {
      for (const client of clients) client.close();
      await host.end();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
