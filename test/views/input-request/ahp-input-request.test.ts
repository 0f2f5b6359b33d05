import { expect } from '@open-wc/testing';
import type { AnswerDrafts } from '../../../src/chat/answer-drafts.js';
import type { ChatInputRequest, InputRequestPart, InputResponse } from '../../../src/protocol/state.js';
import { loadInputRequest } from '../../../src/views/parts/lazy.js';
import { activeFixture, finishedFixture, settled } from '../../helpers/transcript.js';
import { active } from '../../helpers/turns.js';
import { collect, deepFocus, find, findAll, findButton, nameOf, press, textOf } from '../../helpers/views.js';

const request: ChatInputRequest = {
  id: 'q',
  message: { markdown: 'A **few** questions' },
  url: 'https://example.com/form',
  questions: [
    {
      id: '1',
      kind: 'single-select',
      title: 'Target',
      message: 'Where to?',
      options: [
        { id: 's', label: 'Staging' },
        { id: 'p', label: 'Production' },
      ],
    },
    { id: '2', kind: 'multi-select', message: 'Which?', options: [{ id: 'a', label: 'API' }] },
    { id: '3', kind: 'boolean', message: 'Migrate?' },
    { id: '4', kind: 'integer', message: 'How many?' },
    { id: '5', kind: 'text', message: 'Whom?' },
    { id: '6', kind: 'hologram', message: 'Which light?' } as never,
  ],
  answers: {
    '1': { state: 'submitted', value: { kind: 'selected', value: 'p' } },
    '2': { state: 'submitted', value: { kind: 'selected-many', value: ['a', 'gone'], freeformValues: ['cron'] } },
    '3': { state: 'submitted', value: { kind: 'boolean', value: false } },
    '4': { state: 'draft', value: { kind: 'number', value: 3 } },
    '5': { state: 'skipped' },
  },
};
const part = (response?: InputResponse, more: Partial<ChatInputRequest> = {}): InputRequestPart => ({
  kind: 'inputRequest',
  request: { ...request, ...more },
  ...(response && { response }),
});
// A form that is still on its way has a test of its own.
await loadInputRequest();

const card = (root: Element) => find(root, '[part=input-request]');

describe('ahp-input-request', () => {
  it('shows every question with its answer in words', async () => {
    const transcript = await finishedFixture([part('accept')]);

    const text = textOf(card(transcript));
    for (const words of [
      'A few questions',
      'Target',
      'Where to?',
      'Production',
      'API, gone, cron',
      'No',
      '3',
      'Skipped',
      'Which light?',
    ])
      expect(text).to.contain(words);
    expect(text.endsWith('Answered')).to.equal(true);
  });

  it('shows answers as they are, with no space of ours where space counts', async () => {
    const transcript = await finishedFixture([part('accept')]);

    const answers = findAll(card(transcript), '.strong').map(({ textContent }) => textContent);
    expect(answers).to.deep.equal(['Production', 'API, gone, cron', 'No', '3']);
  });

  const outcomes: readonly [InputResponse | undefined, string][] = [
    ['accept', 'Answered'],
    ['decline', 'Declined'],
    ['cancel', 'Cancelled'],
    [undefined, 'Not answered'],
  ];
  for (const [response, words] of outcomes)
    it(`says ${words} in a finished turn whose response is ${response}`, async () => {
      const transcript = await finishedFixture([part(response)]);

      expect(textOf(card(transcript))).to.contain(words);
      expect(findAll(card(transcript), 'button')).to.be.empty;
    });

  it('can be declined and cancelled while it is open, once', async () => {
    const transcript = await activeFixture([part()]);
    const completed = collect(transcript, 'ahp-input-complete');

    findButton(card(transcript), 'Decline').click();
    findButton(card(transcript), 'Cancel').click();
    await settled();

    expect(completed.map(({ requestId, response }) => [requestId, response])).to.deep.equal([['q', 'decline']]);
    expect(textOf(card(transcript))).to.contain('Answer sent');
  });

  it('can be answered again when the page prevented it, and when it is asked again', async () => {
    const transcript = await activeFixture([part()]);
    transcript.addEventListener('ahp-input-complete', (event) => event.preventDefault(), { once: true });
    const completed = collect(transcript, 'ahp-input-complete');
    findButton(card(transcript), 'Decline').click();
    findButton(card(transcript), 'Decline').click();

    transcript.activeTurn = active('now', part());
    await settled();
    findButton(card(transcript), 'Cancel').click();

    expect(completed.map(({ response }) => response)).to.deep.equal(['decline', 'decline', 'cancel']);
  });

  it('has buttons also without any question', async () => {
    const transcript = await activeFixture([{ kind: 'inputRequest', request: { id: 'q', message: 'Go on?' } }]);

    expect(findAll(card(transcript), 'button').map(nameOf)).to.deep.equal(['Accept', 'Decline', 'Cancel']);
  });

  it('never opens an address by itself', async () => {
    const transcript = await activeFixture([part()]);

    expect(textOf(card(transcript))).to.contain('https://example.com/form');
    expect(findAll(card(transcript), 'iframe')).to.be.empty;
  });

  it('is accessible, can be declined with the keyboard, and isolates texts in a right-to-left page', async () => {
    const transcript = await activeFixture([part(undefined, { message: 'ما هو src/app.ts؟' })]);
    transcript.dir = 'rtl';
    await expect(transcript).to.be.accessible();
    const completed = collect(transcript, 'ahp-input-complete');
    findButton(card(transcript), 'Decline').focus();
    expect(nameOf(deepFocus()!)).to.equal('Decline');

    await press('Enter');
    await settled();

    expect(completed).to.have.length(1);
    expect(find(card(transcript), '.literal').dir).to.equal('auto');
  });

  it('says who closed it, and keeps readable what was entered here and not taken', async () => {
    const entered = new Map([
      ['5', { state: 'draft', value: { kind: 'text', value: 'mine' } } as const],
      ['3', { state: 'submitted', value: { kind: 'boolean', value: false } } as const],
    ]);
    const answerDrafts: AnswerDrafts = {
      find: () => ({ answers: entered, refusal: undefined, closedBy: 'other' }),
      subscribe: () => () => undefined,
    };

    const transcript = await finishedFixture([part('accept')], { answerDrafts });

    expect(textOf(find(transcript, '.entered'))).to.equal('What you had entered Whom? mine Copy');
    expect(textOf(card(transcript))).to.contain('Answered · Somebody else closed this question.');
  });

  it('leaves the focus on the card when it is closed from elsewhere, and nowhere else', async () => {
    const transcript = await activeFixture([part()]);
    find(transcript, 'form .control').focus();

    transcript.activeTurn = active('now', part('cancel'));
    await settled();

    expect(deepFocus()).to.equal(card(transcript));
  });

  it('does not show a draft as the answer of a question that nobody answered', async () => {
    const transcript = await finishedFixture([part()]);

    expect(findAll(card(transcript), '.strong')).to.be.empty;
    expect(findAll(card(transcript), 'input, textarea, button')).to.be.empty;
  });
});
