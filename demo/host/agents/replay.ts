/**
 * How a turn goes on after it broke off: the agent takes its steps again from the beginning, and what the turn holds
 * already is taken from there instead of being said or done a second time. Where the two part ways, the rest is new.
 */

import type { TurnHandle } from '../../../src/host/turn-handle.js';
import type { ResponsePart } from '../../../src/protocol/state.js';

export class Replay {
  #parts: readonly ResponsePart[];
  #next = 0;

  constructor(turn: TurnHandle) {
    this.#parts = turn.isResumed ? [...(turn.turn?.responseParts ?? [])] : [];
  }

  /** The next part of what happened before, if it is the one that would come now. */
  take<Part extends ResponsePart>(isWanted: (part: ResponsePart) => part is Part): Part | undefined {
    for (let index = this.#next; index < this.#parts.length; index++) {
      const part = this.#parts[index];
      if (!part) break;
      if (isWanted(part)) {
        this.#next = index + 1;
        return part;
      }
      if (!isAside(part)) break;
    }
    this.#parts = [];
    return undefined;
  }
}

/** What comes between an agent's own steps: failures, news, and questions that a tool asked. */
function isAside(part: ResponsePart): boolean {
  if (part.kind === 'inputRequest') return part.response !== undefined;
  return part.kind === 'error' || part.kind === 'systemNotification';
}
