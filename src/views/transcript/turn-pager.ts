/**
 * Brings turns into the document and lets them go: a page from memory near an edge, from the host when memory is used up,
 * and any turn that somebody asks for.
 */

import type { ReactiveController, ReactiveElement } from 'lit';
import type { ActiveTurn, Turn } from '../../protocol/state.js';
import { AhpLoadOlderEvent } from '../events.js';
import { loadSurplus } from '../parts/lazy.js';
import type { AhpTurn } from './ahp-turn.js';
import type { ScrollView } from './scroll-controller.js';
import { TurnWindow } from './turn-window.js';

/** How near an edge, in views and pixels, the next page comes in: further than a fling goes in a frame. */
const NEAR_VIEWS = 1.5;
const NEAR_PX = 1_000;

interface PagedElement extends ReactiveElement {
  readonly turns: readonly Turn[];
  readonly activeTurn: ActiveTurn | undefined;
  readonly hasOlder: boolean;
  readonly loadingOlder: boolean;
}

export class TurnPager implements ReactiveController {
  /** Which turns are in the document. Who moves it asks for an update. */
  readonly window = new TurnWindow();
  readonly #host: PagedElement;
  readonly #find: () => ScrollView;
  /** The first turn when older ones were asked for; asked again only when it has changed or the wait has ended. */
  #askedBefore: string | undefined;

  /** `find` is called once the host is rendered. */
  constructor(host: PagedElement, find: () => ScrollView) {
    this.#host = host;
    this.#find = find;
    host.addController(this);
  }

  /** Takes the host's turns. Returns whether something has come at the end of what was there. */
  take(): boolean {
    const { window } = this;
    const { turns, activeTurn } = this.#host;
    const last = window.at(window.count - 1);
    window.set(turns, activeTurn);
    if (turns[0]?.id !== this.#askedBefore) this.#askedBefore = undefined;
    return last !== undefined && window.at(window.count - 1) !== last;
  }

  /** The wait for older turns has ended, with or without any. */
  endWait(): void {
    this.#askedBefore = undefined;
  }

  hostUpdated(): void {
    if (this.window.surplus > 0) void this.#dropSurplus();
  }

  /** The reader has moved. */
  onMove(direction: 'up' | 'down' | 'none'): void {
    const { scrollTop, scrollHeight, clientHeight } = this.#find().scroller;
    const near = clientHeight * NEAR_VIEWS + NEAR_PX;
    if (direction === 'up' && scrollTop < near) this.showOlder();
    if (direction === 'down' && scrollHeight - clientHeight - scrollTop < near && !this.window.isAtEnd) {
      this.window.growDown();
      this.#host.requestUpdate();
    }
  }

  /** Few or low turns: the view is not full, or at its top although more is in memory, where no scroll can ask for it. */
  fill(isFollowing: boolean): void {
    const { scrollHeight, scrollTop, clientHeight } = this.#find().scroller;
    const isShort = scrollHeight <= clientHeight || (!isFollowing && scrollTop < clientHeight);
    if (this.window.first > 0 && isShort) this.showOlder();
  }

  /** More from memory; from the host when that is used up. */
  readonly showOlder = (): void => {
    if (this.window.first > 0) {
      this.window.growUp();
      this.#host.requestUpdate();
    } else this.#askForOlder();
  };

  #askForOlder(): void {
    const { turns, hasOlder, loadingOlder } = this.#host;
    const first = turns[0]?.id ?? '';
    if (!hasOlder || loadingOlder || this.#askedBefore === first) return;
    this.#askedBefore = first;
    this.#host.dispatchEvent(new AhpLoadOlderEvent());
  }

  /** Resolves with the turn at this place in memory when it, and what is around it, is in the document. */
  async bring(place: number): Promise<AhpTurn | undefined> {
    const id = this.window.at(place)?.id;
    this.window.showAround(place);
    this.#host.requestUpdate();
    await this.#host.updateComplete;
    await Promise.all(this.#rendered().map((turn) => turn.updateComplete));
    return this.findRendered(id);
  }

  /** The turn with this id, if it is in the document. */
  findRendered(id: string | undefined): AhpTurn | undefined {
    return id === undefined ? undefined : this.#rendered().find(({ turn }) => turn?.id === id);
  }

  #rendered(): readonly AhpTurn[] {
    return [...this.#find().list.children] as AhpTurn[];
  }

  /** Far turns go, never in the update that brought others: each step is corrected by itself. */
  async #dropSurplus(): Promise<void> {
    const module = await loadSurplus();
    // Without it they stay, and the next update tries again.
    if (!module) return;
    requestAnimationFrame(() => {
      if (this.#host.isConnected && module.dropSurplus(this.window, this.#find())) this.#host.requestUpdate();
    });
  }
}
