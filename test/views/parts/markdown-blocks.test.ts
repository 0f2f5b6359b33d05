import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { en } from '../../../src/i18n/en.js';
import { parseMarkdown } from '../../../src/markdown/parse.js';
import { MarkdownStream, type BlockChange } from '../../../src/markdown/stream.js';
import { BlocksView } from '../../../src/views/parts/markdown-blocks.js';
import type { MarkdownContext } from '../../../src/views/parts/markdown-context.js';
import { outline } from '../../helpers/outline.js';
import { answers, corpus } from '../../markdown/corpus.js';

const context: MarkdownContext = {
  strings: en,
  mayLoad: () => false,
  onCode: () => undefined,
  onScrollBox: () => undefined,
};
/** All that can be told from outside, apart from how text is spread over nodes. */
const attributes = ['href', 'start', 'class', 'dir', 'style', 'title', 'scope', 'role', 'aria-label'];

function createView(): { readonly root: HTMLElement; readonly view: BlocksView } {
  const root = document.createElement('div');
  return { root, view: new BlocksView(root, context) };
}

function showAtOnce(text: string): string {
  const { root, view } = createView();
  view.update({ blocks: parseMarkdown(text), from: 0 });
  return outline(root, attributes);
}

function showStreamed(text: string, places: readonly number[]): string {
  const { root, view } = createView();
  const stream = new MarkdownStream();
  for (const place of places) view.update(stream.update(text.slice(0, place)));
  view.update(stream.finish(text));
  view.update(stream.reconcile());
  return outline(root, attributes);
}

describe('the nodes of Markdown that arrives in pieces', () => {
  for (const text of corpus) {
    it(`end as at once: ${JSON.stringify(text).slice(0, 70)}`, () => {
      const places = Array.from({ length: text.length }, (_, i) => i + 1);

      expect(showStreamed(text, places)).to.equal(showAtOnce(text));
    });
  }

  it('end as at once, whatever documents follow each other and wherever they are cut', () => {
    const document = fc
      .array(fc.constantFrom(...corpus), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.join('\n\n'));

    fc.assert(
      fc.property(document, fc.array(fc.nat(), { maxLength: 20 }), (text, cuts) => {
        const places = cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b);
        expect(showStreamed(text, places)).to.equal(showAtOnce(text));
      }),
      { numRuns: 100 },
    );
  });

  it('are what the text says at each step, whatever was shown before', () => {
    for (const text of corpus) {
      const { root, view } = createView();
      const stream = new MarkdownStream();
      for (let place = 1; place <= text.length; place += 1) {
        const change = stream.update(text.slice(0, place));
        view.update(change);
        const fresh = createView();
        fresh.view.update({ blocks: change.blocks, from: 0 });
        expect(outline(root, attributes)).to.equal(outline(fresh.root, attributes));
      }
    }
  }).timeout(60_000);

  it('are added once: nothing finished is made again', () => {
    const text = answers.join('\n\n');
    const { root, view } = createView();
    const stream = new MarkdownStream();
    const observer = new MutationObserver(() => undefined);
    observer.observe(root, { childList: true, subtree: true });
    const count = (node: Node): number => 1 + [...node.childNodes].reduce((sum, child) => sum + count(child), 0);
    let added = 0;
    const show = (change: BlockChange) => {
      view.update(change);
      for (const { addedNodes } of observer.takeRecords()) for (const node of addedNodes) added += count(node);
    };

    for (let place = 0; place <= text.length; place += 3) show(stream.update(text.slice(0, place)));
    show(stream.finish(text));
    show(stream.reconcile());

    expect(added / (count(root) - 1)).to.be.below(1.1);
  });

  it('are mended when somebody else has changed them', () => {
    const { root, view } = createView();
    view.update({ blocks: parseMarkdown('a *b* c'), from: 0 });
    // A translator wraps the text it has translated.
    const font = document.createElement('font');
    font.append('translated');
    root.querySelector('p')!.replaceChildren(font);

    view.update({ blocks: parseMarkdown('a *b* c d'), from: 0 });

    expect(outline(root)).to.equal('<p>a <em>b</em> c d</p>');
  });

  it('hold long code in nodes of at most 8 KiB, each ending behind a line or word', () => {
    const { root, view } = createView();
    const stream = new MarkdownStream();
    const code = 'const a = 1; // some words\n'.repeat(2000);
    const text = `\`\`\`ts\n${code}\`\`\``;

    for (let place = 0; place < text.length; place += 997) view.update(stream.update(text.slice(0, place)));
    view.update(stream.finish(text));

    const nodes = [...root.querySelector('code')!.childNodes] as Text[];
    expect(nodes.length).to.be.within(7, 10);
    expect(Math.max(...nodes.map(({ length }) => length))).to.be.at.most(8192);
    expect(root.querySelector('code')!.textContent).to.equal(code.slice(0, -1));
  });

  it('fill up short rows of a table, but not without end', () => {
    const { root, view } = createView();
    const head = `|${'a|'.repeat(100)}\n|${'-|'.repeat(100)}\n`;

    view.update({ blocks: parseMarkdown(`${head}${'|b|\n'.repeat(2000)}`), from: 0 });

    expect(root.querySelectorAll('tr')).to.have.length(2001);
    expect(root.querySelectorAll('td').length).to.be.below(4200);
    expect(root.querySelector('tbody tr')!.children).to.have.length(100);
  });

  it('make room for the longest number of a list', () => {
    const { root, view } = createView();
    const digits = () => root.querySelector<HTMLElement>('ol')!.style.getPropertyValue('--_digits');

    view.update({ blocks: parseMarkdown('1. a'), from: 0 });
    expect(digits()).to.equal('2');
    view.update({ blocks: parseMarkdown(Array.from({ length: 120 }, (_, i) => `${i + 1}. a`).join('\n')), from: 0 });
    expect(digits()).to.equal('3');
    view.update({ blocks: parseMarkdown('998. a\n999. b\n1000. c'), from: 0 });
    expect(digits()).to.equal('4');
  });
});
