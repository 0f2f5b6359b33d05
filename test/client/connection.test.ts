import { expect } from '@open-wc/testing';
import { Connection, toRpcError } from '../../src/client/connection.js';
import { createLinkPair } from '../../src/host/link-pair.js';
import { AhpError, RpcCode } from '../../src/protocol/errors.js';
import type { Link, LinkClose } from '../../src/protocol/link.js';
import { ManualEnvironment, settle } from '../helpers/manual-environment.js';

const root = { channel: 'ahp-root://' };

function setup() {
  const environment = new ManualEnvironment();
  const [client, host] = createLinkPair();
  const received: Record<string, unknown>[] = [];
  host.onmessage = (text) => received.push(JSON.parse(text) as Record<string, unknown>);
  const seen = { notifications: [] as string[], closes: [] as LinkClose[], badFrames: 0 };
  const connection = new Connection(client, environment, {
    onNotification: (method) => seen.notifications.push(method),
    onRequest: (method) => {
      if (method === 'good') return { ok: true };
      if (method === 'late') return Promise.resolve(undefined);
      if (method === 'broken') throw new TypeError('a bug with a secret');
      throw new AhpError('rpc', 'no', { rpc: { code: RpcCode.MethodNotFound, message: 'no' } });
    },
    onClose: (close) => seen.closes.push(close),
    onBadFrame: () => seen.badFrames++,
  });
  return { environment, host, received, connection, seen };
}

const send = async (host: Link, message: unknown) => {
  host.send(typeof message === 'string' ? message : JSON.stringify(message));
  await settle();
};

async function errorOf(promise: Promise<unknown>): Promise<AhpError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).to.be.instanceOf(AhpError);
  return error as AhpError;
}

describe('JSON-RPC over a link', () => {
  it('brings each answer to its request, in whatever order they come', async () => {
    const { host, received, connection } = setup();
    const first = connection.request('ping', root);
    const second = connection.request('listSessions', root);
    await settle();

    await send(host, { jsonrpc: '2.0', id: received[1]!.id, result: { items: [] } });
    await send(host, { jsonrpc: '2.0', id: received[0]!.id, result: null });

    expect(await second).to.deep.equal({ items: [] });
    expect(await first).to.equal(null);
    expect(received[0]).to.deep.equal({ jsonrpc: '2.0', id: received[0]!.id, method: 'ping', params: root });
  });

  it('rejects with the first line of what the host says, and keeps the rest aside', async () => {
    const { host, received, connection } = setup();
    const failing = errorOf(connection.request('ping', root));
    await settle();

    await send(host, {
      id: received[0]!.id,
      error: { code: -32603, message: 'Boom\n  at secret.js:1', data: { a: 1 } },
    });

    const error = await failing;
    expect(error.message).to.equal('The host refused ping: Boom (-32603)');
    expect(error.rpc).to.deep.equal({ code: -32603, message: 'Boom\n  at secret.js:1', data: { a: 1 } });
  });

  it('leaves secrets in addresses out of what the host says', () => {
    const rpc = { code: -32603, message: 'No answer of wss://h.example/?tkn=s3cret&room=1' };

    expect(toRpcError('ping', rpc).message).to.equal(
      'The host refused ping: No answer of wss://h.example/?tkn=…&room=1 (-32603)',
    );
  });

  it('shortens what the host says', () => {
    const error = toRpcError('ping', { code: 1, message: 'x'.repeat(10_000) });

    expect(error.message.length).to.be.below(400);
  });

  it('gives up a request the host does not answer, and ignores a late answer', async () => {
    const { environment, host, received, connection } = setup();
    const failing = errorOf(connection.request('ping', root, { timeoutMs: 10_000 }));
    environment.advance(10_000);
    expect((await failing).code).to.equal('timeout');

    await send(host, { id: received[0]!.id, result: {} });

    expect(environment.clock.pendingTimers).to.equal(0);
  });

  it('ends the wait when aborted', async () => {
    const { connection } = setup();
    const abort = new AbortController();
    const waiting = connection.request('ping', root, { signal: abort.signal });
    const early = connection.request('ping', root, { signal: AbortSignal.abort(new Error('before')) });
    abort.abort(new Error('enough'));

    expect(await waiting.catch((error: Error) => error.message)).to.equal('enough');
    expect(await early.catch((error: Error) => error.message)).to.equal('before');
  });

  it('rejects everything that waits when the link ends', async () => {
    const { host, connection, seen } = setup();
    const waiting = [errorOf(connection.request('ping', root)), errorOf(connection.request('ping', root))];

    host.close();

    expect((await Promise.all(waiting)).map(({ code }) => code)).to.deep.equal(['disconnected', 'disconnected']);
    expect(seen.closes.map(({ retry }) => retry)).to.deep.equal([true]);
    expect((await errorOf(connection.request('ping', root))).code).to.equal('disconnected');
  });

  it('is silent after its own close', async () => {
    const { host, connection, seen, received } = setup();
    connection.close();
    connection.notify('unsubscribe', root);

    await send(host, { method: 'action', params: {} });

    expect(seen).to.deep.equal({ notifications: [], closes: [], badFrames: 0 });
    expect(received).to.deep.equal([]);
  });

  it('hands notifications on', async () => {
    const { host, seen } = setup();

    await send(host, { method: 'action', params: { channel: 'x' } });
    await send(host, { jsonrpc: '2.0', method: 'x-vendor/news', params: {} });

    expect(seen.notifications).to.deep.equal(['action', 'x-vendor/news']);
  });

  const requests: readonly [method: string, id: number | string, answer: object][] = [
    ['good', 7, { result: { ok: true } }],
    ['late', 'text-id', { result: null }],
    ['unknown', 8, { error: { code: RpcCode.MethodNotFound, message: 'no' } }],
    ['broken', 9, { error: { code: RpcCode.InternalError, message: 'The client failed to answer.' } }],
  ];
  for (const [method, id, answer] of requests) {
    it(`answers the host's request "${method}" under its own id`, async () => {
      const { host, received } = setup();

      await send(host, { jsonrpc: '2.0', id, method, params: {} });

      expect(received).to.deep.equal([{ jsonrpc: '2.0', id, ...answer }]);
    });
  }

  it('ignores an answer nobody waits for', async () => {
    const { host, seen } = setup();

    await send(host, { id: 99, result: {} });
    await send(host, { id: null, error: { code: 1, message: 'x' } });

    expect(seen.closes).to.deep.equal([]);
  });

  it('keeps the connection over unreadable frames, and ends it after five in a row', async () => {
    const { host, seen } = setup();
    for (const text of ['{', '[]', '7', 'null']) await send(host, text);
    await send(host, { method: 'action', params: {} });
    expect(seen.closes).to.deep.equal([]);

    for (let count = 0; count < 6; count++) await send(host, 'garbage');

    expect(seen.badFrames).to.equal(9);
    expect(seen.closes).to.have.length(1);
    expect(seen.closes[0]).to.include({ retry: true, code: 'bad-frame' });
  });

  it('knows when the host was last heard, by any frame', async () => {
    const { environment, host, connection } = setup();
    environment.advance(5000);
    expect(connection.lastHeardAt).to.equal(0);

    await send(host, 'garbage');

    expect(connection.lastHeardAt).to.equal(5000);
  });
});
