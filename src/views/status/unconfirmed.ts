/** What an intent without proof was about, in words, and the text in it that must not be lost. Pure. */

import type { UnconfirmedIntent } from '../../chat/store.js';
import type { Strings } from '../../i18n/strings.js';
import type { InputAnswer } from '../../protocol/state.js';
import { shortenEnd } from '../label.js';

export interface UnconfirmedText {
  readonly title: string;
  /** What the person had written, if anything. */
  readonly text: string;
}

export function toUnconfirmedText({ actions }: UnconfirmedIntent, strings: Strings): UnconfirmedText {
  for (const action of actions) {
    switch (action.type) {
      case 'chat/turnStarted':
        return said(action.message?.text, strings.unconfirmedMessage);
      case 'chat/pendingMessageSet':
        return said(action.message?.text, strings.unconfirmedQueued);
      case 'chat/steeringMessageSet':
        return said(action.steeringMessage?.message?.text, strings.unconfirmedQueued);
      case 'chat/toolCallConfirmed':
      case 'chat/toolCallResultConfirmed':
        return { title: strings.unconfirmedAnswer, text: '' };
      case 'chat/inputCompleted':
        return { title: strings.unconfirmedAnswer, text: toEnteredText(Object.values(action.answers ?? {})) };
      case 'chat/turnCancelled':
        return { title: strings.unconfirmedStop, text: '' };
      default:
        // A truncation stands before the turn that replaces what it takes away.
        continue;
    }
  }
  return { title: strings.unconfirmedOther, text: '' };
}

/** What was written into a form, without what was only chosen there. */
const toEnteredText = (answers: readonly InputAnswer[]): string =>
  answers
    .flatMap((answer) => {
      const value = answer.state === 'skipped' ? undefined : answer.value;
      if (value?.kind === 'text') return [value.value];
      return value?.kind === 'selected' || value?.kind === 'selected-many' ? (value.freeformValues ?? []) : [];
    })
    .join('\n\n');

const said = (text: string | undefined, say: (text: string) => string): UnconfirmedText => ({
  title: say(shortenEnd(text ?? '', 80)),
  text: text ?? '',
});
