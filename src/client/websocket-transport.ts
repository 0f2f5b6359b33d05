/**
 * Links over WebSocket. One text frame is one message. The token goes into the query of the upgrade and nowhere else: it
 * is never part of an error, a close reason or anything a listener gets. Source: AHP, transport.
 */

import { AhpError } from '../protocol/errors.js';
import type { AhpTransport, Link } from '../protocol/link.js';
import type { Environment } from './environment.js';
import { limitFrames } from './frame-bound.js';

/** A secret for the upgrade, or what is asked for one before each connection; `undefined` is none. */
export type Token = string | (() => string | undefined | Promise<string | undefined>);

export interface WebSocketTransportOptions {
  /** `ws:`, `wss:`, or relative to `base`. Holds no secret. */
  readonly url: string;
  /** What a relative `url` is resolved against; the page's location by default. */
  readonly base?: string;
  readonly token?: Token;
  /** Bytes of one incoming frame; a larger one ends the link for good. */
  readonly maxFrameBytes?: number;
  readonly connectTimeoutMs?: number;
  readonly environment: Pick<Environment, 'schedule'>;
  /** For platforms whose global scope has none. */
  readonly WebSocket?: typeof WebSocket;
}

const defaultConnectTimeoutMs = 15_000;
const loopback = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const supportedScheme = /^wss?:$/;

/**
 * The absolute WebSocket URL, without credentials and fragment.
 * @throws `AhpError` of code `bad-url`; the message leaves the query out.
 */
export function resolveWebSocketUrl(url: string, base?: string): URL {
  const absolute = URL.canParse(url);
  if (!absolute && (base === undefined || !URL.canParse(url, base)))
    throw new AhpError(
      'bad-url',
      `The host address is not a URL and there is no page to resolve it against. Use ws:// or wss://.`,
    );
  const resolved = new URL(url, absolute ? undefined : base);
  if (!absolute) resolved.protocol = resolved.protocol.replace(/^http/, 'ws');
  if (!supportedScheme.test(resolved.protocol))
    throw new AhpError('bad-url', `The host address has the scheme "${resolved.protocol}"; use ws: or wss:.`);
  if (resolved.username || resolved.password)
    throw new AhpError(
      'bad-url',
      `The address of ${resolved.host} holds a user name or password. Pass a token instead.`,
    );
  resolved.hash = '';
  return resolved;
}

/** Creates a transport. A wrong URL fails at `connect`, so that it becomes a visible status. */
export function createWebSocketTransport(options: WebSocketTransportOptions): AhpTransport {
  const base = options.base ?? (globalThis as { location?: { href: string } }).location?.href;
  return {
    isLocal: URL.canParse(options.url, base) && loopback.test(new URL(options.url, base).hostname),
    connect: async (signal) => {
      const url = resolveWebSocketUrl(options.url, base);
      const token = typeof options.token === 'function' ? await askForToken(options.token) : options.token;
      throwIfAborted(signal);
      if (token !== undefined) url.searchParams.set('tkn', token);
      return openSocket(url, options, signal);
    },
  };
}

async function askForToken(token: Exclude<Token, string>): Promise<string | undefined> {
  try {
    return await token();
  } catch (cause) {
    throw new AhpError(
      'disconnected',
      'The page gave no token for the connection. It is asked again with the next attempt.',
      {
        cause,
      },
    );
  }
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new AhpError('disconnected', 'The attempt to connect was given up.');
}

function openSocket(url: URL, options: WebSocketTransportOptions, signal: AbortSignal): Promise<Link> {
  const { host } = url;
  const socket = createSocket(url, options.WebSocket ?? globalThis.WebSocket);
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => {
      settle();
      socket.onopen = socket.onclose = null;
      socket.close();
      reject(new AhpError('disconnected', reason));
    };
    const timeoutMs = options.connectTimeoutMs ?? defaultConnectTimeoutMs;
    const cancelTimeout = options.environment.schedule(timeoutMs, () =>
      fail(`No answer from ${host} within ${timeoutMs} ms.`),
    );
    const onAbort = () => fail('The attempt to connect was given up.');
    const settle = () => {
      cancelTimeout();
      signal.removeEventListener('abort', onAbort);
    };
    signal.addEventListener('abort', onAbort);
    // A close follows every error, and neither says why: nothing listens, the upgrade was refused, a bad certificate. In
    // Node an error nobody listens for ends the process.
    socket.onerror = () => undefined;
    socket.onclose = () => fail(`No connection to ${host}.`);
    socket.onopen = () => {
      settle();
      resolve(limitFrames(toLink(socket, host), options.maxFrameBytes));
    };
  });
}

function createSocket(url: URL, Socket: typeof WebSocket): WebSocket {
  try {
    return new Socket(url);
  } catch {
    // The cause is dropped on purpose: its message may quote the URL with the token.
    throw new AhpError(
      'bad-url',
      `This page may not connect to ${url.host}. A page served over https can only use wss:.`,
    );
  }
}

/** Once closed by either side, nothing more comes out of the link, however late the socket's own events are. */
function toLink(socket: WebSocket, host: string): Link {
  const detach = () => {
    socket.onmessage = socket.onclose = null;
  };
  const link: Link = {
    onmessage: undefined,
    onclose: undefined,
    send: (text) => {
      if (socket.readyState === socket.OPEN) socket.send(text);
    },
    close: () => {
      detach();
      socket.close();
    },
  };
  socket.onmessage = (event: MessageEvent<unknown>) => {
    // A binary frame is no AHP message; an empty text is what the reader counts as unreadable.
    link.onmessage?.(typeof event.data === 'string' ? event.data : '');
  };
  socket.onclose = (event) => {
    detach();
    link.onclose?.({ reason: `The connection to ${host} was closed (${event.code}).`, retry: true });
  };
  return link;
}
