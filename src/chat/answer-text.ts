/**
 * Text as an answer: which open question something written beside the form may answer, and with what. Pure. The form itself
 * needs none of this. Source: AHP, input requests; architecture, one keystroke.
 */

import type { ChatInputQuestion, ChatInputRequest, InputAnswer, InputAnswerValue } from '../protocol/state.js';

/** What a text is taken for, in the words of the person's language. */
export interface AnswerWords {
  readonly yes: string;
  readonly no: string;
  /** Whether `text` has the format that a text question asks for. */
  fits(format: string, text: string): boolean;
}

/** An answer, and the words that stand for it where they are others than the text. */
export interface TextAnswer {
  readonly questionId: string;
  readonly value: InputAnswerValue;
  readonly label: string | undefined;
}

/** What `text` answers to the only question of `request`; `undefined` if it is no answer to it. */
export function toTextAnswer(request: ChatInputRequest, text: string, words: AnswerWords): TextAnswer | undefined {
  const question = request.questions?.[0];
  const said = text.trim();
  if (!question || said === '') return undefined;
  const found = toValue(question, said, words);
  return found && { questionId: question.id, value: found.value, label: found.label };
}

/** The answers with which the request is accepted. */
export const toSubmitted = ({ questionId, value }: TextAnswer): Readonly<Record<string, InputAnswer>> =>
  Object.fromEntries([[questionId, { state: 'submitted', value }]]);

interface Found {
  readonly value: InputAnswerValue;
  readonly label?: string;
}

function toValue(question: ChatInputQuestion, text: string, words: AnswerWords): Found | undefined {
  switch (question.kind) {
    case 'text': {
      const { format, min = 0, max = Infinity } = question;
      const fits = text.length >= min && text.length <= max && (format === undefined || words.fits(format, text));
      return fits ? { value: { kind: 'text', value: text } } : undefined;
    }
    case 'number':
    case 'integer': {
      const { min = -Infinity, max = Infinity } = question;
      const value = Number(text);
      const fits = Number.isFinite(value) && value >= min && value <= max;
      return fits && (question.kind === 'number' || Number.isInteger(value))
        ? { value: { kind: 'number', value } }
        : undefined;
    }
    case 'boolean': {
      const value = isSame(text, words.yes) ? true : isSame(text, words.no) ? false : undefined;
      return value === undefined ? undefined : { value: { kind: 'boolean', value } };
    }
    case 'single-select': {
      const option = findOption(question.options, text);
      if (option) return { value: { kind: 'selected', value: option.id }, label: option.label || option.id };
      if (!question.allowFreeformInput) return undefined;
      // Free text stands in the place of a choice.
      return { value: { kind: 'selected', value: '', freeformValues: [text] } };
    }
    case 'multi-select': {
      const { min = 0, max = Infinity } = question;
      const option = findOption(question.options, text);
      if (min > 1 || max < 1 || !(option || question.allowFreeformInput)) return undefined;
      return option
        ? { value: { kind: 'selected-many', value: [option.id] }, label: option.label || option.id }
        : { value: { kind: 'selected-many', value: [], freeformValues: [text] } };
    }
    default:
      return undefined;
  }
}

const isSame = (a: string, b: string): boolean => a.toLocaleLowerCase() === b.trim().toLocaleLowerCase();

const findOption = (options: Extract<ChatInputQuestion, { kind: 'single-select' }>['options'], text: string) =>
  options.find(({ label }) => isSame(text, label)) ?? options.find(({ id }) => isSame(text, id));
