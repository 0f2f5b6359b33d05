import { expect } from '@open-wc/testing';
import { RpcCode } from '../../src/protocol/errors.js';
import { offeredVersions } from '../../src/protocol/versions.js';
import {
  Holder,
  chat,
  chatOptions,
  chatSnapshot,
  connect,
  delta,
  reconnect,
  root,
  rootSnapshot,
  setup,
} from '../helpers/client-world.js';
import { settle } from '../helpers/manual-environment.js';
import { refusal } from '../helpers/wire-peer.js';

describe('the handshake', () => {
  it('sends initialize first, with all versions, the client id and the channels that need no view', async () => {
    const { peer, client, holder, rootHolder } = await connect({
      clientInfo: { name: 'ahp-chat' },
      locale: () => 'pt-BR',
    });

    expect(peer.methods).to.deep.equal(['initialize', 'subscribe']);
    expect(peer.sent('initialize')[0]).to.deep.equal({
      channel: root,
      protocolVersions: [...offeredVersions],
      clientId: 'me',
      clientInfo: { name: 'ahp-chat' },
      locale: 'pt-BR',
      initialSubscriptions: [root],
      capabilities: { attachmentCollections: {}, steeringMessages: {} },
    });
    // `initialize` has no place for the size of a view: a long chat listed there would come whole.
    expect(peer.sent('subscribe')).to.deep.equal([
      { channel: chat, view: { turns: 50 }, delivery: { maxLatencyMs: 50 } },
    ]);
    expect(client.state).to.deep.equal({ phase: 'connected', attempt: 0 });
    expect(client.handshake?.protocolVersion).to.equal('1.0.0');
    expect([rootHolder.events, holder.events]).to.deep.equal([['snapshot 10'], ['snapshot 10']]);
  });

  it('subscribes to what came without a snapshot, and takes it back when that fails', async () => {
    const { peer, client } = setup();
    const holder = new Holder();
    peer
      .answer('initialize', () => ({ protocolVersion: '1.0.0', serverSeq: 1, snapshots: [] }))
      .answer('subscribe', () => {
        throw refusal(RpcCode.SessionNotFound);
      });
    client.subscribe('ahp-session:/s', holder, { kind: 'session' });

    client.connect();
    await settle();

    expect(peer.methods).to.deep.equal(['initialize', 'subscribe', 'unsubscribe']);
    expect(holder.events).to.deep.equal(['failed']);
    expect(client.state.phase).to.equal('connected');
  });

  it('tries once more with a version the host named and this client speaks', async () => {
    const { peer, client } = setup();
    peer.answer('initialize', ({ protocolVersions }) => {
      if (!(protocolVersions as string[]).includes('0.7.3')) {
        throw refusal(RpcCode.UnsupportedProtocolVersion, 'No.', { supportedVersions: ['0.7.3', '>=2.0.0 <3.0.0'] });
      }
      return { protocolVersion: '0.7.3', serverSeq: 1, snapshots: [] };
    });

    client.connect();
    await settle();

    expect(peer.sent('initialize').map(({ protocolVersions }) => (protocolVersions as string[])[0])).to.deep.equal([
      '1.0.0',
      '0.7.3',
    ]);
    expect(client.handshake?.protocolVersion).to.equal('0.7.3');
  });

  it('ends with both lists when no version is common, and does not try again by itself', async () => {
    const { environment, peer, client } = setup();
    peer.answer('initialize', () => {
      throw refusal(RpcCode.UnsupportedProtocolVersion, 'No.', { supportedVersions: ['2.0.0', '>=3.0.0 <4.0.0'] });
    });

    client.connect();
    await settle();
    await environment.advanceAsync(600_000);
    environment.emit('online');
    environment.emit('visible');
    await settle();

    expect(client.state.phase).to.equal('failed');
    expect(client.state.error!.code).to.equal('version-mismatch');
    expect(client.state.error!.message).to.include('2.0.0, >=3.0.0 <4.0.0').and.to.include('1.0.0, 0.10.0');
    expect(peer.sent('initialize')).to.have.length(1);
    client.reconnectNow();
    await settle();
    expect(peer.sent('initialize')).to.have.length(2);
  });

  it('hears the refusal of a host that closes right behind it', async () => {
    const { peer, client } = setup();
    peer.answer('initialize', () => {
      void Promise.resolve().then(() => peer.links[0]!.close());
      throw refusal(RpcCode.UnsupportedProtocolVersion, 'No.', { supportedVersions: ['>=3.0.0 <4.0.0'] });
    });

    client.connect();
    await settle();

    expect(client.state.phase).to.equal('failed');
    expect(client.state.error!.code).to.equal('version-mismatch');
  });

  it('asks a host that keeps refusing versions twice, never in a loop', async () => {
    const { environment, peer, client } = setup();
    peer.answer('initialize', () => {
      throw refusal(RpcCode.UnsupportedProtocolVersion, 'No.', { supportedVersions: ['1.7.0'] });
    });

    client.connect();
    await environment.advanceAsync(600_000);

    expect(peer.sent('initialize')).to.have.length(2);
    expect(client.state.phase).to.equal('failed');
  });

  it('takes an answer it cannot use for a failed attempt', async () => {
    const { peer, client, diagnostics } = setup();
    peer.answer('initialize', () => ({ hello: 'world' }));

    client.connect();
    await settle();

    expect(client.state.phase).to.equal('waiting');
    expect(diagnostics.map(({ code }) => code)).to.deep.equal(['bad-answer']);
  });
});

describe('coming back', () => {
  it('resumes with the same id, all channels and the number it may claim', async () => {
    const world = await connect();
    world.peer.action(chat, 12, delta);
    await world.environment.advanceAsync(2000);
    world.peer.action(chat, 13, delta);
    await settle();

    await reconnect(world);

    // The 13 came within the hold-back the chat asked for and a second: another channel may lag behind it.
    expect(world.peer.sent('reconnect')).to.deep.equal([
      { channel: root, clientId: 'me', lastSeenServerSeq: 12, subscriptions: [root, chat] },
    ]);
    expect(world.peer.sent('initialize')).to.have.length(1);
    expect(world.client.state.phase).to.equal('connected');
  });

  it('does not claim what a snapshot alone told', async () => {
    const world = await connect();
    world.subscription.release();
    const late = new Holder();
    world.peer.answer('subscribe', () => ({ snapshot: chatSnapshot(500) }));
    world.client.subscribe(chat, late, chatOptions);
    await world.environment.advanceAsync(60_000);

    await reconnect(world);

    expect(world.peer.sent('reconnect')[0]).to.have.property('lastSeenServerSeq', 10);
  });

  it('hands a replay to its channels in order, before anything that follows live', async () => {
    const world = await connect();
    const actions = [11, 12, 13, 14, 15].map((serverSeq) => ({ channel: chat, serverSeq, action: delta }));
    world.peer.answer('reconnect', () => {
      // A live envelope may stand between the request and its answer on the wire.
      world.peer.action(chat, 16, delta);
      return { type: 'replay', actions, missing: [] };
    });

    await reconnect(world);

    expect(world.holder.events.slice(-2)).to.deep.equal(['lost', 'replay 11 12 13 14 15']);
    expect(world.holder.seen).to.deep.equal([11, 12, 13, 14, 15, 16]);
    expect(world.rootHolder.events.at(-1)).to.equal('replay');
  });

  it('drops what is missing in a replay and says so once', async () => {
    const world = await connect();
    world.peer.answer('reconnect', () => ({ type: 'replay', actions: [], missing: [chat] }));

    await reconnect(world);
    await reconnect(world);

    expect(world.holder.events).to.deep.equal(['snapshot 10', 'lost', 'failed']);
    expect(world.holder.error!.code).to.equal('gone');
    expect(world.peer.sent('reconnect').map(({ subscriptions }) => subscriptions)).to.deep.equal([
      [root, chat],
      [root],
    ]);
  });

  it('lets every snapshot replace its channel before it counts as connected', async () => {
    const world = await connect();
    const phases: string[] = [];
    world.peer.answer('reconnect', () => ({
      type: 'snapshot',
      snapshots: [rootSnapshot(40), chatSnapshot(41, 'new')],
    }));
    world.client.onState(() => {
      if (world.client.state.phase === 'connected') phases.push(...world.rootHolder.events, ...world.holder.events);
    });

    await reconnect(world);

    expect(phases).to.include('snapshot 40').and.to.include('snapshot 41');
  });

  it('subscribes once more to a channel the snapshots leave out, and calls it gone if that fails', async () => {
    const world = await connect();
    world.peer
      .answer('reconnect', () => ({ type: 'snapshot', snapshots: [rootSnapshot(40)] }))
      .answer('subscribe', () => {
        throw refusal(RpcCode.NotFound);
      });

    await reconnect(world);

    expect(world.peer.sent('subscribe')).to.have.length(2);
    expect(world.holder.events.at(-1)).to.equal('failed');
    expect(world.rootHolder.events.at(-1)).to.equal('snapshot 40');
  });

  for (const code of [RpcCode.NotFound, RpcCode.MethodNotFound, RpcCode.InvalidParams, RpcCode.InternalError]) {
    it(`initializes on the same connection when reconnect is refused with ${code}`, async () => {
      const world = await connect();
      world.peer.answer('reconnect', () => {
        throw refusal(code);
      });

      await reconnect(world);

      expect(world.peer.methods.slice(2)).to.deep.equal(['reconnect', 'initialize', 'subscribe']);
      expect(world.peer.links).to.have.length(2);
      expect(world.peer.sent('initialize')[1]).to.include({ clientId: 'me' });
      expect(world.holder.events.at(-1)).to.equal('snapshot 10');
    });
  }

  it('initializes on a fresh connection when reconnect is not answered in 10 s', async () => {
    const world = await connect();
    world.peer.ignore('reconnect');

    await reconnect(world);
    await world.environment.advanceAsync(10_400);

    expect(world.peer.methods.slice(2)).to.deep.equal(['reconnect', 'initialize', 'subscribe']);
    expect(world.peer.links).to.have.length(3);
    expect(world.client.state.phase).to.equal('connected');
  });

  it('initializes when a host closes on reconnect again and again', async () => {
    const world = await connect();
    world.peer.answer('reconnect', () => {
      world.peer.links.at(-1)!.close();
      return null;
    });

    await reconnect(world);
    await world.environment.advanceAsync(5000);

    expect(world.peer.sent('reconnect')).to.have.length(2);
    expect(world.client.state.phase).to.equal('connected');
  });

  it('starts anew when a live envelope shows that the host counts anew', async () => {
    const world = await connect();
    world.peer.action(chat, 500, delta);
    await settle();
    await reconnect(world);

    world.peer.action(chat, 3, delta);
    await world.environment.advanceAsync(0);

    expect(world.diagnostics.map(({ code }) => code)).to.deep.equal(['host-restarted']);
    expect(world.peer.methods.slice(-2)).to.deep.equal(['initialize', 'subscribe']);
    expect(world.holder.events.at(-1)).to.equal('snapshot 10');
    expect(world.holder.seen).to.deep.equal([500]);
  });

  it('does not take a rejection with an old number, or a repeated envelope, for a restart', async () => {
    const world = await connect();
    world.peer.action(chat, 500, delta);
    await settle();
    await reconnect(world);

    world.peer.action(chat, 3, delta, { rejectionReason: 'no' });
    world.peer.action(chat, 501, delta);
    world.peer.action(chat, 501, delta);
    await settle();

    expect(world.diagnostics).to.deep.equal([]);
    expect(world.peer.links).to.have.length(2);
  });

  it('never resumes a state across a fresh start that was cut off', async () => {
    const world = await connect();
    world.peer.action(chat, 500, delta);
    await settle();
    world.peer
      .answer('reconnect', () => {
        throw refusal(RpcCode.NotFound);
      })
      .answer('initialize', () => ({ protocolVersion: '1.0.0', serverSeq: 3, snapshots: [rootSnapshot(3)] }))
      .ignore('subscribe');
    await reconnect(world);
    // The host counts anew, and the connection ends before the chat came.
    world.peer.answer('reconnect', () => ({ type: 'replay', actions: [], missing: [] }));
    world.peer.answer('subscribe', () => ({ snapshot: chatSnapshot(4, 'fresh') }));
    await reconnect(world);

    expect(world.peer.sent('reconnect').at(-1)).to.have.property('lastSeenServerSeq', 3);
    expect(world.holder.events.at(-1)).to.equal('snapshot 4');
  });

  it('goes on from a state that was kept over a reload, with the lowest number of all', async () => {
    const { environment, peer, client } = setup({
      resume: {
        protocolVersion: '0.9.0',
        epoch: 'epoch',
        completionTriggerCharacters: ['@'],
        takesCollections: true,
        takesSteeringList: false,
      },
    });
    const [stored, other] = [new Holder(), new Holder()];
    stored.snapshot = chatSnapshot(70);
    other.snapshot = { ...chatSnapshot(90), resource: 'ahp-chat:/other' };
    client.subscribe(root, new Holder(), { kind: 'root' });
    client.subscribe(chat, stored, chatOptions);
    client.subscribe('ahp-chat:/other', other, chatOptions);
    peer.answer('reconnect', () => ({
      type: 'replay',
      actions: [{ channel: chat, serverSeq: 71, action: delta }],
      missing: [],
    }));

    client.connect();
    await environment.advanceAsync(0);

    expect(peer.sent('reconnect')[0]).to.deep.equal({
      channel: root,
      clientId: 'me',
      lastSeenServerSeq: 70,
      subscriptions: [root, chat, 'ahp-chat:/other'],
    });
    expect(stored.events).to.deep.equal(['replay 71']);
    expect(client.handshake?.protocolVersion).to.equal('0.9.0');
    // Nothing was known of the root: only a snapshot helps.
    expect(peer.sent('subscribe')).to.deep.equal([{ channel: root }]);
  });

  it('initializes after a reload when the id is fresh', async () => {
    const { peer, client } = setup({
      resume: {
        protocolVersion: '0.9.0',
        epoch: 'epoch',
        completionTriggerCharacters: [],
        takesCollections: false,
        takesSteeringList: false,
      },
    });
    const stored = new Holder();
    stored.snapshot = chatSnapshot(70);
    client.subscribe(chat, stored, chatOptions);

    client.resume({ clientId: 'another', nextClientSeq: () => 1 });
    client.connect();
    await settle();

    expect(peer.methods).to.deep.equal(['initialize', 'subscribe']);
    expect(peer.sent('initialize')[0]).to.have.property('clientId', 'another');
  });
});
