import { LitElement, html, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import { Localized } from '../../i18n/localize.js';
import type { Strings } from '../../i18n/strings.js';
import type { ChatInputQuestion, ChatInputRequest, InputAnswer, InputResponse } from '../../protocol/state.js';
import { define } from '../define.js';
import { AhpInputCompleteEvent } from '../events.js';
import { icon } from '../icons.js';
import { showHidden, toLabel } from '../label.js';
import { renderText } from '../parts/words.js';
import type { PartScope } from '../transcript/part-scope.js';

/**
 * A question to the person, with its answers once there are any. Never opens an address by itself. Has no shadow root: it
 * is styled by the transcript.
 *
 * @customElement ahp-input-request
 * @summary A question of the agent.
 * @fires {AhpInputCompleteEvent} ahp-input-complete - The question is answered, declined or cancelled.
 * @csspart input-request - The card.
 */
export class AhpInputRequest extends LitElement {
  readonly #language = new Localized(this);

  @property({ attribute: false }) request: ChatInputRequest | undefined;

  /** Absent while it is open. */
  @property({ attribute: false }) response: InputResponse | undefined;

  /** Whether its turn runs: a question of a finished turn stays unanswered. */
  @property({ type: Boolean }) active = false;

  @property({ attribute: false }) scope: PartScope | undefined;

  /** The request that was answered here; another object with the same id may be asked again. */
  #answered: ChatInputRequest | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  #complete(response: InputResponse): void {
    const { request } = this;
    if (!request || this.#answered === request || this.scope?.answers !== 'yes') return;
    this.#answered = request;
    if (!this.dispatchEvent(new AhpInputCompleteEvent(request.id, response))) this.#answered = undefined;
    this.requestUpdate();
  }

  override render() {
    const { request, response, scope } = this;
    if (!request || !scope) return nothing;
    const { strings } = this.#language.value;
    const isOpen = this.active && response === undefined;
    const questions = request.questions ?? [];
    return html`<section
      class=${isOpen ? 'card raised' : 'card'}
      part="input-request"
      aria-label=${strings.question}
      tabindex="-1"
      ?data-needs-answer=${isOpen}
    >
      <h3 class="card-title">${icon('chat')}${strings.question}</h3>
      ${renderText(request.message)} ${request.url ? renderUrl(request.url) : nothing}
      ${questions.map((question) => renderQuestion(question, request.answers?.[question.id], strings))}
      ${isOpen ? this.#renderButtons(strings) : html`<p class="plain quiet">${toOutcome(response, strings)}</p>`}
    </section>`;
  }

  #renderButtons(strings: Strings) {
    const answers = this.#answered === this.request ? 'given' : this.scope!.answers;
    if (answers === 'no') return html`<p class="plain quiet">${strings.toolPending}</p>`;
    const hint = { yes: '', waiting: strings.answerWhenLive, given: strings.answerSent }[answers];
    const button = (label: string, response: InputResponse) =>
      html`<button
        class="button"
        type="button"
        aria-disabled=${answers !== 'yes'}
        @click=${() => this.#complete(response)}
      >
        ${label}
      </button>`;
    return html`<div class="buttons">
      ${button(strings.decline, 'decline')}${button(strings.cancel, 'cancel')}
      ${hint ? html`<span class="quiet">${hint}</span>` : nothing}
    </div>`;
  }
}

function renderUrl(url: string) {
  return html`<p class="plain">
    <code><bdi>${toLabel(url)}</bdi></code>
  </p>`;
}

function renderQuestion(question: ChatInputQuestion, answer: InputAnswer | undefined, strings: Strings) {
  return html`<div class="field">
    ${question.title ? html`<div class="field-name">${toLabel(question.title)}</div>` : nothing}
    ${renderText(question.message)}
    ${answer ? html`<p class="literal strong" dir="auto">${toAnswerText(question, answer, strings)}</p>` : nothing}
  </div>`;
}

function toAnswerText(question: ChatInputQuestion, answer: InputAnswer, strings: Strings): string {
  if (answer.state === 'skipped') return strings.answerSkipped;
  const { value } = answer;
  const labels = new Map('options' in question ? question.options.map(({ id, label }) => [id, label]) : []);
  switch (value?.kind) {
    case 'boolean':
      return value.value ? strings.yes : strings.no;
    case 'selected':
      return [value.value && (labels.get(value.value) ?? value.value), ...(value.freeformValues ?? [])]
        .filter(Boolean)
        .map((text) => toLabel(String(text)))
        .join(', ');
    case 'selected-many':
      return [...value.value.map((id) => labels.get(id) ?? id), ...(value.freeformValues ?? [])]
        .map(toLabel)
        .join(', ');
    default:
      return showHidden(String(value?.value ?? ''));
  }
}

function toOutcome(response: InputResponse | undefined, strings: Strings): string {
  switch (response) {
    case 'accept':
      return strings.answerAccepted;
    case 'decline':
      return strings.answerDeclined;
    case 'cancel':
      return strings.answerCancelled;
    default:
      return strings.unanswered;
  }
}

define('ahp-input-request', AhpInputRequest);

declare global {
  interface HTMLElementTagNameMap {
    'ahp-input-request': AhpInputRequest;
  }
}
