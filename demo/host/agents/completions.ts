/**
 * What a person may mean by the word they are typing: `@` a file or folder, `#` a name the files declare, or a file, and
 * `/` at the very beginning a command. Source: AHP, completions.
 */

import type { CompletionItem, CompletionsParams } from '../../../src/protocol/commands.js';
import type { Command } from './commands.js';
import { outlineOf } from './workspace/outline.js';
import { contentTypeOf, toFileUri } from '../workspace/content.js';
import { filesBelow, readText } from '../workspace/files.js';
import { WorkspaceError, type Entry, type Workspace } from '../workspace/workspace.js';

const maxItems = 20;

type Word = Pick<CompletionItem, 'rangeStart' | 'rangeEnd'>;

export async function complete(
  workspace: Workspace,
  commands: readonly Command[],
  { text, offset }: CompletionsParams,
): Promise<readonly CompletionItem[]> {
  const before = text.slice(Math.max(0, offset - 200), offset);
  const [, , sign = '', name = ''] = /(^|\s)([@#])([\w./-]*)$/.exec(before) ?? [];
  const typed = name.toLowerCase();
  const range: Word = { rangeStart: offset - typed.length - 1, rangeEnd: offset };
  if (sign === '@')
    return best(await paths(workspace), typed, ({ path }) => path).map((entry) => toFile(entry, '@', range));
  if (sign === '#') return symbols(workspace, typed, range);
  const slash = /^\s*\/([\w-]*)$/.exec(text.slice(0, offset))?.[1];
  if (slash === undefined) return [];
  const whole = { rangeStart: text.indexOf('/'), rangeEnd: offset };
  return best(commands, slash.toLowerCase(), (command) => command.name).map((command) => toCommand(command, whole));
}

const paths = async (workspace: Workspace): Promise<readonly Entry[]> => (await workspace.list('.', Infinity)).entries;

/** What fits, the best first: a name that begins so, then a path that does, then one that only has it. */
function best<Item>(items: readonly Item[], typed: string, nameOf: (item: Item) => string): readonly Item[] {
  const rank = (name: string): number => {
    if ((name.split('/').at(-1) ?? '').startsWith(typed)) return 0;
    if (name.startsWith(typed)) return 1;
    return name.includes(typed) ? 2 : Infinity;
  };
  return items
    .map((item) => ({ item, name: nameOf(item), rank: rank(nameOf(item).toLowerCase()) }))
    .filter((found) => found.rank < Infinity)
    .sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1))
    .slice(0, maxItems)
    .map(({ item }) => item);
}

function toFile({ path, type, size }: Entry, sign: '@' | '#', range: Word): CompletionItem {
  const contentType = contentTypeOf(path);
  return {
    insertText: `${sign}${path} `,
    ...range,
    attachment: {
      type: 'resource',
      uri: toFileUri(path),
      label: path.split('/').at(-1) ?? path,
      displayKind: type === 'directory' ? 'directory' : 'document',
      ...(size !== undefined && { sizeHint: size }),
      ...(contentType !== undefined && { contentType }),
      _meta: { 'ahp-chat-demo/path': path },
    },
  };
}

interface Declared {
  readonly name: string;
  readonly path: string;
  /** Zero-based. */
  readonly line: number;
  readonly length: number;
}

/** Names the files declare; files themselves where none fits. */
async function symbols(workspace: Workspace, typed: string, range: Word): Promise<readonly CompletionItem[]> {
  const found = best(await declarations(workspace), typed, ({ name }) => name);
  if (found.length === 0) {
    return best(await paths(workspace), typed, ({ path }) => path).map((entry) => toFile(entry, '#', range));
  }
  return found.map(({ name, path, line, length }) => ({
    insertText: `#${name} `,
    ...range,
    attachment: {
      type: 'resource',
      uri: toFileUri(path),
      label: `${name} (${path}:${line + 1})`,
      displayKind: 'symbol',
      selection: { range: { start: { line, character: 0 }, end: { line, character: length } } },
      _meta: { 'ahp-chat-demo/path': path, 'ahp-chat-demo/symbol': name },
    },
  }));
}

async function declarations(workspace: Workspace): Promise<readonly Declared[]> {
  const scripts = (await filesBelow(workspace, '.')).paths.filter((path) => /\.(?:[cm]?[jt]s|md)$/.test(path));
  const lists = await Promise.all(
    scripts.map(async (path): Promise<readonly Declared[]> => {
      const text = await readText(workspace, path).catch((error: unknown) => {
        // Gone since it was listed, or no text after all.
        if (error instanceof WorkspaceError) return '';
        throw error;
      });
      const lines = text.split('\n');
      return outlineOf(path, text).items.flatMap(({ name, line }) => {
        if (line === undefined || !/^[\w$-]+$/.test(name)) return [];
        return [{ name, path, line: line - 1, length: lines[line - 1]?.length ?? 0 }];
      });
    }),
  );
  return lists.flat();
}

const toCommand = ({ name, request, description }: Command, range: Word): CompletionItem => ({
  insertText: `/${name} `,
  ...range,
  attachment: {
    type: 'simple',
    label: `/${name} – ${description}`,
    modelRepresentation: request,
    _meta: { 'ahp-chat-demo/command': name },
  },
});
