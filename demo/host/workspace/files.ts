/**
 * Work on files that is the same on disk and in memory: reading lines, searching, exact edits. Everything is bounded,
 * because the text, the pattern and the path may come from a model.
 */

import { maxFileBytes, normalisePath, toText, WorkspaceError, type Workspace } from './workspace.js';

export interface Lines {
  readonly path: string;
  /** Without line ends. */
  readonly lines: readonly string[];
  /** One-based number of the first line given. */
  readonly first: number;
  readonly total: number;
}

export async function readText(workspace: Workspace, path: string): Promise<string> {
  const clean = normalisePath(path);
  return toText(await workspace.read(clean), clean);
}

/** Splits a text the way editors count: a last line end does not begin another line. */
export function splitLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Reads some lines; `from` and `to` are one-based and inclusive, and are clamped. */
export async function readLines(workspace: Workspace, path: string, from = 1, to = Infinity): Promise<Lines> {
  const clean = normalisePath(path);
  const all = splitLines(await readText(workspace, clean));
  const first = Math.max(1, Math.min(from, Math.max(1, all.length)));
  return { path: clean, lines: all.slice(first - 1, Math.max(first, to)), first, total: all.length };
}

/* ---------------------------------------------------------------- search */

export interface SearchQuery {
  readonly text: string;
  readonly path?: string;
  readonly isPattern?: boolean;
  /** Absent: upper and lower case matter only when `text` has an upper-case letter. */
  readonly matchCase?: boolean;
}

export interface Match {
  readonly path: string;
  /** One-based. */
  readonly line: number;
  readonly text: string;
}

export interface SearchResult {
  readonly matches: readonly Match[];
  readonly filesRead: number;
  readonly truncated: boolean;
}

const maxMatches = 200;
const maxSearchedBytes = 1024 * 1024;
const maxLine = 400;

/** Searches every text file below a folder, or one file. Large and binary files are passed over. */
export async function search(workspace: Workspace, query: SearchQuery, signal?: AbortSignal): Promise<SearchResult> {
  if (query.text === '') throw new WorkspaceError('bad-input', 'There is nothing to search for.');
  const ignoreCase = !(query.matchCase ?? /\p{Lu}/u.test(query.text));
  const { paths, truncated } = await filesBelow(workspace, normalisePath(query.path ?? '.'));
  const matches: Match[] = [];
  let filesRead = 0;
  for (const path of paths) {
    signal?.throwIfAborted();
    const text = await readIfText(workspace, path);
    if (text === undefined) continue;
    filesRead++;
    const lines = splitLines(text);
    const hits = matchLines(workspace, query, ignoreCase, lines);
    for (const [index, line] of lines.entries()) {
      if (!hits[index]) continue;
      if (matches.length === maxMatches) return { matches, filesRead, truncated: true };
      matches.push({ path, line: index + 1, text: line.length > maxLine ? `${line.slice(0, maxLine)}…` : line });
    }
  }
  return { matches, filesRead, truncated };
}

function matchLines(
  workspace: Workspace,
  query: SearchQuery,
  ignoreCase: boolean,
  lines: readonly string[],
): boolean[] {
  if (query.isPattern) {
    if (!workspace.matchPattern) {
      throw new WorkspaceError('unsupported', 'This workspace searches for plain text only, not for patterns.');
    }
    return workspace.matchPattern(query.text, ignoreCase, lines);
  }
  const wanted = ignoreCase ? query.text.toLowerCase() : query.text;
  return lines.map((line) => (ignoreCase ? line.toLowerCase() : line).includes(wanted));
}

async function readIfText(workspace: Workspace, path: string): Promise<string | undefined> {
  try {
    return toText(await workspace.read(path), path);
  } catch (error) {
    // A file that is binary, too large or gone since it was listed is no reason to end a search.
    if (error instanceof WorkspaceError) return undefined;
    throw error;
  }
}

/** The files below a folder, or the file itself. */
export async function filesBelow(workspace: Workspace, path: string): Promise<{ paths: string[]; truncated: boolean }> {
  try {
    const { entries, truncated } = await workspace.list(path, Infinity);
    const files = entries.filter((entry) => entry.type === 'file' && (entry.size ?? 0) <= maxSearchedBytes);
    return { paths: files.map((entry) => entry.path), truncated };
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'wrong-kind') return { paths: [path], truncated: false };
    throw error;
  }
}

/* ---------------------------------------------------------------- edits */

/** A change of one file that has been worked out and not yet made. */
export interface PlannedEdit {
  readonly path: string;
  /** Where the file was before, if it is moved. */
  readonly movedFrom?: string;
  /** Absent: the file is new. */
  readonly before?: string;
  /** Absent: the file is deleted. */
  readonly after?: string;
  readonly added: number;
  readonly removed: number;
}

export interface Replacement {
  readonly path: string;
  readonly find: string;
  readonly replaceWith: string;
  /** Absent: `find` must be there exactly once. */
  readonly everywhere?: boolean;
}

/** Works out an exact replacement. Throws `no-match` when it is not there, or there more than once. */
export async function planReplacement(workspace: Workspace, edit: Replacement): Promise<PlannedEdit> {
  const path = normalisePath(edit.path);
  if (edit.find === '') throw new WorkspaceError('bad-input', 'The text to replace is empty.');
  if (edit.find === edit.replaceWith) throw new WorkspaceError('bad-input', 'Both texts are the same.');
  const before = await readText(workspace, path);
  const pieces = before.split(edit.find);
  const count = pieces.length - 1;
  if (count === 0) throw new WorkspaceError('no-match', `"${path}" does not contain the text to replace.`);
  if (count > 1 && !edit.everywhere) {
    throw new WorkspaceError(
      'no-match',
      `"${path}" contains the text ${count} times. Give more of the lines around it, or replace all.`,
    );
  }
  return plan(path, before, pieces.join(edit.replaceWith));
}

/** Works out a new file, or new text for a whole file. */
export async function planWrite(workspace: Workspace, path: string, text: string): Promise<PlannedEdit> {
  const clean = normalisePath(path);
  try {
    return plan(clean, await readText(workspace, clean), text);
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'not-found') return plan(clean, undefined, text);
    throw error;
  }
}

/** Works out that a file is deleted. */
export async function planRemoval(workspace: Workspace, path: string): Promise<PlannedEdit> {
  const clean = normalisePath(path);
  const before = await readText(workspace, clean);
  return { path: clean, before, added: 0, removed: splitLines(before).length };
}

/** Works out that a file gets another path. */
export async function planMove(workspace: Workspace, from: string, to: string): Promise<PlannedEdit> {
  const movedFrom = normalisePath(from);
  const text = await readText(workspace, movedFrom);
  return { path: normalisePath(to), movedFrom, before: text, after: text, added: 0, removed: 0 };
}

/** Makes a planned edit. Throws `no-match` when the file has changed since it was planned. */
export async function applyEdit(workspace: Workspace, { path, movedFrom, before, after }: PlannedEdit): Promise<void> {
  if (before === undefined) return workspace.write(path, after ?? '', 'create');
  const old = movedFrom ?? path;
  if ((await readText(workspace, old)) !== before) {
    throw new WorkspaceError('no-match', `"${old}" was changed by somebody else meanwhile. Nothing was written.`);
  }
  if (after === undefined) return workspace.remove(path);
  if (movedFrom !== undefined) return workspace.move(movedFrom, path);
  return workspace.write(path, after, 'replace');
}

/** Counts whole lines between the common beginning and end: the numbers of a diff that is one block. */
function plan(path: string, before: string | undefined, after: string): PlannedEdit {
  if (after.length > maxFileBytes) {
    throw new WorkspaceError('too-large', `"${path}" would be longer than ${maxFileBytes} bytes.`);
  }
  const old = before === undefined ? [] : splitLines(before);
  const next = splitLines(after);
  let start = 0;
  while (start < old.length && start < next.length && old[start] === next[start]) start++;
  let end = 0;
  const most = Math.min(old.length, next.length) - start;
  while (end < most && old[old.length - 1 - end] === next[next.length - 1 - end]) end++;
  const counts = { added: next.length - start - end, removed: old.length - start - end };
  return before === undefined ? { path, after, ...counts } : { path, before, after, ...counts };
}

/** The lines between the common beginning and end, with two lines around them. */
export function diffOf(before: string, after: string): string {
  const [old, next] = [splitLines(before), splitLines(after)];
  let start = 0;
  while (start < old.length && old[start] === next[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, next.length) - start && old.at(-1 - end) === next.at(-1 - end)) end++;
  const shown = (lines: readonly string[], sign: string): string[] => lines.map((line) => sign + line);
  return [
    ...shown(old.slice(Math.max(0, start - 2), start), ' '),
    ...shown(old.slice(start, old.length - end).slice(0, 60), '-'),
    ...shown(next.slice(start, next.length - end).slice(0, 60), '+'),
    ...shown(old.slice(old.length - end, old.length - end + 2), ' '),
  ].join('\n');
}
