/** Links to a host behind a MessagePort: in a worker, in another frame, or in the same process. */

import { AhpError } from '../protocol/errors.js';
import type { AhpTransport } from '../protocol/link.js';
import { createPortLink, type PortLike } from '../protocol/port-link.js';
import { limitFrames } from './frame-bound.js';

export interface PortTransportOptions {
  /** Hands over one end of a new channel; the host has the other. Called for each connection. */
  open(signal: AbortSignal): PortLike | Promise<PortLike>;
  /** Bytes of one incoming frame; a larger one ends the link for good. */
  readonly maxFrameBytes?: number;
}

/** Creates a transport whose links are ports. */
export function createPortTransport(options: PortTransportOptions): AhpTransport {
  return {
    isLocal: true,
    connect: async (signal) => {
      const port = await openPort(options, signal);
      const link = limitFrames(createPortLink(port), options.maxFrameBytes);
      if (!signal.aborted) return link;
      link.close();
      throw new AhpError('disconnected', 'The attempt to connect was given up.');
    },
  };
}

async function openPort(options: PortTransportOptions, signal: AbortSignal): Promise<PortLike> {
  try {
    return await options.open(signal);
  } catch (cause) {
    throw new AhpError('disconnected', 'No channel to the host could be opened.', { cause });
  }
}
