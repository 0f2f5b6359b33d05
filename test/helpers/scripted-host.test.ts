import { expect } from '@open-wc/testing';
import { RpcCode } from '../../src/protocol/errors.js';
import { turnStarted } from './host-fixture.js';
import { settle } from './manual-environment.js';
import { RawClient } from './raw-client.js';
import { CHAT, createTurns, ScriptedHost, SESSION, userMessage } from './scripted-host.js';

const connect = async (host: ScriptedHost, clientId = 'a') => {
  const client = new RawClient(clientId, await host.transport.connect(new AbortController().signal));
  await client.initialize({ initialSubscriptions: [SESSION, CHAT] });
  return client;
};

const relink = async (host: ScriptedHost, client: RawClient) => {
  client.attach(await host.transport.connect(new AbortController().signal));
};

describe('the scripted host', () => {
  it('says what the test says', async () => {
    const host = new ScriptedHost();
    const client = await connect(host);

    host.say('one\ntwo');
    await settle();

    expect(client.chat(CHAT).turns[0]?.responseParts[0]).to.have.property('content', 'one\ntwo');
    expect(client.chat(CHAT)).to.deep.equal(host.chat);
  });

  it('shows the running turn to the test', async () => {
    const host = new ScriptedHost();
    const client = await connect(host);

    client.dispatch(CHAT, turnStarted('t1'));
    await settle();
    const running = host.turn?.turnId;
    host.turn?.complete();
    await settle();

    expect(running).to.equal('t1');
    expect(host.turn).to.equal(undefined);
    expect(host.dispatched('chat/turnStarted')).to.have.length(1);
  });

  it('cuts a link after so many frames', async () => {
    const host = new ScriptedHost();
    const client = await connect(host);
    const before = client.frames.length;

    host.dropAfter(2);
    for (const text of ['1', '2', '3']) host.dispatch({ type: 'chat/draftChanged', draft: userMessage(text) });
    await settle();

    expect(client.frames.length - before).to.equal(2);
    expect(client.isClosed).to.equal(true);
    expect(host.links).to.equal(0);
  });

  it('refuses, ignores or alters the next action of a type, and only that one', async () => {
    const host = new ScriptedHost();
    const client = await connect(host);
    const draft = { type: 'chat/draftChanged', draft: userMessage('mine') } as const;

    host.refuseNext('chat/draftChanged', 'no');
    host.ignoreNext('chat/draftChanged');
    host.alterNext({ type: 'chat/draftChanged', draft: userMessage('altered') });
    const numbers = [0, 1, 2, 3].map(() => client.dispatch(CHAT, draft));
    await settle();

    expect(client.of(CHAT).map(({ origin, rejectionReason }) => [origin?.clientSeq, rejectionReason])).to.deep.equal([
      [numbers[0], 'no'],
      [numbers[2], undefined],
      [numbers[3], undefined],
    ]);
    expect(client.of(CHAT)[1]?.action).to.have.nested.property('draft.text', 'altered');
  });

  it('runs once more what comes once more, if it is to forget what it has taken', async () => {
    const host = new ScriptedHost();
    const client = await connect(host);
    const waiting = (id: string) => userMessage(id, { _meta: { 'ahp-chat/pending': { id } } });
    const queue = (id: string) =>
      client.dispatch(CHAT, { type: 'chat/pendingMessageSet', kind: 'queued', id, message: waiting(id) });
    client.dispatch(CHAT, turnStarted('t1'));
    queue('q1');
    await settle();
    host.turn?.complete();
    await settle();
    const read = () => [...host.chat.turns, host.chat.activeTurn].map((turn) => turn?.message.text);
    const before = read();

    host.runsRepeats = true;
    client.dispatch(CHAT, turnStarted('t1'));
    queue('q1');
    await settle();
    const waits = host.chat.queuedMessages?.map(({ message }) => message.text);
    host.turn?.complete();
    await settle();

    expect(before).to.deep.equal(['message of t1', 'q1']);
    expect(waits).to.deep.equal(['message of t1', 'q1']);
    expect(read()).to.deep.equal(['message of t1', 'q1', 'message of t1']);
  });

  it('holds frames back and lets them go in order', async () => {
    const host = new ScriptedHost();
    const client = await connect(host);

    host.hold();
    host.say('text');
    await settle();
    const held = client.envelopes.length;
    host.release();
    await settle();

    expect(held).to.equal(0);
    expect(client.chat(CHAT)).to.deep.equal(host.chat);
  });

  it('loses every frame while it is half open', async () => {
    const host = new ScriptedHost();
    const client = await connect(host);

    host.isHalfOpen = true;
    host.say('text');
    client.dispatch(CHAT, turnStarted('t9'));
    await settle();

    expect(client.envelopes).to.deep.equal([]);
    expect(client.isClosed).to.equal(false);
    expect(host.chat.turns.map(({ id }) => id)).not.to.include('t9');
  });

  it('sends envelopes twice', async () => {
    const host = new ScriptedHost();
    const client = await connect(host);

    host.duplicatesEnvelopes = true;
    host.say('text');
    await settle();

    const numbers = client.envelopes.map(({ serverSeq }) => serverSeq);
    expect(numbers.length).to.equal(new Set(numbers).size * 2);
    expect(client.chat(CHAT)).to.deep.equal(host.chat);
  });

  it('answers reconnect as it is told', async () => {
    const host = new ScriptedHost();
    const client = await connect(host);
    const outcomes: unknown[] = [];
    for (const mode of ['host', 'snapshot', { code: RpcCode.MethodNotFound }] as const) {
      host.drop();
      await settle();
      await relink(host, client);
      host.onReconnect = mode;
      const { result, error } = await client.reconnect({ lastSeenServerSeq: host.host.serverSeq });
      outcomes.push(result?.type ?? error?.code);
    }

    host.onReconnect = 'silence';
    await relink(host, client);
    let isAnswered = false;
    void client.reconnect().then(() => (isAnswered = true));
    await settle();

    expect(outcomes).to.deep.equal(['replay', 'snapshot', RpcCode.MethodNotFound]);
    expect(isAnswered).to.equal(false);
  });

  it('forgets its clients', async () => {
    const host = new ScriptedHost();
    const client = await connect(host);
    host.drop();
    host.forgetClients();
    await relink(host, client);

    const { error } = await client.reconnect();
    const { result } = await client.initialize();

    expect(error?.code).to.equal(RpcCode.NotFound);
    expect(result?.protocolVersion).to.equal('1.0.0');
  });

  it('sends frames and actions nobody knows', async () => {
    const host = new ScriptedHost();
    const client = await connect(host);
    const before = client.chat(CHAT);

    host.dispatch({ type: 'x-test/sparkle' });
    host.inject({ method: 'x-test/hello', params: {} });
    await settle();

    expect(client.envelopes[0]?.action).to.deep.equal({ type: 'x-test/sparkle' });
    expect(client.chat(CHAT)).to.equal(before);
    expect(client.notifications).to.deep.equal([{ method: 'x-test/hello', params: {} }]);
  });

  it('starts with many turns and with status bits of later versions', async () => {
    const host = new ScriptedHost({ turns: createTurns(2000), statusBits: 2 ** 31 });
    const client = await connect(host);

    expect(client.chat(CHAT).turns).to.have.length(2000);
    expect(client.chat(CHAT).status).to.equal(2 ** 31 + 1);
  });

  it('is not reachable when the test says so', async () => {
    const host = new ScriptedHost();
    host.isReachable = false;

    const outcome = await host.transport.connect(new AbortController().signal).catch((error: unknown) => error);

    expect(outcome).to.have.property('code', 'disconnected');
  });

  it('withholds the snapshots of a handshake', async () => {
    const host = new ScriptedHost();
    host.withholdsSnapshots = true;
    const client = new RawClient('a', await host.transport.connect(new AbortController().signal));

    const { result } = await client.initialize({ initialSubscriptions: [CHAT] });
    host.say('text');
    await settle();

    expect(result?.snapshots).to.deep.equal([]);
    expect(client.of(CHAT)).not.to.deep.equal([]);
  });

  it('knows nothing of paging when the test says so', async () => {
    const host = new ScriptedHost({ turns: createTurns(5) });
    const client = await connect(host);
    await client.subscribe(CHAT, { view: { turns: 2 } });
    host.ignoresFetchTurns = true;

    const { result } = await client.request('fetchTurns', { channel: CHAT });

    expect(result).to.deep.equal({});
    expect(client.envelopes).to.deep.equal([]);
  });
});

describe('a scripted host that is restarted', () => {
  it('keeps its chats and counts on', async () => {
    const host = new ScriptedHost();
    const client = await connect(host);
    host.say('before');
    const { serverSeq } = host.host;

    host.restart();
    await settle();

    expect(client.isClosed).to.equal(true);
    expect(host.chat.turns).to.have.length(1);
    expect(host.host.serverSeq).to.be.greaterThan(serverSeq);
  });

  it('counts anew', () => {
    const host = new ScriptedHost();
    for (const text of ['1', '2', '3']) host.dispatch({ type: 'chat/draftChanged', draft: userMessage(text) });
    const { serverSeq } = host.host;

    host.restart({ serverSeq: 'anew' });

    expect(host.host.serverSeq).to.be.lessThan(serverSeq);
    expect(host.chat.draft?.text).to.equal('3');
  });

  it('has lost everything', () => {
    const host = new ScriptedHost();

    host.restart({ state: 'lost' });

    expect(host.host.getChat(CHAT)).to.equal(undefined);
  });
});
