/** A workspace for clients: its files and their kept versions as resources. */

import type { ResourceReadResult } from '../../../src/protocol/commands.js';
import { encodeBase64 } from '../../../src/bytes/base64.js';
import { RpcCode } from '../../../src/protocol/errors.js';
import type { URI } from '../../../src/protocol/state.js';
import { rpcError } from '../../../src/host/hooks.js';
import type { ResourceProvider } from '../plugin.js';
import { contentTypeOf, fromFileUri, fromVersionUri, type ContentStore } from './content.js';
import { toText, WorkspaceError, type Workspace } from './workspace.js';

const codes: Partial<Record<WorkspaceError['code'], number>> = {
  outside: RpcCode.PermissionDenied,
  'not-found': RpcCode.NotFound,
};

async function asRpc<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    throw rpcError(codes[error.code] ?? RpcCode.InvalidParams, error.message);
  }
}

export function workspaceResources(workspace: Workspace, contents: ContentStore): ResourceProvider[] {
  const pathOf = (uri: URI): string => fromFileUri(uri) ?? '.';
  const files: ResourceProvider = {
    prefix: 'workspace:/',
    async read(uri, encoding) {
      const path = pathOf(uri);
      return encode(await asRpc(workspace.read(path)), path, encoding);
    },
    async list(uri) {
      const { entries } = await asRpc(workspace.list(pathOf(uri), 1));
      return { entries: entries.map(({ path, type }) => ({ name: path.split('/').at(-1) ?? path, type })) };
    },
    async resolve(uri) {
      const path = pathOf(uri);
      const contentType = contentTypeOf(path);
      try {
        const size = (await workspace.read(path)).byteLength;
        return { uri, type: 'file', size, ...(contentType !== undefined && { contentType }) };
      } catch (error) {
        if (!(error instanceof WorkspaceError) || error.code !== 'wrong-kind')
          return asRpc(Promise.reject(error as Error));
        await asRpc(workspace.list(path, 1));
        return { uri, type: 'directory' };
      }
    },
  };
  const versions: ResourceProvider = {
    prefix: 'workspace-version:/',
    async read(uri) {
      const found = fromVersionUri(uri);
      const text = found && (await contents.get(found.id));
      if (text === undefined) throw rpcError(RpcCode.NotFound, 'This version is not kept.');
      return { data: text, encoding: 'utf-8', contentType: contentTypeOf(found?.name ?? '') ?? 'text/plain' };
    },
  };
  return [files, versions];
}

function encode(bytes: Uint8Array, path: string, wish: ResourceReadResult['encoding'] | undefined): ResourceReadResult {
  const contentType = contentTypeOf(path);
  const type = contentType === undefined ? {} : { contentType };
  if (wish !== 'base64') {
    try {
      return { data: toText(bytes, path), encoding: 'utf-8', ...type };
    } catch (error) {
      // What is no text goes out as bytes: the encoding is a wish.
      if (!(error instanceof WorkspaceError)) throw error;
    }
  }
  return { data: encodeBase64(bytes), encoding: 'base64', ...type };
}
