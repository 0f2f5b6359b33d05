import { expect } from '@open-wc/testing';
import { RpcCode } from '../../src/protocol/errors.js';
import { chat, connect, delta, root } from '../helpers/client-world.js';
import { settle } from '../helpers/manual-environment.js';
import { refusal } from '../helpers/wire-peer.js';

describe('a dead socket that says it is open', () => {
  it('is found by a ping after 25 s of silence and replaced', async () => {
    const { environment, peer, client } = await connect();
    peer.ignore('ping');

    await environment.advanceAsync(24_999);
    expect(peer.sent('ping')).to.have.length(0);
    await environment.advanceAsync(1);
    expect(peer.sent('ping')).to.deep.equal([{ channel: root }]);
    await environment.advanceAsync(10_000);

    expect(client.state.phase).to.equal('waiting');
    await environment.advanceAsync(400);
    expect(peer.links).to.have.length(2);
    expect(client.state.phase).to.equal('connected');
  });

  it('is not suspected while the host talks', async () => {
    const { environment, peer } = await connect();
    for (let seq = 11; seq < 20; seq++) {
      await environment.advanceAsync(20_000);
      peer.action(chat, seq, delta);
      await settle();
    }

    expect(peer.sent('ping')).to.have.length(0);
  });

  it('counts as alive when the host does not know ping', async () => {
    const { environment, peer, client } = await connect();
    peer.answer('ping', () => {
      throw refusal(RpcCode.MethodNotFound);
    });

    await environment.advanceAsync(120_000);

    expect(peer.sent('ping').length).to.be.at.least(4);
    expect(client.state.phase).to.equal('connected');
    expect(peer.links).to.have.length(1);
  });

  it('is asked at once when the network or the page changed', async () => {
    const { environment, peer, client } = await connect();
    peer.ignore('ping');

    environment.emit('visible');
    environment.emit('online');
    await environment.advanceAsync(10_000);

    expect(peer.sent('ping')).to.have.length(1);
    expect(client.state.phase).to.equal('waiting');
  });

  it('is asked soon after the machine has slept, and not because it was busy', async () => {
    const { environment, peer } = await connect();

    environment.clock.jump(4_000);
    await environment.advanceAsync(5_000);
    expect(peer.sent('ping')).to.have.length(0);
    environment.clock.jump(3_600_000);
    await environment.advanceAsync(5_000);

    expect(peer.sent('ping')).to.have.length(1);
  });
});
