import { expect } from '@open-wc/testing';
import { html, nothing, render } from 'lit';
import { growing } from '../../src/views/growing.js';

const show = (box: HTMLElement, value: unknown) => render(html`<pre>before ${value} after</pre>`, box);
const textsOf = (box: HTMLElement) =>
  [...box.querySelector('pre')!.childNodes].filter((node): node is Text => node instanceof Text && node.data !== '');

describe('growing text in a template', () => {
  it('appends to the node that is there, so that a selection in it stays', () => {
    const box = document.body.appendChild(document.createElement('div'));
    show(box, growing('one two'));
    const node = textsOf(box)[1]!;
    getSelection()!.setBaseAndExtent(node, 4, node, 7);

    show(box, growing('one two three'));

    expect(textsOf(box)[1]).to.equal(node);
    expect(node.data).to.equal('one two three');
    expect(getSelection()!.toString()).to.equal('two');
    box.remove();
  });

  it('replaces the text by one that does not continue it', () => {
    const box = document.createElement('div');
    show(box, growing('one'));
    show(box, growing('two'));

    expect(box.textContent).to.equal('before two after');
  });

  it('starts with nothing', () => {
    const box = document.createElement('div');
    show(box, growing(''));
    expect(box.textContent).to.equal('before  after');

    show(box, growing('a'));
    show(box, growing('ab'));
    expect(box.textContent).to.equal('before ab after');
  });

  it('shows nothing again', () => {
    const box = document.createElement('div');
    show(box, growing('a'));
    show(box, growing(''));
    show(box, growing('b'));

    expect(box.textContent).to.equal('before b after');
  });

  it('leaves nothing behind when something else stands in its place', () => {
    const box = document.createElement('div');
    for (const other of [nothing, 'plain', html`<b>c</b>`, ['d']]) {
      show(box, growing('x'.repeat(20_000)));
      show(box, growing('x'.repeat(30_000)));

      show(box, other);

      expect(box.textContent).not.to.contain('x');
    }
  });

  it('spreads long text over nodes of at most 8 KiB, cut behind spaces', () => {
    const box = document.createElement('div');
    const text = 'some words and more '.repeat(2000);
    for (let length = 0; length < text.length; length += 777) show(box, growing(text.slice(0, length)));
    show(box, growing(text));

    const nodes = textsOf(box).slice(1, -1);
    expect(nodes.length).to.be.within(5, 7);
    expect(Math.max(...nodes.map(({ length }) => length))).to.be.at.most(8192);
    expect(nodes.map(({ data }) => data).join('')).to.equal(text);
    for (const { data } of nodes) expect(data).to.match(/ $/);
  });

  it('cuts no character apart, even in a word without end', () => {
    const box = document.createElement('div');
    show(box, growing(`a${'😀'.repeat(9000)}`));

    // It throws for half a character.
    for (const { data } of textsOf(box)) expect(encodeURIComponent(data)).to.be.a('string');
  });

  it('stands only where a child stands', () => {
    expect(() => render(html`<p title=${growing('a')}></p>`, document.createElement('div'))).to.throw('growing()');
  });
});
