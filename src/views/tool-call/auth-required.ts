/** A call that waits until somebody has signed in: what for, why, and what access is asked for. */

import { html, nothing, type TemplateResult } from 'lit';
import type { Strings } from '../../i18n/strings.js';
import type { McpAuthRequirement, ToolCallAuthRequired } from '../../protocol/state.js';
import { AhpAuthRequestEvent } from '../events.js';
import { toLabel } from '../label.js';
import type { ToolCallView } from './ahp-tool-call.js';
import { renderAnswer, renderAnswers } from './answers.js';
import { renderContent, renderUnlessSaid } from './details.js';
import { renderRaisedCard } from './raised-card.js';

export function renderAuthRequired({ auth, ...call }: ToolCallAuthRequired, view: ToolCallView): TemplateResult {
  const { strings } = view.localization;
  const title = toTitle(auth, strings);
  const scopes = Array.isArray(auth?.requiredScopes) ? (auth.requiredScopes as readonly string[]) : [];
  const signIn = (event: Event) => event.currentTarget?.dispatchEvent(new AhpAuthRequestEvent(auth, call.toolCallId));
  const body = html`${renderUnlessSaid(call.invocationMessage, title)}
  ${auth?.description ? html`<p class="literal" dir="auto">${auth.description}</p>` : nothing}
  ${
    scopes.length > 0
      ? html`<p class="plain quiet">
          ${strings.scopes}: ${scopes.map((scope) => html`<code><bdi>${toLabel(scope)}</bdi></code> `)}
        </p>`
      : nothing
  }
  ${renderContent(call, view)}
  ${renderAnswers(
    view,
    html`${auth ? renderAnswer(strings.signIn, 'filled', view, signIn) : nothing}
    ${renderAnswer(strings.cancelCall, '', view, view.cancel)}`,
  )}`;
  return renderRaisedCard('lock', title, body);
}

function toTitle(auth: McpAuthRequirement | undefined, strings: Strings): string {
  const resource = toLabel(auth?.resource?.resource_name ?? auth?.resource?.resource ?? '');
  switch (auth?.reason) {
    case 'expired':
      return strings.authExpired(resource);
    case 'insufficientScope':
      return strings.authScope(resource);
    default:
      return strings.authRequired(resource);
  }
}
