/**
 * A host in a worker: the page sends one port per connection, and the worker's host takes each as a link. Works with
 * dedicated and shared workers. Source: architecture, worker-hosted variant.
 */

import type { AhpTransport, Link } from '../protocol/link.js';
import { AhpError } from '../protocol/errors.js';
import { createPortLink, type PortLike } from '../protocol/port-link.js';
import type { LinkAcceptor } from './link-pair.js';

/** What a page posts to the worker, with the port. */
const CONNECT = 'ahp-host/connect';

interface PortScope {
  addEventListener(
    type: 'message',
    listener: (event: { readonly data: unknown; readonly ports: readonly PortLike[] }) => void,
  ): void;
}

interface PortTarget {
  postMessage(message: unknown, transfer: Transferable[]): void;
}

/** In the worker: gives every port that arrives at `scope` to the host. */
export function acceptPorts(host: LinkAcceptor, scope: PortScope): void {
  scope.addEventListener('message', ({ data, ports }) => {
    const [port] = ports;
    if (data === CONNECT && port) host.connect(createPortLink(port));
  });
}

/** In the page: opens links to the host in `worker`. A worker that fails is found by the client's ping. */
export function createWorkerTransport(worker: PortTarget): AhpTransport {
  return {
    isLocal: true,
    connect(signal: AbortSignal): Promise<Link> {
      if (signal.aborted) {
        return Promise.reject(new AhpError('disconnected', 'The connection was aborted.', { cause: signal.reason }));
      }
      const { port1, port2 } = new MessageChannel();
      worker.postMessage(CONNECT, [port2]);
      return Promise.resolve(createPortLink(port1));
    },
  };
}
