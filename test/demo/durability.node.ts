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
  const failed = state.turns[1];
  assert.deepEqual([failed?.id, failed?.state, state.activeTurn], [busy, 'error', undefined]);
  const last = failed?.responseParts.at(-1);
  assert.ok(last?.kind === 'error' && last.resumable);
  const { items } = await second.request<{ items: { title: string }[] }>('listSessions', { channel: 'ahp-root://' });
  assert.deepEqual(
    items.map((item) => item.title),
    ['read README.md'],
  );
});

test('a turn that ran when the host was killed can be resumed', async (t) => {
  const { host, connect } = await start(t);
  const first = await connect();
  const chat = await first.openChat();
  const turnId = first.ask(chat, 'run `sleep 300`');
  await first.pendingCall(chat);
  await host.kill();
  await host.start();
  const second = await connect();
  await second.subscribe(chat);

  second.dispatch(chat, { type: 'chat/turnResume', turnId });
  const turn = await second.until(chat, (state) => state.turns.find(({ state }) => state === 'complete'));

  assert.equal(turn.id, turnId);
  assert.match(textOf(turn.responseParts), /goes on here/);
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

  assert.ok(!kept.includes('host.pid'));
  assert.equal(state.turns[0]?.state, 'error');
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
