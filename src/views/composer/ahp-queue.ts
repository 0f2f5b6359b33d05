import { LitElement, html, nothing } from 'lit';
import { property, queryAll } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { Localized } from '../../i18n/localize.js';
import type { PendingMessage, PendingMessageKind } from '../../protocol/state.js';
import { define } from '../define.js';
import { AhpQueueRemoveEvent } from '../events.js';
import { icon } from '../icons.js';
import { shortenEnd } from '../label.js';

/**
 * Messages that wait for the running turn, one line each: steering ones first, then the queue in the order of sending.
 * Has no shadow root: it is styled by the composer.
 *
 * @customElement ahp-queue
 * @summary Messages waiting to be sent.
 * @fires {AhpQueueRemoveEvent} ahp-queue-remove - A message is not to be sent after all.
 * @csspart queue-row - One waiting message.
 */
export class AhpQueue extends LitElement {
  readonly #language = new Localized(this);

  @property({ attribute: false }) steering: readonly PendingMessage[] = [];
  @property({ attribute: false }) queued: readonly PendingMessage[] = [];

  /** Ids of messages that the host is not known to have. */
  @property({ attribute: false }) pendingIds: ReadonlySet<string> = new Set();

  @queryAll('button') private readonly buttons!: NodeListOf<HTMLButtonElement>;

  /** The row whose button had the focus before this update. */
  #focused = -1;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(): void {
    this.#focused = [...this.buttons].findIndex((button) => button.matches(':focus'));
  }

  override render() {
    const rows = [
      ...this.steering.map((entry) => ({ kind: 'steering' as const, entry })),
      ...this.queued.map((entry) => ({ kind: 'queued' as const, entry })),
    ];
    if (rows.length === 0) return nothing;
    return html`<ul class="queue" aria-label=${this.#language.value.strings.queue}>
      ${repeat(
        rows,
        ({ kind, entry }) => `${kind} ${entry.id}`,
        ({ kind, entry }) => this.#renderRow(kind, entry),
      )}
    </ul>`;
  }

  protected override updated(): void {
    // Taking a row away takes its button along; the next one gets the focus, so that several can go in a row.
    if (this.#focused < 0 || [...this.buttons].some((button) => button.matches(':focus'))) return;
    this.buttons[Math.min(this.#focused, this.buttons.length - 1)]?.focus();
  }

  #renderRow(kind: PendingMessageKind, { id, message }: PendingMessage) {
    const { strings } = this.#language.value;
    const text = shortenEnd(message.text);
    const files = message.attachments?.length ?? 0;
    return html`<li class="queue-row" part="queue-row">
      <span class="queue-kind">${kind === 'steering' ? strings.steering : strings.queued}</span>
      <bdi class="queue-text" title=${text}>${text}</bdi>
      ${files > 0 ? html`<span class="quiet">${strings.filesCount(files)}</span>` : nothing}
      ${this.pendingIds.has(id) ? html`<span class="quiet">${strings.sending}</span>` : nothing}
      <button
        class="icon-button"
        type="button"
        aria-label=${strings.removeNamed(text)}
        @click=${() => this.dispatchEvent(new AhpQueueRemoveEvent(kind, id))}
      >
        ${icon('x')}
      </button>
    </li>`;
  }
}

define('ahp-queue', AhpQueue);

declare global {
  interface HTMLElementTagNameMap {
    'ahp-queue': AhpQueue;
  }
}
