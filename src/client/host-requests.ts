/**
 * Answers the requests of a host. It may read what this client itself published, and nothing else: no file of this device,
 * no write. Every request is answered, else the host hangs. Source: AHP, resource family, server to client.
 */

import type { ResourceReadResult, ResourceResolveResult } from '../protocol/commands.js';
import { AhpError, RpcCode } from '../protocol/errors.js';
import type { URI } from '../protocol/state.js';

/** What this client published for the host to read, by URI. */
export interface PublishedResources {
  read(uri: URI): Promise<ResourceReadResult> | ResourceReadResult | undefined;
  resolve(uri: URI): ResourceResolveResult | undefined;
}

const reads = new Set(['resourceRead', 'resourceResolve']);
const others = new Set([
  'resourceWrite',
  'resourceList',
  'resourceCopy',
  'resourceMove',
  'resourceDelete',
  'resourceMkdir',
  'resourceRequest',
  'createResourceWatch',
]);

const refuse = (code: number, message: string) => new AhpError('rpc', message, { rpc: { code, message } });

/**
 * The result for the host.
 * @throws `AhpError` whose `rpc` is the error object to answer with.
 */
export function answerHostRequest(
  method: string,
  params: Readonly<Record<string, unknown>>,
  published?: PublishedResources,
): unknown {
  if (method === 'ping') return {};
  if (others.has(method)) throw refuse(RpcCode.PermissionDenied, 'This client gives no access to its resources.');
  if (!reads.has(method)) throw refuse(RpcCode.MethodNotFound, `This client does not know ${method.slice(0, 100)}.`);
  const { uri } = params;
  if (typeof uri !== 'string') throw refuse(RpcCode.InvalidParams, 'The parameter "uri" must be a string.');
  const result = method === 'resourceRead' ? published?.read(uri) : published?.resolve(uri);
  if (result !== undefined) return result;
  // A URI of our own kind that is not there is gone; any other was never ours to give.
  if (uri.startsWith('virtual:')) throw refuse(RpcCode.NotFound, 'This client has no such resource.');
  throw refuse(RpcCode.PermissionDenied, 'This client gives no access to that resource.');
}
