import { Task, TaskStatus } from '@lit/task';
import { LitElement, html, nothing, type PropertyValues } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { Localized } from '../../i18n/localize.js';
import type { ContentRef, ToolInput } from '../../protocol/state.js';
import { decodeBase64 } from '../../bytes/base64.js';
import { adoptStyles } from '../adopt-styles.js';
import { CompositionGuard, keepTyping } from '../composer/keys.js';
import { GrowController } from '../composer/grow-controller.js';
import { define } from '../define.js';
import { icon } from '../icons.js';
import { showHidden } from '../label.js';
import { indentJson, renderCodeBox } from '../parts/code-box.js';
import type { PartScope } from '../transcript/part-scope.js';
import { focusField } from './focus-field.js';
import { fieldStyles } from './field.styles.js';

/**
 * The input of a call that waits, where it takes more than a box to show it: it is read from the host first, or it is being
 * changed. What is referenced is read anew each time, because it may change until the call is confirmed. A lazy chunk
 * without a shadow root.
 *
 * @customElement ahp-tool-input
 * @summary Input of a tool call that is read or edited.
 */
export class AhpToolInput extends LitElement {
  readonly #language = new Localized(this);
  readonly #guard = new CompositionGuard();
  readonly #grow = new GrowController(this, () => this.field);

  @property({ attribute: false }) input: ToolInput | undefined;
  @property({ attribute: false }) scope: PartScope | undefined;

  /** Whether it may be changed. */
  @property({ attribute: false }) editable = false;

  /** Names the text in the view memory; there is one while it is edited. */
  @property({ attribute: false }) memoryKey = '';

  /** Whether it was opened by hand just now: then its field takes the focus. */
  @property({ attribute: false }) isOpened = false;

  /** Ends the editing; the text of before counts. */
  @property({ attribute: false }) onClose: (() => void) | undefined;

  /** Begins it with the text as it is shown. */
  @property({ attribute: false }) onEdit: ((text: string) => void) | undefined;

  @query('textarea') private readonly field!: HTMLTextAreaElement | null;

  /** Whether what is written was found wrong once; from then on it is said at once. */
  @state() private isJudged = false;

  readonly #task = new Task(this, {
    args: () => [typeof this.input === 'object' ? this.input : undefined, this.scope?.services] as const,
    task: async ([ref, services], { signal }) => {
      if (!ref || !services?.readResource) return undefined;
      // Without its nonce it comes from no cache.
      const { nonce: _, ...bare }: ContentRef = ref;
      const { data, encoding } = await services.readResource(bare, signal);
      return encoding === 'base64' ? new TextDecoder('utf-8', { fatal: true }).decode(decodeBase64(data)) : data;
    },
  });
  #wasShown = false;

  /** Whether all of it is on screen. */
  get isShown(): boolean {
    return this.#text !== undefined;
  }

  /**
   * What an approval takes along: nothing changed, or the text as it is now. `undefined` when it must not go out: it
   * cannot be read, or is not what its form asks for. The field then says so by itself.
   */
  take(): { readonly edited?: string } | undefined {
    const { field } = this;
    if (!this.isShown) return undefined;
    if (!field) return {};
    this.isJudged = true;
    this.#judge();
    if (!field.reportValidity()) return undefined;
    return field.value === this.#shownText ? {} : { edited: field.value };
  }

  get #text(): string | undefined {
    return typeof this.input === 'string' ? this.input : this.#task.value;
  }

  get #shownText(): string {
    return indentJson(this.#text ?? '');
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStyles(this, fieldStyles);
  }

  protected override firstUpdated(): void {
    this.#judge();
    if (this.isOpened && this.field) focusField(this, this.field);
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (this.isShown !== this.#wasShown) {
      this.#wasShown = this.isShown;
      this.dispatchEvent(new Event('ahp-input-shown', { bubbles: true }));
    }
    this.#grow.fit();
  }

  get #isEditing(): boolean {
    return this.editable && (this.scope?.memory.texts.has(this.memoryKey) ?? false);
  }

  #judge(): void {
    const { strings } = this.#language.value;
    this.field?.setCustomValidity(isJson(this.#text ?? '') && !isJson(this.field.value) ? strings.notJson : '');
  }

  readonly #onInput = (event: Event): void => {
    const { value } = event.target as HTMLTextAreaElement;
    this.scope?.memory.texts.set(this.memoryKey, value);
    this.#judge();
    this.#grow.fit();
    this.requestUpdate();
  };

  readonly #onKeydown = (event: KeyboardEvent): void => {
    keepTyping(event);
    if (this.#guard.owns(event) || event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    this.#close();
  };

  readonly #close = (): void => {
    this.isJudged = false;
    this.onClose?.();
    this.requestUpdate();
  };

  readonly #onEdit = (): void => {
    this.onEdit?.(this.#shownText);
    this.requestUpdate();
    void this.updateComplete.then(() => {
      this.#judge();
      this.field?.focus();
    });
  };

  override render() {
    const { strings } = this.#language.value;
    const text = this.#text;
    if (text === undefined) return this.#renderReading();
    const isEditing = this.#isEditing;
    return html`<div class="field-head">
        <span class="field-name" aria-hidden="true">${strings.input}</span>
        ${
          isEditing
            ? html`<button class="link-button" type="button" @click=${this.#close}>${strings.restoreInput}</button>`
            : this.editable
              ? html`<button class="link-button" type="button" data-opens="input" @click=${this.#onEdit}>
                  ${strings.editInput}
                </button>`
              : nothing
        }
      </div>
      ${isEditing ? this.#renderField() : renderCodeBox(strings.input, this.#shownText)}`;
  }

  #renderField() {
    const { strings } = this.#language.value;
    const value = this.scope?.memory.texts.get(this.memoryKey) ?? '';
    const isWrong = this.isJudged && this.field?.validationMessage;
    return html`<textarea
        class="text-field code-field"
        dir="ltr"
        rows="2"
        spellcheck="false"
        autocapitalize="off"
        aria-label=${strings.input}
        aria-invalid=${isWrong ? 'true' : nothing}
        aria-describedby=${isWrong ? `${this.#id}-wrong` : nothing}
        .value=${value}
        @input=${this.#onInput}
        @keydown=${this.#onKeydown}
        @keyup=${this.#guard.handleEvent}
        @compositionstart=${this.#guard.handleEvent}
        @compositionend=${this.#guard.handleEvent}
      ></textarea>
      ${isWrong ? html`<p class="plain danger" id="${this.#id}-wrong">${icon('alert')} ${isWrong}</p>` : nothing}
      ${
        showHidden(value) === value.replaceAll('\r\n', '\n')
          ? nothing
          : html`<p class="plain warning">${icon('warning')} ${strings.hiddenCharacters}</p>
              ${renderCodeBox(strings.input, value)}`
      }`;
  }

  /** Unique in the surface: a part has one place in one turn. */
  get #id(): string {
    return this.memoryKey.replace(/\s/g, '-');
  }

  #renderReading() {
    const { strings } = this.#language.value;
    if (!this.scope?.services?.readResource)
      return html`<p class="plain warning">${icon('warning')} ${strings.inputNotReadable}</p>`;
    if (this.#task.status !== TaskStatus.ERROR) return html`<p class="plain quiet">${strings.loading}</p>`;
    return html`<p class="plain">
      <span class="danger">${strings.loadFailed}</span>
      <button class="link-button" type="button" @click=${() => void this.#task.run()}>${strings.tryAgain}</button>
    </p>`;
  }
}

/** A list or a record: other text is a command line, or whatever the tool takes. */
function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

define('ahp-tool-input', AhpToolInput);

declare global {
  interface HTMLElementTagNameMap {
    'ahp-tool-input': AhpToolInput;
  }
}
