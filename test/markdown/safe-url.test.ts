import { expect } from '@open-wc/testing';
import { decodeEntities } from '../../src/markdown/entities.js';
import { parseMarkdown } from '../../src/markdown/parse.js';
import { isAllowedOrigin, toLinkTarget } from '../../src/markdown/safe-url.js';
import type { Inline } from '../../src/markdown/tokens.js';

const linksOf = (markdown: string): Inline[] => {
  const found: Inline[] = [];
  const look = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(look);
    else if (value && typeof value === 'object') {
      if ('type' in value && (value.type === 'link' || value.type === 'image')) found.push(value as Inline);
      Object.values(value).forEach(look);
    }
  };
  look(parseMarkdown(markdown));
  return found;
};

describe('safe addresses', () => {
  for (const [address, url] of [
    ['https://example.com', 'https://example.com/'],
    ['HTTP://Example.com/a b', 'http://example.com/a%20b'],
    ['mailto:a@example.com?subject=x', 'mailto:a@example.com?subject=x'],
  ] as const) {
    it(`follows ${address}`, () => {
      expect(toLinkTarget(address)).to.deep.equal({ kind: 'web', url });
    });
  }

  for (const address of ['file:///home/me/a.ts', 'ahp-session:/1', 'ahp-chat:/2/turn', 'ahp-root://']) {
    it(`reports ${address} to the page`, () => {
      expect(toLinkTarget(address)).to.deep.equal({ kind: 'resource', uri: address });
    });
  }

  for (const address of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'javascript\u0000:alert(1)',
    '%6aavascript:alert(1)',
    'vbscript:x',
    'data:text/html,<script>alert(1)</script>',
    'data:image/svg+xml,<svg onload=alert(1)>',
    'blob:https://example.com/1',
    'filesystem:https://example.com/1',
    'view-source:https://example.com',
    'about:blank',
    'ftp://example.com',
    'tel:123',
    'ws://example.com',
    'chrome://settings',
    'fi\nle:///etc/passwd',
    'file:///a\u0000b',
    'ahpx:/1',
    '//example.com/a',
    '/a',
    './a',
    '../a',
    '?a',
    '#a',
    'a/b.ts',
    'example.com',
    '',
    'https://',
    `https://example.com/${'a'.repeat(9000)}`,
  ]) {
    it(`follows nothing at ${JSON.stringify(address).slice(0, 60)}`, () => {
      expect(toLinkTarget(address)).to.equal(undefined);
    });
  }

  for (const written of [
    '[x](javascript:alert(1))',
    '[x](<javascript:alert(1)>)',
    '[x](java&#115;cript:alert(1))',
    '[x](javascript&colon;alert(1))',
    '[x](java&Tab;script:alert(1))',
    '[x](java&#10;script:alert(1))',
    '[x](&#x6A;avascript:alert(1))',
    '[x](%6aavascript:alert(1))',
    '[x](javascript\\:alert(1))',
    '<javascript:alert(1)>',
    '[x]\n\n[x]: javascript:alert(1)',
    '![x](javascript:alert(1))',
    '[<svg/onload=alert(1)//]()',
    '[x](data:text/html;base64,PHNjcmlwdD4=)',
  ]) {
    it(`makes no link of ${JSON.stringify(written)}`, () => {
      expect(linksOf(written).filter((token) => 'target' in token && token.target)).to.deep.equal([]);
    });
  }

  it('keeps the words of a link that leads nowhere', () => {
    expect(parseMarkdown('see [the *docs*](docs/a.md)')).to.deep.equal([
      {
        type: 'paragraph',
        content: [
          { type: 'text', text: 'see ' },
          { type: 'text', text: 'the ' },
          { type: 'emphasis', content: [{ type: 'text', text: 'docs' }] },
        ],
      },
    ]);
  });

  it('allows pictures of the named origins only', () => {
    const picture = toLinkTarget('https://example.com/a.png')!;

    expect(isAllowedOrigin(picture, ['https://example.com'])).to.equal(true);
    expect(isAllowedOrigin(picture, ['https://example.com:8443', 'http://example.com', 'https://example.co'])).to.equal(
      false,
    );
    expect(isAllowedOrigin(picture, [])).to.equal(false);
    expect(isAllowedOrigin(toLinkTarget('mailto:a@b.c')!, ['null'])).to.equal(false);
    expect(isAllowedOrigin(toLinkTarget('file:///a.png')!, ['null'])).to.equal(false);
  });
});

describe('character references', () => {
  for (const [written, text] of [
    ['a &amp; b', 'a & b'],
    ['&lt;b&gt;', '<b>'],
    ['&eacute;&Omega;&rarr;&euro;&check;', 'éΩ→€✓'],
    ['&#65;&#x1F600;', 'A😀'],
    ['&#0;&#xD800;&#x110000;', '\ufffd\ufffd\ufffd'],
    ['&amp;lt;', '&lt;'],
    ['&nosuchname; &amp &#; &#x;', '&nosuchname; &amp &#; &#x;'],
    ['AT&T', 'AT&T'],
  ] as const) {
    it(`reads ${written} as ${text}`, () => {
      expect(decodeEntities(written)).to.equal(text);
    });
  }
});
