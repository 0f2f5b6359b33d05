/** What a chat store says about itself. Pure; the same object comes back while nothing changed. */

import { pendingIds, unconfirmedIntents, type PendingAction } from '../chat/pending-action.js';
import type { ChatStoreStatus } from '../chat/store.js';
import type { AhpError } from '../protocol/errors.js';
import { compose } from '../protocol/record.js';
import type { McpAuthRequirement } from '../protocol/state.js';
import type { ConnectionState } from './ahp-client.js';

export interface StatusFacts {
  readonly connection: ConnectionState;
  /** Why the host does not give the channel. */
  readonly failure: AhpError | undefined;
  readonly isLive: boolean;
  readonly hasState: boolean;
  readonly pending: readonly PendingAction[];
  readonly unconfirmed: readonly PendingAction[];
  /** Intents that are not among `pending` yet. */
  readonly waiting: number;
  readonly notKept: ChatStoreStatus['notKept'];
  readonly stoppingTurnId: string | undefined;
  readonly isStalled: boolean;
  readonly signIns: readonly McpAuthRequirement[];
}

/** `before` are the facts that `status` was made of. */
export function toStatus(facts: StatusFacts, before?: StatusFacts, status?: ChatStoreStatus): ChatStoreStatus {
  if (status && before && isSame(facts, before)) return status;
  const { connection, failure, isLive, pending, unconfirmed, waiting, isStalled, signIns } = facts;
  const groups = new Set(pending.map(({ group }) => group));
  return compose(
    {
      phase: toPhase(facts),
      pending: groups.size + waiting,
      pendingIds: pendingIds(pending),
      unconfirmed: unconfirmedIntents(unconfirmed),
    },
    {
      error: failure ?? (isLive ? undefined : connection.error),
      retryAt: connection.retryAt,
      notKept: facts.notKept,
      stoppingTurnId: facts.stoppingTurnId,
      stalled: isStalled || undefined,
      signIns: signIns.length > 0 ? signIns : undefined,
    },
  );
}

function isSame(a: StatusFacts, b: StatusFacts): boolean {
  const keys = Object.keys(a) as (keyof StatusFacts)[];
  return keys.every((key) => a[key] === b[key]);
}

function toPhase({ connection, failure, isLive, hasState }: StatusFacts): ChatStoreStatus['phase'] {
  if (failure || connection.phase === 'failed') return 'failed';
  if (isLive) return 'live';
  // The first attempt is still under way, and there is nothing to show until it ends.
  const isFirst = connection.attempt === 0 && connection.phase !== 'offline' && connection.phase !== 'waiting';
  return hasState || !isFirst ? 'offline' : 'loading';
}
