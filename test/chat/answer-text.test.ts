import { expect } from '@open-wc/testing';
import { toSubmitted, toTextAnswer, type AnswerWords } from '../../src/chat/answer-text.js';
import { findAnswerable } from '../../src/chat/selectors.js';
import type { ChatInputQuestion } from '../../src/protocol/state.js';
import { busyChat, chat, question } from '../helpers/chat-states.js';

const words: AnswerWords = { yes: 'Yes', no: 'No', fits: (format, text) => format === 'email' && text.includes('@') };
const base = { id: 'q', message: 'What?' };
const options = [
  { id: 's', label: 'Staging' },
  { id: 'p', label: 'Production' },
];
const answer = (asked: object, text: string) =>
  toTextAnswer({ id: 'r', questions: [{ ...base, ...asked } as ChatInputQuestion] }, text, words);

describe('a text as an answer', () => {
  it('is offered to the first open request that asks exactly one thing', () => {
    const one = question('one', { questions: [{ ...base, kind: 'text' }] });

    expect(findAnswerable(busyChat([one, question('two')]))?.id).to.equal('one');
  });

  const unfit: readonly [string, Parameters<typeof question>[1]][] = [
    ['no question', {}],
    [
      'several questions',
      {
        questions: [
          { ...base, kind: 'text' },
          { ...base, id: 'z', kind: 'text' },
        ],
      },
    ],
    ['an address to open', { url: 'https://example.com', questions: [{ ...base, kind: 'text' }] }],
  ];
  for (const [name, members] of unfit)
    it(`is not offered to a request with ${name}`, () => {
      expect(findAnswerable(busyChat([question('one', members)]))).to.equal(undefined);
    });

  it('is not offered to a request that is answered, or when no turn runs', () => {
    const answered = { ...question('one', { questions: [{ ...base, kind: 'text' }] }), response: 'accept' as const };

    expect(findAnswerable(busyChat([answered]))).to.equal(undefined);
    expect(findAnswerable(chat())).to.equal(undefined);
  });

  const answers: readonly [string, object, string, unknown][] = [
    ['a text', { kind: 'text' }, '  main ', { kind: 'text', value: 'main' }],
    ['a text with a format', { kind: 'text', format: 'email' }, 'a@b.c', { kind: 'text', value: 'a@b.c' }],
    ['a number', { kind: 'number', min: 1, max: 3 }, '2.5', { kind: 'number', value: 2.5 }],
    ['an integer', { kind: 'integer' }, '7', { kind: 'number', value: 7 }],
    ['yes', { kind: 'boolean' }, 'yes', { kind: 'boolean', value: true }],
    ['no', { kind: 'boolean' }, 'NO', { kind: 'boolean', value: false }],
    ['an option by its label', { kind: 'single-select', options }, 'production', { kind: 'selected', value: 'p' }],
    [
      'free text beside options',
      { kind: 'single-select', options, allowFreeformInput: true },
      'my laptop',
      { kind: 'selected', value: '', freeformValues: ['my laptop'] },
    ],
    ['one of several options', { kind: 'multi-select', options }, 's', { kind: 'selected-many', value: ['s'] }],
    [
      'free text beside several options',
      { kind: 'multi-select', options, allowFreeformInput: true },
      'cron',
      { kind: 'selected-many', value: [], freeformValues: ['cron'] },
    ],
  ];
  for (const [name, asked, text, value] of answers)
    it(`can be ${name}`, () => {
      expect(answer(asked, text)?.value).to.deep.equal(value);
    });

  const none: readonly [string, object, string][] = [
    ['white space', { kind: 'text' }, '  '],
    ['a text that is too short', { kind: 'text', min: 3 }, 'ab'],
    ['a text that is too long', { kind: 'text', max: 3 }, 'abcd'],
    ['a text of another format', { kind: 'text', format: 'email' }, 'nobody'],
    ['a number out of range', { kind: 'number', max: 3 }, '4'],
    ['a fraction for an integer', { kind: 'integer' }, '1.5'],
    ['words for a number', { kind: 'number' }, 'many'],
    ['neither yes nor no', { kind: 'boolean' }, 'perhaps'],
    ['no option', { kind: 'single-select', options }, 'laptop'],
    ['one where two are asked for', { kind: 'multi-select', options, min: 2 }, 's'],
    ['anything for a question of a later kind', { kind: 'hologram' }, 'blue'],
  ];
  for (const [name, asked, text] of none)
    it(`is no answer: ${name}`, () => {
      expect(answer(asked, text)).to.equal(undefined);
    });

  it('is submitted under the id of the question, whatever it is called', () => {
    const submitted = toSubmitted({ questionId: '__proto__', value: { kind: 'text', value: 'x' }, label: undefined });

    expect(Object.keys(submitted)).to.deep.equal(['__proto__']);
  });
});
