/**
 * Edits waiting messages in place. Several can be edited at once, and what is written stays through whatever happens to
 * the rows around it.
 */

import { html, nothing, type ReactiveController } from 'lit';
import { live } from 'lit/directives/live.js';
import { isChanged, toPendingKey, type MessageEdit } from '../../chat/edits.js';
import type { Message } from '../../protocol/state.js';
import { EditsController } from '../edits-controller.js';
import { AhpQueueEditEvent } from '../events.js';
import { shortenEnd } from '../label.js';
import type { AhpQueue, QueueRow } from './ahp-queue.js';
import { CompositionGuard } from './keys.js';
import { Ties } from './ties.js';

/** What is known of a field beside its text. */
interface Field {
  readonly ties: Ties;
  readonly guard: CompositionGuard;
}

const mostRows = 8;

export class QueueEditor implements ReactiveController {
  readonly #queue: AhpQueue;
  readonly #fields = new Map<string, Field>();
  #begun: string | undefined;

  constructor(queue: AhpQueue) {
    this.#queue = queue;
    queue.addController(this);
    new EditsController(queue, () => queue.edits);
  }

  begin({ id, message }: QueueRow): void {
    this.#begun = id;
    this.#queue.edits?.set(toPendingKey(id), { was: message.text, message });
  }

  hostUpdated(): void {
    if (this.#begun === undefined) return;
    const field = this.#findItem(this.#begun)?.querySelector('textarea');
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
    this.#begun = undefined;
  }

  /** The editor of a row that is being edited. */
  render(row: QueueRow) {
    const edit = this.#find(row);
    if (!edit) {
      this.#fields.delete(row.id);
      return undefined;
    }
    const { strings } = this.#queue;
    const { message, was } = edit;
    const { guard } = this.#fieldOf(row.id);
    const files = message.attachments?.length ?? 0;
    const isElsewhere = row.message.text !== was;
    return html`<div class="queue-editor">
      <textarea
        dir="auto"
        data-control="field"
        rows=${Math.min(message.text.split('\n').length, mostRows)}
        aria-label=${strings.editNamed(shortenEnd(was))}
        .value=${live(message.text)}
        @input=${(event: InputEvent) => this.#onInput(row, event)}
        @keydown=${(event: KeyboardEvent) => this.#onKeydown(row, event)}
        @keyup=${guard.handleEvent}
        @compositionstart=${guard.handleEvent}
        @compositionend=${guard.handleEvent}
      ></textarea>
      <div class="queue-editor-tools">
        ${isElsewhere ? html`<span class="queue-text quiet" role="status">${strings.changedElsewhere}</span>` : nothing}
        ${files > 0 ? html`<span class="quiet">${strings.filesCount(files)}</span>` : nothing}
        <button class="button quiet" type="button" @click=${() => this.#end(row)}>${strings.cancel}</button>
        <button class="button" type="button" aria-disabled=${!hasContent(message)} @click=${() => this.#save(row)}>
          ${strings.save}
        </button>
      </div>
    </div>`;
  }

  #fieldOf(id: string): Field {
    let field = this.#fields.get(id);
    if (!field) this.#fields.set(id, (field = { ties: new Ties(), guard: new CompositionGuard() }));
    return field;
  }

  #findItem(id: string): HTMLLIElement | undefined {
    return [...this.#queue.querySelectorAll('li')].find(({ dataset }) => dataset.id === id);
  }

  /** As it is now: several letters may come between two updates. */
  #find({ id }: QueueRow): MessageEdit | undefined {
    return this.#queue.edits?.find(toPendingKey(id));
  }

  #onInput(row: QueueRow, { target, inputType }: InputEvent): void {
    const edit = this.#find(row);
    if (!edit) return;
    const { value, selectionEnd } = target as HTMLTextAreaElement;
    const message = this.#fieldOf(row.id).ties.follow(edit.message, value, selectionEnd, inputType);
    this.#queue.edits?.set(toPendingKey(row.id), { ...edit, message });
    this.#queue.requestUpdate();
  }

  #onKeydown(row: QueueRow, event: KeyboardEvent): void {
    if (this.#fieldOf(row.id).guard.owns(event)) return;
    const isSave = event.key === 'Enter' && !event.shiftKey && !event.altKey;
    if (!isSave && event.key !== 'Escape') return;
    event.preventDefault();
    // A dialog around the chat is not meant by it.
    event.stopPropagation();
    if (event.repeat) return;
    if (isSave) this.#save(row);
    else this.#end(row);
  }

  #save(row: QueueRow): void {
    const edit = this.#find(row);
    if (!edit || !hasContent(edit.message)) return;
    const event = new AhpQueueEditEvent(row.kind, row.id, edit.message);
    if (isChanged(edit) && !this.#queue.dispatchEvent(event)) return;
    this.#end(row);
  }

  #end({ id }: QueueRow): void {
    this.#queue.edits?.set(toPendingKey(id), undefined);
    void this.#queue.updateComplete.then(() =>
      this.#findItem(id)?.querySelector<HTMLElement>("[data-control='edit']")?.focus(),
    );
  }
}

const hasContent = ({ text, attachments }: Message): boolean => text.trim() !== '' || !!attachments?.length;
