/**
 * One connection per host, account and page: elements that show chats of the same host share its client, and those on the
 * same chat share store and draft. Source: architecture, folders.
 */

import { Counted, type Lease } from './counted.js';
import type { Environment } from './environment.js';
import { HostClient, type HostClientOptions } from './host-client.js';

export class Hub {
  readonly environment: Environment;
  readonly #hosts: Counted<HostClient>;

  constructor(environment: Environment) {
    this.environment = environment;
    this.#hosts = new Counted(environment, (host) => host.close());
  }

  /**
   * The client of a host, made by `create` where the page has none. The connection ends in a later task when the last one
   * has released it, so that a move within the document keeps everything alive.
   */
  acquire(key: string, create: () => Omit<HostClientOptions, 'key' | 'environment'>): Lease<HostClient> {
    const { environment } = this;
    return this.#hosts.acquire(key, () => new HostClient({ ...create(), key, environment }));
  }
}

/**
 * Names a host and an account on this device: the address without query and fragment, in which secrets and caprices live,
 * and the page's own word for the account. Also the name of the database.
 */
export function toHostKey(src: string, options: { readonly base?: string; readonly storageKey?: string } = {}): string {
  const { base, storageKey } = options;
  const absolute = URL.canParse(src, base) ? new URL(src, base) : undefined;
  const address = absolute ? `${absolute.protocol}//${absolute.host}${absolute.pathname}` : src.split(/[?#]/, 1)[0];
  // A space stands in no address, so that no two pairs have one name.
  return storageKey ? `${address} ${storageKey}` : (address ?? '');
}
