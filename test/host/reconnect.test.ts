import { expect } from '@open-wc/testing';
import { RpcCode } from '../../src/protocol/errors.js';
import { ROOT } from '../../src/protocol/uri.js';
import { CHAT, createFixture, finishedTurns, SESSION, turnStarted } from '../helpers/host-fixture.js';
import type { FixtureOptions } from '../helpers/host-fixture.js';

/** A client that was there, has gone, and has another link. */
async function away(options: FixtureOptions = {}, window?: number, channels = [ROOT, SESSION, CHAT]) {
  const fixture = createFixture(options);
  const client = await fixture.client('a', channels, window === undefined ? {} : { turns: window });
  client.cut();
  await client.settle();
  return { ...fixture, client };
}

/** What happens while it is away. */
function work(host: Awaited<ReturnType<typeof away>>['host'], turnId = 'w1'): void {
  host.dispatch(CHAT, turnStarted(turnId));
  host.dispatch(CHAT, {
    type: 'chat/responsePart',
    turnId,
    part: { kind: 'markdown', id: `${turnId}-p`, content: '' },
  });
  for (const content of ['a', 'b', 'c'])
    host.dispatch(CHAT, { type: 'chat/delta', turnId, partId: `${turnId}-p`, content });
  host.dispatch(CHAT, { type: 'chat/turnComplete', turnId, duration: 1 });
}

describe('reconnect', () => {
  it('replays what was missed, in order and unmerged', async () => {
    const { client, host, relink } = await away();
    work(host);
    relink(client);

    const { result } = await client.reconnect({ lastSeenServerSeq: 5 });

    const numbers = result?.actions?.map(({ serverSeq }) => serverSeq) ?? [];
    expect(result?.type).to.equal('replay');
    expect(numbers).to.deep.equal([...numbers].sort((a, b) => a - b));
    expect(result?.actions?.filter(({ action }) => action.type === 'chat/delta')).to.have.length(3);
    expect(client.chat(CHAT)).to.deep.equal(host.getChat(CHAT));
    expect(client.session(SESSION).chats).to.deep.equal(host.getSession(SESSION)?.chats);
  });

  it('replays nothing to a client that missed nothing', async () => {
    const { client, host, relink } = await away();
    relink(client);

    const { result } = await client.reconnect({ lastSeenServerSeq: host.serverSeq });

    expect(result).to.deep.equal({ type: 'replay', actions: [], missing: [] });
  });

  it('goes on live right after the answer', async () => {
    const { client, host, relink } = await away();
    relink(client);
    await client.reconnect({ lastSeenServerSeq: host.serverSeq });

    work(host);
    await client.settle();

    expect(client.chat(CHAT)).to.deep.equal(host.getChat(CHAT));
  });

  it('is harmless with a number that is too low', async () => {
    const { client: create, host, relink } = createFixture();
    const client = await create('a', [CHAT]);
    work(host);
    await client.settle();
    client.cut();
    relink(client);

    const { result } = await client.reconnect({ lastSeenServerSeq: 4 });

    expect(result?.actions?.length).to.be.greaterThan(5);
    expect(client.chat(CHAT)).to.deep.equal(host.getChat(CHAT));
  });

  it('replays from exactly the oldest envelope kept, and not from before', async () => {
    const ringSize = 10;
    const outcomes = [];
    for (const more of [0, 1]) {
      const { client, host, relink } = await away({ ringSize }, undefined, [SESSION]);
      for (let title = 0; title < 30; title++) {
        host.dispatch(SESSION, { type: 'session/titleChanged', title: `${title}` });
      }
      relink(client);
      const oldestKept = host.serverSeq - ringSize + 1;
      const { result } = await client.reconnect({ lastSeenServerSeq: oldestKept - 1 - more });
      outcomes.push([result?.type, result?.actions?.length]);
    }

    expect(outcomes).to.deep.equal([
      ['replay', 10],
      ['snapshot', undefined],
    ]);
  });

  it('keeps at least a thousand envelopes', async () => {
    const { client, host, relink } = await away({}, undefined, [CHAT]);
    const lastSeenServerSeq = host.serverSeq;
    for (let count = 0; count < 1000; count++)
      host.dispatch(CHAT, { type: 'chat/activityChanged', activity: `${count}` });
    relink(client);

    const { result } = await client.reconnect({ lastSeenServerSeq });

    expect(result?.actions).to.have.length(1000);
  });

  it('gives snapshots to a number above its own, as after a restart that counted anew', async () => {
    const { client, host, relink } = await away();
    work(host);
    relink(client);

    const { result } = await client.reconnect({ lastSeenServerSeq: host.serverSeq + 1 });

    expect(result?.type).to.equal('snapshot');
    expect(result?.snapshots?.map(({ resource }) => resource)).to.deep.equal([ROOT, SESSION, CHAT]);
    expect(result).not.to.have.property('missing');
    expect(client.chat(CHAT)).to.deep.equal(host.getChat(CHAT));
  });

  it('names channels that are gone', async () => {
    const { client, host, relink } = await away();
    host.disposeChat(CHAT);
    relink(client);

    const { result } = await client.reconnect({ lastSeenServerSeq: host.serverSeq, subscriptions: [SESSION, CHAT] });

    expect(result?.missing).to.deep.equal([CHAT]);
  });

  it('leaves channels that are gone out of snapshots', async () => {
    const { client, host, relink } = await away();
    host.disposeChat(CHAT);
    relink(client);

    const { result } = await client.reconnect({ lastSeenServerSeq: 9999, subscriptions: [SESSION, CHAT] });

    expect(result?.snapshots?.map(({ resource }) => resource)).to.deep.equal([SESSION]);
  });

  it('drops subscriptions that are no longer asked for', async () => {
    const { client, host, relink } = await away();
    relink(client);

    await client.reconnect({ lastSeenServerSeq: host.serverSeq, subscriptions: [SESSION] });
    host.dispatch(CHAT, { type: 'chat/activityChanged', activity: 'x' });
    await client.settle();

    expect(client.of(CHAT)).to.deep.equal([]);
  });

  it('gives snapshots for a chat the client never had here', async () => {
    const { client, host, relink } = await away({}, undefined, [SESSION]);
    relink(client);

    const { result } = await client.reconnect({ lastSeenServerSeq: host.serverSeq, subscriptions: [SESSION, CHAT] });

    expect(result?.type).to.equal('snapshot');
  });

  it('gives snapshots of a session that is another one by now', async () => {
    const { client, host, relink } = await away({}, undefined, [SESSION]);
    host.disposeSession(SESSION);
    host.createSession({ resource: SESSION, provider: 'test', title: 'Another' });
    relink(client);

    const { result } = await client.reconnect({ lastSeenServerSeq: host.serverSeq });

    expect(result?.type).to.equal('snapshot');
    expect(client.session(SESSION).title).to.equal('Another');
  });

  it('refuses a client it does not know as not found, and takes its initialize on the same link', async () => {
    const client = createFixture().stranger('new');

    const { error } = await client.reconnect({ lastSeenServerSeq: 0, subscriptions: [CHAT] });
    const { result } = await client.initialize({ initialSubscriptions: [CHAT] });

    expect(error?.code).to.equal(RpcCode.NotFound);
    expect(result?.snapshots).to.have.length(1);
  });

  it('forgets those who are away the longest', async () => {
    const { stranger, host } = createFixture({ maxAwayClients: 1 });
    const outcomes: (string | number | undefined)[] = [];
    for (const name of ['first', 'second']) {
      const client = stranger(name);
      await client.initialize();
      client.cut();
      await client.settle();
    }

    for (const name of ['first', 'second']) {
      const { result, error } = await stranger(name).reconnect({
        lastSeenServerSeq: host.serverSeq,
        subscriptions: [],
      });
      outcomes.push(result?.type ?? error?.code);
    }

    expect(outcomes).to.deep.equal([RpcCode.NotFound, 'replay']);
  });

  it('closes the old link, which may not have noticed that it is dead', async () => {
    const { client: create, stranger, host } = createFixture();
    const old = await create('a');

    await stranger('a').reconnect({ lastSeenServerSeq: host.serverSeq, subscriptions: [CHAT] });
    await old.settle();

    expect(old.isClosed).to.equal(true);
  });

  it('keeps the version and the capabilities of the handshake', async () => {
    const fixture = createFixture({ turns: finishedTurns(1) });
    const client = await fixture.client('a', [CHAT], { protocolVersions: ['0.8.0'], capabilities: {} });
    client.cut();
    await client.settle();
    fixture.relink(client);

    await client.reconnect();
    client.dispatch(CHAT, { type: 'chat/isReadChanged', isRead: true });
    await client.settle();

    expect(client.envelopes.at(-1)?.rejectionReason).to.match(/^not-dispatchable/);
  });

  it('replays a refusal to its sender and to nobody else', async () => {
    const { client: create, host, relink } = createFixture();
    const [sender, other] = [await create('a'), await create('b')];
    const lastSeenServerSeq = host.serverSeq;
    const clientSeq = sender.dispatch(CHAT, { type: 'chat/turnCancelled', turnId: 'none', duration: 0 });
    await sender.settle();
    for (const client of [sender, other]) {
      client.cut();
      await client.settle();
      relink(client);
    }

    const mine = await sender.reconnect({ lastSeenServerSeq });
    const theirs = await other.reconnect({ lastSeenServerSeq });

    expect(mine.result?.actions?.map(({ origin }) => origin?.clientSeq)).to.deep.equal([clientSeq]);
    expect(theirs.result?.actions).to.deep.equal([]);
  });

  it('never replays notifications', async () => {
    const { client, host, relink } = await away();
    host.createSession({ provider: 'test' });
    relink(client);

    await client.reconnect({ lastSeenServerSeq: 5 });
    await client.settle();

    expect(client.notifications).to.deep.equal([]);
  });

  const malformed: [what: string, params: object][] = [
    ['no number', { lastSeenServerSeq: undefined }],
    ['a number that is none', { lastSeenServerSeq: 'x' }],
    ['a number below 0', { lastSeenServerSeq: -1 }],
    ['no subscriptions', { subscriptions: undefined }],
    ['subscriptions that are no strings', { subscriptions: [{}] }],
    ['no clientId', { clientId: undefined }],
  ];
  for (const [what, params] of malformed) {
    it(`refuses ${what} as invalid params`, async () => {
      const { client, relink } = await away();
      relink(client);

      const { error } = await client.reconnect(params);

      expect(error?.code).to.equal(RpcCode.InvalidParams);
    });
  }
});

describe('reconnect with a window', () => {
  it('replays onto the window', async () => {
    const { client, host, relink } = await away({ turns: finishedTurns(5) }, 2, [CHAT]);
    const lastSeenServerSeq = host.serverSeq;
    work(host);
    relink(client);

    await client.reconnect({ lastSeenServerSeq });

    expect(client.chat(CHAT).turns.map(({ id }) => id)).to.deep.equal(['t4', 't5', 'w1']);
  });

  it('gives snapshots of the window', async () => {
    const { client, relink } = await away({ turns: finishedTurns(5) }, 2, [CHAT]);
    relink(client);

    await client.reconnect({ lastSeenServerSeq: 9999 });

    expect(client.chat(CHAT).turns.map(({ id }) => id)).to.deep.equal(['t4', 't5']);
  });

  it('replays the older turns that a truncation in between refers to', async () => {
    const { client, host, relink } = await away({ turns: finishedTurns(5) }, 1, [CHAT]);
    const lastSeenServerSeq = host.serverSeq;
    host.dispatch(CHAT, { type: 'chat/truncated', turnId: 't2' });
    relink(client);

    const { result } = await client.reconnect({ lastSeenServerSeq });

    expect(result?.actions?.map(({ action }) => action.type)).to.deep.equal(['chat/turnsLoaded', 'chat/truncated']);
    expect(client.chat(CHAT).turns.map(({ id }) => id)).to.deep.equal(['t2']);
  });

  it('replays a page whose frame was lost', async () => {
    const fixture = createFixture({ turns: finishedTurns(5) });
    const client = await fixture.client('a', [CHAT], { turns: 1 });
    const lastSeenServerSeq = fixture.host.serverSeq;
    client.send({ id: 'lost', method: 'fetchTurns', params: { channel: CHAT } });
    await Promise.resolve();
    client.cut();
    await client.settle();
    fixture.relink(client);

    await client.reconnect({ lastSeenServerSeq });

    const ids = client.chat(CHAT).turns.map(({ id }) => id);
    expect(ids).to.deep.equal(
      fixture.host
        .getChat(CHAT)
        ?.turns.slice(-ids.length)
        .map(({ id }) => id),
    );
  });

  it('expects no more turns of a client than its window, since it may come from its mirror', async () => {
    const fixture = createFixture({ turns: finishedTurns(10) });
    const client = await fixture.client('a', [CHAT], { turns: 2 });
    await client.request('fetchTurns', { channel: CHAT });
    await client.request('fetchTurns', { channel: CHAT });
    const lastSeenServerSeq = fixture.host.serverSeq;
    client.cut();
    await client.settle();
    fixture.relink(client);
    await client.reconnect({ lastSeenServerSeq });
    client.envelopes.length = 0;

    fixture.host.dispatch(CHAT, { type: 'chat/truncated', turnId: 't7' });
    await client.settle();

    expect(client.of(CHAT).map(({ action }) => action.type)).to.deep.equal(['chat/turnsLoaded', 'chat/truncated']);
    expect(client.chat(CHAT).turns.map(({ id }) => id)).to.deep.equal(['t5', 't6', 't7']);
  });
});
