import assert from 'node:assert/strict';
import test from 'node:test';
import { parseRequest, type Intent } from '../../demo/host/agents/workspace/intents.js';

const all: Pick<Intent & { kind: 'list' }, 'path'> = { path: '.' };

const phrases: readonly (readonly [text: string, ...intents: Intent[]])[] = [
  ['help', { kind: 'help' }],
  ['What can you do?', { kind: 'help' }],
  ['list files', { kind: 'list', ...all }],
  ['Could you please list the files?', { kind: 'list', ...all }],
  ['show the files in the src folder', { kind: 'list', path: 'src' }],
  ['ls src', { kind: 'list', path: 'src' }],
  ['What is in this workspace?', { kind: 'list', ...all }],
  ["what's in here", { kind: 'list', ...all }],
  ['what is in the docs folder?', { kind: 'list', path: 'docs' }],
  ['what is in docs?', { kind: 'list', path: 'docs' }],
  ['read README.md', { kind: 'read', path: 'README.md' }],
  ['Show package.json', { kind: 'read', path: 'package.json' }],
  ['show me the README', { kind: 'read', path: 'README' }],
  ['open the README, please', { kind: 'read', path: 'README' }],
  ['show lines 3-9 of src/units.js', { kind: 'read', path: 'src/units.js', from: 3, to: 9 }],
  ['show line 3 of src/units.js', { kind: 'read', path: 'src/units.js', from: 3, to: 3 }],
  ['search for tablespoon', { kind: 'search', ...all, text: 'tablespoon', isPattern: false }],
  ['find "two words" in docs', { kind: 'search', path: 'docs', text: 'two words', isPattern: false }],
  ['search for the pattern "a+b"', { kind: 'search', ...all, text: 'a+b', isPattern: true }],
  ['where is convert used?', { kind: 'search', ...all, text: 'convert', isPattern: false }],
  ['explain @src/units.js', { kind: 'explain', path: '@src/units.js' }],
  ['what does units.js do?', { kind: 'explain', path: 'units.js' }],
  ['count the lines in src', { kind: 'count', path: 'src' }],
  ['how many times does "cup" occur in src?', { kind: 'count', path: 'src', word: 'cup' }],
  [
    'replace "size: 4" with "size: 5" in a.js',
    { kind: 'replace', path: 'a.js', find: 'size: 4', with: 'size: 5', all: false },
  ],
  ["replace all 'a' with 'b' in a.js", { kind: 'replace', path: 'a.js', find: 'a', with: 'b', all: true }],
  ['In a.js, change `x` to `y`.', { kind: 'replace', path: 'a.js', find: 'x', with: 'y', all: false }],
  ['create notes.md with "hello, then bye"', { kind: 'create', path: 'notes.md', text: 'hello, then bye' }],
  ['create a file notes.md with:\n\n```md\n# Hi\n```', { kind: 'create', path: 'notes.md', text: '# Hi\n' }],
  ['create notes.md:\none\ntwo', { kind: 'create', path: 'notes.md', text: 'one\ntwo' }],
  ['append "bye" to notes.md', { kind: 'append', path: 'notes.md', text: 'bye' }],
  ['run `node --test`', { kind: 'run', command: 'node --test' }],
  ['run "echo \'a b\' | cat"', { kind: 'run', command: "echo 'a b' | cat" }],
  ['run echo "a b" then', { kind: 'run', command: 'echo "a b" then' }],
  ['!ls -la "a b"', { kind: 'run', command: 'ls -la "a b"' }],
  ['run the tests', { kind: 'test' }],
  ['fix the failing test', { kind: 'fix' }],
  ['Run the tests and fix what fails', { kind: 'fix' }],
  ['summarise the workspace', { kind: 'summarise', ...all }],
  ['what is this project?', { kind: 'summarise', ...all }],
  ['write a long report about the workspace', { kind: 'report' }],
  ['fail on purpose', { kind: 'fail' }],
  ['tell me a joke', { kind: 'unknown', text: 'tell me a joke' }],
  [
    'list src, then read a.md and then run the tests',
    { kind: 'list', path: 'src' },
    { kind: 'read', path: 'a.md' },
    { kind: 'test' },
  ],
  [''],
];

for (const [text, ...intents] of phrases) {
  test(`“${text.replaceAll('\n', '⏎')}” is understood as ${intents.map(({ kind }) => kind).join(', then ') || 'nothing'}`, () => {
    assert.deepEqual(parseRequest(text), intents);
  });
}

test('no text makes the rules search for ever', () => {
  // Each of these is quadratic or worse for a careless expression, and would run for minutes.
  const long = 200_000;
  const texts = [
    `${' '.repeat(long)}x`,
    `create a.md:${'\n'.repeat(long)}`,
    `list ${'the all '.repeat(long / 8)}`,
    `please ${'please '.repeat(long / 7)}`,
    `replace "${'a'.repeat(long)}`,
    '`'.repeat(long + 1),
    'then '.repeat(long / 5),
    `show ${'a/'.repeat(long / 2)}!`,
  ];

  for (const text of texts) assert.ok(parseRequest(text).length <= 12);
});
