import { expect } from '@open-wc/testing';
import type { ToolCallState } from '../../src/protocol/state.js';
import { CHAT, createFixture, SESSION, turnStarted } from '../helpers/host-fixture.js';
import type { FixtureOptions } from '../helpers/host-fixture.js';

/** A client `a` with tools, and calls of its own: one that runs, one that waits, one that is over, and one of the host. */
async function withTools(options: FixtureOptions = {}) {
  const fixture = createFixture({ clientGraceMs: 1000, ...options });
  const client = await fixture.client('a', [SESSION, CHAT]);
  client.dispatch(SESSION, {
    type: 'session/activeClientSet',
    activeClient: { clientId: 'a', tools: [{ name: 'tool' }] },
  });
  await client.settle();
  const { host } = fixture;
  host.dispatch(CHAT, turnStarted('t1'));
  const start = (toolCallId: string, isOwn: boolean, ready: object) => {
    const contributor = isOwn ? { contributor: { kind: 'client' as const, clientId: 'a' } } : {};
    const base = { turnId: 't1', toolCallId };
    host.dispatch(CHAT, { type: 'chat/toolCallStart', ...base, toolName: 'tool', displayName: 'Tool', ...contributor });
    host.dispatch(CHAT, { type: 'chat/toolCallReady', ...base, invocationMessage: 'runs', ...ready });
  };
  start('running', true, { confirmed: 'not-needed' });
  start('pending', true, {});
  start('over', true, { confirmed: 'not-needed' });
  host.dispatch(CHAT, {
    type: 'chat/toolCallComplete',
    turnId: 't1',
    toolCallId: 'over',
    result: { success: true, pastTenseMessage: 'ran' },
  });
  start('of the host', false, { confirmed: 'not-needed' });
  const calls = () =>
    Object.fromEntries(
      (host.getChat(CHAT)?.activeTurn?.responseParts ?? []).map((part) => {
        const call = (part as { toolCall: ToolCallState }).toolCall;
        return [call.toolCallId, call.status === 'completed' ? `success ${call.success}` : call.status];
      }),
    );
  return { ...fixture, create: fixture.client, client, calls };
}

const untouched = {
  running: 'running',
  pending: 'pending-confirmation',
  over: 'success true',
  'of the host': 'running',
};
const failed = { ...untouched, running: 'success false', pending: 'success false' };

describe('the tools of a client that is gone', () => {
  it('stay while it may come back', async () => {
    const { client, host, environment, calls } = await withTools();

    client.cut();
    await client.settle();
    environment.advance(999);

    expect(calls()).to.deep.equal(untouched);
    expect(host.getSession(SESSION)?.activeClients).to.have.length(1);
  });

  it('fail after the time of grace, and then their owner is removed', async () => {
    const { client, host, environment, create, calls } = await withTools();
    const watcher = await create('b', [SESSION, CHAT]);

    client.cut();
    await client.settle();
    environment.advance(1000);
    await watcher.settle();

    const order = watcher.envelopes
      .map(({ action }) => action.type)
      .filter((type) => type === 'chat/toolCallComplete' || type === 'session/activeClientRemoved');
    expect(calls()).to.deep.equal(failed);
    expect(order).to.deep.equal(['chat/toolCallComplete', 'chat/toolCallComplete', 'session/activeClientRemoved']);
    expect(host.getSession(SESSION)?.activeClients).to.deep.equal([]);
  });

  it('stay when it reconnects in time', async () => {
    const { client, host, environment, relink, calls } = await withTools();
    client.cut();
    await client.settle();
    environment.advance(500);

    relink(client);
    await client.reconnect();
    environment.advance(5000);

    expect(calls()).to.deep.equal(untouched);
    expect(host.getSession(SESSION)?.activeClients).to.have.length(1);
  });

  it('stay when it initializes anew and looks at the session', async () => {
    const { client, environment, relink, calls } = await withTools();
    client.cut();
    await client.settle();

    relink(client);
    await client.initialize({ initialSubscriptions: [SESSION] });
    environment.advance(5000);

    expect(calls()).to.deep.equal(untouched);
  });

  it('fail at once when it reconnects without the session', async () => {
    const { client, host, relink, calls } = await withTools();
    client.cut();
    await client.settle();

    relink(client);
    await client.reconnect({ subscriptions: [CHAT] });

    expect(calls()).to.deep.equal(failed);
    expect(host.getSession(SESSION)?.activeClients).to.deep.equal([]);
  });

  it('fail at once when it leaves the session', async () => {
    const { client, host, calls } = await withTools();

    client.unsubscribe(SESSION);
    await client.settle();

    expect(calls()).to.deep.equal(failed);
    expect(host.getSession(SESSION)?.activeClients).to.deep.equal([]);
  });

  it('fail at once when it takes itself out', async () => {
    const { client, calls } = await withTools();

    client.dispatch(SESSION, { type: 'session/activeClientRemoved', clientId: 'a' });
    await client.settle();

    expect(calls()).to.deep.equal(failed);
  });

  it('leave no timer behind when the host closes', async () => {
    const { client, host, environment } = await withTools();
    client.cut();
    await client.settle();

    host.close();

    expect(environment.clock.pendingTimers).to.equal(0);
  });

  it('are nothing to a client that has none', async () => {
    const { client: create, environment } = createFixture();
    const client = await create('plain', [SESSION]);

    client.cut();
    await client.settle();

    expect(environment.clock.pendingTimers).to.equal(0);
  });
});
