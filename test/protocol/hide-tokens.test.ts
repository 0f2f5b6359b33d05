import { expect } from '@open-wc/testing';
import { hideTokens } from '../../src/protocol/hide-tokens.js';

describe('a secret in an address', () => {
  const cases: readonly [text: string, shown: string][] = [
    ['Cannot reach wss://h.example/x?tkn=abc&room=1.', 'Cannot reach wss://h.example/x?tkn=…&room=1.'],
    ['see (https://h/?room=1&access_token=a.b-c) now', 'see (https://h/?room=1&access_token=…) now'],
    ['https://h/cb#id_token=eyJ.x.y&state=1', 'https://h/cb#id_token=…&state=1'],
    ['[retry](https://h/?Token=ABC)', '[retry](https://h/?Token=…)'],
    ['"https://s3/x?X-Amz-Signature=00ff"', '"https://s3/x?X-Amz-Signature=…"'],
    ['https://me:hunter2@h.example/', 'https://me:…@h.example/'],
    ['two ?sig=1 and &api_key=2', 'two ?sig=… and &api_key=…'],
  ];
  for (const [text, shown] of cases) {
    it(`is left out of ${text}`, () => {
      expect(hideTokens(text)).to.equal(shown);
      expect(hideTokens(shown), 'again').to.equal(shown);
    });
  }

  it('is all that is left out', () => {
    for (const text of ['https://h/?q=token', 'token=abc in words', 'a?design=1', 'https://h:8080/a@b', 'x: y@z']) {
      expect(hideTokens(text)).to.equal(text);
    }
  });

  it('is found quickly, however long the text', () => {
    const text = `?${'a'.repeat(200_000)} ${'?&'.repeat(100_000)} ${'x://'.repeat(50_000)}`;

    const before = performance.now();
    hideTokens(text);

    expect(performance.now() - before).to.be.below(500);
  });
});
