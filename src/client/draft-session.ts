/**
 * The composer's model: what a person has written and not sent. It goes to the mirror after a moment, to the host after a
 * longer one, and comes back from both; the newest text wins, and no other text disappears without being offered. One per
 * chat and client, shared by all elements that show the chat. Source: architecture, one keystroke; AHP, drafts.
 */

import { isBlank, joinMessages } from '../chat/joined-message.js';
import type { StoredDraft } from '../mirror/mirror.js';
import type { ClientChatAction } from '../protocol/actions.js';
import type { ChatState, Message } from '../protocol/state.js';
import { isWorthKeeping, type DraftKeeperOptions } from './draft-keeper.js';
import { emptyMessage, isEmptyDraft, isSameDraft, toHostDraft, toNextDraft } from './draft-message.js';
import { DraftPace } from './draft-pace.js';
import type { Cancel, Environment } from './environment.js';
import { Listeners } from './listeners.js';
import { toSendGroup, type Steering } from './send-group.js';

/** The way of a draft to the host, which never goes through the outbox. */
export interface DraftWire {
  /** Whether the channel is live, so that the host's draft is known and can be set. */
  readonly isLive: boolean;
  sendDraft(draft: Message | undefined): void;
  /** Whether the chat has this as a message that was sent. */
  holds(message: Message): boolean;
  /** Whether this is a message on its way, or one that was not confirmed. */
  isSending(message: Message): boolean;
}

export interface DraftSessionOptions extends DraftKeeperOptions {
  readonly wire: DraftWire;
}

/** So many drafts and messages of our own are recognised when the host still has them. */
const memory = 50;

export class DraftSession {
  readonly #environment: Environment;
  readonly #wire: DraftWire;
  readonly #pace: DraftPace;
  readonly #listeners = new Listeners<[]>();
  readonly #focused = new Set<object>();
  /** Messages this client has sent. */
  readonly #sent: Message[] = [];
  /** Drafts the host has or had from us, or that were dealt with. */
  readonly #known: Message[] = [];
  /** What the person took away or changed here; somebody else's copy of it is no news. */
  readonly #removed: Message[] = [];
  #message: Message = emptyMessage;
  #revision = 0;
  /** The host's draft, as the host last told it. */
  #base: Message | undefined;
  /** These words were written on this device, not taken over from the host. */
  #isOwn = false;
  /** Drafts of others on this device who are gone; nobody else has them. */
  #left: readonly Message[] = [];
  /** What was sent and has not come back: over this connection, or over an earlier one while none is live. */
  #underway: { readonly draft: Message | undefined } | undefined;
  /** The host's draft, while it is another one that was not dealt with. */
  #theirs: Message | undefined;

  constructor(options: DraftSessionOptions) {
    this.#environment = options.environment;
    this.#wire = options.wire;
    this.#pace = new DraftPace(options, { toStored: () => this.#toStored(), send: () => this.#send() });
  }

  get message(): Message {
    return this.#message;
  }

  /** Grows with every change, whoever made it. */
  get revision(): number {
    return this.#revision;
  }

  /** A draft somebody else left at the host, while another one stands here. */
  get offer(): Message | undefined {
    return this.offers[0];
  }

  /** The one on offer and those that come up after it. */
  get offers(): readonly Message[] {
    return this.#theirs ? [this.#theirs, ...this.#left] : this.#left;
  }

  subscribe(listener: () => void): Cancel {
    return this.#listeners.add(listener);
  }

  /** The person typed, attached or chose. */
  change(message: Message): void {
    if (message === this.#message) return;
    if (!isPartOf(this.#message, message)) push(this.#removed, this.#message);
    this.#set(message);
    this.#isOwn = !isBlank(message);
    this.#pace.keepLater();
    this.#pace.syncLater();
  }

  /** `field` is whatever has the caret; a foreign draft never moves into a field in use. */
  setFocused(field: object, isFocused: boolean): void {
    if (isFocused) this.#focused.add(field);
    else if (this.#focused.delete(field)) this.flush();
  }

  /** Writes and sends what waits. For leaving a field and for a page that is hidden. */
  flush(): void {
    this.#pace.flush();
  }

  /** Takes the offered draft in place of ours. */
  acceptOffer(): void {
    const { offer } = this;
    if (!offer) return;
    this.#takeOffer();
    this.change(offer);
  }

  dismissOffer(): void {
    if (!this.offer) return;
    this.#takeOffer();
    this.#listeners.call();
  }

  #takeOffer(): void {
    if (this.#theirs) {
      this.#theirs = undefined;
      return;
    }
    this.#keepLeft(this.#left.slice(1));
  }

  #keepLeft(left: readonly Message[]): void {
    this.#left = left;
    this.#set(this.#message);
    this.#pace.keepLater();
  }

  /**
   * Takes the message out for sending, as one group to dispatch: a turn, or a message for the queue or the running turn,
   * and the `chat/draftChanged` that clears ours at the host. The composer is empty when this returns, so that a second
   * press finds nothing and gets an empty group.
   */
  takeForSend(state: ChatState | undefined, options: Steering = {}): readonly ClientChatAction[] {
    const message = this.#message;
    if (isBlank(message)) return [];
    this.noteSent(message);
    this.#pace.stopSync();
    this.#isOwn = false;
    this.#set(toNextDraft(message));
    // The outbox ends the draft on disk together with writing the message; this covers a disk that failed then.
    this.#pace.keepLater();
    // What somebody else has left at the host is not ours to clear.
    const isDraft = this.#theirs === undefined;
    return toSendGroup(message, { environment: this.#environment, state, ...options, isDraft });
  }

  /** A host draft equal to a message this client has sent is a leftover and shows as empty. */
  noteSent(message: Message): void {
    push(this.#sent, message);
  }

  findRow(): StoredDraft | undefined {
    const draft = this.#toStored();
    return isWorthKeeping(draft) ? draft : undefined;
  }

  /** Puts a refused message back, above what was typed meanwhile. */
  giveBack(message: Message): void {
    const at = this.#sent.findLastIndex((sent) => isSameDraft(sent, message));
    if (at >= 0) this.#sent.splice(at, 1);
    this.change(joinMessages(message, this.#message));
    this.#pace.flush();
  }

  /** Takes what this client left on disk. What was typed before it came stands below. */
  load(stored: StoredDraft | undefined): void {
    const kept = this.#pace.recover(stored);
    if (!kept) return;
    const isTyped = this.#revision > 0;
    if (!isTyped) {
      this.#base = kept.base;
      if (kept.base) push(this.#known, kept.base);
    }
    if (kept.sent) {
      push(this.#known, kept.sent);
      this.#underway ??= { draft: kept.sent };
    }
    this.#revision = Math.max(this.#revision, kept.revision);
    this.#isOwn ||= !isBlank(kept.message);
    this.#left = [...(kept.left ?? []), ...this.#left];
    // A page that was left before it had read this finds its own words there, or what another document has made of them.
    const isHere = isPartOf(kept.message, this.#message);
    const isThere = !isHere && isParagraphOf(this.#message, kept.message);
    const joined = isThere ? kept.message : joinMessages(kept.message, this.#message);
    this.#set(isHere ? this.#message : joined, isTyped ? 1 : 0);
    if (isTyped || kept !== stored) this.#pace.keepLater();
  }

  /** A draft that was left on this device by somebody who is gone. What the host still has of it is no news. */
  adopt({ message, base, sent, left = [], revision }: StoredDraft): void {
    for (const known of [base, sent]) if (known) push(this.#known, known);
    // The row on disk has grown above both by now, and what is written next must be newer.
    this.#revision = Math.max(this.#revision + 1, revision);
    for (const words of [message, ...left]) {
      const isHere = [this.#message, ...this.#left].some((other) => isPartOf(words, other));
      const isSent = this.#wire.holds(words) || this.#wire.isSending(words);
      const isRemoved = this.#removed.some((other) => isSameDraft(words, other));
      if (isBlank(words) || isHere || isSent || isRemoved) continue;
      if (isBlank(this.#message) && this.#isFree) this.change(words);
      else this.#keepLeft([...this.#left, words]);
    }
  }

  /** Takes everything out, what is on offer included. */
  empty(): readonly Message[] {
    const all = [this.#message, ...this.offers].filter((message) => !isBlank(message));
    this.#theirs = undefined;
    this.#isOwn = false;
    this.#left = [];
    this.#set(emptyMessage);
    this.#pace.keepLater();
    this.#pace.flush();
    return all;
  }

  /** The host's draft was changed: by us, when it is the echo of what was sent from here, or by somebody else. */
  onHostDraft(draft: Message | undefined, isOwn: boolean): void {
    const wasInStep = this.#isInStep();
    const isNews = !isSameDraft(draft, this.#base);
    this.#base = draft;
    if (isOwn && this.#underway && isSameDraft(this.#underway.draft, draft)) this.#underway = undefined;
    if (!isOwn) return this.#onForeign(draft, wasInStep);
    this.#keepReplaced(draft);
    // The next document has to know which draft of the host is ours.
    if (isNews) this.#pace.keepLater();
  }

  /** The channel is live again and this is the host's draft; sends ours if nobody else has written meanwhile. */
  onLive(draft: Message | undefined): void {
    const isKnown = isSameDraft(draft, this.#base) || this.#known.some((known) => isSameDraft(known, draft));
    const wasInStep = this.#isInStep();
    this.#underway = undefined;
    this.#base = draft;
    if (!isKnown) this.#onForeign(draft, wasInStep);
    else if (!this.#isInStep() && !this.#theirs) this.#pace.sync();
  }

  /** All that is kept on this device was deleted: nothing is written again but what comes from now on. */
  onCleared(): void {
    this.#pace.onCleared();
  }

  /** The page is left: what is not on disk goes where it still can. */
  suspend(): void {
    this.#pace.suspend();
  }

  /** The page is back, possibly under another id. */
  resume(): void {
    this.#pace.resume();
  }

  /** Writes what waits. Nothing is sent any more: nobody would hear whether it arrived. */
  close(): void {
    this.#pace.close();
  }

  /** What is on offer has made way for ours at the host, so nobody else has it any more. */
  #keepReplaced(draft: Message | undefined): void {
    const theirs = this.#theirs;
    if (!theirs || isSameDraft(theirs, draft)) return;
    this.#theirs = undefined;
    this.#keepLeft([theirs, ...this.#left]);
  }

  #onForeign(draft: Message | undefined, wasInStep: boolean): void {
    if (draft) push(this.#known, draft);
    const isLeftover = this.#sent.some((sent) => isSameDraft(sent, draft));
    const theirs = isLeftover ? undefined : draft;
    if (isSameDraft(theirs, toHostDraft(this.#message))) this.#theirs = undefined;
    else if (wasInStep && (this.#isFree || this.#isSentElsewhere(theirs)) && this.#isExpendable(theirs)) {
      this.#theirs = undefined;
      this.#isOwn = false;
      this.#set(theirs ?? toNextDraft(this.#message));
      return this.#pace.keepLater();
    } else {
      // From here on only a change made here replaces the host's draft: two composers must not take turns by themselves.
      this.#pace.stopSync();
      this.#theirs = theirs;
    }
    this.#listeners.call();
  }

  /** An untouched composer may be filled although it has the caret from the start. */
  get #isFree(): boolean {
    return this.#focused.size === 0 || (this.#revision === 0 && isEmptyDraft(this.#message));
  }

  /** Somebody else's words, shown here, were sent from there: they leave a field in use as well. */
  #isSentElsewhere(theirs: Message | undefined): boolean {
    return !theirs && !this.#isOwn && this.#wire.holds(this.#message);
  }

  /** Whether nothing is lost when `theirs` takes the place of what stands here. */
  #isExpendable(theirs: Message | undefined): boolean {
    return !this.#isOwn || (theirs ? isPartOf(this.#message, theirs) : this.#wire.holds(this.#message));
  }

  /** Whether the host is known to have what stands here. */
  #isInStep(theirs = this.#base): boolean {
    const ours = toHostDraft(this.#message);
    // A mere choice of model or agent waits for text to go with.
    return isSameDraft(ours, theirs) || (isBlank(ours ?? emptyMessage) && isBlank(theirs ?? emptyMessage));
  }

  #set(message: Message, steps = 1): void {
    this.#message = message;
    this.#revision += steps;
    this.#listeners.call();
  }

  #send(): void {
    const theirs = this.#underway ? this.#underway.draft : this.#base;
    if (!this.#wire.isLive || this.#isInStep(theirs)) return;
    const draft = toHostDraft(this.#message);
    this.#underway = { draft };
    if (draft) push(this.#known, draft);
    this.#wire.sendDraft(draft);
    // The next document has to know what the host may have of ours.
    this.#pace.keepLater();
  }

  #toStored(): StoredDraft {
    // What is on offer has not been dealt with: the next document offers it again.
    const base = this.#theirs ? undefined : this.#base;
    return {
      message: this.#message,
      revision: this.#revision,
      updatedAt: this.#environment.now(),
      ...(base ? { base } : {}),
      ...(this.#underway?.draft ? { sent: this.#underway.draft } : {}),
      ...(this.#left.length > 0 ? { left: this.#left } : {}),
    };
  }
}

/** Whether nothing of `words` is missing in `other`. */
const isPartOf = (words: Message, other: Message): boolean =>
  isSameDraft(words, other) || (!words.attachments?.length && other.text.includes(words.text));

/** Whether `words` stand in `other` as a text of their own, as they do where drafts were joined. */
const isParagraphOf = (words: Message, other: Message): boolean =>
  !words.attachments?.length && words.text !== '' && `\n\n${other.text}\n\n`.includes(`\n\n${words.text}\n\n`);

function push(list: Message[], message: Message): void {
  list.push(message);
  if (list.length > memory) list.shift();
}
