import { expect } from '@open-wc/testing';
import { Sha256, toHex } from '../../src/bytes/sha-256.js';
import { someBytes } from '../conformance/worker.js';

const hash = (bytes: Uint8Array): string => toHex(new Sha256().update(bytes).digest());
const hashText = (text: string): string => hash(new TextEncoder().encode(text));

describe('SHA-256', () => {
  for (const [text, expected] of [
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
  ] as const) {
    it(`gives the standard's digest of "${text}"`, () => {
      expect(hashText(text)).to.equal(expected);
    });
  }

  it('agrees with the platform for every length around a block', async () => {
    for (let size = 0; size <= 200; size += 1) {
      const bytes = someBytes(size);
      const expected = toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));

      expect(hash(bytes), `${size} bytes`).to.equal(expected);
    }
  });

  it('does not care how the content is sliced', () => {
    const bytes = someBytes(1000);
    const whole = hash(bytes);

    for (const size of [1, 7, 63, 64, 65, 999]) {
      const sliced = new Sha256();
      for (let start = 0; start < bytes.length; start += size) sliced.update(bytes.subarray(start, start + size));

      expect(toHex(sliced.digest()), `slices of ${size}`).to.equal(whole);
    }
  });

  it('reads a view that starts inside its buffer', () => {
    const bytes = someBytes(300);

    expect(hash(bytes.subarray(5, 205))).to.equal(hash(bytes.slice(5, 205)));
  });
});
