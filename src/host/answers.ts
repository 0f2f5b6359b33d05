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

/**
 * Why a submitted answer breaks what its question says, in words; `undefined` when it keeps to it. A form checks the same
 * before it is sent, but a host does not rely on forms.
 */
export function findAnswerFault(question: ChatInputQuestion, answer: InputAnswer | undefined): string | undefined {
  if (answer?.state !== 'submitted') return undefined;
  const { value } = answer;
  switch (question.kind) {
    case 'text':
      return value.kind === 'text' ? outside(value.value.length, question, 'characters') : undefined;
    case 'number':
    case 'integer':
      if (value.kind !== 'number') return undefined;
      if (question.kind === 'integer' && !Number.isInteger(value.value)) return 'it must be a whole number';
      return outside(value.value, question, '');
    case 'single-select':
      if (value.kind !== 'selected') return undefined;
      return findChoiceFault(question, value.freeformValues?.length ? [] : [value.value], value.freeformValues);
    case 'multi-select':
      if (value.kind !== 'selected-many') return undefined;
      return (
        findChoiceFault(question, value.value, value.freeformValues) ??
        outside(value.value.length + (value.freeformValues?.length ?? 0), question, 'entries')
      );
    default:
      return undefined;
  }
}

function outside(amount: number, { min, max }: { readonly min?: number; readonly max?: number }, what: string) {
  if (min !== undefined && amount < min) return `it must be at least ${min} ${what}`.trimEnd();
  if (max !== undefined && amount > max) return `it must be at most ${max} ${what}`.trimEnd();
  return undefined;
}

function findChoiceFault(
  question: Extract<ChatInputQuestion, { kind: 'single-select' | 'multi-select' }>,
  chosen: readonly string[],
  freeform: readonly string[] = [],
): string | undefined {
  if (freeform.length > 0 && !question.allowFreeformInput) return 'it takes no text of one’s own';
  const unknown = chosen.find((id) => !question.options.some((option) => option.id === id));
  return unknown === undefined ? undefined : `there is no option "${unknown}"`;
}
