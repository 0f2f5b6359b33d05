/**
 * The buttons of a card, and why they do nothing when they do not. Options come from the host only, in its order and its
 * groups; nothing is made up but a plain Deny where it offers none, and plain answers where it offers nothing at all.
 */

import { html, nothing, type TemplateResult } from 'lit';
import type { ConfirmationOption } from '../../protocol/state.js';
import { AhpDiscardEvent, AhpRetryEvent } from '../events.js';
import { toLabel } from '../label.js';
import type { ToolCallView } from './ahp-tool-call.js';
import { dispatch } from '../dispatch.js';

/** `missing` says what is not there yet. A read-only chat has no buttons. */
export function renderAnswers(view: ToolCallView, buttons: TemplateResult, missing = ''): TemplateResult {
  const { strings } = view.localization;
  if (view.answers === 'no') return html`<p class="plain quiet">${strings.toolPending}</p>`;
  if (view.answers === 'unproven') return renderUnproven(view);
  const hint = { yes: missing, waiting: strings.answerWhenLive, given: strings.answerSent }[view.answers];
  return html`<div class="buttons answers">
    ${buttons}${hint ? html`<span class="quiet">${hint}</span>` : nothing}
  </div>`;
}

/** Whoever pressed already is asked about that answer, and not for another one. */
function renderUnproven({ localization: { strings }, unproven }: ToolCallView): TemplateResult {
  const { id, canRetry } = unproven!;
  return html`<div class="buttons answers">
    <span>${strings.unconfirmedAnswer}</span>
    ${
      canRetry
        ? html`<button class="button" type="button" @click=${dispatch(() => new AhpRetryEvent(id))}>
            ${strings.retry}
          </button>`
        : nothing
    }
    <button class="button" type="button" @click=${dispatch(() => new AhpDiscardEvent(id))}>${strings.discard}</button>
  </div>`;
}

export const denialsOf = (options: readonly ConfirmationOption[]): readonly ConfirmationOption[] =>
  options.filter((option) => option?.kind === 'deny');

/** An option of an unknown kind is shown and cannot be pressed. */
export function renderOptions(options: readonly ConfirmationOption[], view: ToolCallView): TemplateResult {
  const { strings } = view.localization;
  const approving = view.isInputShown ? view : { ...view, answers: 'waiting' as const };
  const deny = () => renderAnswer(strings.deny, '', view, () => view.answer('call', false));
  const known = options.filter((option) => option !== null && typeof option === 'object');
  if (known.length === 0) {
    return html`${renderAnswer(strings.approve, 'filled', approving, () => view.answer('call', true))}${deny()}`;
  }
  const first = known.find(({ kind }) => kind === 'approve');
  const renderOption = (option: ConfirmationOption) => {
    const isKnown = option.kind === 'approve' || option.kind === 'deny';
    return renderAnswer(
      toLabel(String(option.label ?? '')) || toLabel(String(option.id)),
      option === first ? 'filled' : '',
      isKnown ? (option.kind === 'approve' ? approving : view) : { ...view, answers: 'given' },
      () => view.answer('call', option.kind === 'approve', option),
    );
  };
  const groups = toGroups(known);
  if (denialsOf(known).length === 0) groups.push({ name: '', options: [] });
  return html`${groups.map(({ name, options: own }) =>
    name
      ? html`<div class="options" role="group" aria-label=${name}>
          <bdi class="quiet options-name" aria-hidden="true">${name}</bdi>${own.map(renderOption)}
        </div>`
      : html`<div class="options">${own.length > 0 ? own.map(renderOption) : deny()}</div>`,
  )}`;
}

interface Group {
  /** Empty where the host only numbers them. */
  readonly name: string;
  readonly options: ConfirmationOption[];
}

/** Neighbours of one group stand together. */
function toGroups(options: readonly ConfirmationOption[]): Group[] {
  const groups: Group[] = [];
  options.forEach((option, index) => {
    const { group } = option;
    if (index > 0 && options[index - 1]!.group === group) groups.at(-1)!.options.push(option);
    else groups.push({ name: typeof group === 'string' ? toLabel(group) : '', options: [option] });
  });
  return groups;
}

export function renderAnswer(
  label: string,
  look: '' | 'filled',
  { answers }: Pick<ToolCallView, 'answers'>,
  onPress: (event: Event) => void,
): TemplateResult {
  const isOff = answers !== 'yes';
  return html`<button class="button ${look}" type="button" aria-disabled=${isOff} @click=${isOff ? null : onPress}>
    <bdi>${label}</bdi>
  </button>`;
}
