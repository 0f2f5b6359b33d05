/** The host's suggestions as a listbox. Focus stays in the text field, which says which of them is chosen. */

import { html, nothing } from 'lit';
import type { Strings } from '../../i18n/strings.js';
import type { CompletionItem } from '../../protocol/commands.js';
import { toKind } from '../attachments/ahp-attachment-list.js';
import { icon } from '../icons.js';
import { shortenEnd, shortenMiddle, toLabel } from '../label.js';
import type { Suggestions } from './suggestions.js';

export function renderSuggestions(
  { items, active, isOpen, isFailed }: Suggestions,
  strings: Strings,
  take: (item: CompletionItem) => void,
) {
  if (!isOpen && !isFailed) return nothing;
  // A press here must not take the focus, and with it the list, away.
  return html`<div class="suggestions" popover="manual" @pointerdown=${keepFocus} @mousedown=${keepFocus}>
    ${
      isFailed
        ? html`<p>${strings.suggestionsFailed}</p>`
        : html`<ul role="listbox" id="suggestions" aria-label=${strings.suggestions}>
            ${items.map((item, index) => renderItem(item, index, index === active, strings, take))}
          </ul>`
    }
  </div>`;
}

function renderItem(
  item: CompletionItem,
  index: number,
  isActive: boolean,
  strings: Strings,
  take: (item: CompletionItem) => void,
) {
  const { attachment, insertText } = item;
  const [picture, kind] = toKind(attachment, strings);
  const label = toLabel(attachment.label) || shortenEnd(insertText);
  const inserted = shortenEnd(insertText, 60);
  // eslint-disable-next-line lit-a11y/click-events-have-key-events -- the keys are the text field's, which has the focus
  return html`<li role="option" id="suggestion-${index}" aria-selected=${isActive} @click=${() => take(item)}>
    ${icon(picture)}<span class="hidden-text">${kind}: </span><bdi>${shortenMiddle(label, 48)}</bdi>
    ${inserted === label ? nothing : html`<bdi class="quiet">${inserted}</bdi>`}
  </li>`;
}

const keepFocus = (event: Event): void => event.preventDefault();
