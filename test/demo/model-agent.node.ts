import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import test, { after, before, beforeEach, describe, it } from 'node:test';
import { readModelConfig } from '../../demo/host/agents/model/config.js';
import type { RootState } from '../../src/protocol/state.js';
import { callTool, chunk, failWith, startModelStub, stream, type ModelStub } from './model-stub.js';
import { callsOf, textOf, type RawClient } from './raw-client.js';
import { runHost, type RunningHost } from './running-host.js';

const key = 'sk-test-0123456789abcdef';

describe('the model agent', () => {
  let stub: ModelStub;
  let running: RunningHost;
  let client: RawClient;
  let chat: string;

  before(async () => {
    stub = await startModelStub();
    running = await runHost({ env: { AHP_MODEL_URL: stub.url, AHP_MODEL_KEY: key, AHP_MODEL: 'small, large' } });
    client = await running.connect();
  });
  beforeEach(async () => {
    stub.requests.length = 0;
    stub.answers = [];
    chat = await client.openChat('model');
  });
  after(async () => {
    await running.end();
    await stub.close();
  });

  const lastMessages = () => stub.requests.at(-1)?.body.messages ?? [];

  it('is listed beside the workspace agent, with its models', async () => {
    const { snapshot } = await client.request<{ snapshot: { state: RootState } }>('subscribe', {
      channel: 'ahp-root://',
    });

    assert.deepEqual(
      snapshot.state.agents.map((agent) => [agent.provider, agent.models.map((model) => model.id)]),
      [
        ['workspace', ['rules', 'brief']],
        ['model', ['small', 'large']],
      ],
    );
  });

  it('streams text and reasoning that are split at any byte, and reports usage', async () => {
    const text = 'Grüße 🙂 from | a model\n\n- one\n';
    stub.answers = [
      stream(
        [
          { reasoning_content: 'Hm… ' },
          { reasoning_content: 'yes.' },
          { content: 'Grüße 🙂' },
          { content: text.slice(8) },
        ],
        'stop',
        3,
      ),
    ];

    const turn = await client.askAndWait(chat, 'Say hello');

    assert.equal(textOf(turn.responseParts), text);
    assert.deepEqual(turn.responseParts[0]?.kind === 'reasoning' && turn.responseParts[0].content, 'Hm… yes.');
    assert.deepEqual(turn.usage, { inputTokens: 100, outputTokens: 20, cacheReadTokens: 40, model: 'small' });
    assert.equal(stub.requests[0]?.authorization, `Bearer ${key}`);
    assert.ok(stub.requests[0]?.body.tools.some((tool) => tool.function.name === 'move_file'));
  });

  it('carries out a tool whose input comes in pieces, and tells the model what it gave', async () => {
    stub.answers = [
      stream(
        [{ content: 'Let me look.' }, ...callTool('read_file', { path: 'docs/decisions.md', from: 1, to: 1 }, 9)],
        'tool_calls',
        5,
      ),
      stream([{ content: 'It says Decisions.' }], 'stop'),
    ];

    const turn = await client.askAndWait(chat, 'What is the title?');

    const [call] = callsOf(turn.responseParts);
    assert.ok(call?.status === 'completed' && call.success);
    assert.deepEqual(
      turn.responseParts.map((part) => part.kind),
      ['markdown', 'toolCall', 'markdown'],
    );
    const partial = client.envelopes.filter(
      ({ channel, action }) => channel === chat && action.type === 'chat/toolCallDelta',
    );
    assert.ok(partial.length >= 5, String(partial.length));
    const [asked, result] = lastMessages().slice(-2);
    assert.equal(asked?.tool_calls?.[0]?.function.name, 'read_file');
    assert.deepEqual([result?.role, result?.content, result?.tool_call_id], ['tool', '# Decisions', call.toolCallId]);
    assert.equal(turn.usage?.outputTokens, 40);
  });

  it('asks the person what the model wants to know, and tells it the answers', async () => {
    const questions = [
      { id: 'colour', kind: 'single-select', message: 'Which colour?', options: ['red', 'green'], required: true },
    ];
    stub.answers = [
      stream(callTool('ask_user', { message: 'I need a colour.', questions }), 'tool_calls'),
      stream([{ content: 'Green it is.' }], 'stop'),
    ];

    const turnId = client.ask(chat, 'Paint it');
    const request = await client.until(chat, (state) => {
      const open = state.activeTurn?.responseParts.find((part) => part.kind === 'inputRequest');
      return open?.kind === 'inputRequest' ? open.request : undefined;
    });
    const answers = { colour: { state: 'submitted', value: { kind: 'selected', value: 'green' } } } as const;
    client.dispatch(chat, { type: 'chat/inputCompleted', requestId: request.id, response: 'accept', answers });
    const turn = await client.turnEnd(chat, turnId);

    assert.deepEqual(request.message, 'I need a colour.');
    assert.equal(lastMessages().at(-1)?.content, 'colour: "green"');
    assert.equal(textOf(turn.responseParts), 'Green it is.');
  });

  it('has a worker do what the model hands on, with the same model', async () => {
    stub.answers = [
      stream(callTool('delegate', { task: 'Count to two.', title: 'Counter' }), 'tool_calls'),
      stream([{ content: 'One, two.' }], 'stop'),
      stream([{ content: 'It is two.' }], 'stop'),
    ];

    const turn = await client.askAndWait(chat, 'How many?');

    assert.equal(stub.requests[1]?.body.messages.at(-1)?.content, 'Count to two.');
    assert.equal(lastMessages().at(-1)?.content, 'One, two.');
    const [call] = callsOf(turn.responseParts);
    assert.equal(call?.status === 'completed' && call.content?.[0]?.type, 'subagent');
  });

  it('tells the model in a side chat what it is about, and what was said before', async () => {
    stub.answers = [stream([{ content: 'Four.' }], 'stop'), stream([{ content: 'Even.' }], 'stop')];
    const first = await client.askAndWait(chat, 'Two and two?');
    const side = `ahp-chat:/${crypto.randomUUID()}`;
    const source = { kind: 'sideChat', chat, turnId: first.id, selection: { text: 'Four' } };
    await client.request('createChat', { channel: client.lastSession, chat: side, source });
    await client.subscribe(side);

    await client.askAndWait(side, 'Is that even?');

    assert.deepEqual(
      lastMessages()
        .slice(1)
        .map(({ content }) => content),
      ['Two and two?', 'Four.', 'This is about the following piece:\n\nFour', 'Is that even?'],
    );
  });

  it('offers the model the tools of a page, which the page runs', async () => {
    const tools = [{ name: 'page_title', description: 'Reads the title.', annotations: { readOnlyHint: true } }];
    client.dispatch(client.lastSession, {
      type: 'session/activeClientSet',
      activeClient: { clientId: client.clientId, tools },
    });
    stub.answers = [stream(callTool('page_title', {}), 'tool_calls'), stream([{ content: 'It is Larder.' }], 'stop')];

    const turnId = client.ask(chat, 'What is the title?');
    const { toolCallId } = await client.until(chat, (state) =>
      callsOf(state.activeTurn?.responseParts ?? []).find((call) => call.status === 'running'),
    );
    const content = [{ type: 'text', text: 'Larder' }] as const;
    const result = { success: true, pastTenseMessage: 'Read', content };
    client.dispatch(chat, { type: 'chat/toolCallComplete', turnId, toolCallId, result });
    await client.turnEnd(chat, turnId);

    assert.ok(
      stub.requests[0]?.body.tools.some((tool) => tool.function.name === 'page_title'),
      'page_title is offered',
    );
    assert.equal(lastMessages().at(-1)?.content, 'Larder');
  });

  it('carries out several calls of one answer in order, also when the endpoint gives no index', async () => {
    stub.answers = [
      stream(
        [
          { tool_calls: [{ id: 'a', function: { name: 'read_file', arguments: '{"path":"package.json"}' } }] },
          { tool_calls: [{ id: 'b', function: { name: 'list_files', arguments: '{"path":"src","depth":null}' } }] },
        ],
        'tool_calls',
      ),
      stream([{ content: 'Both done.' }], 'stop'),
    ];

    const turn = await client.askAndWait(chat, 'Look at both');

    assert.deepEqual(
      callsOf(turn.responseParts).map((call) => [call.toolName, call.status]),
      [
        ['read_file', 'completed'],
        ['list_files', 'completed'],
      ],
    );
    assert.equal(lastMessages().filter(({ role }) => role === 'tool').length, 2);
  });

  it('asks before an edit, and tells the model when it is denied and what the person says', async () => {
    stub.answers = [
      stream(callTool('write_file', { path: 'model.txt', text: 'x' }, 3), 'tool_calls'),
      stream([{ content: 'As you like.' }], 'stop'),
    ];
    const turnId = client.ask(chat, 'Write a file');
    const call = await client.pendingCall(chat);

    client.confirm(chat, turnId, call.toolCallId, 'deny', {
      userSuggestion: { text: 'Use the docs folder', origin: { kind: 'user' } },
    });
    await client.turnEnd(chat, turnId);

    assert.match(lastMessages().at(-1)?.content ?? '', /did not allow this call and says: Use the docs folder/);
    await assert.rejects(running.read('model.txt'));
  });

  it('makes an edit that is allowed', async () => {
    stub.answers = [
      stream(callTool('edit_file', { path: 'README.md', find: '# Larder', replaceWith: '# Pantry' }, 4), 'tool_calls'),
      stream([{ content: 'Renamed.' }], 'stop'),
    ];

    await client.askAndWait(chat, 'Rename it', 'allow-once');

    assert.match(await running.read('README.md'), /^# Pantry\n/);
  });

  it('tells the model of broken input, unknown tools and failures instead of failing the turn', async () => {
    stub.answers = [
      stream(callTool('read_file', '{"path": "pack'), 'tool_calls'),
      stream(callTool('fly', {}), 'tool_calls'),
      stream(callTool('read_file', { path: 7 }), 'tool_calls'),
      stream(callTool('read_file', { path: '../../etc/passwd' }), 'tool_calls'),
      stream([{ content: 'I give up.' }], 'stop'),
    ];

    const turn = await client.askAndWait(chat, 'Do odd things');

    assert.equal(turn.state, 'complete');
    assert.deepEqual(
      lastMessages()
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => /not JSON|no tool of this name|must be text|leads out/.exec(content ?? '')?.[0]),
      ['not JSON', 'no tool of this name', 'must be text', 'leads out'],
    );
    assert.ok(callsOf(turn.responseParts).every((call) => call.status === 'completed' && !call.success));
  });

  it('remembers earlier turns, and uses the model the person has picked', async () => {
    stub.answers = [
      stream([...callTool('list_files', { path: 'docs' })], 'tool_calls'),
      stream([{ content: 'One file.' }], 'stop'),
      stream([{ content: 'Yes.' }], 'stop'),
    ];
    await client.askAndWait(chat, 'How many docs?');
    const turnId = client.ask(chat, 'Sure?', {
      model: { id: 'large' },
      attachments: [{ type: 'simple', label: 'Note', modelRepresentation: 'A note.' }],
    });
    await client.turnEnd(chat, turnId);

    assert.equal(stub.requests.at(-1)?.body.model, 'large');
    assert.deepEqual(
      lastMessages().map(({ role }) => role),
      ['system', 'user', 'assistant', 'tool', 'assistant', 'user'],
    );
    assert.match(lastMessages().at(-1)?.content ?? '', /Sure\?\n\n\[attached: Note\]\nA note\./);
  });

  it('stops the request when the turn is stopped', async () => {
    const closed = new Promise<void>((resolve) => {
      stub.answers = [
        (response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.write(chunk({ content: 'On and on' }));
          void once(response, 'close').then(() => resolve());
        },
      ];
    });
    const turnId = client.ask(chat, 'Go on for ever');
    await client.until(chat, (state) => textOf(state.activeTurn?.responseParts ?? []) || undefined);

    client.dispatch(chat, { type: 'chat/turnCancelled', turnId, duration: 5 });
    const turn = await client.turnEnd(chat, turnId);

    assert.equal(turn.state, 'cancelled');
    assert.equal(textOf(turn.responseParts), 'On and on');
    await closed;
  });

  it('fails so that it can be resumed when the answer breaks off, and goes on from there', async () => {
    stub.answers = [
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(chunk({ content: 'Half an ans' }));
      },
      stream([{ content: 'wer.' }], 'stop'),
    ];
    const turn = await client.askAndWait(chat, 'Answer me');
    const last = turn.responseParts.at(-1);
    assert.ok(last?.kind === 'error' && last.resumable);
    assert.equal(last.error.errorType, 'model-interrupted');

    client.dispatch(chat, { type: 'chat/turnResume', turnId: turn.id });
    const resumed = await client.until(chat, (state) => state.turns.find(({ state }) => state === 'complete'));

    assert.equal(textOf(resumed.responseParts), 'Half an answer.');
    assert.match(lastMessages().at(-2)?.content ?? '', /Half an ans/);
  });

  it('waits as a rate limit asks, and says so when it does not end', async () => {
    const limit = failWith(429, 'Slow down', { 'retry-after-ms': '5' });
    stub.answers = [limit, stream([{ content: 'Now.' }], 'stop'), limit, limit, limit];

    const patient = await client.askAndWait(chat, 'One');
    const limited = await client.askAndWait(chat, 'Two');

    assert.equal(textOf(patient.responseParts), 'Now.');
    const last = limited.responseParts.at(-1);
    assert.equal(last?.kind === 'error' && last.error.errorType, 'model-rate-limit');
    assert.equal(stub.requests.length, 5);
  });

  const errors: readonly (readonly [what: string, answer: Parameters<typeof failWith>, errorType: string])[] = [
    ['a refused key', [401, `Incorrect API key provided: ${key}`], 'model-auth'],
    ['a bad request that repeats the key', [400, `Cannot read ${key}`], 'model-error'],
  ];
  for (const [what, answer, errorType] of errors) {
    it(`fails in plain words at ${what}, and never shows the key`, async () => {
      stub.answers = [failWith(...answer)];

      const turn = await client.askAndWait(chat, 'Hello');

      const last = turn.responseParts.at(-1);
      assert.equal(last?.kind === 'error' && last.error.errorType, errorType);
    });
  }

  it('ends a model that calls tools without end', async () => {
    stub.answers = Array.from({ length: 30 }, () => stream(callTool('list_files', { path: 'docs' }), 'tool_calls'));

    const turn = await client.askAndWait(chat, 'Go round');

    const last = turn.responseParts.at(-1);
    assert.equal(last?.kind === 'error' && last.error.errorType, 'model-rounds');
    assert.equal(stub.requests.length, 24);
  });

  it('runs a command line without asking the model', async () => {
    const turn = await client.askAndWait(chat, '!echo direct', 'allow-once');

    assert.match(textOf(turn.responseParts), /direct/);
    assert.equal(stub.requests.length, 0);
  });

  it('keeps the key from clients, commands, the journal and the log', async () => {
    await client.askAndWait(chat, '!env; cat /proc/$PPID/environ | tr "\\0" "\\n"', 'allow-once');

    assert.ok(client.frames.every((frame) => !frame.includes(key)));
    assert.ok(!running.log.join('').includes(key));
    for (const entry of await readdir(running.dataDir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      assert.ok(!(await readFile(path.join(entry.parentPath, entry.name), 'utf8')).includes(key), entry.name);
    }
  });
});

test('the model is read from the environment, and only when it is complete', () => {
  assert.equal(readModelConfig({}), undefined);
  assert.deepEqual(readModelConfig({ OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', OPENAI_MODEL: 'm' }), {
    baseUrl: 'http://127.0.0.1:1/v1',
    models: ['m'],
  });
  assert.deepEqual(readModelConfig({ OPENAI_API_KEY: 'k', AHP_MODEL: ' a , b ' }), {
    baseUrl: 'https://api.openai.com/v1',
    key: 'k',
    models: ['a', 'b'],
  });
  assert.throws(() => readModelConfig({ AHP_MODEL_URL: 'http://x' }), /AHP_MODEL/);
  assert.throws(() => readModelConfig({ AHP_MODEL_URL: 'file:///x', AHP_MODEL: 'm' }), /not an http address/);
});
