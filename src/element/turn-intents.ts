/**
 * What a person does with a turn that is over: sends its message anew in its place, or begins another chat from it. Both may
 * have to ask the host first. Source: AHP, `chat/truncated`, `createChat`.
 */

import { editAndResend, turnStarted } from '../chat/actions.js';
import { canWrite, hasOlderTurns } from '../chat/selectors.js';
import type { ChatStore } from '../chat/store.js';
import type { Environment } from '../client/environment.js';
import { AhpError } from '../protocol/errors.js';
import type { ChatState, URI } from '../protocol/state.js';
import type { AhpForkEvent, AhpSendEvent } from '../views/events.js';
import type { Draft } from './memory-draft.js';
import type { Outcomes } from './outcomes.js';

interface ResendTarget {
  readonly store: ChatStore;
  readonly environment: Environment;
  readonly draft: Draft;
  readonly outcomes: Outcomes;
  onSent(fact: 'sent'): void;
}

/**
 * Cuts a turn off, with all that follows, and starts `message` in its place: one group, so that the host never has the one
 * without the other. Where the turn before it is not loaded, that is loaded first: without its id everything would go.
 */
export function resend(event: AhpSendEvent, target: ResendTarget): void {
  const kept = findKept(target.store.state, event.replaces);
  if (kept === 'unknown') void resendLater(event, target);
  else replace(event, target, kept);
}

async function resendLater(event: AhpSendEvent, target: ResendTarget): Promise<void> {
  try {
    await target.store.loadOlderTurns();
  } catch (error) {
    if (!(error instanceof AhpError)) throw error;
    return giveUp(event, target, error);
  }
  const kept = findKept(target.store.state, event.replaces);
  if (kept !== 'unknown') return replace(event, target, kept);
  giveUp(event, target, new AhpError('timeout', 'The turn before this message could not be loaded. Nothing was sent.'));
}

/** The editor is gone; what was written in it goes where text is never lost. */
function giveUp({ message }: AhpSendEvent, { draft, outcomes }: ResendTarget, error: AhpError): void {
  draft.giveBack(message);
  outcomes.showFailure(error);
}

/** The place of a turn, by the turn before it; `undefined` when the turn, or the right to write, is gone. */
type Kept = { readonly turnId: string | undefined } | 'unknown' | undefined;

function findKept(state: ChatState | undefined, turnId: string | undefined): Kept {
  if (!state || !canWrite(state)) return undefined;
  const isActive = state.activeTurn !== undefined && state.activeTurn.id === turnId;
  const place = isActive ? state.turns.length : state.turns.findIndex(({ id }) => id === turnId);
  if (place < 0) return undefined;
  return place === 0 && hasOlderTurns(state) ? 'unknown' : { turnId: state.turns[place - 1]?.id };
}

function replace(event: AhpSendEvent, target: ResendTarget, kept: Kept): void {
  if (kept === undefined || kept === 'unknown') return;
  const { store, environment, onSent } = target;
  const startedAt = new Date(environment.now()).toISOString();
  store.dispatch(...editAndResend(kept.turnId, turnStarted(environment.createId(), event.message, startedAt)));
  onSent('sent');
}

interface ForkTarget {
  readonly store: ChatStore;
  readonly outcomes: Outcomes;
  openChat(chat: URI, session: URI | undefined): void;
}

/** Stores for which a chat is being made: a second press is no second chat. */
const making = new WeakSet<ChatStore>();

/** Makes a chat from a turn and opens it. */
export async function fork({ turnId, kind, selection }: AhpForkEvent, target: ForkTarget): Promise<void> {
  const { store } = target;
  if (!store.services?.createChat || making.has(store)) return;
  making.add(store);
  try {
    const from = { kind, turnId, ...(selection ? { selection } : {}) };
    const chat = await store.services.createChat({ from });
    target.openChat(chat, store.session?.resource);
  } catch (error) {
    if (!(error instanceof AhpError)) throw error;
    target.outcomes.showFailure(error);
  } finally {
    making.delete(store);
  }
}
