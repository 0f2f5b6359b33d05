/** Answers as text, for what can no longer be changed, and for what is to be copied. Pure. */

import type { Strings } from '../../i18n/strings.js';
import type { ChatInputQuestion, InputAnswer } from '../../protocol/state.js';
import { showHidden, toLine } from '../label.js';

/** What was answered; a question may be unknown by now, or of another kind. */
export function toAnswerText(question: ChatInputQuestion | undefined, answer: InputAnswer, strings: Strings): string {
  if (answer.state === 'skipped') return strings.answerSkipped;
  const { value } = answer;
  const options = question && 'options' in question ? question.options : [];
  const labels = new Map(options.map(({ id, label }) => [id, label || id]));
  switch (value?.kind) {
    case 'boolean':
      return value.value ? strings.yes : strings.no;
    case 'selected':
      return [value.value && (labels.get(value.value) ?? value.value), ...(value.freeformValues ?? [])]
        .filter(Boolean)
        .map((text) => toLine(String(text)))
        .join(', ');
    case 'selected-many':
      return [...value.value.map((id) => labels.get(id) ?? id), ...(value.freeformValues ?? [])].map(toLine).join(', ');
    default:
      return showHidden(String(value?.value ?? ''));
  }
}
