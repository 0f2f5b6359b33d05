/**
 * The tools both agents use. A tool says what it takes, what it will do before it does it, and gives its result twice: as
 * data for the program that called it, and as text for people and models. How a call travels is `tool-call.ts`.
 */

import type { FileEdit, StringOrMarkdown } from '../../../src/protocol/state.js';
import type { ContentStore } from '../workspace/content.js';
import { toFileUri } from '../workspace/content.js';
import {
  applyEdit,
  planReplacement,
  planWrite,
  readLines,
  search,
  type Lines,
  type PlannedEdit,
  type SearchResult,
} from '../workspace/files.js';
import { normalisePath, WorkspaceError } from '../workspace/workspace.js';
import type { CommandResult, Listing, Workspace } from '../workspace/workspace.js';
import { fields, objectSchema, type JsonObject, type ObjectSchema } from './tool-input.js';

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
  readonly inputSchema: ObjectSchema;
  /** Throws `WorkspaceError`. `input` is untrusted. */
  prepare(input: JsonObject, context: ToolContext): Promise<PreparedCall<Data>>;
}

const code = (text: string): string => `\`${text.replaceAll('`', "'")}\``;

const md = (markdown: string): StringOrMarkdown => ({ markdown });

export const listFiles: Tool<Listing & { readonly path: string }> = {
  name: 'list_files',
  displayName: 'List files',
  description: 'Lists a folder of the workspace, deep by default. Folders come first.',
  inputSchema: objectSchema({
    path: { type: 'string', description: 'Folder, relative to the workspace. Default: the whole workspace.' },
    depth: { type: 'integer', description: 'How deep to go; 1 is this folder only. Default: 8.' },
  }),
  async prepare(input, { workspace }) {
    const read = fields(input);
    const path = normalisePath(read.text('path', '.'));
    const depth = Math.max(1, read.number('depth', 8));
    const what = path === '.' ? 'the workspace' : code(path);
    return {
      doing: md(`Listing ${what}`),
      done: md(`Listed ${what}`),
      async run() {
        const listing = await workspace.list(path, depth);
        const lines = listing.entries.map((entry) =>
          entry.type === 'directory' ? `${entry.path}/` : `${entry.path}  (${entry.size ?? 0} bytes)`,
        );
        if (listing.truncated) lines.push(`… and more than the ${listing.entries.length} entries shown.`);
        return { data: { ...listing, path }, text: lines.join('\n') || 'The folder is empty.' };
      },
    };
  },
};

export const readFile: Tool<Lines> = {
  name: 'read_file',
  displayName: 'Read file',
  description: 'Reads a text file of the workspace, or some of its lines.',
  inputSchema: objectSchema(
    {
      path: { type: 'string', description: 'File, relative to the workspace.' },
      from: { type: 'integer', description: 'First line, from 1.' },
      to: { type: 'integer', description: 'Last line, included.' },
    },
    ['path'],
  ),
  async prepare(input, { workspace }) {
    const read = fields(input);
    const path = normalisePath(read.text('path'));
    return {
      doing: md(`Reading ${code(path)}`),
      done: md(`Read ${code(path)}`),
      async run() {
        const data = await readLines(workspace, path, read.number('from', 1), read.number('to', Infinity));
        return { data, text: data.lines.join('\n') };
      },
    };
  },
};

export const searchText: Tool<SearchResult & { readonly query: string }> = {
  name: 'search_text',
  displayName: 'Search',
  description:
    'Searches the text files of the workspace line by line. Upper and lower case matter only if the text has an upper-case letter.',
  inputSchema: objectSchema(
    {
      text: { type: 'string', description: 'What to find.' },
      path: { type: 'string', description: 'Folder or file to search in. Default: the whole workspace.' },
      isPattern: { type: 'boolean', description: 'Whether `text` is a JavaScript regular expression.' },
      matchCase: { type: 'boolean', description: 'Whether upper and lower case matter.' },
    },
    ['text'],
  ),
  async prepare(input, { workspace }) {
    const read = fields(input);
    const query = read.text('text');
    const path = normalisePath(read.text('path', '.'));
    const where = path === '.' ? '' : ` in ${code(path)}`;
    return {
      doing: md(`Searching for ${code(query)}${where}`),
      done: md(`Searched for ${code(query)}${where}`),
      async run(signal) {
        const matchCase = read.flag('matchCase');
        const asked = { text: query, path, isPattern: read.flag('isPattern') ?? false };
        const data = await search(workspace, matchCase === undefined ? asked : { ...asked, matchCase }, signal);
        const lines = data.matches.map((match) => `${match.path}:${match.line}: ${match.text}`);
        if (data.truncated) lines.push('… and more. Narrow the search.');
        return { data: { ...data, query }, text: lines.join('\n') || `Nothing found in ${data.filesRead} files.` };
      },
    };
  },
};

export const editFile: Tool<PlannedEdit> = {
  name: 'edit_file',
  displayName: 'Edit file',
  description:
    'Replaces an exact piece of text in a file. The piece must be there exactly once unless `everywhere` is set.',
  inputSchema: objectSchema(
    {
      path: { type: 'string', description: 'File, relative to the workspace.' },
      find: { type: 'string', description: 'The exact text to replace, with its spaces and line ends.' },
      replaceWith: { type: 'string', description: 'The text to put there.' },
      everywhere: { type: 'boolean', description: 'Whether to replace every occurrence.' },
    },
    ['path', 'find', 'replaceWith'],
  ),
  async prepare(input, context) {
    const read = fields(input);
    const change = { path: read.text('path'), find: read.text('find'), replaceWith: read.text('replaceWith') };
    const everywhere = read.flag('everywhere') ?? false;
    return toEditCall(await planReplacement(context.workspace, { ...change, everywhere }), context);
  },
};

export const writeFile: Tool<PlannedEdit> = {
  name: 'write_file',
  displayName: 'Write file',
  description: 'Writes a whole text file: makes it, or puts new text in the place of all it holds.',
  inputSchema: objectSchema(
    {
      path: { type: 'string', description: 'File, relative to the workspace.' },
      text: { type: 'string', description: 'The whole text.' },
    },
    ['path', 'text'],
  ),
  async prepare(input, context) {
    const read = fields(input);
    return toEditCall(await planWrite(context.workspace, read.text('path'), read.text('text')), context);
  },
};

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
    doing: md(`${isNew ? 'Creating' : 'Editing'} ${code(edit.path)}`),
    done: md(`${isNew ? 'Created' : 'Edited'} ${code(edit.path)}`),
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

export const runCommand: Tool<CommandResult & { readonly command: string }> = {
  name: 'run_command',
  displayName: 'Run command',
  description: 'Runs one command line in a shell, in the workspace folder, and gives its output and exit code.',
  inputSchema: objectSchema(
    {
      command: { type: 'string', description: 'The command line.' },
      timeoutSeconds: { type: 'integer', description: `Default: ${defaultTimeoutSeconds}.` },
    },
    ['command'],
  ),
  async prepare(input, { workspace }) {
    const read = fields(input);
    const command = read.text('command').trim();
    const seconds = read.number('timeoutSeconds', defaultTimeoutSeconds);
    const run = workspace.run?.bind(workspace);
    if (!run) throw new WorkspaceError('unsupported', 'There is no shell here: this host runs in the page.');
    if (command === '') throw new WorkspaceError('bad-input', 'The command is empty.');
    return {
      doing: md(`Running ${code(command)}`),
      done: md(`Ran ${code(command)}`),
      // Allowing a command for the session allows this line, not whatever else begins like it.
      confirmation: { title: 'Run this command?', scope: `run ${command}`, editable: true },
      async run(signal, onOutput) {
        const timeoutMs = Math.min(maxTimeoutSeconds, Math.max(1, seconds)) * 1000;
        const data = { ...(await run(command, { signal, timeoutMs, onOutput })), command };
        const failure = describeFailure(data);
        return failure === undefined ? { data, text: data.output } : { data, text: data.output, failure };
      },
    };
  },
};

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
