/**
 * How what a client left behind becomes another client's: its entries behind the adopter's own, under new numbers, its
 * words beside the adopter's. Pure; both mirrors carry the result out in one step.
 */

import type { ClientRecord, KeptEdit, OutboxEntry } from './mirror.js';
import type { Message } from '../protocol/state.js';
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
      if (draft.clientId !== from) return [];
      const own = drafts.filter(isDraft).find(({ clientId, channel }) => clientId === to && channel === draft.channel);
      const adopted = (draft.answers ? adoptAnswers : draft.edits ? adoptEdits : adoptWords)(draft, own);
      return adopted
        ? [{ ...adopted, clientId: to, revision: Math.max(draft.revision, (own?.revision ?? -1) + 1) }]
        : [];
    }),
    adopter: { clientId: to, seenAt: adopter?.seenAt ?? 0, nextClientSeq: first + entries.length },
  };
}

type DraftRow = Exclude<StoredDraftRow, { isOver: true }>;

/** Of two forms the one that was filled in later stays. */
function adoptAnswers(draft: DraftRow, own: DraftRow | undefined): DraftRow | undefined {
  return draft.answers?.length && !(own && own.updatedAt >= draft.updatedAt) ? draft : undefined;
}

/** Changes of other messages are no older state of these; of two changes of the same message the newer one stays. */
function adoptEdits(draft: DraftRow, own: DraftRow | undefined): DraftRow | undefined {
  const [edits, ours] = [draft.edits ?? [], own?.edits ?? []];
  if (edits.length === 0) return undefined;
  const isOlder = own !== undefined && own.updatedAt >= draft.updatedAt;
  const updatedAt = Math.max(draft.updatedAt, own?.updatedAt ?? 0);
  return { ...draft, updatedAt, edits: isOlder ? joinEdits(ours, edits) : joinEdits(edits, ours) };
}

const joinEdits = (newer: readonly KeptEdit[], older: readonly KeptEdit[]): readonly KeptEdit[] => [
  ...newer,
  ...older.filter(({ key }) => !newer.some((edit) => edit.key === key)),
];

/** What stands in the adopter's composer stays there, and the words of others beside it until the person decides. */
function adoptWords(draft: DraftRow, own: DraftRow | undefined): DraftRow | undefined {
  const words = [draft.message, ...(draft.left ?? [])].filter((message) => !isBlank(message));
  const [first, ...rest] = words;
  if (!first) return undefined;
  const isFree = !own || isBlank(own.message);
  const left = [...(own?.left ?? []), ...(isFree ? rest : words)];
  const { left: _, ...row } = isFree ? { ...draft, message: first } : own;
  return left.length > 0 ? { ...row, left } : row;
}

/** An empty one says what was sent, and is no text to put in the place of another. */
const isBlank = ({ text, attachments }: Message): boolean => text === '' && !attachments?.length;

const isDraft = (row: StoredDraftRow): row is DraftRow => !('isOver' in row);
