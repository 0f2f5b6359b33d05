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
  #isLoading = false;
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
    if (!this.#isAsked) void this.#ask(part, lazy);
    const isLoading = this.#isLoading;
    const askAgain = () => isLoading || void this.#ask(part, lazy);
    const line = this.#hasFailed
      ? html`<p class="plain">
          <span class=${isLoading ? 'quiet' : 'danger'}>${isLoading ? strings.loading : strings.loadFailed}</span>
          <button class="link-button" type="button" aria-disabled=${isLoading} @click=${askAgain}>
            ${strings.tryAgain}
          </button>
        </p>`
      : html`<p class="plain quiet">${strings.loading}</p>`;
    return html`<div class=${this.#hasFailed ? '' : 'late'}>${line} ${instead?.() ?? nothing}</div>`;
  }

  async #ask(part: ChildPart, lazy: Lazy<unknown>): Promise<void> {
    const host = part.options?.host as LitElement | undefined;
    this.#isAsked = this.#isLoading = true;
    // The line that is there says so; the first one is being rendered now.
    if (this.#hasFailed) host?.requestUpdate();
    const module = await lazy();
    this.#isLoading = false;
    this.#hasFailed = !module;
    const hadFocus = module && elementsOf(part).some((element) => element.matches(':focus-within'));
    host?.requestUpdate();
    if (hadFocus) await host?.updateComplete.then(() => goInto(part));
  }
}

/** What a directive has put into the document. */
function elementsOf({ startNode, endNode }: ChildPart): readonly Element[] {
  const elements: Element[] = [];
  for (let node = startNode; node && node !== endNode; node = node.nextSibling) {
    if (node instanceof Element) elements.push(node);
  }
  return elements;
}

/** The focus goes to what came in the place of that which had it. */
async function goInto(part: ChildPart): Promise<void> {
  for (const element of elementsOf(part)) {
    await (element as Partial<LitElement>).updateComplete;
    element.querySelector<HTMLElement>('[tabindex], button, input, textarea, select')?.focus();
  }
}

/** `content()` once `lazy` is here; until then a line that appears only if that takes long, and `instead()` below it. */
export const whenLoaded = directive(WhenLoaded);
