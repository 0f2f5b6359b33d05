/** From turn to turn with the keyboard; within one that is taller than the view the arrows scroll first. */

/** Where a key leads from the turn at `place`, or `undefined` where it does what it always does. */
export function toPlace(
  key: string,
  at: { readonly turn: Element; readonly scroller: Element; readonly place: number; readonly count: number },
): number | undefined {
  const { turn, scroller, place, count } = at;
  const view = scroller.getBoundingClientRect();
  const { top, bottom } = turn.getBoundingClientRect();
  switch (key) {
    case 'ArrowUp':
      return top < view.top - 1 ? undefined : Math.max(0, place - 1);
    case 'ArrowDown':
      return bottom > view.bottom + 1 ? undefined : Math.min(count - 1, place + 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
