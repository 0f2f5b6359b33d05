/**
 * The tools both agents use. A tool says what it takes, what it will do before it does it, and gives its result twice: as
 * data for the program that called it, and as text for people and models. How a call travels is `tool-call.ts`.
 */

import type { FileEdit, StringOrMarkdown } from '../../../src/protocol/state.js';
import type { ContentStore } from '../workspace/content.js';
import { toFileUri } from '../workspace/content.js';
import { applyEdit, planReplacement, planWrite, readLines, search, type PlannedEdit } from '../workspace/files.js';
import { normalisePath, WorkspaceError } from '../workspace/workspace.js';
import type { CommandResult, Workspace } from '../workspace/workspace.js';
import {
  flag,
  integer,
  readValues,
  text,
  toSchema,
  type Fields,
  type JsonObject,
  type ValuesOf,
} from './tool-input.js';

export interface ToolContext {
  readonly workspace: Workspace;
  readonly contents: ContentStore;
}

/** A call that has been worked out and waits to be carried out. */
export interface PreparedCall<Data> {
  /** "Reading `a.md`" */
  readonly doing: StringOrMarkdown;
  /** "Read `a.md`" */
  readonly done: StringOrMarkdown;
  /** Present: a person must allow it. */
  readonly confirmation?: {
    readonly title: string;
    /** "Allow for this session" allows every later call with the same scope. */
    readonly scope: string;
    readonly edits?: readonly FileEdit[];
    /** Whether the person may change the input. */
    readonly editable?: boolean;
  };
  run(signal: AbortSignal, onOutput: (text: string) => void): Promise<ToolOutput<Data>>;
}

export interface ToolOutput<Data> {
  readonly data: Data;
  /** For people and models. */
  readonly text: string;
  readonly edit?: FileEdit;
  /** Present: the tool did run, and what it ran failed. */
  readonly failure?: string;
}

export interface Tool<Data = unknown> {
  readonly name: string;
  readonly displayName: string;
  /** For a model. */
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** Throws `WorkspaceError`. `input` is untrusted. */
  prepare(input: JsonObject, context: ToolContext): Promise<PreparedCall<Data>>;
}

function defineTool<F extends Fields, Data>(tool: {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly fields: F;
  prepare(values: ValuesOf<F>, context: ToolContext): Promise<PreparedCall<Data>>;
}): Tool<Data> {
  const { fields, prepare, ...words } = tool;
  return {
    ...words,
    inputSchema: toSchema(fields),
    prepare: async (input, context) => prepare(readValues(fields, input), context),
  };
}

const code = (words: string): string => `\`${words.replaceAll('`', "'")}\``;

/** "Reading `a.md`" and "Read `a.md`" */
const says = (doing: string, done: string, what: string): Pick<PreparedCall<unknown>, 'doing' | 'done'> => ({
  doing: { markdown: `${doing} ${what}` },
  done: { markdown: `${done} ${what}` },
});

const folderName = (path: string): string => (path === '.' ? 'the workspace' : code(path));

export const listFiles = defineTool({
  name: 'list_files',
  displayName: 'List files',
  description: 'Lists a folder of the workspace, deep by default. Folders come first.',
  fields: {
    path: text('Folder, relative to the workspace. Default: the whole workspace.', '.'),
    depth: integer('How deep to go; 1 is this folder only. Default: 8.', 8),
  },
  async prepare({ path: given, depth }, { workspace }) {
    const path = normalisePath(given);
    return {
      ...says('Listing', 'Listed', folderName(path)),
      async run() {
        const listing = await workspace.list(path, Math.max(1, depth));
        const lines = listing.entries.map((entry) =>
          entry.type === 'directory' ? `${entry.path}/` : `${entry.path}  (${entry.size ?? 0} bytes)`,
        );
        if (listing.truncated) lines.push(`… and more than the ${listing.entries.length} entries shown.`);
        return { data: { ...listing, path }, text: lines.join('\n') || 'The folder is empty.' };
      },
    };
  },
});

export const readFile = defineTool({
  name: 'read_file',
  displayName: 'Read file',
  description: 'Reads a text file of the workspace, or some of its lines.',
  fields: {
    path: text('File, relative to the workspace.'),
    from: integer('First line, from 1.', 1),
    to: integer('Last line, included.', Infinity),
  },
  async prepare({ path: given, from, to }, { workspace }) {
    const path = normalisePath(given);
    return {
      ...says('Reading', 'Read', code(path)),
      async run() {
        const data = await readLines(workspace, path, from, to);
        return { data, text: data.lines.join('\n') };
      },
    };
  },
});

export const searchText = defineTool({
  name: 'search_text',
  displayName: 'Search',
  description:
    'Searches the text files of the workspace line by line. Case matters only if the text has an upper-case letter.',
  fields: {
    text: text('What to find.'),
    path: text('Folder or file to search in. Default: the whole workspace.', '.'),
    isPattern: flag('Whether `text` is a JavaScript regular expression.', false),
  },
  async prepare({ text: query, path: given, isPattern }, { workspace }) {
    const path = normalisePath(given);
    return {
      ...says('Searching', 'Searched', `${folderName(path)} for ${code(query)}`),
      async run(signal) {
        const data = await search(workspace, { text: query, path, isPattern }, signal);
        const lines = data.matches.map((match) => `${match.path}:${match.line}: ${match.text}`);
        if (data.truncated) lines.push('… and more. Narrow the search.');
        return { data: { ...data, query }, text: lines.join('\n') || `Nothing found in ${data.filesRead} files.` };
      },
    };
  },
});

export const editFile = defineTool({
  name: 'edit_file',
  displayName: 'Edit file',
  description:
    'Replaces an exact piece of text in a file. The piece must be there exactly once unless `everywhere` is set.',
  fields: {
    path: text('File, relative to the workspace.'),
    find: text('The exact text to replace, with its spaces and line ends.'),
    replaceWith: text('The text to put there.'),
    everywhere: flag('Whether to replace every occurrence.', false),
  },
  prepare: async (values, context) => toEditCall(await planReplacement(context.workspace, values), context),
});

export const writeFile = defineTool({
  name: 'write_file',
  displayName: 'Write file',
  description: 'Writes a whole text file: makes it, or puts new text in the place of all it holds.',
  fields: { path: text('File, relative to the workspace.'), text: text('The whole text.') },
  prepare: async (values, context) => toEditCall(await planWrite(context.workspace, values.path, values.text), context),
});

/** Both versions are kept as resources, so that a diff can be shown before the edit and long after it. */
async function toEditCall(edit: PlannedEdit, { workspace, contents }: ToolContext): Promise<PreparedCall<PlannedEdit>> {
  const uri = toFileUri(edit.path);
  const fileEdit: FileEdit = {
    ...(edit.before !== undefined && { before: { uri, content: await contents.put(edit.path, edit.before) } }),
    after: { uri, content: await contents.put(edit.path, edit.after) },
    diff: { added: edit.added, removed: edit.removed },
  };
  const isNew = edit.before === undefined;
  return {
    ...says(isNew ? 'Creating' : 'Editing', isNew ? 'Created' : 'Edited', code(edit.path)),
    confirmation: {
      title: isNew ? `Create ${edit.path}?` : `Edit ${edit.path}?`,
      scope: 'edit',
      edits: [fileEdit],
    },
    async run() {
      await applyEdit(workspace, edit);
      const counts = `${edit.added} lines added, ${edit.removed} removed`;
      return { data: edit, text: `${isNew ? 'Created' : 'Edited'} ${edit.path}: ${counts}.`, edit: fileEdit };
    },
  };
}

const defaultTimeoutSeconds = 60;
const maxTimeoutSeconds = 600;

export const runCommand = defineTool({
  name: 'run_command',
  displayName: 'Run command',
  description: 'Runs one command line in a shell, in the workspace folder, and gives its output and exit code.',
  fields: {
    command: text('The command line.'),
    timeoutSeconds: integer(`Default: ${defaultTimeoutSeconds}.`, defaultTimeoutSeconds),
  },
  async prepare({ command: given, timeoutSeconds }, { workspace }) {
    const command = given.trim();
    const run = workspace.run?.bind(workspace);
    if (!run) throw new WorkspaceError('unsupported', 'There is no shell here: this host runs in the page.');
    if (command === '') throw new WorkspaceError('bad-input', 'The command is empty.');
    return {
      ...says('Running', 'Ran', code(command)),
      // Allowing a command for the session allows this line, not whatever else begins like it.
      confirmation: { title: 'Run this command?', scope: `run ${command}`, editable: true },
      async run(signal, onOutput) {
        const timeoutMs = Math.min(maxTimeoutSeconds, Math.max(1, timeoutSeconds)) * 1000;
        const data = { ...(await run(command, { signal, timeoutMs, onOutput })), command };
        const failure = describeFailure(data);
        return { data, text: data.output, ...(failure !== undefined && { failure }) };
      },
    };
  },
});

function describeFailure(result: CommandResult): string | undefined {
  switch (result.ended) {
    case 'timeout':
      return `The command was ended after ${Math.round(result.durationMs / 1000)} s.`;
    case 'too-much-output':
      return 'The command printed too much and was ended.';
    case 'cancelled':
      return 'The command was stopped.';
    case 'exit':
      return result.exitCode === 0 ? undefined : `The command ended with exit code ${result.exitCode ?? 'unknown'}.`;
  }
}

export const allTools = [listFiles, readFile, searchText, editFile, writeFile, runCommand] as const;
