import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { parseMarkdown } from '../../src/markdown/parse.js';
import { MarkdownStream, type BlockChange } from '../../src/markdown/stream.js';
import type { Block, Inline, ListBlock } from '../../src/markdown/tokens.js';
import { corpus } from './corpus.js';

/** Feeds `text` up to each of the places, and then the end of it. */
function stream(text: string, places: readonly number[]): readonly Block[] {
  const parser = new MarkdownStream();
  for (const place of places) parser.update(text.slice(0, place));
  parser.finish(text);
  return parser.reconcile().blocks;
}

const everyPlace = (text: string) => Array.from({ length: text.length }, (_, i) => i + 1);

/** What was shown after each character. */
function steps(text: string): readonly (readonly Block[])[] {
  const parser = new MarkdownStream();
  return everyPlace(text).map((place) => parser.update(text.slice(0, place)).blocks);
}

const textOf = (value: readonly (Block | Inline)[]): string =>
  value
    .map((token) => {
      if ('text' in token) return token.text;
      if ('content' in token) return textOf(token.content);
      if ('blocks' in token) return textOf(token.blocks);
      return token.type === 'list' ? token.items.map(({ blocks }) => textOf(blocks)).join('\n') : '';
    })
    .join('');

const contentOf = (block: Block | undefined) => (block && 'content' in block ? block.content : []);

describe('Markdown that arrives in pieces', () => {
  it('has enough of all kinds to be tried on', () => {
    expect(new Set(corpus).size).to.be.at.least(150);
  });

  for (const text of corpus) {
    it(`ends as at once: ${JSON.stringify(text).slice(0, 70)}`, () => {
      expect(stream(text, everyPlace(text))).to.deep.equal(parseMarkdown(text));
    });
  }

  it('ends as at once, whatever documents follow each other and wherever they are cut', () => {
    const document = fc
      .array(fc.tuple(fc.constantFrom(...corpus), fc.constantFrom('', '\n', '\n\n', '  ', '> ', '- ')), {
        minLength: 1,
        maxLength: 4,
      })
      .map((parts) => parts.flat().join(''));

    fc.assert(
      fc.property(document, fc.array(fc.nat(), { maxLength: 30 }), (text, cuts) => {
        const places = cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b);
        expect(stream(text, places)).to.deep.equal(parseMarkdown(text));
      }),
      { numRuns: 400 },
    );
  });

  it('ends as at once for text of nothing but marks', () => {
    const marks = fc
      .array(fc.constantFrom(...'#*_`~[](){}<>!|-+=:.\\$&1 a\n\t'), { maxLength: 60 })
      .map((characters) => characters.join(''));

    fc.assert(
      fc.property(marks, (text) => {
        expect(stream(text, everyPlace(text))).to.deep.equal(parseMarkdown(text));
      }),
      { numRuns: 500 },
    );
  });

  it('keeps finished blocks as the objects they are', () => {
    const parser = new MarkdownStream();
    const text = '# A\n\nb\n\n- c\n- d\n\n| e |\n|---|\n| f |\n\n```\ng\n```\n\nh';
    const seen: BlockChange[] = [];

    for (const place of everyPlace(text)) seen.push(parser.update(text.slice(0, place)));
    const last = parser.finish(text);

    const finished = seen.map(({ blocks }) => blocks).findLast((blocks) => blocks.length === 5)!;
    expect(last.blocks.slice(0, 5).every((block, i) => block === finished[i])).to.equal(true);
    expect(last.from).to.equal(5);
  });

  it('says from where on something has changed', () => {
    const parser = new MarkdownStream();
    parser.update('a\n\nb\n\nc');

    expect(parser.update('a\n\nb\n\nc d').from).to.equal(2);
    expect(parser.update('a\n\nb\n\nc d').from).to.equal(3);
  });

  it('keeps the items of an open list but for the last two', () => {
    const parser = new MarkdownStream();
    const before = parser.update('- a\n- b\n- c\n- d\n- e').blocks[0] as ListBlock;
    const after = parser.update('- a\n- b\n- c\n- d\n- e f\n- g').blocks[0] as ListBlock;

    expect(after.items).to.have.length(6);
    expect(after.items.slice(0, 3).every((item, i) => item === before.items[i])).to.equal(true);
  });

  it('keeps the rows of an open table', () => {
    const parser = new MarkdownStream();
    const head = '| a |\n|---|\n';
    const before = parser.update(`${head}| 1 |\n| 2 |\n`).blocks[0];
    const after = parser.update(`${head}| 1 |\n| 2 |\n| 3 |\n`).blocks[0];

    expect(before?.type === 'table' && after?.type === 'table' && after.rows.slice(0, 2)).to.deep.equal(
      before?.type === 'table' && before.rows,
    );
    expect(before?.type === 'table' && after?.type === 'table' && after.rows[0] === before.rows[0]).to.equal(true);
  });

  it('starts anew when the text is another one, and when a finished one goes on', () => {
    const parser = new MarkdownStream();
    parser.update('# a\n\nb');

    expect(textOf(parser.update('# c\n\nd').blocks)).to.equal('cd');
    expect(textOf(parser.finish('# c\n\nd').blocks)).to.equal('cd');
    expect(textOf(parser.update('# c\n\nd e').blocks)).to.equal('cd e');
  });

  it('takes a line break that arrives in two halves', () => {
    const parser = new MarkdownStream();
    parser.update('a\r');
    parser.update('a\r\n');

    expect(parser.finish('a\r\n\r\nb').blocks).to.deep.equal(parseMarkdown('a\n\nb'));
  });

  it('resolves a link whose definition comes later, and keeps every other block', () => {
    const parser = new MarkdownStream();
    const text = 'see [docs]\n\nother\n\n[docs]: https://example.com';
    parser.update(text);
    const { blocks: before } = parser.finish(text);
    expect(parser.needsReconcile).to.equal(true);

    const { blocks, from } = parser.reconcile();

    expect(from).to.equal(0);
    expect(contentOf(blocks[0])[1]?.type).to.equal('link');
    expect(blocks[1]).to.equal(before[1]);
    expect(parser.needsReconcile).to.equal(false);
  });

  it('uses a definition that came before', () => {
    const parser = new MarkdownStream();
    parser.update('[docs]: https://example.com\n\ntext\n\n');

    const { blocks } = parser.update('[docs]: https://example.com\n\ntext\n\nsee [docs] now');

    expect(contentOf(blocks[1])[1]?.type).to.equal('link');
  });
});

describe('what is shown of half-arrived Markdown', () => {
  /** Every step of `text`, as its plain text. */
  const texts = (text: string) => steps(text).map(textOf);
  const hasLink = (blocks: readonly Block[]): boolean => JSON.stringify(blocks).includes('"link"');

  it('is the words of a link, never its brackets, and never a link to a cut address', () => {
    const text = 'see [docs](https://example.com/a_b) here';
    const complete = text.indexOf(')') + 1;

    steps(text).forEach((blocks, i) => {
      expect(textOf(blocks)).to.match(/^see( d?o?c?s?)?( h?e?r?e?)?$|^se?e?$/);
      expect(hasLink(blocks)).to.equal(i + 1 >= complete);
    });
  });

  for (const text of [
    'a [b *c* `d`](https://example.com/e_f "g h") i',
    'a [b][c] d\n\n[c]: https://example.com',
    'a ![b](https://example.com/c.png) d',
    'a [![b](https://example.com/c.svg)](https://example.com/d) e',
  ]) {
    it(`never shows the inside of ${text}`, () => {
      for (const shown of texts(text).map((step) => step.replace('[b][c]', '')))
        expect(shown).not.to.match(/\]\(|https|\]$/);
    });
  }

  it('is the text of a bare address until it has ended', () => {
    const text = 'see https://example.com/a_(b), then';
    const end = text.indexOf(', then') + 2;

    steps(text).forEach((blocks, i) => {
      expect(hasLink(blocks)).to.equal(i + 1 >= end);
    });
  });

  it('is bold from the first letter on, without asterisks', () => {
    for (const shown of texts('a **bold *and italic* words** b')) expect(shown).not.to.contain('*');
    expect(JSON.stringify(steps('a **bo').at(-1))).to.contain('"strong"');
  });

  it('is code from the first letter on, without backticks', () => {
    for (const shown of texts('a `code` and ``co`de`` b').filter((step) => !step.includes('co`de'))) {
      expect(shown).not.to.match(/`(?!d)/);
    }
  });

  it('leaves stray marks alone', () => {
    expect(texts('2 * 3 is 6').at(-1)).to.equal('2 * 3 is 6');
    expect(texts('snake_case_na').at(-1)).to.equal('snake_case_na');
    expect(texts('array[0').at(-1)).to.equal('array[0');
    expect(texts('note[^1').at(-1)).to.equal('note[^1');
  });

  it('gives up on a mark that has been open for long', () => {
    const text = `a **b ${'word '.repeat(200)}`;

    expect(textOf(steps(text).at(-1)!)).to.contain('**b');
  });

  it('never takes a marker for something else', () => {
    for (const text of [
      'text\n- item',
      'text\n\n- item',
      'text\n\n1. item',
      'text\n\n> quote',
      'text\n\n# heading',
      'text\n\n---\n\nmore',
    ]) {
      const types = new Set(steps(text).map((blocks) => blocks.map(({ type }) => type).join()));
      expect([...types].filter((seen) => seen.includes('heading') && !text.includes('#'))).to.deep.equal([]);
      for (const shown of texts(text)) expect(shown).not.to.match(/[-#>]|\d/);
    }
  });

  it('is a number as soon as it can be no marker, also while more may come', () => {
    const shown = { '42 ': '42', '4 3 2 1 0 ': '4 3 2 1 0', '10:30': '10:30', '- 1 0': '1 0', 'so:\n\n7 ': 'so:7' };
    for (const [text, words] of Object.entries(shown)) {
      expect(textOf(new MarkdownStream().update(text).blocks)).to.equal(words);
    }
    for (const text of ['4', '42.', '42. ', '7)', '- 1']) {
      expect(textOf(new MarkdownStream().update(text).blocks), text).to.equal('');
    }
  });

  it('shows a table once its delimiter row is whole, and a row once it is', () => {
    const text = 'text\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n| 3 | 4 |\n';
    const delimited = text.indexOf('--:|\n') + 5;

    steps(text).forEach((blocks, i) => {
      const table = blocks[1];
      expect(table?.type).to.equal(i + 1 >= delimited ? 'table' : undefined);
      if (table?.type === 'table') for (const row of table.rows) expect(row).to.have.length(2);
    });
    expect(
      steps(text)
        .map((blocks) => (blocks[1]?.type === 'table' ? blocks[1].rows.length : 0))
        .at(-1),
    ).to.equal(2);
  });

  it('shows a line with pipes that is no table as text', () => {
    expect(textOf(steps('| a | b |\nand text').at(-1)!)).to.equal('| a | b |\nand text');
  });

  it('shows code as it comes, and its fence never', () => {
    const shown = texts('a\n\n```sh\necho $A $B \\( x\n```\n\nb');

    for (const step of shown) expect(step).not.to.match(/```|sh$|``/);
    expect(shown).to.include('aecho $A $B \\( ');
  });

  it('appends to an open fence only', () => {
    let before = '';
    for (const blocks of steps('```ts\nconst a = `\n``x`;\n  // ``\n\n```')) {
      const code = blocks[0]?.type === 'code' ? blocks[0].text : '';
      expect(code.startsWith(before)).to.equal(true);
      before = code;
    }
    expect(before).to.equal('const a = `\n``x`;\n  // ``\n');
  });

  it('leaves prices, variables and formulas as they are written', () => {
    for (const text of ['$5 to $10', '$HOME and $PATH', '$$x^2$$', '\\(x\\)', '\\[x\\]']) {
      const content = contentOf(steps(text).at(-1)![0]);
      expect(
        content.map((token) => ('source' in token ? token.source : 'text' in token ? token.text : '')),
      ).to.deep.equal([text]);
    }
  });

  it('keeps a list whole while its items become loose', () => {
    for (const blocks of steps('1. long text\n2. second\n\n3. third')) {
      expect(blocks.length).to.be.at.most(1);
      const list = blocks[0];
      if (list) expect(list.type).to.equal('list');
      if (list?.type === 'list') for (const item of list.items) expect(item.blocks[0]?.type).to.equal('paragraph');
    }
  });

  it('shows nothing of a definition', () => {
    for (const shown of texts('[docs]: https://example.com "T"\n\ntext')) expect(shown).not.to.contain('http');
  });

  it('shows all of it in the end, held back or not', () => {
    for (const text of ['a\n-', 'a\n\n1.', '| a', '```', '[a', '**', 'a `', '\\', '> ', '- [ ]', '#']) {
      const parser = new MarkdownStream();
      for (const place of everyPlace(text)) parser.update(text.slice(0, place));
      expect(parser.finish(text).blocks).to.deep.equal(parseMarkdown(text));
    }
  });
});
