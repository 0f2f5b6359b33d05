import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { guard } from 'lit/directives/guard.js';
import { Localized } from '../../i18n/localize.js';
import { adoptStyles } from '../adopt-styles.js';
import { copyText } from '../clipboard.js';
import { define } from '../define.js';
import { FocusKeeper } from '../focus-keeper.js';
import { growing } from '../growing.js';
import { showHidden } from '../label.js';
import { pause } from '../pause.js';
import { announceFold } from '../transcript/fold.js';
import { longTextStyles } from './ahp-long-text.styles.js';
import { renderCodeBox } from './code-box.js';
import { findPieces } from './text-pieces.js';

/** UTF-16 units of a text that stands in one box. */
const MAX_TEXT = 200_000;
/** Pieces that are shown at first: of the beginning, and of the end, where the last one may be short. */
const HEAD = 1;
const TAIL = 2;
/** Pieces that are put in at once. */
const STEP = 4;

/** A text of a machine, however long it is. `label` names it for those who meet it with the keyboard. */
export const renderLongText = (label: string, text: string): TemplateResult =>
  text.length <= MAX_TEXT
    ? renderCodeBox(label, text)
    : html`<ahp-long-text .label=${label} .text=${text}></ahp-long-text>`;

/**
 * The beginning and the end of a text that is too long to be laid out as a whole. The rest is put in step by step when it
 * is asked for, and copying gives all of it at any time. Has no shadow root: it is styled by the surface around it.
 *
 * @customElement ahp-long-text
 * @summary A long text of a machine.
 */
export class AhpLongText extends LitElement {
  readonly #language = new Localized(this);

  @property({ attribute: false }) label = '';

  /** May grow; anything that does not go on from it begins anew. */
  @property({ attribute: false }) text = '';

  /** Pieces of the beginning that are shown. */
  @state() private head = HEAD;
  @state() private isWanted = false;
  @state() private copying: 'copied' | 'refused' | undefined;

  #starts: readonly number[] = [0];
  /** Another number for another text: its pieces have nothing of those before. */
  #version = 0;
  #isOpening = false;

  constructor() {
    super();
    // The pressed button goes: what it has opened is in the first box.
    new FocusKeeper(this, () => this.querySelector<HTMLElement>('.code-box'));
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStyles(this, longTextStyles);
    this.requestUpdate();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('text')) this.#take(changed.get('text'));
    if (this.isWanted && !this.#isOpening) void this.#open();
  }

  #take(before: string | undefined): void {
    const wasWhole = this.isWanted && this.head >= this.#tail;
    this.#starts = findPieces(this.text);
    if (before !== undefined && this.text.startsWith(before)) {
      // What is read as a whole stays whole.
      if (wasWhole) this.head = this.#tail;
      return;
    }
    this.#version += 1;
    this.head = HEAD;
    this.isWanted = false;
  }

  /** Where the end begins of which `TAIL` pieces are shown; nothing is left out when the beginning reaches it. */
  get #tail(): number {
    return Math.max(this.head, this.#starts.length - TAIL);
  }

  /** Puts the rest in, piece by piece, as long as somebody is there to read it. */
  async #open(): Promise<void> {
    this.#isOpening = true;
    while (this.isWanted && this.isConnected && this.head < this.#tail) {
      this.head = Math.min(this.#tail, this.head + STEP);
      await this.updateComplete;
      await pause();
    }
    this.#isOpening = false;
  }

  readonly #onAll = (): void => {
    announceFold(this);
    this.isWanted = true;
  };

  readonly #onCopy = async ({ currentTarget }: Event): Promise<void> => {
    this.copying = (await copyText(this.text, currentTarget as HTMLElement)) ? 'copied' : 'refused';
  };

  /** What happened is said until the person moves on. */
  readonly #resetCopy = (): void => {
    this.copying = undefined;
  };

  override render() {
    const { strings } = this.#language.value;
    const isWhole = this.head >= this.#tail;
    return html`${this.#renderBox(this.label, 0, isWhole ? this.#starts.length : this.head)} ${this.#renderRest()}
    ${isWhole ? nothing : this.#renderBox(strings.endOf(this.label), this.#tail, this.#starts.length)}`;
  }

  /** Says how much is left out, or how much there is. */
  #renderRest(): TemplateResult {
    const { strings, format } = this.#language.value;
    const size = format.bytes(this.text.length);
    const left = (this.#starts[this.#tail] ?? this.text.length) - (this.#starts[this.head] ?? this.text.length);
    const word = { copied: strings.copied, refused: strings.copyFailed, idle: strings.copyAll }[this.copying ?? 'idle'];
    return html`<div class="text-rest">
      <span class="quiet">${left > 0 ? strings.leftOut(format.bytes(left)) : size}</span>
      ${
        left > 0 && !this.isWanted
          ? html`<button class="link-button" type="button" @click=${this.#onAll}>${strings.showAllOf(size)}</button>`
          : nothing
      }
      <button
        class="link-button"
        type="button"
        @click=${this.#onCopy}
        @blur=${this.#resetCopy}
        @pointerleave=${this.#resetCopy}
      >
        ${word}
      </button>
    </div>`;
  }

  #renderBox(name: string, from: number, to: number): TemplateResult {
    const pieces = this.#starts.slice(from, to).map((start, at) => {
      const end = this.#starts[from + at + 1] ?? this.text.length;
      // What stands in full is not looked at again when more is put in.
      const piece = () => growing(showHidden(this.text.slice(start, end)));
      return html`<div class="text-piece">${guard([this.#version, start, end], piece)}</div>`;
    });
    return html`<pre class="code-box" dir="ltr" tabindex="0" role="region" aria-label=${name}>${pieces}</pre>`;
  }
}

define('ahp-long-text', AhpLongText);

declare global {
  interface HTMLElementTagNameMap {
    'ahp-long-text': AhpLongText;
  }
}
