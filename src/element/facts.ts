/**
 * Tells the page and screen readers what has happened, by comparing what was shown with what is shown now: turns that
 * start and end, a connection that goes and comes back, failures. Nothing is said about what was there already.
 */

import { announcements } from '../chat/announcements.js';
import type { ChatStore, ChatStoreStatus } from '../chat/store.js';
import type { ChatState } from '../protocol/state.js';
import { AhpErrorEvent, AhpStatusChangeEvent, AhpTurnEndEvent, AhpTurnStartEvent } from '../views/events.js';
import type { AhpAnnouncer } from '../views/status/ahp-announcer.js';

export class Facts {
  readonly #target: EventTarget;
  #store: ChatStore | undefined;
  #state: ChatState | undefined;
  #status: ChatStoreStatus | undefined;
  #wasAway = false;

  /** Events are dispatched from `target`. */
  constructor(target: EventTarget) {
    this.#target = target;
  }

  /** To be called when `store` is on screen. Another store than before starts afresh. */
  observe(store: ChatStore | undefined, announcer: AhpAnnouncer | null): void {
    const isSame = store === this.#store;
    const before = isSame ? this.#state : undefined;
    const statusBefore = isSame ? this.#status : undefined;
    this.#store = store;
    this.#state = store?.state;
    this.#status = store?.status;
    if (before !== this.#state) {
      for (const announcement of announcements(before, this.#state)) announcer?.announce(announcement);
      this.#tellTurns(before, this.#state);
    }
    if (this.#status && this.#status !== statusBefore) this.#tellStatus(statusBefore, this.#status, announcer);
  }

  #tellTurns(before: ChatState | undefined, now: ChatState | undefined): void {
    if (!before || !now || before.resource !== now.resource) return;
    const ended = before.activeTurn && before.activeTurn.id !== now.activeTurn?.id ? before.activeTurn.id : undefined;
    const turn = ended === undefined ? undefined : now.turns.findLast(({ id }) => id === ended);
    if (turn) this.#target.dispatchEvent(new AhpTurnEndEvent(turn.id, turn.state));
    if (now.activeTurn && now.activeTurn.id !== before.activeTurn?.id) {
      this.#target.dispatchEvent(new AhpTurnStartEvent(now.activeTurn.id));
    }
  }

  #tellStatus(before: ChatStoreStatus | undefined, now: ChatStoreStatus, announcer: AhpAnnouncer | null): void {
    if (before?.phase === 'live' && now.phase === 'offline') announcer?.announceFact('offline');
    if (now.phase === 'offline') this.#wasAway = this.#wasAway || before?.phase === 'live';
    if (now.phase === 'live' && this.#wasAway) {
      this.#wasAway = false;
      announcer?.announceFact('online');
    }
    this.#target.dispatchEvent(new AhpStatusChangeEvent(now));
    if (now.error && now.error !== before?.error && now.phase === 'failed') {
      this.#target.dispatchEvent(new AhpErrorEvent(now.error));
    }
  }
}
