import assert from 'node:assert/strict';
import { appendFile, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type TestContext } from 'node:test';
import { callsOf, textOf } from './raw-client.js';
import { runHost, type RunningHost } from './running-host.js';

async function start(test: TestContext, options: Parameters<typeof runHost>[0] = {}): Promise<RunningHost> {
  const running = await runHost(options);
  test.after(() => running.end());
  return running;
}

test('a host that is killed and started again has its sessions, chats, turns, queue and draft', async (t) => {
  const { host, connect } = await start(t);
  const first = await connect();
  const chat = await first.openChat();
  const turn = await first.askAndWait(chat, 'read README.md');
  const busy = first.ask(chat, 'run `sleep 300`');
  await first.pendingCall(chat);
  first.dispatch(chat, {
    type: 'chat/pendingMessageSet',
    kind: 'queued',
    id: 'q1',
    message: { text: 'list files', origin: { kind: 'user' } },
  });
  first.dispatch(chat, { type: 'chat/draftChanged', draft: { text: 'half a sen', origin: { kind: 'user' } } });
  await first.until(chat, (state) => state.draft);

  const { pid } = host;
  await host.kill();
  await host.start();
  const second = await connect();
  const state = await second.subscribe(chat);

  assert.notEqual(host.pid, pid);
  assert.deepEqual(state.turns[0], turn);
  assert.equal(state.draft?.text, 'half a sen');
  assert.deepEqual(
    state.queuedMessages?.map((queued) => queued.id),
    ['q1'],
  );
  assert.equal(state.activeTurn?.id, busy);
  const { items } = await second.request<{ items: { title: string }[] }>('listSessions', { channel: 'ahp-root://' });
  assert.deepEqual(
    items.map((item) => item.title),
    ['read README.md'],
  );
});

test('a call that waited for a person when the host was killed still does, and runs once it is allowed', async (t) => {
  const { host, connect } = await start(t);
  const first = await connect();
  const chat = await first.openChat();
  const turnId = first.ask(chat, 'read README.md, then run `echo after`, then list docs');
  const before = await first.pendingCall(chat);
  await host.kill();
  await host.start();
  const second = await connect();
  await second.subscribe(chat);

  const call = await second.pendingCall(chat);
  second.confirm(chat, turnId, call.toolCallId, 'allow-once');
  const turn = await second.turnEnd(chat, turnId);

  assert.equal(call.toolCallId, before.toolCallId);
  assert.deepEqual(
    callsOf(turn.responseParts).map(({ toolName, status }) => [toolName, status]),
    [
      ['read_file', 'completed'],
      ['run_command', 'completed'],
      ['list_files', 'completed'],
    ],
  );
  const text = textOf(turn.responseParts);
  assert.equal(text.split('# Larder').length, 2, 'the file is shown once');
  assert.match(text, /`echo after` ended with exit code 0/);
});

test('a steering message that was read before the host was killed is not read again out of the next one', async (t) => {
  const { host, connect } = await start(t);
  const first = await connect();
  const chat = await first.openChat();
  const steer = (client: typeof first, id: string, text: string, ...joins: string[]) =>
    client.dispatch(chat, {
      type: 'chat/pendingMessageSet',
      kind: 'steering',
      id,
      message: { text, origin: { kind: 'user' }, _meta: { 'ahp-chat/pending': { id, joins } } },
    });
  const turnId = first.ask(chat, 'run `echo one`, then run `echo two`');
  const { toolCallId } = await first.pendingCall(chat);
  steer(first, 'a', 'list docs');
  await first.until(chat, (state) => state.steeringMessage);
  first.confirm(chat, turnId, toolCallId, 'allow-once');
  await first.until(
    chat,
    (state) => /You added: list docs/.test(textOf(state.activeTurn?.responseParts ?? [])) || undefined,
  );
  await first.pendingCall(chat);

  await host.kill();
  await host.start();
  const second = await connect();
  await second.subscribe(chat);
  steer(second, 'b', 'list docs\n\nlist src', 'a');
  const waiting = await second.until(chat, (state) => state.steeringMessage);

  assert.equal(waiting.message.text, 'list src');
});

test('a question that was open when the host was killed still is, with what was typed', async (t) => {
  const { host, connect } = await start(t);
  const first = await connect();
  const chat = await first.openChat();
  const turnId = first.ask(chat, 'add a recipe');
  const open = (client: typeof first) =>
    client.until(chat, (state) => {
      const part = state.activeTurn?.responseParts.find(({ kind }) => kind === 'inputRequest');
      return part?.kind === 'inputRequest' ? part.request : undefined;
    });
  const { id } = await open(first);
  const answer = { state: 'draft', value: { kind: 'text', value: 'Soup' } } as const;
  first.dispatch(chat, { type: 'chat/inputAnswerChanged', requestId: id, questionId: 'title', answer });
  await first.until(chat, () =>
    first.chat(chat).activeTurn?.responseParts.some((part) => part.kind === 'inputRequest' && part.request.answers)
      ? true
      : undefined,
  );
  await host.kill();
  await host.start();
  const second = await connect();
  await second.subscribe(chat);

  const request = await open(second);
  second.dispatch(chat, { type: 'chat/inputCompleted', requestId: id, response: 'decline' });
  const turn = await second.turnEnd(chat, turnId);

  assert.deepEqual([request.id, request.answers], [id, { title: answer }]);
  assert.match(textOf(turn.responseParts), /Then I add no recipe/);
});

test('a call that ran when the host was killed has failed, and the turn goes on from there when it is resumed', async (t) => {
  const { host, connect, read } = await start(t);
  const first = await connect();
  const chat = await first.openChat();
  const text = 'create one.txt with "1", then run `test -e go || { touch go; sleep 300; }`, then list docs';
  const turnId = first.ask(chat, text);
  const create = await first.pendingCall(chat);
  first.confirm(chat, turnId, create.toolCallId, 'allow-once');
  const run = await first.pendingCall(chat, new Set([create.toolCallId]));
  first.confirm(chat, turnId, run.toolCallId, 'allow-session');
  await first.until(chat, (state) =>
    callsOf(state.activeTurn?.responseParts ?? []).find((call) => call.status === 'running' && call.content),
  );
  // The command itself has begun.
  while (
    !(await read('go').then(
      () => true,
      () => false,
    ))
  )
    await new Promise(setImmediate);
  await host.kill();
  await host.start();
  const second = await connect();
  const { turns } = await second.subscribe(chat);
  const [, cut] = callsOf(turns[0]?.responseParts ?? []);
  assert.equal(turns[0]?.state, 'error');
  assert.deepEqual(cut?.status === 'completed' && [cut.success, cut.error?.code], [false, 'host-restarted']);

  second.dispatch(chat, { type: 'chat/turnResume', turnId });
  const turn = await second.until(chat, (state) => state.turns.find(({ state }) => state === 'complete'));

  assert.equal(turn.id, turnId);
  assert.deepEqual(
    callsOf(turn.responseParts).map(({ toolName }) => toolName),
    ['write_file', 'run_command', 'run_command', 'list_files'],
  );
  assert.equal(textOf(turn.responseParts).split('I created').length, 2, 'the file was made once');
});

test('a host that is killed in the middle of streaming has every delta it has shown', async (t) => {
  const { host, connect } = await start(t, { paceMs: 1 });
  const first = await connect();
  const chat = await first.openChat();
  first.ask(chat, 'write a long report');
  await first.until(chat, (state) => textOf(state.activeTurn?.responseParts ?? []).length > 5000 || undefined);

  await host.kill();
  const shown = textOf(first.chat(chat).activeTurn?.responseParts ?? []);
  await host.start();
  const state = await (await connect()).subscribe(chat);

  const kept = textOf(state.turns[0]?.responseParts ?? []);
  assert.ok(kept.startsWith(shown), `${kept.length} characters kept, ${shown.length} shown`);
});

test('the counter goes on after a restart, so that nothing new looks old', async (t) => {
  const { host, connect } = await start(t);
  const first = await connect();
  const chat = await first.openChat();
  await first.askAndWait(chat, 'help');
  const before = Math.max(...first.envelopes.map((envelope) => envelope.serverSeq));
  await host.kill();
  await host.start();
  const second = await connect();
  await second.subscribe(chat);

  await second.askAndWait(chat, 'list files');

  assert.ok(second.envelopes.every((envelope) => envelope.serverSeq > before));
});

test('a torn last line in the journal costs nothing else, and is said', async (t) => {
  const { host, connect, dataDir, log } = await start(t);
  const first = await connect();
  const chat = await first.openChat();
  await first.askAndWait(chat, 'help');
  await host.kill();
  const folder = path.join(dataDir, 'journal');
  const [name = ''] = (await readdir(folder)).filter((file) => file.endsWith('.jsonl'));
  await appendFile(path.join(folder, name), '{"kind":"action","serverSeq":9');

  await host.start();
  const second = await connect();
  const state = await second.subscribe(chat);
  await second.askAndWait(chat, 'list files');

  assert.equal(state.turns.length, 1);
  assert.equal(second.chat(chat).turns.length, 2);
  assert.match(log.join(''), /cut short/);
});

test('a journal that has grown is folded while the host runs, and nothing is lost by it', async (t) => {
  const { host, connect, dataDir } = await start(t, { env: { AHP_DEMO_FOLD: '3000' } });
  const first = await connect();
  const chat = await first.openChat();
  for (const request of ['read README.md', 'list files', 'help']) await first.askAndWait(chat, request);
  await host.kill();
  const names = await readdir(path.join(dataDir, 'journal'));
  assert.ok(names.includes('snapshot.json') && !names.includes('journal.0.jsonl'), names.join());

  await host.start();
  const state = await (await connect()).subscribe(chat);

  assert.deepEqual(state.turns, first.chat(chat).turns);
});

test('edits can be compared after a restart, and what was allowed for the session still is', async (t) => {
  const { host, connect } = await start(t);
  const first = await connect();
  const chat = await first.openChat();
  const turn = await first.askAndWait(chat, 'create a.txt with "1"', 'allow-family');
  const [call] = callsOf(turn.responseParts);
  const block = call?.status === 'completed' ? call.content?.[0] : undefined;
  assert.ok(block?.type === 'fileEdit');
  await host.kill();
  await host.start();
  const second = await connect();
  await second.subscribe(chat);

  const { data } = await second.request<{ data: string }>('resourceRead', {
    channel: 'ahp-root://',
    uri: block.after?.content.uri,
  });
  second.ask(chat, 'create b.txt with "2"');
  const next = await second.until(chat, (state) => state.turns[1]);

  assert.equal(data, '1\n');
  const [done] = callsOf(next.responseParts);
  assert.equal(done?.status === 'completed' && done.confirmed, 'setting');
});

test('a host that is told to stop ends in its own time, and is not confused by what ran', async (t) => {
  const { host, connect, dataDir, log } = await start(t);
  const client = await connect();
  const chat = await client.openChat();
  client.ask(chat, 'run `sleep 300`');
  await client.pendingCall(chat);

  await host.end();
  const kept = await readdir(path.join(dataDir, 'journal'));
  await host.start();
  const state = await (await connect()).subscribe(chat);

  assert.ok(!kept.includes('host.pid'), kept.join());
  assert.equal(callsOf(state.activeTurn?.responseParts ?? [])[0]?.status, 'pending-confirmation');
  assert.doesNotMatch(log.join(''), /Error/);
});

test('the token is in no file but its own, and in nothing a client or a command is shown', async (t) => {
  const { connect, dataDir, token, log } = await start(t);
  const client = await connect();
  const chat = await client.openChat();

  await client.askAndWait(chat, 'run `env; cat ../token; cat /proc/$PPID/cmdline /proc/$PPID/environ`', 'allow-once');

  assert.ok(client.frames.every((frame) => !frame.includes(token)));
  assert.ok(client.frames.some((frame) => frame.includes('[hidden]')));
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name === 'token') continue;
    assert.ok(!(await readFile(path.join(entry.parentPath, entry.name), 'utf8')).includes(token), entry.name);
  }
  assert.ok(!log.join('').includes(token));
});
