import { LitElement, html, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import { classMap } from 'lit/directives/class-map.js';
import { repeat } from 'lit/directives/repeat.js';
import type { Edits } from '../../chat/edits.js';
import { Localized } from '../../i18n/localize.js';
import type { PendingMessage, PendingMessageKind } from '../../protocol/state.js';
import { define } from '../define.js';
import { AhpQueueRemoveEvent } from '../events.js';
import { icon } from '../icons.js';
import { shortenEnd } from '../label.js';
import { loadQueueTools } from '../parts/lazy.js';
import type { QueueTools } from './queue-tools.js';

/** A message that waits. `isListed`: only the host takes it out. */
export interface QueueRow extends PendingMessage {
  readonly kind: PendingMessageKind;
  readonly isListed?: boolean;
}

type Entry = Omit<QueueRow, 'kind'>;

/**
 * Messages that wait for the running turn, one line each: steering ones first, then the queue in the order of sending.
 * What changes a row comes with the first row; until then, and without it, rows can be read and removed. Has no shadow
 * root: it is styled by the composer.
 *
 * @customElement ahp-queue
 * @summary Messages waiting to be sent.
 * @fires {AhpQueueRemoveEvent} ahp-queue-remove - A message is not to be sent after all.
 * @fires {AhpQueueEditEvent} ahp-queue-edit - A message is to be changed.
 * @fires {AhpQueueMoveEvent} ahp-queue-move - The queue is to be sent in another order.
 * @csspart queue-row - One waiting message.
 */
export class AhpQueue extends LitElement {
  readonly #language = new Localized(this);

  @property({ attribute: false }) steering: readonly Entry[] = [];
  @property({ attribute: false }) queued: readonly Entry[] = [];

  /** Ids of messages that the host is not known to have. */
  @property({ attribute: false }) pendingIds: ReadonlySet<string> = new Set();

  /** What is half written in place of messages; without it nothing can be edited. */
  @property({ attribute: false }) edits: Edits | undefined;

  #tools: QueueTools | undefined;
  /** The row and the control that had the focus before this update. */
  #focused: { readonly id: string; readonly index: number; readonly control: string } | undefined;

  /** All rows in their order, without regard to what is being moved. */
  get rows(): readonly QueueRow[] {
    return [
      ...this.steering.map((entry) => ({ ...entry, kind: 'steering' as const })),
      ...this.queued.map((entry) => ({ ...entry, kind: 'queued' as const })),
    ];
  }

  get strings() {
    return this.#language.value.strings;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(): void {
    this.#focused = this.#findFocus();
    if (!this.#tools && this.rows.length > 0) void this.#loadTools();
  }

  override render() {
    const rows = this.#tools?.arrange(this.rows) ?? this.rows;
    if (rows.length === 0) return nothing;
    return html`<ul class="queue" aria-label=${this.strings.queue}>
      ${repeat(
        rows,
        ({ kind, id }) => `${kind} ${id}`,
        (row) => this.#renderRow(row),
      )}
    </ul>`;
  }

  protected override updated(): void {
    const before = this.#focused;
    const { activeElement } = this.getRootNode() as Document | ShadowRoot;
    if (!before || (activeElement && activeElement !== document.body)) return;
    // Taking a row away takes its buttons along; the next one gets the focus, so that several can go in a row.
    const items = [...this.querySelectorAll('li')];
    const own = items.find(({ dataset }) => dataset.id === before.id);
    // A text whose row went is in the composer now, which takes the focus with it.
    if (!own && before.control === 'field') return;
    const item = own ?? items[Math.min(before.index, items.length - 1)];
    const same = item?.querySelector<HTMLElement>(`[data-control='${before.control}']`);
    (same ?? item?.querySelector<HTMLElement>('button'))?.focus();
  }

  async #loadTools(): Promise<void> {
    const module = await loadQueueTools();
    if (!module || this.#tools) return;
    this.#tools = new module.QueueTools(this);
    this.requestUpdate();
  }

  #findFocus() {
    const focused = (this.getRootNode() as Document | ShadowRoot).activeElement;
    const item = focused?.closest('li');
    if (!item || !this.contains(item)) return undefined;
    const index = [...this.querySelectorAll('li')].indexOf(item);
    return { id: item.dataset.id!, index, control: (focused as HTMLElement).dataset.control ?? '' };
  }

  #renderRow(row: QueueRow) {
    const { strings } = this;
    const { id, kind, message } = row;
    const tools = this.#tools;
    const text = shortenEnd(message.text);
    const files = message.attachments?.length ?? 0;
    const classes = { 'queue-row': true, moving: tools?.isMoving(id) === true };
    return html`<li class=${classMap(classes)} part="queue-row" data-id=${id}>
      ${
        tools?.renderEditor(row) ??
        html`${tools?.renderHandle(row)}
          ${
            kind === 'steering'
              ? html`<span class="queue-kind" title=${strings.steeringHint}>${icon('steer')} ${strings.steering}</span>`
              : html`<span class="hidden-text">${strings.queued}</span>`
          }
          <bdi class="queue-text" title=${text}>${text}</bdi>
          ${files > 0 ? html`<span class="quiet">${strings.filesCount(files)}</span>` : nothing}
          ${this.pendingIds.has(id) ? html`<span class="quiet">${strings.sending}</span>` : nothing}
          ${tools?.renderEdit(row)}
          ${
            row.isListed
              ? nothing
              : html`<button
                  class="icon-button"
                  type="button"
                  data-control="remove"
                  aria-label=${strings.removeNamed(text)}
                  @click=${() => this.dispatchEvent(new AhpQueueRemoveEvent(kind, id))}
                >
                  ${icon('x')}
                </button>`
          }`
      }
    </li>`;
  }
}

define('ahp-queue', AhpQueue);

declare global {
  interface HTMLElementTagNameMap {
    'ahp-queue': AhpQueue;
  }
}
