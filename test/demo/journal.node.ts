import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { Journal } from '../../demo/host/journal.js';
import { tempFolder } from './temp-folder.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));

test('a journal gives back what was appended, in order', async (t) => {
  const dir = await tempFolder(t);
  const first = new Journal(dir);
  first.append({ n: 1, text: 'ä\n"' });
  first.append({ n: 2 });
  first.close();

  const second = new Journal(dir);
  second.close();

  assert.deepEqual(second.contents, { snapshot: undefined, records: [{ n: 1, text: 'ä\n"' }, { n: 2 }] });
});

test('a last line that was cut short is dropped, and what is appended after it is kept', async (t) => {
  const dir = await tempFolder(t);
  const file = path.join(dir, 'journal.0.jsonl');
  const first = new Journal(dir);
  first.append({ n: 1 });
  first.append({ n: 2, text: 'überlang' });
  first.close();
  await truncate(file, (await readFile(file)).length - 9);

  const second = new Journal(dir);
  second.append({ n: 3 });
  second.close();
  const third = new Journal(dir);
  third.close();

  assert.deepEqual(second.contents.records, [{ n: 1 }]);
  assert.match(second.contents.complaint ?? '', /cut short/);
  assert.deepEqual(third.contents.records, [{ n: 1 }, { n: 3 }]);
});

test('a line cut at any byte costs that line and no other', async (t) => {
  const dir = await tempFolder(t);
  const file = path.join(dir, 'journal.0.jsonl');
  const whole = `${JSON.stringify({ n: 1 })}\n${JSON.stringify({ text: 'ü🙂', list: [1, 2] })}\n`;
  const bytes = Buffer.from(whole);

  for (let length = 9; length < bytes.length; length++) {
    await writeFile(file, bytes.subarray(0, length));
    const journal = new Journal(dir);
    journal.close();
    assert.deepEqual(journal.contents.records, [{ n: 1 }].slice(0, length >= 8 ? 1 : 0), `cut at ${length}`);
  }
});

test('a line in the middle that cannot be read ends the journal there and is kept beside', async (t) => {
  const dir = await tempFolder(t);
  const file = path.join(dir, 'journal.0.jsonl');
  await writeFile(file, '{"n":1}\n{"n":\n{"n":3}\n');

  const journal = new Journal(dir);
  journal.close();

  assert.deepEqual(journal.contents.records, [{ n: 1 }]);
  assert.match(journal.contents.complaint ?? '', /Line 2/);
  assert.equal(await readFile(`${file}.damaged`, 'utf8'), '{"n":\n{"n":3}\n');
  assert.equal(await readFile(file, 'utf8'), '{"n":1}\n');
});

test('a snapshot takes the place of all lines before it', async (t) => {
  const dir = await tempFolder(t);
  const first = new Journal(dir);
  first.append({ n: 1 });
  first.compact({ sum: 1 });
  first.append({ n: 2 });
  first.close();

  const second = new Journal(dir);
  second.close();

  assert.deepEqual(second.contents, { snapshot: { sum: 1 }, records: [{ n: 2 }] });
  assert.deepEqual((await readdir(dir)).sort(), ['journal.1.jsonl', 'snapshot.json']);
});

test('a crash between the snapshot and the deletion of its lines repeats none of them', async (t) => {
  const dir = await tempFolder(t);
  const first = new Journal(dir);
  first.compact({ sum: 1 });
  first.close();
  await appendFile(path.join(dir, 'journal.0.jsonl'), '{"n":1}\n');
  await writeFile(path.join(dir, 'snapshot.json.tmp'), '{"generation":7,"snap');

  const second = new Journal(dir);
  second.close();

  assert.deepEqual(second.contents, { snapshot: { sum: 1 }, records: [] });
});

test('two hosts never share a folder, and a killed one does not keep it', async (t) => {
  const dir = await tempFolder(t);
  const program = `
    const { Journal } = await import('./demo/host/journal.ts');
    const journal = new Journal(${JSON.stringify(dir)});
    journal.append({ n: 1 });
    console.log('open');
    setInterval(() => {}, 1000);`;
  const other = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(other.stdout, 'data');
  assert.throws(() => new Journal(dir), /already keeps its chats/);

  other.kill('SIGKILL');
  await once(other, 'exit');
  const journal = new Journal(dir);
  journal.close();

  assert.deepEqual(journal.contents.records, [{ n: 1 }]);
});
