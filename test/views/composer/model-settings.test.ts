import { expect, fixture, html } from '@open-wc/testing';
import type { SessionInfo } from '../../../src/chat/store.js';
import type { ConfigSchema, Message } from '../../../src/protocol/state.js';
import type { AhpComposer } from '../../../src/views/composer/ahp-composer.js';
import '../../../src/views/composer/ahp-composer.js';
import { resolve } from '../../../src/views/composer/model-settings.js';
import { waitUntil } from '../../helpers/until.js';
import { click, collect, deepFocus, find, findAll, findButton, press, textOf, type } from '../../helpers/views.js';

const schema: ConfigSchema = {
  properties: {
    effort: {
      type: 'string',
      title: 'Effort',
      enum: ['low', 'high'],
      enumLabels: ['Low', 'High'],
      enumDescriptions: ['Quick', 'Thorough'],
      default: 'low',
    },
    context: { type: 'number', title: 'Context', description: 'Tokens' },
    web: { type: 'boolean', title: 'Web', default: true },
    note: { type: 'string', title: 'Note\u202E' },
    fixed: { type: 'string', title: 'Fixed', default: 'so', readOnly: true },
    tree: { type: 'object', title: 'Tree' },
  },
};
const session = {
  models: [
    { id: 'a', name: 'Alpha', provider: 'p', configSchema: schema },
    { id: 'b', name: 'Beta', provider: 'p' },
  ],
  agents: [],
} as unknown as SessionInfo;
const draft = (more: Partial<Message> = {}): Message => ({ text: 'hi', origin: { kind: 'user' }, ...more });

async function settingsFixture(message = draft({ model: { id: 'a' } })) {
  const composer = Object.assign(document.createElement('ahp-composer'), { canSend: true, session, message });
  await fixture(html`${composer}`);
  const changes = collect(composer, 'ahp-draft-change');
  await waitUntil(() => composer.shadowRoot!.querySelector('.settings-button'), 'the settings are there');
  return { composer, changes, models: () => changes.map((event) => event.message.model) };
}
const popup = (composer: AhpComposer) => find(composer, '#model-settings');
const control = <E extends HTMLElement>(composer: AhpComposer, name: string) =>
  findAll(popup(composer), 'label')
    .find((label) => textOf(label).startsWith(name))!
    .querySelector<E>('input, select')!;

describe('the settings of a model', () => {
  it('are there for a chosen model that has some, and for no other', async () => {
    const { composer } = await settingsFixture();
    const select = find<HTMLSelectElement>(composer, 'select');

    for (const id of ['b', '']) {
      select.value = id;
      select.dispatchEvent(new Event('change'));
      await composer.updateComplete;
      expect(composer.shadowRoot!.querySelector('.settings-button'), id).to.equal(null);
    }
  });

  it('open at the button with what the host presets, and close with Escape', async () => {
    const { composer } = await settingsFixture();
    await click(findButton(composer, 'Settings of Alpha'));
    await waitUntil(() => popup(composer).matches(':popover-open'));

    expect(control<HTMLSelectElement>(composer, 'Effort').selectedOptions[0]!.text).to.equal('Low');
    expect(control<HTMLInputElement>(composer, 'Web').checked).to.equal(true);
    expect(control<HTMLInputElement>(composer, 'Fixed').disabled).to.equal(true);
    expect(textOf(popup(composer)))
      .to.contain('Tree: cannot be set here')
      .and.contain('Note[U+202E]');
    await waitUntil(() => deepFocus() === control(composer, 'Effort'));
    const box = popup(composer).getBoundingClientRect();
    expect(box.left).to.be.at.least(0);
    expect(box.right).to.be.at.most(innerWidth);
    await expect(composer).to.be.accessible();
    await press('Escape');
    await waitUntil(() => !popup(composer).matches(':popover-open'));
  });

  it('travel all together once one was set, in their own types', async () => {
    const { composer, models } = await settingsFixture();
    await click(findButton(composer, 'Settings of Alpha'));

    const effort = control<HTMLSelectElement>(composer, 'Effort');
    effort.value = '1';
    effort.dispatchEvent(new Event('change'));
    await composer.updateComplete;
    control<HTMLInputElement>(composer, 'Context').focus();
    await type('4096');
    await press('Tab');
    await composer.updateComplete;
    control<HTMLInputElement>(composer, 'Web').click();
    await composer.updateComplete;

    expect(models()).to.deep.equal([
      { id: 'a', config: { effort: 'high', web: true, fixed: 'so' } },
      { id: 'a', config: { effort: 'high', web: true, fixed: 'so', context: 4096 } },
      { id: 'a', config: { effort: 'high', web: false, fixed: 'so', context: 4096 } },
    ]);
    expect(textOf(popup(composer))).to.contain('Thorough');
    findButton(popup(composer), 'Use the defaults').click();
    expect(models().at(-1)).to.deep.equal({ id: 'a' });
  });

  it('are opened and closed with keys, and leave the focus where it was', async () => {
    const { composer } = await settingsFixture();
    const button = findButton(composer, 'Settings of Alpha');
    button.focus();

    await press('Enter');
    await waitUntil(() => deepFocus() === control(composer, 'Effort'));
    await press('ArrowDown');
    await composer.updateComplete;
    await press('Escape');

    await waitUntil(() => !popup(composer).matches(':popover-open'));
    expect(deepFocus()).to.equal(button);
  });

  it('are sent with the message', async () => {
    const { composer } = await settingsFixture(draft({ model: { id: 'a', config: { effort: 'high' } } }));
    const sent = collect(composer, 'ahp-send');

    findButton(composer, 'Send').click();

    expect(sent[0]!.message.model).to.deep.equal({ id: 'a', config: { effort: 'high' } });
  });

  it('stand within the screen in a right-to-left page', async () => {
    const { composer } = await settingsFixture();
    composer.parentElement!.dir = 'rtl';

    await click(findButton(composer, 'Settings of Alpha'));
    await waitUntil(() => popup(composer).matches(':popover-open'));

    const box = popup(composer).getBoundingClientRect();
    expect(box.left).to.be.at.least(0);
    expect(box.right).to.be.at.most(innerWidth);
  });

  it('take a name that means something to objects as a name', () => {
    const odd = JSON.parse('{"properties": {"__proto__": {"type": "string", "default": "x"}}}') as ConfigSchema;

    expect(Object.entries(resolve(odd, {}, 'other', 1))).to.deep.equal([
      ['__proto__', 'x'],
      ['other', 1],
    ]);
    expect(resolve(schema, { effort: 'high' }, 'effort', undefined)).to.not.have.property('effort', 'high');
  });
});
