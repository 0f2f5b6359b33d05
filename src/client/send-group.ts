/** The actions that sending a message takes: one intent, which stands or falls together. Pure but for ids and time. */

import { draftChanged, pendingMessageSet, turnStarted } from '../chat/actions.js';
import { isBusy } from '../chat/selectors.js';
import type { ClientChatAction } from '../protocol/actions.js';
import type { ChatState, Message } from '../protocol/state.js';
import type { Environment } from './environment.js';

export interface SendOptions {
  readonly environment: Pick<Environment, 'createId' | 'now'>;
  /** The chat as it is shown; without one, nothing runs. */
  readonly state: ChatState | undefined;
  /** A message for a running turn joins it instead of waiting behind it. */
  readonly steers?: boolean;
  /** The message was the draft, which ends at the host together with it. */
  readonly isDraft?: boolean;
}

/** Starts a turn; while one runs, the message is queued or steers it. */
export function toSendGroup(message: Message, options: SendOptions): readonly ClientChatAction[] {
  const { environment, state, steers, isDraft } = options;
  const id = environment.createId();
  const action =
    state && isBusy(state)
      ? pendingMessageSet(steers ? 'steering' : 'queued', id, message)
      : turnStarted(id, message, new Date(environment.now()).toISOString());
  return isDraft ? [action, draftChanged()] : [action];
}
