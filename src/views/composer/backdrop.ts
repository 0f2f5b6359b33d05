/**
 * The layer behind the text field: the same text in the same place, unseen but for the marks under what stands for an
 * attachment. It also knows where a character is, which no text field tells.
 */

import { placePopup } from './place-popup.js';
import type { Span } from './ties.js';

/** Pixels; what is higher scrolls. */
const highest = 280;

/** Shows `field`'s text with `spans` marked, and where the popup belongs; without either it is empty. */
export function paintBackdrop(
  backdrop: HTMLElement,
  field: HTMLTextAreaElement,
  spans: readonly Span[],
  anchor: number | undefined,
): void {
  const text = field.value;
  const marks = [
    ...spans.map((span) => ({ ...span, name: 'mark' })),
    ...(anchor === undefined ? [] : [{ start: anchor, end: anchor + 1, name: 'span' }]),
  ].sort((a, b) => a.start - b.start);
  const key = marks.length === 0 ? '' : `${text}\n${JSON.stringify(marks)}`;
  if (painted.get(backdrop) !== key) {
    painted.set(backdrop, key);
    backdrop.replaceChildren(...(marks.length === 0 ? [] : build(text, marks)));
  }
  if (marks.length === 0) return;
  // A scroll bar narrows the field's text, and only the field has one.
  backdrop.style.inlineSize = `${field.clientWidth}px`;
  backdrop.scrollTop = field.scrollTop;
}

const painted = new WeakMap<HTMLElement, string>();

function build(text: string, marks: readonly (Span & { readonly name: string })[]): Node[] {
  const nodes: Node[] = [];
  let at = 0;
  for (const { start, end, name } of marks) {
    if (start < at) continue;
    const mark = document.createElement(name);
    mark.append(text.slice(start, end));
    nodes.push(document.createTextNode(text.slice(at, start)), mark);
    at = end;
  }
  // The last line has a height also when nothing stands in it.
  nodes.push(document.createTextNode(`${text.slice(at)}\u200b`));
  return nodes;
}

/** Opens the popup, and puts it beside the place in the text it belongs to. */
export function openPopup(popup: HTMLElement, backdrop: HTMLElement, field: HTMLTextAreaElement): void {
  if (!popup.matches(':popover-open')) popup.showPopover();
  popup.dir = field.matches(':dir(rtl)') ? 'rtl' : 'ltr';
  placePopup(popup, (backdrop.querySelector('span') ?? field).getBoundingClientRect(), highest);
}
