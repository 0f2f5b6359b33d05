/**
 * Finds out whether anybody is at the other end: a socket may say OPEN for minutes after the host has gone. Asks after a
 * silence, and whenever page or network have changed. Source: AHP, ping.
 */

import { AhpError } from '../protocol/errors.js';
import { ROOT } from '../protocol/uri.js';
import type { Connection } from './connection.js';
import type { Cancel, Environment } from './environment.js';

const silenceMs = 25_000;
const timeoutMs = 10_000;

export class KeepAlive {
  readonly #connection: Connection;
  readonly #environment: Pick<Environment, 'monotonic' | 'schedule'>;
  readonly #onDead: (error: AhpError) => void;
  #cancel: Cancel | undefined;
  #isAsking = false;
  #isStopped = false;

  constructor(
    connection: Connection,
    environment: Pick<Environment, 'monotonic' | 'schedule'>,
    onDead: (error: AhpError) => void,
  ) {
    this.#connection = connection;
    this.#environment = environment;
    this.#onDead = onDead;
    this.#wait();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
  }

  /** Asks now. */
  check(): void {
    if (!this.#isAsking && !this.#isStopped) void this.#ask();
  }

  #wait(): void {
    const remainingMs = silenceMs - (this.#environment.monotonic() - this.#connection.lastHeardAt);
    this.#cancel?.();
    if (remainingMs <= 0) return this.check();
    this.#cancel = this.#environment.schedule(remainingMs, () => this.#wait());
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    try {
      await this.#connection.request('ping', { channel: ROOT }, { timeoutMs });
    } catch (cause) {
      // A host that does not know `ping` is there all the same, and a link that ended has told so itself.
      const isSilent = cause instanceof AhpError && cause.code === 'timeout';
      if (isSilent && !this.#isStopped) {
        this.#isStopped = true;
        return this.#onDead(
          new AhpError('disconnected', `The host was silent for ${timeoutMs} ms when asked.`, { cause }),
        );
      }
    }
    this.#isAsking = false;
    if (!this.#isStopped) this.#wait();
  }
}
