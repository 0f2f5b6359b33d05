/**
 * From a response part to its template. A part of a kind that this page does not know, or one whose required fields are
 * missing, leaves a plain line: a turn is never lost because of one part.
 */

import { html, nothing, type TemplateResult } from 'lit';
import type { Strings } from '../../i18n/strings.js';
import { hideTokens } from '../../protocol/hide-tokens.js';
import { toReason } from '../../protocol/reason.js';
import type { ErrorInfo, ResponsePart, StringOrMarkdown } from '../../protocol/state.js';
import { dispatch } from '../dispatch.js';
import { AhpResumeEvent } from '../events.js';
import { icon } from '../icons.js';
import { shortenEnd, showHidden, toLabel } from '../label.js';
import '../tool-call/ahp-tool-call.js';
import './ahp-markdown.js';
import './ahp-reasoning.js';
import type { PartContext } from './part-context.js';
import { renderContentRef } from './render-content-ref.js';
import { renderInputRequest } from './render-request.js';
import { renderText } from './words.js';

export function renderPart(part: ResponsePart, context: PartContext): TemplateResult | typeof nothing {
  const { scope, isGrowing, key } = context;
  switch (part?.kind) {
    case 'markdown':
      return html`<ahp-markdown
        part="markdown"
        data-part=${part.id || nothing}
        .text=${part.content ?? ''}
        .streaming=${isGrowing}
        .imageOrigins=${scope.imageOrigins}
      ></ahp-markdown>`;
    case 'reasoning':
      if (scope.withoutReasoning) return nothing;
      return html`<ahp-reasoning
        .text=${part.content ?? ''}
        .running=${isGrowing}
        .memoryKey=${key}
        .scope=${scope}
      ></ahp-reasoning>`;
    case 'contentRef':
      return renderContentRef(part, context);
    case 'toolCall':
      return html`<ahp-tool-call
        class=${context.isInRun ? 'in-run' : ''}
        .call=${part.toolCall}
        .turnId=${context.turnId}
        .memoryKey=${key}
        .active=${context.isActive}
        .scope=${scope}
      ></ahp-tool-call>`;
    case 'systemNotification':
      return renderNotification(part.content);
    case 'inputRequest':
      return renderInputRequest(part, context);
    case 'error':
      return renderError(part.error, context);
    default:
      return renderUnknown(part, context.localization.strings);
  }
}

/** A centred quiet line; it reads well from its content alone. */
export function renderNotification(content: StringOrMarkdown | undefined): TemplateResult {
  const shown =
    typeof content === 'object' ? { markdown: hideTokens(content.markdown ?? '') } : content && hideTokens(content);
  return html`<div class="notification">${renderText(shown)}</div>`;
}

/** The first line of the message; the rest, and what is for developers, is folded away. */
export function renderError(error: ErrorInfo | undefined, context: PartContext): TemplateResult {
  const { isOpen, isResumable, turnId, onToggle } = context;
  const { strings } = context.localization;
  const message = showHidden(toReason(error?.message ?? ''));
  const title = shortenEnd(message.split('\n', 1)[0] ?? '', 200) || strings.turnFailed;
  const hasMore = message.length > title.length || !!error?.errorType;
  return html`<div class="card error" part="error">
    <div class="card-title">${icon('alert')}<bdi>${title}</bdi></div>
    ${
      isOpen
        ? html`<p class="literal" dir="auto">${message}</p>
            <p class="plain quiet">${toLabel(error?.errorType ?? '')}</p>`
        : nothing
    }
    ${
      isResumable || hasMore
        ? html`<div class="buttons">
            ${
              isResumable
                ? html`<button class="button" type="button" @click=${dispatch(() => new AhpResumeEvent(turnId))}>
                    ${strings.resume}
                  </button>`
                : nothing
            }
            ${
              hasMore
                ? html`<button class="button quiet" type="button" aria-expanded=${isOpen} @click=${onToggle}>
                    ${strings.details}
                  </button>`
                : nothing
            }
          </div>`
        : nothing
    }
  </div>`;
}

function renderUnknown(part: unknown, strings: Strings): TemplateResult {
  const kind = (part as { kind?: unknown } | undefined)?.kind;
  return html`<p class="plain quiet unknown">${icon('file')}${strings.unknownPart(toLabel(String(kind)))}</p>`;
}
