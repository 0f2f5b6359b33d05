/**
 * What can be done with a piece of an answer that is selected: a talk beside the chat about it. The selection may be made by
 * mouse, finger or keyboard; the bar takes no focus, and stands right before what follows the transcript.
 */

import { html, nothing, type ReactiveController, type ReactiveElement } from 'lit';
import type { Strings } from '../../i18n/strings.js';
import type { ChatSelection } from '../../protocol/state.js';
import { AhpForkEvent } from '../events.js';
import { icons } from '../icons-turn.js';
import { icon } from '../icons.js';
import type { AhpTurn } from './ahp-turn.js';
import { findSelection } from './selection.js';

interface SelectedPiece {
  readonly turnId: string;
  readonly selection: ChatSelection;
}

export class SelectionBar implements ReactiveController {
  readonly #host: ReactiveElement;
  #piece: SelectedPiece | undefined;
  #frame: number | undefined;
  /** Somebody is on the way with Tab, which ends the selection in Safari: what was selected stays on offer. */
  #isTabbing = false;

  constructor(host: ReactiveElement) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    this.#onChange();
    document.addEventListener('selectionchange', this.#onChange);
    document.addEventListener('keydown', this.#onKeydown, { capture: true });
    document.addEventListener('pointerdown', this.#onPointerDown, { capture: true });
  }

  hostDisconnected(): void {
    document.removeEventListener('selectionchange', this.#onChange);
    document.removeEventListener('keydown', this.#onKeydown, { capture: true });
    document.removeEventListener('pointerdown', this.#onPointerDown, { capture: true });
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = this.#piece = undefined;
  }

  render(strings: Strings) {
    if (!this.#piece) return nothing;
    return html`<div class="selection-bar" part="selection-bar">
      <button
        class="button"
        type="button"
        @pointerdown=${keepSelection}
        @mousedown=${keepSelection}
        @click=${this.#onAsk}
      >
        ${icon(icons.sideChat)} ${strings.askInSideChat}
      </button>
    </div>`;
  }

  /** While it is being made a selection changes many times. */
  readonly #onChange = (): void => {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      const before = this.#piece;
      this.#piece = findPiece(this.#host.shadowRoot!) ?? (this.#isTabbing ? before : undefined);
      if (before || this.#piece) this.#host.requestUpdate();
    });
  };

  readonly #onKeydown = (event: KeyboardEvent): void => {
    if (event.key === 'Tab') this.#isTabbing = true;
    else if (event.key !== 'Shift' && !this.#isOnBar(event)) this.#onPointerDown(event);
  };

  readonly #onPointerDown = (event: Event): void => {
    if (!this.#isTabbing || this.#isOnBar(event)) return;
    this.#isTabbing = false;
    this.#onChange();
  };

  #isOnBar(event: Event): boolean {
    const bar = this.#host.shadowRoot?.querySelector('.selection-bar');
    return !!bar && event.composedPath().includes(bar);
  }

  readonly #onAsk = (): void => {
    const piece = this.#piece;
    if (piece) this.#host.dispatchEvent(new AhpForkEvent(piece.turnId, 'sideChat', piece.selection));
  };
}

/** A press on the button is no press on the page, which would end the selection. */
const keepSelection = (event: Event): void => event.preventDefault();

/** A selection that lies within one answer. */
function findPiece(root: ShadowRoot): SelectedPiece | undefined {
  const selected = findSelection(root);
  if (!selected || selected.collapsed) return undefined;
  const [start, end] = [selected.startContainer, selected.endContainer].map(toElement);
  const answer = start?.closest('.answer');
  const turnId = answer?.closest<AhpTurn>('ahp-turn')?.turn?.id;
  if (!answer?.contains(end ?? null) || turnId === undefined) return undefined;
  const range = document.createRange();
  range.setStart(selected.startContainer, selected.startOffset);
  range.setEnd(selected.endContainer, selected.endOffset);
  const text = toText(range);
  if (text === '') return undefined;
  const part = start?.closest<HTMLElement>('[data-part]');
  const responsePartId = part?.contains(end ?? null) ? part.dataset.part : undefined;
  return { turnId, selection: { text, ...(responsePartId && { responsePartId }) } };
}

const toElement = (node: Node): Element | null => (node instanceof Element ? node : node.parentElement);

const blocks = 'p, li, pre, h1, h2, h3, h4, h5, h6, tr, blockquote, div';

/** As it is read: a block on a line of its own, and no names of buttons. */
function toText(range: Range): string {
  const walker = document.createTreeWalker(range.commonAncestorContainer, NodeFilter.SHOW_TEXT);
  let text = '';
  let last: Element | null | undefined;
  for (let node: Node | null = walker.currentNode; node; node = walker.nextNode()) {
    if (!(node instanceof Text) || !range.intersectsNode(node) || node.parentElement?.closest('button')) continue;
    const from = node === range.startContainer ? range.startOffset : 0;
    const piece = node.data.slice(from, node === range.endContainer ? range.endOffset : undefined);
    const block = node.parentElement?.closest(blocks);
    if (piece.trim() !== '' && last !== undefined && block !== last) text = `${text.trimEnd()}\n`;
    if (piece.trim() !== '') last = block;
    text += piece;
  }
  return text.trim();
}
