/**
 * Answer mode: while one question is open, what is written in the composer can answer it. It answers by itself only what
 * was begun after the question came; a message somebody was in the middle of stays a message until they say otherwise, so
 * that a question never catches an Enter that was meant for something else. Source: architecture, one keystroke.
 */

import { toTextAnswer, type TextAnswer } from '../../chat/answer-text.js';
import type { Strings } from '../../i18n/strings.js';
import type { ChatInputRequest } from '../../protocol/state.js';

export class AnswerMode {
  #request: ChatInputRequest | undefined;
  #answer: TextAnswer | undefined;
  /** The text is meant as a message, although it could answer. */
  #isHeld = false;

  /** To be told before each render. */
  follow(request: ChatInputRequest | undefined, text: string, { yes, no }: Strings): void {
    const isEmpty = text.trim() === '';
    if (request?.id !== this.#request?.id || isEmpty) this.#isHeld = !isEmpty;
    this.#request = request;
    this.#answer = request && toTextAnswer(request, text, { yes, no, fits: hasFormat });
  }

  /** `on`: sending answers the question. `offered`: it would, after a press. */
  get state(): 'off' | 'offered' | 'on' {
    if (!this.#answer) return 'off';
    return this.#isHeld ? 'offered' : 'on';
  }

  get request(): ChatInputRequest | undefined {
    return this.#request;
  }

  /** What the text answers, while it does. */
  get answer(): TextAnswer | undefined {
    return this.#answer;
  }

  /** Whether the text is meant as a message from now on, until the field is empty again. */
  hold(isMessage: boolean): void {
    this.#isHeld = isMessage;
  }
}

const types: Readonly<Record<string, string>> = { email: 'email', uri: 'url' };

/** As the browser's own fields judge; a date is picked in the form. */
function hasFormat(format: string, text: string): boolean {
  const type = Object.hasOwn(types, format) ? types[format] : undefined;
  return type !== undefined && Object.assign(document.createElement('input'), { type, value: text }).checkValidity();
}
