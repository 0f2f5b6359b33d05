import { expect } from '@open-wc/testing';
import { RpcCode } from '../../src/protocol/errors.js';
import { ROOT } from '../../src/protocol/uri.js';
import { CHAT, createFixture, finishedTurns, SESSION, turnStarted } from '../helpers/host-fixture.js';

describe('subscriptions of a host', () => {
  it('gives a snapshot, and later envelopes have a greater number', async () => {
    const { client: create, host } = createFixture();
    const client = await create('a', []);

    const { result } = await client.subscribe(CHAT);
    host.dispatch(CHAT, turnStarted('t1'));
    await client.settle();

    expect(result?.snapshot.resource).to.equal(CHAT);
    expect(client.envelopes[0]?.serverSeq).to.be.greaterThan(result!.snapshot.fromSeq);
    expect(client.chat(CHAT)).to.deep.equal(host.getChat(CHAT));
  });

  it('counts with one strictly increasing number for all channels', async () => {
    const { client: create, host } = createFixture();
    const client = await create('a', [ROOT, SESSION, CHAT]);

    host.dispatch(CHAT, turnStarted('t1'));
    host.dispatch(SESSION, { type: 'session/titleChanged', title: 'New' });
    host.dispatch(CHAT, { type: 'chat/turnComplete', turnId: 't1', duration: 1 });
    await client.settle();

    const numbers = client.envelopes.map(({ serverSeq }) => serverSeq);
    expect(numbers.length).to.be.greaterThan(3);
    expect(numbers).to.deep.equal([...new Set(numbers)].sort((a, b) => a - b));
    expect(numbers.at(-1)).to.equal(host.serverSeq);
  });

  it('refuses an unknown channel as not found', async () => {
    const client = await createFixture().client();

    const { error } = await client.subscribe('ahp-chat:/unknown');

    expect(error?.code).to.equal(RpcCode.NotFound);
  });

  const malformed: [what: string, params: object][] = [
    ['a latency below 0', { delivery: { maxLatencyMs: -1 } }],
    ['a latency that is no number', { delivery: { maxLatencyMs: '50' } }],
    ['a delivery that is no object', { delivery: 50 }],
    ['a window below 0', { view: { turns: -1 } }],
    ['no channel', { channel: undefined }],
  ];
  for (const [what, params] of malformed) {
    it(`refuses ${what} as invalid params`, async () => {
      const client = await createFixture().client();

      const { error } = await client.request('subscribe', { channel: CHAT, ...params });

      expect(error?.code).to.equal(RpcCode.InvalidParams);
    });
  }

  it('sends nothing more after unsubscribe', async () => {
    const { client: create, host } = createFixture();
    const client = await create();

    client.unsubscribe(CHAT);
    await client.settle();
    host.dispatch(CHAT, turnStarted('t1'));
    await client.settle();

    expect(client.envelopes).to.deep.equal([]);
  });

  it('sends every envelope once to a client that subscribes twice', async () => {
    const { client: create, host } = createFixture();
    const client = await create();

    await client.subscribe(CHAT);
    host.dispatch(CHAT, turnStarted('t1'));
    await client.settle();

    expect(client.envelopes).to.have.length(1);
  });

  it('shows a session with the status of all its chats', async () => {
    const { client: create, host } = createFixture();
    host.dispatch(CHAT, turnStarted('t1'));

    const client = await create('a', [SESSION]);

    expect(client.session(SESSION).status).to.equal(8);
  });
});

describe('delivery within the latency a client allows', () => {
  it('merges deltas, and sends them before the answer to a request', async () => {
    const { client: create, host, environment } = createFixture();
    const client = await create('a', [CHAT], { maxLatencyMs: 50 });
    host.dispatch(CHAT, turnStarted('t1'));
    host.dispatch(CHAT, { type: 'chat/responsePart', turnId: 't1', part: { kind: 'markdown', id: 'p', content: '' } });
    for (const content of ['a', 'b', 'c']) {
      host.dispatch(CHAT, { type: 'chat/delta', turnId: 't1', partId: 'p', content });
    }
    await client.settle();
    const early = client.envelopes.length;

    await client.request('fetchTurns', { channel: CHAT });

    expect(early).to.equal(2);
    expect(client.envelopes.at(-1)?.action).to.deep.include({ content: 'abc' });
    expect(client.envelopes.at(-1)?.serverSeq).to.equal(host.serverSeq);
    expect(environment.clock.pendingTimers).to.equal(0);
  });

  it('bounds the latency by its own limit', async () => {
    const { client: create, host, environment } = createFixture({ latencyLimitMs: 100 });
    const client = await create('a', [CHAT], { maxLatencyMs: 60_000 });
    host.dispatch(CHAT, turnStarted('t1'));
    host.dispatch(CHAT, { type: 'chat/delta', turnId: 't1', partId: 'p', content: 'x' });

    environment.advance(100);
    await client.settle();

    expect(client.envelopes).to.have.length(2);
  });

  it('drops what waits for a client that is gone, and keeps it for its return', async () => {
    const { client: create, host, relink } = createFixture();
    const client = await create('a', [CHAT], { maxLatencyMs: 50 });
    host.dispatch(CHAT, turnStarted('t1'));
    host.dispatch(CHAT, { type: 'chat/responsePart', turnId: 't1', part: { kind: 'markdown', id: 'p', content: '' } });
    host.dispatch(CHAT, { type: 'chat/delta', turnId: 't1', partId: 'p', content: 'kept' });
    await client.settle();

    client.cut();
    await client.settle();
    relink(client);
    await client.reconnect();

    expect(client.chat(CHAT)).to.deep.equal(host.getChat(CHAT));
  });
});

describe('windows of a chat', () => {
  it('hold the newest turns and a cursor', async () => {
    const { client: create } = createFixture({ turns: finishedTurns(5) });

    const client = await create('a', [CHAT], { turns: 2 });

    const { turns, turnsNextCursor } = client.chat(CHAT);
    expect(turns.map(({ id }) => id)).to.deep.equal(['t4', 't5']);
    expect(turnsNextCursor).to.be.a('string');
  });

  it('hold everything, and no cursor, for a client that asks for none', async () => {
    const { client: create } = createFixture({ turns: finishedTurns(5) });

    const client = await create('a', [CHAT]);

    expect(client.chat(CHAT).turns).to.have.length(5);
    expect(client.chat(CHAT)).not.to.have.property('turnsNextCursor');
  });

  it('have no cursor when they are as large as the chat', async () => {
    const { client: create } = createFixture({ turns: finishedTurns(2) });

    const client = await create('a', [CHAT], { turns: 2 });

    expect(client.chat(CHAT).turnsNextCursor).to.equal(undefined);
  });

  it('may be empty', async () => {
    const { client: create } = createFixture({ turns: finishedTurns(2) });
    const client = await create('a', [CHAT], { turns: 0 });
    const before = client.chat(CHAT);

    await client.request('fetchTurns', { channel: CHAT, cursor: before.turnsNextCursor });

    expect(before.turns).to.deep.equal([]);
    expect(client.chat(CHAT).turns.map(({ id }) => id)).to.deep.equal(['t1', 't2']);
  });

  it('are the state of one client only: others and the host do not change', async () => {
    const { client: create, host } = createFixture({ turns: finishedTurns(5) });
    const narrow = await create('a', [CHAT], { turns: 2 });
    const wide = await create('b', [CHAT]);
    const before = host.getChat(CHAT);

    await narrow.request('fetchTurns', { channel: CHAT });

    expect(wide.envelopes).to.deep.equal([]);
    expect(host.getChat(CHAT)).to.equal(before);
  });
});

describe('fetchTurns', () => {
  it('sends the older turns first and then the answer', async () => {
    const { client: create } = createFixture({ turns: finishedTurns(5) });
    const client = await create('a', [CHAT], { turns: 2 });

    const { result } = await client.request('fetchTurns', {
      channel: CHAT,
      cursor: client.chat(CHAT).turnsNextCursor,
    });

    const [first, second] = client.frames.slice(-2);
    expect(first).to.have.property('method', 'action');
    expect(second).to.have.property('result');
    expect(result).to.deep.equal({});
    expect(client.chat(CHAT).turns.map(({ id }) => id)).to.deep.equal(['t2', 't3', 't4', 't5']);
  });

  it('gives the next page without a cursor, until there is none', async () => {
    const { client: create, host } = createFixture({ turns: finishedTurns(5) });
    const client = await create('a', [CHAT], { turns: 2 });

    for (let page = 0; page < 4; page++) await client.request('fetchTurns', { channel: CHAT });

    expect(client.chat(CHAT)).to.deep.equal(host.getChat(CHAT));
    expect(client.envelopes).to.have.length(2);
  });

  it('takes a cursor twice without harm', async () => {
    const { client: create } = createFixture({ turns: finishedTurns(5) });
    const client = await create('a', [CHAT], { turns: 2 });
    const cursor = client.chat(CHAT).turnsNextCursor;

    await client.request('fetchTurns', { channel: CHAT, cursor });
    const { result } = await client.request('fetchTurns', { channel: CHAT, cursor });

    expect(result).to.deep.equal({});
    expect(client.chat(CHAT).turns).to.have.length(4);
  });

  const refused: [what: string, params: object, code: number][] = [
    ['a cursor that never was', { cursor: 'nonsense' }, RpcCode.InvalidParams],
    ['a cursor of a turn that is gone', { cursor: 'after:gone' }, RpcCode.InvalidParams],
    ['a cursor that is no string', { cursor: 7 }, RpcCode.InvalidParams],
    ['an unknown chat', { channel: 'ahp-chat:/unknown' }, RpcCode.NotFound],
    ['a session', { channel: SESSION }, RpcCode.NotFound],
  ];
  for (const [what, params, code] of refused) {
    it(`refuses ${what}`, async () => {
      const { client: create } = createFixture({ turns: finishedTurns(5) });
      const client = await create('a', [CHAT], { turns: 2 });

      const { error } = await client.request('fetchTurns', { channel: CHAT, ...params });

      expect(error?.code).to.equal(code);
    });
  }

  it('refuses a client that is not subscribed to the chat', async () => {
    const client = await createFixture().client('a', []);

    const { error } = await client.request('fetchTurns', { channel: CHAT });

    expect(error?.code).to.equal(RpcCode.InvalidParams);
  });
});

describe('an operation on turns outside a window', () => {
  it('sends those turns before a truncation', async () => {
    const { client: create, host } = createFixture({ turns: finishedTurns(5) });
    const client = await create('a', [CHAT], { turns: 1 });

    client.dispatch(CHAT, { type: 'chat/truncated', turnId: 't2' });
    await client.settle();

    expect(client.of(CHAT).map(({ action }) => action.type)).to.deep.equal(['chat/turnsLoaded', 'chat/truncated']);
    expect(client.chat(CHAT).turns.map(({ id }) => id)).to.deep.equal(['t2']);
    expect(host.getChat(CHAT)?.turns.map(({ id }) => id)).to.deep.equal(['t1', 't2']);
  });

  it('sends them to every narrow window, whoever truncates', async () => {
    const { client: create } = createFixture({ turns: finishedTurns(5) });
    const wide = await create('a', [CHAT]);
    const narrow = await create('b', [CHAT], { turns: 1 });

    wide.dispatch(CHAT, { type: 'chat/truncated', turnId: 't2' });
    await wide.settle();

    expect(wide.of(CHAT)).to.have.length(1);
    expect(narrow.chat(CHAT).turns.map(({ id }) => id)).to.deep.equal(['t2']);
  });

  it('sends them before a fork', async () => {
    const { client: create } = createFixture({ turns: finishedTurns(5) });
    const client = await create('a', [CHAT], { turns: 1 });

    await client.request('createChat', {
      channel: SESSION,
      chat: 'ahp-chat:/fork',
      source: { kind: 'fork', chat: CHAT, turnId: 't3' },
    });

    expect(client.chat(CHAT).turns.map(({ id }) => id)).to.deep.equal(['t3', 't4', 't5']);
  });

  it('sends nothing again after everything was cut off and new turns came', async () => {
    const { client: create, host } = createFixture({ turns: finishedTurns(5) });
    const client = await create('a', [CHAT], { turns: 1 });
    host.dispatch(CHAT, { type: 'chat/truncated' });
    for (const id of ['n1', 'n2', 'n3']) {
      host.dispatch(CHAT, turnStarted(id));
      host.dispatch(CHAT, { type: 'chat/turnComplete', turnId: id, duration: 1 });
    }

    host.dispatch(CHAT, { type: 'chat/truncated', turnId: 'n2' });
    await client.settle();

    expect(client.of(CHAT).some(({ action }) => action.type === 'chat/turnsLoaded')).to.equal(false);
    expect(client.chat(CHAT)).to.deep.equal(host.getChat(CHAT));
  });

  it('keeps a turn that is known and out of sight from starting again', async () => {
    const { client: create, host } = createFixture({ turns: finishedTurns(5) });
    const client = await create('a', [CHAT], { turns: 1 });

    client.dispatch(CHAT, turnStarted('t2'));
    await client.settle();

    expect(client.chat(CHAT).activeTurn).to.equal(undefined);
    expect(host.getChat(CHAT)?.activeTurn).to.equal(undefined);
  });
});
