/** The page's side of the host in a worker: a transport for `<ahp-chat>`. */

import { createWorkerTransport as toWorker } from '../src/host/worker-host.js';
import type { AhpTransport } from '../src/protocol/link.js';

/**
 * Starts the host in a worker and gives the transport to it. Where the browser can, one worker serves all tabs of this
 * page, so that they show the same chats; `storage-key` must then be the same in all of them, too.
 */
export function createWorkerTransport(): AhpTransport {
  // Vite reads these calls: address and options have to be literal.
  if (typeof SharedWorker === 'function') {
    const { port } = new SharedWorker(new URL('./host/worker-host.ts', import.meta.url), { type: 'module' });
    port.start();
    return toWorker(port);
  }
  return toWorker(new Worker(new URL('./host/worker-host.ts', import.meta.url), { type: 'module' }));
}
