import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { ResourceReadResult } from '../../src/protocol/commands.js';
import { isRunning } from './processes.js';
import { callsOf, outputOf, textOf, type RawClient } from './raw-client.js';
import { runHost, type RunningHost } from './running-host.js';

describe('the workspace agent', () => {
  let running: RunningHost;
  let client: RawClient;
  let chat: string;

  before(async () => {
    running = await runHost();
    client = await running.connect();
  });
  after(() => running.end());

  const open = async (): Promise<void> => void (chat = await client.openChat());

  it('streams reasoning, a tool call and Markdown, and completes', async () => {
    await open();

    const turn = await client.askAndWait(chat, 'read src/units.js');

    assert.equal(turn.state, 'complete');
    assert.deepEqual(
      turn.responseParts.map((part) => part.kind),
      ['reasoning', 'toolCall', 'markdown'],
    );
    const [call] = callsOf(turn.responseParts);
    assert.deepEqual([call?.status, call?.toolName], ['completed', 'read_file']);
    assert.match(textOf(turn.responseParts), /```js\n\/\*\* How many base units/);
    const types = client.envelopes.filter(({ channel }) => channel === chat).map(({ action }) => action.type);
    for (const type of ['chat/reasoning', 'chat/toolCallDelta', 'chat/toolCallReady', 'chat/delta']) {
      assert.ok(types.includes(type), type);
    }
    assert.equal(types.at(-1), 'chat/turnComplete');
  });

  const answers: readonly (readonly [request: string, tools: readonly string[], answer: RegExp])[] = [
    ['help', [], /Ask for example/],
    ['list the files in src', ['list_files'], /\| `src\/units\.js` \| file \|/],
    ['what files are there?', ['list_files'], /The workspace holds 12 files in 4 folders/],
    ['read units', ['read_file'], /`src\/units\.js`, all \d+ lines/],
    ['show lines 1-2 of README.md', ['read_file'], /lines 1 to 2 of \d+/],
    ['search for tablespoon', ['search_text'], /`tablespoon` is on \d+ lines of \d+ files/],
    ['search for the pattern "tea\\w+: \\{" in src', ['search_text'], /is on 1 line of 1 file/],
    ['where is convert used?', ['search_text'], /test\/units\.test\.js/],
    ['explain src/units.js', ['read_file', 'search_text'], /`findUnit`.*Finds a unit by its name/],
    ['count the lines in src', ['list_files'], /5 files, \d+ lines/],
    ['how many times does "teaspoon" occur in src?', ['list_files'], /`teaspoon` is there \d+ times/],
    ['summarise the workspace', ['list_files'], /Larder reads recipes/],
    ['list src, then read README.md', ['list_files', 'read_file'], /# Larder/],
    ['sing a song', [], /I did not understand that/],
  ];
  for (const [request, tools, answer] of answers) {
    it(`answers “${request}” from real results`, async () => {
      await open();

      const { responseParts, state } = await client.askAndWait(chat, request);

      assert.equal(state, 'complete');
      assert.deepEqual(
        callsOf(responseParts).map((call) => call.toolName),
        tools,
      );
      assert.match(textOf(responseParts), answer);
    });
  }

  it('says so when a file is not there or leads out of the workspace, and the turn completes', async () => {
    await open();

    const missing = await client.askAndWait(chat, 'read none.txt');
    const outside = await client.askAndWait(chat, 'read ../token');

    for (const turn of [missing, outside]) {
      const [call] = callsOf(turn.responseParts);
      assert.ok(call?.status === 'completed' && !call.success);
      assert.equal(turn.state, 'complete');
    }
    assert.match(textOf(missing.responseParts), /"none.txt" does not exist/);
    assert.match(textOf(outside.responseParts), /leads out of the workspace/);
  });

  it('asks before it creates a file, with the host’s options in order and the file as it will be', async () => {
    await open();
    const turnId = client.ask(chat, 'create notes/first.md with "# Hello"');

    const call = await client.pendingCall(chat);
    assert.ok(call.status === 'pending-confirmation');
    assert.deepEqual(
      call.options?.map((option) => [option.id, option.label, option.kind, option.group]),
      [
        ['allow-once', 'Allow once', 'approve', 1],
        ['allow-session', 'Allow edits of notes/first.md for this session', 'approve', 2],
        ['allow-family', 'Allow all edits for this session', 'approve', 2],
        ['deny', 'Deny', 'deny', 3],
      ],
    );
    assert.equal(call.confirmationTitle, 'Create notes/first.md?');
    const [edit] = call.edits?.items ?? [];
    assert.equal(edit?.before, undefined);
    const after = await client.request<ResourceReadResult>('resourceRead', {
      channel: 'ahp-root://',
      uri: edit?.after?.content.uri,
    });
    assert.deepEqual([after.data, after.contentType], ['# Hello\n', 'text/markdown']);
    assert.ok(!existsSync(path.join(running.dataDir, 'workspace/notes')));

    client.confirm(chat, turnId, call.toolCallId, 'allow-once');
    await client.turnEnd(chat, turnId);

    assert.equal(await running.read('notes/first.md'), '# Hello\n');
  });

  it('edits after “Allow for this session” without asking again, in this session only', async () => {
    await open();
    await client.askAndWait(chat, 'create a.txt with "one two"', 'allow-session');
    const turnId = client.ask(chat, 'replace "one" with "1" in a.txt');
    const turn = await client.turnEnd(chat, turnId);
    const [call] = callsOf(turn.responseParts);
    assert.ok(call?.status === 'completed');
    assert.equal(call.confirmed, 'setting');
    assert.deepEqual(
      call.content?.map((block) => block.type),
      ['fileEdit'],
    );
    assert.match(textOf(turn.responseParts), /```diff\n-one two\n\+1 two\n```/);
    assert.equal(await running.read('a.txt'), '1 two\n');

    await open();
    const other = client.ask(chat, 'replace "two" with "2" in a.txt');
    const asked = await client.pendingCall(chat);
    client.confirm(chat, other, asked.toolCallId, 'deny');
    await client.turnEnd(chat, other);

    assert.equal(await running.read('a.txt'), '1 two\n');
  });

  it('does nothing when it is denied, and then does what the person says instead', async () => {
    await open();
    const turnId = client.ask(chat, 'create secret.txt with "x"');
    const call = await client.pendingCall(chat);

    client.confirm(chat, turnId, call.toolCallId, 'deny', {
      userSuggestion: { text: 'list the folder docs', origin: { kind: 'user' } },
    });
    const turn = await client.turnEnd(chat, turnId);

    assert.ok(!existsSync(path.join(running.dataDir, 'workspace/secret.txt')));
    const [denied, listed] = callsOf(turn.responseParts);
    assert.deepEqual([denied?.status, listed?.status], ['cancelled', 'completed']);
    assert.match(textOf(turn.responseParts), /You did not allow it[\s\S]*You said instead[\s\S]*docs\/decisions\.md/);
  });

  it('runs a command only when it is allowed, and shows its output while it comes', async () => {
    await open();
    const turnId = client.ask(
      chat,
      'run `echo first; while [ ! -e go ]; do sleep 0.05; done; rm go; echo second; exit 3`',
    );
    const call = await client.pendingCall(chat);
    assert.ok(call.status === 'pending-confirmation' && call.editable);
    client.confirm(chat, turnId, call.toolCallId, 'allow-once');

    const live = await client.until(chat, (state) =>
      callsOf(state.activeTurn?.responseParts ?? []).find((found) => found.status === 'running' && found.content),
    );
    const [block] = (live.status === 'running' && live.content) || [];
    assert.ok(block?.type === 'terminal');
    await client.untilTerminal(block.resource, /first/);
    await writeFile(path.join(running.dataDir, 'workspace/go'), '');
    const turn = await client.turnEnd(chat, turnId);

    const [done] = callsOf(turn.responseParts);
    assert.ok(done?.status === 'completed' && !done.success);
    assert.match(done.error?.message ?? '', /exit code 3/);
    const [ended] = done.content ?? [];
    assert.deepEqual(ended?.type === 'terminal' && ended.result, { exitCode: 3, preview: 'first\nsecond\n' });
    const terminal = await client.untilTerminal(block.resource, /second/);
    assert.deepEqual(terminal.lifecycle, { status: 'exited', exitCode: 3 });
    assert.equal(terminal.content[0]?.type === 'command' && terminal.content[0].exitCode, 3);
    assert.match(textOf(turn.responseParts), /ended with exit code 3/);
  });

  it('runs the command as the person has changed it', async () => {
    await open();
    const turnId = client.ask(chat, '!rm -rf src');
    const call = await client.pendingCall(chat);

    client.confirm(chat, turnId, call.toolCallId, 'allow-once', {
      editedToolInput: JSON.stringify({ command: 'ls src' }),
    });
    const turn = await client.turnEnd(chat, turnId);

    assert.match(textOf(turn.responseParts), /units\.js/);
    assert.ok(existsSync(path.join(running.dataDir, 'workspace/src/units.js')));
  });

  it('stops a running command, with what it has started, when the turn is stopped', async () => {
    await open();
    const turnId = client.ask(chat, 'run `sleep 300 & echo $!; sleep 300`');
    const call = await client.pendingCall(chat);
    client.confirm(chat, turnId, call.toolCallId, 'allow-once');
    const uri = await client.until(chat, (state) => {
      const [call] = callsOf(state.activeTurn?.responseParts ?? []);
      const block = call?.status === 'running' ? call.content?.[0] : undefined;
      return block?.type === 'terminal' ? block.resource : undefined;
    });
    const printed = await client.untilTerminal(uri, /\d+/);
    const pid = Number.parseInt(outputOf(printed), 10);

    client.dispatch(chat, { type: 'chat/turnCancelled', turnId, duration: 1 });
    const turn = await client.turnEnd(chat, turnId);

    assert.equal(turn.state, 'cancelled');
    assert.equal(callsOf(turn.responseParts)[0]?.status, 'cancelled');
    while (isRunning(pid)) await new Promise(setImmediate);
  });

  it('runs the tests, finds the failing one, repairs it and runs them again', async () => {
    await open();

    const turn = await client.askAndWait(chat, 'fix the failing test', 'allow-family');

    const text = textOf(turn.responseParts);
    assert.match(text, /8 tests passed, 1 failed/);
    assert.match(text, /a tablespoon holds three teaspoons/);
    assert.match(text, /4 should be 5/);
    assert.match(text, /All is well: 9 tests passed/);
    assert.match(await running.read('src/units.js'), /teaspoon: \{ kind: 'volume', size: 5 \}/);
  });

  it('writes a report of more than 100 KB from the files, in small pieces', async () => {
    await open();

    const turn = await client.askAndWait(chat, 'write a long report about the workspace');

    const text = textOf(turn.responseParts);
    assert.ok(text.length > 100_000, String(text.length));
    assert.match(text, /\| red lentils \| 500 \| gram \|/);
    const longest = client.envelopes.reduce(
      (most, { action }) =>
        'content' in action && typeof action.content === 'string' ? Math.max(most, action.content.length) : most,
      0,
    );
    assert.ok(longest <= 100, String(longest));
  });

  it('fails on purpose in a way that can be resumed', async () => {
    await open();

    const turn = await client.askAndWait(chat, 'fail on purpose');
    assert.equal(turn.state, 'error');
    const last = turn.responseParts.at(-1);
    assert.ok(last?.kind === 'error' && last.resumable);

    client.dispatch(chat, { type: 'chat/turnResume', turnId: turn.id });
    const resumed = await client.until(chat, (state) => state.turns.find(({ state }) => state === 'complete'));

    assert.equal(resumed.id, turn.id);
  });

  it('completes paths after an at sign', async () => {
    await open();
    const text = 'explain @uni';

    const { items } = await client.request<{ items: { insertText: string; rangeStart: number; rangeEnd: number }[] }>(
      'completions',
      { channel: chat, kind: 'userMessage', text, offset: text.length },
    );

    assert.deepEqual(
      items.map((item) => item.insertText),
      ['@src/units.js ', '@test/units.test.js '],
    );
    assert.deepEqual([items[0]?.rangeStart, items[0]?.rangeEnd], [8, 12]);
  });

  it('reads resources of the workspace and refuses every other', async () => {
    const read = (uri: string, encoding?: string) =>
      client.request<ResourceReadResult>('resourceRead', {
        channel: 'ahp-root://',
        uri,
        ...(encoding && { encoding }),
      });

    assert.match((await read('workspace:/README.md')).data, /# Larder/);
    assert.equal(
      Buffer.from((await read('workspace:/README.md', 'base64')).data, 'base64')
        .toString()
        .slice(0, 8),
      '# Larder',
    );
    await assert.rejects(read('workspace:/none'), /-32008/);
    await assert.rejects(read('workspace-version:/abc/x'), /-32008/);
    for (const uri of [
      'file:///etc/passwd',
      'workspace:/../token',
      'workspace:/%2e%2e/token',
      'workspace:/..%2ftoken',
      'workspace:/%00',
      'http://127.0.0.1/',
    ]) {
      await assert.rejects(read(uri), /-32009/, uri);
    }
  });

  it('names the session after the first message', async () => {
    const { items } = await client.request<{ items: { title: string }[] }>('listSessions', { channel: 'ahp-root://' });

    assert.ok(items.some(({ title }) => title === 'write a long report about the workspace'));
    assert.ok(items.every(({ title }) => !title.includes('\n')));
  });
});
