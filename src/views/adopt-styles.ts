/**
 * Styles of an element that has no shadow root and comes later than the surface around it: the surface takes them on when
 * the first such element is put into it, and keeps them. No style element is made, so a strict policy has nothing to say.
 */

import type { CSSResult } from 'lit';

/** To be called when `element` is connected. */
export function adoptStyles(element: Element, ...styles: readonly CSSResult[]): void {
  const root = element.getRootNode();
  if (!(root instanceof ShadowRoot || root instanceof Document)) return;
  const sheets = styles.flatMap(({ styleSheet }) => styleSheet ?? []);
  const missing = sheets.filter((sheet) => !root.adoptedStyleSheets.includes(sheet));
  if (missing.length > 0) root.adoptedStyleSheets.push(...missing);
}
