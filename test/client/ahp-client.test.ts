import { expect } from '@open-wc/testing';
import { AhpClient } from '../../src/client/ahp-client.js';
import { AhpError } from '../../src/protocol/errors.js';
import { chat, connect, delta, reconnect, root, setup } from '../helpers/client-world.js';
import { ManualEnvironment, settle } from '../helpers/manual-environment.js';
import { WirePeer } from '../helpers/wire-peer.js';

describe('losing the connection', () => {
  it('keeps the state, waits a little longer each time, and says when it tries again', async () => {
    const { environment, peer, client, holder } = await connect();
    peer.isListening = false;
    await peer.drop();
    const waits: number[] = [];

    for (let attempt = 1; attempt <= 4; attempt++) {
      expect(client.state).to.include({ phase: 'waiting', attempt });
      waits.push(client.state.retryAt! - environment.now());
      await environment.advanceAsync(waits.at(-1)!);
    }

    expect(holder.events).to.deep.equal(['snapshot 10', 'lost']);
    for (const [index, wait] of waits.entries()) expect(wait).to.be.within(187 * 2 ** index, 313 * 2 ** index);
    expect(client.state.error!.code).to.equal('disconnected');
  });

  it('starts over with short waits after a successful handshake', async () => {
    const { environment, peer, client } = await connect();
    peer.isListening = false;
    await peer.drop();
    await environment.advanceAsync(20_000);
    peer.isListening = true;
    await environment.advanceAsync(30_000);
    expect(client.state.phase).to.equal('connected');

    await peer.drop();

    expect(client.state).to.include({ phase: 'waiting', attempt: 1 });
  });

  it('ignores what the replaced socket still delivers', async () => {
    const { environment, peer, client, holder } = await connect();
    const old = peer.links[0]!;
    client.suspend();
    client.resume({ clientId: 'me', nextClientSeq: () => 1 });
    await environment.advanceAsync(0);
    const before = holder.seen.length;

    old.send(JSON.stringify({ method: 'action', params: { channel: chat, serverSeq: 99, action: delta } }));
    old.send(JSON.stringify({ method: 'action', params: { channel: chat, serverSeq: 100, action: delta } }));
    await settle();

    expect(holder.seen).to.have.length(before);
  });

  it('pauses while the browser is offline and goes on at once when it is online', async () => {
    const { environment, peer, client } = await connect();
    environment.emit('offline');
    await settle();
    await peer.drop();
    await environment.advanceAsync(600_000);
    expect(client.state.phase).to.equal('offline');
    expect(peer.links).to.have.length(1);

    environment.emit('online');
    await settle();

    expect(client.state.phase).to.equal('connected');
    expect(peer.links).to.have.length(2);
  });

  it('does not care about the network when the host is on this device', async () => {
    const { environment, peer, client } = await connect();
    peer.isLocal = true;
    environment.emit('offline');

    await reconnect({ environment, peer });

    expect(client.state.phase).to.equal('connected');
  });

  for (const event of ['online', 'visible'] as const) {
    it(`tries at once when the page is ${event}`, async () => {
      const { environment, peer, client } = await connect();
      await peer.drop();
      expect(client.state.phase).to.equal('waiting');

      environment.emit(event);
      await settle();

      expect(client.state.phase).to.equal('connected');
    });
  }

  it('does not wait out what is left of a long wait when the machine has slept', async () => {
    const { environment, peer, client } = await connect();
    peer.isListening = false;
    await peer.drop();
    while (client.state.retryAt! - environment.now() < 15_000) await environment.advanceAsync(500);
    peer.isListening = true;

    environment.clock.jump(3_600_000);
    await environment.advanceAsync(5_000);

    expect(client.state.phase).to.equal('connected');
  });

  it('tries at once when the person asks', async () => {
    const { peer, client } = await connect();
    await peer.drop();

    client.reconnectNow();
    await settle();

    expect(client.state.phase).to.equal('connected');
  });

  it('closes the socket when the page is left and opens one when it is back', async () => {
    const { environment, peer, client } = await connect();

    client.suspend();
    await environment.advanceAsync(600_000);
    environment.emit('online');
    environment.emit('visible');
    await settle();
    expect(peer.open).to.equal(0);
    expect(peer.links).to.have.length(1);

    client.resume({ clientId: 'me', nextClientSeq: () => 1 });
    await settle();
    expect(peer.open).to.equal(1);
    expect(peer.links).to.have.length(2);
  });

  it('ends for good with disconnect, and leaves no timer', async () => {
    const { environment, peer, client } = await connect();

    client.dispose();
    await settle();

    expect(peer.open).to.equal(0);
    expect(client.state.phase).to.equal('idle');
    expect(environment.clock.pendingTimers).to.equal(0);
    expect(environment.listeners).to.equal(0);
  });

  it('fails visibly on a frame over the bound, and does not connect again by itself', async () => {
    const { environment, client, close } = await connectToClosing();

    close({ reason: 'A frame of 99 bytes; the limit is 9.', retry: false, code: 'frame-too-large' });
    await environment.advanceAsync(600_000);

    expect(client.state).to.include({ phase: 'failed' });
    expect(client.state.error).to.include({ code: 'frame-too-large', message: 'A frame of 99 bytes; the limit is 9.' });
  });
});

/** A client on a link that the test ends as a transport would. */
async function connectToClosing() {
  const environment = new ManualEnvironment();
  const peer = new WirePeer();
  peer.answer('initialize', () => ({ protocolVersion: '1.0.0', serverSeq: 1, snapshots: [] }));
  let link: Awaited<ReturnType<WirePeer['connect']>> | undefined;
  const client = new AhpClient({
    transport: { connect: async (signal) => (link = await peer.connect(signal)) },
    environment,
    identity: { clientId: 'me', nextClientSeq: () => 1 },
  });
  client.connect();
  await settle();
  return { environment, client, close: link!.onclose! };
}

describe('requests and actions', () => {
  it('are refused plainly without a connection', async () => {
    const { client } = setup();

    const error = await client.request('ping', { channel: root }).catch((reason: unknown) => reason);

    expect(error).to.be.instanceOf(AhpError).with.property('code', 'not-connected');
    expect(client.dispatch(chat, 1, { type: 'chat/draftChanged' })).to.equal(false);
  });

  it('carry the number they were given', async () => {
    const { peer, client } = await connect();

    const sent = client.dispatch(chat, client.nextClientSeq(), { type: 'chat/draftChanged' });
    await settle();

    expect(sent).to.equal(true);
    expect(peer.sent('dispatchAction')).to.deep.equal([
      { channel: chat, clientSeq: 1, action: { type: 'chat/draftChanged' } },
    ]);
  });

  it('hand other notifications on', async () => {
    const { peer, client } = await connect();
    const methods: string[] = [];
    client.onNotification(({ method }) => methods.push(method));

    peer.notify('root/sessionRemoved', { channel: root, session: 's' });
    peer.notify('action', { channel: chat, serverSeq: 11, action: delta });
    await settle();

    expect(methods).to.deep.equal(['root/sessionRemoved']);
  });
});
