/**
 * Opening something by hand must not move it away from the hand. Whoever folds or unfolds says so just before; the
 * transcript then holds that place still for this one change of layout, even while it follows the end.
 */

/** Stays inside the surface: not composed, and no business of the page. */
export class FoldEvent extends Event {
  constructor() {
    super('ahp-fold', { bubbles: true });
  }
}

export function announceFold(element: Element): void {
  element.dispatchEvent(new FoldEvent());
}
