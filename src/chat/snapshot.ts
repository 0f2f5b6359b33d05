/**
 * What a snapshot changes: how it joins the turns that are here already, and what the host had once and no longer has.
 * Memory and mirror hold one unbroken run of turns; a snapshot holds the newest of the host's. Source: AHP, snapshots.
 */

import { isEqual, without } from '../protocol/record.js';
import type { ChatState, PendingMessage, Turn } from '../protocol/state.js';
import type { PendingAction } from './pending-action.js';
import { hasContent, isKnownTurn, isWaiting, messageOf } from './proof.js';
import { isTaken, pendingIdsOf } from './selectors.js';

/**
 * The host's state with the older turns that are known here. Where the snapshot's first turn stands in `known`, what is
 * older stays and the rest is the host's; otherwise, and when the snapshot has no cursor and so is everything there is, the
 * run is replaced. What is equal keeps its object, so that nothing is drawn or stored again.
 *
 * `isComplete`: `known.turns` begins with the chat's first turn, so that there is nothing left to fetch.
 */
export function spliceTurns(known: ChatState | undefined, snapshot: ChatState, isComplete: boolean): ChatState {
  if (!known) return snapshot;
  const first = snapshot.turns[0];
  const at = first ? known.turns.findIndex((turn) => turn.id === first.id) : -1;
  const isContinued = at >= 0 && snapshot.turnsNextCursor !== undefined;
  const run = [...(isContinued ? known.turns.slice(0, at) : []), ...reuse(known.turns, snapshot.turns)];
  const isSame = run.length === known.turns.length && run.every((turn, index) => turn === known.turns[index]);
  const activeTurn = isEqual(known.activeTurn, snapshot.activeTurn) ? known.activeTurn : snapshot.activeTurn;
  const spliced = { ...snapshot, turns: isSame ? known.turns : run, ...(activeTurn && { activeTurn }) };
  return isContinued && isComplete ? without(spliced, 'turnsNextCursor') : spliced;
}

function reuse(known: readonly Turn[], turns: readonly Turn[]): readonly Turn[] {
  const byId = new Map(known.map((turn) => [turn.id, turn]));
  return turns.map((turn) => {
    const old = byId.get(turn.id);
    return old && isEqual(old, turn) ? old : turn;
  });
}

/**
 * What stood in the host's queue with our mark on it, and is gone without a trace: neither in the queue nor in a turn, and
 * nobody here removed it. `entries` are this client's own unproven actions.
 */
export function findLost(
  before: ChatState,
  now: ChatState,
  entries: readonly PendingAction[],
): readonly PendingMessage[] {
  const slot = before.steeringMessage ? [before.steeringMessage] : [];
  const waited = [...slot, ...(before.steeringMessages ?? []), ...(before.queuedMessages ?? [])];
  const fresh = [...now.turns, ...(now.activeTurn ? [now.activeTurn] : [])].filter(
    ({ id }) => !isKnownTurn(before, id),
  );
  return waited.filter(
    ({ id, message }) =>
      pendingIdsOf(message)[0] === id &&
      !isWaiting(now, id) &&
      !isTaken(now, id) &&
      // A host that leaves our mark out still keeps the words.
      !fresh.some((turn) => hasContent(turn.message, message)) &&
      !entries.some(({ action }) => 'id' in action && action.id === id) &&
      !entries.some(({ action }) => isEqual(messageOf(action), message)),
  );
}
