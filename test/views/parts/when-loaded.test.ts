import { expect, fixture, html } from '@open-wc/testing';
import { LitElement } from 'lit';
import { Localized } from '../../../src/i18n/localize.js';
import type { Lazy } from '../../../src/views/parts/lazy.js';
import { whenLoaded } from '../../../src/views/parts/when-loaded.js';
import { heldAnswer, type Answer } from '../../helpers/answer.js';
import { findButton, textOf } from '../../helpers/views.js';
import { waitUntil } from '../../helpers/until.js';

class LaterBox extends LitElement {
  readonly #language = new Localized(this);
  lazy!: Lazy<object>;
  override render() {
    return html`${whenLoaded(this.lazy, () => 'here', this.#language.value.strings)}`;
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
});
