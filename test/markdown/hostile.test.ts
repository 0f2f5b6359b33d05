import { expect } from '@open-wc/testing';
import { parseMarkdown } from '../../src/markdown/parse.js';
import { MarkdownStream } from '../../src/markdown/stream.js';
import type { Block, Inline } from '../../src/markdown/tokens.js';
import { hostileInputs } from './hostile-input.js';

/** WebKit takes up to 60 times as long for some rules, and copies what is left of the text for each block it has found. */
const isWebKit = !('chrome' in globalThis) && /AppleWebKit/.test(navigator.userAgent);
const LENGTH = isWebKit ? 16_000 : 50_000;

/** How many tokens stand in each other. */
function depthOf(tokens: readonly (Block | Inline)[]): number {
  let depth = 0;
  for (const token of tokens) {
    const inner: (Block | Inline)[] = [];
    if ('content' in token) inner.push(...token.content);
    if ('blocks' in token) inner.push(...token.blocks);
    if (token.type === 'list') for (const { blocks } of token.items) inner.push(...blocks);
    if (token.type === 'table') for (const cells of [token.head, ...token.rows]) inner.push(...cells.flat());
    depth = Math.max(depth, 1 + depthOf(inner));
  }
  return depth;
}

describe('hostile Markdown', () => {
  for (const [name, create] of Object.entries(hostileInputs)) {
    it(`is taken in stride: ${name}`, () => {
      const text = create(LENGTH);

      const blocks = parseMarkdown(text);

      expect(depthOf(blocks)).to.be.below(80);
    });

    it(`ends as at once when it arrives in pieces: ${name}`, () => {
      const text = create(6_000);
      const stream = new MarkdownStream();

      for (let end = 0; end < text.length; end += 500) stream.update(text.slice(0, end));
      stream.finish(text);

      expect(stream.reconcile().blocks).to.deep.equal(parseMarkdown(text));
    });
  }

  it('keeps the text that is too deep for lists', () => {
    const text = JSON.stringify(parseMarkdown(`${'- 1. '.repeat(5_000)}the end`));

    expect(text).to.contain('the end');
  });

  it('shows text beyond a megabyte as it is', () => {
    const block = `${'a'.repeat(isWebKit ? 1_000 : 1)}\n\n`;
    const text = `${block.repeat(1_200_000 / block.length)}**the end**`;

    const last = parseMarkdown(text).at(-1)!;

    expect(last.type).to.equal('literal');
    expect(last.type === 'literal' && last.text.endsWith('**the end**')).to.equal(true);
  }).timeout(60_000);

  it('takes a mark of emphasis that goes on and on for text, and what is around it for what it is', () => {
    const run = '*'.repeat(500);
    const [paragraph, ...more] = parseMarkdown(`${'word '.repeat(300)}**bold** ${run}a${run} *end*`);

    expect(more).to.deep.equal([]);
    const content = paragraph?.type === 'paragraph' ? paragraph.content : [];
    const text = content.map((token) => (token.type === 'text' ? token.text : '')).join('');
    expect(text).to.contain(`${run}a${run}`);
    expect(content.map(({ type }) => type).filter((type) => type !== 'text')).to.deep.equal(['strong', 'emphasis']);
  });

  it('makes a long run of words one paragraph whose emphasis is whole', () => {
    const text = 'some **bold** words and `code` here, '.repeat(2_000);

    const [paragraph, ...more] = parseMarkdown(text);

    expect(more).to.deep.equal([]);
    const content = paragraph?.type === 'paragraph' ? paragraph.content : [];
    expect(content.filter(({ type }) => type === 'strong')).to.have.length(2_000);
    expect(content.filter(({ type }) => type === 'code-span')).to.have.length(2_000);
    for (const token of content) if (token.type === 'text') expect(token.text).not.to.match(/[*`]/);
  });
});
