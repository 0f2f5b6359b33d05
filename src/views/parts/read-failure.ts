/** Why content could not be read, and what a person can do about it. Pure. */

import { AhpError, isRpcError, RpcCode } from '../../protocol/errors.js';
import type { ResourceRequestParams } from '../../protocol/commands.js';
import { isRecord } from '../../protocol/record.js';

export type AccessRequest = Omit<ResourceRequestParams, 'channel'>;

export interface ReadFailure {
  readonly kind: 'gone' | 'denied' | 'too-large' | 'other';
  /** What to ask the host with, where it says that asking may help. */
  readonly request?: AccessRequest;
}

export function toReadFailure(error: unknown): ReadFailure {
  if (isRpcError(error, RpcCode.NotFound) || isRpcError(error, RpcCode.ContentNotFound)) return { kind: 'gone' };
  if (error instanceof AhpError && error.code === 'gone') return { kind: 'gone' };
  if (error instanceof AhpError && error.code === 'frame-too-large') return { kind: 'too-large' };
  if (!isRpcError(error, RpcCode.PermissionDenied)) return { kind: 'other' };
  const request = findRequest(error.rpc?.data);
  return request ? { kind: 'denied', request } : { kind: 'denied' };
}

/** `data.request` of a refusal. Only reading is ever asked for here, whatever else the host would like to be asked. */
function findRequest(data: unknown): AccessRequest | undefined {
  const request = isRecord(data) ? data['request'] : undefined;
  const uri = isRecord(request) ? request['uri'] : undefined;
  return typeof uri === 'string' ? { uri, read: true } : undefined;
}
