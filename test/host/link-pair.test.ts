import { expect } from '@open-wc/testing';
import { createLinkPair, createLocalTransport } from '../../src/host/link-pair.js';
import type { Link } from '../../src/protocol/link.js';
import { settle } from '../helpers/manual-environment.js';

describe('a pair of links', () => {
  it('delivers frames in order, in a microtask', async () => {
    const [client, host] = createLinkPair();
    const received: string[] = [];
    host.onmessage = (text) => received.push(text);

    client.send('one');
    client.send('two');
    const atOnce = [...received];
    await settle();

    expect(atOnce).to.deep.equal([]);
    expect(received).to.deep.equal(['one', 'two']);
  });

  it('keeps early frames for a listener that comes late', async () => {
    const [client, host] = createLinkPair();
    client.send('early');
    await settle();

    const received: string[] = [];
    host.onmessage = (text) => received.push(text);
    await settle();

    expect(received).to.deep.equal(['early']);
  });

  it('tells the other end of a close after the frames before it, and only once', async () => {
    const [client, host] = createLinkPair();
    const seen: string[] = [];
    client.onmessage = (text) => seen.push(text);
    client.onclose = ({ retry }) => seen.push(`closed ${retry}`);
    host.onclose = () => seen.push('host closed');

    host.send('last');
    host.close();
    host.close();
    host.send('too late');
    await settle();
    client.send('into the void');
    await settle();

    expect(seen).to.deep.equal(['last', 'closed true']);
  });

  it('drops what is under way to an end that closed', async () => {
    const [client, host] = createLinkPair();
    const seen: string[] = [];
    client.onmessage = (text) => seen.push(text);

    host.send('never read');
    client.close();
    await settle();

    expect(seen).to.deep.equal([]);
  });
});

describe('the local transport', () => {
  it('hands the other end to the host at every connect', async () => {
    const accepted: Link[] = [];
    const transport = createLocalTransport({ connect: (link) => accepted.push(link) });

    await transport.connect(new AbortController().signal);
    await transport.connect(new AbortController().signal);

    expect(accepted).to.have.length(2);
  });

  it('rejects as disconnected when aborted before', async () => {
    const transport = createLocalTransport({ connect: () => undefined });

    const outcome = await transport.connect(AbortSignal.abort()).catch((error: unknown) => error);

    expect(outcome).to.have.property('code', 'disconnected');
  });
});
