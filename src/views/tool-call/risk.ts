/** What a judge thinks of a call: a word, a sign, a number and the reason. It never answers for the person. */

import { html, nothing, type TemplateResult } from 'lit';
import type { Localization } from '../../i18n/localize.js';
import type { RiskAssessment } from '../../protocol/state.js';
import { icon } from '../icons.js';
import { renderText } from '../parts/words.js';

/** `safety` runs from 0, unsafe, to 1, safe. */
const HIGH_RISK = 0.34;
const SOME_RISK = 0.67;

export function renderRisk(
  risk: RiskAssessment | undefined,
  { strings, format }: Localization,
): TemplateResult | typeof nothing {
  if (!risk) return nothing;
  if (risk.status === 'loading') {
    return html`<p class="plain quiet risk">${icon('running')}${strings.riskLoading}</p>`;
  }
  const safety =
    typeof risk.safety === 'number' && !Number.isNaN(risk.safety) ? Math.min(1, Math.max(0, risk.safety)) : undefined;
  const [tone, word] =
    safety === undefined
      ? (['warning', strings.riskUnknown] as const)
      : safety < HIGH_RISK
        ? (['danger', strings.riskHigh] as const)
        : safety < SOME_RISK
          ? (['warning', strings.riskMedium] as const)
          : (['quiet', strings.riskLow] as const);
  return html`<div class="risk">
    <span class="risk-word ${tone}">
      ${icon(tone === 'quiet' ? 'check' : 'warning')}<span class="strong">${word}</span>
      ${safety === undefined ? nothing : html`<span class="quiet">${strings.safetyOf(format.percent(safety))}</span>`}
    </span>
    ${renderText(risk.reason)}
  </div>`;
}
