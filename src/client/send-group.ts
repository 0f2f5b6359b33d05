/** The actions that sending a message takes: one intent, which stands or falls together. Pure but for ids and time. */

import { draftChanged, pendingMessageSet, steeringMessageSet, turnStarted } from '../chat/actions.js';
import { joinMessages } from '../chat/joined-message.js';
import { isBusy, isTaken, pendingIdsOf } from '../chat/selectors.js';
import type { ClientChatAction } from '../protocol/actions.js';
import type { ChatState, Message } from '../protocol/state.js';
import type { Environment } from './environment.js';

export interface SendOptions {
  readonly environment: Pick<Environment, 'createId' | 'now'>;
  /** The chat as it is shown; without one, nothing runs. */
  readonly state: ChatState | undefined;
  /** A message for a running turn joins it instead of waiting behind it. */
  readonly steers?: boolean;
  /** The host has a list for steering messages, not one slot. */
  readonly takesSteeringList?: boolean;
  /** The message was the draft, which ends at the host together with it. */
  readonly isDraft?: boolean;
}

/** Which way a message goes that meets a running turn. */
export type Steering = Pick<SendOptions, 'steers' | 'takesSteeringList'>;

/** Starts a turn; while one runs, the message is queued or steers it. */
export function toSendGroup(message: Message, options: SendOptions): readonly ClientChatAction[] {
  const { environment, state, steers, takesSteeringList, isDraft } = options;
  const id = environment.createId();
  const action = toAction();
  return isDraft ? [action, draftChanged()] : [action];

  function toAction(): ClientChatAction {
    if (!state || !isBusy(state)) return turnStarted(id, message, new Date(environment.now()).toISOString());
    if (!steers) return pendingMessageSet('queued', id, message);
    return takesSteeringList ? steeringMessageSet(id, message) : steer(message, id, state);
  }
}

/**
 * Without a list a host holds one steering message, and another one would take its place without a word. So the second goes out
 * behind the first, as one message under an id of its own: whoever has taken the first one meanwhile reads it twice, but nobody
 * misses it.
 */
function steer(message: Message, id: string, state: ChatState): ClientChatAction {
  const first = state.steeringMessage;
  if (!first || isTaken(state, first.id)) return pendingMessageSet('steering', id, message);
  const joined = { ...joinMessages(first.message, message), origin: message.origin };
  const [, ...earlier] = pendingIdsOf(first.message);
  return pendingMessageSet('steering', id, joined, [first.id, ...earlier]);
}
