/**
 * Notices a turn that runs although nothing is heard of it: a host may have crashed and left it active for ever. A turn
 * that waits for the person is not stalled. Source: AHP, reconnect procedure.
 */

import { Status, type ChatState } from '../protocol/state.js';
import { hasStatus } from '../protocol/status.js';
import type { Cancel, Environment } from './environment.js';

const silenceMs = 60_000;

export class StallWatch {
  readonly #environment: Environment;
  readonly #onStalled: () => void;
  #heardAt = 0;
  #cancel: Cancel | undefined;
  #isStalled = false;

  constructor(environment: Environment, onStalled: () => void) {
    this.#environment = environment;
    this.#onStalled = onStalled;
  }

  get isStalled(): boolean {
    return this.#isStalled;
  }

  /** Something came over the chat's channel, after which its state is `state`. */
  onHeard(state: ChatState | undefined): void {
    this.#heardAt = this.#environment.monotonic();
    this.#isStalled = false;
    if (!state?.activeTurn || hasStatus(state.status, Status.InputNeeded)) return this.stop();
    // One timer for a whole stream: it looks again when it fires.
    this.#cancel ??= this.#environment.schedule(silenceMs, () => this.#look());
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#isStalled = false;
  }

  #look(): void {
    const remainingMs = silenceMs - (this.#environment.monotonic() - this.#heardAt);
    this.#cancel = remainingMs > 0 ? this.#environment.schedule(remainingMs, () => this.#look()) : undefined;
    if (remainingMs > 0) return;
    this.#isStalled = true;
    this.#onStalled();
  }
}
