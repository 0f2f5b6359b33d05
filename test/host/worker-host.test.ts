import { expect } from '@open-wc/testing';
import { createWorkerTransport } from '../../src/host/worker-host.js';
import { CHAT, turnStarted } from '../helpers/host-fixture.js';
import { RawClient } from '../helpers/raw-client.js';

describe('a host in a worker', () => {
  let worker: Worker;

  beforeEach(() => {
    worker = new Worker(new URL('../helpers/host.worker.ts', import.meta.url), { type: 'module' });
  });
  afterEach(() => {
    worker.terminate();
  });

  const connect = async (clientId: string) => {
    const link = await createWorkerTransport(worker).connect(new AbortController().signal);
    const client = new RawClient(clientId, link);
    await client.initialize({ initialSubscriptions: [CHAT] });
    return client;
  };

  it('serves several clients, each over a port of its own', async () => {
    const [one, two] = [await connect('one'), await connect('two')];

    one.dispatch(CHAT, turnStarted('t1'));
    // Requests are answered in order, so what the turn brought about is there when these are.
    await one.request('ping');
    await two.request('ping');
    await two.request('ping');

    expect(one.chat(CHAT).turns[0]?.responseParts).to.deep.equal([
      { kind: 'markdown', id: 'answer', content: 'message of t1' },
    ]);
    expect(two.chat(CHAT)).to.deep.equal(one.chat(CHAT));
  });

  it('goes on for a client that comes back over another port', async () => {
    const client = await connect('one');
    client.dispatch(CHAT, turnStarted('t1'));
    await client.request('ping');
    client.cut();

    client.attach(await createWorkerTransport(worker).connect(new AbortController().signal));
    const { result } = await client.reconnect();

    expect(result?.type).to.equal('replay');
    expect(client.chat(CHAT).turns).to.have.length(1);
  });

  it('rejects as disconnected when aborted before', async () => {
    const outcome = await createWorkerTransport(worker)
      .connect(AbortSignal.abort())
      .catch((error: unknown) => error);

    expect(outcome).to.have.property('code', 'disconnected');
  });
});
