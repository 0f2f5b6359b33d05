/**
 * Answer mode: while one question is open, what is written in the composer can answer it. It answers by itself only what
 * was begun after the question came; a message somebody was in the middle of stays a message until they say otherwise, so
 * that a question never catches an Enter that was meant for something else. A lazy chunk. Source: architecture, one
 * keystroke.
 */

import { html, nothing, type TemplateResult } from 'lit';
import { toSubmitted, toTextAnswer, type TextAnswer } from '../../chat/answer-text.js';
import type { Strings } from '../../i18n/strings.js';
import type { ChatInputRequest } from '../../protocol/state.js';
import { AhpInputCompleteEvent } from '../events.js';
import { icon } from '../icons.js';
import { shortenEnd } from '../label.js';
import { toWords } from '../parts/words.js';

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

  /** What the text says to the host. */
  toEvent(): AhpInputCompleteEvent | undefined {
    const [request, answer] = [this.#request, this.#answer];
    return request && answer && new AhpInputCompleteEvent(request.id, 'accept', toSubmitted(answer));
  }

  /** Whether the text is meant as a message from now on, until the field is empty again. */
  hold(isMessage: boolean): void {
    this.#isHeld = isMessage;
  }

  /** Always there: what is said of the text describes the field, and is spoken when it changes. */
  render(
    hasFiles: boolean,
    setAnswering: (isAnswering: boolean, event: Event) => void,
    strings: Strings,
  ): TemplateResult {
    const { state } = this;
    const isOn = state === 'on';
    return html`<div class=${state === 'off' ? 'hidden-text' : `row answer-mode ${state}`}>
      ${state === 'off' ? nothing : icon('chat')}
      <bdi class="row-text" id="answer-mode" aria-live="polite"
        >${state === 'off' ? nothing : this.#toWords(strings)}${isOn && hasFiles ? ` ${strings.answerFilesStay}` : nothing}</bdi
      >
      ${
        state === 'off'
          ? nothing
          : html`<button
              class="button"
              type="button"
              aria-keyshortcuts=${isOn ? 'Escape' : nothing}
              @click=${(event: Event) => setAnswering(!isOn, event)}
            >
              ${isOn ? strings.sendInstead : strings.answerWithText}
            </button>`
      }
    </div>`;
  }

  #toWords(strings: Strings): string {
    const { title, message } = this.#request?.questions?.[0] ?? {};
    const asked = toWords(message) || toWords(title) || toWords(this.#request?.message);
    const label = this.#answer?.label;
    const question = shortenEnd(asked, 80);
    return this.state === 'on'
      ? strings.answering(question, label === undefined ? undefined : shortenEnd(label, 60))
      : strings.answerOffered(question);
  }
}

const types: Readonly<Record<string, string>> = { email: 'email', uri: 'url' };

/** As the browser's own fields judge; a date is picked in the form. */
function hasFormat(format: string, text: string): boolean {
  const type = Object.hasOwn(types, format) ? types[format] : undefined;
  return type !== undefined && Object.assign(document.createElement('input'), { type, value: text }).checkValidity();
}
