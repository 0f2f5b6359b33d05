/**
 * How often each hazard of replaying one's own actions over the host's state has come up: the rows of the protocol's table,
 * and what becomes of an action without an echo. One row has no count of its own: `terminal/input` is never optimistic,
 * because this client never sends any, which is counted at the host. Source: AHP, rebase hazards; exactly-once outbox.
 */

import { findCall, findTurn } from '../../src/chat/selectors.js';
import type { Rejection } from '../../src/chat/store.js';
import { isEqual } from '../../src/protocol/record.js';
import type { ChatState, Message, ToolCallState } from '../../src/protocol/state.js';
import type { Tab } from '../helpers/browser.js';

export const hazardNames = [
  // In the order of the table.
  'a start that was never echoed stands behind the turn that runs',
  'a cut and its new start were not proven together',
  'a stop is under way while the turn still runs',
  'the host has another result of a page’s tool than the page',
  'an echo differs from the local copy',
  // Of the outbox.
  'an intent was refused',
  'an intent was not confirmed',
  'an answer was still under way when the call had moved on',
] as const;
export type HazardName = (typeof hazardNames)[number];

export class Hazards {
  readonly counts = new Map<HazardName, number>(hazardNames.map((name) => [name, 0]));
  /** What is on each screen now, so that a state counts once. */
  readonly #seen = new Set<string>();
  /** By tab and id, what stands on the screen before the host has said what became of it. */
  readonly #local = new Map<Tab, Map<string, Copy>>();

  noteRejection({ actions }: Rejection): void {
    this.#count('an intent was refused');
    if (actions.length > 1 && actions.some(({ type }) => type === 'chat/truncated'))
      this.#count('a cut and its new start were not proven together');
  }

  look(tab: Tab, isStart: (id: string) => boolean): void {
    const { state, status, confirmed } = tab.store;
    if (!state || !confirmed) return;
    const { activeTurn } = state;
    for (const id of status.pendingIds ?? []) {
      const isTurn = activeTurn && activeTurn.id !== id && isStart(id);
      if (isTurn) this.#once(tab, id, 'a start that was never echoed stands behind the turn that runs');
      const call = findCall(confirmed.activeTurn, id);
      if (call?.status === 'completed' && !isPageCall(call))
        this.#once(tab, id, 'an answer was still under way when the call had moved on');
    }
    this.#compare(tab, state, confirmed);
    if (status.stoppingTurnId !== undefined && activeTurn)
      this.#once(tab, status.stoppingTurnId, 'a stop is under way while the turn still runs');
    for (const { id, actions } of status.unconfirmed) {
      this.#once(tab, id, 'an intent was not confirmed');
      if (actions.some(({ type }) => type === 'chat/truncated'))
        this.#once(tab, `cut ${id}`, 'a cut and its new start were not proven together');
    }
  }

  /** Keeps what is shown before the host has it, and compares when the host has. */
  #compare(tab: Tab, state: ChatState, confirmed: ChatState): void {
    const pending = tab.store.status.pendingIds ?? new Set<string>();
    const local = this.#local.get(tab) ?? new Map<string, Copy>();
    this.#local.set(tab, local);
    for (const id of pending) {
      const shown = findCopy(state, id);
      if (shown && !findCopy(confirmed, id)) local.set(id, shown);
    }
    for (const [id, shown] of local) {
      const theirs = findCopy(confirmed, id);
      if (theirs || !pending.has(id)) local.delete(id);
      if (theirs && !isEqual(theirs.content, shown.content)) this.#once(tab, id, shown.hazard);
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

/** What an id stands for in a state, and which hazard it is when the host has something else under it. */
interface Copy {
  readonly hazard: HazardName;
  readonly content: unknown;
}

function findCopy(state: ChatState, id: string): Copy | undefined {
  const { queuedMessages = [], steeringMessage, activeTurn } = state;
  const waiting = [...queuedMessages, ...(steeringMessage ? [steeringMessage] : [])].find((each) => each.id === id);
  const message = findTurn(state, id)?.message ?? waiting?.message;
  if (message) return { hazard: 'an echo differs from the local copy', content: toContent(message) };
  const call = findCall(activeTurn, id) ?? findCall(state.turns.at(-1), id);
  if (call?.status !== 'completed' || !isPageCall(call)) return undefined;
  const { success, pastTenseMessage } = call;
  return {
    hazard: 'the host has another result of a page’s tool than the page',
    content: { success, pastTenseMessage },
  };
}

const toContent = ({ text, attachments = [] }: Message): unknown => ({ text, attachments });

const isPageCall = ({ contributor }: ToolCallState): boolean => contributor?.kind === 'client';
