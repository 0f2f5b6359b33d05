import { expect } from '@open-wc/testing';
import { RpcCode } from '../../src/protocol/errors.js';
import type { ScriptedHostOptions } from '../helpers/scripted-host.js';
import { CHAT, createTurns, ScriptedHost, SESSION, userMessage } from '../helpers/scripted-host.js';
import { turnStarted } from '../helpers/host-fixture.js';
import { settle } from '../helpers/manual-environment.js';
import { RawClient } from '../helpers/raw-client.js';

/**
 * What makes a host a fair partner, duty by duty, seen from a client over a link. The details have files of their own:
 * handshake, reconnect, intake, pending messages, subscriptions, window, catalogue, delivery, client tools.
 */

async function meet(options: ScriptedHostOptions = {}, window?: number) {
  const host = new ScriptedHost({ agent: () => new Promise(() => undefined), ...options });
  const client = await join(host, 'a', window);
  return { host, client };
}

async function join(host: ScriptedHost, clientId: string, window?: number): Promise<RawClient> {
  const client = new RawClient(clientId, await host.transport.connect(new AbortController().signal));
  await client.initialize({ initialSubscriptions: [SESSION] });
  await client.subscribe(CHAT, window === undefined ? {} : { view: { turns: window } });
  return client;
}

const queued = (id: string) =>
  ({ type: 'chat/pendingMessageSet', kind: 'queued', id, message: userMessage(id) }) as const;
const types = (client: RawClient) => client.of(CHAT).map(({ action }) => action.type);

describe('the duties of a host', () => {
  it('1: takes nothing but ping before initialize, chooses the version, and closes where none is common', async () => {
    const host = new ScriptedHost({ supportedVersions: ['>=0.9.0 <0.10.0'] });
    const client = new RawClient('a', await host.transport.connect(new AbortController().signal));

    const ping = await client.request('ping');
    const early = await client.request('subscribe', { channel: CHAT });
    const mismatch = await client.initialize({ protocolVersions: ['1.0.0', '0.8.0'] });
    await settle();

    expect(ping.error).to.equal(undefined);
    expect(early.error?.code).to.equal(RpcCode.InvalidRequest);
    expect(mismatch.error).to.deep.include({ code: -32005, data: { supportedVersions: ['>=0.9.0 <0.10.0'] } });
    expect(client.isClosed).to.equal(true);
  });

  it('2: counts with one number, and brings a client that was away up to date by replay or snapshots', async () => {
    const { host, client } = await meet();
    const outcomes: (string | number | undefined)[] = [];

    for (const lastSeenServerSeq of [host.host.serverSeq, 10_000]) {
      host.drop();
      host.say('while away');
      client.attach(await host.transport.connect(new AbortController().signal));
      const { result } = await client.reconnect({ lastSeenServerSeq });
      outcomes.push(result?.type);
      expect(client.chat(CHAT)).to.deep.equal(host.chat);
    }
    const stranger = new RawClient('never seen', await host.transport.connect(new AbortController().signal));
    outcomes.push((await stranger.reconnect({ lastSeenServerSeq: 0, subscriptions: [] })).error?.code);

    expect(outcomes).to.deep.equal(['replay', 'snapshot', RpcCode.NotFound]);
  });

  it('3: judges before it applies: a refusal is an echo with its reason, an unknown channel is silence', async () => {
    const { host, client } = await meet();

    const clientSeq = client.dispatch(CHAT, { type: 'chat/turnCancelled', turnId: 'none', duration: 0 });
    client.dispatch('ahp-chat:/unknown', turnStarted('t1'));
    await settle();

    expect(client.envelopes).to.have.length(1);
    expect(client.envelopes[0]?.origin).to.deep.equal({ clientId: 'a', clientSeq });
    expect(client.envelopes[0]?.rejectionReason).to.be.a('string');
    expect(client.chat(CHAT)).to.deep.equal(host.chat);
  });

  it('4: starts the head of the queue after a natural end, and what is queued while idle at once', async () => {
    const { host, client } = await meet();

    client.dispatch(CHAT, queued('first'));
    client.dispatch(CHAT, queued('second'));
    await settle();
    const idle = types(client).splice(0);
    client.envelopes.length = 0;
    host.dispatch({ type: 'chat/turnComplete', turnId: host.chat.activeTurn!.id, duration: 1 });
    await settle();

    expect(idle).to.deep.equal([
      'chat/pendingMessageSet',
      'chat/pendingMessageRemoved',
      'chat/turnStarted',
      'chat/pendingMessageSet',
    ]);
    expect(types(client)).to.deep.equal(['chat/turnComplete', 'chat/pendingMessageRemoved', 'chat/turnStarted']);
    expect(client.chat(CHAT).activeTurn?.message.text).to.equal('second');
  });

  it('5: keeps a steering message until a turn takes it in', async () => {
    const { host, client } = await meet({ agent: (turn) => void turn.takeSteering() });
    const steering = { type: 'chat/pendingMessageSet', kind: 'steering', id: 's', message: userMessage('s') };

    client.dispatch(CHAT, steering);
    await settle();
    const idle = client.chat(CHAT);
    client.dispatch(CHAT, turnStarted('t1'));
    await settle();

    expect(idle.steeringMessage?.id).to.equal('s');
    expect(idle.activeTurn).to.equal(undefined);
    expect(host.chat.steeringMessage).to.equal(undefined);
  });

  it('6: sends turns outside a window before anything refers to them, and for fetchTurns', async () => {
    const { client } = await meet({ turns: createTurns(6) }, 1);

    await client.request('fetchTurns', { channel: CHAT });
    client.dispatch(CHAT, { type: 'chat/truncated', turnId: 't2' });
    await settle();

    expect(types(client)).to.deep.equal(['chat/turnsLoaded', 'chat/turnsLoaded', 'chat/truncated']);
    expect(client.chat(CHAT).turns.map(({ id }) => id)).to.deep.equal(['t2']);
  });

  it('7: keeps the catalogue in step and promotes what a session must say of its chats', async () => {
    const { host, client } = await meet();

    client.dispatch(CHAT, turnStarted('t1', { startedAt: '2026-05-05T00:00:00.000Z' }));
    await settle();

    const [chat] = client.session(SESSION).chats;
    expect(chat).to.deep.include({ status: 8, modifiedAt: '2026-05-05T00:00:00.000Z' });
    expect(host.host.listSessions()[0]).to.deep.include({ status: 8, modifiedAt: '2026-05-05T00:00:00.000Z' });
  });

  it('8: mirrors what blocks a chat in its session', async () => {
    const { host, client } = await meet();
    client.dispatch(CHAT, turnStarted('t1'));
    await settle();

    host.dispatch({ type: 'chat/inputRequested', request: { id: 'r' } });
    await settle();
    const asked = client.session(SESSION).inputNeeded;
    client.dispatch(CHAT, { type: 'chat/inputCompleted', requestId: 'r', response: 'accept' });
    await settle();

    expect(asked?.map(({ kind, chat }) => [kind, chat])).to.deep.equal([['chatInput', CHAT]]);
    expect(client.session(SESSION).inputNeeded).to.equal(undefined);
  });

  it('9: merges neighbouring deltas of one part within the latency a client allows', async () => {
    const { host, client } = await meet();
    await client.subscribe(CHAT, { delivery: { maxLatencyMs: 50 } });
    client.dispatch(CHAT, turnStarted('t1'));
    await settle();
    host.dispatch({ type: 'chat/responsePart', turnId: 't1', part: { kind: 'markdown', id: 'p', content: '' } });

    for (const content of ['a', 'b', 'c']) host.dispatch({ type: 'chat/delta', turnId: 't1', partId: 'p', content });
    host.environment.advance(50);
    await settle();

    const deltas = client.of(CHAT).filter(({ action }) => action.type === 'chat/delta');
    expect(deltas.map(({ action }) => (action as { content: string }).content)).to.deep.equal(['abc']);
    expect(deltas[0]?.serverSeq).to.equal(host.host.serverSeq);
    expect(client.chat(CHAT)).to.deep.equal(host.chat);
  });

  it('10: fails the calls of a client that is gone for good, and then takes it out of the session', async () => {
    const { host, client } = await meet({ clientGraceMs: 1000 });
    const watcher = await join(host, 'b');
    client.dispatch(SESSION, { type: 'session/activeClientSet', activeClient: { clientId: 'a', tools: [] } });
    client.dispatch(CHAT, turnStarted('t1'));
    await settle();
    const call = { turnId: 't1', toolCallId: 'c' };
    const contributor = { kind: 'client', clientId: 'a' } as const;
    host.dispatch({ type: 'chat/toolCallStart', ...call, toolName: 't', displayName: 'T', contributor });
    host.dispatch({ type: 'chat/toolCallReady', ...call, invocationMessage: '', confirmed: 'not-needed' });

    client.cut();
    await settle();
    host.environment.advance(1000);
    await settle();

    expect(watcher.chat(CHAT).activeTurn?.responseParts[0]).to.have.nested.property('toolCall.success', false);
    expect(watcher.session(SESSION).activeClients).to.deep.equal([]);
  });

  it('11: gives the last turns and a cursor to those who ask for a window, and everything to the others', async () => {
    const { host, client } = await meet({ turns: createTurns(6) }, 2);

    const all = await join(host, 'b');

    expect(client.chat(CHAT).turns.map(({ id }) => id)).to.deep.equal(['t5', 't6']);
    expect(client.chat(CHAT).turnsNextCursor).to.be.a('string');
    expect(all.chat(CHAT)).to.deep.equal(host.chat);
  });

  it('12: can be made to fail in every way a test needs (see the scripted host)', async () => {
    const { host, client } = await meet();

    host.refuseNext('chat/turnStarted', 'as told');
    client.dispatch(CHAT, turnStarted('t1'));
    await settle();

    expect(client.envelopes.at(-1)?.rejectionReason).to.equal('as told');
  });
});
