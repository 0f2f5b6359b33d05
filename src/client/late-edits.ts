/**
 * Changes of waiting messages that reached the host after it had taken the message. To the host such a change is a new
 * message, and it would run as well; so it is removed again and its text goes back to the person. Pure. Source: AHP,
 * pending messages.
 */

import type { PendingAction } from '../chat/pending-action.js';
import { isLateEdit } from '../chat/proof.js';
import { chatReducer } from '../chat/reducer.js';
import { isAnsweredBy, type Reconciled } from '../chat/reconcile.js';
import type { ActionEnvelope, ClientChatAction } from '../protocol/actions.js';
import type { ChatState } from '../protocol/state.js';

export type PendingMessageSet = Extract<ClientChatAction, { readonly type: 'chat/pendingMessageSet' }>;

/** Those among `envelopes`, which are about to be applied to `state`. The host's copy does not say what was an edit. */
export function findLateEdits(
  envelopes: readonly ActionEnvelope[],
  state: Reconciled,
  clientId: string,
): readonly PendingMessageSet[] {
  const edits = [...state.pending, ...state.unconfirmed].filter(isEdit);
  let { confirmed } = state;
  if (!confirmed || edits.length === 0) return [];
  const late: PendingMessageSet[] = [];
  for (const envelope of envelopes) {
    const { action, origin, rejectionReason, serverSeq } = envelope;
    if (rejectionReason !== undefined || serverSeq <= state.appliedSeq) continue;
    const isOwn = origin?.clientId === clientId;
    const own = isOwn ? edits.find((entry) => isAnsweredBy(entry, envelope)) : undefined;
    if (own && isLateEdit(own.action, confirmed)) late.push(own.action);
    confirmed = chatReducer(confirmed, action);
  }
  return late;
}

/** Whether an entry changes a message that waits: judged by a chat in which nothing does. */
const isEdit = (entry: PendingAction): entry is PendingAction & { readonly action: PendingMessageSet } =>
  isLateEdit(entry.action, nothingWaits);

const nothingWaits: ChatState = { resource: '', title: '', status: 0, modifiedAt: '', turns: [] };
