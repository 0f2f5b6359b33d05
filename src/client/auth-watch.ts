/**
 * Asks for the tokens a chat waits for: those the host demands of the client, and those of tool calls that stand still
 * until there is one. A token that is known goes out by itself. Source: AHP, authentication.
 */

import { blockedCalls } from '../chat/selectors.js';
import { isEqual } from '../protocol/record.js';
import { Status, type ChatState, type McpAuthRequirement } from '../protocol/state.js';
import { hasStatus } from '../protocol/status.js';
import type { AhpClient } from './ahp-client.js';
import type { Cancel } from './environment.js';
import { Listeners } from './listeners.js';

export class AuthWatch {
  readonly #client: AhpClient;
  readonly #listeners = new Listeners<[McpAuthRequirement, toolCallId?: string]>();
  /** Demands that were told of, by turn and call. */
  #told = new Map<string, McpAuthRequirement>();
  #wasAway = false;
  readonly #stop: Cancel;

  constructor(client: AhpClient) {
    this.#client = client;
    this.#stop = client.onAuthRequired((requirement) => this.#listeners.call(requirement));
  }

  /** `toolCallId` names the call that waits, if one does. */
  onRequired(listener: (requirement: McpAuthRequirement, toolCallId?: string) => void): Cancel {
    return this.#listeners.add(listener);
  }

  /** Looks for calls that wait for a token in a state of the host; without one there is no connection now. */
  look(state: ChatState | undefined): void {
    if (!state) {
      this.#wasAway = true;
      return;
    }
    const isBack = this.#wasAway;
    this.#wasAway = false;
    // The status says whether anything waits for a person, so that a stream of text costs nothing here.
    if (!state.activeTurn || !hasStatus(state.status, Status.InputNeeded)) return this.#told.clear();
    const told = new Map<string, McpAuthRequirement>();
    for (const call of blockedCalls(state)) {
      if (call.status !== 'auth-required') continue;
      const key = `${state.activeTurn.id} ${call.toolCallId}`;
      told.set(key, call.auth);
      // A snapshot says the same in another object. The host of a new connection may take the token that is known.
      const isTold = isEqual(this.#told.get(key), call.auth);
      if (!isTold || isBack) void this.#ask(call.auth, call.toolCallId, isTold);
    }
    this.#told = told;
  }

  stop(): void {
    this.#stop();
  }

  async #ask(requirement: McpAuthRequirement, toolCallId: string, isTold: boolean): Promise<void> {
    if (!(await this.#client.satisfy(requirement)) && !isTold) this.#listeners.call(requirement, toolCallId);
  }
}
