/** The page's side of the host in a worker: a transport for `<ahp-chat>`. */

import type { AhpTransport } from '../../src/protocol/link.js';
import { createWorkerTransport } from '../../src/host/worker-host.js';

/**
 * Starts the host in a worker, shared by all tabs of this page where the browser can, and gives the transport to it.
 * The client's database must then be the same in all of them; see `storage-key`.
 */
export function openWorkerHost(): AhpTransport {
  if (typeof SharedWorker === 'function') {
    const { port } = new SharedWorker(new URL('./worker-host.ts', import.meta.url), {
      type: 'module',
      name: 'demo-host',
    });
    port.start();
    return createWorkerTransport(port);
  }
  return createWorkerTransport(new Worker(new URL('./worker-host.ts', import.meta.url), { type: 'module' }));
}
