import { expect, fixture, html, nextFrame } from '@open-wc/testing';
import { LitElement } from 'lit';
import { en } from '../../src/i18n/en.js';
import { LanguageProvider, Localized } from '../../src/i18n/localize.js';
import { registerLanguage } from '../../src/i18n/registry.js';

class TestSurface extends LitElement {
  readonly language = new LanguageProvider(this);
  override render() {
    return html`<test-word></test-word><slot></slot>`;
  }
}
class TestWord extends LitElement {
  readonly language = new Localized(this);
  override render() {
    return this.language.value.strings.send;
  }
}
customElements.define('test-surface', TestSurface);
customElements.define('test-word', TestWord);

registerLanguage('eo', async () => ({ ...en, send: 'Sendi' }));

const wordIn = (surface: Element) => surface.shadowRoot!.querySelector<TestWord>('test-word')!.shadowRoot!.textContent;
const settled = async () => {
  await nextFrame();
  await nextFrame();
};

describe('localization', () => {
  it('takes the nearest lang', async () => {
    const box = await fixture(
      html`<div lang="de">
        <p lang="eo"><test-surface></test-surface></p>
      </div>`,
    );
    await settled();

    expect(wordIn(box.querySelector('test-surface')!)).to.equal('Sendi');
  });

  it('finds the lang across shadow roots', async () => {
    const outer = await fixture<HTMLElement>(html`<div lang="eo"></div>`);
    const middle = outer.appendChild(document.createElement('div'));
    const surface = document.createElement('test-surface');
    middle.attachShadow({ mode: 'closed' }).append(surface);
    await settled();

    expect(wordIn(surface)).to.equal('Sendi');
  });

  it('follows a change of lang while it is on the page', async () => {
    const box = await fixture<HTMLElement>(html`<div lang="en"><test-surface></test-surface></div>`);
    expect(wordIn(box.firstElementChild!)).to.equal('Send');

    box.lang = 'eo';
    await settled();
    expect(wordIn(box.firstElementChild!)).to.equal('Sendi');

    box.lang = 'en';
    await settled();
    expect(wordIn(box.firstElementChild!)).to.equal('Send');
  });

  it('lets the page bring its own words, the rest coming from the language', async () => {
    const surface = await fixture<TestSurface>(html`<test-surface lang="eo"></test-surface>`);
    surface.language.overrides = { send: 'Go' };
    await settled();

    expect(wordIn(surface)).to.equal('Go');
    expect(surface.language.value.strings.stop).to.equal('Stop');
    surface.language.overrides = undefined;
    await settled();
    expect(wordIn(surface)).to.equal('Sendi');
  });

  it('hands the words of an outer surface to an inner one', async () => {
    const outer = await fixture<TestSurface>(html`<test-surface><test-surface></test-surface></test-surface>`);
    outer.language.overrides = { send: 'Go' };
    await settled();

    expect(wordIn(outer.querySelector('test-surface')!)).to.equal('Go');
  });

  it('finds its language again after a move', async () => {
    const box = await fixture<HTMLElement>(
      html`<div>
        <p lang="eo"></p>
        <test-surface></test-surface>
      </div>`,
    );
    const surface = box.querySelector('test-surface')!;

    box.querySelector('p')!.append(surface);
    await settled();

    expect(wordIn(surface)).to.equal('Sendi');
  });

  it('formats numbers in the page’s language even where the words are not known', async () => {
    const surface = await fixture<TestSurface>(html`<test-surface lang="de"></test-surface>`);

    expect(surface.language.value.strings).to.equal(en);
    expect(surface.language.value.format.number(1.5)).to.equal('1,5');
  });

  it('survives a lang that is no language tag', async () => {
    const surface = await fixture<TestSurface>(html`<test-surface lang="not a tag"></test-surface>`);

    expect(wordIn(surface)).to.equal('Send');
    expect(surface.language.value.format.number(1.5)).to.equal('1.5');
  });

  it('leaves nothing behind when the element goes', async () => {
    const box = await fixture<HTMLElement>(html`<div lang="en"><test-surface></test-surface></div>`);
    const surface = box.firstElementChild as TestSurface;
    surface.remove();
    let updates = 0;
    surface.requestUpdate = () => void (updates += 1);

    box.lang = 'eo';
    await settled();

    expect(updates).to.equal(0);
  });
});
