/**
 * What helps with the text of the composer: the host's suggestions, and attachments that stand for a piece of the text.
 * Loaded when a trigger character is typed or a draft has such attachments.
 *
 * A `<textarea>` cannot mark its own text, and `contenteditable` would give up its undo, input methods and plain text. So
 * a second layer behind it shows the same text, unseen but for the marks; the chips above stay the way to the attachments.
 */

import type { ReactiveController } from 'lit';
import type { ChatServices } from '../../chat/store.js';
import type { CompletionItem } from '../../protocol/commands.js';
import type { Message, MessageAttachment } from '../../protocol/state.js';
import type { Strings } from '../../i18n/strings.js';
import { AhpAnnounceEvent } from '../events.js';
import { toLabel } from '../label.js';
import type { AhpComposer } from './ahp-composer.js';
import { assistStyles } from './assist.styles.js';
import { openPopup, paintBackdrop } from './backdrop.js';
import { renderSuggestions } from './suggestion-list.js';
import { Suggestions, type Place } from './suggestions.js';
import { isSame, Ties, toRange, toSpan } from './ties.js';

/** What the composer lets its help see and do. */
export interface AssistHost {
  readonly composer: AhpComposer;
  strings(): Strings;
  field(): HTMLTextAreaElement | null;
  /** The message as it stands in the field. */
  message(): Message;
}

export class Assist implements ReactiveController {
  readonly #host: AssistHost;
  readonly #ties = new Ties();
  readonly #suggestions: Suggestions;
  /** The item that is being put in. */
  #taking: { readonly item: CompletionItem; readonly start: number } | undefined;
  #isComposing = false;
  /** The message as it was last seen, and its chat. */
  #seen: Message;
  #chat: string | undefined;
  #said = '';

  constructor(host: AssistHost) {
    this.#host = host;
    const { composer } = host;
    this.#seen = host.message();
    this.#chat = composer.chat;
    this.#ties.note(this.#seen);
    const place = () => this.#place;
    this.#suggestions = new Suggestions({
      get complete(): ChatServices['complete'] {
        const { services } = composer;
        return services?.complete && ((text, caret, signal) => services.complete!(text, caret, signal));
      },
      get triggers() {
        return composer.session?.completionTriggerCharacters ?? [];
      },
      get clock() {
        return composer.clock;
      },
      get place() {
        return place();
      },
      onChange: () => this.#onChange(),
    });
    const root = composer.renderRoot as ShadowRoot;
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, assistStyles.styleSheet!];
    const field = host.field();
    field?.addEventListener('blur', this.#onBlur);
    field?.addEventListener('scroll', this.#onScroll);
    field?.addEventListener('compositionstart', this.#onComposition);
    field?.addEventListener('compositionend', this.#onComposition);
    composer.addController(this);
  }

  hostConnected(): void {
    addEventListener('resize', this.#putPopup);
    addEventListener('scroll', this.#putPopup, { capture: true, passive: true });
  }

  hostDisconnected(): void {
    removeEventListener('resize', this.#putPopup);
    removeEventListener('scroll', this.#putPopup, { capture: true });
    this.#suggestions.end();
  }

  /** The message with the text the field has now. */
  follow(message: Message, { inputType }: { readonly inputType?: string } = {}): Message {
    const { text, caret } = this.#place;
    const followed = this.#ties.follow(message, text, caret, inputType);
    const next = this.#taking ? this.#withTaken(followed, this.#taking) : followed;
    if (this.#taking) this.#ties.note(next);
    else this.#sayDropped(message, next);
    this.#seen = next;
    return next;
  }

  /** The message as it is, with the places it had in `before`, so far as what was written since has left them. */
  catchUp(before: Message): Message {
    const now = this.#host.message();
    const { attachments = [] } = this.#ties.follow(before, now.text, this.#place.caret);
    const isIn = (one: MessageAttachment, list: readonly MessageAttachment[] = []) =>
      list.some((other) => isSame(one, other));
    const added = now.attachments?.filter((one) => !isIn(one, before.attachments)) ?? [];
    return { ...now, attachments: [...attachments.filter((one) => isIn(one, now.attachments)), ...added] };
  }

  /** The text was changed by the person. */
  onInput({ inputType = 'insertText' }: { readonly inputType?: string } = {}): void {
    if (!this.#isComposing) this.#suggestions.onInput(inputType.startsWith('insert'));
  }

  /** The person has typed up to `caret` while this was being loaded, and maybe more. */
  begin(caret: number): void {
    if (!this.#isComposing) this.#suggestions.begin(caret);
  }

  /** Returns whether the key was meant for the suggestions. */
  onKeydown(event: KeyboardEvent): boolean {
    const suggestions = this.#suggestions;
    const isHandled = (suggestions.isOpen || suggestions.isFailed) && this.#act(event);
    if (isHandled) {
      event.preventDefault();
      event.stopPropagation();
    }
    return isHandled;
  }

  render() {
    return renderSuggestions(this.#suggestions, this.#host.strings(), (item) => this.#take(item));
  }

  hostUpdate(): void {
    const { composer } = this.#host;
    const message = this.#host.message();
    if (composer.chat !== this.#chat) {
      this.#chat = composer.chat;
      this.#ties.clear();
      this.#suggestions.end();
    } else if (message.text === this.#seen.text) {
      // The chip was removed: with it goes the tie, also for undo.
      const isGone = (one: MessageAttachment) => !message.attachments?.some((other) => isSame(one, other));
      for (const one of this.#seen.attachments ?? []) if (isGone(one)) this.#ties.forget(one);
    }
    this.#ties.note(message);
    this.#seen = message;
  }

  hostUpdated(): void {
    const { composer } = this.#host;
    const [field, message] = [this.#host.field(), this.#host.message()];
    const backdrop = composer.renderRoot.querySelector<HTMLElement>('.backdrop');
    if (!field || !backdrop) return;
    const { isOpen, isFailed, start, active } = this.#suggestions;
    const spans = (message.attachments ?? []).flatMap(({ range }) => (range && toSpan(message.text, range)) ?? []);
    paintBackdrop(backdrop, field, spans, isOpen || isFailed ? start : undefined);
    this.#describe(field, isOpen, active);
    this.#putPopup();
  }

  #act({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
    const suggestions = this.#suggestions;
    if (key === 'Escape') return (suggestions.end(), true);
    if (!suggestions.isOpen || shiftKey || ctrlKey || metaKey || altKey) return false;
    switch (key) {
      case 'ArrowDown':
        return (suggestions.choose(1), true);
      case 'ArrowUp':
        return (suggestions.choose(-1), true);
      case 'Home':
        return (suggestions.choose('first'), true);
      case 'End':
        return (suggestions.choose('last'), true);
      case 'Enter':
      case 'Tab':
        this.#take(suggestions.items[suggestions.active]!);
        return true;
      default:
        return false;
    }
  }

  get #place(): Place {
    const field = this.#host.field();
    return { text: field?.value ?? '', caret: field?.selectionEnd ?? 0 };
  }

  #take(item: CompletionItem): void {
    const { composer } = this.#host;
    const field = this.#host.field();
    const target = this.#suggestions.findTarget(item);
    this.#suggestions.end();
    if (!field || !target) return;
    field.focus();
    field.setSelectionRange(target.start, target.end);
    this.#taking = { item, start: target.start };
    insertText(field, item.insertText.replaceAll('\r\n', '\n'));
    this.#taking = undefined;
    composer.dispatchEvent(new AhpAnnounceEvent(this.#host.strings().suggestionTaken(toLabel(item.attachment.label))));
  }

  /** The host says where its attachment stands, or it stands for all that was put in. Nothing of it is left out. */
  #withTaken(message: Message, { item, start }: { readonly item: CompletionItem; readonly start: number }): Message {
    const { text } = message;
    const { attachment } = item;
    const own = attachment.range && toSpan(text, attachment.range) ? attachment.range : undefined;
    const length = item.insertText.replaceAll('\r\n', '\n').trimEnd().length;
    const range = own ?? (length > 0 ? toRange(text, { start, end: start + length }) : undefined);
    const { range: _, ...rest } = attachment;
    return { ...message, attachments: [...(message.attachments ?? []), { ...rest, ...(range && { range }) }] };
  }

  #sayDropped(before: Message, after: Message): void {
    const gone = before.attachments?.filter((one) => !after.attachments?.some((other) => isSame(one, other))) ?? [];
    const { composer } = this.#host;
    const strings = this.#host.strings();
    for (const { label } of gone) composer.dispatchEvent(new AhpAnnounceEvent(strings.attachmentGone(toLabel(label))));
  }

  #onChange(): void {
    const { items, isFailed } = this.#suggestions;
    const { composer } = this.#host;
    const strings = this.#host.strings();
    const says = isFailed ? strings.suggestionsFailed : items.length > 0 ? strings.suggestionsCount(items.length) : '';
    if (says && says !== this.#said) composer.dispatchEvent(new AhpAnnounceEvent(says));
    this.#said = says;
    composer.requestUpdate();
  }

  readonly #onBlur = (): void => this.#suggestions.end();

  /** An input method has its own list and its own keys. */
  readonly #onComposition = ({ type }: Event): void => {
    this.#isComposing = type === 'compositionstart';
    if (this.#isComposing) this.#suggestions.end();
    else this.onInput();
  };

  readonly #onScroll = (): void => {
    const backdrop = this.#host.composer.renderRoot.querySelector('.backdrop');
    const field = this.#host.field();
    if (backdrop && field) backdrop.scrollTop = field.scrollTop;
  };

  readonly #putPopup = (): void => {
    const { composer } = this.#host;
    const field = this.#host.field();
    const popup = composer.renderRoot.querySelector<HTMLElement>('.suggestions');
    const backdrop = composer.renderRoot.querySelector<HTMLElement>('.backdrop');
    if (popup && backdrop && field) openPopup(popup, backdrop, field);
  };

  /** A text field with a list while there is one. It has several lines, so it can be no combobox. */
  #describe(field: HTMLTextAreaElement, isOpen: boolean, active: number): void {
    const attributes = {
      'aria-haspopup': 'listbox',
      'aria-autocomplete': 'list',
      'aria-controls': 'suggestions',
      'aria-activedescendant': `suggestion-${active}`,
    };
    for (const [name, value] of Object.entries(attributes)) {
      if (!isOpen) field.removeAttribute(name);
      else if (field.getAttribute(name) !== value) field.setAttribute(name, value);
    }
    if (isOpen)
      this.#host.composer.renderRoot.querySelector(`#suggestion-${active}`)?.scrollIntoView({ block: 'nearest' });
  }
}

/**
 * In place of the selection, as if typed. `setRangeText` would be the modern way, but it throws the field's undo away in
 * every engine; this command is deprecated and the only one that keeps it.
 */
function insertText(field: HTMLTextAreaElement, text: string): void {
  const command = text === '' ? 'delete' : 'insertText';
  const isNothing = text === '' && field.selectionStart === field.selectionEnd;
  if (!isNothing && field.ownerDocument.execCommand(command, false, text)) return;
  field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end');
  field.dispatchEvent(new InputEvent('input', { inputType: 'insertText', bubbles: true, composed: true }));
}
