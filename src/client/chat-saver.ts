/**
 * Copies the confirmed state of one chat to the mirror: a finished turn at once, the running one now and then. Of all tabs
 * only the one with the chat's lock writes. Source: architecture, IndexedDB mirror.
 */

import type { ChatRecord, Mirror } from '../mirror/mirror.js';
import { AhpError } from '../protocol/errors.js';
import type { URI } from '../protocol/state.js';
import type { Cancel, Environment } from './environment.js';

const intervalMs = 500;
/** Writing takes at most one part in so many of the time. */
const costFactor = 50;

export interface ChatSaverOptions {
  readonly environment: Environment;
  readonly mirror: Mirror;
  /** Host and account. */
  readonly key: string;
  readonly channel: URI;
  /** The state to write, or `undefined` if there is none. */
  find(): ChatRecord | undefined;
}

export class ChatSaver {
  readonly #options: ChatSaverOptions;
  #saved: ChatRecord | undefined;
  #wait: AbortController | undefined;
  #unlock: Cancel | undefined;
  #cancelSave: Cancel | undefined;
  #costMs = 0;

  constructor(options: ChatSaverOptions) {
    this.#options = options;
  }

  /** Asks for the lock and waits as long as another tab has it. */
  async start(): Promise<void> {
    const { environment, mirror, key, channel } = this.#options;
    // Without locks two tabs would overwrite each other: then only drafts and outbox are kept.
    if (!environment.locks || this.#wait) return;
    const wait = new AbortController();
    this.#wait = wait;
    try {
      const unlock = await environment.locks.acquire(`ahp-chat:mirror:${key}:${channel}`, wait.signal);
      if (wait.signal.aborted) return unlock();
      this.#unlock = unlock;
    } catch {
      // Stopped, or a document that may not have locks: it goes on without a copy of the transcript.
      return;
    }
    mirror.claimChat(channel);
    this.#saved = undefined;
    this.note();
  }

  /** The state changed. */
  note(): void {
    if (!this.#unlock) return;
    const record = this.#options.find();
    if (!record || (record.state === this.#saved?.state && record.session === this.#saved.session)) return;
    if (record.state.turns !== this.#saved?.state.turns || !record.state.activeTurn) return this.#save();
    this.#cancelSave ??= this.#options.environment.schedule(Math.max(intervalMs, costFactor * this.#costMs), () =>
      this.#save(),
    );
  }

  /** All that is kept on this device was deleted: nothing is written again but what comes from now on. */
  onCleared(): void {
    this.#cancelSave?.();
    this.#cancelSave = undefined;
  }

  /** Lets the lock go. Synchronous, and begins nothing: for a page that is left. */
  suspend(): void {
    this.#cancelSave?.();
    this.#cancelSave = undefined;
    this.#wait?.abort();
    this.#wait = undefined;
    this.#unlock?.();
    this.#unlock = undefined;
  }

  /** Writes what is not written and lets the lock go. */
  stop(): void {
    if (this.#cancelSave) this.#save();
    this.suspend();
  }

  #save(): void {
    this.#cancelSave?.();
    this.#cancelSave = undefined;
    const record = this.#options.find();
    if (!record) return;
    const { environment, mirror, channel } = this.#options;
    const start = environment.monotonic();
    // Cloned within the call; the rest is the disk's time and not the page's.
    const write = mirror.saveChat(channel, record);
    this.#costMs = environment.monotonic() - start;
    this.#saved = record;
    void write.catch((error: unknown) => {
      // The mirror tells by `notKept`, and knows what it has to write next time. The host has all of this.
      if (!(error instanceof AhpError)) throw error;
    });
  }
}
