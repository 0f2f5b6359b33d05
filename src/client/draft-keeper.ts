/**
 * Keeps a draft on this device: in the mirror a moment after each change, and where the page is left in between, at once
 * in the origin's storage, since nothing asynchronous is carried out then. A write that comes late never brings back what
 * was sent: what is written is the draft as it is then, and the mirror keeps the order of writes. Source: architecture, one keystroke.
 */

import type { KeptAnswer, KeptEdit, Mirror, StoredDraft } from '../mirror/mirror.js';
import { AhpError } from '../protocol/errors.js';
import { isRecord } from '../protocol/record.js';
import type { Message, URI } from '../protocol/state.js';
import type { ClientIdentity } from './ahp-client.js';
import { holdsBytes, isEmptyDraft } from './draft-message.js';
import type { Cancel, Environment, KeyValueStore } from './environment.js';
import { mayLeave, maxLeftover, toLeftoverKey, type Leftover } from './leftovers.js';

export interface DraftKeeperOptions {
  readonly environment: Environment;
  readonly mirror: Mirror;
  /** Host and account, as in the name of the database. */
  readonly key: string;
  readonly channel: URI;
  /** Whose draft it is; known from `recover` on. */
  readonly identity: Pick<ClientIdentity, 'clientId'>;
}

const delayMs = 200;

/** Left in the origin's storage; `isTextOnly` if attachments were too large to go along. */
interface LeftDraft extends StoredDraft {
  readonly isTextOnly?: boolean;
}

export class DraftKeeper {
  readonly #environment: Environment;
  readonly #mirror: Mirror;
  readonly #key: string;
  readonly #channel: URI;
  readonly #find: () => StoredDraft;
  readonly #identity: Pick<ClientIdentity, 'clientId'>;
  #isOpen = false;
  #isUnsaved = false;
  #isAway = false;
  /** Where the draft was left when the page went. */
  #leftAt: string | undefined;
  /** The state that was deleted from this device. */
  #cleared: number | undefined;
  #cancel: Cancel | undefined;

  /** `find` gives the draft as it is when it is written. */
  constructor(options: DraftKeeperOptions, find: () => StoredDraft) {
    this.#environment = options.environment;
    this.#mirror = options.mirror;
    this.#key = options.key;
    this.#channel = options.channel;
    this.#identity = options.identity;
    this.#find = find;
  }

  /** Writes soon. Further calls do not put it off, so that fast typing is on disk as well. */
  later(): void {
    if (this.#find().revision === this.#cleared) return;
    this.#isUnsaved = true;
    this.#cancel ??= this.#environment.schedule(delayMs, () => this.flush());
  }

  /** Writes now what is not on disk. */
  flush(): void {
    this.#stop();
    if (this.#isUnsaved && this.#isOpen) void this.#write(this.#find());
  }

  /** All that is kept on this device was deleted: nothing is written again but what comes from now on. */
  onCleared(): void {
    this.#stop();
    this.#isUnsaved = false;
    this.#cleared = this.#find().revision;
  }

  /** The page is left. Synchronous. */
  leave(): void {
    this.#stop();
    const isHome = this.#isOpen && !this.#isAway;
    this.#isAway = true;
    if (!this.#isUnsaved || !mayLeave(this.#mirror)) return;
    const draft = this.#find();
    const whole = JSON.stringify(draft);
    const text = whole.length <= maxLeftover ? whole : JSON.stringify(withoutBytes(draft));
    if (text.length > maxLeftover) return;
    // Before the disk was read, something of an earlier document may stand under this client's own name; and what is left
    // again on the way back must not stand under a name that somebody else may have by then.
    if (this.#leftAt !== undefined) this.#environment.local.delete(this.#leftAt);
    this.#leftAt = isHome ? this.#localKey : this.#toKey(this.#environment.createId());
    this.#environment.local.set(this.#leftAt, text);
  }

  /** The page is back, possibly under another id. */
  comeBack(): void {
    this.#isAway = false;
    if (this.#leftAt !== undefined) this.#environment.local.delete(this.#leftAt);
    this.#leftAt = undefined;
    if (this.#isUnsaved) this.later();
  }

  /** The newer of what the mirror has and what was left behind when the page went. */
  recover(stored: StoredDraft | undefined): StoredDraft | undefined {
    this.#isOpen = true;
    if (this.#isUnsaved) this.later();
    const leftover = parseLeftover(this.#environment.local.get(this.#localKey));
    if (!leftover) return stored;
    if (stored && stored.revision > leftover.revision) {
      this.#environment.local.delete(this.#localKey);
      return stored;
    }
    return toDraft(leftover, stored);
  }

  get #localKey(): string {
    return this.#toKey(this.#identity.clientId);
  }

  #toKey(clientId: string): string {
    return toLeftoverKey('draft', this.#key, clientId, this.#channel);
  }

  #stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  async #write(draft: StoredDraft): Promise<void> {
    const { revision } = draft;
    try {
      if (isWorthKeeping(draft)) await this.#mirror.putDraft(this.#channel, this.#identity.clientId, draft);
      else await this.#mirror.deleteDraft(this.#channel, this.#identity.clientId, revision);
    } catch (error) {
      // The mirror says so by `notKept`, which is shown; the draft stays unsaved and goes with the next change.
      if (error instanceof AhpError) return;
      throw error;
    }
    if (this.#find().revision !== revision) return;
    this.#isUnsaved = this.#cancel !== undefined;
    this.#environment.local.delete(this.#localKey);
  }
}

/** While the host may have a draft of ours that is empty here by now, the next document has to know whose that is. */
export const isWorthKeeping = ({ message, base, sent, answers, edits, left }: StoredDraft): boolean =>
  !isEmptyDraft(message) || [base, sent, answers, edits, left].some((kept) => kept !== undefined);

/** Moves into the mirror what a page has left there, and resolves with it, unless something newer is there. */
export async function rescueDraft(
  local: KeyValueStore,
  mirror: Mirror,
  { clientId, channel, localKey }: Leftover,
  now: number,
): Promise<StoredDraft | undefined> {
  const leftover = parseLeftover(local.get(localKey));
  const { draft } = leftover ? await mirror.loadChat(channel, { clientId, turns: 0, now }) : {};
  const isNewer = leftover !== undefined && !(draft && draft.revision > leftover.revision);
  const rescued = isNewer ? toDraft(leftover, draft) : undefined;
  if (rescued) await mirror.putDraft(channel, clientId, rescued);
  local.delete(localKey);
  return rescued;
}

function toDraft({ isTextOnly, ...draft }: LeftDraft, stored: StoredDraft | undefined): StoredDraft {
  const attachments = stored?.message.attachments;
  return isTextOnly && attachments ? { ...draft, message: { ...draft.message, attachments } } : draft;
}

function withoutBytes(draft: StoredDraft): LeftDraft {
  const { message, edits } = draft;
  const light = edits?.map((edit) => ({ ...edit, message: withoutHeldBytes(edit.message) }));
  return { ...draft, message: withoutHeldBytes(message), ...(light && { edits: light }), isTextOnly: true };
}

const withoutHeldBytes = (message: Message): Message => ({
  ...message,
  attachments: message.attachments?.filter((attachment) => !holdsBytes(attachment)) ?? [],
});

const isKeptAnswer = (value: unknown): value is KeptAnswer =>
  isRecord(value) &&
  typeof value.requestId === 'string' &&
  typeof value.questionId === 'string' &&
  (value.answer === undefined || isRecord(value.answer));

const isMessage = (value: unknown): value is Message =>
  isRecord(value) && typeof value.text === 'string' && isRecord(value.origin);

const isKeptEdit = (value: unknown): value is KeptEdit =>
  isRecord(value) && typeof value.key === 'string' && typeof value.was === 'string' && isMessage(value.message);

function parseLeftover(text: string | undefined): LeftDraft | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || !isRecord(value.message)) return undefined;
    const { message, revision, updatedAt } = value;
    if (!isMessage(message) || typeof revision !== 'number' || typeof updatedAt !== 'number') return undefined;
    return {
      message,
      revision,
      updatedAt,
      ...(isMessage(value.base) ? { base: value.base } : {}),
      ...(isMessage(value.sent) ? { sent: value.sent } : {}),
      ...(Array.isArray(value.left) ? { left: value.left.filter(isMessage) } : {}),
      ...(Array.isArray(value.answers) ? { answers: value.answers.filter(isKeptAnswer) } : {}),
      ...(Array.isArray(value.edits) ? { edits: value.edits.filter(isKeptEdit) } : {}),
      ...(value.isTextOnly === true ? { isTextOnly: true } : {}),
    };
  } catch {
    // Written by somebody else under our key; there is nothing to recover.
    return undefined;
  }
}
