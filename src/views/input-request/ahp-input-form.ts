import { LitElement, html, nothing, type PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { AnswerDrafts } from '../../chat/answer-drafts.js';
import { Localized } from '../../i18n/localize.js';
import { toReason } from '../../protocol/reason.js';
import { isEqual } from '../../protocol/record.js';
import type { ChatInputQuestion, ChatInputRequest, InputAnswer, InputResponse } from '../../protocol/state.js';
import { adoptStyles } from '../adopt-styles.js';
import { CompositionGuard, keepTyping } from '../composer/keys.js';
import { define } from '../define.js';
import { AhpInputAnswerEvent } from '../events.js';
import { icon } from '../icons.js';
import { showHidden, toLabel } from '../label.js';
import { renderText } from '../parts/words.js';
import { findFault, toHint } from './faults.js';
import { inputFormStyles } from './input-request.styles.js';
import {
  chooseOther,
  controlsIn,
  isKnown,
  isSingle,
  readValue,
  renderControl,
  toDefault,
  writeValue,
  type Control,
} from './question-controls.js';
import { renderUrlBox } from './url-box.js';

/** What one question has been through here. */
interface Field {
  readonly key: string;
  readonly question: ChatInputQuestion;
  isSkipped: boolean;
  fault: string;
  /** The answer that the controls show, as it was given or reported; before that, `'new'`. */
  shown: InputAnswer | undefined | 'new';
}

/** One for each form on the page. */
let made = 0;

/**
 * The questions of an open request with native controls, in one column. The controls keep their own values; an answer of
 * somebody else shows as it comes, except where the focus is. Says what is wrong only when asked to submit, then as long
 * as it is wrong. A lazy chunk. Has no shadow root: the surface around it takes its styles on.
 *
 * @customElement ahp-input-form
 * @summary The form of an input request.
 * @fires {AhpInputAnswerEvent} ahp-input-answer - What is entered has changed.
 */
export class AhpInputForm extends LitElement {
  readonly #language = new Localized(this);
  readonly #composition = new CompositionGuard();
  readonly #id = `form${(made += 1)}`;

  @property({ attribute: false }) request: ChatInputRequest | undefined;

  /** What was entered here before. */
  @property({ attribute: false }) drafts: AnswerDrafts | undefined;

  /** Whether an answer is taken now. What is entered is kept all the same. */
  @property({ type: Boolean }) ready = false;

  /** Why no answer is taken, in words. */
  @property({ attribute: false }) hint = '';

  /** Gives the answer for good. */
  @property({ attribute: false }) complete: (
    response: InputResponse,
    answers?: Readonly<Record<string, InputAnswer>>,
  ) => void = () => undefined;

  #fields: readonly Field[] = [];
  /** Answers to be written into the controls after this update. */
  #writes: (readonly [Field, InputAnswer | undefined])[] = [];
  #leave: (() => void) | undefined;
  #focusFault = false;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStyles(this, inputFormStyles);
    for (const type of ['keydown', 'keypress', 'keyup'] as const) this.addEventListener(type, onTyping);
    this.#follow();
  }

  override disconnectedCallback(): void {
    for (const type of ['keydown', 'keypress', 'keyup'] as const) this.removeEventListener(type, onTyping);
    this.#leave?.();
    this.#leave = undefined;
    super.disconnectedCallback();
  }

  #follow(): void {
    this.#leave?.();
    this.#leave = this.drafts?.subscribe(() => this.requestUpdate());
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('drafts') && this.isConnected) this.#follow();
    if (changed.has('request')) this.#takeQuestions();
    this.#takeAnswers(changed.has('request'));
  }

  /** A question that stays keeps its field, with all that was done to it. */
  #takeQuestions(): void {
    const before = new Map(this.#fields.map((field) => [field.key, field]));
    this.#fields = (this.request?.questions ?? []).map((question, index) => {
      const key = `${index} ${question.kind} ${question.id}`;
      const old = before.get(key);
      return { ...(old ?? { isSkipped: false, fault: '', shown: 'new' as const }), key, question };
    });
  }

  #takeAnswers(isNews: boolean): void {
    const entered = this.request && this.drafts?.find(this.request.id)?.answers;
    this.#writes = [];
    for (const field of this.#fields) {
      const { id } = field.question;
      const isNew = field.shown === 'new';
      // What was entered leaves the drafts a moment before the host's answer, which is the same, is here.
      if (!isNew && !isNews && !entered?.has(id)) continue;
      const answer = entered?.has(id) ? entered.get(id) : answerIn(this.request, id);
      if (!isNew && (isEqual(field.shown, answer) || this.#hasFocus(field))) continue;
      field.isSkipped = answer?.state === 'skipped';
      this.#writes.push([field, isNew && !answer && !entered?.has(id) ? toDraft(field.question) : answer]);
      field.shown = answer;
    }
  }

  protected override updated(): void {
    for (const [field, answer] of this.#writes) {
      const box = this.#boxOf(field);
      if (box && answer?.state !== 'skipped') writeValue(field.question, box, answer?.value);
      // Where somebody else answers, an old complaint may be no longer true.
      if (box && field.fault) this.#judge(field, box);
    }
    if (!this.#focusFault) return;
    this.#focusFault = false;
    const faulty = this.#fields.find(({ fault }) => fault);
    const controls = faulty ? controlsIn(this.#boxOf(faulty)!) : [];
    (controls.find((control) => !control.checkValidity()) ?? controls[0])?.focus();
  }

  #boxOf(field: Field): Element | null {
    return this.querySelector(`#${this.#idOf(field)}-box`);
  }

  #idOf(field: Field): string {
    return `${this.#id}-${this.#fields.indexOf(field)}`;
  }

  #hasFocus(field: Field): boolean {
    return this.#boxOf(field)?.matches(':focus-within') ?? false;
  }

  /* ------------------------------------------------------------ what the person does */

  readonly #onInput = (event: Event): void => {
    chooseOther(event.target);
    // A field that is taken out with the focus in it may still say that it has changed.
    const field = this.isConnected ? this.#fieldAt(event.target) : undefined;
    const box = field && this.#boxOf(field);
    if (!field || !box) return;
    const wasFaulty = field.fault;
    if (wasFaulty) this.#judge(field, box);
    this.#report(field, toAnswer(readValue(field.question, box)), event.type === 'change');
    if (wasFaulty !== field.fault) this.requestUpdate();
  };

  readonly #onKeydown = (event: KeyboardEvent): void => {
    const isOwned = this.#composition.owns(event);
    const target = event.target as HTMLElement;
    const isField = target.matches('input');
    const isSubmit = isField || (target.matches('textarea') && (event.ctrlKey || event.metaKey));
    if (event.key !== 'Enter' || !isSubmit) return;
    // A browser must not submit by itself what the input method has not given up yet.
    event.preventDefault();
    if (!isOwned && !event.repeat) this.#submit();
  };

  readonly #onSubmit = (event: Event): void => {
    event.preventDefault();
    this.#submit();
  };

  readonly #submit = (): void => {
    const { request } = this;
    if (!request || !this.#canAccept()) return;
    for (const field of this.#fields) {
      const box = this.#boxOf(field);
      field.fault = '';
      if (box && !field.isSkipped && isKnown(field.question)) this.#judge(field, box);
    }
    if (this.#fields.some(({ fault }) => fault)) {
      this.#focusFault = true;
      this.requestUpdate();
      return;
    }
    this.complete('accept', Object.fromEntries(this.#fields.flatMap((field) => this.#toSubmitted(field))));
  };

  /** Every question is answered or passed over; those that cannot be shown are left to the host. */
  #toSubmitted(field: Field): (readonly [string, InputAnswer])[] {
    const { question, isSkipped } = field;
    const box = this.#boxOf(field);
    if (!box || !isKnown(question)) return [];
    const value = isSkipped ? undefined : readValue(question, box);
    return [[question.id, value ? { state: 'submitted', value } : { state: 'skipped' }]];
  }

  #canAccept(): boolean {
    return this.ready && !this.#fields.some(({ question }) => question.required && !isKnown(question));
  }

  #skip(field: Field): void {
    field.isSkipped = !field.isSkipped;
    field.fault = '';
    const box = this.#boxOf(field);
    const value = box ? readValue(field.question, box) : undefined;
    this.#report(field, field.isSkipped ? { state: 'skipped' } : toAnswer(value), true);
    this.requestUpdate();
  }

  #report(field: Field, answer: InputAnswer | undefined, isLeft: boolean): void {
    field.shown = answer;
    if (!this.request) return;
    this.dispatchEvent(new AhpInputAnswerEvent(this.request.id, field.question.id, answer, isLeft));
  }

  #judge(field: Field, box: Element): void {
    const { strings, format } = this.#language.value;
    const fault = findFault(field.question, box, strings, format);
    if (fault === field.fault) return;
    field.fault = fault;
    this.requestUpdate();
  }

  #fieldAt(target: EventTarget | null): Field | undefined {
    const box = (target as Control).closest('.question');
    return this.#fields[Number(box?.getAttribute('data-index'))];
  }

  /* ------------------------------------------------------------ render */

  override render() {
    const { request } = this;
    const { strings } = this.#language.value;
    if (!request) return nothing;
    const refusal = this.drafts?.find(request.id)?.refusal;
    return html`<form
      class="form"
      novalidate
      data-keep
      @submit=${this.#onSubmit}
      @input=${this.#onInput}
      @change=${this.#onInput}
      @keydown=${this.#onKeydown}
      @keyup=${this.#composition.handleEvent}
      @compositionstart=${this.#composition.handleEvent}
      @compositionend=${this.#composition.handleEvent}
    >
      ${request.url ? renderUrlBox(request.url, strings) : nothing}
      ${repeat(
        this.#fields,
        ({ key }) => key,
        (field, index) => this.#renderQuestion(field, index),
      )}
      ${
        refusal
          ? html`<p class="plain fault">
              ${icon('alert')}<bdi>${strings.answerRefused(toLabel(toReason(refusal)))}</bdi>
            </p>`
          : nothing
      }
      ${this.#renderButtons()}
    </form>`;
  }

  #renderQuestion(field: Field, index: number) {
    const { question, isSkipped, fault } = field;
    const { strings, format } = this.#language.value;
    const id = this.#idOf(field);
    const hint = isKnown(question) ? toHint(question, strings, format) : '';
    const canSkip = !question.required && isKnown(question);
    return html`<div class="question" data-index=${index}>
      <div class="question-head">
        ${renderQuestionText(question, `${id}-text`, id)}
        ${question.required ? html`<span class="required quiet">${strings.required}</span>` : nothing}
        ${
          canSkip
            ? html`<button
                class="link-button"
                type="button"
                aria-describedby="${id}-text"
                @click=${() => this.#skip(field)}
              >
                ${isSkipped ? strings.answerIt : strings.skip}
              </button>`
            : nothing
        }
      </div>
      <p class="plain quiet hint" id="${id}-hint" ?hidden=${!hint || isSkipped}><bdi>${hint}</bdi></p>
      <div id="${id}-box" ?hidden=${isSkipped}>
        ${renderControl(question, {
          id,
          labelledBy: `${id}-text`,
          describedBy: `${id}-hint ${id}-fault`,
          isInvalid: fault !== '',
          strings,
        })}
      </div>
      <p class="plain quiet" ?hidden=${!isSkipped}>${strings.answerSkipped}</p>
      <p class="plain fault" id="${id}-fault" ?hidden=${!fault}>${icon('alert')}<bdi>${fault}</bdi></p>
    </div>`;
  }

  #renderButtons() {
    const { strings } = this.#language.value;
    const faults = this.#fields.filter(({ fault }) => fault).length;
    const isPlain = this.#fields.length === 0;
    return html`<div class="buttons">
        <button class="button filled" type="button" aria-disabled=${!this.#canAccept()} @click=${this.#submit}>
          ${isPlain ? strings.accept : strings.submit}
        </button>
        <button
          class="button quiet"
          type="button"
          title=${strings.declineHint}
          aria-disabled=${!this.ready}
          @click=${() => this.complete('decline')}
        >
          ${strings.decline}
        </button>
        <button
          class="button quiet"
          type="button"
          title=${strings.cancelHint}
          aria-disabled=${!this.ready}
          @click=${() => this.complete('cancel')}
        >
          ${strings.cancel}
        </button>
        ${this.hint ? html`<span class="quiet">${this.hint}</span>` : nothing}
      </div>
      <p class="plain fault" ?hidden=${faults === 0}>${strings.answersToMend(faults)}</p>`;
  }
}

/** A text that is one line of words is the field's label and can be pressed; a block of Markdown only names it. */
function renderQuestionText(question: ChatInputQuestion, id: string, field: string) {
  const { title, message } = question;
  const name = title ? html`<div class="question-title" dir="auto">${toLabel(title)}</div>` : nothing;
  if (!isSingle(question) || typeof message !== 'string')
    return html`<div class="question-text" id=${id}>${name}${renderText(message)}</div>`;
  return html`<label class="question-text" id=${id} for=${field}
    >${name}<span class="literal" dir="auto">${showHidden(message) || (title ? '' : toLabel(question.id))}</span></label
  >`;
}

const onTyping = (event: Event): void => keepTyping(event as KeyboardEvent);

const answerIn = (request: ChatInputRequest | undefined, questionId: string): InputAnswer | undefined =>
  request?.answers && Object.hasOwn(request.answers, questionId) ? request.answers[questionId] : undefined;

const toAnswer = (value: ReturnType<typeof readValue>): InputAnswer | undefined => value && { state: 'draft', value };

const toDraft = (question: ChatInputQuestion): InputAnswer | undefined => toAnswer(toDefault(question));

define('ahp-input-form', AhpInputForm);

declare global {
  interface HTMLElementTagNameMap {
    'ahp-input-form': AhpInputForm;
  }
}
