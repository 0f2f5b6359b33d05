/**
 * The one owner of the transcript's scroll position. It stays with the end while it follows, and otherwise keeps what the
 * reader looks at where it is, correcting in the frame in which the layout changed, before it is painted.
 *
 * Following ends with the first upward gesture, never by a change of size or content, and starts again only when the
 * reader comes back to the very end or asks for it. There is no band near the end that catches a small scroll.
 */

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { anchorAt, measureShift, takeAnchor, type Anchor } from './anchor.js';
import { FoldEvent } from './fold.js';

/** `end`: the newest text. `turn`: the top of the newest turn. `none`: where it opened, at the end. */
export type FollowTarget = 'end' | 'turn' | 'none';

export interface ScrollView {
  /** The element that scrolls. */
  readonly scroller: HTMLElement;
  /** The turns, one below the other. */
  readonly list: HTMLElement;
}

interface Options {
  /** Looked up after each update of the host; `undefined` until it is rendered. */
  readonly find: () => ScrollView | undefined;
  /** Whether the newest turn is in the document, so that the end of it is the end. */
  readonly isEndShown: () => boolean;
  /** The reader has moved, or following has begun or ended. */
  readonly onMove: (direction: 'up' | 'down' | 'none') => void;
}

/** Positions are fractions of a pixel on some screens. */
const EXACT_PX = 1;

const upKeys = new Set(['ArrowUp', 'PageUp', 'Home']);

export class ScrollController implements ReactiveController {
  readonly #options: Options;
  readonly #observer = new ResizeObserver(() => this.#onLayout());
  #view: ScrollView | undefined;
  #isFollowing = true;
  target: FollowTarget = 'end';
  #anchor: Anchor = [];
  /** What was put back in place at the very top: WebKit drops that while it bounces there. */
  #atTop: Anchor | undefined;
  /** Where somebody has just folded or unfolded something. */
  #fold: Anchor | undefined;
  /** The newest turn when it was last gone to. */
  #newest: Element | null = null;
  /** Where it was when it was last looked at. */
  #top = 0;
  #touchY = 0;

  constructor(host: ReactiveControllerHost, options: Options) {
    this.#options = options;
    host.addController(this);
  }

  get isFollowing(): boolean {
    return this.#isFollowing && (this.target !== 'none' || !this.#newest);
  }

  hostConnected(): void {
    if (this.#view) this.#listen(this.#view);
  }

  hostDisconnected(): void {
    this.#observer.disconnect();
    if (this.#view) for (const type of eventTypes) this.#view.scroller.removeEventListener(type, this);
  }

  hostUpdated(): void {
    if (this.#view) return;
    this.#view = this.#options.find();
    if (this.#view) this.#listen(this.#view);
  }

  #listen({ scroller, list }: ScrollView): void {
    for (const type of eventTypes) scroller.addEventListener(type, this, { passive: true });
    this.#observer.observe(list, { box: 'border-box' });
    this.#observer.observe(scroller);
  }

  /** Whether the end of the newest turn is in view. */
  isAtEnd(): boolean {
    const { scroller } = this.#view ?? {};
    return !scroller || (this.#options.isEndShown() && this.#furthest(scroller) - scroller.scrollTop <= EXACT_PX);
  }

  /** Goes to the end and stays with it. */
  follow(): void {
    this.#isFollowing = true;
    this.#newest = null;
    this.#onLayout();
  }

  /** Stays where it is. */
  release(): void {
    this.#isFollowing = false;
    this.hold();
  }

  /** Takes what is at the top edge now as what the reader looks at. */
  hold(): void {
    const { scroller, list } = this.#view ?? {};
    if (scroller && list) this.#anchor = takeAnchor(scroller, list);
  }

  /** Puts the top of `element` at the top edge, and stays there. */
  show(element: Element): void {
    const { scroller } = this.#view ?? {};
    if (!scroller) return;
    this.#isFollowing = false;
    this.#shift(scroller, element.getBoundingClientRect().top - scroller.getBoundingClientRect().top);
    this.#anchor = anchorAt(scroller, element);
  }

  /**
   * Moves as little as brings `element` into view, and not at all within one that fills it. WebKit's own "nearest" goes to
   * the top of what is taller than the view.
   */
  reveal(element: Element): void {
    const { scroller, list } = this.#view ?? {};
    if (!scroller || !list) return;
    const rect = (box: Element) => box.getBoundingClientRect();
    const { top, bottom } = rect(element);
    const above = top - Math.max(rect(scroller).top, rect(list.firstElementChild ?? list).top);
    const below = bottom - Math.min(rect(scroller).bottom, rect(list.lastElementChild ?? list).bottom);
    if (above < 0 && below < 0) scroller.scrollTop += Math.max(above, below);
    if (above > 0 && below > 0) scroller.scrollTop += Math.min(above, below);
  }

  handleEvent(event: Event): void {
    switch (event.type) {
      case 'scroll':
      case 'scrollend':
        return this.#onScroll();
      case 'wheel':
        return this.#onGesture(event, (event as WheelEvent).deltaY < 0);
      case 'touchstart':
        this.#touchY = (event as TouchEvent).touches[0]?.clientY ?? 0;
        return;
      case 'touchmove': {
        const y = (event as TouchEvent).touches[0]?.clientY ?? 0;
        this.#onGesture(event, y > this.#touchY);
        this.#touchY = y;
        return;
      }
      case 'keydown': {
        const { key, shiftKey } = event as KeyboardEvent;
        return this.#onGesture(event, upKeys.has(key) || (key === ' ' && shiftKey));
      }
      default:
        return this.#onFold(event);
    }
  }

  #onGesture(event: Event, isUp: boolean): void {
    if (!isUp || !this.#isFollowing || !this.#view) return;
    const { scroller } = this.#view;
    if (scroller.scrollTop <= 0 || isTakenInside(event, scroller)) return;
    this.release();
    this.#options.onMove('none');
  }

  #onScroll(): void {
    const { scroller } = this.#view!;
    const top = scroller.scrollTop;
    if (this.#atTop && top <= 0) return this.#shift(scroller, measureShift(scroller, this.#atTop) ?? 0);
    // The correction has held: whoever goes to the top from here on means it.
    this.#atTop = undefined;
    const moved = top - this.#top;
    // Our own correction comes back as an event, too.
    if (Math.abs(moved) < EXACT_PX) return;
    this.#top = top;
    const isAtEnd = this.isAtEnd();
    // Content that shrinks pushes the position back as far as the end; only a person leaves it before the end.
    if (moved < 0 && !isAtEnd) this.#isFollowing = false;
    if (moved > 0 && isAtEnd) this.#isFollowing = true;
    this.hold();
    this.#options.onMove(moved < 0 ? 'up' : 'down');
  }

  #onFold(event: Event): void {
    if (!(event instanceof FoldEvent) || !this.#view) return;
    this.#fold = anchorAt(this.#view.scroller, event.target as Element);
  }

  /** After layout and before paint, when the turns or the view have changed their size. */
  #onLayout(): void {
    if (!this.#view) return;
    const { scroller, list } = this.#view;
    if (this.#fold) {
      this.#shift(scroller, measureShift(scroller, this.#fold) ?? 0);
      this.#fold = undefined;
      // What was opened is what the person looks at now, even if it was the end that was followed.
      if (this.#isFollowing && !this.isAtEnd()) this.#isFollowing = false;
      this.hold();
    } else if (this.#isPulled(list)) {
      this.#shift(scroller, this.#furthest(scroller) - scroller.scrollTop);
      this.#newest = list.lastElementChild;
      this.hold();
    } else {
      const shift = measureShift(scroller, this.#anchor);
      // What was looked at is gone: truncated, or replaced as a whole.
      if (shift === undefined) this.hold();
      else {
        if (scroller.scrollTop <= 0) this.#atTop = this.#anchor;
        this.#shift(scroller, shift);
      }
    }
    this.#top = scroller.scrollTop;
    this.#options.onMove('none');
  }

  /** Whether the end draws the view along: text always, the top of a turn only when the turn is new. */
  #isPulled(list: HTMLElement): boolean {
    if (!this.#isFollowing || !this.#options.isEndShown()) return false;
    if (this.target === 'end' || !this.#newest) return true;
    return this.target === 'turn' && list.lastElementChild !== this.#newest;
  }

  #shift(scroller: HTMLElement, by: number): void {
    if (Math.abs(by) < 0.5) return;
    scroller.scrollTop += by;
    this.#top = scroller.scrollTop;
  }

  /** The greatest position that following asks for. */
  #furthest(scroller: HTMLElement): number {
    const end = scroller.scrollHeight - scroller.clientHeight;
    if (this.target !== 'turn') return end;
    const turn = this.#view?.list.lastElementChild;
    if (!turn) return end;
    const top = turn.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
    return Math.min(end, Math.max(0, Math.floor(top)));
  }
}

const eventTypes = ['scroll', 'scrollend', 'wheel', 'touchstart', 'touchmove', 'keydown', 'ahp-fold'] as const;

/** Whether something between the event's target and the transcript takes the gesture: a box that can scroll up, a field. */
function isTakenInside(event: Event, scroller: Element): boolean {
  for (const target of event.composedPath()) {
    if (target === scroller) return false;
    if (!(target instanceof HTMLElement)) continue;
    if (event.type === 'keydown' && target.matches('input, textarea, select, [contenteditable]')) return true;
    if (target.scrollTop > 0 && /auto|scroll/.test(getComputedStyle(target).overflowY)) return true;
  }
  return false;
}
