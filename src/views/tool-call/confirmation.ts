/** The raised card: what is asked, all of what would run, and the host's own answers in the host's own order. */

import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Strings } from '../../i18n/strings.js';
import type {
  ConfirmationOption,
  RiskAssessment,
  ToolCallPendingConfirmation,
  ToolCallPendingResultConfirmation,
} from '../../protocol/state.js';
import { icon } from '../icons.js';
import { toLabel } from '../label.js';
import { renderText, toWords } from '../parts/words.js';
import type { ToolCallView } from './ahp-tool-call.js';
import { renderContent, renderInput, renderUnlessSaid } from './details.js';
import { renderFileEdit } from './result-content.js';

/** Edits that show their lines at once; of more the person opens what they want to see. */
const UNFOLDED = 5;

export function renderConfirmation(call: ToolCallPendingConfirmation, view: ToolCallView): TemplateResult {
  const { strings } = view.localization;
  const title = toWords(call.confirmationTitle) || toLabel(call.displayName || call.toolName || '');
  return html`<section class="card raised" part="confirmation" aria-label=${title} tabindex="-1" data-needs-answer>
    <h3 class="card-title">${icon('shield')}<bdi>${title}</bdi></h3>
    ${renderUnlessSaid(call.invocationMessage, title)} ${renderRisk(call.riskAssessment, strings)}
    ${
      call.toolInput === undefined
        ? html`<p class="plain quiet">${strings.noInput}</p>`
        : renderInput(call.toolInput, view)
    }
    ${call.edits?.items?.map((edit, place) => renderFileEdit(edit, view, place, place < UNFOLDED)) ?? nothing}
    ${renderAnswers(view, renderOptions(call.options ?? [], view))}
  </section>`;
}

export function renderResultConfirmation(call: ToolCallPendingResultConfirmation, view: ToolCallView): TemplateResult {
  const { strings } = view.localization;
  return html`<section
    class="card raised"
    part="confirmation"
    aria-label=${strings.confirmResult}
    tabindex="-1"
    data-needs-answer
  >
    <h3 class="card-title">${icon('shield')}${strings.confirmResult}</h3>
    ${renderText(call.pastTenseMessage)} ${renderContent(call.content, view)}
    ${call.error ? html`<p class="plain danger" dir="auto">${strings.error}: ${call.error.message}</p>` : nothing}
    ${renderAnswers(
      view,
      html`${renderAnswer(strings.useResult, 'filled', view, () => view.answer('result', true))}
      ${renderAnswer(strings.discardResult, '', view, () => view.answer('result', false))}`,
    )}
  </section>`;
}

/** The buttons, and why they do nothing when they do not. A read-only chat has none. */
function renderAnswers(view: ToolCallView, buttons: TemplateResult) {
  const { strings } = view.localization;
  if (view.answers === 'no') return html`<p class="plain quiet">${strings.toolPending}</p>`;
  const hint = { yes: '', waiting: strings.answerWhenLive, given: strings.answerSent }[view.answers];
  return html`<div class="buttons">${buttons}${hint ? html`<span class="quiet">${hint}</span>` : nothing}</div>`;
}

/**
 * The host's options as they come; a plain Deny where it offers none, plain answers where it offers nothing at all. Nothing
 * is made up: an option of an unknown kind is shown and cannot be pressed.
 */
function renderOptions(options: readonly ConfirmationOption[], view: ToolCallView): TemplateResult {
  const { strings } = view.localization;
  const allow = () => renderAnswer(strings.approve, 'filled', view, () => view.answer('call', true));
  const deny = () => renderAnswer(strings.deny, '', view, () => view.answer('call', false));
  if (options.length === 0) return html`${allow()}${deny()}`;
  const firstApproving = options.find(({ kind }) => kind === 'approve');
  const keyed = options.map((option, index) => ({ option, index }));
  return html`${repeat(
    keyed,
    ({ option, index }) => `${index} ${option.id}`,
    ({ option, index }) => {
      const startsGroup = index > 0 && options[index - 1]!.group !== option.group;
      const isKnown = option.kind === 'approve' || option.kind === 'deny';
      return html`${startsGroup ? html`<span class="divider" aria-hidden="true"></span>` : nothing}${renderAnswer(
        toLabel(option.label),
        option === firstApproving ? 'filled' : '',
        isKnown ? view : { ...view, answers: 'given' },
        () => view.answer('call', option.kind === 'approve', option),
      )}`;
    },
  )}${options.some(({ kind }) => kind === 'deny') ? nothing : deny()}`;
}

function renderAnswer(label: string, look: '' | 'filled', { answers }: ToolCallView, onPress: () => void) {
  const isOff = answers !== 'yes';
  return html`<button class="button ${look}" type="button" aria-disabled=${isOff} @click=${isOff ? null : onPress}>
    <bdi>${label}</bdi>
  </button>`;
}

/** `safety` runs from 0, unsafe, to 1, safe. */
const HIGH_RISK = 0.34;
const SOME_RISK = 0.67;

function renderRisk(risk: RiskAssessment | undefined, strings: Strings) {
  if (!risk) return nothing;
  if (risk.status !== 'complete') {
    return html`<p class="plain quiet risk">${icon('running')}${strings.riskLoading}</p>`;
  }
  const [tone, word] =
    risk.safety < HIGH_RISK
      ? (['danger', strings.riskHigh] as const)
      : risk.safety < SOME_RISK
        ? (['warning', strings.riskMedium] as const)
        : (['quiet', strings.riskLow] as const);
  return html`<div class="risk">
    <span class="risk-word ${tone}">${icon(tone === 'quiet' ? 'check' : 'warning')}${word}</span>
    ${renderText(risk.reason)}
  </div>`;
}
