/** What changes a row of the queue: moving and editing. Loaded with the first row; one for each `<ahp-queue>`. */

import { html, nothing } from 'lit';
import { pencil } from '../icons-composer.js';
import { icon } from '../icons.js';
import { shortenEnd } from '../label.js';
import type { AhpQueue, QueueRow } from './ahp-queue.js';
import { QueueEditor } from './queue-editor.js';
import { QueueMover } from './queue-mover.js';
import { queueToolsStyles } from './queue-tools.styles.js';

export class QueueTools {
  readonly #queue: AhpQueue;
  readonly #editor: QueueEditor;
  readonly #mover: QueueMover;

  constructor(queue: AhpQueue) {
    this.#queue = queue;
    this.#editor = new QueueEditor(queue);
    this.#mover = new QueueMover(queue);
    const root = queue.getRootNode() as Document | ShadowRoot;
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, queueToolsStyles.styleSheet!];
  }

  /** The rows in the order in which they are shown while one is being moved. */
  arrange(rows: readonly QueueRow[]): readonly QueueRow[] {
    return this.#mover.arrange(rows);
  }

  isMoving(id: string): boolean {
    return this.#mover.isMoving(id);
  }

  renderHandle(row: QueueRow) {
    return this.#mover.renderHandle(row);
  }

  /** The text field in place of the row, while the row is being edited. */
  renderEditor(row: QueueRow) {
    return this.#editor.render(row);
  }

  renderEdit(row: QueueRow) {
    const { isListed, message } = row;
    // Clients send what a person wrote; a message of the host's own would come back as ours.
    if (isListed || message.origin.kind !== 'user' || !this.#queue.edits) return nothing;
    return html`<button
      class="icon-button"
      type="button"
      data-control="edit"
      aria-label=${this.#queue.strings.editNamed(shortenEnd(message.text))}
      @click=${() => this.#editor.begin(row)}
    >
      ${icon(pencil)}
    </button>`;
  }
}
