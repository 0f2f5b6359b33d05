/**
 * Reading what a client sends: frames and the params of requests. Nothing a client sends is trusted; what is wrong is
 * answered, never thrown past the connection. `null` is read as absent.
 */

import { RpcCode } from '../protocol/errors.js';
import type { RequestId, RpcErrorObject } from '../protocol/messages.js';
import { parseFrame } from '../protocol/parse.js';
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
  | { readonly kind: 'bad'; readonly error: RpcErrorObject };

export function readFrame(text: string): Incoming {
  const message = parseFrame(text);
  if ('refused' in message) {
    const code = message.refused === 'not-json' ? RpcCode.ParseError : RpcCode.InvalidRequest;
    return { kind: 'bad', error: { code, message: message.reason } };
  }
  if ('method' in message) {
    return 'id' in message ? { kind: 'request', ...message } : { kind: 'notification', ...message };
  }
  if (!('error' in message)) return { kind: 'response', ...message };
  // An error that answers nothing says that a frame of ours could not be read; there is nobody to tell.
  return message.id === null
    ? { kind: 'notification', method: '', params: {} }
    : { kind: 'response', id: message.id, error: message.error };
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
