/**
 * What stands where a lazy part will stand: nothing that jumps, and a way to try again if it does not come. The element
 * around it is updated when the part is here.
 */

import { html, nothing, type LitElement } from 'lit';
import { Directive, directive, PartType, type ChildPart, type PartInfo } from 'lit/directive.js';
import type { Strings } from '../../i18n/strings.js';
import type { Lazy } from './lazy.js';

class WhenLoaded extends Directive {
  #isAsked = false;
  #hasFailed = false;

  constructor(info: PartInfo) {
    super(info);
    if (info.type !== PartType.CHILD) throw new Error('whenLoaded() stands where a child stands, not in an attribute.');
  }

  override render(
    lazy: Lazy<unknown>,
    content: () => unknown,
    _strings: Strings,
    _instead: () => unknown = () => nothing,
  ): unknown {
    return lazy.module ? content() : nothing;
  }

  override update(part: ChildPart, [lazy, content, strings, instead]: Parameters<this['render']>): unknown {
    if (lazy.module) return content();
    const host = part.options?.host as LitElement | undefined;
    const ask = () => {
      this.#isAsked = true;
      void lazy().then((module) => {
        this.#hasFailed = !module;
        host?.requestUpdate();
      });
    };
    const askAgain = () => {
      this.#hasFailed = false;
      ask();
      host?.requestUpdate();
    };
    if (!this.#isAsked) ask();
    if (!this.#hasFailed) return html`<p class="plain quiet late">${strings.loading}</p>`;
    return html`<p class="plain">
        <span class="danger">${strings.loadFailed}</span>
        <button class="link-button" type="button" @click=${askAgain}>${strings.tryAgain}</button>
      </p>
      ${instead?.() ?? nothing}`;
  }
}

/** `content()` once `lazy` is here; until then a line that appears only if that takes long, and `instead()` if it fails. */
export const whenLoaded = directive(WhenLoaded);
