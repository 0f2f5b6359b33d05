/**
 * What the host has said, what this client has asked for, and what is shown: `confirmed` + `pending` → `optimistic`. Pure;
 * knows neither sockets nor storage nor time. The one home of the rules for echoes, rejections, replays and snapshots, with
 * `proof.ts` for what proves an action and what may be sent twice. Source: AHP, optimistic state, outbox, reconnect.
 *
 * Every function takes a {@link Reconciled} and gives the next one. Entries that end are handed out as `settled`: the
 * outbox forgets them. Nothing that was asked for disappears otherwise. It is one file because all steps share one work
 * record, which only the functions at its end may change.
 */

import type { ActionEnvelope, ChatTurnsLoadedAction, ClientChatAction } from '../protocol/actions.js';
import { compose } from '../protocol/record.js';
import type { ChatState, PendingMessage, Turn } from '../protocol/state.js';
import { canRetry, inOrder, isQuiet, unsent, wasSent, type PendingAction } from './pending-action.js';
import { isEchoOf, isKnownTurn, isLateEdit, isProven, newestTurnId, verdictOn, type Evidence } from './proof.js';
import { chatReducer } from './reducer.js';
import { isTaken } from './selectors.js';
import { findLost, spliceTurns } from './snapshot.js';
import type { Rejection } from './store.js';

export interface Reconciled {
  /** The host's state; absent before the first snapshot. */
  readonly confirmed: ChatState | undefined;
  /** The last `serverSeq` that is in `confirmed`. */
  readonly appliedSeq: number;
  /** `confirmed.turns` begins with the chat's first turn. Without it an absent cursor only means that none is known. */
  readonly isComplete: boolean;
  /** In the order of `clientSeq`; replayed over `confirmed`. */
  readonly pending: readonly PendingAction[];
  /** Taken out of what is shown, and offered to the person. */
  readonly unconfirmed: readonly PendingAction[];
  readonly optimistic: ChatState | undefined;
  /** The running turn that was asked to stop. */
  readonly stoppingTurnId: string | undefined;
  /** `confirmed` was taken over the present connection. Nothing is sent before that. */
  readonly isCurrent: boolean;
}

/** What one step leads to. */
export interface Reconciliation {
  readonly next: Reconciled;
  /** Entries whose fate is known. */
  readonly settled: readonly PendingAction[];
  /** Entries that are kept in another form than before. */
  readonly changed: readonly PendingAction[];
  readonly rejections: readonly Rejection[];
  /**
   * Messages the host had accepted and has lost: they stood in its queue, and are neither there nor in a turn. Only a
   * snapshot tells.
   */
  readonly lost: readonly PendingMessage[];
}

export interface ChatSnapshot {
  readonly state: ChatState;
  readonly fromSeq: number;
}

/** Why turns in front of a snapshot may not be what the host has. */
export interface Doubts {
  /** What took effect without an echo. */
  readonly unheard?: readonly PendingAction[];
  /** Something the host has sent could not be read. */
  readonly hasGap?: boolean;
}

/** How long an action may go without proof on a healthy connection, in milliseconds. */
export const PROOF_TIMEOUT_MS = 10_000;
/** How long after a handshake a start is not repeated: the host may still be reading what the dead socket left it. */
export const RESTART_DELAY_MS = 2_000;

/** What a device remembers of a chat. */
export interface Remembered {
  readonly confirmed?: ChatState;
  readonly appliedSeq?: number;
  readonly isComplete?: boolean;
  /** In any order; none of it is sent before a snapshot or a replay has judged it. */
  readonly outbox?: readonly PendingAction[];
}

/** Begins with what the mirror holds, or with nothing. */
export function createReconciled(remembered: Remembered = {}): Reconciled {
  const { confirmed, appliedSeq = -1, isComplete = false, outbox = [] } = remembered;
  const entries = inOrder(outbox.map(unsent));
  return present({
    confirmed,
    appliedSeq,
    isComplete,
    pending: entries.filter((entry) => !entry.isHeld),
    unconfirmed: entries.filter((entry) => entry.isHeld),
    isCurrent: false,
  });
}

/* ---------------------------------------------------------------- from the host */

/** Takes one envelope of the chat's channel. */
export function receive(from: Reconciled, envelope: ActionEnvelope, clientId: string): Reconciliation {
  const isOwn = envelope.origin?.clientId === clientId;
  if (isOwn || envelope.rejectionReason !== undefined || !from.confirmed || from.pending.length > 0) {
    const work = begin(from);
    take(work, envelope, clientId);
    return finish(work, from, envelope.action);
  }
  if (!(envelope.serverSeq > from.appliedSeq)) return nothing(from);
  // The common case: somebody else's action, and nothing of ours on top.
  const applied = apply(from.confirmed, from.isComplete, envelope);
  return nothing({ ...from, ...applied, optimistic: applied.confirmed, appliedSeq: envelope.serverSeq });
}

/** What the envelope's action, which is the host's version of it, makes of the confirmed state. */
function apply(
  before: ChatState,
  wasComplete: boolean,
  { action }: ActionEnvelope,
): { readonly confirmed: ChatState; readonly isComplete: boolean } {
  const confirmed = chatReducer(before, action);
  const tells =
    action.type === 'chat/turnsLoaded' ||
    (action.type === 'chat/truncated' && confirmed.turns.length === 0) ||
    confirmed.turnsNextCursor !== before.turnsNextCursor;
  return { confirmed, isComplete: tells ? confirmed.turnsNextCursor === undefined : wasComplete };
}

/** Takes the envelopes a host replays after a reconnect, then judges what they did not settle. */
export function adoptReplay(from: Reconciled, envelopes: readonly ActionEnvelope[], clientId: string): Reconciliation {
  const work = begin(from);
  for (const envelope of envelopes) take(work, envelope, clientId);
  judge(work, from.confirmed);
  return finish(work, from);
}

/**
 * Puts a snapshot in the place of `confirmed`, whatever its number: a host that counts anew is right. Then takes the
 * envelopes that arrived while it was on its way, and judges what neither proves. Turns in front of the snapshot stay,
 * unless they may have changed without our knowing.
 */
export function adoptSnapshot(
  from: Reconciled,
  snapshot: ChatSnapshot,
  buffered: readonly ActionEnvelope[],
  clientId: string,
  { unheard = [], hasGap = false }: Doubts = {},
): Reconciliation {
  const work = begin(from);
  const sent = [...from.pending, ...from.unconfirmed, ...unheard].filter(wasSent);
  const isCovered = sent.every(({ sentAfter }) => sentAfter === undefined || isKnownTurn(snapshot.state, sentAfter));
  work.confirmed = isCovered && !hasGap ? spliceTurns(from.confirmed, snapshot.state, from.isComplete) : snapshot.state;
  work.isComplete = work.confirmed.turnsNextCursor === undefined;
  work.appliedSeq = snapshot.fromSeq;
  for (const envelope of buffered) take(work, envelope, clientId);
  judge(work, from.confirmed);
  const own = [...from.pending, ...from.unconfirmed];
  if (from.confirmed) work.lost.push(...findLost(from.confirmed, work.confirmed, own));
  return finish(work, from);
}

/**
 * Puts older turns in front that this device has kept, or, without any, says what is known of them: `turnsNextCursor` is
 * present while there is something left to load.
 */
export function prependTurns(
  from: Reconciled,
  turns: readonly Turn[],
  older: { readonly turnsNextCursor: string | undefined; readonly isComplete: boolean },
): Reconciled {
  if (!from.confirmed) return from;
  const { turnsNextCursor, isComplete } = older;
  const action: ChatTurnsLoadedAction = compose({ type: 'chat/turnsLoaded' as const, turns }, { turnsNextCursor });
  return present({ ...from, confirmed: chatReducer(from.confirmed, action), isComplete });
}

/** The connection is gone: whatever was sent over it has to be judged before it is sent again. */
export function disconnect(from: Reconciled): Reconciled {
  return {
    ...from,
    pending: from.pending.map(unsent),
    unconfirmed: from.unconfirmed.map(unsent),
    isCurrent: false,
  };
}

/* ---------------------------------------------------------------- from the person */

/** Adds the actions of one intent, with sequence numbers above all others. */
export function enqueue(from: Reconciled, entries: readonly PendingAction[]): Reconciled {
  const next = { ...from, pending: [...from.pending, ...entries] };
  return present(next, from.optimistic && replay(from.optimistic, entries));
}

/** What to send next, if the connection can take it. */
export interface Sendable extends Reconciliation {
  /** In this order. The caller sends them and says so with {@link markSent}. */
  readonly send: readonly PendingAction[];
  /** When to ask again, by the clock `now` was read from: something waits for the time after a handshake to pass. */
  readonly waitUntil?: number;
}

/**
 * Finds what is to be sent, in order. A start whose turn is known is settled; one that would end somebody's running turn is
 * held for the person, who may queue it; one that went out before waits, and everything behind it.
 */
export function sendable(from: Reconciled, now: number, connectedAt: number): Sendable {
  const work = begin(from);
  const send: PendingAction[] = [];
  if (!from.isCurrent || !from.confirmed) return { ...nothing(from), send };
  let waitUntil: number | undefined;
  for (const entry of from.pending) {
    if (entry.sentAt !== undefined || !work.pending.includes(entry)) continue;
    if (entry.action.type === 'chat/turnStarted') {
      if (isKnownTurn(from.confirmed, entry.action.turnId)) {
        settle(work, entry);
        continue;
      }
      if (isInTheWay(from.confirmed, entry, work.pending)) {
        hold(work, entry.group);
        continue;
      }
      if (entry.sends > 0 && now < connectedAt + RESTART_DELAY_MS) {
        waitUntil = connectedAt + RESTART_DELAY_MS;
        break;
      }
    }
    send.push(entry);
  }
  // A group that was held for its start takes what was found of it before along.
  const stays = send.filter((entry) => work.pending.includes(entry));
  return { ...finish(work, from), send: stays, ...(waitUntil !== undefined && { waitUntil }) };
}

/** Notes that entries went out at `now`. */
export function markSent(from: Reconciled, clientSeqs: readonly number[], now: number): Reconciled {
  const newest = from.confirmed && newestTurnId(from.confirmed);
  const pending = from.pending.map((entry) => {
    if (!clientSeqs.includes(entry.clientSeq)) return entry;
    const isFirst = entry.sends === 0 && entry.sentAfter === undefined && newest !== undefined;
    return { ...entry, sentAt: now, sends: entry.sends + 1, ...(isFirst && { sentAfter: newest }) };
  });
  return { ...from, pending };
}

/** When {@link expire} has something to do, unless proof comes first. */
export function expiresAt(from: Reconciled): number | undefined {
  const sent = from.pending.map((entry) => entry.sentAt).filter((time) => time !== undefined);
  return sent.length > 0 ? Math.min(...sent) + PROOF_TIMEOUT_MS : undefined;
}

/**
 * Takes intents without proof out of what is shown. Only for a connection that is healthy: on any other, waiting is the
 * answer. What the state proves is settled, and what nobody wrote is let go.
 */
export function expire(from: Reconciled, now: number): Reconciliation {
  const late = from.pending.filter((entry) => entry.sentAt !== undefined && now - entry.sentAt >= PROOF_TIMEOUT_MS);
  if (late.length === 0 || !from.confirmed) return nothing(from);
  const work = begin(from);
  const evidence = evidenceOf(work, from.confirmed, from.confirmed);
  for (const group of new Set(late.map((entry) => entry.group))) {
    closeUnproven(work, entriesOf(work, group), evidence);
  }
  return finish(work, from);
}

/**
 * The person wants it sent once more, or `change` sent in its place. An intent that must not be repeated stays where it is.
 */
export function retry(
  from: Reconciled,
  group: string,
  change: (action: ClientChatAction) => ClientChatAction = (action) => action,
): Reconciliation {
  const entries = from.unconfirmed.filter((entry) => entry.group === group);
  if (entries.length === 0 || !canRetry(entries)) return nothing(from);
  const work = begin(from);
  // The person has seen what is there now, so only what comes later is news again.
  const newest = from.confirmed && newestTurnId(from.confirmed);
  const again = entries.map(({ isHeld: _, sentAfter: __, ...entry }) => {
    const action = change(entry.action);
    const changed = action === entry.action ? entry : { ...entry, action, sends: 0 };
    return unsent(newest === undefined ? changed : { ...changed, sentAfter: newest });
  });
  work.unconfirmed = work.unconfirmed.filter((entry) => entry.group !== group);
  work.pending = inOrder([...work.pending, ...again]);
  work.changed.push(...again);
  return finish(work, from);
}

/** The person gives an intent up. */
export function discard(from: Reconciled, group: string): Reconciliation {
  const work = begin(from);
  for (const entry of entriesOf(work, group)) settle(work, entry);
  return finish(work, from);
}

/* ---------------------------------------------------------------- one step's work */

/** A step under way; only the functions below change it. */
interface Work {
  confirmed: ChatState | undefined;
  appliedSeq: number;
  isComplete: boolean;
  isCurrent: boolean;
  pending: readonly PendingAction[];
  unconfirmed: readonly PendingAction[];
  readonly settled: PendingAction[];
  readonly changed: PendingAction[];
  readonly rejections: Rejection[];
  readonly lost: PendingMessage[];
}

const begin = (from: Reconciled): Work => ({
  confirmed: from.confirmed,
  appliedSeq: from.appliedSeq,
  isComplete: from.isComplete,
  isCurrent: from.isCurrent,
  pending: from.pending,
  unconfirmed: from.unconfirmed,
  settled: [],
  changed: [],
  rejections: [],
  lost: [],
});

const NONE: readonly never[] = [];

const nothing = (next: Reconciled): Reconciliation => ({
  next,
  settled: NONE,
  changed: NONE,
  rejections: NONE,
  lost: NONE,
});

/** `action` is given where the step was one envelope that may be applied to what is shown as well. */
function finish(work: Work, from: Reconciled, action?: ActionEnvelope['action']): Reconciliation {
  const { settled, changed, rejections, lost, ...state } = work;
  return { next: present(state, shown(work, from, action)), settled, changed, rejections, lost };
}

/** What is shown after the step, where that is known without a replay. */
function shown(work: Work, from: Reconciled, action: ActionEnvelope['action'] | undefined): ChatState | undefined {
  if (work.pending !== from.pending || !from.optimistic) return undefined;
  if (work.confirmed === from.confirmed) return from.optimistic;
  // Text only grows a part that no pending action looks at: it reads the same before and after them.
  const isText = action?.type === 'chat/delta' || action?.type === 'chat/reasoning';
  return isText ? chatReducer(from.optimistic, action) : undefined;
}

function present(state: Omit<Reconciled, 'optimistic' | 'stoppingTurnId'>, known?: ChatState): Reconciled {
  const optimistic = known ?? (state.confirmed && replay(state.confirmed, state.pending));
  // A stop is a mark, not a change: the host ends the turn, and what it still says until then is not lost.
  const active = optimistic?.activeTurn?.id;
  const isStopping = state.pending.some(
    ({ action }) => action.type === 'chat/turnCancelled' && action.turnId === active,
  );
  return { ...state, optimistic, stoppingTurnId: isStopping ? active : undefined };
}

/** Pending over confirmed, without what would hide the host's truth. */
function replay(confirmed: ChatState, pending: readonly PendingAction[]): ChatState {
  let state = confirmed;
  for (const { action } of pending) {
    switch (action.type) {
      case 'chat/turnCancelled':
        break;
      case 'chat/turnStarted':
        // A start that never reached the host must not stand in front of the turn that really runs.
        if (!state.activeTurn) state = chatReducer(state, action);
        break;
      case 'chat/pendingMessageSet':
        if (!isTaken(state, action.id) && !isLateEdit(action, state)) state = chatReducer(state, action);
        break;
      case 'chat/steeringMessageSet':
        if (!isTaken(state, action.steeringMessage.id)) state = chatReducer(state, action);
        break;
      default:
        state = chatReducer(state, action);
    }
  }
  return state;
}

function take(work: Work, envelope: ActionEnvelope, clientId: string): void {
  const isNew = envelope.serverSeq > work.appliedSeq;
  const isRejected = envelope.rejectionReason !== undefined;
  const before = work.confirmed;
  if (isNew) {
    work.appliedSeq = envelope.serverSeq;
    if (before && !isRejected) Object.assign(work, apply(before, work.isComplete, envelope));
  }
  if (envelope.origin?.clientId === clientId) answer(work, envelope);
  if (work.confirmed !== before) dropLateStops(work, before);
}

/** Whether an envelope of our own is about this entry. */
export const isAnsweredBy = ({ clientSeq, action }: PendingAction, { origin, action: echo }: ActionEnvelope): boolean =>
  origin?.clientSeq === clientSeq && isEchoOf(action, echo);

/** Our own action came back. It may be anywhere in the list: hosts drop actions without a word. */
function answer(work: Work, envelope: ActionEnvelope): void {
  const entry = [...work.pending, ...work.unconfirmed].find((other) => isAnsweredBy(other, envelope));
  if (!entry) return;
  const { clientSeq } = entry;
  const group = entriesOf(work, entry.group);
  if (envelope.rejectionReason !== undefined) {
    for (const other of group) settle(work, other);
    work.rejections.push({ actions: group.map((other) => other.action), reason: envelope.rejectionReason });
    return;
  }
  // A host works in order: what it has not echoed of the same intent by now, it has dropped.
  const earlier = group.filter((other) => other.clientSeq < clientSeq && other.sends > 0);
  const evidence = work.confirmed && evidenceOf(work, work.confirmed, work.confirmed);
  settle(work, entry);
  if (evidence) closeUnproven(work, earlier, evidence, { isHeld: true });
}

/** Settles what the state proves, and sets the rest aside, unless nobody would miss any of it. */
function closeUnproven(
  work: Work,
  entries: readonly PendingAction[],
  evidence: (entry: PendingAction) => Evidence,
  mark: Pick<PendingAction, 'isHeld'> = {},
): void {
  const unproven = entries.filter((entry) => !isProven(entry.action, evidence(entry)));
  const isWorthAsking = unproven.some((entry) => !isQuiet(entry.action));
  for (const entry of entries) {
    if (isWorthAsking && unproven.includes(entry)) setAside(work, { ...entry, ...mark });
    else settle(work, entry);
  }
}

/** The turn ended before the stop was heard; that is what was wanted, and no reason for a refusal to be shown. */
function dropLateStops(work: Work, before: ChatState | undefined): void {
  const ended = before?.activeTurn?.id;
  if (ended === undefined || ended === work.confirmed?.activeTurn?.id) return;
  for (const entry of work.pending) {
    if (entry.action.type === 'chat/turnCancelled' && entry.action.turnId === ended) settle(work, entry);
  }
}

/** Decides about everything that was not sent over the present connection. `before` is what the person last saw. */
function judge(work: Work, before: ChatState | undefined): void {
  const now = work.confirmed;
  work.isCurrent = now !== undefined;
  if (!now) return;
  const evidence = evidenceOf(work, now, before);
  const held = new Set<string>();
  for (const entry of inOrder([...work.pending, ...work.unconfirmed])) {
    if (isProven(entry.action, evidence(entry))) {
      settle(work, entry);
    } else if (!entry.isHeld && entry.sentAt === undefined) {
      const verdict = verdictOn(entry.action, evidence(entry));
      if (verdict === 'drop') settle(work, entry);
      else if (verdict === 'ask') held.add(entry.group);
    }
  }
  for (const group of held) hold(work, group);
  // What had only expired goes out once more, now that the host is proven not to have it.
  const again = work.unconfirmed.filter((entry) => !entry.isHeld && entry.sentAt === undefined);
  if (again.length === 0) return;
  work.unconfirmed = work.unconfirmed.filter((entry) => !again.includes(entry));
  work.pending = inOrder([...work.pending, ...again]);
}

function evidenceOf(work: Work, now: ChatState, before: ChatState | undefined): (entry: PendingAction) => Evidence {
  const entries = [...work.pending, ...work.unconfirmed];
  const starting = new Set(
    entries.flatMap(({ action }) =>
      action.type === 'chat/turnStarted' && !isKnownTurn(now, action.turnId) ? [action.turnId] : [],
    ),
  );
  return ({ group, sends, sentAfter }) => ({
    now,
    before,
    sends,
    sentAfter,
    starting,
    group: entries.filter((other) => other.group === group).map((other) => other.action),
  });
}

/** Another turn runs, and nothing that goes out before the start cuts it off. */
function isInTheWay(confirmed: ChatState, start: PendingAction, pending: readonly PendingAction[]): boolean {
  const isCut = pending.some(
    (entry) =>
      entry.group === start.group && entry.clientSeq < start.clientSeq && entry.action.type === 'chat/truncated',
  );
  return confirmed.activeTurn !== undefined && !isCut;
}

const entriesOf = (work: Work, group: string): readonly PendingAction[] =>
  inOrder([...work.pending, ...work.unconfirmed].filter((entry) => entry.group === group));

function remove(work: Work, entry: PendingAction): void {
  const isOther = (other: PendingAction): boolean => other.clientSeq !== entry.clientSeq;
  if (!work.pending.every(isOther)) work.pending = work.pending.filter(isOther);
  if (!work.unconfirmed.every(isOther)) work.unconfirmed = work.unconfirmed.filter(isOther);
}

function settle(work: Work, entry: PendingAction): void {
  remove(work, entry);
  work.settled.push(entry);
}

function setAside(work: Work, entry: PendingAction): void {
  remove(work, entry);
  work.unconfirmed = inOrder([...work.unconfirmed, entry]);
  work.changed.push(entry);
}

/** Sets a whole intent aside until the person decides. */
function hold(work: Work, group: string): void {
  for (const entry of entriesOf(work, group)) setAside(work, { ...entry, isHeld: true });
}
