/**
 * What is wrong with an answer, in words: the browser's own where it knows the rule, ours for counts and lengths. Lengths
 * are no attribute of the field, because that would cut a pasted text without a word.
 */

import type { Format } from '../../i18n/format.js';
import type { Strings } from '../../i18n/strings.js';
import type { ChatInputQuestion, InputAnswerValue } from '../../protocol/state.js';
import { controlsIn, readValue, toInputType } from './question-controls.js';

/** The words for the fault, or an empty string. The controls know it as well, as their validity. */
export function findFault(question: ChatInputQuestion, box: Element, strings: Strings, format: Format): string {
  const controls = controlsIn(box);
  const [first] = controls;
  if (!first) return '';
  first.setCustomValidity('');
  const own = findOwnFault(question, readValue(question, box), strings, format);
  const native = controls.find((control) => !control.checkValidity())?.validationMessage;
  // What the browser says of a half-typed number or date is the more helpful one.
  const fault = native || own;
  if (!native) first.setCustomValidity(own);
  return fault;
}

function findOwnFault(
  question: ChatInputQuestion,
  value: InputAnswerValue | undefined,
  strings: Strings,
  format: Format,
): string {
  if (value === undefined) return question.required ? strings.answerMissing : '';
  switch (value.kind) {
    case 'text': {
      if (question.kind !== 'text') return '';
      const hint = toHint(question, strings, format);
      const { min = 0, max = Infinity } = question;
      const { length } = value.value;
      const isMeasured = !isPicked(question);
      return isMeasured && (length < min || length > max) ? strings.lengthIs(hint, format.number(length)) : '';
    }
    case 'selected-many': {
      if (question.kind !== 'multi-select') return '';
      const { min = 0, max = Infinity } = question;
      const count = value.value.length + (value.freeformValues?.length ?? 0);
      return count < min || count > max ? strings.chooseBetween(question.min, question.max) : '';
    }
    default:
      return '';
  }
}

/** Dates and times have no length. */
const isPicked = (question: Extract<ChatInputQuestion, { kind: 'text' }>): boolean =>
  ['date', 'datetime-local', 'time'].includes(toInputType(question) ?? '');

/** What the question asks of its answer, before anything is wrong; empty if it asks nothing. */
export function toHint(question: ChatInputQuestion, strings: Strings, format: Format): string {
  switch (question.kind) {
    case 'text': {
      if (toInputType(question) === 'datetime-local')
        return strings.timeZone(new Intl.DateTimeFormat().resolvedOptions().timeZone);
      if (isPicked(question)) return '';
      const { min, max } = question;
      return between(min === 0 ? undefined : min, max, strings.lengthBetween, format);
    }
    case 'number':
    case 'integer':
      return between(question.min, question.max, strings.numberBetween, format);
    case 'multi-select':
      return question.min === undefined && question.max === undefined
        ? ''
        : strings.chooseBetween(question.min, question.max);
    default:
      return '';
  }
}

function between(
  min: number | undefined,
  max: number | undefined,
  say: (min: string | undefined, max: string | undefined) => string,
  format: Format,
): string {
  if (min === undefined && max === undefined) return '';
  return say(min === undefined ? undefined : format.number(min), max === undefined ? undefined : format.number(max));
}
