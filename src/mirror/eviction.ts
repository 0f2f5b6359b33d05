/**
 * Makes room on a full disk: half of the chats go, the ones used longest ago first. Only what the host can give again is
 * touched; outbox, drafts and what is attached never are.
 */

import type { URI } from '../protocol/state.js';
import { toTurnRange } from './schema.js';
import type { DiskJob } from './write.js';

/** `last` is the chat that goes only when it is the only one. Gives the number of chats that went. */
export function evictOldChats(last: URI | undefined): DiskJob<number> {
  return {
    stores: ['channels', 'turns'],
    mode: 'readwrite',
    run: async (transaction) => {
      const byAge = await transaction.read.objectStore('channels').index('accessedAt').getAllKeys();
      const others = byAge.filter((chat) => chat !== last);
      const victims = others.length > 0 ? others.slice(0, Math.ceil(others.length / 2)) : byAge;
      for (const chat of victims) {
        transaction.delete('channels', chat);
        transaction.delete('turns', toTurnRange(chat));
      }
      return victims.length;
    },
  };
}
