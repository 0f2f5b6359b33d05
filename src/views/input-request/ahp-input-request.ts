import { LitElement, html, nothing, type PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import type { EnteredAnswers } from '../../chat/answer-drafts.js';
import { Localized } from '../../i18n/localize.js';
import type { Strings } from '../../i18n/strings.js';
import { isEqual } from '../../protocol/record.js';
import type { ChatInputQuestion, ChatInputRequest, InputAnswer, InputResponse } from '../../protocol/state.js';
import { CopyController } from '../copy-controller.js';
import { define } from '../define.js';
import { AhpInputCompleteEvent } from '../events.js';
import { icon } from '../icons.js';
import { toLabel } from '../label.js';
import { renderText, toWords } from '../parts/words.js';
import type { PartScope } from '../transcript/part-scope.js';
import './ahp-input-form.js';
import { toAnswerText } from './answers-in-words.js';

/**
 * A question to the person: its form while it is open, then its answers, who closed it, and what was entered here and not
 * taken. Never opens an address by itself. Has no shadow root: it is styled by the transcript.
 *
 * @customElement ahp-input-request
 * @summary A question of the agent.
 * @fires {AhpInputCompleteEvent} ahp-input-complete - The question is answered, declined or cancelled.
 * @fires {AhpInputAnswerEvent} ahp-input-answer - What is entered has changed.
 * @csspart input-request - The card.
 */
export class AhpInputRequest extends LitElement {
  readonly #language = new Localized(this);
  readonly #copy = new CopyController(this);

  @property({ attribute: false }) request: ChatInputRequest | undefined;

  /** Absent while it is open. */
  @property({ attribute: false }) response: InputResponse | undefined;

  /** Whether its turn runs: a question of a finished turn stays unanswered. */
  @property({ type: Boolean }) active = false;

  @property({ attribute: false }) scope: PartScope | undefined;

  /** The request that was answered here; another object with the same id may be asked again. */
  #answered: ChatInputRequest | undefined;
  #hadFocus = false;
  #leave: (() => void) | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#follow();
  }

  override disconnectedCallback(): void {
    this.#leave?.();
    this.#leave = undefined;
    super.disconnectedCallback();
  }

  /** What becomes of an answer is known to those who keep the drafts. */
  #follow(): void {
    this.#leave?.();
    this.#leave = this.scope?.answerDrafts?.subscribe(() => {
      // A refusal opens the very same request again.
      if (this.#entered?.refusal !== undefined) this.#answered = undefined;
      this.requestUpdate();
    });
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('scope') && this.isConnected) this.#follow();
    // Answered, it comes back open only if the answer was not taken.
    if (this.response !== undefined) this.#answered = undefined;
    this.#hadFocus = this.matches(':focus-within');
    // A field says that it has changed when it loses the focus; taken out with its form, it would say so too late.
    if (!this.#isOpen) this.querySelector<HTMLElement>('form :focus')?.blur();
  }

  /** A form that closes under the person's hands leaves the focus on the card it was in. */
  protected override updated(): void {
    if (this.#hadFocus && !this.matches(':focus-within'))
      this.querySelector<HTMLElement>('.card')?.focus({ preventScroll: true });
  }

  readonly #complete = (response: InputResponse, answers?: Readonly<Record<string, InputAnswer>>): void => {
    const { request } = this;
    if (!request || this.#answers !== 'yes') return;
    // Marked before it is told, so that nothing that happens meanwhile can answer twice.
    this.#answered = request;
    if (!this.dispatchEvent(new AhpInputCompleteEvent(request.id, response, answers))) this.#answered = undefined;
    this.requestUpdate();
  };

  get #isOpen(): boolean {
    return this.active && this.response === undefined;
  }

  get #answers(): PartScope['answers'] | 'given' {
    const { request, scope } = this;
    if (!request || !scope) return 'no';
    const isGiven = this.#answered === request || scope.pendingIds.has(request.id);
    return scope.answers !== 'no' && isGiven ? 'given' : scope.answers;
  }

  get #entered(): EnteredAnswers | undefined {
    return this.request && this.scope?.answerDrafts?.find(this.request.id);
  }

  override render() {
    const { request, scope } = this;
    if (!request || !scope) return nothing;
    const { strings } = this.#language.value;
    const isOpen = this.#isOpen;
    return html`<div
      class=${isOpen ? 'card raised' : 'card'}
      part="input-request"
      role="group"
      aria-label=${strings.question}
      tabindex="-1"
      ?data-needs-answer=${isOpen}
    >
      <h3 class="card-title">${icon('chat')}${strings.question}</h3>
      ${renderText(request.message)}
      ${isOpen ? this.#renderOpen(request, strings) : this.#renderClosed(request, strings)}
    </div>`;
  }

  #renderOpen(request: ChatInputRequest, strings: Strings) {
    const answers = this.#answers;
    if (answers === 'no')
      return html`${renderQuestions(request, strings)}
        <p class="plain quiet">${strings.toolPending}</p>`;
    const hint = { yes: '', waiting: strings.answerWhenLive, given: strings.answerSent }[answers];
    return html`<ahp-input-form
      .request=${request}
      .drafts=${this.scope!.answerDrafts}
      .ready=${answers === 'yes'}
      .hint=${hint}
      .complete=${this.#complete}
    ></ahp-input-form>`;
  }

  #renderClosed(request: ChatInputRequest, strings: Strings) {
    const by = this.#entered?.closedBy;
    const whom = { other: strings.closedByOther, host: strings.closedByHost, none: '' }[by ?? 'none'];
    return html`${renderQuestions(request, strings, this.response === 'accept')}${this.#renderEntered(request, strings)}
      <p class="plain quiet">${toOutcome(this.response, strings)}${whom ? ` · ${whom}` : nothing}</p>`;
  }

  /** What was typed here and is not the answer belongs to the person: it can be read and taken along. */
  #renderEntered(request: ChatInputRequest, strings: Strings) {
    const entered = [...(this.#entered?.answers ?? [])].filter(
      ([id, answer]) => answer && answer.state !== 'skipped' && !isSameValue(answer, answerIn(request, id)),
    );
    if (entered.length === 0) return nothing;
    const text = entered
      .map(([id, answer]) => {
        const question = request.questions?.find((each) => each.id === id);
        const name = toWords(question?.title) || toWords(question?.message);
        return `${name ? `${name}\n` : ''}${toAnswerText(question, answer!, strings)}`;
      })
      .join('\n\n');
    const outcome = this.#copy.outcome('entered');
    return html`<div class="field entered">
      <div class="field-name">${strings.youHadEntered}</div>
      <p class="literal" dir="auto">${text}</p>
      <div class="buttons">
        <button
          class="button"
          type="button"
          @click=${(event: Event) => this.#copy.copy('entered', text, event.currentTarget as Element, this.scope?.clock)}
        >
          ${{ copied: strings.copied, failed: strings.copyFailed, none: strings.copy }[outcome ?? 'none']}
        </button>
      </div>
    </div>`;
  }
}

/** The questions with their answers in words. `isTold`: they are the answers for good, and where there is none it says so. */
const renderQuestions = (request: ChatInputRequest, strings: Strings, isTold = false) =>
  html`${
    request.url
      ? html`<p class="plain">
          <code dir="ltr"><bdi>${toLabel(request.url)}</bdi></code>
        </p>`
      : nothing
  }
  ${(request.questions ?? []).map((question) => renderQuestion(question, answerIn(request, question.id), strings, isTold))}`;

function renderQuestion(
  question: ChatInputQuestion,
  answer: InputAnswer | undefined,
  strings: Strings,
  isTold: boolean,
) {
  const words = answer && answer.state !== 'skipped' ? toAnswerText(question, answer, strings) : undefined;
  const look = isTold ? 'strong' : 'quiet';
  return html`<div class="field">
    ${question.title ? html`<div class="field-name" dir="auto">${toLabel(question.title)}</div>` : nothing}
    ${renderText(question.message)}
    ${
      words !== undefined
        ? html`<p class="literal ${look}" dir="auto">${words}</p>`
        : answer || isTold
          ? html`<p class="plain quiet">${answer ? strings.answerSkipped : strings.noAnswer}</p>`
          : nothing
    }
  </div>`;
}

/** A question may be called like something every object has. */
const answerIn = ({ answers }: ChatInputRequest, questionId: string): InputAnswer | undefined =>
  answers && Object.hasOwn(answers, questionId) ? answers[questionId] : undefined;

const isSameValue = (answer: InputAnswer, other: InputAnswer | undefined): boolean =>
  isEqual({ ...answer, state: '' }, { ...other, state: '' });

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
