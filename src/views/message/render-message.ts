/** What started a turn: by whom decides the look. Text stands as it was written, never as markup. */

import { html, nothing, type TemplateResult } from 'lit';
import { toOrigin } from '../../i18n/origin.js';
import type { Message } from '../../protocol/state.js';
import '../attachments/ahp-attachment-list.js';
import type { PartContext } from '../parts/part-context.js';
import { renderNotification } from '../parts/render-part.js';

/** UTF-16 units and lines from which a message is folded; what is folded is not laid out. */
const LONG_TEXT = 2_000;
const LONG_LINES = 24;

export function renderMessage(message: Message | undefined, context: PartContext): TemplateResult {
  const text = message?.text ?? '';
  const kind = message?.origin?.kind ?? 'user';
  if (kind === 'systemNotification') return renderNotification(text);
  const attachments = message?.attachments ?? [];
  const isUser = kind === 'user';
  return html`<div class="message ${isUser ? 'user' : 'note'}" part="message">
    ${isUser ? nothing : html`<div class="message-origin">${toOrigin(kind, context.localization.strings)}</div>`}
    ${
      attachments.length > 0
        ? html`<ahp-attachment-list
            .attachments=${attachments}
            .memory=${context.scope.memory}
            .memoryKey=${context.key}
          ></ahp-attachment-list>`
        : nothing
    }
    ${text === '' ? nothing : renderMessageText(text, context)}
  </div>`;
}

function renderMessageText(text: string, context: PartContext): TemplateResult {
  const end = findFold(text);
  const isOpen = end === undefined || context.isOpen;
  const { strings } = context.localization;
  return html`<div class="bubble">
    <div class="bubble-text" dir="auto">${isOpen ? text : `${text.slice(0, end)}…`}</div>
    ${
      end === undefined
        ? nothing
        : html`<button class="link-button" type="button" aria-expanded=${isOpen} @click=${context.onToggle}>
            ${isOpen ? strings.showLess : strings.showAll}
          </button>`
    }
  </div>`;
}

/** Where a long text is folded, in UTF-16 units and not within a character. */
function findFold(text: string): number | undefined {
  let lines = 0;
  for (let i = 0; i < text.length; i += 1) {
    if (text[i] === '\n') lines += 1;
    if (lines < LONG_LINES && i < LONG_TEXT) continue;
    // Half a surrogate pair stays behind with its other half.
    return /[\ud800-\udbff]/.test(text[i - 1] ?? '') ? i - 1 : i;
  }
  return undefined;
}
