/**
 * What the reader looks at, so that it can stay where it is while things above it come, go and change size. The browser's
 * own scroll anchoring is switched off: WebKit has none, and none helps at the very top.
 */

/** An element and how far below the top edge of the view its top was. */
interface Hold {
  readonly element: Element;
  readonly top: number;
}

/** From the turn down to the first thing that begins in view; inner nodes may be replaced, outer ones stay. */
export type Anchor = readonly Hold[];

/** Deep enough for text in a list in a quote in an answer in a turn. */
const DEPTH = 9;
/** Below this many children looking at each is quicker than halving. */
const FEW = 12;

/** The anchor for what is at the top edge of `scroller`, in `list`, whose children stand one below the other. */
export function takeAnchor(scroller: Element, list: Element): Anchor {
  const edge = scroller.getBoundingClientRect().top;
  const anchor: Hold[] = [];
  let element: Element | undefined = findAtEdge(list.children, edge);
  while (element && anchor.length < DEPTH) {
    const top: number = element.getBoundingClientRect().top - edge;
    anchor.push({ element, top });
    // What begins in view is as good as anything in it.
    if (top >= 0) break;
    element = findAtEdge(element.children, edge);
  }
  return anchor;
}

/** The anchor for one element, wherever it is. */
export function anchorAt(scroller: Element, element: Element): Anchor {
  return [{ element, top: element.getBoundingClientRect().top - scroller.getBoundingClientRect().top }];
}

/**
 * How far the anchor has moved down since it was taken: what must be added to `scrollTop` to bring it back. `undefined`
 * if nothing of it is left.
 */
export function measureShift(scroller: Element, anchor: Anchor): number | undefined {
  const edge = scroller.getBoundingClientRect().top;
  for (const { element, top } of anchor.toReversed()) {
    if (!element.isConnected) continue;
    const { top: now, height } = element.getBoundingClientRect();
    // What is no longer laid out says nothing.
    if (height === 0 && element.getClientRects().length === 0) continue;
    return now - edge - top;
  }
  return undefined;
}

/** The first child that reaches below the edge. Children without a box are passed over. */
function findAtEdge(children: HTMLCollection, edge: number): Element | undefined {
  let from = 0;
  let to = children.length;
  while (to - from > FEW) {
    const middle = (from + to) >> 1;
    if (children[middle]!.getBoundingClientRect().bottom > edge) to = middle + 1;
    else from = middle + 1;
  }
  for (let i = from; i < to; i += 1) {
    const { bottom, height } = children[i]!.getBoundingClientRect();
    if (height > 0 && bottom > edge) return children[i];
  }
  return undefined;
}
