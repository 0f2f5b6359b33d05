/** JSON-RPC 2.0 as AHP uses it: one message per frame, no batches. Types only; reading is `parse.ts`. */

/** Ours are numbers; a peer's strings are echoed unchanged. */
export type RequestId = number | string;

export interface RpcRequest {
  readonly jsonrpc?: '2.0';
  readonly id: RequestId;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface RpcNotification {
  readonly jsonrpc?: '2.0';
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface RpcSuccess {
  readonly jsonrpc?: '2.0';
  readonly id: RequestId;
  readonly result: unknown;
}

export interface RpcErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export interface RpcFailure {
  readonly jsonrpc?: '2.0';
  readonly id: RequestId | null;
  readonly error: RpcErrorObject;
}

export type RpcMessage = RpcRequest | RpcNotification | RpcSuccess | RpcFailure;
