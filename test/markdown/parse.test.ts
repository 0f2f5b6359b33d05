import { expect } from '@open-wc/testing';
import { parseMarkdown } from '../../src/markdown/parse.js';
import type { Block, Inline } from '../../src/markdown/tokens.js';

const only = <T extends Block['type']>(markdown: string, type: T): Extract<Block, { type: T }> => {
  const [block, ...more] = parseMarkdown(markdown);
  expect(more).to.deep.equal([]);
  expect(block?.type).to.equal(type);
  return block as Extract<Block, { type: T }>;
};
const inline = (markdown: string): readonly Inline[] => only(markdown, 'paragraph').content;
const text = (value: string): Inline => ({ type: 'text', text: value });
const paragraph = (value: string): Block => ({ type: 'paragraph', content: [text(value)] });

describe('Markdown as tokens', () => {
  it('reads headings of both kinds', () => {
    expect(
      parseMarkdown('# A\n\n###### B ##\n\nC\n===\n\nD\n---').map((block) => block.type === 'heading' && block.level),
    ).to.deep.equal([1, 6, 1, 2]);
  });

  it('reads emphasis, strike, code and hard breaks', () => {
    expect(inline('**a** *b* ~~c~~ `d`  \ne')).to.deep.equal([
      { type: 'strong', content: [text('a')] },
      text(' '),
      { type: 'emphasis', content: [text('b')] },
      text(' '),
      { type: 'strike', content: [text('c')] },
      text(' '),
      { type: 'code-span', text: 'd' },
      { type: 'break' },
      text('e'),
    ]);
  });

  it('joins text that the lexer has cut up', () => {
    expect(inline('a \\* b &amp; c & d')).to.deep.equal([text('a * b & c & d')]);
  });

  it('reads links, titles and bare addresses', () => {
    const web = (url: string) => ({ kind: 'web', url }) as const;
    expect(
      inline('[a](https://a.example "t &amp; u") https://b.example/x, <https://c.example> d@e.example'),
    ).to.deep.equal([
      { type: 'link', target: web('https://a.example/'), title: 't & u', bare: false, content: [text('a')] },
      text(' '),
      {
        type: 'link',
        target: web('https://b.example/x'),
        title: undefined,
        bare: true,
        content: [text('https://b.example/x')],
      },
      text(', '),
      {
        type: 'link',
        target: web('https://c.example/'),
        title: undefined,
        bare: false,
        content: [text('https://c.example')],
      },
      text(' '),
      { type: 'link', target: web('mailto:d@e.example'), title: undefined, bare: true, content: [text('d@e.example')] },
    ]);
  });

  it('reads a reference before and after its definition', () => {
    for (const markdown of ['[a]\n\n[a]: https://a.example', '[a]: https://a.example\n\n[a]']) {
      expect(only(markdown, 'paragraph').content[0]?.type).to.equal('link');
    }
  });

  it('reads pictures without loading anything', () => {
    expect(inline('![a *b*](https://a.example/b.png "t")')).to.deep.equal([
      { type: 'image', target: { kind: 'web', url: 'https://a.example/b.png' }, alt: 'a *b*', title: 't' },
    ]);
    expect(inline('![a](data:image/png;base64,AAAA)')).to.deep.equal([
      { type: 'image', target: undefined, alt: 'a', title: undefined },
    ]);
  });

  it('shows raw HTML as text, as a block and in a line', () => {
    expect(parseMarkdown('<div onclick="x()">\n*a*\n</div>\n\nb <img src=x onerror=x()> c')).to.deep.equal([
      { type: 'literal', text: '<div onclick="x()">\n*a*\n</div>' },
      paragraph('b <img src=x onerror=x()> c'),
    ]);
  });

  it('reads fences with a language, and indented code without', () => {
    expect(parseMarkdown('```ts title=x\na\n\n  b\n```\n\n~~~\n```\n~~~\n\n    c\n')).to.deep.equal([
      { type: 'code', language: 'ts', text: 'a\n\n  b', open: false },
      { type: 'code', language: '', text: '```', open: false },
      { type: 'code', language: '', text: 'c', open: false },
    ]);
  });

  it('takes the indentation of a fence off its lines', () => {
    for (const fence of ['```', '~~~']) {
      expect(only(`  ${fence}\n  a\n    b\n c\n  ${fence}`, 'code').text).to.equal('a\n  b\nc');
    }
  });

  it('ends an open fence with the text', () => {
    expect(only('```sh\necho $A $B \\( x', 'code')).to.deep.equal({
      type: 'code',
      language: 'sh',
      text: 'echo $A $B \\( x',
      open: false,
    });
  });

  it('tells tight lists from loose ones, and holds text in paragraphs in both', () => {
    const tight = only('- a\n- b', 'list');
    const loose = only('- a\n\n- b', 'list');

    expect(tight.loose).to.equal(false);
    expect(loose.loose).to.equal(true);
    expect(tight.items).to.deep.equal(loose.items);
  });

  it('reads the number an ordered list starts with', () => {
    expect(only('998. a\n999. b', 'list')).to.include({ ordered: true, start: 998 });
    expect(only('0) a', 'list')).to.include({ ordered: true, start: 0 });
  });

  it('reads tasks, in tight and loose lists', () => {
    for (const markdown of ['- [ ] a\n- [x] b\n- c', '- [ ] a\n\n- [X] b\n\n- c']) {
      const { items } = only(markdown, 'list');
      expect(items.map(({ checked }) => checked)).to.deep.equal([false, true, undefined]);
      expect(items.map(({ blocks }) => blocks)).to.deep.equal([[paragraph('a')], [paragraph('b')], [paragraph('c')]]);
    }
  });

  it('nests lists and quotes', () => {
    const outer = only('1. a\n   - b\n     1. c\n        - d', 'list');
    const depth = (block: Block | undefined): number =>
      block?.type === 'list' ? 1 + depth(block.items[0]?.blocks[1]) : 0;

    expect(depth(outer)).to.equal(4);
    expect(only('> a\n>> b', 'quote').blocks[1]?.type).to.equal('quote');
  });

  it('reads tables with alignment, escaped pipes and short rows', () => {
    const table = only('| a | b | c |\n|:--|:-:|--:|\n| x \\| y | **z** |\n| 1 | 2 | 3 | 4 |', 'table');

    expect(table.align).to.deep.equal(['start', 'center', 'end']);
    expect(table.head).to.deep.equal([[text('a')], [text('b')], [text('c')]]);
    expect(table.rows).to.deep.equal([
      [[text('x | y')], [{ type: 'strong', content: [text('z')] }]],
      [[text('1')], [text('2')], [text('3')]],
    ]);
  });

  it('reads a table without outer pipes, and ends it at a blank line', () => {
    expect(parseMarkdown('a | b\n-|-\nc | d\n\ne | f').map(({ type }) => type)).to.deep.equal(['table', 'paragraph']);
  });

  it('leaves prices and variables alone', () => {
    for (const line of ['$5 to $10', '$HOME and $PATH', 'Q1 ($100K), Q2 ($115K)', 'a $$ b']) {
      expect(inline(line)).to.deep.equal([text(line)]);
    }
  });

  it('keeps a formula as it was written', () => {
    for (const [source, display] of [
      ['\\(x_1 * y_1 * z\\)', false],
      ['\\[a \\\\ b\\]', true],
      ['$$x^2 \\\\ *y*$$', true],
    ] as const) {
      expect(inline(`a ${source} b`)).to.deep.equal([text('a '), { type: 'math', source, display }, text(' b')]);
    }
  });

  it('reads an escaped parenthesis that opens no formula as a parenthesis', () => {
    expect(inline('\\(a and \\[b')).to.deep.equal([text('(a and [b')]);
  });

  it('leaves footnotes as they are written', () => {
    expect(inline('a[^1]')).to.deep.equal([text('a[^1]')]);
  });

  it('takes every kind of line break', () => {
    expect(parseMarkdown('a\r\n\r\nb\rc')).to.deep.equal([paragraph('a'), paragraph('b\nc')]);
  });

  it('shows nothing of nothing', () => {
    for (const markdown of ['', ' ', '\n\n', '[a]: https://a.example'])
      expect(parseMarkdown(markdown)).to.deep.equal([]);
  });
});
