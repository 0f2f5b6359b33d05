/** What a running turn is doing, in words: the line below what it has said so far. Pure. */

import { isBlocking } from '../../chat/parts.js';
import type { ChatStoreStatus } from '../../chat/store.js';
import type { Strings } from '../../i18n/strings.js';
import type { ActiveTurn } from '../../protocol/state.js';
import { toLabel } from '../label.js';

export interface Progress {
  readonly text: string;
  /** Whether something moves: otherwise it waits. */
  readonly isBusy: boolean;
}

/** The same object as `before` as long as it says the same, so that the turn need not be looked at again. */
export function toProgress(
  turn: ActiveTurn | undefined,
  status: ChatStoreStatus | undefined,
  activity: string | undefined,
  strings: Strings,
  before: Progress | undefined,
): Progress | undefined {
  if (!turn) return undefined;
  const next = describe(turn, status, activity, strings);
  return before?.text === next.text && before.isBusy === next.isBusy ? before : next;
}

function describe(
  turn: ActiveTurn,
  status: ChatStoreStatus | undefined,
  activity: string | undefined,
  strings: Strings,
): Progress {
  if (status?.stoppingTurnId === turn.id) return { text: strings.stopping, isBusy: true };
  if (status?.stalled) return { text: strings.stalled, isBusy: false };
  if (turn.responseParts?.some(isBlocking)) return { text: strings.waitingForYou, isBusy: false };
  if (status?.pendingIds?.has(turn.id)) return { text: strings.sending, isBusy: true };
  return { text: toLabel(activity ?? '') || strings.working, isBusy: true };
}
