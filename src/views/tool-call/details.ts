/** What opens below the line of a call: what went in, what came out, what went wrong, and who allowed it. */

import { html, nothing, type TemplateResult } from 'lit';
import type { Strings } from '../../i18n/strings.js';
import { hideTokens } from '../../protocol/hide-tokens.js';
import type { ToolCallCompleted, ToolCallResult, ToolCallState, ToolInput } from '../../protocol/state.js';
import { showHidden, toLabel } from '../label.js';
import { indentJson, renderCodeBox } from '../parts/code-box.js';
import { hasWords, renderText } from '../parts/words.js';
import type { ToolCallView } from './ahp-tool-call.js';
import { toApproval } from './decision.js';
import { renderOutput } from './output.js';
import { renderContentRef, type ContentContext } from '../parts/render-content-ref.js';
import { renderResultContent } from './result-content.js';

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
    ${renderContent(call as ToolOutput, view)} ${renderEnd(call, view)}
  </div>`;
}

/** The whole input, readable: nothing that is sent is left out or changed. `beside` stands next to its name. */
export function renderInput(input: ToolInput, context: ContentContext, beside: unknown = nothing): TemplateResult {
  const { strings } = context.localization;
  if (typeof input === 'string')
    return renderField(strings.input, renderCodeBox(strings.input, indentJson(input)), beside);
  // The host may have changed it since it was looked at; without its nonce it comes from no cache.
  const { nonce: _, ...bare } = input;
  return renderField(strings.input, renderContentRef(bare, context), beside);
}

/** Only some states have any. */
type ToolOutput = Partial<Pick<ToolCallResult, 'content' | 'structuredContent'>>;

/** What came out, block by block. What a tool made for machines stands there only where there is nothing for people. */
export function renderContent(call: ToolOutput, context: ContentContext) {
  const { content, structuredContent } = call;
  const { output } = context.localization.strings;
  const blocks = (content ?? []).map((block, place) => renderResultContent(block, context, place));
  if (blocks.length > 0) return renderField(output, blocks);
  if (structuredContent === undefined) return nothing;
  return renderField(
    output,
    renderOutput(JSON.stringify(structuredContent, undefined, 2), context.localization.strings),
  );
}

/** The name is for the eye; what it names has it as its own. */
function renderField(name: string, value: unknown, beside: unknown = nothing): TemplateResult {
  return html`<div class="field">
    <div class="field-head"><span class="field-name" aria-hidden="true">${name}</span>${beside}</div>
    ${value}
  </div>`;
}

function renderEnd(call: ToolCallState, { localization: { strings }, scope, key }: ToolCallView) {
  const approval = toApproval(call, scope.memory, key, strings);
  const error = call.status === 'completed' ? call.error : undefined;
  const said = call.status === 'cancelled' ? call : undefined;
  const { suggestion } = strings;
  const words = said?.userSuggestion?.text;
  return html`${error ? renderError(error, strings) : nothing}
  ${approval ? html`<p class="plain quiet"><bdi>${approval}</bdi></p>` : nothing} ${renderText(said?.reasonMessage)}
  ${words ? html`<p class="literal" dir="auto"><span class="quiet">${suggestion}:</span> ${words}</p>` : nothing}`;
}

function renderError({ message, code }: ToolError, strings: Strings): TemplateResult {
  return html`<p class="plain danger" dir="auto">
    ${strings.error}: ${showHidden(hideTokens(message))}
    ${code === undefined ? nothing : html`<span class="quiet">${strings.errorCode(toLabel(String(code)))}</span>`}
  </p>`;
}

type ToolError = NonNullable<ToolCallCompleted['error']>;

/** Text above a card's fields, unless its title says the same. */
export const renderUnlessSaid = (message: Parameters<typeof renderText>[0], title: string) =>
  hasWords(message) && message !== title ? renderText(message) : nothing;
