/** A workspace for clients: its files and their kept versions as resources, and `@` completions over its paths. */

import type { CompletionItem, CompletionsParams, ResourceReadResult } from '../../../src/protocol/commands.js';
import { encodeBase64 } from '../../../src/bytes/base64.js';
import { RpcCode } from '../../../src/protocol/errors.js';
import type { URI } from '../../../src/protocol/state.js';
import { rpcError } from '../../../src/host/hooks.js';
import type { ResourceProvider } from '../plugin.js';
import { contentTypeOf, fromFileUri, fromVersionUri, toFileUri, type ContentStore } from './content.js';
import { toText, WorkspaceError, type Entry, type Workspace } from './workspace.js';

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

const maxCompletions = 20;

/** Paths for the `@word` the cursor stands at the end of. */
export async function completeFiles(
  workspace: Workspace,
  { text, offset }: CompletionsParams,
): Promise<CompletionItem[]> {
  const typed = /(?:^|\s)@([\w./-]*)$/.exec(text.slice(Math.max(0, offset - 200), offset))?.[1]?.toLowerCase();
  if (typed === undefined) return [];
  const { entries } = await workspace.list('.', Infinity);
  return entries
    .map((entry) => ({ entry, rank: rankOf(entry.path.toLowerCase(), typed) }))
    .filter(({ rank }) => rank < Infinity)
    .sort((a, b) => a.rank - b.rank || (a.entry.path < b.entry.path ? -1 : 1))
    .slice(0, maxCompletions)
    .map(({ entry }) => toItem(entry, offset - typed.length - 1, offset));
}

/** A name that begins with what was typed comes before a path that does, and that before one that only has it. */
function rankOf(path: string, typed: string): number {
  if ((path.split('/').at(-1) ?? '').startsWith(typed)) return 0;
  if (path.startsWith(typed)) return 1;
  return path.includes(typed) ? 2 : Infinity;
}

function toItem({ path, type, size }: Entry, rangeStart: number, rangeEnd: number): CompletionItem {
  const contentType = contentTypeOf(path);
  return {
    insertText: `@${path} `,
    rangeStart,
    rangeEnd,
    attachment: {
      type: 'resource',
      uri: toFileUri(path),
      label: path.split('/').at(-1) ?? path,
      displayKind: type === 'directory' ? 'directory' : 'document',
      ...(size !== undefined && { sizeHint: size }),
      ...(contentType !== undefined && { contentType }),
    },
  };
}
