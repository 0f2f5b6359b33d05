/**
 * How what a client left behind becomes another client's: its entries behind the adopter's own, under new numbers, its
 * drafts unless the adopter's are newer. Pure; both mirrors carry the result out in one step.
 */

import type { ClientRecord, KeptEdit, OutboxEntry } from './mirror.js';
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
      const { message, answers, edits } = draft;
      // An empty one says what was sent, and is no text to put in the place of another.
      const isEmpty = message.text === '' && !message.attachments?.length && !answers?.length && !edits?.length;
      if (draft.clientId !== from || isEmpty) return [];
      const own = drafts.filter(isDraft).find(({ clientId, channel }) => clientId === to && channel === draft.channel);
      const isOlder = own !== undefined && own.updatedAt >= draft.updatedAt;
      if (isOlder && !edits) return [];
      const revision = own ? Math.max(draft.revision, own.revision + 1) : draft.revision;
      // Changes of other messages are no older state of these.
      const all = own?.edits && edits ? joinEdits(isOlder ? [own.edits, edits] : [edits, own.edits]) : edits;
      const updatedAt = Math.max(draft.updatedAt, own?.updatedAt ?? 0);
      return [{ ...draft, clientId: to, revision, updatedAt, ...(all && { edits: all }) }];
    }),
    adopter: { clientId: to, seenAt: adopter?.seenAt ?? 0, nextClientSeq: first + entries.length },
  };
}

/** Of two changes of the same message the newer one. */
const joinEdits = ([newer, older]: readonly [readonly KeptEdit[], readonly KeptEdit[]]): readonly KeptEdit[] => [
  ...newer,
  ...older.filter(({ key }) => !newer.some((edit) => edit.key === key)),
];

const isDraft = (row: StoredDraftRow): row is Exclude<StoredDraftRow, { isOver: true }> => !('isOver' in row);
