import { expect, fixture, html } from '@open-wc/testing';
import { LitElement, nothing } from 'lit';
import { Localized } from '../../../src/i18n/localize.js';
import type { Lazy } from '../../../src/views/parts/lazy.js';
import { whenLoaded } from '../../../src/views/parts/when-loaded.js';
import { heldAnswer, type Answer } from '../../helpers/answer.js';
import { deepFocus, findButton, press, textOf } from '../../helpers/views.js';
import { waitUntil } from '../../helpers/until.js';

class LaterBox extends LitElement {
  readonly #language = new Localized(this);
  lazy!: Lazy<object>;
  content: unknown = 'here';
  instead: unknown = nothing;
  override render() {
    const { strings } = this.#language.value;
    return html`${whenLoaded(
      this.lazy,
      () => this.content,
      strings,
      () => this.instead,
    )}`;
  }
}
customElements.define('later-box', LaterBox);

/** A module that comes when the test says so. */
function heldModule() {
  const asked: Answer<object | undefined>[] = [];
  const lazy: Lazy<object> & { module?: object } = () => {
    const one = heldAnswer<object | undefined>();
    asked.push(one);
    return one.promise;
  };
  const answer = (module: object | undefined) => {
    if (module) lazy.module = module;
    asked.at(-1)!.resolve(module);
  };
  return { lazy, asked, answer };
}

const textIn = (box: LaterBox) => textOf(box.shadowRoot as unknown as Element);

describe('a part that is loaded when it is needed', () => {
  it('stands there at once where it has been loaded before', async () => {
    const { lazy, asked, answer } = heldModule();
    void lazy();
    answer({});

    const box = await fixture<LaterBox>(html`<later-box .lazy=${lazy}></later-box>`);

    expect(textIn(box)).to.equal('here');
    expect(asked).to.have.length(1);
  });

  it('is asked for once, and shown when it comes', async () => {
    const { lazy, asked, answer } = heldModule();
    const box = await fixture<LaterBox>(html`<later-box .lazy=${lazy}></later-box>`);
    box.requestUpdate();
    await box.updateComplete;

    answer({});

    await waitUntil(() => textIn(box) === 'here');
    expect(asked).to.have.length(1);
  });

  it('says when it does not come and tries again when asked to', async () => {
    const { lazy, asked, answer } = heldModule();
    const box = await fixture<LaterBox>(html`<later-box .lazy=${lazy}></later-box>`);
    answer(undefined);
    await waitUntil(() => textIn(box) === 'Could not be loaded. Try again');

    findButton(box, 'Try again').click();
    answer({});

    await waitUntil(() => textIn(box) === 'here');
    expect(asked).to.have.length(2);
  });

  it('leaves what stands in its place usable while it is tried again, and is asked for once at a time', async () => {
    const { lazy, asked, answer } = heldModule();
    const box = await fixture<LaterBox>(html`<later-box .lazy=${lazy} .instead=${'instead'}></later-box>`);
    expect(textIn(box)).to.equal('Loading… instead');
    answer(undefined);
    await waitUntil(() => textIn(box) === 'Could not be loaded. Try again instead');

    findButton(box, 'Try again').click();
    await box.updateComplete;
    findButton(box, 'Try again').click();

    expect(textIn(box)).to.equal('Loading… Try again instead');
    expect(asked).to.have.length(2);
    answer(undefined);
    await waitUntil(() => textIn(box) === 'Could not be loaded. Try again instead');
  });

  it('hands the focus of its button on to what came, and takes none from elsewhere', async () => {
    for (const isPressed of [true, false]) {
      const { lazy, answer } = heldModule();
      const content = html`<p><button>It</button></p>`;
      const box = await fixture<LaterBox>(html`<later-box .lazy=${lazy} .content=${content}></later-box>`);
      answer(undefined);
      await waitUntil(() => textIn(box) === 'Could not be loaded. Try again');
      findButton(box, 'Try again').focus();
      await press('Enter');
      if (!isPressed) findButton(box, 'Try again').blur();

      answer({});
      await waitUntil(() => textIn(box) === 'It');

      await waitUntil(() => (deepFocus() === findButton(box, 'It')) === isPressed);
    }
  });
});
