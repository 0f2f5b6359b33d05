import { aTimeout, expect } from '@open-wc/testing';
import { sendMouse, setViewport } from '@web/test-runner-commands';
import { html, render } from 'lit';
import { registerLanguage } from '../../../src/i18n/registry.js';
import { en } from '../../../src/i18n/en.js';
import { whenIdle } from '../../../src/views/idle.js';
import type { AhpMarkdown } from '../../../src/views/parts/ahp-markdown.js';
import { deepFocus, find, findAll, findButton, frame, press } from '../../helpers/views.js';
import { markdownFixture, show, until } from '../../helpers/markdown.js';
import { outline } from '../../helpers/outline.js';

/** Shows `text` in steps of `size` characters, from behind what is shown already. */
async function stream(element: AhpMarkdown, text: string, size = 1): Promise<void> {
  for (let end = element.text.length; end < text.length; end += size) await show(element, text.slice(0, end + size));
}

async function finish(element: AhpMarkdown): Promise<void> {
  element.streaming = false;
  await element.updateComplete;
}

/** The page has been idle: what was put off until then is done. */
const idle = () => new Promise<void>((resolve) => whenIdle(resolve));

/** A task of its own, as a message from a host is. */
const nextTask = () => aTimeout(0);

const centre = (element: Element): [number, number] => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [Math.round(x + width / 2), Math.round(y + height / 2)];
};

/** What is selected in the tree of `element`, read the way that works in every engine and root. */
function selectedText(element: Element): string {
  const range = getSelection()!.getComposedRanges({ shadowRoots: [element.getRootNode() as ShadowRoot] })[0]!;
  const { startContainer, startOffset, endContainer, endOffset } = range;
  if (startContainer !== endContainer) return '';
  return startContainer.textContent!.slice(startOffset, endOffset);
}

function select(node: Node, from: number, to: number): void {
  getSelection()!.setBaseAndExtent(node, from, node, to);
}

describe('ahp-markdown while it streams', () => {
  it('writes no more than once in a frame', async () => {
    const element = await markdownFixture({ streaming: true });
    let writes = 0;
    const observer = new MutationObserver(() => (writes += 1));
    observer.observe(element, { childList: true, subtree: true, characterData: true });

    await frame();
    const start = await frame();
    for (let i = 0; i < 50; i += 1) {
      element.text += 'word ';
      await nextTask();
    }
    await element.updateComplete;
    const end = await frame();

    expect(writes).to.be.at.most(Math.ceil((end - start) / 16) + 2);
    expect(element.textContent).to.equal(element.text.trimEnd());
  });

  it('shows what has come when it is told to stop, at once', async () => {
    const element = await markdownFixture({ streaming: true });
    element.text = 'a';
    await element.updateComplete;
    element.text = 'a **b';
    element.streaming = false;
    await element.updateComplete;

    expect(outline(element)).to.equal('<p>a **b</p>');
  });

  it('keeps a selection in a finished block and in the open one, through the end of the turn', async () => {
    const element = await markdownFixture({ streaming: true });
    const text = 'First paragraph with words.\n\nSecond goes on';
    await show(element, text);
    for (const paragraph of [0, 1]) {
      const node = findAll(element, 'p')[paragraph]!.firstChild as Text;
      select(node, 6, 14);
      const selected = selectedText(element);
      expect(selected).to.have.length(8);

      for (const more of [
        ' and on',
        ' and **bold**',
        '\n- list\n- more',
        '\n\n```js\ncode\n```\n',
        '\n\n[late]: https://example.com',
      ]) {
        await show(element, element.text + more);
        expect(selectedText(element)).to.equal(selected);
      }
      await finish(element);
      await idle();
      expect(selectedText(element)).to.equal(selected);
      element.streaming = true;
      await show(element, text);
    }
  });

  it('copies the code so far when the press began before more of it came', async () => {
    const element = await markdownFixture({ streaming: true, text: 'a\n\n```js\none\n' });
    const copied: string[] = [];
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: async (text: string) => void copied.push(text) },
    });
    const button = findButton(element, 'Copy');
    const [x, y] = centre(button);

    await sendMouse({ type: 'move', position: [x, y] });
    await sendMouse({ type: 'down' });
    await show(element, `${element.text}two\n`);
    await sendMouse({ type: 'up' });

    await until(() => copied.length > 0);
    expect(copied).to.deep.equal(['one\ntwo']);
    expect(findButton(element, 'Copied')).to.equal(button);
    button.dispatchEvent(new Event('pointerleave'));
    expect(button.textContent).to.equal('Copy');
    Reflect.deleteProperty(navigator, 'clipboard');
  });

  it('keeps the copy button, and the focus on it, when the turn ends', async () => {
    const element = await markdownFixture({ streaming: true, text: '```js\none\n' });
    const button = findButton(element, 'Copy');
    button.focus();

    await show(element, '```js\none\n```\n\nand [a]\n\n[a]: https://example.com');
    await finish(element);
    await idle();

    expect(findButton(element, 'Copy')).to.equal(button);
    expect(deepFocus()).to.equal(button);
  });

  it('says so when the browser refuses to copy', async () => {
    const element = await markdownFixture({ text: '```\na\n```' });
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: () => Promise.reject(new DOMException('no', 'NotAllowedError')) },
    });
    const original = document.execCommand.bind(document);
    document.execCommand = () => false;
    const button = findButton(element, 'Copy');

    button.focus();
    await press('Enter');
    await until(() => button.textContent !== 'Copy');

    expect(button.textContent).to.equal(en.copyFailed);
    expect(deepFocus()).to.equal(button);
    document.execCommand = original;
    Reflect.deleteProperty(navigator, 'clipboard');
  });

  it('keeps the first line of an item beside its marker while the list becomes loose', async () => {
    const element = await markdownFixture({ streaming: true });
    const text = '1. long text\n2. second\n\n3. third\n\n   more of it';

    for (let end = 1; end <= text.length; end += 1) {
      await show(element, text.slice(0, end));
      for (const item of findAll(element, 'li')) {
        const first = item.firstElementChild;
        if (!first) continue;
        expect(first.localName).to.equal('p');
        expect(first.getBoundingClientRect().top - item.getBoundingClientRect().top).to.be.below(1);
      }
    }
  });

  it('does not move what stands there when more comes behind it', async () => {
    const element = await markdownFixture({ streaming: true });
    const text = '# A\n\nb c d\n\n- e\n- f\n\n```js\ng\nh\n```\n\n| i | j |\n|---|---|\n| k | l |\n\nm';
    const tops = new Map<Element, number>();

    for (let end = 1; end <= text.length; end += 1) {
      await show(element, text.slice(0, end));
      for (const block of element.children) {
        const top = block.getBoundingClientRect().top - element.getBoundingClientRect().top;
        if (tops.has(block)) expect(top).to.be.closeTo(tops.get(block)!, 0.1);
        tops.set(block, top);
      }
    }
  });

  it('changes the width of a table on the ends of rows only', async () => {
    const element = await markdownFixture({ streaming: true });
    const text = `| a | b |\n|---|---|\n${Array.from({ length: 20 }, (_, i) => `| ${'cell '.repeat(i % 5)} | ${i} |`).join('\n')}\n`;
    let width = 0;

    for (let end = 1; end <= text.length; end += 1) {
      await show(element, text.slice(0, end));
      const now = element.querySelector('table')?.getBoundingClientRect().width ?? 0;
      if (now !== width) expect(text[end - 1]).to.equal('\n');
      width = now;
    }
    expect(width).to.be.above(0);
  });

  it('stands still when the page is hidden no longer than a timer takes', async () => {
    const element = await markdownFixture({ streaming: true, text: 'a' });
    Object.defineProperty(document, 'hidden', { configurable: true, value: true });
    document.dispatchEvent(new Event('visibilitychange'));

    element.text = 'a b';
    await element.updateComplete;

    expect(element.textContent).to.equal('a b');
    Reflect.deleteProperty(document, 'hidden');
    document.dispatchEvent(new Event('visibilitychange'));
  });

  it('has a caret at the end of the text, and none once it has ended', async () => {
    const element = await markdownFixture({ streaming: true });
    const carets = () => findAll(element, '.md-caret').map(({ localName }) => localName);
    for (const [text, tag] of [
      ['a', 'p'],
      ['# a', 'h1'],
      ['- a\n  - b', 'p'],
      ['> a', 'p'],
      ['```\na', 'code'],
    ] as const) {
      await show(element, text);
      expect(carets()).to.deep.equal([tag]);
    }

    await show(element, '| a |\n|---|\n');
    expect(carets()).to.deep.equal([]);
    await show(element, 'a');
    await finish(element);
    expect(carets()).to.deep.equal([]);
    expect(element.matches(':state(streaming)')).to.equal(false);
  });

  it('goes on where it was when it is moved', async () => {
    const element = await markdownFixture({ streaming: true, text: 'a' });
    const other = element.parentNode!.appendChild(document.createElement('div'));
    element.text = 'a b';
    other.append(element);
    await element.updateComplete;
    expect(element.textContent).to.equal('a b');

    element.remove();
    element.text = 'a b c';
    other.append(element);
    await element.updateComplete;
    expect(element.textContent).to.equal('a b c');
  });

  it('writes nothing any more once it is gone', async () => {
    const element = await markdownFixture({ streaming: true, text: 'a' });
    element.text = 'a b';
    element.remove();
    await frame();
    await frame();

    expect(element.textContent).to.equal('a');
  });

  it('shows another text when it is given one', async () => {
    const element = await markdownFixture({ text: '# a\n\nb' });

    await show(element, '- c');
    expect(outline(element)).to.equal('<ul><li><p>c</p></li></ul>');
    await show(element, '');
    expect(outline(element)).to.equal('');
  });

  it('speaks the language of the page, also when that changes', async () => {
    registerLanguage('eo', async () => ({ ...en, copy: 'Kopii' }));
    const box = document.body.appendChild(document.createElement('div'));
    render(html`<test-markdown-surface></test-markdown-surface>`, box);
    const surface = box.firstElementChild as HTMLElement & { updateComplete: Promise<boolean> };
    await surface.updateComplete;
    const element = surface.shadowRoot!.querySelector('ahp-markdown')!;
    element.text = '```\na\n```';
    await element.updateComplete;

    box.lang = 'eo';
    await until(() => findAll(element, 'button').some(({ textContent }) => textContent === 'Kopii'));

    expect(element.textContent).to.contain('a');
    box.remove();
  });
});

describe('ahp-markdown and direction', () => {
  it('finds it for each block, and keeps code left to right', async () => {
    const element = await markdownFixture({
      text: '- פריט ראשון\n\n- פריט שני\n\nEnglish.\n\n| عربي | نص |\n|---|---|\n| واحد | `src` |\n\n```\ncode\n```\n\n`src/a.ts` הוא קובץ',
    });
    const direction = (selector: string) => getComputedStyle(find(element, selector)).direction;

    expect(direction('ul')).to.equal('rtl');
    expect(direction('li')).to.equal('rtl');
    expect(direction(':scope > p')).to.equal('ltr');
    expect(direction('table')).to.equal('rtl');
    expect(direction('.md-code')).to.equal('ltr');
    expect(direction('td code')).to.equal('ltr');
    expect(direction('p:last-child')).to.equal('rtl');
  });

  for (const word of ['item', 'פריט']) {
    it(`makes room for the whole number, on the side it is on (${word})`, async () => {
      const element = await markdownFixture({
        text: `${Array.from({ length: 120 }, (_, i) => `${i + 1}. ${word}`).join('\n')}\n\ntext\n\n998. ${word}\n999. ${word}\n1000. ${word}`,
      });
      const probe = find(element, 'ol').ownerDocument.createElement('canvas').getContext('2d')!;
      const style = getComputedStyle(find(element, 'ol'));
      probe.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;

      for (const [list, number] of findAll(element, 'ol').map(
        (found, i) => [found, ['120. ', '1000. '][i]!] as const,
      )) {
        const room = parseFloat(getComputedStyle(list).paddingInlineStart);
        expect(room).to.be.at.least(probe.measureText(number).width);
      }
    });
  }

  it('indents nested lists, level by level', async () => {
    const element = await markdownFixture({ text: '- a\n  1. b\n     - c\n       1. d' });
    const lefts = findAll(element, 'li > p').map((item) => item.getBoundingClientRect().left);

    expect(lefts).to.have.length(4);
    for (let i = 1; i < lefts.length; i += 1) expect(lefts[i]! - lefts[i - 1]!).to.be.above(10);
  });
});

describe('ahp-markdown and wide content', () => {
  const long = 'word '.repeat(80).trim();

  beforeEach(() => setViewport({ width: 500, height: 600 }));

  it('scrolls code and tables in boxes of their own, which the keyboard reaches by name', async () => {
    const element = await markdownFixture({
      text: `\`\`\`js\n${long}\n\`\`\`\n\n| ${long.replaceAll(' ', '_')} |\n|---|\n| a |`,
    });
    const [code, table] = findAll(element, '.md-scroll');
    await until(() => code!.tabIndex === 0 && table!.tabIndex === 0);

    expect(element.scrollWidth).to.equal(element.clientWidth);
    expect(code!.getAttribute('role')).to.equal('group');
    expect(code!.getAttribute('aria-label')).to.equal('Code, js');
    expect(table!.getAttribute('aria-label')).to.equal('Table');
    code!.focus();
    await press('ArrowRight');
    await until(() => code!.scrollLeft > 0);
    await expect(element).to.be.accessible();
  });

  it('makes no stop for the keyboard of what fits', async () => {
    const element = await markdownFixture({ text: '```js\na\n```\n\n| a |\n|---|\n| b |' });
    await frame();
    await frame();

    for (const box of findAll(element, '.md-scroll')) expect(box.hasAttribute('tabindex')).to.equal(false);
  });

  it('becomes a stop when a line grows too long', async () => {
    const element = await markdownFixture({ streaming: true, text: '```js\na' });
    await stream(element, `\`\`\`js\n${long}`, 40);
    const box = find(element, '.md-scroll');

    await until(() => box.tabIndex === 0);
  });

  it('breaks a word without end', async () => {
    const element = await markdownFixture({ text: `${'a'.repeat(500)} \`${'b'.repeat(500)}\`` });

    expect(element.scrollWidth).to.equal(element.clientWidth);
  });
});

describe('ahp-markdown and highlighting', () => {
  const keywords = () => [...(CSS.highlights.get('ahp-code-keyword') ?? [])];
  const keywordsIn = (element: Element) => keywords().filter(({ startContainer }) => element.contains(startContainer));

  it('colours code once its fence is closed, without adding an element', async () => {
    const element = await markdownFixture({ streaming: true });
    await stream(element, '```ts\nconst a = 1;\n', 6);
    await frame();
    await idle();
    expect(keywordsIn(element)).to.have.length(0);

    await stream(element, '```ts\nconst a = 1;\n```\n', 2);
    await until(() => keywordsIn(element).length > 0);

    expect(find(element, 'code').children).to.have.length(0);
    expect(find(element, 'code').textContent).to.equal('const a = 1;');
  });

  it('shows the whole code in either theme, without colouring it again', async () => {
    const element = await markdownFixture({ text: '```ts\nconst a = 1;\n```' });
    await until(() => keywordsIn(element).length > 0);
    const before = keywordsIn(element);

    for (const scheme of ['dark', 'light']) {
      document.documentElement.style.colorScheme = scheme;
      await frame();
      expect(find(element, 'code').textContent).to.equal('const a = 1;');
      expect(keywordsIn(element)).to.deep.equal(before);
    }
    document.documentElement.style.colorScheme = '';
  });

  it('colours nothing out of sight until it is seen', async () => {
    const element = await markdownFixture({ text: '```ts\nconst a = 1;\n```' });
    element.style.marginBlockStart = '3000px';
    element.text = '```ts\nconst b = 2;\n```';
    await element.updateComplete;
    await frame();
    await frame();
    await idle();
    expect(keywordsIn(element)).to.have.length(0);

    element.style.marginBlockStart = '';
    await until(() => keywordsIn(element).length > 0);
  });

  it('lets go of code that is taken out, and colours it again when it comes back', async () => {
    const element = await markdownFixture({ text: '```ts\nconst a = 1;\n```' });
    const parent = element.parentNode!;
    await until(() => keywordsIn(element).length > 0);

    element.remove();
    await until(() => keywordsIn(element).length === 0);
    parent.append(element);
    await until(() => keywordsIn(element).length > 0);
  });

  it('colours the new code when the text is another one', async () => {
    const element = await markdownFixture({ text: '```ts\nconst a = 1;\n```' });
    await until(() => keywordsIn(element).length === 1);

    await show(element, '```ts\nconst a = 1;\nconst b = 2;\n```');

    await until(() => keywordsIn(element).length === 2);
  });
});
