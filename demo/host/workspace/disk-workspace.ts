/**
 * A workspace in a folder on disk. Every path is resolved through symbolic links before it is used, and must then lie
 * below the folder's own real path. A link that is put in place between check and use is not defended against: whoever
 * can do that may already write here.
 */

import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import vm from 'node:vm';
import { randomBytes } from 'node:crypto';
import type { Secrets } from '../secrets.js';
import { runCommand } from './command.js';
import type { Pty } from './pty.js';
import {
  compareEntries,
  joinPath,
  maxEntries,
  maxFileBytes,
  normalisePath,
  skippedFolders,
  WorkspaceError,
  type Entry,
  type Listing,
  type Workspace,
} from './workspace.js';

export interface DiskOptions {
  /** The folder; it must exist. */
  readonly root: string;
  readonly title: string;
  /** What a command finds as its home. */
  readonly home: string;
  /** What no command's output may show. */
  readonly secrets: Secrets;
  /** Absent: commands run on pipes. */
  readonly pty?: Pty | undefined;
}

export async function openDiskWorkspace(options: DiskOptions): Promise<Workspace> {
  const root = await realpath(options.root);

  /** The real path of something that exists, or of where it would be made. */
  const resolve = async (relative: string): Promise<string> => {
    const clean = normalisePath(relative);
    const target = path.join(root, clean);
    const real = await realOrPlanned(target, clean);
    if (real !== root && !real.startsWith(root + path.sep)) {
      throw new WorkspaceError('outside', `"${clean}" leads out of the workspace through a link.`);
    }
    return real;
  };

  const list = async (relative: string, depth: number): Promise<Listing> => {
    const clean = normalisePath(relative);
    const entries: Entry[] = [];
    let truncated = false;
    const walk = async (folder: string, left: number): Promise<void> => {
      for (const entry of await readFolder(await resolve(folder), folder)) {
        if (entries.length === maxEntries) truncated = true;
        if (truncated) return;
        entries.push(entry);
        const name = entry.path.split('/').at(-1) ?? '';
        if (entry.type === 'directory' && left > 1 && !skippedFolders.has(name)) await walk(entry.path, left - 1);
      }
    };
    await walk(clean, depth);
    return { entries, truncated };
  };

  return {
    title: options.title,
    list,

    async read(relative) {
      const clean = normalisePath(relative);
      const real = await resolve(clean);
      const info = await asWorkspaceError(clean, stat(real));
      // A pipe or device would never end.
      if (!info.isFile()) throw new WorkspaceError('wrong-kind', `"${clean}" is not a file.`);
      const file = await asWorkspaceError(clean, open(real, constants.O_RDONLY | constants.O_NOFOLLOW));
      try {
        const { size } = await file.stat();
        if (size > maxFileBytes) {
          throw new WorkspaceError('too-large', `"${clean}" has ${size} bytes; at most ${maxFileBytes} are read.`);
        }
        return await file.readFile();
      } finally {
        await file.close();
      }
    },

    async write(relative, text, mode) {
      const clean = normalisePath(relative);
      const real = await resolve(clean);
      const existing = await lstat(real).catch(() => undefined);
      if (existing && !existing.isFile()) throw new WorkspaceError('wrong-kind', `"${clean}" is not a file.`);
      if (existing && mode === 'create') throw new WorkspaceError('exists', `"${clean}" exists already.`);
      await asWorkspaceError(clean, mkdir(path.dirname(real), { recursive: true }));
      // Written beside and renamed, so that a reader or a crash finds the old text or the new one.
      const beside = `${real}.${randomBytes(6).toString('hex')}.tmp`;
      try {
        const file = await asWorkspaceError(clean, open(beside, 'wx', existing ? existing.mode & 0o777 : 0o644));
        await file.writeFile(text).finally(() => file.close());
        await rename(beside, real);
      } catch (error) {
        await rm(beside, { force: true });
        throw error;
      }
    },

    matchPattern,

    async remove(relative) {
      const clean = normalisePath(relative);
      const real = await resolve(clean);
      const info = await asWorkspaceError(clean, lstat(real));
      if (!info.isFile()) throw new WorkspaceError('wrong-kind', `"${clean}" is not a file.`);
      await asWorkspaceError(clean, rm(real));
    },

    async move(from, to) {
      const [cleanFrom, cleanTo] = [normalisePath(from), normalisePath(to)];
      const [realFrom, realTo] = [await resolve(cleanFrom), await resolve(cleanTo)];
      if (await lstat(realTo).catch(() => undefined)) {
        throw new WorkspaceError('exists', `"${cleanTo}" exists already.`);
      }
      await asWorkspaceError(cleanTo, mkdir(path.dirname(realTo), { recursive: true }));
      await asWorkspaceError(cleanFrom, rename(realFrom, realTo));
    },

    shell: {
      isPty: options.pty !== undefined,
      run: (command, run) => runCommand({ ...options, ...run, command, cwd: root }),
    },
  };
}

/** Resolves links; for a path that does not exist, those of its nearest existing parent. */
async function realOrPlanned(target: string, shown: string): Promise<string> {
  try {
    return await realpath(target);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ELOOP') throw new WorkspaceError('outside', `"${shown}" is a link to itself.`);
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    // A dangling link would be followed when the file is made.
    if (await lstat(target).catch(() => undefined)) {
      throw new WorkspaceError('outside', `"${shown}" is a link that leads nowhere.`);
    }
    return path.join(await realOrPlanned(path.dirname(target), shown), path.basename(target));
  }
}

async function readFolder(real: string, folder: string): Promise<Entry[]> {
  const found: Entry[] = [];
  for (const child of await asWorkspaceError(folder, readdir(real, { withFileTypes: true }))) {
    const own = joinPath(folder, child.name);
    // Links are not followed while walking: they could lead out, or round in a circle.
    if (child.isDirectory()) found.push({ path: own, type: 'directory' });
    else if (child.isFile()) {
      const info = await stat(path.join(real, child.name)).catch(() => undefined);
      if (info) found.push({ path: own, type: 'file', size: info.size });
    }
  }
  return found.sort(compareEntries);
}

/** How long one file's lines may be matched. */
const patternTimeoutMs = 100;

/** Runs the pattern where it can be stopped: some take longer than the universe on thirty letters. */
function matchPattern(pattern: string, ignoreCase: boolean, lines: readonly string[]): boolean[] {
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, ignoreCase ? 'i' : '');
  } catch (error) {
    throw new WorkspaceError('bad-input', `The pattern cannot be read: ${(error as Error).message}`);
  }
  try {
    const context = vm.createContext({ expression, lines });
    return vm.runInContext('lines.map((line) => expression.test(line))', context, {
      timeout: patternTimeoutMs,
    }) as boolean[];
  } catch (error) {
    if (codeOf(error) !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new WorkspaceError('bad-input', 'The pattern takes too long. Use a simpler one, or plain text.');
  }
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | undefined)?.code;

const spoken: Readonly<Record<string, [WorkspaceError['code'], string]>> = {
  ENOENT: ['not-found', 'does not exist'],
  ENOTDIR: ['wrong-kind', 'is not a folder'],
  EEXIST: ['wrong-kind', 'has a file where a folder is needed'],
  EISDIR: ['wrong-kind', 'is a folder'],
  ELOOP: ['outside', 'is a link'],
  EACCES: ['outside', 'may not be opened'],
  EPERM: ['outside', 'may not be opened'],
  ENAMETOOLONG: ['bad-input', 'has too long a name'],
};

/** Puts a file system's error into words that name the path inside the workspace only. */
async function asWorkspaceError<T>(shown: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const words = spoken[String(codeOf(error))];
    if (!words) throw error;
    throw new WorkspaceError(words[0], `"${shown}" ${words[1]}.`);
  }
}
