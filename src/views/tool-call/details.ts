/** What opens below the line of a call: what went in, what came out, what went wrong, and who allowed it. */

import { html, nothing, type TemplateResult } from 'lit';
import type { Strings } from '../../i18n/strings.js';
import type { ToolCallState, ToolInput, ToolResultContent } from '../../protocol/state.js';
import { toLabel } from '../label.js';
import { indentJson, renderCodeBox } from '../parts/code-box.js';
import { hasWords, renderText } from '../parts/words.js';
import type { ToolCallView } from './ahp-tool-call.js';
import { renderContentRef, renderResultContent, type ContentContext } from './result-content.js';

export function renderDetails(call: ToolCallState, view: ToolCallView): TemplateResult {
  const { strings } = view.localization;
  return html`<div class="card" part="tool-call-body">
    <p class="plain quiet">
      <bdi>${toLabel(call.displayName || call.toolName || '')}</bdi>${
        call.intention ? html` – <bdi>${toLabel(call.intention)}</bdi>` : nothing
      }
    </p>
    ${
      call.status === 'streaming' && call.partialInput
        ? renderField(strings.input, renderCodeBox(strings.input, call.partialInput))
        : nothing
    }
    ${'toolInput' in call && call.toolInput !== undefined ? renderInput(call.toolInput, view) : nothing}
    ${'content' in call ? renderContent(call.content, view) : nothing} ${renderEnd(call, strings)}
  </div>`;
}

/** The whole input, readable: nothing that is sent is left out or changed. */
export function renderInput(input: ToolInput, context: ContentContext): TemplateResult {
  const { strings } = context.localization;
  return renderField(
    strings.input,
    typeof input === 'string' ? renderCodeBox(strings.input, indentJson(input)) : renderContentRef(input, context),
  );
}

export function renderContent(content: readonly ToolResultContent[] | undefined, context: ContentContext) {
  if (!content || content.length === 0) return nothing;
  const blocks = content.map((block, place) => renderResultContent(block, context, place));
  return renderField(context.localization.strings.output, blocks);
}

/** The name is for the eye; what it names has it as its own. */
function renderField(name: string, value: unknown): TemplateResult {
  return html`<div class="field">
    <div class="field-name" aria-hidden="true">${name}</div>
    ${value}
  </div>`;
}

function renderEnd(call: ToolCallState, strings: Strings) {
  switch (call.status) {
    case 'completed': {
      const { error } = call;
      return html`${
        error
          ? html`<p class="plain danger" dir="auto">
              ${strings.error}: ${error.message}
              ${
                error.code === undefined
                  ? nothing
                  : html`<span class="quiet">${strings.errorCode(toLabel(String(error.code)))}</span>`
              }
            </p>`
          : nothing
      }${renderConfirmed(call, strings)}`;
    }
    case 'running':
      return renderConfirmed(call, strings);
    case 'cancelled':
      return html`${renderText(call.reasonMessage)}${
        call.userSuggestion?.text
          ? html`<p class="literal" dir="auto">
              <span class="quiet">${strings.suggestion}:</span> ${call.userSuggestion.text}
            </p>`
          : nothing
      }`;
    default:
      return nothing;
  }
}

type Confirmed = Extract<ToolCallState, { confirmed: unknown }>;

/** Who let it run, where somebody had to. */
function renderConfirmed({ confirmed, selectedOption }: Confirmed, strings: Strings) {
  const word = selectedOption
    ? strings.confirmedWith(toLabel(selectedOption.label))
    : confirmed === 'user-action'
      ? strings.confirmedByUser
      : confirmed === 'setting'
        ? strings.confirmedBySetting
        : '';
  return word ? html`<p class="plain quiet"><bdi>${word}</bdi></p>` : nothing;
}

/** Text above a card's fields, unless its title says the same. */
export const renderUnlessSaid = (message: Parameters<typeof renderText>[0], title: string) =>
  hasWords(message) && message !== title ? renderText(message) : nothing;
