import { LitElement, html, nothing } from 'lit';
import { property, query } from 'lit/decorators.js';
import { Localized } from '../../i18n/localize.js';
import { adoptStyles } from '../adopt-styles.js';
import { CompositionGuard, keepTyping } from '../composer/keys.js';
import { GrowController } from '../composer/grow-controller.js';
import { define } from '../define.js';
import type { PartScope } from '../transcript/part-scope.js';
import { focusField } from './focus-field.js';
import { fieldStyles } from './field.styles.js';

/**
 * What the agent should do instead: a text that goes along with a denial. Enter denies where there is one way to deny; of
 * several the person chooses one. A lazy chunk without a shadow root.
 *
 * @customElement ahp-suggestion
 * @summary Text that goes with the denial of a tool call.
 */
export class AhpSuggestion extends LitElement {
  readonly #language = new Localized(this);
  readonly #guard = new CompositionGuard();
  readonly #grow = new GrowController(this, () => this.field);

  @property({ attribute: false }) scope: PartScope | undefined;

  /** Names the text in the view memory. */
  @property({ attribute: false }) memoryKey = '';

  /** Whether it was opened by hand just now: then its field takes the focus. */
  @property({ attribute: false }) isOpened = false;

  /** Denies with the text; absent where there are several ways to do it, or none now. */
  @property({ attribute: false }) onDeny: (() => void) | undefined;

  /** Whether the host offers several denials: the text goes with the one that is pressed. */
  @property({ attribute: false }) hasChoice = false;

  @property({ attribute: false }) onClose: (() => void) | undefined;

  @query('textarea') private readonly field!: HTMLTextAreaElement;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStyles(this, fieldStyles);
  }

  protected override firstUpdated(): void {
    this.#grow.fit();
    if (this.isOpened) focusField(this, this.field);
  }

  get #text(): string {
    return this.scope?.memory.texts.get(this.memoryKey) ?? '';
  }

  readonly #onInput = (): void => {
    this.scope?.memory.texts.set(this.memoryKey, this.field.value);
    this.#grow.fit();
    this.requestUpdate();
  };

  readonly #onKeydown = (event: KeyboardEvent): void => {
    keepTyping(event);
    if (this.#guard.owns(event)) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      this.onClose?.();
    } else if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      // A key that is held down says nothing twice.
      if (!event.repeat) this.#deny();
    }
  };

  readonly #deny = (): void => {
    if (this.#text.trim() !== '') this.onDeny?.();
  };

  override render() {
    const { strings } = this.#language.value;
    const isOff = this.#text.trim() === '' || !this.onDeny;
    return html`<label class="field">
        <span class="field-name">${strings.suggest}</span>
        <textarea
          class="text-field"
          rows="1"
          dir="auto"
          .value=${this.#text}
          @input=${this.#onInput}
          @keydown=${this.#onKeydown}
          @keyup=${this.#guard.handleEvent}
          @compositionstart=${this.#guard.handleEvent}
          @compositionend=${this.#guard.handleEvent}
        ></textarea>
      </label>
      <div class="buttons">
        ${
          this.hasChoice
            ? html`<span class="quiet">${strings.suggestWithDenial}</span>`
            : html`<button class="button" type="button" aria-disabled=${isOff} @click=${isOff ? nothing : this.#deny}>
                ${strings.denyAndSuggest}
              </button>`
        }
        <button class="button quiet" type="button" @click=${() => this.onClose?.()}>${strings.cancel}</button>
      </div>`;
  }
}

define('ahp-suggestion', AhpSuggestion);

declare global {
  interface HTMLElementTagNameMap {
    'ahp-suggestion': AhpSuggestion;
  }
}
