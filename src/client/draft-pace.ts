/**
 * When what a person writes goes where: to the mirror a moment after a change, to the host after a longer one, and nowhere
 * while the page is away. Whoever holds the text says what is written and what is sent. Source: architecture, one keystroke.
 */

import type { StoredDraft } from '../mirror/mirror.js';
import { DraftKeeper, type DraftKeeperOptions } from './draft-keeper.js';
import type { Cancel, Environment } from './environment.js';

/** Those who hold the text. */
export interface Paced {
  /** The text as it is when it is written to the mirror. */
  toStored(): StoredDraft;
  /** Sends what the host has not got, if the host can be reached; absent for what stays on this device. */
  send?(): void;
}

const syncDelayMs = 1000;

export class DraftPace {
  readonly #environment: Environment;
  readonly #keeper: DraftKeeper;
  readonly #paced: Paced;
  #cancelSync: Cancel | undefined;
  #isAway = false;

  constructor(options: DraftKeeperOptions, paced: Paced) {
    this.#environment = options.environment;
    this.#keeper = new DraftKeeper(options, () => paced.toStored());
    this.#paced = paced;
  }

  /** The newer of what the mirror has and what was left behind when the page went. */
  recover(stored: StoredDraft | undefined): StoredDraft | undefined {
    return this.#keeper.recover(stored);
  }

  /** Writes soon. */
  keepLater(): void {
    this.#keeper.later();
  }

  /** Sends soon. Further calls do not put it off. */
  syncLater(): void {
    this.#cancelSync ??= this.#environment.schedule(syncDelayMs, () => this.sync());
  }

  /** Sends now. */
  sync(): void {
    this.stopSync();
    if (!this.#isAway) this.#paced.send?.();
  }

  /** Nothing is sent before the next change. */
  stopSync(): void {
    this.#cancelSync?.();
    this.#cancelSync = undefined;
  }

  /** Writes and sends what waits. For leaving a field and for a page that is hidden. */
  flush(): void {
    if (this.#isAway) return;
    if (this.#cancelSync) this.sync();
    this.#keeper.flush();
  }

  /** All that is kept on this device was deleted: nothing is written again but what comes from now on. */
  onCleared(): void {
    this.#keeper.onCleared();
  }

  /** The page is left: what is not on disk goes where it still can. */
  suspend(): void {
    this.#isAway = true;
    this.stopSync();
    this.#keeper.leave();
  }

  /** The page is back, possibly under another id. */
  resume(): void {
    this.#isAway = false;
    this.#keeper.comeBack();
  }

  /** Writes what waits. Nothing is sent any more: nobody would hear whether it arrived. */
  close(): void {
    this.stopSync();
    this.#keeper.flush();
  }
}
