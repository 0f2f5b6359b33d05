/**
 * Reading what a client sends: frames and the params of requests. Nothing a client sends is trusted; what is wrong is
 * answered, never thrown past the connection. `null` is read as absent.
 */

import type { RequestId, RpcErrorObject } from '../protocol/messages.js';
import { RpcCode } from '../protocol/errors.js';
import { isRecord } from '../protocol/record.js';
import type { URI } from '../protocol/state.js';
import { ROOT } from '../protocol/uri.js';
import { rpcError } from './hooks.js';

export type Params = Readonly<Record<string, unknown>>;

/** One frame, sorted. */
export type Incoming =
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: string; readonly params: Params }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Params }
  | { readonly kind: 'response'; readonly id: RequestId; readonly result?: unknown; readonly error?: RpcErrorObject }
  | { readonly kind: 'bad'; readonly id: RequestId | null; readonly error: RpcErrorObject };

/** Nesting beyond this is refused: nothing in AHP nests by itself, and not every engine can write it out again. */
const MAX_DEPTH = 200;

export function readFrame(text: string): Incoming {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return bad(null, RpcCode.ParseError, 'The frame is not JSON.');
  }
  if (!isRecord(message)) return bad(null, RpcCode.InvalidRequest, 'A frame holds one JSON-RPC object; no batches.');
  const id = typeof message.id === 'string' || typeof message.id === 'number' ? message.id : undefined;
  if (isTooDeep(message))
    return bad(id ?? null, RpcCode.InvalidRequest, `The message is nested deeper than ${MAX_DEPTH}.`);
  if (typeof message.method !== 'string') return readResponse(message, id);
  const params = message.params ?? {};
  if (!isRecord(params)) return bad(id ?? null, RpcCode.InvalidRequest, '"params" must be an object.');
  if (id !== undefined) return { kind: 'request', id, method: message.method, params };
  if (message.id !== undefined) return bad(null, RpcCode.InvalidRequest, '"id" must be a number or a string.');
  return { kind: 'notification', method: message.method, params };
}

function readResponse(message: Params, id: RequestId | undefined): Incoming {
  if (id === undefined || (message.result === undefined && message.error === undefined)) {
    return bad(id ?? null, RpcCode.InvalidRequest, 'The message is neither a request nor a response.');
  }
  if (message.error === undefined || message.error === null) return { kind: 'response', id, result: message.result };
  const error = isRecord(message.error) ? message.error : {};
  const code = typeof error.code === 'number' ? error.code : RpcCode.InternalError;
  const text = typeof error.message === 'string' ? error.message : 'The client refused without a reason.';
  return { kind: 'response', id, error: { code, message: text, data: error.data } };
}

const bad = (id: RequestId | null, code: number, message: string): Incoming => ({
  kind: 'bad',
  id,
  error: { code, message },
});

function isTooDeep(root: object): boolean {
  let level: object[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    const next: object[] = [];
    for (const value of level) {
      for (const child of Object.values(value) as unknown[]) {
        if (typeof child === 'object' && child !== null) next.push(child);
      }
    }
    level = next;
  }
  return false;
}

/* ---------------------------------------------------------------- params */

const invalid = (name: string, expected: string) => rpcError(RpcCode.InvalidParams, `"${name}" must be ${expected}.`);

export function readString(params: Params, name: string): string {
  const value = params[name];
  if (typeof value !== 'string' || value === '') throw invalid(name, 'a non-empty string');
  return value;
}

export function findString(params: Params, name: string): string | undefined {
  const value = params[name] ?? undefined;
  if (value !== undefined && typeof value !== 'string') throw invalid(name, 'a string');
  return value;
}

export function findRecord(params: Params, name: string): Params | undefined {
  const value = params[name] ?? undefined;
  if (value !== undefined && !isRecord(value)) throw invalid(name, 'an object');
  return value;
}

/** A number that is not negative; `Infinity` and the like never are valid. */
export function findAmount(params: Params, name: string): number | undefined {
  const value = params[name] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) throw invalid(name, 'a number from 0 on');
  return value;
}

export function findStrings(params: Params, name: string): readonly string[] | undefined {
  const value = params[name] ?? undefined;
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))
    throw invalid(name, 'a list of strings');
  return value;
}

export const readChannel = (params: Params): URI => readString(params, 'channel');

/** Connection-level methods name the root channel. */
export function expectRoot(params: Params): void {
  if (readChannel(params) !== ROOT) throw invalid('channel', `"${ROOT}"`);
}
