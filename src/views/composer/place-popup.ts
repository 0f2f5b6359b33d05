/** Where something that floats goes: beside what it belongs to, and within what is visible beside an on-screen keyboard. */

/** Pixels to what it belongs to, and to the edges of the screen. */
const gap = 6;
const edge = 8;

/** Above `anchor` if there is room, with the starts of both in line. The popup is in the top layer and at its start. */
export function placePopup(popup: HTMLElement, anchor: DOMRect, highest: number): void {
  const view = visualViewport;
  const top = view?.offsetTop ?? 0;
  const start = view?.offsetLeft ?? 0;
  const bottom = top + (view?.height ?? innerHeight);
  const end = start + (view?.width ?? innerWidth);
  const above = anchor.top - top - gap - edge;
  const below = bottom - anchor.bottom - gap - edge;
  popup.style.maxBlockSize = `${Math.min(highest, Math.max(above, below, 0))}px`;
  popup.style.translate = 'none';
  const box = popup.getBoundingClientRect();
  const isAbove = above >= box.height || above >= below;
  const y = isAbove ? anchor.top - gap - box.height : anchor.bottom + gap;
  const wanted = popup.matches(':dir(rtl)') ? anchor.right - box.width : anchor.left;
  const x = Math.max(start + edge, Math.min(wanted, end - edge - box.width));
  popup.style.translate = `${Math.round(x - box.left)}px ${Math.round(y - box.top)}px`;
}
