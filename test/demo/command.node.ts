import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { runCommand, type RunOptions } from '../../demo/host/workspace/command.js';
import { findPty } from '../../demo/host/workspace/pty.js';
import { createSecrets } from '../../demo/host/secrets.js';
import { isRunning } from './processes.js';
import { tempFolder } from './temp-folder.js';

const options = (cwd: string, command: string): RunOptions => ({
  command,
  cwd,
  home: cwd,
  secrets: createSecrets(),
  signal: new AbortController().signal,
  timeoutMs: 20_000,
  onData: () => {},
});

async function untilGone(pid: number): Promise<void> {
  while (isRunning(pid)) await new Promise(setImmediate);
}

test('a command runs in its folder and gives both outputs and its exit code', async (t) => {
  const folder = await tempFolder(t);

  const result = await runCommand(options(folder, 'pwd; echo problem >&2; exit 3'));

  assert.equal(result.output, `${folder}\nproblem\n`);
  assert.equal(result.exitCode, 3);
  assert.equal(result.ended, 'exit');
});

test('a command finds no secret in its environment, and none that it prints comes through', async (t) => {
  const folder = await tempFolder(t);
  process.env.AHP_TEST_SECRET = 'sesame';
  t.after(() => delete process.env.AHP_TEST_SECRET);
  const secrets = createSecrets();
  secrets.keep('token-123');

  const result = await runCommand({ ...options(folder, 'env; echo token-123'), secrets });

  assert.doesNotMatch(result.output, /AHP_TEST_SECRET|sesame|token-123/);
  assert.match(result.output, new RegExp(`HOME=${folder}`));
});

test('a command that is cancelled ends with everything it has started', async (t) => {
  const folder = await tempFolder(t);
  const stop = new AbortController();
  let printed = '';
  const onData = (text: string): void => {
    printed += text;
    stop.abort();
  };

  const result = await runCommand({
    ...options(folder, '(trap "" TERM; sleep 100) & echo $!; sleep 100'),
    signal: stop.signal,
    onData,
  });

  assert.equal(result.ended, 'cancelled');
  assert.equal(result.exitCode, undefined);
  await untilGone(Number(printed));
});

test('a command that leaves something running behind is over when it ends, and so is what it left', async (t) => {
  const folder = await tempFolder(t);

  const result = await runCommand(options(folder, 'sleep 100 & echo $!'));

  assert.equal(result.exitCode, 0);
  await untilGone(Number(result.output));
});

test('a command that takes too long or prints too much is ended', async (t) => {
  const folder = await tempFolder(t);

  const slow = await runCommand({ ...options(folder, 'sleep 100'), timeoutMs: 50 });
  const loud = await runCommand(options(folder, 'yes'));

  assert.equal(slow.ended, 'timeout');
  assert.equal(loud.ended, 'too-much-output');
  assert.equal(loud.output.length, 256 * 1024);
});

test('a command does not outlive a host that is killed', async (t) => {
  const folder = await tempFolder(t);
  const module = fileURLToPath(new URL('../../demo/host/workspace/command.ts', import.meta.url));
  const program = `
    const { runCommand } = await import(${JSON.stringify(module)});
    const { createSecrets } = await import(${JSON.stringify(module.replace('workspace/command', 'secrets'))});
    await runCommand({ command: 'echo $$; sleep 100', cwd: ${JSON.stringify(folder)}, home: '/', secrets: createSecrets(),
      signal: new AbortController().signal, timeoutMs: 60000, onData: (text) => console.log(text) });`;
  const host = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
    cwd: path.dirname(fileURLToPath(new URL('../../package.json', import.meta.url))),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(host.stdout.setEncoding('utf8'), 'data')) as [string];
  const pid = Number(line);
  assert.ok(isRunning(pid));

  host.kill('SIGKILL');

  await untilGone(pid);
});

const pty = await findPty();

test('a command on a terminal finds one, prints its colours, and is read without them', { skip: !pty }, async (t) => {
  const folder = await tempFolder(t);
  let raw = '';
  const onData = (text: string): void => void (raw += text);

  const result = await runCommand({
    ...options(folder, "test -t 1 && printf '\\033[31mred\\033[0m\\n'; exit 4"),
    onData,
    pty,
  });

  assert.ok(raw.includes('\u001b[31mred'), raw);
  assert.deepEqual([result.output, result.exitCode, result.ended], ['red\n', 4, 'exit']);
});

test('a command on a terminal that is cancelled ends with everything it has started', { skip: !pty }, async (t) => {
  const folder = await tempFolder(t);
  const stop = new AbortController();
  let printed = '';
  const onData = (text: string): void => {
    printed += text;
    stop.abort();
  };

  const result = await runCommand({
    ...options(folder, '(trap "" TERM HUP; sleep 100) & echo $!; sleep 100'),
    signal: stop.signal,
    onData,
    pty,
  });

  assert.equal(result.ended, 'cancelled');
  await untilGone(Number.parseInt(printed, 10));
});

test('a secret that comes in two pieces is hidden all the same', () => {
  const secrets = createSecrets();
  secrets.keep('token-123');
  const pieces = secrets.inPieces();

  const shown = ['a tok', 'en-1', '23 b tok', 'yo to'].map((piece) => pieces.push(piece)).join('') + pieces.end();

  assert.equal(shown, 'a [hidden] b tokyo to');
});
