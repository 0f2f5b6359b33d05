/** Which turn has the focus, or had it last, and how the keyboard leads to another one. */

import type { ReactiveController, ReactiveElement } from 'lit';
import type { AhpTurn } from './ahp-turn.js';
import type { ScrollController, ScrollView } from './scroll-controller.js';
import { toPlace } from './turn-keys.js';
import type { TurnPager } from './turn-pager.js';

interface Options {
  readonly pager: TurnPager;
  readonly scroll: ScrollController;
  /** Called once the host is rendered. */
  readonly find: () => ScrollView;
}

export class TurnFocus implements ReactiveController {
  readonly #host: ReactiveElement;
  readonly #options: Options;
  #current: string | undefined;
  #hadFocus = false;

  constructor(host: ReactiveElement, options: Options) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  /** The id of the one turn that Tab reaches: the one that had the focus last, at first the newest. */
  get reachable(): string | undefined {
    const { window } = this.#options.pager;
    return (window.at(window.find(this.#current)) ?? window.at(window.count - 1))?.id;
  }

  hostUpdate(): void {
    this.#hadFocus = Boolean(this.#host.shadowRoot?.activeElement?.closest('ahp-turn'));
  }

  /** What had the focus may have left the document. */
  hostUpdated(): void {
    if (this.#hadFocus && !this.#host.shadowRoot?.activeElement) this.focus({ preventScroll: true });
  }

  /** Puts the focus on the turn that had it last, else on the newest; where there is none, on the box they will be in. */
  focus(options?: FocusOptions): void {
    if (!this.#host.hasUpdated) return;
    const { pager, find } = this.#options;
    const { list, scroller } = find();
    const turn = pager.findRendered(this.#current) ?? (list.lastElementChild as AhpTurn | null);
    if (turn) this.#focus(turn, options);
    else scroller.focus({ ...options, preventScroll: true });
  }

  #focus(turn: AhpTurn | null | undefined, options?: FocusOptions): void {
    turn?.focus({ ...options, preventScroll: true });
    if (turn && !options?.preventScroll) this.#options.scroll.reveal(turn);
  }

  readonly onFocusIn = (event: FocusEvent): void => {
    const turn = (event.target as Element).closest('ahp-turn');
    if (!turn?.turn || turn.turn.id === this.#current) return;
    this.#current = turn.turn.id;
    // The one that Tab reaches may be it already: it is the newest, and the one before it is gone.
    if (turn.tabIndex < 0) this.#host.requestUpdate();
  };

  readonly onKeydown = (event: KeyboardEvent): void => {
    const turn = event.target as AhpTurn;
    if (turn.localName !== 'ahp-turn' || event.ctrlKey || event.metaKey || event.altKey) return;
    const { pager, find } = this.#options;
    const place = pager.window.find(this.#current);
    const next = toPlace(event.key, { turn, scroller: find().scroller, place, count: pager.window.count });
    if (next === undefined || next === place) return;
    event.preventDefault();
    this.#current = pager.window.at(next)?.id;
    void pager.bring(next).then((reached) => this.#focus(reached));
  };
}
