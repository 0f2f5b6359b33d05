/** How often each hazard of replaying one's own actions over the host's state has come up. Source: AHP, rebase hazards. */

import type { Tab } from '../helpers/browser.js';

export const hazardNames = [
  'a start that was never echoed stands behind the turn that runs',
  'a cut and its new start were not proven together',
  'a stop is under way while the turn still runs',
  'an intent was refused',
  'an intent was not confirmed',
  'an answer was still under way when the call had moved on',
] as const;
export type HazardName = (typeof hazardNames)[number];

export class Hazards {
  readonly counts = new Map<HazardName, number>(hazardNames.map((name) => [name, 0]));
  /** What is on each screen now, so that a state counts once. */
  readonly #seen = new Set<string>();

  noteRejection(): void {
    this.#count('an intent was refused');
  }

  look(tab: Tab, isStart: (id: string) => boolean): void {
    const { state, status } = tab.store;
    if (!state) return;
    const { activeTurn } = state;
    for (const id of status.pendingIds ?? []) {
      const isTurn = activeTurn && activeTurn.id !== id && isStart(id);
      if (isTurn) this.#once(tab, id, 'a start that was never echoed stands behind the turn that runs');
      const call = activeTurn?.responseParts.find(
        (part) => part.kind === 'toolCall' && part.toolCall.toolCallId === id,
      );
      if (call?.kind === 'toolCall' && call.toolCall.status === 'completed')
        this.#once(tab, id, 'an answer was still under way when the call had moved on');
    }
    if (status.stoppingTurnId !== undefined && activeTurn)
      this.#once(tab, status.stoppingTurnId, 'a stop is under way while the turn still runs');
    for (const { id, actions } of status.unconfirmed) {
      this.#once(tab, id, 'an intent was not confirmed');
      if (actions.some(({ type }) => type === 'chat/truncated'))
        this.#once(tab, `cut ${id}`, 'a cut and its new start were not proven together');
    }
  }

  #once(tab: Tab, id: string, name: HazardName): void {
    const key = `${tab.clientId} ${id} ${name}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#count(name);
  }

  #count(name: HazardName): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }
}
