/** Words for tests of reconciliation: what the host says, what this client asked for. */

import type { ActionEnvelope, ClientChatAction } from '../../src/protocol/actions.js';
import type { ChatState } from '../../src/protocol/state.js';
import type { PendingAction } from '../../src/chat/pending-action.js';
import {
  adoptSnapshot,
  createReconciled,
  enqueue,
  markSent,
  type Reconciled,
  type Reconciliation,
} from '../../src/chat/reconcile.js';
import { freeze } from './chat-states.js';

export const ME = 'me';
export const NOW = 1_000_000;

/** An action of the host's own, or of another client. */
export const foreign = (serverSeq: number, action: object, clientSeq?: number): ActionEnvelope =>
  freeze({
    channel: 'ahp-chat:/one',
    serverSeq,
    action,
    ...(clientSeq !== undefined && { origin: { clientId: 'you', clientSeq } }),
  }) as ActionEnvelope;

/** Our own action, as the host gives it back. */
export const echo = (serverSeq: number, action: object, clientSeq: number): ActionEnvelope =>
  freeze({ channel: 'ahp-chat:/one', serverSeq, action, origin: { clientId: ME, clientSeq } }) as ActionEnvelope;

export const rejection = (
  serverSeq: number,
  action: object,
  clientSeq: number,
  rejectionReason = 'no',
): ActionEnvelope => freeze({ ...echo(serverSeq, action, clientSeq), rejectionReason });

export const entry = (
  clientSeq: number,
  action: ClientChatAction,
  members: Partial<PendingAction> = {},
): PendingAction => freeze({ clientSeq, group: `g${clientSeq}`, action, sends: 0, ...members });

/** A chat that is in step with its host at `serverSeq` 10. */
export const live = (state: ChatState): Reconciled =>
  adoptSnapshot(createReconciled(), { state, fromSeq: 10 }, [], ME).next;

/** The same with entries that went out at {@link NOW}. */
export function sent(state: ChatState, ...entries: readonly PendingAction[]): Reconciled {
  const queued = enqueue(live(state), entries);
  return markSent(
    queued,
    entries.map((item) => item.clientSeq),
    NOW,
  );
}

export const seqs = (entries: readonly PendingAction[]): readonly number[] => entries.map((item) => item.clientSeq);

/** What happened to every entry, for one comparison. */
export const fate = ({ next, settled }: Reconciliation) => ({
  settled: seqs(settled),
  pending: seqs(next.pending),
  unconfirmed: seqs(next.unconfirmed),
});
