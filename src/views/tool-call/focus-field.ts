/** The field that a press has opened comes a little later, when its chunk is here. */

/** Gives `field` the focus, unless the person has gone elsewhere meanwhile. */
export function focusField(element: Element, field: HTMLElement): void {
  const focused = (element.getRootNode() as ShadowRoot | Document).activeElement;
  const isElsewhere = focused && focused !== document.body && !element.closest('ahp-tool-call')?.contains(focused);
  if (!isElsewhere) field.focus();
}
