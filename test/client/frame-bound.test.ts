import { expect } from '@open-wc/testing';
import { findExcess, limitFrames } from '../../src/client/frame-bound.js';
import type { LinkClose } from '../../src/protocol/link.js';
import { createLinkPair } from '../../src/host/link-pair.js';
import { settle } from '../helpers/manual-environment.js';

describe('the bound on frames', () => {
  for (const text of ['plain', 'ä', '日本', '👋🏽', 'mixed ä 日 👋']) {
    it(`counts the bytes of "${text}" as UTF-8 does`, () => {
      const byteSize = new TextEncoder().encode(text).length;

      expect(findExcess(text, byteSize)).to.equal(undefined);
      expect(findExcess(text, byteSize - 1)).to.equal(byteSize);
    });
  }

  it('passes frames up to the bound and refuses a larger one by number, once, for good', async () => {
    const [client, host] = createLinkPair();
    const link = limitFrames(client, 8);
    const frames: string[] = [];
    const closes: LinkClose[] = [];
    link.onmessage = (text) => frames.push(text);
    link.onclose = (close) => closes.push(close);
    let isHostTold = false;
    host.onclose = () => (isHostTold = true);

    for (const text of ['12345678', '123456789', 'late']) host.send(text);
    await settle();

    expect(frames).to.deep.equal(['12345678']);
    expect(closes).to.have.length(1);
    expect(closes[0]).to.include({ retry: false, code: 'frame-too-large' });
    expect(closes[0]!.reason).to.include('9 bytes').and.to.include('limit is 8');
    expect(isHostTold).to.equal(true);
  });
});
