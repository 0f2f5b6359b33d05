/**
 * The page's hub: elements that name the same host and account share one client, mirror and connection. Here, and only
 * here, are the real mirror and the real socket chosen.
 */

import type { Lease } from '../client/counted.js';
import type { Environment } from '../client/environment.js';
import type { HostClient } from '../client/host-client.js';
import { Hub, toHostKey } from '../client/hub.js';
import { createWebSocketTransport, type Token } from '../client/websocket-transport.js';
import { MemoryMirror } from '../mirror/memory-mirror.js';
import { openMirror } from '../mirror/open-mirror.js';
import type { AhpTransport } from '../protocol/link.js';

/** What names a host and an account. */
export interface HostAddress {
  readonly src: string | undefined;
  readonly token: Token | undefined;
  readonly storage: 'indexeddb' | 'memory';
  readonly storageKey: string | undefined;
  readonly transport: AhpTransport | undefined;
}

/** One for the page; made with the first host. */
let hub: Hub | undefined;

/** Transports without a name of their own are told apart by what they are. */
const names = new WeakMap<AhpTransport, string>();

/** The client of the host that `address` names, made where the page has none. */
export function acquireHost(
  address: HostAddress,
  environment: Environment,
  onDiagnostic: (code: string, text: string) => void,
): Lease<HostClient> {
  const { src, token, storage, storageKey, transport } = address;
  hub ??= new Hub(environment);
  const isNamed = src !== undefined || storageKey !== undefined;
  const key = isNamed
    ? toHostKey(src ?? 'transport:', { base: location.href, ...(storageKey !== undefined && { storageKey }) })
    : nameOf(transport, environment);
  // Without a name the same chat could not be found again.
  const isKept = storage === 'indexeddb' && isNamed;
  return hub.acquire(isKept ? key : `${key} memory`, () => ({
    mirror: isKept ? openMirror(key, environment) : new MemoryMirror(),
    transport:
      transport ?? createWebSocketTransport({ url: src ?? '', environment, ...(token !== undefined && { token }) }),
    locale: () => document.documentElement.lang || navigator.language,
    onDiagnostic: ({ code, message }) => onDiagnostic(code, message),
  }));
}

function nameOf(transport: AhpTransport | undefined, environment: Environment): string {
  if (!transport) return '';
  const name = names.get(transport) ?? `transport:${environment.createId()}`;
  names.set(transport, name);
  return name;
}
