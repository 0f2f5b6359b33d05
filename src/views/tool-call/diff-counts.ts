/** How many lines a file edit adds and takes away, as far as the host says so. */

import { html, nothing } from 'lit';
import type { Strings } from '../../i18n/strings.js';
import type { FileEdit } from '../../protocol/state.js';

/** The lines that came and went, as the host counted them. */
export function renderDiffCounts({ diff }: FileEdit, strings: Strings) {
  const { added, removed } = diff ?? {};
  if (!added && !removed) return nothing;
  return html`<span class="counts">
    ${added ? html`<span class="added" title=${strings.linesAdded(added)}>+${added}</span>` : nothing}
    ${removed ? html`<span class="removed" title=${strings.linesRemoved(removed)}>−${removed}</span>` : nothing}
  </span>`;
}
