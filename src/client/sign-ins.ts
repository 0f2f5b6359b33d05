/**
 * Requests that were refused for want of a token, and wait until somebody has signed in, or has had enough of it. Source:
 * AHP, authentication.
 */

import { AhpError } from '../protocol/errors.js';
import type { McpAuthRequirement } from '../protocol/state.js';
import type { Authenticator } from './authenticator.js';
import type { Cancel, Environment } from './environment.js';
import { Listeners } from './listeners.js';
import { waitFor } from './wait.js';

interface Waiting {
  /** By resource. */
  readonly missing: Map<string, McpAuthRequirement>;
  isGivenUp: boolean;
}

const patienceMs = 120_000;

export class SignIns {
  readonly #authenticator: Authenticator;
  readonly #environment: Environment;
  readonly #waiting = new Set<Waiting>();
  readonly #looks = new Listeners<[]>();
  readonly #changes = new Listeners<[]>();
  #open: readonly McpAuthRequirement[] = [];

  constructor(authenticator: Authenticator, environment: Environment) {
    this.#authenticator = authenticator;
    this.#environment = environment;
    authenticator.onAuthenticated((resource) => {
      for (const { missing } of this.#waiting) missing.delete(resource);
      this.#publish();
      this.#looks.call();
    });
  }

  /** What is waited for, each resource once. The same list while that is so. */
  get open(): readonly McpAuthRequirement[] {
    return this.#open;
  }

  /** Called after every change of `open`. */
  onChange(listener: () => void): Cancel {
    return this.#changes.add(listener);
  }

  /**
   * Asks for the tokens a refusal names. Whether the host has taken one for each of them; `false` where it names none, or
   * where nobody signs in. Rejects with the signal's reason.
   */
  async wait(challenges: readonly McpAuthRequirement[], signal: AbortSignal): Promise<boolean> {
    if (challenges.length === 0) return false;
    const missing = new Map(challenges.map((requirement) => [requirement.resource.resource, requirement]));
    const waiting: Waiting = { missing, isGivenUp: false };
    // Before anything is asked for: a token that is known goes out at once.
    const taken = waitFor(() => missing.size === 0 || (waiting.isGivenUp ? false : undefined), {
      subscribe: (look) => this.#looks.add(look),
      signal,
      environment: this.#environment,
      timeoutMs: patienceMs,
    });
    const asked = [...missing.values()].filter(({ resource }) => !this.#isWaitedFor(resource.resource));
    this.#waiting.add(waiting);
    void this.#ask(asked);
    try {
      return await taken;
    } catch (error) {
      if (error instanceof AhpError && error.code === 'timeout') return false;
      throw error;
    } finally {
      this.#waiting.delete(waiting);
      this.#publish();
    }
  }

  /** Nobody will sign in there: what waits for it is refused. */
  giveUp(resource: string): void {
    for (const waiting of this.#waiting) if (waiting.missing.has(resource)) waiting.isGivenUp = true;
    this.#looks.call();
  }

  #isWaitedFor(resource: string): boolean {
    return [...this.#waiting].some(({ missing }) => missing.has(resource));
  }

  /** Nothing is shown as waiting that a known token is just about to get. */
  async #ask(requirements: readonly McpAuthRequirement[]): Promise<void> {
    await Promise.all(requirements.map((requirement) => this.#authenticator.require(requirement)));
    this.#publish();
  }

  #publish(): void {
    const open = new Map<string, McpAuthRequirement>();
    for (const { missing } of this.#waiting) {
      for (const [resource, requirement] of missing) if (!open.has(resource)) open.set(resource, requirement);
    }
    if (open.size === this.#open.length && this.#open.every((one) => open.get(one.resource.resource) === one)) return;
    this.#open = [...open.values()];
    this.#changes.call();
  }
}
