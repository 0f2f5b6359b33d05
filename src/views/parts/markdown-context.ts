/** What the writers of Markdown's nodes ask of the element they write for. */

import type { Strings } from '../../i18n/strings.js';
import type { LinkTarget } from '../../markdown/tokens.js';
import type { CodeView } from './code-view.js';

export interface MarkdownContext {
  readonly strings: Strings;
  /** Whether this picture is loaded without a press. */
  mayLoad(target: LinkTarget): boolean;
  /** Code is complete, now or from the start, or has changed since it was. */
  onCode(view: CodeView): void;
  /** A box that may become wider than its place. */
  onScrollBox(box: HTMLElement): void;
}

/** An element with a class and children: these writers know no other way to make one. */
export function createElement<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = '',
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}
