import { expect } from '@open-wc/testing';
import { AhpError, RpcCode } from '../../src/protocol/errors.js';
import type { ChannelKind } from '../../src/protocol/parse.js';
import { Holder, chat, chatOptions, chatSnapshot, connect, delta, reconnect } from '../helpers/client-world.js';
import { settle } from '../helpers/manual-environment.js';
import { refusal } from '../helpers/wire-peer.js';

describe('subscriptions', () => {
  it('are made once per connection and channel, and a later listener gets the state there is', async () => {
    const { peer, client, holder } = await connect();
    peer.action(chat, 11, delta);
    await settle();
    const late = new Holder();

    client.subscribe(chat, late, chatOptions);
    peer.action(chat, 12, delta);
    await settle();

    expect(peer.sent('subscribe')).to.have.length(1);
    expect(late.events).to.deep.equal(['snapshot 11']);
    expect([holder.seen, late.seen]).to.deep.equal([[11, 12], [12]]);
  });

  it('end at the host when the last listener has left', async () => {
    const { peer, client, subscription } = await connect();
    const second = client.subscribe(chat, new Holder(), chatOptions);

    subscription.release();
    subscription.release();
    await settle();
    expect(peer.sent('unsubscribe')).to.have.length(0);
    second.release();
    await settle();

    expect(peer.sent('unsubscribe')).to.deep.equal([{ channel: chat }]);
  });

  it('hold back what comes before the answer and hand it out after it', async () => {
    const { peer, client } = await connect();
    const holder = new Holder();
    const other = 'ahp-chat:/other';
    peer.answer('subscribe', () => {
      peer.action(other, 20, delta);
      peer.action(other, 22, delta);
      return { snapshot: { ...chatSnapshot(21), resource: other } };
    });

    client.subscribe(other, holder, chatOptions);
    await settle();

    expect(holder.events).to.deep.equal(['snapshot 21']);
    expect(holder.seen).to.deep.equal([20, 22]);
  });

  it('that failed are not remembered: the next attempt asks again', async () => {
    const { peer, client } = await connect();
    const [first, second] = [new Holder(), new Holder()];
    let isThere = false;
    peer.answer('subscribe', ({ channel }) => {
      if (!isThere) throw refusal(RpcCode.SessionNotFound);
      return { snapshot: { ...chatSnapshot(5), resource: channel } };
    });
    const failed = client.subscribe('ahp-chat:/x', first, chatOptions);
    await settle();
    expect(first.error!.rpc!.code).to.equal(RpcCode.SessionNotFound);

    isThere = true;
    await failed.refresh();
    client.subscribe('ahp-chat:/y', second, chatOptions);
    await settle();

    expect(first.events).to.deep.equal(['failed', 'snapshot 5']);
    expect(second.events).to.deep.equal(['snapshot 5']);
  });

  it('can be renewed for a new snapshot, with what came meanwhile applied after it', async () => {
    const { peer, holder, subscription } = await connect();
    peer.answer('subscribe', () => {
      peer.action(chat, 31, delta);
      return { snapshot: chatSnapshot(30) };
    });

    await subscription.refresh();

    expect(holder.events).to.deep.equal(['snapshot 10', 'snapshot 30']);
    expect(holder.seen.at(-1)).to.equal(31);
    expect(holder.snapshot!.fromSeq).to.equal(31);
  });

  it('stay live when a renewal fails for another reason than being gone', async () => {
    const { peer, holder, subscription } = await connect();
    peer.answer('subscribe', () => {
      throw refusal(RpcCode.InternalError);
    });

    const error: unknown = await subscription.refresh().catch((reason: unknown) => reason);
    peer.action(chat, 11, delta);
    await settle();

    expect(error).to.be.instanceOf(AhpError);
    expect(holder.seen).to.deep.equal([11]);
  });

  it('ignore envelopes of channels nobody looks at, and unreadable ones', async () => {
    const { peer, holder, diagnostics } = await connect();

    peer.action('ahp-chat:/nobody', 11, delta);
    peer.notify('action', { channel: chat, serverSeq: 'x', action: delta });
    peer.notify('action', { channel: chat });
    peer.notify('x-vendor/thing', {});
    await settle();

    expect(holder.seen).to.deep.equal([]);
    expect(diagnostics.map(({ code }) => code)).to.deep.equal(['bad-frame', 'bad-frame']);
  });

  const named: readonly [uri: string, kind: ChannelKind, isAsked: boolean][] = [
    ['ahp-chat:/other', 'chat', true],
    ['ahp-chat://default/YWJj', 'chat', true],
    ['vendor-chat:/1', 'chat', true],
    ['copilot:/1', 'session', true],
    ['vendor-terminal:/1', 'terminal', true],
    ['ahp-session:/one', 'chat', false],
    ['ahp-changeset:/1', 'chat', false],
    ['ahp-otlp:logs', 'terminal', false],
    ['ahp-later:/1', 'terminal', false],
    ['mcp://server', 'chat', false],
    ['https://example.org/chat', 'chat', false],
    ['FILE:///etc/passwd', 'terminal', false],
    ['no scheme at all', 'session', false],
  ];
  for (const [uri, kind, isAsked] of named) {
    it(`of ${uri} as a ${kind} ${isAsked ? 'are asked for' : 'fail without a word to the host'}`, async () => {
      const { peer, client, environment } = await connect();
      const holder = new Holder();
      peer.answer('subscribe', ({ channel }) => ({ snapshot: { ...chatSnapshot(5), resource: channel } }));

      const subscription = client.subscribe(uri, holder, { kind });
      await settle();
      if (!isAsked) await subscription.refresh().catch(() => undefined);
      await reconnect({ environment, peer });

      expect(peer.sent('subscribe').filter(({ channel }) => channel === uri)).to.have.length(isAsked ? 1 : 0);
      expect((peer.sent('reconnect')[0]!.subscriptions as string[]).includes(uri)).to.equal(isAsked);
      expect(holder.error?.code).to.equal(isAsked ? undefined : 'gone');
    });
  }
});
