import { LitElement, html, nothing } from 'lit';
import { property, query } from 'lit/decorators.js';
import { toTurnKey, type MessageEdit } from '../../chat/edits.js';
import { Localized } from '../../i18n/localize.js';
import type { Message } from '../../protocol/state.js';
import '../attachments/ahp-attachment-list.js';
import { GrowController } from '../composer/grow-controller.js';
import { CompositionGuard, keepTyping } from '../composer/keys.js';
import { define } from '../define.js';
import { AhpSendEvent, type AhpAttachmentRemoveEvent } from '../events.js';
import { toEditedMessage } from './edited-message.js';
import type { PartScope } from './part-scope.js';

let made = 0;

/**
 * A message of the person's that is changed where it stands. What is typed survives the turn leaving the document, and
 * Escape, after which *edit* goes on where it was left. Has no shadow root: it is styled by the
 * transcript.
 *
 * @customElement ahp-message-editor
 * @summary Edits a sent message in place.
 * @fires {AhpSendEvent} ahp-send - The message is to be sent in the place of its turn; prevented, the editor stays.
 */
export class AhpMessageEditor extends LitElement {
  readonly #language = new Localized(this);
  readonly #composition = new CompositionGuard();
  readonly #grow = new GrowController(this, () => this.field);
  readonly #noteId = `ahp-edit-note-${(made += 1)}`;

  @property({ attribute: false }) turnId = '';
  @property({ attribute: false }) message: Message | undefined;
  @property({ attribute: false }) scope: PartScope | undefined;

  /** How many turns stand behind this one, and go with it. */
  @property({ attribute: false }) following = 0;

  @query('textarea') private readonly field!: HTMLTextAreaElement | null;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override firstUpdated(): void {
    const { field } = this;
    const { memory } = this.scope ?? {};
    if (!field || !memory) return;
    field.value = this.#written?.text ?? '';
    this.#grow.fit();
    // Only what the person has just opened; a turn that merely comes back into the document takes no focus.
    if (memory.freshEdit !== this.turnId) return;
    memory.freshEdit = undefined;
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
  }

  get #edit(): MessageEdit | undefined {
    return this.scope?.edits?.find(toTurnKey(this.turnId));
  }

  /** The message as it is written at the moment. */
  get #written(): Message | undefined {
    return this.#edit?.message ?? this.message;
  }

  get #attachments() {
    return this.#written?.attachments ?? [];
  }

  #write(change: Partial<Pick<Message, 'text' | 'attachments'>>): void {
    const edit = this.#edit;
    if (edit) this.scope?.edits?.set(toTurnKey(this.turnId), { ...edit, message: { ...edit.message, ...change } });
    this.requestUpdate();
  }

  readonly #onInput = (): void => {
    this.#write({ text: this.field?.value ?? '' });
    this.#grow.fit();
  };

  readonly #onKeydown = (event: KeyboardEvent): void => {
    keepTyping(event);
    if (this.#composition.owns(event)) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      this.#close();
    } else if (event.key === 'Enter' && this.#isSend(event)) {
      event.preventDefault();
      if (!event.repeat) this.#send();
    }
  };

  #isSend({ ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
    return ctrlKey || metaKey || (this.scope?.abilities.enterKey === 'send' && !shiftKey && !altKey);
  }

  readonly #onRemove = (event: AhpAttachmentRemoveEvent): void => {
    // The draft below has attachments of its own.
    event.stopPropagation();
    this.#write({ attachments: this.#attachments.filter((_attachment, place) => place !== event.index) });
    this.field?.focus();
  };

  readonly #onCancel = (): void => this.scope?.edits?.set(toTurnKey(this.turnId), undefined);

  readonly #onSendPress = (event: MouseEvent): void => {
    // The second click of a double click is no second message.
    if (event.detail <= 1) this.#send();
  };

  /** What was typed stays. */
  #close(): void {
    const edit = this.#edit;
    if (edit) this.scope?.edits?.set(toTurnKey(this.turnId), { ...edit, isClosed: true });
  }

  #send(): void {
    const { message } = this;
    if (!message || !this.#canSend()) return;
    const edited = toEditedMessage(message, this.#written ?? {});
    if (this.dispatchEvent(new AhpSendEvent(edited, 'auto', this.turnId))) this.#onCancel();
  }

  #canSend(): boolean {
    const text = this.#written?.text ?? '';
    return this.scope?.abilities.send === true && (text.trim() !== '' || this.#attachments.length > 0);
  }

  override render() {
    const { strings } = this.#language.value;
    return html`<div class="editor" @ahp-attachment-remove=${this.#onRemove}>
      ${
        this.#attachments.length > 0
          ? html`<ahp-attachment-list removable .attachments=${this.#attachments}></ahp-attachment-list>`
          : nothing
      }
      <textarea
        rows="1"
        dir="auto"
        aria-label=${strings.editMessage}
        aria-describedby=${this.#noteId}
        @input=${this.#onInput}
        @keydown=${this.#onKeydown}
        @keypress=${keepTyping}
        @keyup=${this.#onKeyup}
        @compositionstart=${this.#composition.handleEvent}
        @compositionend=${this.#composition.handleEvent}
      ></textarea>
      <p class="plain quiet" id=${this.#noteId}>
        ${this.following > 0 ? strings.editRemoves(this.following) : strings.editReplaces}
      </p>
      <div class="buttons">
        <button class="button filled" type="button" aria-disabled=${!this.#canSend()} @click=${this.#onSendPress}>
          ${strings.sendAgain}
        </button>
        <button class="button quiet" type="button" @click=${this.#onCancel}>${strings.cancel}</button>
      </div>
    </div>`;
  }

  readonly #onKeyup = (event: KeyboardEvent): void => {
    keepTyping(event);
    this.#composition.handleEvent(event);
  };
}

define('ahp-message-editor', AhpMessageEditor);

declare global {
  interface HTMLElementTagNameMap {
    'ahp-message-editor': AhpMessageEditor;
  }
}
