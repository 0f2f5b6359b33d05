/** How elements get their tags: a second copy of the package on a page is silent and leaves the first one in charge. */

/** Looked up when this copy loads: its own `ahp-chat` is defined later, and its lazy chunks later still. */
const isFirstCopy = !customElements.get('ahp-chat');

export function define(tag: string, element: CustomElementConstructor): void {
  if (isFirstCopy && !customElements.get(tag)) customElements.define(tag, element);
}
