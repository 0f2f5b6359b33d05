/**
 * Tells the page and screen readers what has happened, by comparing what was shown with what is shown now: turns that
 * start and end, a connection that goes and comes back, failures. Nothing is said about what was there already. What
 * lasts, styles can see: the states of the element.
 */

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { announcements } from '../chat/announcements.js';
import { isBusy, needsInput } from '../chat/selectors.js';
import type { ChatStore, ChatStoreStatus } from '../chat/store.js';
import type { ChatState } from '../protocol/state.js';
import { AhpErrorEvent, AhpStatusChangeEvent, AhpTurnEndEvent, AhpTurnStartEvent } from '../views/events.js';
import { toLabel } from '../views/label.js';
import type { Outcomes } from './outcomes.js';

interface Shown extends ReactiveControllerHost, HTMLElement {
  readonly store: ChatStore | undefined;
}

export class Facts implements ReactiveController {
  readonly #element: Shown;
  readonly #outcomes: Outcomes;
  readonly #internals: ElementInternals;
  #store: ChatStore | undefined;
  #state: ChatState | undefined;
  #status: ChatStoreStatus | undefined;
  #wasAway = false;

  /** Events are dispatched from `element`. */
  constructor(element: Shown, outcomes: Outcomes) {
    this.#element = element;
    this.#outcomes = outcomes;
    this.#internals = element.attachInternals();
    element.addController(this);
  }

  /** What the store says is on screen now. Another store than before starts afresh. */
  hostUpdated(): void {
    const { store } = this.#element;
    const isSame = store === this.#store;
    const before = isSame ? this.#state : undefined;
    const statusBefore = isSame ? this.#status : undefined;
    this.#store = store;
    this.#state = store?.state;
    this.#status = store?.status;
    this.#mark('busy', !!this.#state && isBusy(this.#state));
    this.#mark('input-needed', !!this.#state && needsInput(this.#state));
    this.#mark('offline', this.#status?.phase === 'offline');
    if (before !== this.#state) {
      for (const announcement of announcements(before, this.#state)) this.#outcomes.announcer?.announce(announcement);
      this.#tellTurns(before, this.#state);
    }
    if (this.#status && this.#status !== statusBefore) this.#tellStatus(statusBefore, this.#status);
  }

  #mark(name: string, isSet: boolean): void {
    this.#internals.states[isSet ? 'add' : 'delete'](name);
  }

  #tellTurns(before: ChatState | undefined, now: ChatState | undefined): void {
    if (!before || !now || before.resource !== now.resource) return;
    const ended = before.activeTurn && before.activeTurn.id !== now.activeTurn?.id ? before.activeTurn.id : undefined;
    const turn = ended === undefined ? undefined : now.turns.findLast(({ id }) => id === ended);
    if (turn) this.#element.dispatchEvent(new AhpTurnEndEvent(turn.id, turn.state));
    if (now.activeTurn && now.activeTurn.id !== before.activeTurn?.id) {
      this.#element.dispatchEvent(new AhpTurnStartEvent(now.activeTurn.id));
    }
  }

  #tellStatus(before: ChatStoreStatus | undefined, now: ChatStoreStatus): void {
    if (before?.phase === 'live' && now.phase === 'offline')
      this.#outcomes.announcer?.announceFact(now.notKept ? 'offlineNotKept' : 'offline');
    if (now.phase === 'offline') this.#wasAway = this.#wasAway || before?.phase === 'live';
    if (now.phase === 'live' && this.#wasAway) {
      this.#wasAway = false;
      this.#outcomes.announcer?.announceFact('online');
    }
    const [signIn] = now.signIns?.filter((requirement) => !before?.signIns?.includes(requirement)) ?? [];
    const { resource, resource_name: name } = signIn?.resource ?? {};
    if (resource !== undefined)
      this.#outcomes.say(this.#outcomes.strings.authRequired(toLabel(name ?? resource)), 'assertive');
    this.#element.dispatchEvent(new AhpStatusChangeEvent(now));
    if (now.error && now.error !== before?.error && now.phase === 'failed') {
      this.#element.dispatchEvent(new AhpErrorEvent(now.error));
    }
  }
}
