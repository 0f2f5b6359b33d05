/** A question whose form does not come: it can be read, declined, cancelled, and loaded again. */

import { expect, fixture, html } from '@open-wc/testing';
import { LitElement } from 'lit';
import { Localized } from '../../../src/i18n/localize.js';
import type { InputRequestPart } from '../../../src/protocol/state.js';
import type { Lazy } from '../../../src/views/parts/lazy.js';
import type { PartContext } from '../../../src/views/parts/part-context.js';
import { renderInputRequest } from '../../../src/views/parts/render-request.js';
import type { PartScope } from '../../../src/views/transcript/part-scope.js';
import { click, collect, expectAccessible, findAll, findButton, press, textOf } from '../../helpers/views.js';
import { waitUntil } from '../../helpers/until.js';

const part: InputRequestPart = {
  kind: 'inputRequest',
  request: { id: 'r', message: 'Before I go on', questions: [{ id: 'q', kind: 'text', message: 'Which branch?' }] },
};

class RequestBox extends LitElement {
  readonly #language = new Localized(this);
  lazy!: Lazy<unknown>;
  scope: Pick<PartScope, 'answers' | 'pendingIds'> = { answers: 'yes', pendingIds: new Set() };
  active = true;
  override render() {
    // What else a context holds is for the form, which is not here.
    const context = { isActive: this.active, scope: this.scope, localization: this.#language.value } as PartContext;
    return renderInputRequest(part, context, this.lazy);
  }
}
customElements.define('request-box', RequestBox);

/** The network is gone, until it is back. */
async function unloaded(props: Partial<RequestBox> = {}) {
  let asked = 0;
  let isBack = false;
  const lazy: Lazy<unknown> & { module?: unknown } = () => {
    asked += 1;
    if (isBack) lazy.module = {};
    return Promise.resolve(lazy.module);
  };
  const box = Object.assign(new RequestBox(), { lazy }, props);
  await fixture(html`${box}`);
  await waitUntil(() => findAll(box, 'section').length > 0, 'it stands without its form');
  return { box, asked: () => asked, comeBack: () => (isBack = true) };
}

describe('a question whose form cannot be loaded', () => {
  it('can be read', async () => {
    const { box } = await unloaded();

    expect(textOf(findAll(box, 'section')[0]!))
      .to.contain('Before I go on')
      .and.contain('Which branch?');
    await expectAccessible(box);
  });

  for (const [name, response] of [
    ['Decline', 'decline'],
    ['Cancel', 'cancel'],
  ] as const)
    it(`is answered with ${name}, by mouse and keyboard`, async () => {
      const { box } = await unloaded();
      const answers = collect(box, 'ahp-input-complete');

      await click(findButton(box, name));
      findButton(box, name).focus();
      await press('Enter');

      expect(answers.map((event) => [event.requestId, event.response])).to.deep.equal([
        ['r', response],
        ['r', response],
      ]);
    });

  it('is answered once: while an answer is on its way its buttons do nothing', async () => {
    const { box } = await unloaded({ scope: { answers: 'yes', pendingIds: new Set(['r']) } });
    const answers = collect(box, 'ahp-input-complete');

    await click(findButton(box, 'Decline'));

    expect(answers).to.be.empty;
    expect(findButton(box, 'Decline').getAttribute('aria-disabled')).to.equal('true');
  });

  it('waits for the host where there is no connection, and asks nobody in a chat that is only read', async () => {
    const waiting = await unloaded({ scope: { answers: 'waiting', pendingIds: new Set() } });
    const answers = collect(waiting.box, 'ahp-input-complete');
    await click(findButton(waiting.box, 'Cancel'));
    const readOnly = await unloaded({ scope: { answers: 'no', pendingIds: new Set() } });
    const over = await unloaded({ active: false });

    expect(answers).to.be.empty;
    for (const { box } of [readOnly, over]) expect(findAll(box, 'section button')).to.be.empty;
  });

  it('shows its form when loading it again succeeds', async () => {
    const { box, asked, comeBack } = await unloaded();

    comeBack();
    await click(findButton(box, 'Try again'));

    await waitUntil(() => findAll(box, 'ahp-input-request').length > 0, 'the form is there');
    expect(findAll(box, 'section')).to.be.empty;
    expect(asked()).to.equal(2);
  });
});
