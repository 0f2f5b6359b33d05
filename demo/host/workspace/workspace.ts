/**
 * What the agents' tools work on: a folder of files, on disk or in memory, and perhaps a shell. Paths are relative, with
 * `/`, and `.` is the folder itself. Nothing here reads outside it: `normalisePath` refuses what tries, and the disk
 * checks once more through every symbolic link.
 */

export type WorkspaceErrorCode =
  /** The path leads out of the workspace, or is not one. */
  | 'outside'
  | 'not-found'
  /** A folder where a file is needed, or the other way round, or neither. */
  | 'wrong-kind'
  | 'too-large'
  | 'binary'
  | 'exists'
  /** The text to replace is not there, or not there once. */
  | 'no-match'
  | 'unsupported'
  | 'bad-input';

/** A failure that people may read: the message names the path as it was asked for and never one outside. */
export class WorkspaceError extends Error {
  readonly code: WorkspaceErrorCode;

  constructor(code: WorkspaceErrorCode, message: string) {
    super(message);
    this.name = 'WorkspaceError';
    this.code = code;
  }
}

export interface Entry {
  readonly path: string;
  readonly type: 'file' | 'directory';
  /** Bytes; files only. */
  readonly size?: number;
}

export interface Listing {
  /** Folders before files, each by name; a folder's content follows it. */
  readonly entries: readonly Entry[];
  /** Whether more exist than the limit lets through. */
  readonly truncated: boolean;
}

export interface CommandOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Called with what was printed since the last call, escape sequences included, some twenty times a second. */
  readonly onData: (text: string) => void;
}

export interface CommandResult {
  /** Without escape sequences. */
  readonly output: string;
  /** Absent when the command was ended from outside. */
  readonly exitCode?: number;
  readonly ended: 'exit' | 'timeout' | 'cancelled' | 'too-much-output';
  readonly durationMs: number;
}

export interface Shell {
  /** On a terminal: the output has escape sequences. */
  readonly isPty: boolean;
  /** What people should know of it: that it is not a real one. */
  readonly note?: string;
  /** Never rejects for what the command does. */
  run(command: string, options: CommandOptions): Promise<CommandResult>;
}

export interface Workspace {
  /** The folder's name for people. */
  readonly title: string;
  /** Throws `WorkspaceError` when `path` is not a folder. `depth` 1 lists the folder's own entries only. */
  list(path: string, depth: number): Promise<Listing>;
  /** Reads a whole file, at most `maxFileBytes`. */
  read(path: string): Promise<Uint8Array>;
  /** Writes a whole file at once: a reader sees the old or the new text, never a part. Makes missing folders. */
  write(path: string, text: string, mode: 'create' | 'replace'): Promise<void>;
  /** Whether `pattern` matches each of `lines`; absent where no regular expression can be stopped once it runs. */
  matchPattern?(pattern: string, ignoreCase: boolean, lines: readonly string[]): boolean[];
  /** Deletes a file. */
  remove(path: string): Promise<void>;
  /** Gives a file another path. Throws `exists` when there is something. Makes missing folders. */
  move(from: string, to: string): Promise<void>;
  readonly shell: Shell;
}

export const maxFileBytes = 8 * 1024 * 1024;
export const maxEntries = 2000;

/** Folders that are never walked into by themselves; naming one lists it all the same. */
export const skippedFolders: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** Cleans a path that a person, a model or a client gave. Throws `outside` for everything that is not below `.`. */
export function normalisePath(path: string): string {
  const shown = JSON.stringify(path.slice(0, 200));
  if (path.includes('\0')) throw new WorkspaceError('outside', `${shown} is not a path.`);
  if (path.startsWith('/') || path.startsWith('~') || /^[a-z]:/i.test(path) || path.includes('\\')) {
    throw new WorkspaceError('outside', `${shown} is not below the workspace; give a relative path with "/".`);
  }
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) {
      throw new WorkspaceError('outside', `${shown} leads out of the workspace.`);
    }
  }
  return names.join('/') || '.';
}

/** Joins a folder and a name inside it. */
export const joinPath = (folder: string, name: string): string => (folder === '.' ? name : `${folder}/${name}`);

/** Folders first, then by name, the same on every machine. */
export function compareEntries(a: Entry, b: Entry): number {
  if (a.type !== b.type) return a.type === 'directory' ? -1 : 1;
  return a.path < b.path ? -1 : Number(a.path > b.path);
}

/** Decodes a file as UTF-8 text. Throws `binary` when it is not text. */
export function toText(bytes: Uint8Array, path: string): string {
  if (bytes.subarray(0, 8192).includes(0)) throw new WorkspaceError('binary', `"${path}" is not a text file.`);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new WorkspaceError('binary', `"${path}" is not UTF-8 text.`);
  }
}

/** What a terminal was sent as the lines a reader sees: colours, titles and overwritten lines taken out. */
export const toPlainOutput = (text: string): string =>
  text
    // eslint-disable-next-line no-control-regex -- these sequences are control characters
    .replace(/\u001b(?:\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[[(][0-?]*[ -/]*[@-~]|[@-Z\\-_=>78])/g, '')
    .replace(/\r+\n/g, '\n')
    .replace(/^.*\r(?!\n)/gm, '');
