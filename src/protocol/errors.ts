/**
 * One family for everything that fails: codes of the wire and codes of our own. A message names the subject, what was
 * expected, what was found and what happens next. Source: AHP, error codes.
 */

import type { RpcErrorObject } from './messages.js';

/** JSON-RPC and AHP codes as they stand in `error.code`. */
export const RpcCode = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  SessionNotFound: -32001,
  ProviderNotFound: -32002,
  SessionAlreadyExists: -32003,
  TurnInProgress: -32004,
  UnsupportedProtocolVersion: -32005,
  /** 0.8 and older; read like `NotFound`. */
  ContentNotFound: -32006,
  AuthRequired: -32007,
  NotFound: -32008,
  PermissionDenied: -32009,
  AlreadyExists: -32010,
  Conflict: -32011,
} as const;

export type AhpErrorCode =
  /** The host answered a request with an error; see `rpc`. */
  | 'rpc'
  /** Offered and supported protocol versions do not meet. No reconnect follows. */
  | 'version-mismatch'
  /** The socket closed or never opened. A reconnect follows unless `disconnect()` was called. */
  | 'disconnected'
  | 'timeout'
  /** A frame could not be read: not JSON, not JSON-RPC, or over the size bound. */
  | 'bad-frame'
  | 'bad-url'
  | 'frame-too-large'
  /** A request or a token was asked for where none can be sent. */
  | 'not-connected'
  /** The host no longer has the channel. */
  | 'gone'
  /** Storage failed; the chat goes on in memory. */
  | 'storage'
  /** The caller used the API wrongly. */
  | 'misuse';

export class AhpError extends Error {
  readonly code: AhpErrorCode;
  /** The host's own error object, for `code: 'rpc'` and `'version-mismatch'`. Untrusted text. */
  readonly rpc?: RpcErrorObject;

  constructor(code: AhpErrorCode, message: string, options: { cause?: unknown; rpc?: RpcErrorObject } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AhpError';
    this.code = code;
    if (options.rpc) this.rpc = options.rpc;
  }
}

/** Whether `error` is the host's answer with this wire code. */
export function isRpcError(error: unknown, code: number): error is AhpError {
  return error instanceof AhpError && error.rpc?.code === code;
}
