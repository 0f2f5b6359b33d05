/**
 * A link carries whole text frames between a client and a host, in order. Both sides see the same shape: a WebSocket, a
 * MessagePort or a pair of queues in one process. Source: AHP, transport.
 */

import type { AhpErrorCode } from './errors.js';

export interface LinkClose {
  /** For people and logs; never holds a URL with a token. */
  readonly reason: string;
  /** `false`: the peer must not be tried again by itself, for example after a frame over the bound. */
  readonly retry: boolean;
  /** Why, where it is more than a lost connection. */
  readonly code?: Extract<AhpErrorCode, 'frame-too-large' | 'bad-frame'>;
}

export interface Link {
  /** Sends one frame. Frames sent after a close are dropped. */
  send(text: string): void;
  /** Ends the link. `onclose` is not called for one's own close. */
  close(): void;
  /** Called for each frame. Set before the first microtask after the link was handed over. */
  onmessage: ((text: string) => void) | undefined;
  /** Called once, when the peer or the network ended the link. */
  onclose: ((close: LinkClose) => void) | undefined;
}

/** Opens links to one host, one after the other. */
export interface AhpTransport {
  /** The host is on this device: being offline does not matter. */
  readonly isLocal?: boolean;
  /** Rejects with an `AhpError` of code `disconnected` or `bad-url` when no link can be had, or when aborted. */
  connect(signal: AbortSignal): Promise<Link>;
}
