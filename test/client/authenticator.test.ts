import { expect } from '@open-wc/testing';
import type { AhpClient } from '../../src/client/ahp-client.js';
import type { AhpError } from '../../src/protocol/errors.js';
import { RpcCode } from '../../src/protocol/errors.js';
import type { McpAuthRequirement } from '../../src/protocol/state.js';
import { Holder, chatOptions, chatSnapshot, connect, reconnect, root, setup } from '../helpers/client-world.js';
import { settle } from '../helpers/manual-environment.js';
import { refusal } from '../helpers/wire-peer.js';

describe('tokens', () => {
  const challenge = (resource: unknown) => refusal(RpcCode.AuthRequired, 'Sign in.', { resources: [resource] });

  function listen(client: AhpClient) {
    const required: McpAuthRequirement[] = [];
    client.onAuthRequired((requirement) => required.push(requirement));
    return required;
  }

  it('are asked for when the host refuses, and the refused channel is taken up after', async () => {
    const { peer, client } = await connect();
    const required = listen(client);
    const holder = new Holder();
    let isSignedIn = false;
    peer
      .answer('authenticate', () => {
        isSignedIn = true;
        return {};
      })
      .answer('subscribe', () => {
        if (!isSignedIn) throw challenge({ resource: 'https://api.example', scopes_supported: ['a'] });
        return { snapshot: { ...chatSnapshot(5), resource: 'ahp-chat:/secret' } };
      });
    client.subscribe('ahp-chat:/secret', holder, chatOptions);
    await settle();
    expect(required).to.deep.equal([
      { reason: 'required', resource: { resource: 'https://api.example', scopes_supported: ['a'] } },
    ]);

    await client.authenticate('https://api.example', 'secret', { scopes: ['a'], expiresIn: 60 });
    await settle();

    expect(peer.sent('authenticate')).to.deep.equal([
      { channel: root, resource: 'https://api.example', token: 'secret', scopes: ['a'], expiresIn: 60 },
    ]);
    expect(holder.events).to.deep.equal(['failed', 'snapshot 5']);
  });

  for (const [name, resource] of [
    ['a string', 'https://api.example'],
    ['metadata', { resource: 'https://api.example' }],
  ] as const) {
    it(`are asked for by a notification whose resource is ${name}`, async () => {
      const { peer, client } = await connect();
      const required = listen(client);

      peer.notify('auth/required', { channel: root, resource, reason: 'expired' });
      await settle();

      expect(required).to.deep.equal([{ reason: 'expired', resource: { resource: 'https://api.example' } }]);
    });
  }

  it('go out again after every fresh handshake, before the channels and the rest', async () => {
    const world = await connect();
    world.peer
      .answer('authenticate', () => ({}))
      .answer('reconnect', () => {
        throw refusal(RpcCode.NotFound);
      });
    world.client.advertise(['r']);
    await world.client.authenticate('r', 'secret');

    await reconnect(world);

    expect(world.peer.methods.slice(3)).to.deep.equal(['reconnect', 'initialize', 'authenticate', 'subscribe']);
  });

  it('go out after a resumption only when the host asks, once', async () => {
    const world = await connect();
    const required = listen(world.client);
    world.peer
      .answer('authenticate', () => ({}))
      .answer('reconnect', () => ({ type: 'replay', actions: [], missing: [] }));
    world.client.advertise(['r']);
    await world.client.authenticate('r', 'secret');
    await reconnect(world);
    expect(world.peer.sent('authenticate')).to.have.length(1);

    world.peer.notify('auth/required', { channel: root, resource: 'r' });
    await settle();
    expect(world.peer.sent('authenticate')).to.have.length(2);
    world.peer.notify('auth/required', { channel: root, resource: 'r' });
    await settle();

    // A host that asks again has taken the token and wants another one.
    expect(world.peer.sent('authenticate')).to.have.length(2);
    expect(required).to.have.length(1);
  });

  it('are forgotten when the host refuses them', async () => {
    const world = await connect();
    world.peer
      .answer('authenticate', () => {
        throw refusal(RpcCode.AuthRequired, 'Bad token.');
      })
      .answer('reconnect', () => {
        throw refusal(RpcCode.NotFound);
      });

    world.client.advertise(['r']);
    const error = await world.client.authenticate('r', 'secret').catch((reason: unknown) => reason as AhpError);
    await reconnect(world);

    expect((error as AhpError).rpc!.code).to.equal(RpcCode.AuthRequired);
    expect((error as AhpError).message).not.to.include('secret');
    expect(world.peer.sent('authenticate')).to.have.length(1);
  });

  it('wait for the first connection, and go without expiry to a host before 1.0', async () => {
    const { peer, client } = setup();
    peer
      .answer('initialize', () => ({ protocolVersion: '0.9.0', serverSeq: 1, snapshots: [] }))
      .answer('authenticate', () => ({}));

    client.advertise(['r']);
    await client.authenticate('r', 'secret', { expiresIn: 60 });
    client.connect();
    await settle();

    expect(peer.sent('authenticate')).to.deep.equal([{ channel: root, resource: 'r', token: 'secret' }]);
  });

  it('that a fresh handshake finds expired are asked for anew', async () => {
    const world = await connect();
    const required = listen(world.client);
    world.peer
      .answer('authenticate', () => ({}))
      .answer('reconnect', () => {
        throw refusal(RpcCode.NotFound);
      });
    world.client.advertise(['r']);
    await world.client.authenticate('r', 'secret');
    world.peer.answer('authenticate', () => {
      throw refusal(RpcCode.AuthRequired);
    });

    await reconnect(world);

    expect(required).to.deep.equal([{ reason: 'expired', resource: { resource: 'r' } }]);
    expect(world.diagnostics.map(({ code }) => code)).to.deep.equal(['token-refused']);
  });

  it('go to the host for resources it has named, and wait for that', async () => {
    const { peer, client } = await connect();
    peer.answer('authenticate', () => ({}));

    await client.authenticate('https://api.example', 'early');
    await client.authenticate('https://other.example', 'never');
    expect(peer.sent('authenticate')).to.deep.equal([]);
    client.advertise(['https://api.example']);
    client.advertise(['https://api.example']);
    await settle();

    expect(peer.sent('authenticate')).to.deep.equal([
      { channel: root, resource: 'https://api.example', token: 'early' },
    ]);
  });

  it('for what the host never named stay here, also after a fresh handshake', async () => {
    const world = await connect();
    world.peer
      .answer('authenticate', () => ({}))
      .answer('reconnect', () => {
        throw refusal(RpcCode.NotFound);
      });
    await world.client.authenticate('https://other.example', 'never');

    await reconnect(world);

    expect(world.peer.sent('initialize')).to.have.length(2);
    expect(world.peer.sent('authenticate')).to.deep.equal([]);
  });
});
