import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import * as parse from '../../src/protocol/parse.js';
import type { RpcMessage } from '../../src/protocol/messages.js';
import { anyAction } from '../helpers/chat-arbitraries.js';
import { chat, freeze, markdown, turn } from '../helpers/chat-states.js';

const frame = (value: unknown, maxLength?: number) => parse.parseFrame(JSON.stringify(value), maxLength);
const refusalOf = (text: string, maxLength?: number) => {
  const result = parse.parseFrame(text, maxLength);
  return 'refused' in result ? result.refused : result;
};
const resultOf = (value: unknown): unknown => (frame({ id: 1, result: value }) as { result: unknown }).result;

describe('a frame', () => {
  it('is one of the four messages of JSON-RPC', () => {
    const messages: RpcMessage[] = [
      { jsonrpc: '2.0', id: 1, method: 'ping', params: { channel: 'ahp-root://' } },
      { jsonrpc: '2.0', method: 'action', params: { channel: 'ahp-root://' } },
      { jsonrpc: '2.0', id: 'abc', result: { a: 1 } },
      { jsonrpc: '2.0', id: 2, error: { code: -32601, message: 'no', data: { a: 1 } } },
    ];

    for (const message of messages) expect(frame(message)).to.deep.equal(message);
  });

  it('is read with what hosts leave out or add', () => {
    expect(frame({ id: 1, method: 'x' })).to.deep.equal({ id: 1, method: 'x', params: {} });
    expect(frame({ id: null, method: 'x', params: [1] })).to.deep.equal({ method: 'x', params: {} });
    expect(frame({ id: 1, result: null })).to.deep.equal({ id: 1, result: null });
    expect(frame({ id: 1 })).to.deep.equal({ id: 1, result: null });
    expect(frame({ id: 1, result: {}, error: null })).to.deep.equal({ id: 1, result: {} });
    expect(frame({ id: 1, result: null, error: { code: 'x' } })).to.deep.equal({
      id: 1,
      error: { code: -32603, message: '' },
    });
    expect(frame({ error: { code: -1, message: 'm' } })).to.deep.equal({ id: null, error: { code: -1, message: 'm' } });
    expect(frame({ id: 1, result: {}, trace: 'kept' })).to.deep.equal({ id: 1, result: {}, trace: 'kept' });
  });

  it('is refused with a reason that does not quote it', () => {
    expect(refusalOf('{"token":"secret"')).to.equal('not-json');
    expect(refusalOf('')).to.equal('not-json');
    for (const value of [null, 5, 'x', [], [{ id: 1, method: 'x' }], {}, { id: {}, result: 1 }, { params: {} }]) {
      expect(refusalOf(JSON.stringify(value)), JSON.stringify(value)).to.equal('not-json-rpc');
    }
    const refusal = parse.parseFrame('{"token":"secret"') as parse.FrameRefusal;
    expect(refusal.reason).to.equal('Frame of 17 characters is not JSON. It was ignored.');
  });

  it('is refused by its size before it is read', () => {
    const text = JSON.stringify({ id: 1, result: 'x'.repeat(100) });

    expect(refusalOf(text, text.length)).not.to.equal('too-large');
    expect(parse.parseFrame(text, text.length - 1)).to.deep.equal({
      refused: 'too-large',
      reason: `Frame of ${text.length} characters is over the limit of ${text.length - 1}. It was not read.`,
    });
  });

  it('may be nested as deep as the protocol needs, and no deeper', () => {
    const nested = (depth: number, inner = '1') => `{"id":1,"result":${'['.repeat(depth)}${inner}${']'.repeat(depth)}}`;

    expect(refusalOf(nested(parse.MAX_DEPTH - 1))).to.have.property('result');
    expect(refusalOf(nested(parse.MAX_DEPTH))).to.equal('too-deep');
    expect(refusalOf(nested(parse.MAX_DEPTH, 'null'))).to.equal('too-deep');
    expect(refusalOf(nested(10_000))).to.equal('too-deep');
    expect(refusalOf(`{"id":1,"result":${'{"a":'.repeat(300_000)}null${'}'.repeat(300_000)}}`)).to.equal('too-deep');
    expect(refusalOf('['.repeat(1_000_000))).to.equal('not-json');
    expect(refusalOf(`{"id":1,"result":{"_meta":${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}}}`)).to.equal('too-deep');
  });

  it('has no null members: null is absent', () => {
    expect(resultOf({ a: null, b: { c: null, d: [null, { e: null, f: 1 }] } })).to.deep.equal({
      b: { d: [null, { f: 1 }] },
    });
    expect(resultOf([null, { a: null }])).to.deep.equal([null, {}]);
  });

  it('keeps null in what is not the protocol’s own', () => {
    const values = {
      _meta: { gone: null, deep: { also: null } },
      toolCall: { structuredContent: { a: null } },
      message: { model: { id: 'm', config: { temperature: null } } },
      state: { config: { schema: { properties: {}, required: null }, values: { a: null } } },
    };

    expect(resultOf({ ...values, x: null })).to.deep.equal({
      ...values,
      state: { config: { schema: { properties: {} }, values: { a: null } } },
    });
  });

  it('may be full of __proto__ without harm', () => {
    const text =
      '{"id":1,"result":{"__proto__":{"x":null,"polluted":1},"a":{"__proto__":null,"constructor":{"prototype":null}}}}';

    const { result } = parse.parseFrame(text) as { result: Record<string, object> };

    expect(JSON.stringify(result)).to.equal('{"__proto__":{"polluted":1},"a":{"constructor":{}}}');
    expect(Object.getPrototypeOf(result)).to.equal(Object.prototype);
    expect(({} as { polluted?: unknown }).polluted).to.equal(undefined);
  });

  it('survives anything that can be written as JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        const result = parse.parseFrame(`{"id":1,"result":${text}}`);
        expect('result' in result || 'refused' in result).to.equal(true);
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => void parse.parseFrame(text)));
  });
});

describe('an envelope', () => {
  const action = { type: 'chat/delta', turnId: 't', partId: 'p', content: 'x' };
  const channel = 'ahp-chat:/one';

  it('is given back as it is if nothing is wrong with it', () => {
    for (const envelope of [
      { channel, action, serverSeq: 2 ** 40 },
      { channel, action, serverSeq: 1, origin: { clientId: 'c', clientSeq: 1 }, later: { a: 1 } },
      { channel, action: { type: 'chat/hologramSet', depth: { a: 1 } }, serverSeq: 1 },
      { channel, action, serverSeq: 1, rejectionReason: 'no' },
    ]) {
      expect(parse.parseEnvelope(envelope)).to.equal(envelope);
    }
  });

  it('needs a channel, a number that is finite, and an action with a type', () => {
    for (const envelope of [
      undefined,
      {},
      { action, serverSeq: 1 },
      { channel, action },
      { channel, action, serverSeq: '1' },
      { channel, action, serverSeq: Infinity },
      { channel, serverSeq: 1 },
      { channel, action: { turnId: 't' }, serverSeq: 1 },
      { channel, action: 'chat/delta', serverSeq: 1 },
    ]) {
      expect(parse.parseEnvelope(envelope), JSON.stringify(envelope)).to.equal(undefined);
    }
  });

  it('has an origin only if both its halves are there', () => {
    const envelope = parse.parseEnvelope({ channel, action, serverSeq: 1, origin: { clientId: 'c' } });

    expect(envelope).to.deep.equal({ channel, action, serverSeq: 1 });
  });

  it('with any rejection is rejected, in whatever form', () => {
    expect(parse.parseEnvelope({ channel, action, rejectionReason: 'no' })).to.include({
      serverSeq: 0,
      rejectionReason: 'no',
    });
    expect(parse.parseEnvelope({ channel, action, serverSeq: 5, rejectionReason: { code: 1 } })).to.include({
      rejectionReason: '',
    });
    expect(parse.parseEnvelope({ channel, action, serverSeq: 5, rejectionReason: false })).to.include({
      rejectionReason: '',
    });
  });
});

describe('an action', () => {
  it('has no members of a wrong type, and keeps those it does not know', () => {
    expect(
      parse.parseAction({
        type: 'chat/turnStarted',
        turnId: 5,
        startedAt: {},
        message: 'hi',
        queuedMessageId: 'q',
        later: 1,
      }),
    ).to.deep.equal({
      type: 'chat/turnStarted',
      message: { text: '', origin: { kind: 'user' } },
      queuedMessageId: 'q',
      later: 1,
    });
  });

  it('brings messages, parts and calls into the state with all they are taken apart by', () => {
    const read = (part: object) =>
      (parse.parseAction({ type: 'chat/responsePart', turnId: 't', part }) as { part?: unknown }).part;

    expect(read({ kind: 'markdown' })).to.deep.equal({ kind: 'markdown', content: '' });
    expect(read({ kind: 'toolCall' })).to.deep.equal({
      kind: 'toolCall',
      toolCall: { status: '', toolCallId: '', toolName: '', displayName: '' },
    });
    expect(
      read({ kind: 'inputRequest', request: { questions: [null, { id: 'q', kind: 'single-select' }] } }),
    ).to.deep.equal({
      kind: 'inputRequest',
      request: { id: '', questions: [{ id: 'q', kind: 'single-select', message: '', options: [] }] },
    });
    expect(read({ kind: 'error' })).to.deep.equal({ kind: 'error', error: { errorType: '', message: '' } });
    expect(read({})).to.deep.equal({ kind: '' });
    expect(read({ kind: 'hologram', id: 'h', depth: [1] })).to.deep.equal({ kind: 'hologram', id: 'h', depth: [1] });
  });

  it('shows tool input of a form it does not know', () => {
    const read = (toolInput: unknown) =>
      (parse.parseAction({ type: 'chat/toolCallReady', toolInput }) as { toolInput?: unknown }).toolInput;

    expect(read('{}')).to.equal('{}');
    expect(read({ uri: 'file:///i', nonce: '1' })).to.deep.equal({ uri: 'file:///i', nonce: '1' });
    expect(read({ command: 'rm' })).to.equal('{"command":"rm"}');
    expect(read(undefined)).to.equal(undefined);
  });

  it('of any form is read without a throw, and a second reading changes nothing', () => {
    fc.assert(
      fc.property(anyAction, (action) => {
        const once = parse.parseAction(freeze(action));
        expect(parse.parseAction(once)).to.equal(once);
      }),
      { numRuns: 500 },
    );
  });

  it('of a client is read for a host', () => {
    const params = { channel: 'c', clientSeq: 1, action: { type: 'chat/isReadChanged', isRead: true } };

    expect(parse.parseDispatch(params)).to.equal(params);
    expect(parse.parseDispatch({ ...params, clientSeq: 'x' })).to.equal(undefined);
    expect(parse.parseDispatch({ ...params, action: {} })).to.equal(undefined);
  });
});

describe('a state', () => {
  it('that is in order is given back as it is', () => {
    const state = chat({
      turns: [turn('t', { responseParts: [markdown('m'), { kind: 'hologram' } as never] })],
      later: { a: 1 },
      status: 2 ** 31 + 1,
    } as never);

    expect(parse.parseChatState(state)).to.equal(state);
  });

  it('of a chat has what a reducer and a view take for granted', () => {
    expect(parse.parseChatState({})).to.deep.equal({ resource: '', status: 0, modifiedAt: '', turns: [] });
    expect(
      parse.parseChatState({
        resource: 'c',
        turns: [null, { id: 't' }, { message: {} }, 'x'],
        activeTurn: { id: 'a', responseParts: [null, 5, { kind: 'markdown', content: 7 }] },
        queuedMessages: [{ id: 'q' }, { message: {} }, null],
        steeringMessage: 'no',
        interactivity: 'shared',
        workingDirectories: ['a', 5],
        status: 'busy',
        modifiedAt: 5,
        draft: { text: 5 },
      }),
    ).to.deep.equal({
      resource: 'c',
      turns: [{ id: 't', message: { text: '', origin: { kind: 'user' } }, responseParts: [], state: 'complete' }],
      activeTurn: {
        id: 'a',
        message: { text: '', origin: { kind: 'user' } },
        responseParts: [{ kind: 'markdown', content: '' }],
      },
      queuedMessages: [{ id: 'q', message: { text: '', origin: { kind: 'user' } } }],
      interactivity: 'read-only',
      workingDirectories: ['a'],
      status: 0,
      modifiedAt: '',
      draft: { text: '', origin: { kind: 'user' } },
    });
    expect(parse.parseChatState(null)).to.equal(undefined);
    expect(parse.parseChatState([])).to.equal(undefined);
  });

  it('of every channel is read by its kind, or by what is in it', () => {
    const snapshot = (state: object, resource = 'r') => ({ resource, fromSeq: 1, state });
    const read = (state: object, kindOf?: parse.KindOf) => parse.parseSnapshot(snapshot(state), kindOf)?.state;

    expect(read({ turns: [] })).to.include({ status: 0, modifiedAt: '' });
    expect(read({ lifecycle: 'ready', chats: [{ resource: 'c' }, {}] })).to.deep.include({
      chats: [{ resource: 'c', status: 0, modifiedAt: '' }],
      activeClients: [],
    });
    expect(read({ agents: [{ provider: 'p' }] })).to.deep.equal({
      agents: [{ provider: 'p', displayName: '', description: '', models: [] }],
    });
    expect(read({ claim: {}, content: [null, { type: 'command' }] })).to.deep.equal({
      title: '',
      claim: { kind: '' },
      content: [{ type: 'command', commandId: '', commandLine: '', output: '', timestamp: 0, isComplete: false }],
    });
    expect(read({}, () => 'session')).to.include({ lifecycle: 'ready' });
    expect(read({ annotations: [] })).to.deep.equal({ annotations: [] });
    expect(parse.parseSnapshot({ resource: 'r', fromSeq: NaN, state: {} })).to.equal(undefined);
    expect(parse.parseSnapshot({ resource: 'r', fromSeq: 1 })).to.equal(undefined);
  });
});

describe('an answer', () => {
  it('to initialize has snapshots, and a version at the least', () => {
    const result = {
      protocolVersion: '1.0.0',
      serverSeq: 4,
      snapshots: [],
      completionTriggerCharacters: ['@'],
      later: 1,
    };

    expect(parse.parseInitializeResult(result)).to.equal(result);
    expect(
      parse.parseInitializeResult({
        protocolVersion: '1.0.0',
        snapshots: [{}, { resource: 'r', fromSeq: 1, state: { turns: [] } }],
      }),
    ).to.deep.include({
      serverSeq: 0,
      snapshots: [{ resource: 'r', fromSeq: 1, state: { resource: '', status: 0, modifiedAt: '', turns: [] } }],
    });
    expect(parse.parseInitializeResult({ serverSeq: 1 })).to.equal(undefined);
  });

  it('to reconnect is a replay or snapshots, and never half of one', () => {
    const envelope = { channel: 'c', serverSeq: 1, action: { type: 'x' } };

    expect(parse.parseReconnectResult({ type: 'replay', actions: [envelope, null] })).to.deep.equal({
      type: 'replay',
      actions: [envelope],
      missing: [],
    });
    expect(parse.parseReconnectResult({ type: 'snapshot' })).to.deep.equal({ type: 'snapshot', snapshots: [] });
    expect(parse.parseReconnectResult({ type: 'replay' })).to.equal(undefined);
    expect(parse.parseReconnectResult({ type: 'magic' })).to.equal(undefined);
    expect(parse.parseReconnectResult(null)).to.equal(undefined);
  });

  it('to subscribe may hold no snapshot', () => {
    expect(parse.parseResult('subscribe', null)).to.deep.equal({});
    expect(
      parse.parseResult('subscribe', { snapshot: { resource: 'r', fromSeq: 3, state: {} } }, () => 'root'),
    ).to.deep.equal({
      snapshot: { resource: 'r', fromSeq: 3, state: { agents: [] } },
    });
  });

  it('is read by its method, and says nothing where there is nothing to say', () => {
    expect(parse.parseResult('ping', {})).to.equal(null);
    expect(parse.parseResult('resourceRead', { data: '', encoding: 'utf-8' })).to.deep.equal({
      data: '',
      encoding: 'utf-8',
    });
    expect(parse.parseResult('resourceRead', { data: 5 })).to.equal(undefined);
    expect(parse.parseResult('listSessions', {})).to.deep.equal({ items: [] });
    expect(
      parse.parseResult('completions', {
        items: [
          { insertText: 'a' },
          { insertText: 'b', attachment: { type: 'simple', label: 'l', _meta: { k: null } } },
        ],
      }),
    ).to.deep.equal({
      items: [{ insertText: 'b', attachment: { type: 'simple', label: 'l', _meta: { k: null } } }],
    });
    expect(parse.parseResult('resourceList', { entries: [{ name: 'a', type: 'file' }, {}] })).to.deep.equal({
      entries: [{ name: 'a', type: 'file' }],
    });
  });

  it('that is an error tells versions and resources', () => {
    expect(parse.parseSupportedVersions({ supportedVersions: ['1.0.0', 5] })).to.deep.equal(['1.0.0']);
    expect(parse.parseSupportedVersions(undefined)).to.deep.equal([]);
    expect(parse.parseAuthResources({ resources: [{ resource: 'r', required: 'x' }, {}] })).to.deep.equal([
      { resource: 'r' },
    ]);
    expect(parse.parseAuthResources('x')).to.deep.equal([]);
  });
});

describe('a notification', () => {
  it('is read by its method, and ignored where it is none of ours', () => {
    const auth = { channel: 'ahp-root://', resource: { resource: 'r' }, reason: 'expired' as const };

    expect(parse.parseNotification('auth/required', auth)).to.equal(auth);
    expect(parse.parseNotification('auth/required', { ...auth, resource: 'r' })).to.deep.include({ resource: 'r' });
    expect(parse.parseNotification('auth/required', { channel: '' })).to.equal(undefined);
    expect(
      parse.parseNotification('root/sessionSummaryChanged', {
        channel: 'r',
        session: 's',
        changes: { title: 'x', status: 'y' },
      }),
    ).to.deep.equal({
      channel: 'r',
      session: 's',
      changes: { title: 'x' },
    });
    expect(parse.parseNotification('action', {})).to.equal(undefined);
    expect(parse.parseNotification('otlp/spans' as 'action', { channel: 'c' })).to.equal(undefined);
  });
});
