/** Plain text that a tool printed. */

import { html, nothing, type TemplateResult } from 'lit';
import type { Strings } from '../../i18n/strings.js';
import { renderCodeBox } from '../parts/code-box.js';

/** UTF-16 units of one text; of a longer one the end is shown, where the news is. */
const MAX_TEXT = 200_000;
/** A longer text is cut in steps, so that between two steps it only grows and is appended to. */
const STEP = 65_536;

export function renderOutput(text: unknown, strings: Strings): TemplateResult {
  const whole = typeof text === 'string' ? text : '';
  const from = whole.length > MAX_TEXT ? Math.ceil((whole.length - MAX_TEXT) / STEP) * STEP : 0;
  return html`${from > 0 ? html`<p class="plain quiet">${strings.truncated}</p>` : nothing}${renderCodeBox(
    strings.output,
    from > 0 ? whole.slice(from) : whole,
  )}`;
}
