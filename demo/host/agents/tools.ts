/** The tools over the workspace: looking, editing, running commands. Both agents have them. */

import type { FileEdit } from '../../../src/protocol/state.js';
import { toFileUri } from '../workspace/content.js';
import {
  applyEdit,
  diffOf,
  planMove,
  planRemoval,
  planReplacement,
  planWrite,
  readLines,
  search,
  type PlannedEdit,
} from '../workspace/files.js';
import { normalisePath, WorkspaceError } from '../workspace/workspace.js';
import type { CommandResult, Workspace } from '../workspace/workspace.js';
import { judgeCommand, judgeEdit } from './judge.js';
import type { Scope } from './permissions.js';
import { flag, integer, text } from './tool-input.js';
import { code, defineTool, says, type PreparedCall, type ToolCaller } from './tool.js';

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
      isRepeatable: true,
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
      isRepeatable: true,
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
      isRepeatable: true,
      async run({ signal }) {
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

export const deleteFile = defineTool({
  name: 'delete_file',
  displayName: 'Delete file',
  description: 'Deletes one file of the workspace.',
  fields: { path: text('File, relative to the workspace.') },
  prepare: async ({ path }, caller) => toEditCall(await planRemoval(caller.workspace, path), caller),
});

export const moveFile = defineTool({
  name: 'move_file',
  displayName: 'Move file',
  description: 'Moves or renames one file of the workspace.',
  fields: { from: text('File, relative to the workspace.'), to: text('Its new path; nothing may be there.') },
  prepare: async ({ from, to }, caller) => toEditCall(await planMove(caller.workspace, from, to), caller),
});

const editWords = {
  create: ['Creating', 'Created', 'Create'],
  edit: ['Editing', 'Edited', 'Edit'],
  delete: ['Deleting', 'Deleted', 'Delete'],
  move: ['Moving', 'Moved', 'Move'],
} as const;

export type EditKind = keyof typeof editWords;

/** What an edit did, in the few words that are told. */
export interface EditSummary {
  readonly path: string;
  readonly movedFrom: string;
  readonly kind: EditKind;
  readonly added: number;
  readonly removed: number;
  /** The lines around the change. */
  readonly diff: string;
}

function kindOfEdit({ before, after, movedFrom }: PlannedEdit): EditKind {
  if (movedFrom !== undefined) return 'move';
  if (after === undefined) return 'delete';
  return before === undefined ? 'create' : 'edit';
}

/** Both versions are kept as resources, so that a diff can be shown before the edit and long after it. */
async function toEditCall(edit: PlannedEdit, { workspace, contents }: ToolCaller): Promise<PreparedCall<EditSummary>> {
  const { path, before, after, movedFrom = path, added, removed } = edit;
  const side = async (at: string, content: string) => ({
    uri: toFileUri(at),
    content: await contents.put(at, content),
  });
  const fileEdit: FileEdit = {
    ...(before !== undefined && { before: await side(movedFrom, before) }),
    ...(after !== undefined && { after: await side(path, after) }),
    diff: { added, removed },
  };
  const [doing, done, will] = editWords[kindOfEdit(edit)];
  const what = movedFrom === path ? path : `${movedFrom} to ${path}`;
  return {
    ...says(doing, done, movedFrom === path ? code(path) : `${code(movedFrom)} to ${code(path)}`),
    confirmation: {
      title: `${will} ${what}?`,
      scopes: editScopes(edit),
      edits: [fileEdit],
      judge: async () => judgeEdit(edit, await namedIn(workspace, movedFrom)),
    },
    async run() {
      await applyEdit(workspace, edit);
      const text = `${done} ${what}: ${added} lines added, ${removed} removed.`;
      const data = { path, movedFrom, kind: kindOfEdit(edit), added, removed, diff: diffOf(before ?? '', after ?? '') };
      return { data, text, content: [{ type: 'fileEdit', ...fileEdit }] };
    },
  };
}

/** Deleting is never allowed by an edit that was. */
function editScopes(edit: PlannedEdit): readonly Scope[] {
  if (kindOfEdit(edit) === 'delete') return [{ id: 'delete', label: 'Allow deleting files for this session' }];
  return [
    { id: `edit ${edit.path}`, label: `Allow edits of ${edit.path} for this session` },
    { id: 'edit', label: 'Allow all edits for this session' },
  ];
}

/** The other files that name this one. */
async function namedIn(workspace: Workspace, path: string): Promise<readonly string[]> {
  const { matches } = await search(workspace, { text: path.split('/').at(-1) ?? path, matchCase: true });
  return [...new Set(matches.map((match) => match.path))].filter((other) => other !== path);
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
    background: flag('Whether to start it and go on at once; the chat is told when it ends.', false),
  },
  async prepare({ command: given, timeoutSeconds, background }, { workspace: { shell } }) {
    const command = given.trim();
    if (command === '') throw new WorkspaceError('bad-input', 'The command is empty.');
    return {
      ...says('Running', 'Ran', code(command)),
      confirmation: {
        title: 'Run this command?',
        scopes: commandScopes(command),
        editable: true,
        judge: async () => judgeCommand(command),
      },
      async run(call) {
        const { caller, toolCallId, signal, show } = call;
        const { host, terminals, turn } = caller;
        if (background) {
          const resource = caller.background.start(call, command);
          const data: CommandResult & { command: string } = { output: '', ended: 'exit', durationMs: 0, command };
          const content = [{ type: 'terminal', resource, title: command, isPty: shell.isPty } as const];
          return { data, text: 'Started in the background.', content };
        }
        const { session, chat, turnId } = turn;
        const claim = { kind: 'session', session, chat, turnId, toolCallId } as const;
        const terminal = terminals.open(host, { shell, command, cwd: toFileUri('.'), claim });
        show([terminal.block]);
        const timeoutMs = Math.min(maxTimeoutSeconds, Math.max(1, timeoutSeconds)) * 1000;
        const data = { ...(await shell.run(command, { signal, timeoutMs, onData: terminal.write })), command };
        const failure = describeFailure(data);
        const content = [terminal.end(data)];
        return { data, text: data.output, content, ...(failure !== undefined && { failure }) };
      },
    };
  },
});

/** Programs that run whatever their arguments say: allowing them would allow everything. */
const runsAnything =
  /^(?:sh|bash|zsh|env|xargs|sudo|su|doas|eval|exec|node|deno|bun|python3?|perl|ruby|ssh|find|npx|time|nohup)$/;

/** This line, and every simple line of the same program. */
function commandScopes(command: string): readonly Scope[] {
  const line: Scope = { id: `run ${command}`, label: 'Allow this command for this session' };
  const program = /^[\w.-]+(?=\s|$)/.exec(command)?.[0];
  if (program === undefined || /[;&|<>`$(){}\n]/.test(command) || runsAnything.test(program)) return [line];
  return [line, { id: `run ${program} …`, label: `Allow ${program} commands for this session` }];
}

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

export const workspaceTools = [
  listFiles,
  readFile,
  searchText,
  editFile,
  writeFile,
  deleteFile,
  moveFile,
  runCommand,
] as const;
