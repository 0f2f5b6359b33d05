/**
 * What went out and took effect though no echo of it was heard. The state shows that it arrived, and may lack what else it
 * has changed; so it is forgotten, on disk too, only with the next snapshot. Source: AHP, exactly-once outbox.
 */

import { wasSent, type PendingAction } from '../chat/pending-action.js';
import { isAnsweredBy, type Reconciled, type Reconciliation } from '../chat/reconcile.js';
import type { ActionEnvelope } from '../protocol/actions.js';

const nothing: ReadonlySet<number> = new Set();

export class Unheard {
  entries: readonly PendingAction[] = [];

  /**
   * The numbers of our own actions that `envelopes`, which are about to be taken into `state`, answer. One that comes with
   * an old number settles its entry and changes nothing here, so it does not count.
   */
  listHeard(state: Reconciled, envelopes: readonly ActionEnvelope[], clientId: string): ReadonlySet<number> {
    const { appliedSeq, pending, unconfirmed } = state;
    const own = envelopes.filter(
      ({ origin, serverSeq, rejectionReason }) =>
        origin?.clientId === clientId && (serverSeq > appliedSeq || rejectionReason !== undefined),
    );
    if (own.length === 0) return nothing;
    const entries = [...pending, ...unconfirmed, ...this.entries];
    const heard = entries.filter((entry) => own.some((envelope) => isAnsweredBy(entry, envelope)));
    return new Set(heard.map(({ clientSeq }) => clientSeq));
  }

  /** Keeps what the step settles and nobody has heard of, and lets go what is heard late: gives the step that is left. */
  hold(step: Reconciliation, heard: ReadonlySet<number> = nothing): Reconciliation {
    if (step.settled.length + this.entries.length === 0) return step;
    const isUnheard = (entry: PendingAction) => wasSent(entry) && !heard.has(entry.clientSeq);
    const late = this.entries.filter((entry) => !isUnheard(entry));
    this.entries = [...this.entries, ...step.settled].filter(isUnheard);
    return { ...step, settled: [...late, ...step.settled.filter((entry) => !isUnheard(entry))] };
  }

  /** A snapshot has come. */
  release(): readonly PendingAction[] {
    const { entries } = this;
    this.entries = [];
    return entries;
  }
}
