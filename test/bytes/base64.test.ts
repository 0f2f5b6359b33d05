import { expect } from '@open-wc/testing';
import { Base64Error, decodeBase64, encodeBase64, encodedSize } from '../../src/bytes/base64.js';
import { someBytes } from '../conformance/worker.js';

const VECTORS: readonly (readonly [string, string])[] = [
  ['', ''],
  ['f', 'Zg=='],
  ['fo', 'Zm8='],
  ['foo', 'Zm9v'],
  ['foob', 'Zm9vYg=='],
  ['fooba', 'Zm9vYmE='],
  ['foobar', 'Zm9vYmFy'],
];

const toBytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const toText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Runs `test` as in an engine that has no base64 of its own. */
function withoutNative(test: () => void): () => void {
  return () => {
    const from = Object.getOwnPropertyDescriptor(Uint8Array, 'fromBase64');
    const to = Object.getOwnPropertyDescriptor(Uint8Array.prototype, 'toBase64');
    Reflect.deleteProperty(Uint8Array, 'fromBase64');
    Reflect.deleteProperty(Uint8Array.prototype, 'toBase64');
    try {
      test();
    } finally {
      if (from) Object.defineProperty(Uint8Array, 'fromBase64', from);
      if (to) Object.defineProperty(Uint8Array.prototype, 'toBase64', to);
    }
  };
}

for (const [where, run] of [
  ['as the engine does it', (test: () => void) => test],
  ['where the engine has none of its own', withoutNative],
] as const) {
  describe(`base64, ${where}`, () => {
    for (const [text, encoded] of VECTORS) {
      it(
        `turns "${text}" into "${encoded}" and back`,
        run(() => {
          expect(encodeBase64(toBytes(text))).to.equal(encoded);
          expect(toText(decodeBase64(encoded))).to.equal(text);
          expect(encodedSize(text.length)).to.equal(encoded.length);
        }),
      );
    }

    it(
      'gives back every byte of a large content',
      run(() => {
        const bytes = someBytes(200_000);

        expect(decodeBase64(encodeBase64(bytes))).to.deep.equal(bytes);
      }),
    );

    for (const [what, text] of [
      ['missing padding', 'Zm8'],
      ['line breaks and blanks', ' Zm\r\n8= \t'],
    ] as const) {
      it(
        `forgives ${what}`,
        run(() => {
          expect(toText(decodeBase64(text))).to.equal('fo');
        }),
      );
    }

    for (const [what, text] of [
      ['a foreign character', 'Zm8!'],
      ['a character beyond ASCII', 'Zm8é'],
      ['the alphabet of URLs', '-_-_'],
      ['padding alone', '===='],
      ['too much padding', 'Zm8=='],
      ['too little padding', 'Zg='],
      ['padding in the middle', 'Zg==Zg=='],
      ['a single character', 'Z'],
      ['a data URL', 'data:text/plain;base64,Zm8='],
    ] as const) {
      it(
        `refuses ${what}`,
        run(() => {
          expect(() => decodeBase64(text)).to.throw(Base64Error, /is no base64; nothing of it was decoded/);
        }),
      );
    }
  });
}
