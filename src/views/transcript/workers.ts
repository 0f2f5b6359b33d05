/** What the session says about its chats, as far as a card of a worker shows it. Pure. */

import type { ChatSummary } from '../../protocol/state.js';

export type Worker = Pick<ChatSummary, 'resource' | 'status' | 'interactivity'>;

/**
 * The workers among `chats`; `before` where they are the same. A catalogue changes with every step of every chat, and
 * finished turns must not be looked at again for that.
 */
export function toWorkers(chats: readonly (Worker | ChatSummary)[], before: readonly Worker[]): readonly Worker[] {
  const workers = chats.filter((chat) => !('origin' in chat) || !chat.origin || chat.origin.kind === 'tool');
  const isSame =
    workers.length === before.length &&
    workers.every(({ resource, status, interactivity }, index) => {
      const other = before[index]!;
      return resource === other.resource && status === other.status && interactivity === other.interactivity;
    });
  return isSame
    ? before
    : workers.map(({ resource, status, interactivity }) => ({
        resource,
        status,
        ...(interactivity && { interactivity }),
      }));
}
