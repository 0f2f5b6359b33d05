/**
 * Moves queued messages: with the handle by mouse, pen and finger; with the arrow keys on it, or Alt and an arrow key
 * anywhere in the row; and with two buttons, which a press on the handle shows, for those who have neither.
 */

import { html, nothing, type ReactiveController } from 'lit';
import { AhpAnnounceEvent, AhpQueueMoveEvent } from '../events.js';
import { chevronDown, chevronUp, grip } from '../icons-composer.js';
import { icon } from '../icons.js';
import { shortenEnd } from '../label.js';
import type { AhpQueue, QueueRow } from './ahp-queue.js';

interface Drag {
  readonly id: string;
  readonly pointerId: number;
  readonly startY: number;
  isMoving: boolean;
}

/** Pixels; less is a press with an unsteady hand. */
const slack = 4;

export class QueueMover implements ReactiveController {
  readonly #queue: AhpQueue;
  #drag: Drag | undefined;
  /** Shown instead of the queue's own order, until the queue has changed. */
  #order: readonly string[] | undefined;
  /** The queue for which `#order` holds. */
  #orderOf: unknown;
  /** The row whose two buttons are shown. */
  #open: string | undefined;
  #isPressSpent = false;

  constructor(queue: AhpQueue) {
    this.#queue = queue;
    queue.addController(this);
    queue.addEventListener('keydown', this.#onKeydown);
    queue.addEventListener('pointermove', this.#onPointerMove);
    queue.addEventListener('pointerup', this.#onPointerUp);
    queue.addEventListener('pointercancel', this.#cancel);
    queue.addEventListener('lostpointercapture', this.#onLostCapture);
  }

  hostUpdate(): void {
    if (this.#drag || this.#orderOf === this.#queue.queued) return;
    this.#order = this.#orderOf = undefined;
  }

  arrange(rows: readonly QueueRow[]): readonly QueueRow[] {
    const order = this.#order;
    if (!order) return rows;
    const place = ({ kind, id }: QueueRow) =>
      kind === 'steering' ? -1 : (order.indexOf(id) + order.length) % order.length;
    return rows.toSorted((a, b) => place(a) - place(b));
  }

  isMoving(id: string): boolean {
    return this.#drag?.isMoving === true && this.#drag.id === id;
  }

  renderHandle({ id, kind, message }: QueueRow) {
    const ids = this.#ids;
    if (kind !== 'queued' || ids.length < 2) return nothing;
    const { strings } = this.#queue;
    const isOpen = this.#open === id;
    const name = strings.moveNamed(shortenEnd(message.text), ids.indexOf(id) + 1, ids.length);
    return html`<button
        class="icon-button handle"
        type="button"
        data-control="move"
        aria-label=${name}
        aria-expanded=${isOpen}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        @pointerdown=${(event: PointerEvent) => this.#onPointerDown(event, id)}
        @click=${(event: MouseEvent) => this.#onPress(event, id)}
      >
        ${icon(grip)}</button
      >${isOpen ? [this.#renderStep(id, -1), this.#renderStep(id, 1)] : nothing}`;
  }

  #renderStep(id: string, step: 1 | -1) {
    const { strings } = this.#queue;
    const ids = this.#ids;
    const isEnd = ids.at(step < 0 ? 0 : -1) === id;
    return html`<button
      class="icon-button"
      type="button"
      data-control=${step < 0 ? 'up' : 'down'}
      aria-label=${step < 0 ? strings.moveUp : strings.moveDown}
      aria-disabled=${isEnd}
      @click=${() => this.#moveBy(id, step)}
    >
      ${icon(step < 0 ? chevronUp : chevronDown)}
    </button>`;
  }

  /** The queued messages as they are shown. */
  get #ids(): readonly string[] {
    return this.arrange(this.#queue.rows).flatMap(({ kind, id }) => (kind === 'queued' ? [id] : []));
  }

  readonly #onKeydown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined;
    if (event.key === 'Escape' && (this.#drag || this.#open !== undefined)) {
      event.preventDefault();
      event.stopPropagation();
      this.#open = undefined;
      return this.#cancel();
    }
    const target = event.target as HTMLElement;
    const id = target.closest('li')?.dataset.id;
    const isHandle = target.dataset.control === 'move' && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!step || id === undefined || target.localName === 'textarea') return;
    if (!(isHandle || event.altKey) || !this.#ids.includes(id)) return;
    event.preventDefault();
    this.#moveBy(id, step);
  };

  #moveBy(id: string, step: 1 | -1): void {
    const ids = this.#ids;
    const from = ids.indexOf(id);
    const to = from + step;
    if (to < 0 || to >= ids.length) return;
    this.#settle(move(ids, from, to), id);
  }

  /** A press without a drag; the click that ends a drag is none. */
  #onPress({ detail }: MouseEvent, id: string): void {
    // A key's click has no detail.
    if (this.#isPressSpent && detail > 0) return;
    this.#open = this.#open === id ? undefined : id;
    this.#queue.requestUpdate();
  }

  #onPointerDown({ button, isPrimary, pointerId, clientY }: PointerEvent, id: string): void {
    this.#isPressSpent = false;
    if (button !== 0 || !isPrimary) return;
    this.#drag = { id, pointerId, startY: clientY, isMoving: false };
  }

  readonly #onPointerMove = (event: PointerEvent): void => {
    const drag = this.#drag;
    if (drag?.pointerId !== event.pointerId) return;
    if (!drag.isMoving) {
      if (Math.abs(event.clientY - drag.startY) < slack) return;
      drag.isMoving = true;
      // The rows move about below the pointer; their list stays.
      this.#queue.setPointerCapture(event.pointerId);
    }
    const others = this.#items.filter(({ dataset }) => dataset.id !== drag.id);
    const to = others.filter((item) => middleOf(item) < event.clientY).length;
    const ids = this.#ids;
    const from = ids.indexOf(drag.id);
    if (from < 0) return this.#cancel();
    if (from !== to) this.#show(move(ids, from, to));
    this.#queue.requestUpdate();
    void this.#queue.updateComplete.then(() =>
      this.#items.find(({ dataset }) => dataset.id === drag.id)?.scrollIntoView({ block: 'nearest' }),
    );
  };

  readonly #onPointerUp = (event: PointerEvent): void => {
    const drag = this.#drag;
    if (drag?.pointerId !== event.pointerId) return;
    this.#drag = undefined;
    this.#isPressSpent = drag.isMoving;
    const own = this.#queue.queued.map(({ id }) => id);
    const ids = this.#ids;
    if (drag.isMoving && ids.some((id, at) => id !== own[at])) this.#settle(ids, drag.id);
    this.#queue.requestUpdate();
  };

  /** A finger is captured by the handle first, and losing that is where the drag begins. */
  readonly #onLostCapture = ({ target }: PointerEvent): void => {
    if (target === this.#queue) this.#cancel();
  };

  /** What is not let go of does not move. */
  readonly #cancel = (): void => {
    if (this.#drag?.isMoving) this.#order = this.#orderOf = undefined;
    this.#drag = undefined;
    this.#queue.requestUpdate();
  };

  #settle(order: readonly string[], id: string): void {
    const { queue, strings } = { queue: this.#queue, strings: this.#queue.strings };
    const isTaken = queue.dispatchEvent(new AhpQueueMoveEvent(order));
    this.#show(isTaken ? order : undefined);
    if (isTaken) queue.dispatchEvent(new AhpAnnounceEvent(strings.movedToPlace(order.indexOf(id) + 1, order.length)));
  }

  #show(order: readonly string[] | undefined): void {
    this.#order = order;
    this.#orderOf = order && this.#queue.queued;
    this.#queue.requestUpdate();
  }

  /** The rows that can change places. */
  get #items(): readonly HTMLElement[] {
    const ids = new Set(this.#queue.queued.map(({ id }) => id));
    return [...this.#queue.querySelectorAll('li')].filter(({ dataset }) => ids.has(dataset.id!));
  }
}

function move(ids: readonly string[], from: number, to: number): readonly string[] {
  return ids.toSpliced(from, 1).toSpliced(to, 0, ids[from]!);
}

function middleOf(item: HTMLElement): number {
  const { top, height } = item.getBoundingClientRect();
  return top + height / 2;
}
