/**
 * What was put behind a steering message by a client that had not heard that the message was read: it is cut down to what is
 * new, so that no agent reads the same words twice. Source: `steer` in `client/send-group.ts`, which puts them together.
 */

import { splitMessage } from '../chat/joined-message.js';
import { pendingIdsOf } from '../chat/selectors.js';
import type { Message, PendingMessage } from '../protocol/state.js';
import type { ChatChannel } from './channels.js';

/** More than a client puts together before it hears of the first. */
const memory = 8;

export function noteRead(channel: ChatChannel, message: PendingMessage): void {
  channel.read = [...(channel.read ?? []), message].slice(-memory);
}

/** `message` without what stands in it and has been read already; the same object where that is nothing. */
export function withoutRead(message: Message, channel: ChatChannel): Message {
  const [, ...joins] = pendingIdsOf(message);
  if (joins.length === 0) return message;
  let rest = message;
  for (const read of listRead(channel)) {
    if (joins.includes(read.id)) rest = splitMessage(rest, read.message);
  }
  // The marks say which messages it takes the place of.
  return rest === message ? message : { ...rest, _meta: message._meta! };
}

/** As messages of a turn's beginning or out of the slot, in the order in which they were read. */
function listRead({ state, read = [] }: ChatChannel): readonly PendingMessage[] {
  const turns = state.activeTurn ? [...state.turns, state.activeTurn] : state.turns;
  const started = turns.flatMap(({ message }) => {
    const [id] = pendingIdsOf(message);
    return id === undefined ? [] : [{ id, message }];
  });
  return [...started, ...read];
}
