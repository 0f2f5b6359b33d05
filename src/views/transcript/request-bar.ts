/** The bar over the transcript that leads to an open question out of view. */

import { html, nothing, type LitElement } from 'lit';
import type { Strings } from '../../i18n/strings.js';
import { icon } from '../icons.js';

export class RequestBar {
  readonly #host: LitElement;
  readonly #show: () => void;
  #isShown = false;

  /** `show` brings the question into view. */
  constructor(host: LitElement, show: () => void) {
    this.#host = host;
    this.#show = show;
  }

  /** To be told after each change of the layout: `request` is the open question, if its turn is in the document. */
  look(isOpen: boolean, request: Element | null, scroller: Element): void {
    const isShown = isOpen && !isInView(request, scroller);
    if (isShown === this.#isShown) return;
    this.#isShown = isShown;
    this.#host.requestUpdate();
  }

  render(strings: Strings) {
    if (!this.#isShown) return nothing;
    return html`<div class="request-bar" part="request-bar">
      ${icon('shield')}<span>${strings.waitingForYou}</span>
      <button class="button filled" type="button" @click=${this.#show}>${strings.showRequest}</button>
    </div>`;
  }
}

function isInView(element: Element | null, scroller: Element): boolean {
  if (!element) return false;
  const view = scroller.getBoundingClientRect();
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > view.top && top < view.bottom;
}
