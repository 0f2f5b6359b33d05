/**
 * Who may talk to the demo's two servers: this machine's own pages, and programs that know the token. A page of another
 * site is stopped by its `Origin`; a name that somebody else's DNS points at this machine is stopped by `Host`.
 */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmod, mkdir, open, readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the demo keeps everything, its token above all, unless it is told otherwise. Not in the repository. */
export const defaultDataDir = fileURLToPath(new URL('../data', import.meta.url));

/** Both servers listen here and nowhere else. */
export const loopback = '127.0.0.1';

/** The origins of a page that is served on `port` of this machine. */
export const localOrigins = (port: number): string[] => [`http://${loopback}:${port}`, `http://localhost:${port}`];

export interface GuardOptions {
  /** The port this server listens on. */
  readonly port: number;
  readonly origins: readonly string[];
}

/** Why a request is refused, or `undefined`. Programs that are no browser send no `Origin`; they need the token. */
export function findRefusal(request: Pick<IncomingMessage, 'headers'>, options: GuardOptions): string | undefined {
  const { host, origin } = request.headers;
  const hosts = localOrigins(options.port).map((own) => new URL(own).host);
  if (host === undefined || !hosts.includes(host.toLowerCase())) return 'This host answers to its own address only.';
  if (origin !== undefined && !options.origins.includes(origin)) return 'Pages of other origins may not come here.';
  return undefined;
}

/** Compares in the same time whatever differs. */
export function isSameSecret(given: string | null | undefined, secret: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(secret));
}

/** Reads the token of a data folder, or makes it: 32 random bytes, in a file for this user only. */
export async function loadToken(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const name = path.join(dataDir, 'token');
  try {
    const file = await open(name, 'wx', 0o600);
    const token = randomBytes(32).toString('base64url');
    await file.writeFile(token).finally(() => file.close());
    return token;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  await chmod(name, 0o600);
  const token = (await readFile(name, 'utf8')).trim();
  if (!/^[\w-]{40,}$/.test(token)) throw new Error(`${name} holds no token. Delete it, and the next start makes one.`);
  return token;
}
