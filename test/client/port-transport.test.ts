import { expect } from '@open-wc/testing';
import { createPortTransport } from '../../src/client/port-transport.js';
import { AhpError } from '../../src/protocol/errors.js';
import type { LinkClose } from '../../src/protocol/link.js';
import { createPortLink, type PortLike } from '../../src/protocol/port-link.js';

const never = new AbortController().signal;

describe('a transport over ports', () => {
  it('opens a channel for each connection and needs no network', async () => {
    const hosts: MessagePort[] = [];
    const transport = createPortTransport({
      open: () => {
        const { port1, port2 } = new MessageChannel();
        hosts.push(port2);
        return port1;
      },
    });

    const [first] = [await transport.connect(never), await transport.connect(never)];
    const frame = new Promise<string>((resolve) => (first.onmessage = resolve));
    createPortLink(hosts[0]!).send('hello');

    expect(transport.isLocal).to.equal(true);
    expect(hosts).to.have.length(2);
    expect(await frame).to.equal('hello');
  });

  it('refuses a frame over the bound for good', async () => {
    const { port1, port2 } = new MessageChannel();
    const link = await createPortTransport({ open: () => port1, maxFrameBytes: 3 }).connect(never);
    const closed = new Promise<LinkClose>((resolve) => (link.onclose = resolve));
    link.onmessage = () => undefined;

    createPortLink(port2).send('1234');

    expect(await closed).to.include({ retry: false, code: 'frame-too-large' });
  });

  const failures: readonly [name: string, open: () => PortLike | Promise<PortLike>, abort: boolean][] = [
    ['no worker can be started', () => Promise.reject(new Error('blocked')), false],
    ['it was aborted meanwhile', () => new MessageChannel().port1, true],
  ];
  for (const [name, open, isAborted] of failures) {
    it(`fails as disconnected when ${name}`, async () => {
      const abort = new AbortController();
      if (isAborted) abort.abort();
      let error: unknown;

      await createPortTransport({ open })
        .connect(abort.signal)
        .catch((reason: unknown) => (error = reason));

      expect(error).to.be.instanceOf(AhpError).with.property('code', 'disconnected');
    });
  }
});
