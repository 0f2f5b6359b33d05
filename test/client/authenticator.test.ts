import { expect } from '@open-wc/testing';
import type { AhpClient } from '../../src/client/ahp-client.js';
import type { ClientRequestMethod, ClientRequests } from '../../src/protocol/commands.js';
import { AhpError, RpcCode } from '../../src/protocol/errors.js';
import type { McpAuthRequirement } from '../../src/protocol/state.js';
import { Holder, chat, chatOptions, chatSnapshot, connect, reconnect, root, setup } from '../helpers/client-world.js';
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

  it('are in no error, also where the host quotes what it refuses', async () => {
    const world = await connect();
    const token = 'eyJ0.very"secret';
    world.peer.answer('authenticate', () => {
      throw refusal(RpcCode.AuthRequired, `Bad token ${'x'.repeat(250)} ${token}.`, { given: [token] });
    });
    world.client.advertise(['r']);

    const error = await world.client.authenticate('r', token).then(
      () => undefined,
      (reason: unknown) => reason as AhpError,
    );

    expect(error!.message).to.contain('Bad token');
    expect(error!.rpc).to.include({ code: RpcCode.AuthRequired });
    expect(JSON.stringify([error!.message, error!.rpc, error!.cause]))
      .not.to.contain('secret')
      .and.not.to.contain('eyJ0');
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

  describe('that a request was refused for', () => {
    const requests: { readonly [M in ClientRequestMethod]?: readonly [ClientRequests[M]['params'], unknown] } = {
      listSessions: [{ channel: root }, { items: [] }],
      createChat: [{ channel: 'ahp-session:/one', chat: 'ahp-chat:/two' }, null],
      fetchTurns: [{ channel: chat }, {}],
      disposeSession: [{ channel: 'ahp-session:/one' }, null],
      resourceRead: [
        { channel: root, uri: 'file:///a' },
        { data: 'a', encoding: 'utf-8' },
      ],
      completions: [{ channel: chat, kind: 'userMessage', text: '@', offset: 1 }, { items: [] }],
    };

    /** Lists sessions on a host that wants tokens for these; `end` is how that ended. */
    async function refused(wanted: readonly string[], options: { readonly signal?: AbortSignal } = {}) {
      const world = await connect();
      const required = listen(world.client);
      const missing = new Set(wanted);
      world.peer
        .answer('authenticate', ({ resource }) => {
          missing.delete(resource as string);
          return {};
        })
        .answer('listSessions', () => {
          if (missing.size === 0) return { items: [] };
          throw refusal(RpcCode.AuthRequired, 'Sign in.', { resources: wanted.map((resource) => ({ resource })) });
        });
      const state: { end?: unknown } = {};
      void world.client.request('listSessions', { channel: root }, options).then(
        (result) => (state.end = result),
        (error: unknown) => (state.end = error),
      );
      await settle();
      return { ...world, required, state };
    }

    for (const [method, [params, answer]] of Object.entries(requests)) {
      it(`leads to a second attempt: ${method}`, async () => {
        const { peer, client } = await connect();
        let isSignedIn = false;
        peer
          .answer('authenticate', () => {
            isSignedIn = true;
            return {};
          })
          .answer(method, () => {
            if (!isSignedIn) throw challenge({ resource: 'https://api.example' });
            return answer;
          });
        const asking = client.request(method as 'listSessions', params);
        await settle();
        expect(peer.sent(method)).to.have.length(1);

        await client.authenticate('https://api.example', 'secret');

        expect(await asking).not.to.be.instanceOf(Error);
        expect(peer.sent(method)).to.deep.equal([params, params]);
      });
    }

    it('goes out without a question where it is known, and the request after it', async () => {
      const world = await connect();
      const required = listen(world.client);
      await world.client.authenticate('https://api.example', 'known');
      let isSignedIn = false;
      world.peer
        .answer('authenticate', () => {
          isSignedIn = true;
          return {};
        })
        .answer('listSessions', () => {
          if (!isSignedIn) throw challenge({ resource: 'https://api.example' });
          return { items: [] };
        });

      expect(await world.client.request('listSessions', { channel: root })).to.deep.equal({ items: [] });
      expect(required).to.deep.equal([]);
    });

    it('is waited for until the host has one for each resource it named', async () => {
      const { client, peer, required, state } = await refused(['a', 'b']);
      expect(required.map(({ resource }) => resource.resource)).to.deep.equal(['a', 'b']);

      await client.authenticate('a', 'first');
      await settle();
      expect(peer.sent('listSessions')).to.have.length(1);
      await client.authenticate('b', 'second');
      await settle();

      expect(state.end).to.deep.equal({ items: [] });
    });

    it('is asked for again where the host refuses once more, and the request is over', async () => {
      const { client, peer, required, state } = await refused(['a']);
      peer.answer('authenticate', () => ({}));

      await client.authenticate('a', 'of no use');
      await settle();

      expect(state.end).to.be.instanceOf(AhpError).with.nested.property('rpc.code', RpcCode.AuthRequired);
      expect(peer.sent('listSessions')).to.have.length(2);
      expect(required).to.have.length(2);
    });

    it('ends with the refusal where nobody signs in, or none is named', async () => {
      const waiting = await refused(['a']);
      expect(waiting.state).to.deep.equal({});
      await waiting.environment.advanceAsync(120_000);
      await settle();
      expect(waiting.state.end).to.be.instanceOf(AhpError).with.nested.property('rpc.code', RpcCode.AuthRequired);

      const { peer, client } = await connect();
      peer.answer('listSessions', () => {
        throw refusal(RpcCode.AuthRequired, 'Sign in.');
      });
      const error = await client.request('listSessions', { channel: root }).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(AhpError).with.nested.property('rpc.code', RpcCode.AuthRequired);
    });

    it('is told of as long as it is waited for, each resource once, however many wait for it', async () => {
      const { client, required } = await refused(['a', 'b']);
      const told: string[][] = [];
      client.onSignIns(() => told.push(client.signIns.map(({ resource }) => resource.resource)));
      expect(client.signIns.map(({ resource }) => resource.resource)).to.deep.equal(['a', 'b']);
      const second = client.request('listSessions', { channel: root });
      await settle();
      expect(required).to.have.length(2);

      await client.authenticate('a', 'first');
      await client.authenticate('b', 'second');
      expect(await second).to.deep.equal({ items: [] });

      expect(told).to.deep.equal([['b'], []]);
    });

    it('is not told of where it is known', async () => {
      const world = await connect();
      let told = 0;
      world.client.onSignIns(() => (told += 1));
      await world.client.authenticate('https://api.example', 'known');
      let isSignedIn = false;
      world.peer
        .answer('authenticate', () => {
          isSignedIn = true;
          return {};
        })
        .answer('listSessions', () => {
          if (!isSignedIn) throw challenge({ resource: 'https://api.example' });
          return { items: [] };
        });

      await world.client.request('listSessions', { channel: root });

      expect(told).to.equal(0);
    });

    it('is waited for no longer where nobody is going to sign in, and asked for again by the next request', async () => {
      const { client, required, state } = await refused(['a', 'b']);

      client.giveUpSignIn('other');
      await settle();
      expect(state).to.deep.equal({});
      client.giveUpSignIn('b');
      await settle();

      expect(state.end).to.be.instanceOf(AhpError).with.nested.property('rpc.code', RpcCode.AuthRequired);
      expect(client.signIns).to.deep.equal([]);
      const next = client.request('listSessions', { channel: root });
      await settle();
      expect(required).to.have.length(4);
      await client.authenticate('a', 'first');
      await client.authenticate('b', 'second');
      expect(await next).to.deep.equal({ items: [] });
    });

    it('is not waited for when the connection is lost, or nobody waits for the answer', async () => {
      const lost = await refused(['a']);
      lost.client.disconnect();
      await settle();
      expect(lost.state.end).to.be.instanceOf(AhpError).with.property('code', 'disconnected');

      const abort = new AbortController();
      const left = await refused(['a'], { signal: abort.signal });
      abort.abort(new Error('left'));
      await settle();
      expect(left.state.end).to.have.property('message', 'left');
    });
  });
});
