import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { link, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type TestContext } from 'node:test';
import { createSecrets } from '../../demo/host/secrets.js';
import { openDiskWorkspace } from '../../demo/host/workspace/disk-workspace.js';
import { applyEdit, planReplacement, planWrite, readLines, search } from '../../demo/host/workspace/files.js';
import { createMemoryWorkspace } from '../../demo/host/workspace/memory-workspace.js';
import { WorkspaceError, type Workspace, type WorkspaceErrorCode } from '../../demo/host/workspace/workspace.js';
import { tempFolder } from './temp-folder.js';

const files: Readonly<Record<string, string>> = {
  'README.md': '# Shed\n\nA place for tools.\n',
  'src/saw.js': "export const teeth = 7;\nexport const Blade = 'steel';\n",
  'src/deep/plane.js': 'export const teeth = 1;\n',
};

interface Opened {
  readonly workspace: Workspace;
  /** The folder on disk, if there is one. */
  readonly root?: string;
}

async function onDisk(test: TestContext): Promise<Opened & { root: string; outside: string }> {
  const folder = await tempFolder(test);
  const root = path.join(folder, 'work');
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), text);
  }
  await writeFile(path.join(folder, 'secret.txt'), 'secret');
  await mkdir(path.join(folder, 'work-next-door'));
  await writeFile(path.join(folder, 'work-next-door', 'other.txt'), 'other');
  const workspace = await openDiskWorkspace({ root, title: 'shed', home: folder, secrets: createSecrets() });
  return { workspace, root, outside: folder };
}

const inMemory = async (): Promise<Opened> => ({ workspace: createMemoryWorkspace('shed', files) });

const fails = (code: WorkspaceErrorCode) => (error: unknown) => error instanceof WorkspaceError && error.code === code;

const implementations: Readonly<Record<string, (test: TestContext) => Promise<Opened>>> = {
  'on disk': onDisk,
  'in memory': inMemory,
};

for (const [where, open] of Object.entries(implementations)) {
  test(`a workspace ${where} moves and deletes files, and nothing that is in the way`, async (t) => {
    const { workspace } = await open(t);

    await workspace.move('src/saw.js', 'tools/saw.js');
    await workspace.remove('src/deep/plane.js');

    assert.equal(new TextDecoder().decode(await workspace.read('tools/saw.js')), files['src/saw.js']);
    await assert.rejects(workspace.read('src/saw.js'), fails('not-found'));
    await assert.rejects(workspace.read('src/deep/plane.js'), fails('not-found'));
    await assert.rejects(workspace.move('README.md', 'tools/saw.js'), fails('exists'));
    await assert.rejects(workspace.remove('tools'), fails('wrong-kind'));
    await assert.rejects(workspace.remove('../secret.txt'), fails('outside'));
    await assert.rejects(workspace.move('README.md', '../README.md'), fails('outside'));
  });

  test(`a workspace ${where} lists folders first, and no deeper than asked`, async (t) => {
    const { workspace } = await open(t);

    const flat = await workspace.list('.', 1);
    const deep = await workspace.list('.', Infinity);

    assert.deepEqual(
      flat.entries.map((entry) => entry.path),
      ['src', 'README.md'],
    );
    assert.deepEqual(
      deep.entries.map((entry) => entry.path),
      ['src', 'src/deep', 'src/deep/plane.js', 'src/saw.js', 'README.md'],
    );
    assert.equal(deep.entries.at(-1)?.size, files['README.md']?.length);
  });

  test(`a workspace ${where} refuses every path that is not below it`, async (t) => {
    const { workspace } = await open(t);
    const paths = [
      '..',
      '../secret.txt',
      'src/../../secret.txt',
      '/etc/passwd',
      '~/x',
      'C:/x',
      'src\\..\\..\\x',
      'a\0b',
      '../work-next-door/other.txt',
    ];

    for (const bad of paths) {
      await assert.rejects(workspace.read(bad), fails('outside'), bad);
      await assert.rejects(workspace.list(bad, 1), fails('outside'), bad);
      await assert.rejects(workspace.write(bad, 'x', 'replace'), fails('outside'), bad);
    }
  });

  test(`a workspace ${where} says what is wrong with a path`, async (t) => {
    const { workspace } = await open(t);

    await assert.rejects(workspace.read('src'), fails('wrong-kind'));
    await assert.rejects(workspace.read('src/none.js'), fails('not-found'));
    await assert.rejects(workspace.list('README.md', 1), fails('wrong-kind'));
    await assert.rejects(workspace.write('README.md/x', 'x', 'create'), fails('wrong-kind'));
    await assert.rejects(workspace.write('README.md', 'x', 'create'), fails('exists'));
  });

  test(`a workspace ${where} keeps upper and lower case apart, or reads the one file the disk has`, async (t) => {
    const { workspace } = await open(t);

    const text = await workspace.read('readme.MD').then(
      (bytes) => new TextDecoder().decode(bytes),
      (error: unknown) => (fails('not-found')(error) ? 'none' : 'wrong'),
    );

    assert.ok(text === 'none' || text === files['README.md'], text);
  });

  test(`a workspace ${where} makes the folders of a new file`, async (t) => {
    const { workspace } = await open(t);

    await workspace.write('a/b/c.txt', 'new', 'create');

    assert.equal(new TextDecoder().decode(await workspace.read('./a//b/c.txt')), 'new');
  });

  test(`search in a workspace ${where} minds case only when the text does, and stays in its folder`, async (t) => {
    const { workspace } = await open(t);

    const small = await search(workspace, { text: 'blade' });
    const large = await search(workspace, { text: 'Teeth' });
    const inFolder = await search(workspace, { text: 'teeth', path: 'src/deep' });

    assert.deepEqual(small.matches, [{ path: 'src/saw.js', line: 2, text: "export const Blade = 'steel';" }]);
    assert.deepEqual(large.matches, []);
    assert.deepEqual(
      inFolder.matches.map((match) => match.path),
      ['src/deep/plane.js'],
    );
  });

  test(`an edit in a workspace ${where} must fit exactly once, and is not made over somebody else's change`, async (t) => {
    const { workspace } = await open(t);
    const edit = { path: 'src/saw.js', find: 'export', replaceWith: 'const' };

    await assert.rejects(planReplacement(workspace, { ...edit, find: 'nothing' }), fails('no-match'));
    await assert.rejects(planReplacement(workspace, edit), fails('no-match'));
    const planned = await planReplacement(workspace, { ...edit, find: 'teeth = 7', replaceWith: 'teeth = 8' });
    await workspace.write('src/saw.js', 'changed by hand\n', 'replace');
    await assert.rejects(applyEdit(workspace, planned), fails('no-match'));

    assert.deepEqual([planned.added, planned.removed], [1, 1]);
    assert.deepEqual((await readLines(workspace, 'src/saw.js')).lines, ['changed by hand']);
  });

  test(`an edit in a workspace ${where} can replace everywhere, and can make a file`, async (t) => {
    const { workspace } = await open(t);

    await applyEdit(
      workspace,
      await planReplacement(workspace, { path: 'src/saw.js', find: 'export', replaceWith: '', everywhere: true }),
    );
    await applyEdit(workspace, await planWrite(workspace, 'new.txt', 'one\ntwo\n'));

    assert.deepEqual((await readLines(workspace, 'src/saw.js')).lines, [
      ' const teeth = 7;',
      " const Blade = 'steel';",
    ]);
    assert.deepEqual((await readLines(workspace, 'new.txt', 2)).lines, ['two']);
  });
}

test('a link that leads out of the workspace is followed neither for reading, listing nor writing', async (t) => {
  const { workspace, root, outside } = await onDisk(t);
  await symlink(path.join(outside, 'secret.txt'), path.join(root, 'file-link'));
  await symlink(outside, path.join(root, 'folder-link'));
  await symlink(path.join(outside, 'work-next-door'), path.join(root, 'next-door'));
  await symlink(path.join(outside, 'made-later.txt'), path.join(root, 'dangling'));
  await symlink('round', path.join(root, 'round'));

  for (const name of [
    'file-link',
    'folder-link/secret.txt',
    'folder-link/new/file.txt',
    'next-door/other.txt',
    'dangling',
    'round',
  ]) {
    await assert.rejects(workspace.read(name), fails('outside'), name);
    await assert.rejects(workspace.write(name, 'x', 'replace'), fails('outside'), name);
  }
  await assert.rejects(workspace.list('folder-link', 1), fails('outside'));

  assert.equal(await readFile(path.join(outside, 'secret.txt'), 'utf8'), 'secret');
  await assert.rejects(stat(path.join(outside, 'made-later.txt')));
  const listed = (await workspace.list('.', Infinity)).entries.map((entry) => entry.path);
  assert.ok(!listed.some((name) => /link|door|dangling|round/.test(name)), listed.join());
});

test('a link inside the workspace is followed, and a hard link is a file like any other', async (t) => {
  const { workspace, root } = await onDisk(t);
  await symlink('src/saw.js', path.join(root, 'tool'));
  await link(path.join(root, 'README.md'), path.join(root, 'again.md'));

  await workspace.write('tool', 'sharper\n', 'replace');

  assert.equal(await readFile(path.join(root, 'src/saw.js'), 'utf8'), 'sharper\n');
  assert.equal(new TextDecoder().decode(await workspace.read('again.md')), files['README.md']);
});

test('a pipe in the workspace is no file and does not hang a read', async (t) => {
  const { workspace, root } = await onDisk(t);
  execFileSync('mkfifo', [path.join(root, 'pipe')]);

  await assert.rejects(workspace.read('pipe'), fails('wrong-kind'));
});

test('a workspace whose own folder is reached by a link works all the same', async (t) => {
  const { root, outside } = await onDisk(t);
  await symlink(root, path.join(outside, 'alias'));

  const workspace = await openDiskWorkspace({
    root: path.join(outside, 'alias'),
    title: 'alias',
    home: outside,
    secrets: createSecrets(),
  });

  assert.equal(new TextDecoder().decode(await workspace.read('README.md')), files['README.md']);
});

test('a file over the bound and one that is no text are refused by name', async (t) => {
  const { workspace, root } = await onDisk(t);
  await writeFile(path.join(root, 'big.txt'), Buffer.alloc(8 * 1024 * 1024 + 1, 'a'));
  await writeFile(path.join(root, 'image.png'), Buffer.from([0x89, 0x50, 0, 0]));
  await writeFile(path.join(root, 'latin.txt'), Buffer.from([0x66, 0xfc, 0x72]));

  await assert.rejects(workspace.read('big.txt'), fails('too-large'));
  await assert.rejects(readLines(workspace, 'image.png'), fails('binary'));
  await assert.rejects(readLines(workspace, 'latin.txt'), fails('binary'));
  assert.equal((await search(workspace, { text: 'steel' })).matches.length, 1);
});

test('a pattern is searched for on disk, and one that never ends is ended', async (t) => {
  const { workspace, root } = await onDisk(t);
  await writeFile(path.join(root, 'trap.txt'), `${'a'.repeat(40)}b\n`);

  const found = await search(workspace, { text: 'teeth = \\d+', isPattern: true });

  assert.equal(found.matches.length, 2);
  await assert.rejects(search(workspace, { text: '(a+)+$', isPattern: true }), fails('bad-input'));
  await assert.rejects(search(workspace, { text: '(', isPattern: true }), fails('bad-input'));
  const { workspace: memory } = await inMemory();
  await assert.rejects(search(memory, { text: 'a.b', isPattern: true }), fails('unsupported'));
});

test('an edit keeps the mode of a file and leaves nothing beside it', async (t) => {
  const { workspace, root } = await onDisk(t);
  await writeFile(path.join(root, 'run.sh'), 'echo one\n', { mode: 0o755 });

  await workspace.write('run.sh', 'echo two\n', 'replace');

  assert.equal((await stat(path.join(root, 'run.sh'))).mode & 0o777, 0o755);
  assert.ok((await workspace.list('.', 1)).entries.every((entry) => !entry.path.endsWith('.tmp')));
});
