/**
 * One tab stop for a row of buttons: arrows go from one to the next, Home and End to the ends. Without it every turn would
 * put half a dozen stops between the composer and what is read. Source: ARIA authoring practices, toolbar.
 */

import type { ReactiveController, ReactiveControllerHost } from 'lit';

type Host = ReactiveControllerHost & HTMLElement;

export class RovingController implements ReactiveController {
  readonly #find: () => readonly HTMLElement[];
  #current: HTMLElement | undefined;
  #hadFocus = false;

  /** `find` gives the buttons in their order, as they are after the last update. */
  constructor(host: Host, find: () => readonly HTMLElement[]) {
    this.#find = find;
    host.addController(this);
  }

  hostUpdate(): void {
    this.#hadFocus = this.#current?.matches(':focus') === true;
  }

  hostUpdated(): void {
    const items = this.#find();
    const place = Math.max(0, this.#current ? items.indexOf(this.#current) : 0);
    this.#mark(items, items[place]);
    // A button that went away takes the focus along.
    if (this.#hadFocus && !this.#current?.matches(':focus')) this.#current?.focus();
  }

  /** For `keydown` and `focusin` of the row. */
  readonly handleEvent = (event: Event): void => {
    const items = this.#find();
    const place = items.findIndex((item) => event.composedPath().includes(item));
    if (place < 0) return;
    if (event.type === 'focusin') return this.#mark(items, items[place]);
    const { key, ctrlKey, metaKey, altKey, currentTarget } = event as KeyboardEvent;
    if (ctrlKey || metaKey || altKey) return;
    const isRtl = getComputedStyle(currentTarget as Element).direction === 'rtl';
    const next = toPlace(key, place, items.length, isRtl);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    items[next]?.focus();
  };

  #mark(items: readonly HTMLElement[], current: HTMLElement | undefined): void {
    this.#current = current;
    for (const item of items) item.tabIndex = item === current ? 0 : -1;
  }
}

function toPlace(key: string, place: number, count: number, isRtl: boolean): number | undefined {
  switch (key) {
    case isRtl ? 'ArrowLeft' : 'ArrowRight':
      return (place + 1) % count;
    case isRtl ? 'ArrowRight' : 'ArrowLeft':
      return (place + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
