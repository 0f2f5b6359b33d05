/**
 * The model of forms: what a person has entered into open requests and not answered for good. It goes to the mirror after
 * a moment, to the host after a longer one, as the composer's draft does, and is merged with what others enter question
 * by question: the last one to write wins, and what has not reached the host is never thrown away. One per chat and
 * client. Source: AHP, input requests; architecture, one keystroke.
 */

import type { AnswerDrafts, EnteredAnswers } from '../chat/answer-drafts.js';
import type { KeptAnswer, StoredDraft } from '../mirror/mirror.js';
import { compose, isEqual } from '../protocol/record.js';
import type { ChatInputRequest, ChatState, InputAnswer, URI } from '../protocol/state.js';
import type { DraftKeeperOptions } from './draft-keeper.js';
import { emptyMessage } from './draft-message.js';
import { DraftPace } from './draft-pace.js';
import type { Cancel, Environment } from './environment.js';
import { Listeners } from './listeners.js';

/** The way of an answer to the host while it is a draft, which never goes through the outbox. */
export interface AnswerWire {
  readonly isLive: boolean;
  /** What the host has said, without what is under way. */
  readonly confirmed: ChatState | undefined;
  /** Whether the request is open in what is shown: an answer under way closes it. */
  isOpen(requestId: string): boolean;
  sendAnswer(requestId: string, questionId: string, answer: InputAnswer | undefined): void;
}

export interface AnswerSessionOptions extends DraftKeeperOptions {
  readonly wire: AnswerWire;
}

type Answer = InputAnswer | undefined;

interface Entry {
  answer: Answer;
  /** The host's, as last seen. */
  base: Answer;
  /** Sent over this connection and not come back, oldest first. */
  underway: Answer[];
  isUnsent: boolean;
  /** Somebody else wrote while this device was away: it waits until it is touched again. */
  isHeld: boolean;
}

interface Tracked {
  readonly entries: Map<string, Entry>;
  refusal: string | undefined;
  closedBy: EnteredAnswers['closedBy'];
  /** An answer for good is under way. */
  isAnswered: boolean;
  /** The request is closed; what was entered can still be read. */
  isOver: boolean;
}

/** Under which name the mirror keeps the answers of a chat, beside its draft. */
export const toAnswersChannel = (chat: URI): URI => `${chat}#answers`;

export class AnswerSession implements AnswerDrafts {
  readonly #environment: Environment;
  readonly #wire: AnswerWire;
  readonly #pace: DraftPace;
  readonly #listeners = new Listeners<[]>();
  readonly #tracked = new Map<string, Tracked>();
  #revision = 0;

  constructor(options: AnswerSessionOptions) {
    this.#environment = options.environment;
    this.#wire = options.wire;
    this.#pace = new DraftPace(
      { ...options, channel: toAnswersChannel(options.channel) },
      { toStored: () => this.#toStored(), send: () => this.#send() },
    );
  }

  find(requestId: string): EnteredAnswers | undefined {
    const tracked = this.#tracked.get(requestId);
    if (!tracked) return undefined;
    const { entries, refusal, closedBy } = tracked;
    return { answers: new Map([...entries].map(([id, { answer }]) => [id, answer])), refusal, closedBy };
  }

  subscribe(listener: () => void): Cancel {
    return this.#listeners.add(listener);
  }

  /** The person has changed one answer; `undefined` takes it away. */
  change(requestId: string, questionId: string, answer: Answer): void {
    const tracked = this.#track(requestId);
    const entry = tracked.entries.get(questionId);
    tracked.refusal = undefined;
    tracked.entries.set(questionId, {
      answer,
      base: entry ? entry.base : this.#findTheirs(requestId, questionId),
      underway: entry?.underway ?? [],
      isUnsent: true,
      isHeld: false,
    });
    this.#note();
    this.#pace.syncLater();
  }

  /** The request is being answered for good with `answers`; nothing of it goes out as a draft any more. */
  complete(requestId: string, answers: Readonly<Record<string, InputAnswer>> | undefined): void {
    const tracked = this.#track(requestId);
    tracked.isAnswered = true;
    tracked.refusal = undefined;
    for (const [questionId, answer] of Object.entries(answers ?? {})) {
      const base = tracked.entries.get(questionId)?.base;
      tracked.entries.set(questionId, { answer, base, underway: [], isUnsent: false, isHeld: false });
    }
    this.#note();
  }

  /** The host did not take the answer: the form is back, with all that was entered. */
  onRefused(requestId: string, reason: string): void {
    const tracked = this.#track(requestId);
    tracked.isAnswered = false;
    // Somebody was quicker; there is nothing left to answer.
    if (!tracked.isOver) tracked.refusal = reason;
    this.#note();
  }

  /** The host has closed the request. */
  onCompleted(requestId: string, by: 'own' | 'other' | 'host'): void {
    if (by === 'own') this.#tracked.delete(requestId);
    else Object.assign(this.#track(requestId), { closedBy: by, isOver: true, refusal: undefined });
    this.#note();
  }

  /** Writes and sends what waits. For leaving a field and for a page that is hidden. */
  flush(): void {
    this.#pace.flush();
  }

  /** Takes what this client left on disk. What was entered before it came is newer. */
  load(stored: StoredDraft | undefined): void {
    const kept = this.#pace.recover(stored);
    if (!kept) return;
    this.#revision = Math.max(this.#revision, kept.revision);
    this.adopt(kept.answers ?? []);
    if (kept !== stored) this.#pace.keepLater();
  }

  /** Takes over what was entered on this device by somebody who is gone. */
  adopt(answers: readonly KeptAnswer[]): void {
    for (const { requestId, questionId, answer, base } of answers) {
      const { entries } = this.#track(requestId);
      if (!entries.has(questionId))
        entries.set(questionId, { answer, base, underway: [], isUnsent: true, isHeld: false });
    }
    const { isLive, confirmed } = this.#wire;
    if (isLive && confirmed) this.onLive(confirmed);
    this.#listeners.call();
  }

  /** The host's state has changed. */
  onHost(state: ChatState): void {
    let isChanged = false;
    for (const [requestId, tracked] of this.#tracked) {
      if (tracked.isOver) continue;
      const request = findOpen(state, requestId);
      if (!request) isChanged = this.#close(requestId, tracked, state);
      else if (!tracked.isAnswered && merge(tracked, request)) isChanged = true;
    }
    if (isChanged) this.#note();
  }

  /** The channel is live again: what the host has not got is sent, unless somebody else has written meanwhile. */
  onLive(state: ChatState): void {
    if (this.#tracked.size === 0) return;
    for (const [requestId, tracked] of this.#tracked) {
      if (tracked.isOver) continue;
      const request = findOpen(state, requestId);
      if (!request) this.#close(requestId, tracked, state);
      else if (!tracked.isAnswered) judge(tracked, request);
    }
    this.#note();
    this.#pace.sync();
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

  /** Writes what waits. Nothing is sent any more. */
  close(): void {
    this.#pace.close();
  }

  #findTheirs(requestId: string, questionId: string): Answer {
    const request = this.#wire.confirmed && findOpen(this.#wire.confirmed, requestId);
    return request && answerIn(request, questionId);
  }

  #track(requestId: string): Tracked {
    let tracked = this.#tracked.get(requestId);
    if (!tracked) {
      tracked = { entries: new Map(), refusal: undefined, closedBy: undefined, isAnswered: false, isOver: false };
      this.#tracked.set(requestId, tracked);
    }
    return tracked;
  }

  /** What was entered stays readable, unless it is the answer. */
  #close(requestId: string, tracked: Tracked, state: ChatState): true {
    const isTaken = tracked.isAnswered && hasResponse(state, requestId);
    if (isTaken || tracked.entries.size === 0) this.#tracked.delete(requestId);
    // The turn may have ended before the answer was there.
    tracked.isAnswered = false;
    tracked.isOver = true;
    return true;
  }

  #send(): void {
    if (!this.#wire.isLive) return;
    for (const [requestId, tracked] of this.#tracked) {
      if (tracked.isOver || tracked.isAnswered || !this.#wire.isOpen(requestId)) continue;
      for (const [questionId, entry] of tracked.entries) {
        if (!entry.isUnsent) continue;
        entry.isUnsent = false;
        const theirs = entry.underway.length > 0 ? entry.underway.at(-1) : entry.base;
        if (isEqual(theirs, entry.answer)) {
          if (entry.underway.length > 0) continue;
          tracked.entries.delete(questionId);
          this.#pace.keepLater();
          continue;
        }
        entry.underway.push(entry.answer);
        this.#wire.sendAnswer(requestId, questionId, entry.answer);
      }
    }
  }

  #note(): void {
    this.#revision += 1;
    this.#pace.keepLater();
    this.#listeners.call();
  }

  #toStored(): StoredDraft {
    const answers = [...this.#tracked].flatMap(([requestId, { entries, isOver }]) =>
      isOver
        ? []
        : [...entries].map(([questionId, { answer, base }]) => compose({ requestId, questionId }, { answer, base })),
    );
    const draft = { message: emptyMessage, revision: this.#revision, updatedAt: this.#environment.now() };
    return answers.length > 0 ? { ...draft, answers } : draft;
  }
}

/** The request as the host has it, while it is open there. */
function findOpen(state: ChatState, requestId: string): ChatInputRequest | undefined {
  for (const part of state.activeTurn?.responseParts ?? []) {
    if (part?.kind === 'inputRequest' && part.response === undefined && part.request?.id === requestId)
      return part.request;
  }
  return undefined;
}

const hasResponse = ({ turns, activeTurn }: ChatState, requestId: string): boolean =>
  [...turns, activeTurn].some((turn) =>
    turn?.responseParts?.some(
      (part) => part?.kind === 'inputRequest' && part.request?.id === requestId && part.response !== undefined,
    ),
  );

const answerIn = ({ answers }: ChatInputRequest, questionId: string): Answer =>
  answers && Object.hasOwn(answers, questionId) ? answers[questionId] : undefined;

/** Takes in what the host has now. Returns whether something shows differently. */
function merge({ entries }: Tracked, request: ChatInputRequest): boolean {
  let isChanged = false;
  for (const [questionId, entry] of entries) {
    const theirs = answerIn(request, questionId);
    if (isEqual(theirs, entry.base)) continue;
    entry.base = theirs;
    // Our own coming back settles everything that was sent before it.
    const at = entry.underway.findIndex((sent) => isEqual(sent, theirs));
    if (at >= 0) entry.underway.splice(0, at + 1);
    if (entry.isUnsent || entry.isHeld || entry.underway.length > 0) continue;
    // The host has ours, or somebody wrote after us: either way its answer is the one to show.
    entries.delete(questionId);
    isChanged = true;
  }
  return isChanged;
}

/** Decides what of it is still to be sent after a time without the host. */
function judge({ entries }: Tracked, request: ChatInputRequest): void {
  for (const [questionId, entry] of entries) {
    const theirs = answerIn(request, questionId);
    entry.underway = [];
    if (isEqual(theirs, entry.answer)) entries.delete(questionId);
    else if (isEqual(theirs, entry.base)) entry.isUnsent = true;
    else Object.assign(entry, { base: theirs, isUnsent: false, isHeld: true });
  }
}
