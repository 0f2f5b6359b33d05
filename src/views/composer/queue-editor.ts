/**
 * Edits waiting messages in place. Several can be edited at once, and what is written stays through whatever happens to
 * the rows around it; a row that goes meanwhile gives its text to the composer.
 */

import { html, nothing, type ReactiveController } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Message } from '../../protocol/state.js';
import { AhpAnnounceEvent, AhpQueueEditEvent, AhpQueueLostEvent } from '../events.js';
import { shortenEnd } from '../label.js';
import type { AhpQueue, QueueRow } from './ahp-queue.js';
import { CompositionGuard } from './keys.js';
import { Ties } from './ties.js';

interface Edit {
  readonly row: QueueRow;
  readonly ties: Ties;
  readonly guard: CompositionGuard;
  /** As it is written at the moment. */
  message: Message;
}

const mostRows = 8;

export class QueueEditor implements ReactiveController {
  readonly #queue: AhpQueue;
  /** By chat and message: a row of another chat that is on screen meanwhile is none that has gone. */
  readonly #edits = new Map<string, Edit>();
  #begun: string | undefined;

  constructor(queue: AhpQueue) {
    this.#queue = queue;
    queue.addController(this);
  }

  begin(row: QueueRow): void {
    const { message } = row;
    this.#edits.set(this.#key(row.id), { row, message, ties: new Ties(), guard: new CompositionGuard() });
    this.#begun = row.id;
    this.#queue.requestUpdate();
  }

  hostUpdated(): void {
    if (this.#begun !== undefined) {
      const item = [...this.#queue.querySelectorAll('li')].find(({ dataset }) => dataset.id === this.#begun);
      const field = item?.querySelector('textarea');
      field?.focus();
      field?.setSelectionRange(field.value.length, field.value.length);
      this.#begun = undefined;
    }
    this.#dropGone();
  }

  /** The editor of a row that is being edited. */
  render(row: QueueRow) {
    const edit = this.#edits.get(this.#key(row.id));
    if (!edit) return undefined;
    const { strings } = this.#queue;
    const { message, guard } = edit;
    const files = message.attachments?.length ?? 0;
    const isElsewhere = row.message.text !== edit.row.message.text;
    return html`<div class="queue-editor">
      <textarea
        dir="auto"
        data-control="field"
        rows=${Math.min(message.text.split('\n').length, mostRows)}
        aria-label=${strings.editNamed(shortenEnd(edit.row.message.text))}
        .value=${live(message.text)}
        @input=${(event: InputEvent) => this.#onInput(edit, event)}
        @keydown=${(event: KeyboardEvent) => this.#onKeydown(edit, event)}
        @keyup=${guard.handleEvent}
        @compositionstart=${guard.handleEvent}
        @compositionend=${guard.handleEvent}
      ></textarea>
      <div class="queue-editor-tools">
        ${isElsewhere ? html`<span class="queue-text quiet" role="status">${strings.changedElsewhere}</span>` : nothing}
        ${files > 0 ? html`<span class="quiet">${strings.filesCount(files)}</span>` : nothing}
        <button class="button quiet" type="button" @click=${() => this.#end(edit)}>${strings.cancel}</button>
        <button class="button" type="button" aria-disabled=${!hasContent(message)} @click=${() => this.#save(edit)}>
          ${strings.save}
        </button>
      </div>
    </div>`;
  }

  #key(id: string): string {
    return `${this.#queue.chat ?? ''} ${id}`;
  }

  #onInput(edit: Edit, { target, inputType }: InputEvent): void {
    const { value, selectionEnd } = target as HTMLTextAreaElement;
    edit.message = edit.ties.follow(edit.message, value, selectionEnd, inputType);
    this.#queue.requestUpdate();
  }

  #onKeydown(edit: Edit, event: KeyboardEvent): void {
    if (edit.guard.owns(event)) return;
    const isSave = event.key === 'Enter' && !event.shiftKey && !event.altKey;
    if (!isSave && event.key !== 'Escape') return;
    event.preventDefault();
    // A dialog around the chat is not meant by it.
    event.stopPropagation();
    if (event.repeat) return;
    if (isSave) this.#save(edit);
    else this.#end(edit);
  }

  #save(edit: Edit): void {
    const { row, message } = edit;
    if (!hasContent(message)) return;
    const isChanged = message.text !== row.message.text;
    if (isChanged && !this.#queue.dispatchEvent(new AhpQueueEditEvent(row.kind, row.id, message))) return;
    this.#end(edit);
  }

  #end({ row }: Edit): void {
    this.#edits.delete(this.#key(row.id));
    this.#queue.requestUpdate();
    void this.#queue.updateComplete.then(() => {
      const item = [...this.#queue.querySelectorAll('li')].find(({ dataset }) => dataset.id === row.id);
      item?.querySelector<HTMLElement>("[data-control='edit']")?.focus();
    });
  }

  #dropGone(): void {
    const { rows } = this.#queue;
    for (const [key, edit] of this.#edits) {
      const { row, message } = edit;
      if (key !== this.#key(row.id) || rows.some(({ id }) => id === row.id)) continue;
      this.#edits.delete(key);
      const isChanged = message.text !== row.message.text;
      if (isChanged) this.#queue.dispatchEvent(new AhpQueueLostEvent(message));
      else this.#queue.dispatchEvent(new AhpAnnounceEvent(this.#queue.strings.sentAsItWas));
    }
  }
}

const hasContent = ({ text, attachments }: Message): boolean => text.trim() !== '' || !!attachments?.length;
