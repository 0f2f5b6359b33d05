/**
 * A question to the person. Its form is loaded with the first one; where that does not come, the question can be read all
 * the same, and declined or cancelled, so that nobody is held up by a lost connection.
 */

import { html, nothing } from 'lit';
import { isRecord } from '../../protocol/record.js';
import type { InputRequestPart, InputResponse } from '../../protocol/state.js';
import { dispatch } from '../dispatch.js';
import { AhpInputCompleteEvent } from '../events.js';
import { loadInputRequest, type Lazy } from './lazy.js';
import type { PartContext } from './part-context.js';
import { whenLoaded } from './when-loaded.js';
import { renderText } from './words.js';

export function renderInputRequest(
  part: InputRequestPart,
  context: PartContext,
  form: Lazy<unknown> = loadInputRequest,
) {
  const { request, response } = part;
  // Untrusted: the part may lack what it is for.
  if (!isRecord(request)) return nothing;
  const element = () =>
    html`<ahp-input-request
      .request=${request}
      .response=${response}
      .active=${context.isActive}
      .scope=${context.scope}
    ></ahp-input-request>`;
  return html`${whenLoaded(form, element, context.localization.strings, () => renderWithoutForm(part, context))}`;
}

function renderWithoutForm({ request, response }: InputRequestPart, { isActive, scope, localization }: PartContext) {
  const { strings } = localization;
  const isOpen = isActive && response === undefined;
  const isGiven = scope.pendingIds.has(request.id);
  const isReady = scope.answers === 'yes' && !isGiven;
  const hint = isGiven ? strings.answerSent : isReady ? '' : strings.answerWhenLive;
  const answer = (outcome: InputResponse) => dispatch(() => new AhpInputCompleteEvent(request.id, outcome));
  return html`<section
    class="card"
    part="input-request"
    aria-label=${strings.question}
    ?data-needs-answer=${isOpen}
    tabindex="-1"
  >
    ${renderText(request.message)} ${(request.questions ?? []).map((question) => renderText(question?.message))}
    ${
      isOpen && scope.answers !== 'no'
        ? html`<div class="buttons">
            ${(['decline', 'cancel'] as const).map(
              (outcome) =>
                html`<button
                  class="button"
                  type="button"
                  aria-disabled=${!isReady}
                  @click=${isReady ? answer(outcome) : nothing}
                >
                  ${strings[outcome]}
                </button>`,
            )}
            ${hint ? html`<span class="quiet">${hint}</span>` : nothing}
          </div>`
        : nothing
    }
  </section>`;
}
