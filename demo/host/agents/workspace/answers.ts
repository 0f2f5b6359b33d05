/** Results of tools put into words: Markdown, and nothing that was not in the result. Pure. */

import { splitLines, type Lines, type SearchResult } from '../../workspace/files.js';
import type { EditSummary } from '../tools.js';
import type { CommandResult, Listing } from '../../workspace/workspace.js';
import { codeSpan, count, fence, formatBytes, list, plain, table } from './markdown.js';
import { outlineOf } from './outline.js';
import type { TestRun } from './test-run.js';

export function describeListing({ path, entries, truncated }: Listing & { readonly path: string }): string {
  const files = entries.filter((entry) => entry.type === 'file');
  const folders = entries.length - files.length;
  const where = path === '.' ? 'The workspace' : codeSpan(path);
  if (entries.length === 0) return `${where} is empty.`;
  const bytes = files.reduce((sum, file) => sum + (file.size ?? 0), 0);
  const rows = entries.map((entry) =>
    entry.type === 'directory'
      ? [codeSpan(`${entry.path}/`), 'folder', '']
      : [codeSpan(entry.path), 'file', formatBytes(entry.size ?? 0)],
  );
  return [
    `${where} holds ${count(files.length, 'file')} in ${count(folders, 'folder')}, ${formatBytes(bytes)} in all.`,
    table(['Path', 'Kind', 'Size'], rows),
    ...(truncated ? [`There is more: only the first ${entries.length} entries are listed.`] : []),
  ].join('\n\n');
}

export function describeLines({ path, lines, first, total }: Lines): string {
  if (total === 0) return `${codeSpan(path)} is empty.`;
  const last = first + lines.length - 1;
  const part = lines.length === total ? `all ${count(total, 'line')}` : `lines ${first} to ${last} of ${total}`;
  return `${codeSpan(path)}, ${part}:\n\n${fence(lines.join('\n'), outlineOf(path, '').language)}`;
}

export function describeSearch({
  query,
  matches,
  filesRead,
  truncated,
}: SearchResult & { readonly query: string }): string {
  if (matches.length === 0) return `${codeSpan(query)} is in none of the ${count(filesRead, 'file')} I searched.`;
  const paths = [...new Set(matches.map((match) => match.path))];
  const found = `${codeSpan(query)} is on ${count(matches.length, 'line')} of ${count(paths.length, 'file')}:`;
  const groups = paths.map((path) => {
    const own = matches.filter((match) => match.path === path);
    return `**${codeSpan(path)}**\n\n${list(own.map((match) => `line ${match.line}: ${codeSpan(match.text.trim())}`))}`;
  });
  return [
    found,
    ...groups,
    ...(truncated ? ['There are more matches than I list. A folder or a longer text narrows it.'] : []),
  ].join('\n\n');
}

export function describeOutline(path: string, text: string, usedBy: readonly string[]): string {
  const outline = outlineOf(path, text);
  const { items, itemName, uses, todos } = outline;
  const size = `${codeSpan(path)} is ${outline.kind}: ${count(outline.lines, 'line')}, ${count(outline.words, 'word')}.`;
  const rows = items.map((item) => [item.line ?? '', codeSpan(item.name), plain(item.note)]);
  return [
    size,
    ...(items.length > 0
      ? [`It has ${count(items.length, itemName)}:`, table(['Line', capital(itemName), 'What the file says'], rows)]
      : []),
    ...(uses.length > 0 ? [`It uses ${uses.map(codeSpan).join(', ')}.`] : []),
    ...(usedBy.length > 0 ? [`It is named in ${usedBy.map(codeSpan).join(', ')}.`] : []),
    ...(todos.length > 0 ? [`Left to do:`, list(todos.map((todo) => `line ${todo.line}: ${plain(todo.text)}`))] : []),
  ].join('\n\n');
}

export interface FileText {
  readonly path: string;
  readonly text: string;
}

export function describeWorkspace(title: string, files: readonly FileText[]): string {
  const outlines = files.map(({ path, text }) => ({ path, text, outline: outlineOf(path, text) }));
  const lines = outlines.reduce((sum, { outline }) => sum + outline.lines, 0);
  const intro = introOf(files);
  const todos = outlines.flatMap(({ path, outline }) =>
    outline.todos.map((todo) => `${codeSpan(`${path}:${todo.line}`)} ${plain(todo.text)}`),
  );
  const rows = outlines.map(({ path, text, outline }) => [
    codeSpan(path),
    outline.kind,
    outline.lines,
    outline.words,
    text.length,
  ]);
  return [
    `## ${plain(title)}`,
    ...(intro === undefined ? [] : [`> ${plain(intro)}`]),
    `${count(files.length, 'text file')} with ${count(lines, 'line')}:`,
    table(['File', 'Kind', 'Lines', 'Words', 'Characters'], rows),
    ...(todos.length > 0 ? ['### Left to do', list(todos)] : []),
  ].join('\n\n');
}

/** The first paragraph of the readme. */
function introOf(files: readonly FileText[]): string | undefined {
  const readme = files.find(({ path }) => /^readme(\.\w+)?$/i.test(path));
  return readme?.text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .find((paragraph) => paragraph !== '' && !paragraph.startsWith('#'));
}

export function describeCounts(files: readonly FileText[], word?: string): string {
  if (word !== undefined) {
    const rows = files
      .map(({ path, text }): [string, number] => [codeSpan(path), text.split(word).length - 1])
      .filter(([, times]) => times > 0);
    const total = rows.reduce((sum, [, times]) => sum + times, 0);
    const said = `${codeSpan(word)} is there ${count(total, 'time')}, in ${count(rows.length, 'file')}.`;
    return rows.length === 0 ? said : `${said}\n\n${table(['File', 'Times'], rows)}`;
  }
  const rows = files.map(({ path, text }) => {
    const { lines, words } = outlineOf(path, text);
    return [codeSpan(path), lines, words, text.length] as const;
  });
  const sum = (column: 1 | 2 | 3): number => rows.reduce((total, row) => total + row[column], 0);
  return [
    `${count(files.length, 'file')}, ${count(sum(1), 'line')}, ${count(sum(2), 'word')}, ${count(sum(3), 'character')}.`,
    table(['File', 'Lines', 'Words', 'Characters'], [...rows, ['**all**', sum(1), sum(2), sum(3)]]),
  ].join('\n\n');
}

export function describeEdit({ kind, path, movedFrom, added, removed, diff }: EditSummary): string {
  switch (kind) {
    case 'create':
      return `I created ${codeSpan(path)} with ${count(added, 'line')}.`;
    case 'delete':
      return `I deleted ${codeSpan(path)}.`;
    case 'move':
      return `I moved ${codeSpan(movedFrom)} to ${codeSpan(path)}.`;
    case 'edit': {
      const counts = `${count(added, 'line')} added, ${count(removed, 'line')} removed`;
      return `I changed ${codeSpan(path)}: ${counts}.\n\n${fence(diff, 'diff')}`;
    }
  }
}

export function describeCommand(command: string, result: CommandResult): string {
  const seconds = (result.durationMs / 1000).toFixed(1);
  const how = result.exitCode === undefined ? 'was ended' : `ended with exit code ${result.exitCode}`;
  const said = `${codeSpan(command)} ${how} after ${seconds} s`;
  const lines = splitLines(result.output);
  if (lines.length === 0) return `${said} and printed nothing.`;
  const shown = lines.slice(-40);
  const cut = shown.length < lines.length ? ` The last ${shown.length} of ${lines.length} lines:` : '';
  return `${said}.${cut}\n\n${fence(shown.join('\n'))}`;
}

export function describeTests(run: TestRun): string {
  const passed = `${count(run.passed, 'test')} passed`;
  if (run.failures.length === 0 && run.failed === 0) return `All is well: ${passed}.`;
  const failures = run.failures.map((failure) => {
    const compared =
      failure.expected === undefined
        ? ''
        : ` – expected ${codeSpan(failure.expected)}, got ${codeSpan(failure.actual ?? '?')}`;
    const where = failure.location === undefined ? '' : ` (${codeSpan(failure.location)})`;
    return `**${plain(failure.name)}**${where}${compared}`;
  });
  return `${passed}, ${run.failed} failed:\n\n${list(failures)}`;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
