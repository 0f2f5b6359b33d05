/** The gallery's file edits, with what the files hold. */

import type { ContentRef, FileEdit, ToolCallState, Turn } from '../src/protocol/state.js';
import { base, tool, user } from './gallery-calls.js';

const server = `import { createServer } from 'node:http';
import { router } from './router.js';

const port = 8080;
const host = '127.0.0.1';

/** Everything the shop answers. */
export function start() {
  const server = createServer((request, response) => {
    router(request, response);
  });
  server.listen(port, host);
  return server;
}
${Array.from({ length: 30 }, (_, i) => `export const limit${i} = ${i * 10};`).join('\n')}
// the end`;

const changed = server
  .replace('const port = 8080;', 'const port = Number(process.env.PORT ?? 9090);')
  .replace('  server.listen(port, host);', '  server.listen(port, host, () => log(`listening on ${port}`));')
  .replace(
    "import { router } from './router.js';",
    "import { log } from './log.js';\nimport { router } from './router.js';",
  )
  .replace('// the end', '// the end\n');

const large = Array.from({ length: 10_000 }, (_, i) => (i % 9 === 0 ? '}' : `  row(${i}, 'some text of a row');`));

const files: Readonly<Record<string, string>> = {
  'gallery:server-1': server,
  'gallery:server-2': changed,
  'gallery:note': 'Remember the milk.\nافتح الملف src/app.ts الآن!\nconst a = 1; // \u202etxt.exe\n',
  'gallery:windows-1': 'one\r\ntwo\r\nthree\r\n',
  'gallery:windows-2': 'one\ntwo\n3\n',
  'gallery:large-1': large.join('\n'),
  'gallery:large-2': large.map((line, i) => (i % 4 === 1 ? line.replace('some', 'another') : line)).join('\n'),
};

/** What the gallery's host reads; nothing for what is no file of it. */
export function readFile({ uri }: ContentRef) {
  if (uri === 'gallery:broken') throw new Error('The gallery has no such file.');
  if (uri === 'gallery:bytes') return { data: 'iVBORw0KGgo=', encoding: 'base64' as const, contentType: 'image/png' };
  const data = files[uri];
  return data === undefined ? undefined : { data, encoding: 'utf-8' as const, contentType: 'text/plain' };
}

const side = (uri: string, content: string) => ({ uri: `file:///web-shop/${uri}`, content: { uri: content } });

export const edit: FileEdit = {
  before: side('src/server.ts', 'gallery:server-1'),
  after: side('src/server.ts', 'gallery:server-2'),
  diff: { added: 4, removed: 3 },
};

const edits: readonly FileEdit[] = [
  edit,
  { after: side('note.md', 'gallery:note'), diff: { added: 3 } },
  { before: side('note.md', 'gallery:note'), diff: { removed: 3 } },
  { before: side('a/old.txt', 'gallery:note'), after: side('b/new.txt', 'gallery:note') },
  { before: side('windows.txt', 'gallery:windows-1'), after: side('windows.txt', 'gallery:windows-2') },
  { before: side('logo.png', 'gallery:bytes'), after: side('logo.png', 'gallery:bytes') },
  { before: side('large.js', 'gallery:large-1'), after: side('large.js', 'gallery:large-2') },
  { after: side('gone.txt', 'gallery:broken') },
];

export const editsCall: ToolCallState = {
  ...base('edits', 'Edit files'),
  status: 'pending-confirmation',
  confirmationTitle: 'Change eight files',
  invocationMessage: 'Moves the port into the environment.',
  toolInput: JSON.stringify({ files: edits.length }),
  edits: { items: edits },
  options: [
    { id: 'once', label: 'Allow once', kind: 'approve' },
    { id: 'never', label: 'Deny', kind: 'deny' },
  ],
};

export const editsTurn: Turn = {
  id: 'edits',
  message: user('Every way a file can change'),
  responseParts: [tool(editsCall)],
  state: 'complete',
};
