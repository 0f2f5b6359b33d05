/**
 * The host's resources: files of the workspace as they are now (`workspace:/src/units.js`), and texts as they were
 * (`workspace-version:/<id>/units.js`), so that a diff can be shown long after an edit.
 */

import type { ContentRef, URI } from '../../../src/protocol/state.js';

export interface ContentStore {
  /** Keeps a text and says where it can be read. */
  put(path: string, text: string): Promise<ContentRef>;
  get(id: string): Promise<string | undefined>;
}

const fileScheme = 'workspace:/';
const versionScheme = 'workspace-version:/';

/** The URI of a file or folder as it is now. */
export const toFileUri = (path: string): URI => (path === '.' ? fileScheme : fileScheme + encodePath(path));

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** The path of a workspace URI; `undefined` for any other URI. */
export function fromFileUri(uri: URI): string | undefined {
  if (!uri.startsWith(fileScheme)) return undefined;
  return decode(uri.slice(fileScheme.length)) || '.';
}

export const toVersionUri = (id: string, path: string): URI =>
  `${versionScheme}${id}/${encodeURIComponent(path.split('/').at(-1) ?? '')}`;

/** The id and file name in a version's URI. */
export function fromVersionUri(uri: URI): { id: string; name: string } | undefined {
  const found = /^workspace-version:\/([0-9a-f]{1,64})\/([^/]*)$/.exec(uri);
  return found?.[1] ? { id: found[1], name: decode(found[2] ?? '') } : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A broken escape names nothing we gave out; the path is looked up as it stands.
    return text;
  }
}

const types: Readonly<Record<string, string>> = {
  css: 'text/css',
  csv: 'text/csv',
  html: 'text/html',
  js: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
  mjs: 'text/javascript',
  png: 'image/png',
  svg: 'image/svg+xml',
  ts: 'text/x-typescript',
  txt: 'text/plain',
};

/** The content type a file's name stands for; absent when nobody can tell. */
export const contentTypeOf = (path: string): string | undefined => types[path.split('.').at(-1)?.toLowerCase() ?? ''];
