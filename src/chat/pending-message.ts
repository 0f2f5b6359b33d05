/**
 * Messages that wait for their turn: one steering slot, the list that joins it after 1.0, and the queue. No action loses
 * a message it does not name. Source: AHP, chat reducer, pending messages.
 */

import type {
  ChatPendingMessageRemovedAction,
  ChatPendingMessageSetAction,
  ChatQueuedMessagesReorderedAction,
} from '../protocol/actions.js';
import { isRecord, upsert, withField, withList, without, withoutItems } from '../protocol/record.js';
import type { ChatState, PendingMessage } from '../protocol/state.js';

type ListName = 'queuedMessages' | 'steeringMessages';

export function setPending(state: ChatState, action: ChatPendingMessageSetAction): ChatState {
  const { id, message } = action;
  if (!isPending({ id, message })) return state;
  if (action.kind === 'steering') return withField(state, 'steeringMessage', { id, message });
  return action.kind === 'queued' ? put(state, 'queuedMessages', { id, message }) : state;
}

export function removePending(state: ChatState, action: ChatPendingMessageRemovedAction): ChatState {
  if (action.kind === 'steering') return clearSlot(state, action.id);
  return action.kind === 'queued' ? removeFrom(state, 'queuedMessages', action.id) : state;
}

export const setSteering = (state: ChatState, entry: PendingMessage): ChatState =>
  isPending(entry) ? put(state, 'steeringMessages', entry) : state;

export const removeSteering = (state: ChatState, id: string): ChatState => removeFrom(state, 'steeringMessages', id);

/** Removes the message a turn was started with, wherever it waited. */
export function consumePending(state: ChatState, id: string): ChatState {
  return removeFrom(removeFrom(clearSlot(state, id), 'queuedMessages', id), 'steeringMessages', id);
}

/** The named messages first, in the order given; then all others in their old order. */
export function reorderQueue(state: ChatState, action: ChatQueuedMessagesReorderedAction): ChatState {
  const queue = state.queuedMessages;
  if (!queue || !Array.isArray(action.order)) return state;
  const named = new Set<unknown>(action.order);
  const first = [...named].flatMap((id) => queue.filter((entry) => entry.id === id));
  const next = [...first, ...queue.filter((entry) => !named.has(entry.id))];
  return next.every((entry, index) => entry === queue[index]) ? state : { ...state, queuedMessages: next };
}

const isPending = (entry: PendingMessage): boolean =>
  isRecord(entry) && typeof entry.id === 'string' && isRecord(entry.message);

const clearSlot = (state: ChatState, id: string): ChatState =>
  state.steeringMessage && state.steeringMessage.id === id ? without(state, 'steeringMessage') : state;

const put = (state: ChatState, name: ListName, entry: PendingMessage): ChatState =>
  withList(
    state,
    name,
    upsert(state[name] ?? [], entry, (other) => other.id === entry.id),
  );

const removeFrom = (state: ChatState, name: ListName, id: string): ChatState =>
  withList(
    state,
    name,
    withoutItems(state[name] ?? [], (entry) => entry.id === id),
  );
