/** The raised card: what is asked, all of what would run, and the host's own answers in the host's own order. */

import { html, nothing, type TemplateResult } from 'lit';
import type { ToolCallPendingConfirmation, ToolCallPendingResultConfirmation } from '../../protocol/state.js';
import { toLabel } from '../label.js';
import { indentJson } from '../parts/code-box.js';
import { loadSuggestion, loadToolInput } from '../parts/lazy.js';
import { whenLoaded } from '../parts/when-loaded.js';
import { renderText, toWords } from '../parts/words.js';
import type { ToolCallView } from './ahp-tool-call.js';
import { denialsOf, renderAnswer, renderAnswers, renderOptions } from './answers.js';
import { renderContent, renderInput, renderUnlessSaid } from './details.js';
import { renderRaisedCard } from './raised-card.js';
import { renderFileEdit } from './result-content.js';
import { renderRisk } from './risk.js';

/** Edits that show their lines at once; of more the person opens what they want to see. */
const UNFOLDED = 5;

export function renderConfirmation(call: ToolCallPendingConfirmation, view: ToolCallView): TemplateResult {
  const { strings } = view.localization;
  const title = toWords(call.confirmationTitle) || toLabel(call.displayName || call.toolName || '');
  const body = html`${renderUnlessSaid(call.invocationMessage, title)}
  ${renderRisk(call.riskAssessment, view.localization)} ${renderAskedInput(call, view)}
  ${call.edits?.items?.map((edit, place) => renderFileEdit(edit, view, place, place < UNFOLDED)) ?? nothing}
  ${renderAnswers(view, renderOptions(call.options ?? [], view), view.isInputShown ? '' : strings.inputFirst)}
  ${renderSuggestion(call, view)}`;
  return renderRaisedCard('shield', title, body);
}

export function renderResultConfirmation(call: ToolCallPendingResultConfirmation, view: ToolCallView): TemplateResult {
  const { strings } = view.localization;
  const body = html`${renderText(call.pastTenseMessage)} ${renderContent(call, view)}
  ${call.error ? html`<p class="plain danger" dir="auto">${strings.error}: ${call.error.message}</p>` : nothing}
  ${renderAnswers(
    view,
    html`${renderAnswer(strings.useResult, 'filled', view, () => view.answer('result', true))}
    ${renderAnswer(strings.discardResult, '', view, () => view.answer('result', false))}`,
  )}`;
  return renderRaisedCard('shield', strings.confirmResult, body);
}

/** The whole input; as a field of its own where it is changed, or has to be read first. */
function renderAskedInput({ toolInput, editable }: ToolCallPendingConfirmation, view: ToolCallView) {
  const { strings } = view.localization;
  if (toolInput === undefined) return html`<p class="plain quiet">${strings.noInput}</p>`;
  const memoryKey = `${view.key} input`;
  const mayEdit = editable === true && view.answers === 'yes';
  if (typeof toolInput === 'string' && !(mayEdit && view.scope.memory.texts.has(memoryKey))) {
    const edit = () => view.setField('input', indentJson(toolInput));
    return renderInput(
      toolInput,
      view,
      mayEdit
        ? html`<button class="link-button" type="button" data-opens="input" @click=${edit}>
            ${strings.editInput}
          </button>`
        : nothing,
    );
  }
  return whenLoaded(
    loadToolInput,
    () =>
      html`<ahp-tool-input
        .input=${toolInput}
        .scope=${view.scope}
        .editable=${mayEdit}
        .memoryKey=${memoryKey}
        .isOpened=${view.opened === 'input'}
        .onEdit=${(text: string) => view.setField('input', text)}
        .onClose=${() => view.setField('input', undefined)}
      ></ahp-tool-input>`,
    strings,
  );
}

/** A denial may say what to do instead. */
function renderSuggestion({ options = [] }: ToolCallPendingConfirmation, view: ToolCallView) {
  const { strings } = view.localization;
  if (view.answers !== 'yes') return nothing;
  const memoryKey = `${view.key} suggestion`;
  if (!view.scope.memory.texts.has(memoryKey)) {
    return html`<div>
      <button class="link-button" type="button" data-opens="suggestion" @click=${() => view.setField('suggestion', '')}>
        ${strings.suggest}
      </button>
    </div>`;
  }
  const denials = denialsOf(options);
  return whenLoaded(
    loadSuggestion,
    () =>
      html`<ahp-suggestion
        .scope=${view.scope}
        .memoryKey=${memoryKey}
        .isOpened=${view.opened === 'suggestion'}
        .hasChoice=${denials.length > 1}
        .onDeny=${denials.length > 1 ? undefined : () => view.answer('call', false, denials[0])}
        .onClose=${() => view.setField('suggestion', undefined)}
      ></ahp-suggestion>`,
    strings,
  );
}
