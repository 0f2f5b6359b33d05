/** A workspace in memory, for the host in a worker: the same rules as on disk, without links, and a shell that is simulated. */

import { createMemoryShell } from './memory-shell.js';
import {
  compareEntries,
  joinPath,
  maxEntries,
  normalisePath,
  skippedFolders,
  toText,
  WorkspaceError,
  type Entry,
  type Listing,
  type Workspace,
} from './workspace.js';

export interface MemoryWorkspace extends Workspace {
  /** All files, by path. A fresh object at each call. */
  files(): Record<string, string>;
}

/** `onChange` is called after each write. */
export function createMemoryWorkspace(
  title: string,
  initial: Readonly<Record<string, string>>,
  onChange: () => void = () => {},
): MemoryWorkspace {
  const files = new Map(Object.entries(initial));
  const encoder = new TextEncoder();

  const childrenOf = (folder: string): Entry[] => {
    const prefix = folder === '.' ? '' : `${folder}/`;
    const entries = new Map<string, Entry>();
    for (const [path, text] of files) {
      if (!path.startsWith(prefix)) continue;
      const [name = '', ...rest] = path.slice(prefix.length).split('/');
      const own = joinPath(folder, name);
      if (rest.length > 0) entries.set(own, { path: own, type: 'directory' });
      else entries.set(own, { path: own, type: 'file', size: encoder.encode(text).byteLength });
    }
    return [...entries.values()].sort(compareEntries);
  };

  const isFolder = (path: string): boolean => path === '.' || childrenOf(path).length > 0;

  const workspace: MemoryWorkspace = {
    title,

    async list(path, depth): Promise<Listing> {
      const clean = normalisePath(path);
      if (files.has(clean)) throw new WorkspaceError('wrong-kind', `"${clean}" is a file.`);
      if (!isFolder(clean)) throw new WorkspaceError('not-found', `"${clean}" does not exist.`);
      const entries: Entry[] = [];
      const walk = (folder: string, left: number): void => {
        for (const entry of childrenOf(folder)) {
          entries.push(entry);
          const name = entry.path.split('/').at(-1) ?? '';
          if (entry.type === 'directory' && left > 1 && !skippedFolders.has(name)) walk(entry.path, left - 1);
        }
      };
      walk(clean, depth);
      return { entries: entries.slice(0, maxEntries), truncated: entries.length > maxEntries };
    },

    async read(path) {
      const clean = normalisePath(path);
      const text = files.get(clean);
      if (text !== undefined) return encoder.encode(text);
      if (isFolder(clean)) throw new WorkspaceError('wrong-kind', `"${clean}" is a folder.`);
      throw new WorkspaceError('not-found', `"${clean}" does not exist.`);
    },

    async write(path, text, mode) {
      const clean = normalisePath(path);
      if (isFolder(clean)) throw new WorkspaceError('wrong-kind', `"${clean}" is a folder.`);
      if (mode === 'create' && files.has(clean)) throw new WorkspaceError('exists', `"${clean}" exists already.`);
      const parents = clean.split('/').slice(0, -1);
      for (let count = 1; count <= parents.length; count++) {
        const parent = parents.slice(0, count).join('/');
        if (files.has(parent)) throw new WorkspaceError('wrong-kind', `"${parent}" is a file, not a folder.`);
      }
      files.set(clean, text);
      onChange();
    },

    async remove(path) {
      await workspace.read(path);
      files.delete(normalisePath(path));
      onChange();
    },

    async move(from, to) {
      const text = toText(await workspace.read(from), from);
      await workspace.write(to, text, 'create');
      await workspace.remove(from);
    },

    files: () => Object.fromEntries(files),
    shell: createMemoryShell(() => workspace),
  };
  return workspace;
}
