/** The one raised card: a call stands still until somebody answers. */

import { html, type TemplateResult } from 'lit';
import { icon, type IconName } from '../icons.js';

export const renderRaisedCard = (sign: IconName, title: string, body: TemplateResult): TemplateResult =>
  html`<div class="card raised" part="confirmation" role="group" aria-label=${title} tabindex="-1" data-needs-answer>
    <h3 class="card-title">${icon(sign)}<bdi>${title}</bdi></h3>
    ${body}
  </div>`;
