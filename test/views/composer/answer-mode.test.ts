import { expect, fixture, html } from '@open-wc/testing';
import type { ChatInputRequest, Message } from '../../../src/protocol/state.js';
import '../../../src/views/composer/ahp-composer.js';
import { loadAnswerMode } from '../../../src/views/parts/lazy.js';
import type { AhpComposer } from '../../../src/views/composer/ahp-composer.js';
import { collect, deepFocus, find, findButton, press, textOf, type } from '../../helpers/views.js';

const draft = (text: string, more: Partial<Message> = {}): Message => ({ text, origin: { kind: 'user' }, ...more });
const field = (composer: AhpComposer) => find<HTMLTextAreaElement>(composer, 'textarea');
const said = (composer: AhpComposer) => textOf(find(composer, '#answer-mode'));
const branch: ChatInputRequest = { id: 'r', questions: [{ id: 'q', kind: 'text', message: 'Which branch?' }] };
const target: ChatInputRequest = {
  id: 'r',
  questions: [{ id: 'q', kind: 'single-select', message: 'Where to?', options: [{ id: 's', label: 'Staging' }] }],
};

await loadAnswerMode();

async function composerFixture(props: Partial<AhpComposer> = {}): Promise<AhpComposer> {
  const composer = Object.assign(document.createElement('ahp-composer'), { canSend: true, busy: true }, props);
  await fixture(html`${composer}`);
  composer.focus();
  await composer.updateComplete;
  return composer;
}

describe('answer mode of the composer', () => {
  it('answers the open question with Enter, says so, and keeps the focus', async () => {
    const composer = await composerFixture({ question: branch });
    const [completed, sent] = [collect(composer, 'ahp-input-complete'), collect(composer, 'ahp-send')];

    await type('main');
    await composer.updateComplete;
    const words = said(composer);
    expect(findButton(composer, 'Answer')).to.exist;
    await press('Enter');

    expect(words).to.equal('Answers the question “Which branch?”.');
    expect(completed.map(({ requestId, response, answers }) => ({ requestId, response, answers }))).to.deep.equal([
      {
        requestId: 'r',
        response: 'accept',
        answers: { q: { state: 'submitted', value: { kind: 'text', value: 'main' } } },
      },
    ]);
    expect(sent).to.be.empty;
    expect(field(composer).value).to.equal('');
    expect(deepFocus()).to.equal(field(composer));
  });

  it('names the option that the text stands for, and is off for text that is none', async () => {
    const composer = await composerFixture({ question: target });

    await type('stag');
    await composer.updateComplete;
    const before = said(composer);
    await type('ing');
    await composer.updateComplete;

    expect(before).to.equal('');
    expect(said(composer)).to.equal('Answers the question “Where to?” with “Staging”.');
  });

  it('sends text that is no answer as a message', async () => {
    const composer = await composerFixture({ question: target });
    const sent = collect(composer, 'ahp-send');

    await type('why?');
    await press('Enter');

    expect(sent.map(({ message }) => message.text)).to.deep.equal(['why?']);
  });

  it('is left with Escape, after which the text goes out as a message', async () => {
    const composer = await composerFixture({ question: branch });
    const [completed, sent] = [collect(composer, 'ahp-input-complete'), collect(composer, 'ahp-send')];
    await type('wait');

    await press('Escape');
    await composer.updateComplete;
    const words = said(composer);
    await press('Enter');

    expect(words).to.equal('A question is open: “Which branch?”');
    expect(completed).to.be.empty;
    expect(sent.map(({ message }) => message.text)).to.deep.equal(['wait']);
  });

  it('begins anew when the field is empty again', async () => {
    const composer = await composerFixture({ question: branch });
    await type('a');
    await press('Escape');

    await press('Backspace');
    await type('main');
    await composer.updateComplete;

    expect(said(composer)).to.contain('Answers');
  });

  it('never takes the Enter of a message that was begun before the question came', async () => {
    const composer = await composerFixture();
    const [completed, sent] = [collect(composer, 'ahp-input-complete'), collect(composer, 'ahp-send')];
    await type('hel');

    composer.question = branch;
    await type('lo');
    await press('Enter');

    expect(completed).to.be.empty;
    expect(sent.map(({ message }) => message.text)).to.deep.equal(['hello']);
  });

  it('offers to answer with a text that was there before', async () => {
    const composer = await composerFixture({ message: draft('main') });
    composer.question = branch;
    await composer.updateComplete;
    const completed = collect(composer, 'ahp-input-complete');

    findButton(composer, 'Answer with this text').click();
    await composer.updateComplete;
    expect(deepFocus()).to.equal(field(composer));
    await press('Enter');

    expect(completed).to.have.length(1);
  });

  it('keeps the files in the composer, and says so', async () => {
    const attachments = [{ type: 'simple', label: 'notes.txt', modelRepresentation: 'x' }] as const;
    const composer = await composerFixture({ question: branch, message: draft('', { attachments }) });
    const changes = collect(composer, 'ahp-draft-change');
    await type('main');
    await composer.updateComplete;

    const words = said(composer);
    await press('Enter');

    expect(words).to.contain('Your files stay here.');
    expect(changes.at(-1)?.message).to.deep.equal(draft('', { attachments }));
    expect(find(composer, 'ahp-attachment-list')).to.exist;
  });

  it('keeps the text when the page prevents the answer', async () => {
    const composer = await composerFixture({ question: branch });
    composer.addEventListener('ahp-input-complete', (event) => event.preventDefault());

    await type('main');
    await press('Enter');

    expect(field(composer).value).to.equal('main');
  });

  it('does not answer with the Enter that ends a composition', async () => {
    const composer = await composerFixture({ question: branch });
    const completed = collect(composer, 'ahp-input-complete');
    await type('main');

    field(composer).dispatchEvent(new CompositionEvent('compositionstart'));
    field(composer).dispatchEvent(new CompositionEvent('compositionend'));
    const enter = { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true } as KeyboardEventInit;
    field(composer).dispatchEvent(new KeyboardEvent('keydown', enter));

    expect(completed).to.be.empty;
  });

  it('is accessible, also in a right-to-left page with a question of a host that plays with directions', async () => {
    const question = { ...branch, questions: [{ ...branch.questions![0]!, message: 'أي فرع؟ \u202Egpj' }] };
    const composer = await composerFixture({ question, dir: 'rtl' });
    await type('main');
    await composer.updateComplete;

    await expect(composer).to.be.accessible();
    expect(said(composer)).to.contain('[U+202E]');
    expect(field(composer).getAttribute('aria-describedby')).to.contain('answer-mode');
  });
});
