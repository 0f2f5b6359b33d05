/**
 * What is written while nobody knows yet which chat it is for: kept like any other draft, under the name of the session
 * that is looked in, until it is handed over to the chat that was found. It goes to no host.
 */

import type { URI } from '../protocol/state.js';
import type { DraftKeeperOptions } from './draft-keeper.js';
import { DraftSession, type DraftWire } from './draft-session.js';

/** The name under which the mirror keeps it. */
export const toEarlyChannel = (session: URI | undefined): URI => `${session ?? ''}#early`;

const nowhere: DraftWire = {
  isLive: false,
  sendDraft: () => undefined,
  holds: () => false,
  isSending: () => false,
};

export class EarlyDraft extends DraftSession {
  readonly channel: URI;
  /** What earlier documents have left is in it, or the disk does not answer. */
  readonly loaded: Promise<void>;

  /** `load` reads what is kept and calls `draft.load`. */
  constructor(kept: DraftKeeperOptions, load: (draft: EarlyDraft) => Promise<void>) {
    super({ ...kept, wire: nowhere });
    this.channel = kept.channel;
    this.loaded = load(this);
  }

  /** All that stands here goes to the draft of the chat that was found, and nothing of it stays. */
  handOver(to: DraftSession): void {
    const [first, ...more] = this.empty();
    if (first && to.revision === 0) to.change(first);
    else if (first) to.giveBack(first);
    for (const message of more) to.adopt({ message, revision: 0, updatedAt: 0 });
  }
}
