/**
 * How what a client left behind becomes another client's: its entries behind the adopter's own, under new numbers, its
 * drafts unless the adopter's are newer. Pure; both mirrors carry the result out in one step.
 */

import type { ClientRecord, OutboxEntry } from './mirror.js';
import type { StoredDraftRow } from './schema.js';

export interface Estate {
  readonly from: string;
  readonly to: string;
  /** Of `from`, in `clientSeq` order. */
  readonly entries: readonly OutboxEntry[];
  /** Of both clients. */
  readonly drafts: readonly StoredDraftRow[];
  /** The adopter's record, if it has one. */
  readonly adopter: ClientRecord | undefined;
  readonly firstClientSeq: number;
}

export interface Adoption {
  /** The entries of `from` as they are now called. */
  readonly entries: readonly OutboxEntry[];
  readonly drafts: readonly StoredDraftRow[];
  readonly adopter: ClientRecord;
}

export function adoptEstate({ from, to, entries, drafts, adopter, firstClientSeq }: Estate): Adoption {
  const first = Math.max(firstClientSeq, adopter?.nextClientSeq ?? 1);
  return {
    entries: entries.map((entry, index) => ({ ...entry, clientId: to, clientSeq: first + index })),
    drafts: drafts.filter(isDraft).flatMap((draft) => {
      const { message, answers } = draft;
      // An empty one says what was sent, and is no text to put in the place of another.
      const isEmpty = message.text === '' && !message.attachments?.length && !answers?.length;
      if (draft.clientId !== from || isEmpty) return [];
      const own = drafts.filter(isDraft).find(({ clientId, channel }) => clientId === to && channel === draft.channel);
      if (own && own.updatedAt >= draft.updatedAt) return [];
      const revision = own ? Math.max(draft.revision, own.revision + 1) : draft.revision;
      return [{ ...draft, clientId: to, revision }];
    }),
    adopter: { clientId: to, seenAt: adopter?.seenAt ?? 0, nextClientSeq: first + entries.length },
  };
}

const isDraft = (row: StoredDraftRow): row is Exclude<StoredDraftRow, { isOver: true }> => !('isOver' in row);
