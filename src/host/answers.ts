/** Whether an answer fits its question. Source: AHP, input requests. */

import type { ChatInputQuestion, InputAnswer, InputAnswerValue } from '../protocol/state.js';

const kindOfValue: Readonly<Record<string, InputAnswerValue['kind']>> = {
  text: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  'single-select': 'selected',
  'multi-select': 'selected-many',
};

/** Whether `answer` is of the kind the question asks for. A question of a later version takes every answer. */
export function isAnswerFor(question: ChatInputQuestion, answer: InputAnswer): boolean {
  if (answer.state === 'skipped') return true;
  const expected = Object.hasOwn(kindOfValue, question.kind) ? kindOfValue[question.kind] : undefined;
  if (expected === undefined) return true;
  return answer.value.kind === expected && hasValue(answer.value);
}

function hasValue(value: InputAnswerValue): boolean {
  switch (value.kind) {
    case 'number':
      return Number.isFinite(value.value);
    case 'boolean':
      return typeof value.value === 'boolean';
    case 'selected-many':
      return Array.isArray(value.value) && value.value.every((item) => typeof item === 'string');
    default:
      return typeof value.value === 'string';
  }
}

/** Whether a required question has been answered for good. */
export function isSubmitted(question: ChatInputQuestion, answers: Readonly<Record<string, InputAnswer>>): boolean {
  const answer = Object.hasOwn(answers, question.id) ? answers[question.id] : undefined;
  return answer?.state === 'submitted' && isAnswerFor(question, answer);
}
