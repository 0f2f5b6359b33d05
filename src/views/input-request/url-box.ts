/**
 * An address a host asks to open: where it really leads, what makes it look like somewhere else, and a link that does
 * nothing before it is pressed. What is shown is what the browser's own parser made of it, and that is what is opened.
 */

import { html, nothing, type TemplateResult } from 'lit';
import type { Strings } from '../../i18n/strings.js';
import { toLinkTarget } from '../../markdown/safe-url.js';
import { icon } from '../icons.js';
import { showHidden, toLabel } from '../label.js';

export function renderUrlBox(address: string, strings: Strings): TemplateResult {
  const target = toLinkTarget(address);
  if (target?.kind !== 'web')
    return html`<div class="url-box">
      <p class="plain"><code dir="ltr">${toLabel(address)}</code></p>
      <p class="plain quiet">${strings.addressNotOpened}</p>
    </div>`;
  const url = new URL(target.url);
  const isMail = url.protocol === 'mailto:';
  // The parser writes a name in other letters as `xn--…`; nothing in it can look like another.
  const place = isMail ? `mailto:${url.pathname}` : `${url.protocol}//${url.host}`;
  return html`<div class="url-box">
    <p class="plain url-place"><bdi>${strings.opensSite(showHidden(place))}</bdi></p>
    ${target.url === `${place}/` || target.url === place ? nothing : html`<code dir="ltr">${showHidden(target.url)}</code>`}
    ${toWarnings(url, strings).map((words) => html`<p class="plain warning">${icon('warning')}<bdi>${words}</bdi></p>`)}
    <div class="buttons">
      <a class="button" href=${target.url} target="_blank" rel="noopener noreferrer"
        >${strings.openSite}<span class="hidden-text">, ${place}, ${strings.opensInNewTab}</span></a
      >
    </div>
  </div>`;
}

function toWarnings({ username, password, hostname }: URL, strings: Strings): string[] {
  const warnings: string[] = [];
  if (username || password) warnings.push(strings.addressHasUser(toLabel(username), hostname));
  if (hostname.split('.').some((label) => label.startsWith('xn--'))) warnings.push(strings.addressIsForeign);
  return warnings;
}
