/** Lets turns go that are far from what is looked at: a document with all that was ever read becomes slow. */

import { Held } from './held.js';
import type { ScrollView } from './scroll-controller.js';
import type { TurnWindow } from './turn-window.js';

/** Drops them from the end of `window` that the reader is further from, up to the first that is held. Returns whether any went. */
export function dropSurplus(window: TurnWindow, { scroller, list }: ScrollView): boolean {
  const { surplus } = window;
  if (surplus === 0) return false;
  const held = new Held(list.getRootNode() as ShadowRoot);
  const middle = scroller.scrollTop + scroller.clientHeight / 2;
  const isReadingLate = middle > scroller.scrollHeight / 2;
  const turns = [...list.children];
  if (!isReadingLate) turns.reverse();
  const kept = turns.slice(0, surplus).findIndex((turn) => held.has(turn));
  const count = kept < 0 ? surplus : kept;
  if (isReadingLate) window.dropFromTop(count);
  else window.dropFromBottom(count);
  return count > 0;
}
