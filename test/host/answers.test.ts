import { expect } from '@open-wc/testing';
import { findAnswerFault } from '../../src/host/answers.js';
import type { ChatInputQuestion, InputAnswer, InputAnswerValue } from '../../src/protocol/state.js';

const submitted = (value: InputAnswerValue): InputAnswer => ({ state: 'submitted', value });
const base = { id: 'q', message: '?' };
const text: ChatInputQuestion = { ...base, kind: 'text', min: 2, max: 4 };
const number: ChatInputQuestion = { ...base, kind: 'number', min: 0, max: 1 };
const integer: ChatInputQuestion = { ...base, kind: 'integer' };
const options = ['a', 'b'].map((id) => ({ id, label: id }));
const single: ChatInputQuestion = { ...base, kind: 'single-select', options };
const free: ChatInputQuestion = { ...single, allowFreeformInput: true };
const multi: ChatInputQuestion = { ...base, kind: 'multi-select', options, min: 1, max: 2, allowFreeformInput: true };

describe('an answer that is given for good', () => {
  const kept: readonly (readonly [ChatInputQuestion, InputAnswerValue])[] = [
    [text, { kind: 'text', value: 'abc' }],
    [number, { kind: 'number', value: 0.5 }],
    [integer, { kind: 'number', value: -3 }],
    [single, { kind: 'selected', value: 'a' }],
    [free, { kind: 'selected', value: '', freeformValues: ['c'] }],
    [multi, { kind: 'selected-many', value: ['a'], freeformValues: ['c'] }],
    [
      { ...base, kind: 'boolean' },
      { kind: 'boolean', value: false },
    ],
  ];
  for (const [question, value] of kept) {
    it(`keeps to a question of kind ${question.kind}: ${JSON.stringify(value)}`, () => {
      expect(findAnswerFault(question, submitted(value))).to.equal(undefined);
    });
  }

  const broken: readonly (readonly [ChatInputQuestion, InputAnswerValue, RegExp])[] = [
    [text, { kind: 'text', value: 'a' }, /at least 2 characters/],
    [text, { kind: 'text', value: 'abcde' }, /at most 4 characters/],
    [number, { kind: 'number', value: -1 }, /at least 0$/],
    [integer, { kind: 'number', value: 0.5 }, /whole number/],
    [single, { kind: 'selected', value: 'z' }, /no option "z"/],
    [single, { kind: 'selected', value: '', freeformValues: ['c'] }, /no text of one’s own/],
    [multi, { kind: 'selected-many', value: [] }, /at least 1 entries/],
    [multi, { kind: 'selected-many', value: ['a', 'b'], freeformValues: ['c'] }, /at most 2 entries/],
  ];
  for (const [question, value, fault] of broken) {
    it(`breaks a question of kind ${question.kind}: ${JSON.stringify(value)}`, () => {
      expect(findAnswerFault(question, submitted(value))).to.match(fault);
    });
  }

  it('is judged alone: a draft or a skipped question breaks nothing', () => {
    expect(findAnswerFault(text, { state: 'draft', value: { kind: 'text', value: '' } })).to.equal(undefined);
    expect(findAnswerFault(text, { state: 'skipped' })).to.equal(undefined);
    expect(findAnswerFault(text, undefined)).to.equal(undefined);
  });
});
