import { expect } from '@open-wc/testing';
import { InThreadWorker, WORKER_SLICE } from '../../src/worker/in-thread.js';
import { describeWorker, someBytes } from '../conformance/worker.js';

describeWorker('the calling thread', () => new InThreadWorker());
describeWorker('the calling thread, in slices as a worker has them,', () => new InThreadWorker(WORKER_SLICE));

describe('the calling thread', () => {
  it('digests the same where the page has no subtle cryptography', async () => {
    const bytes = someBytes(1_000_003);
    const worker = new InThreadWorker();
    const expected = await worker.digest(bytes.buffer);
    Object.defineProperty(crypto, 'subtle', { value: undefined, configurable: true });

    try {
      expect(await worker.digest(bytes.buffer)).to.equal(expected);
      expect(await worker.digest(new Blob([bytes]))).to.equal(expected);
    } finally {
      Reflect.deleteProperty(crypto, 'subtle');
    }
  });

  it('lets others have a turn in the middle of a long job', async () => {
    const turns: string[] = [];
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      turns.push('message');
      if (turns.length < 5) port2.postMessage('');
    };
    const job = new InThreadWorker().encodeBase64(someBytes(8 * 1024 * 1024).buffer).then(() => turns.push('job'));
    port2.postMessage('');

    await job;

    expect(turns.slice(0, 3)).to.deep.equal(['message', 'message', 'message']);
    port1.close();
  });
});
