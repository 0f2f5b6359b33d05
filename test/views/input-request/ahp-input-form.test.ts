import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import type { AnswerDrafts, EnteredAnswers } from '../../../src/chat/answer-drafts.js';
import type { ChatInputQuestion, ChatInputRequest, InputAnswer } from '../../../src/protocol/state.js';
import { loadInputRequest } from '../../../src/views/parts/lazy.js';
import type { AhpTranscript } from '../../../src/views/transcript/ahp-transcript.js';
import { activeFixture, settled } from '../../helpers/transcript.js';
import { active, markdown } from '../../helpers/turns.js';
import { click, collect, deepFocus, find, findAll, findButton, press, textOf, type } from '../../helpers/views.js';

await loadInputRequest();

const options = [
  { id: 's', label: 'Staging', description: 'Quiet' },
  { id: 'p', label: 'Production', recommended: true },
];
const ask = (...questions: readonly object[]): ChatInputRequest => ({
  id: 'r',
  questions: questions.map((question, index) => ({
    id: `q${index}`,
    message: `Question ${index}?`,
    ...question,
  })) as ChatInputQuestion[],
});
const part = (request: ChatInputRequest) => ({ kind: 'inputRequest', request }) as const;
const show = (request: ChatInputRequest, props: Partial<AhpTranscript> = {}) => activeFixture([part(request)], props);

/** The request as the host has it next: the same turn, another object. */
async function update(transcript: AhpTranscript, request: ChatInputRequest): Promise<void> {
  transcript.activeTurn = active('now', part(request));
  await settled();
}

const field = <E extends HTMLElement = HTMLInputElement>(root: Element, index = 0) =>
  findAll<E>(find(root, `.question[data-index="${index}"]`), '.control')[0]!;
const choices = (root: Element, index = 0) =>
  findAll<HTMLInputElement>(find(root, `.question[data-index="${index}"]`), 'input[type=radio], input[type=checkbox]');
const chosen = (root: Element, index = 0) => choices(root, index).map(({ checked }) => checked);
const fault = (root: Element, index = 0) => {
  const shown = find(find(root, `.question[data-index="${index}"]`), '.fault');
  return shown.hidden ? '' : textOf(shown);
};
const submit = (root: Element) => findButton(root, /Submit|Accept/).click();
const text = (value: string, state: 'draft' | 'submitted' = 'draft'): InputAnswer => ({
  state,
  value: { kind: 'text', value },
});

/** Drafts as a client would keep them. */
class Drafts implements AnswerDrafts {
  readonly known = new Map<string, EnteredAnswers>();
  readonly #listeners = new Set<() => void>();
  find = (id: string) => this.known.get(id);
  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  set(answers: Record<string, InputAnswer | undefined>, more: Partial<EnteredAnswers> = {}): void {
    const known = { answers: new Map(Object.entries(answers)), refusal: undefined, closedBy: undefined, ...more };
    this.known.set('r', known);
    for (const listener of this.#listeners) listener();
  }
}

describe('ahp-input-form', () => {
  describe('controls and answers', () => {
    const cases: readonly {
      readonly name: string;
      readonly question: object;
      readonly enter: (root: AhpTranscript) => Promise<unknown>;
      readonly value: unknown;
    }[] = [
      {
        name: 'a text of several lines',
        question: { kind: 'text' },
        enter: async (root) => {
          field(root).focus();
          await type('one');
          await press('Enter');
          await type('two');
        },
        value: { kind: 'text', value: 'one\ntwo' },
      },
      {
        name: 'a short text',
        question: { kind: 'text', max: 20 },
        enter: async (root) => {
          field(root).focus();
          await type('main');
        },
        value: { kind: 'text', value: 'main' },
      },
      {
        name: 'an integer',
        question: { kind: 'integer', min: 1, max: 9 },
        enter: async (root) => {
          field(root).focus();
          await type('7');
        },
        value: { kind: 'number', value: 7 },
      },
      {
        name: 'a number',
        question: { kind: 'number' },
        enter: async (root) => {
          field(root).focus();
          await type('0.25');
        },
        value: { kind: 'number', value: 0.25 },
      },
      {
        name: 'a boolean',
        question: { kind: 'boolean' },
        enter: async (root) => click(choices(root)[1]!),
        value: { kind: 'boolean', value: false },
      },
      {
        name: 'one option',
        question: { kind: 'single-select', options },
        enter: async (root) => click(choices(root)[0]!),
        value: { kind: 'selected', value: 's' },
      },
      {
        name: 'free text in the place of an option',
        question: { kind: 'single-select', options, allowFreeformInput: true },
        enter: async (root) => {
          field(root).focus();
          await type('my laptop');
        },
        value: { kind: 'selected', value: '', freeformValues: ['my laptop'] },
      },
      {
        name: 'several options with free text beside them',
        question: { kind: 'multi-select', options, allowFreeformInput: true },
        enter: async (root) => {
          await click(choices(root)[0]!);
          field(root).focus();
          await type('cron');
        },
        value: { kind: 'selected-many', value: ['s', 'p'], freeformValues: ['cron'] },
      },
    ];
    for (const { name, question, enter, value } of cases)
      it(`takes ${name}`, async () => {
        const transcript = await show(ask(question));
        const [entered, completed] = [
          collect(transcript, 'ahp-input-answer'),
          collect(transcript, 'ahp-input-complete'),
        ];

        await enter(transcript);
        submit(transcript);

        expect(entered.at(-1)?.answer).to.deep.equal({ state: 'draft', value });
        expect(completed.map(({ response, answers }) => ({ response, answers }))).to.deep.equal([
          { response: 'accept', answers: { q0: { state: 'submitted', value } } },
        ]);
      });

    const formats: readonly [string, string, InputAnswer, string][] = [
      ['email', 'email', text('a@b.c'), 'a@b.c'],
      ['uri', 'url', text('https://example.com/'), 'https://example.com/'],
      ['date', 'date', text('2026-12-01'), '2026-12-01'],
      ['ipv4', 'text', text('127.0.0.1'), '127.0.0.1'],
    ];
    for (const [format, type, answer, shown] of formats)
      it(`asks for ${format} with the browser's own field`, async () => {
        const transcript = await show({ ...ask({ kind: 'text', format }), answers: { q0: answer } });

        expect(field(transcript).type).to.equal(type);
        expect(field(transcript).value).to.equal(shown);
      });

    it('shows a moment in the own time and sends it in UTC', async () => {
      const moment = '2026-12-01T08:00:00.000Z';
      const transcript = await show({ ...ask({ kind: 'text', format: 'date-time' }), answers: { q0: text(moment) } });
      const completed = collect(transcript, 'ahp-input-complete');

      expect(new Date(field(transcript).value).toISOString()).to.equal(moment);
      submit(transcript);

      expect(completed[0]?.answers).to.deep.equal({ q0: text(moment, 'submitted') });
    });

    it('begins with defaults and recommended options, which are no answers before they are accepted', async () => {
      const transcript = await show(
        ask(
          { kind: 'text', defaultValue: 'main' },
          { kind: 'single-select', options },
          { kind: 'boolean', defaultValue: true },
        ),
      );
      const [entered, completed] = [collect(transcript, 'ahp-input-answer'), collect(transcript, 'ahp-input-complete')];

      const shown = [field(transcript).value, chosen(transcript, 1), chosen(transcript, 2)];
      submit(transcript);

      expect(shown).to.deep.equal(['main', [false, true], [true, false]]);
      expect(textOf(find(transcript, '.badge'))).to.equal('Recommended');
      expect(entered).to.be.empty;
      expect(completed[0]?.answers).to.deep.equal({
        q0: text('main', 'submitted'),
        q1: { state: 'submitted', value: { kind: 'selected', value: 'p' } },
        q2: { state: 'submitted', value: { kind: 'boolean', value: true } },
      });
    });

    it('keeps the groups of questions with the same options apart, and calls an option without label by its id', async () => {
      const same = {
        kind: 'single-select',
        options: Array.from({ length: 12 }, (_, i) => ({ id: `o${i}`, label: '' })),
      };
      const transcript = await show(ask(same, same, same));

      for (const index of [0, 1, 2]) choices(transcript, index)[index]!.click();

      expect([0, 1, 2].map((index) => chosen(transcript, index).indexOf(true))).to.deep.equal([0, 1, 2]);
      expect(textOf(choices(transcript)[0]!.closest('label')!)).to.equal('o0');
    });

    it('passes over what was skipped or left empty, and takes it up again', async () => {
      const transcript = await show(ask({ kind: 'text', defaultValue: 'x' }, { kind: 'number' }));
      const [entered, completed] = [collect(transcript, 'ahp-input-answer'), collect(transcript, 'ahp-input-complete')];

      findButton(transcript, 'Skip').click();
      await settled();
      expect(field(transcript).closest('[hidden]')).to.not.equal(null);
      findButton(transcript, 'Answer it').click();
      await settled();
      const again = field(transcript).value;
      findButton(transcript, 'Skip').click();
      submit(transcript);

      expect(again).to.equal('x');
      expect(entered.map(({ answer }) => answer?.state)).to.deep.equal(['skipped', 'draft', 'skipped']);
      expect(completed[0]?.answers).to.deep.equal({ q0: { state: 'skipped' }, q1: { state: 'skipped' } });
    });

    it('can be accepted, declined and cancelled without any question', async () => {
      const transcript = await show({ id: 'r', message: 'Go on?' });
      const completed = collect(transcript, 'ahp-input-complete');

      findButton(transcript, 'Accept').click();
      findButton(transcript, 'Accept').click();

      expect(completed.map(({ response, answers }) => ({ response, answers }))).to.deep.equal([
        { response: 'accept', answers: {} },
      ]);
      for (const name of ['Decline', 'Cancel']) expect(findButton(transcript, name)).to.exist;
    });

    it('cannot be accepted with a required question of an unknown kind, and can be declined', async () => {
      const transcript = await show(ask({ kind: 'hologram', required: true, message: 'Which light?' }));
      const completed = collect(transcript, 'ahp-input-complete');

      submit(transcript);
      findButton(transcript, 'Decline').click();

      expect(textOf(find(transcript, 'form'))).to.contain('Which light?');
      expect(completed.map(({ response }) => response)).to.deep.equal(['decline']);
    });
  });

  describe('what is wrong', () => {
    const faults: readonly [string, object, InputAnswer | undefined, RegExp][] = [
      ['nothing where something is required', { kind: 'text', required: true }, undefined, /./],
      [
        'nothing chosen',
        { kind: 'single-select', options: [options[0]], required: true },
        undefined,
        /needs an answer/,
      ],
      ['white space', { kind: 'text', required: true }, text('  '), /needs an answer/],
      ['a text that is too short', { kind: 'text', min: 3 }, text('ab'), /At least 3 characters; now 2/],
      ['a text that is too long', { kind: 'text', max: 3 }, text('abcd'), /At most 3 characters; now 4/],
      ['no address', { kind: 'text', format: 'email' }, text('nobody'), /./],
      [
        'a number out of range',
        { kind: 'integer', max: 3 },
        { state: 'draft', value: { kind: 'number', value: 4 } },
        /3/,
      ],
      ['a fraction', { kind: 'integer', min: 0 }, { state: 'draft', value: { kind: 'number', value: 1.5 } }, /./],
      [
        'too many choices',
        { kind: 'multi-select', options, max: 1 },
        { state: 'draft', value: { kind: 'selected-many', value: ['s', 'p'] } },
        /Choose up to 1/,
      ],
    ];
    for (const [name, question, answer, words] of faults)
      it(`says so of ${name}, at the question, and sends nothing`, async () => {
        const transcript = await show({ ...ask(question), ...(answer && { answers: { q0: answer } }) });
        const completed = collect(transcript, 'ahp-input-complete');
        const before = fault(transcript);

        submit(transcript);
        await settled();

        expect(before).to.equal('');
        expect(fault(transcript)).to.match(words);
        expect(completed).to.be.empty;
        expect(textOf(find(transcript, 'form'))).to.contain('1 answer needs a change.');
        expect(deepFocus()?.closest('.question')?.getAttribute('data-index')).to.equal('0');
      });

    it('puts the focus on the first of them, ties it to its words, and lets go as soon as it is mended', async () => {
      const transcript = await show(ask({ kind: 'text', max: 99 }, { kind: 'text', max: 99, required: true }));
      submit(transcript);
      await settled();
      const faulty = field(transcript, 1);

      expect(deepFocus()).to.equal(faulty);
      expect(faulty.getAttribute('aria-invalid')).to.equal('true');
      const described = faulty.getAttribute('aria-describedby')!.split(' ');
      const root = faulty.getRootNode() as ShadowRoot;
      expect(described.map((id) => root.getElementById(id)?.className ?? 'missing')).to.include('plain fault');

      await type('x');
      await settled();

      expect(fault(transcript, 1)).to.equal('');
      expect(faulty.getAttribute('aria-invalid')).to.equal('false');
    });
  });

  describe('keys', () => {
    it('submits with Enter in a field of one line', async () => {
      const transcript = await show(ask({ kind: 'text', max: 50 }, { kind: 'number' }));
      const completed = collect(transcript, 'ahp-input-complete');
      field(transcript).focus();

      await type('main');
      await press('Enter');

      expect(completed.map(({ answers }) => answers?.q0)).to.deep.equal([text('main', 'submitted')]);
    });

    it('submits with Control and Enter in a field of several lines', async () => {
      const transcript = await show(ask({ kind: 'text' }));
      const completed = collect(transcript, 'ahp-input-complete');
      field(transcript).focus();
      await type('a');

      await sendKeys({ down: 'Control' });
      await press('Enter');
      await sendKeys({ up: 'Control' });

      expect(completed).to.have.length(1);
    });

    it('leaves the Enter that ends a composition to the input method, in every order of events', async () => {
      const transcript = await show(ask({ kind: 'text', max: 50 }));
      const completed = collect(transcript, 'ahp-input-complete');
      const box = field(transcript);
      box.value = 'にほん';
      const enter = (keyCode: number) =>
        box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode, bubbles: true, cancelable: true }));

      box.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }));
      box.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
      enter(229);
      expect(completed).to.be.empty;
      box.dispatchEvent(new KeyboardEvent('keyup', { key: 'Enter', bubbles: true }));
      enter(13);

      expect(completed).to.have.length(1);
    });

    it('walks a group with the arrows, and everything else with Tab', async () => {
      const transcript = await show(
        ask({ kind: 'single-select', options, required: true }, { kind: 'text', max: 9, required: true }),
      );
      const entered = collect(transcript, 'ahp-input-answer');
      choices(transcript)[1]!.focus();

      await press('ArrowUp');
      const value = entered.at(-1)?.answer;
      await press('Tab');
      const next = deepFocus();
      await press('Tab');

      expect(value).to.deep.equal({ state: 'draft', value: { kind: 'selected', value: 's' } });
      expect(next).to.equal(field(transcript, 1));
      expect(textOf(deepFocus()!)).to.equal('Submit');
    });

    it('keeps what is typed from the shortcuts of the page', async () => {
      const transcript = await show(ask({ kind: 'text' }));
      const heard: string[] = [];
      transcript.addEventListener('keydown', ({ key }) => heard.push(key));
      field(transcript).focus();

      await type('j');

      expect(heard).to.be.empty;
    });

    it('never submits or changes a form of the page around it', async () => {
      const form = document.createElement('form');
      let submits = 0;
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        submits += 1;
      });
      const transcript = await show(ask({ kind: 'text', max: 50 }));
      transcript.replaceWith(form);
      form.append(transcript);
      await settled();
      field(transcript).focus();

      await type('a');
      await press('Enter');

      expect(submits).to.equal(0);
      expect([...form.elements]).to.be.empty;
      form.remove();
    });
  });

  describe('beside others', () => {
    it('shows what somebody else enters as it comes, except where the focus is', async () => {
      const request = ask({ kind: 'text' }, { kind: 'text' });
      const transcript = await show(request);
      field(transcript).focus();
      await type('mine');

      await update(transcript, { ...request, answers: { q0: text('theirs'), q1: text('theirs') } });

      expect(field(transcript).value).to.equal('mine');
      expect(field(transcript, 1).value).to.equal('theirs');
    });

    it('keeps caret and selection while the answer streams', async () => {
      const request = ask({ kind: 'text' });
      const transcript = await show(request);
      const box = field<HTMLTextAreaElement>(transcript);
      box.focus();
      await type('a longer text');
      box.setSelectionRange(2, 8);

      for (let i = 0; i < 5; i += 1) {
        transcript.activeTurn = active(
          'now',
          part({ ...request, answers: { q0: text('a longer te') } }),
          markdown('x'.repeat(i)),
        );
        await settled();
      }

      expect(field(transcript)).to.equal(box);
      expect(deepFocus()).to.equal(box);
      expect([box.value, box.selectionStart, box.selectionEnd]).to.deep.equal(['a longer text', 2, 8]);
    });

    it('renders nothing but itself while it is being filled in', async () => {
      const transcript = await show(ask({ kind: 'text' }));
      let updates = 0;
      for (const element of [transcript, find(transcript, 'ahp-turn')] as unknown as { performUpdate(): void }[]) {
        const update = element.performUpdate.bind(element);
        element.performUpdate = () => {
          updates += 1;
          update();
        };
      }
      field(transcript).focus();
      await settled();
      updates = 0;

      await type('quick');

      expect(updates).to.equal(0);
    });

    it('shows what was entered before, also when that comes late, and the question as it is asked now', async () => {
      const drafts = new Drafts();
      const request = ask({ kind: 'text' });
      const transcript = await show(request, { answerDrafts: drafts });

      drafts.set({ q0: text('kept') });
      await settled();
      const late = field(transcript).value;
      await update(transcript, {
        ...request,
        questions: ask({ kind: 'text', message: 'Which branch then?' }).questions!,
      });

      expect(late).to.equal('kept');
      expect(field(transcript).value).to.equal('kept');
      expect(textOf(find(transcript, 'form'))).to.contain('Which branch then?');
    });

    it('is back with its answers and the reason when the host refuses them', async () => {
      const drafts = new Drafts();
      const request = ask({ kind: 'text', max: 50 });
      const transcript = await show(request, { answerDrafts: drafts });
      const completed = collect(transcript, 'ahp-input-complete');
      field(transcript).focus();
      await type('main');
      await press('Enter');

      drafts.set({ q0: text('main', 'submitted') }, { refusal: 'not today' });
      await settled();
      const said = textOf(find(transcript, 'form'));
      submit(transcript);

      expect(field(transcript).value).to.equal('main');
      expect(said).to.contain('the host refused it (not today)');
      expect(completed).to.have.length(2);
    });
  });

  it('takes no answer while the connection is away, and keeps what is entered', async () => {
    const status = { phase: 'offline', pending: 0, unconfirmed: [] } as const;
    const transcript = await show(ask({ kind: 'text' }), { status });
    const [entered, completed] = [collect(transcript, 'ahp-input-answer'), collect(transcript, 'ahp-input-complete')];
    field(transcript).focus();

    await type('a');
    submit(transcript);
    findButton(transcript, 'Decline').click();

    expect(entered).to.have.length(1);
    expect(completed).to.be.empty;
    expect(textOf(find(transcript, 'form'))).to.contain('You can answer when the connection is back.');
  });

  it('is accessible with every kind and every fault, also from right to left in a narrow box', async () => {
    const kinds = ['text', 'number', 'integer', 'boolean', 'single-select', 'multi-select', 'hologram'];
    const request = ask(
      ...kinds.map((kind) => ({
        kind,
        title: 'افتح src/app.ts \u202Egpj',
        required: kind !== 'hologram',
        allowFreeformInput: true,
        options: [options[0]],
      })),
    );
    const transcript = await show(request, { dir: 'rtl' });
    transcript.style.inlineSize = '240px';
    await expect(transcript).to.be.accessible();
    submit(transcript);
    await settled();

    await expect(transcript).to.be.accessible();
    expect(textOf(find(transcript, '.question-title'))).to.contain('[U+202E]');
    const scroller = find(transcript, '.scroller');
    expect(scroller.scrollWidth).to.be.at.most(scroller.clientWidth);
  });
});
