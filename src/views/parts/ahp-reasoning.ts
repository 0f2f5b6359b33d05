import { LitElement, html, nothing, type PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import { Localized } from '../../i18n/localize.js';
import { define } from '../define.js';
import { icon } from '../icons.js';
import { shortenEnd } from '../label.js';
import { announceFold } from '../transcript/fold.js';
import type { PartScope } from '../transcript/part-scope.js';
import './ahp-markdown.js';

/** Reasoning that is this short (UTF-16 units) when it is first seen has just begun. */
const JUST_BEGUN = 256;
/** How much of the end is looked at for its last line. */
const END = 600;

/**
 * What the model thought: one quiet line that opens in place. While it thinks, its last line shows. How long it took is
 * said only if this page saw it begin; the protocol does not tell. Has no shadow root: it is styled by the transcript.
 *
 * @customElement ahp-reasoning
 * @summary Reasoning of the model, folded.
 * @csspart reasoning - The fold with its content.
 */
export class AhpReasoning extends LitElement {
  readonly #language = new Localized(this);

  @property({ attribute: false }) text = '';

  /** Whether it is being thought right now. */
  @property({ type: Boolean }) running = false;

  /** Names it in the view memory. */
  @property({ attribute: false }) memoryKey = '';

  @property({ attribute: false }) scope: PartScope | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('running') || !this.scope?.clock) return;
    const { clock, memory } = this.scope;
    const span = memory.spans.get(this.memoryKey);
    if (this.running && !span && this.text.length <= JUST_BEGUN)
      memory.spans.set(this.memoryKey, { start: clock.monotonic() });
    if (!this.running && span && span.end === undefined) span.end = clock.monotonic();
  }

  readonly #onToggle = (): void => {
    const memory = this.scope?.memory;
    announceFold(this);
    memory?.setOpen(this.memoryKey, !memory.isOpen(this.memoryKey));
    this.requestUpdate();
  };

  override render() {
    const isOpen = this.scope?.memory.isOpen(this.memoryKey) ?? false;
    const lastLine = this.running && !isOpen ? findLastLine(this.text) : '';
    return html`<div class="fold" part="reasoning">
      <button class="line" type="button" aria-expanded=${isOpen} @click=${this.#onToggle}>
        ${icon('chevron')}<span>${this.#title()}</span>
        ${lastLine ? html`<bdi class="last-line">${lastLine}</bdi>` : nothing}
      </button>
      ${
        isOpen
          ? html`<div class="fold-body quiet">
              <ahp-markdown .text=${this.text} .streaming=${this.running}></ahp-markdown>
            </div>`
          : nothing
      }
    </div>`;
  }

  #title(): string {
    const { strings, format } = this.#language.value;
    if (this.running) return strings.thinking;
    const span = this.scope?.memory.spans.get(this.memoryKey);
    return span?.end === undefined ? strings.thought : strings.thoughtFor(format.duration(span.end - span.start));
  }
}

function findLastLine(text: string): string {
  const line = text
    .slice(-END)
    .split('\n')
    .findLast((candidate) => candidate.trim() !== '');
  return shortenEnd(line ?? '', 160);
}

define('ahp-reasoning', AhpReasoning);

declare global {
  interface HTMLElementTagNameMap {
    'ahp-reasoning': AhpReasoning;
  }
}
