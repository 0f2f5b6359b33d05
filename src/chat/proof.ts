/**
 * Two questions about an action whose echo never came, one row per action: does the host's state prove that it arrived, and
 * if not, may it be sent again? The tables of `reconcile.ts`, and its only caller. Source: AHP, exactly-once outbox.
 */

import type { ActionEnvelope, ChatAction, ChatInputCompletedAction, ClientChatAction } from '../protocol/actions.js';
import { MetaKey } from '../protocol/meta.js';
import { isEqual, isRecord } from '../protocol/record.js';
import type { ChatState, InputRequestPart, Message, PendingMessage, ToolCallState } from '../protocol/state.js';
import type { CallAddress } from './actions.js';
import { chatReducer } from './reducer.js';
import { findCall, findResumable, isTaken, openInputRequests, pendingIdsOf } from './selectors.js';
import { hasTurn } from './turn-ids.js';

/** What is known when an action is judged. */
export interface Evidence {
  /** The host's state now. */
  readonly now: ChatState;
  /** The host's state as the person last saw it; absent if nothing of it is left on this device. */
  readonly before: ChatState | undefined;
  /** How often the action went out; 0 if it never did. */
  readonly sends: number;
  /** The newest turn when it first went out. */
  readonly sentAfter: string | undefined;
  /** The other actions of the same intent. */
  readonly group: readonly ClientChatAction[];
  /** Turns this client has started without proof so far. */
  readonly starting: ReadonlySet<string>;
}

/** Send it (again); ask the person first; or let it go, because it would only undo what somebody did since. */
export type Verdict = 'send' | 'ask' | 'drop';

interface Rule<Action> {
  readonly isProven: (action: Action, evidence: Evidence) => boolean;
  /** For what is not proven. */
  readonly verdict: (action: Action, evidence: Evidence) => Verdict;
}

/** The last write wins: it is proven once it would change nothing, and harmless to send at any time. */
const lastWrite: Rule<ChatAction> = {
  isProven: (action, { now }) => chatReducer(now, action) === now,
  verdict: () => 'send',
};

const queuedMessage: Rule<{ readonly id: string; readonly message: Message }> = {
  isProven: ({ id, message }, { now }) =>
    isEdit(message) ? isAsChanged(findWaiting(now, id)?.message, message) : isWaiting(now, id) || isTaken(now, id),
  // A host may have made a turn of it and left our mark out: a turn we do not know could be the one.
  verdict: ({ id, message }, { now, sends, sentAfter }) => {
    if (isEdit(message)) return isWaiting(now, id) ? 'send' : 'ask';
    return sends === 0 || newestTurnId(now) === sentAfter ? 'send' : 'ask';
  },
};

const steeringMessage: typeof queuedMessage = {
  isProven: queuedMessage.isProven,
  // A turn that ran when it went out may have read it, of which no trace is left.
  verdict: (pending, evidence) => {
    const { sends, sentAfter, before } = evidence;
    const wasIdle = sentAfter === undefined || (before !== undefined && hasTurn(before.turns, sentAfter));
    const isSettledByTurns = isEdit(pending.message) || sends === 0 || wasIdle;
    return isSettledByTurns ? queuedMessage.verdict(pending, evidence) : 'ask';
  },
};

const rules: { readonly [Type in ClientChatAction['type']]: Rule<Extract<ClientChatAction, { type: Type }>> } = {
  'chat/turnStarted': {
    isProven: ({ turnId }, { now }) => isKnownTurn(now, turnId),
    // Whether another turn is in the way is asked at the moment of sending.
    verdict: () => 'send',
  },
  'chat/pendingMessageSet': {
    isProven: queuedMessage.isProven,
    verdict: (action, evidence) =>
      (action.kind === 'steering' ? steeringMessage : queuedMessage).verdict(action, evidence),
  },
  'chat/steeringMessageSet': {
    isProven: (action, evidence) => steeringMessage.isProven(action.steeringMessage, evidence),
    verdict: (action, evidence) => steeringMessage.verdict(action.steeringMessage, evidence),
  },
  'chat/pendingMessageRemoved': lastWrite,
  'chat/queuedMessagesReordered': lastWrite,
  'chat/isReadChanged': lastWrite,
  'chat/isArchivedChanged': lastWrite,
  'chat/inputAnswerChanged': lastWrite,
  'chat/workingDirectorySet': lastWrite,
  'chat/workingDirectoryRemoved': lastWrite,
  'chat/toolCallContentChanged': lastWrite,
  'chat/draftChanged': {
    isProven: lastWrite.isProven,
    // Somebody else's draft is not cleared by a message that was sent before it was written.
    verdict: (_, { now, before, group }) => {
      const isUntouched = before !== undefined && isEqual(before.draft, now.draft);
      const isSent = group.some((action) => isDraftOf(now.draft, messageOf(action)));
      return isUntouched || isSent ? 'send' : 'drop';
    },
  },
  'chat/toolCallConfirmed': {
    isProven: (address, { now }) => activeCall(now, address)?.status !== 'pending-confirmation',
    verdict: (address, evidence) =>
      isSameCall(address, evidence, ['invocationMessage', 'confirmationTitle', 'toolInput', 'edits']),
  },
  'chat/toolCallResultConfirmed': {
    isProven: (address, { now }) => activeCall(now, address)?.status !== 'pending-result-confirmation',
    verdict: (address, evidence) =>
      isSameCall(address, evidence, ['pastTenseMessage', 'content', 'structuredContent', 'success']),
  },
  'chat/toolCallComplete': {
    // The tool has run; whatever happens, it does not run again.
    isProven: (address, { now }) => {
      const status = activeCall(now, address)?.status;
      return status !== 'running' && status !== 'pending-confirmation' && status !== 'auth-required';
    },
    verdict: () => 'send',
  },
  'chat/inputCompleted': {
    // Closed by somebody else, or with its turn, before ours was taken: what was written here is offered back.
    isProven: (action, { now, sends }) =>
      !openInputRequests(now).some((part) => part.request.id === action.requestId) &&
      (action.answers === undefined || (sends > 0 && holdsAnswers(now, action))),
    verdict: ({ requestId }, { now }) =>
      openInputRequests(now).some((part) => part.request.id === requestId) ? 'send' : 'ask',
  },
  'chat/turnCancelled': {
    isProven: ({ turnId }, { now, starting }) => now.activeTurn?.id !== turnId && !starting.has(turnId),
    verdict: () => 'send',
  },
  'chat/turnResume': {
    isProven: ({ turnId }, { now }) =>
      now.activeTurn?.id === turnId || now.turns.findLast((turn) => turn.id === turnId)?.state !== 'error',
    verdict: ({ turnId }, { now }) => (findResumable(now)?.id === turnId ? 'send' : 'ask'),
  },
  'chat/truncated': {
    isProven: ({ turnId }, { now, before, group }) => {
      if (turnId !== undefined && !hasTurn(now.turns, turnId)) return false;
      const cut = turnIdsAfter(before ?? now, turnId);
      return cut.every((id) => !isKnownTurn(now, id) || isStartedBy(group, id));
    },
    // Never twice, and not at all if it would cut off turns that nobody here has seen.
    verdict: ({ turnId }, { now, before, sends }) => {
      if (sends > 0 || !before) return 'ask';
      return turnIdsAfter(now, turnId).every((id) => isKnownTurn(before, id)) ? 'send' : 'ask';
    },
  },
};

/** Whether the host is proven to have the action, or it is of no use any more. */
export const isProven = (action: ClientChatAction, evidence: Evidence): boolean =>
  ruleFor(action).isProven(action, evidence);

/**
 * Whether `echo`, which came back under the number of `action`, is what a host has made of it. The copy of a tab may have
 * used the number before.
 */
export function isEchoOf(action: ClientChatAction, echo: ActionEnvelope['action']): boolean {
  if (toFamily(action) !== toFamily(echo)) return false;
  const given = toIds(action);
  return toIds(echo).every((id, index) => id === undefined || given[index] === undefined || id === given[index]);
}

/** A host without a list of steering messages is sent one for its queue. */
const toFamily = ({ type }: ActionEnvelope['action']): string =>
  type === 'chat/steeringMessageSet' ? 'chat/pendingMessageSet' : type;

function toIds(action: ActionEnvelope['action']): readonly unknown[] {
  const named = 'steeringMessage' in action && isRecord(action.steeringMessage) ? action.steeringMessage : action;
  const keys: Readonly<Record<string, unknown>> = { ...action, ...named };
  return ['turnId', 'toolCallId', 'requestId', 'questionId', 'id'].map((key) => keys[key]);
}

/** What to do with an action that is not proven. */
export const verdictOn = (action: ClientChatAction, evidence: Evidence): Verdict =>
  ruleFor(action).verdict(action, evidence);

/** Each row takes the action of its own type; the table's type says so, and TypeScript cannot follow the index. */
const ruleFor = (action: ClientChatAction): Rule<ClientChatAction> => rules[action.type] as Rule<ClientChatAction>;

/** The turn that runs, else the last one. */
export const newestTurnId = (state: ChatState): string | undefined => state.activeTurn?.id ?? state.turns.at(-1)?.id;

/** Whether the turn runs or has run. */
export const isKnownTurn = (state: ChatState, turnId: string): boolean =>
  state.activeTurn?.id === turnId || hasTurn(state.turns, turnId);

/** Whether the message stands in the slot, the list or the queue, by itself or as a part of another one. */
export const isWaiting = (state: ChatState, id: string): boolean => findWaiting(state, id) !== undefined;

function findWaiting(state: ChatState, id: string): PendingMessage | undefined {
  const { steeringMessage, steeringMessages = [], queuedMessages = [] } = state;
  const all = [...(steeringMessage ? [steeringMessage] : []), ...steeringMessages, ...queuedMessages];
  return all.find((entry) => entry.id === id || pendingIdsOf(entry.message).includes(id));
}

/** Whether the action changes a message that waited and, as `state` has it, waits no more. */
export const isLateEdit = (action: ClientChatAction, state: ChatState): boolean =>
  action.type === 'chat/pendingMessageSet' && isEdit(action.message) && !isWaiting(state, action.id);

/** A draft goes to the host without bytes. */
function isDraftOf(draft: Message | undefined, sent: Message | undefined): boolean {
  if (draft?.text !== sent?.text) return false;
  return (draft?.attachments ?? []).every((kept) => sent?.attachments?.some((each) => isEqual(each, kept)));
}

/** Whether `theirs` has all that a person put into `ours`; one attachment is not told from another by its name. */
export const hasContent = (theirs: Message, ours: Message): boolean =>
  theirs.text === ours.text && isEqual(theirs.attachments ?? [], ours.attachments ?? []);

function isAsChanged(theirs: Message | undefined, ours: Message): boolean {
  if (!theirs || !hasContent(theirs, ours)) return false;
  return isEqual(theirs.model, ours.model) && isEqual(theirs.agent, ours.agent);
}

function isEdit({ _meta }: Message): boolean {
  const mark = _meta?.[MetaKey.pending];
  return isRecord(mark) && mark.edits === true;
}

/** The message an action carries to the host. */
export function messageOf(action: ClientChatAction): Message | undefined {
  if (action.type === 'chat/turnStarted' || action.type === 'chat/pendingMessageSet') return action.message;
  return action.type === 'chat/steeringMessageSet' ? action.steeringMessage.message : undefined;
}

const activeCall = (state: ChatState, { turnId, toolCallId }: CallAddress): ToolCallState | undefined =>
  state.activeTurn?.id === turnId ? findCall(state.activeTurn, toolCallId) : undefined;

/** An answer goes out late only to the question that was on screen. */
function isSameCall(address: CallAddress, { now, before }: Evidence, shown: readonly string[]): Verdict {
  const asked = before && activeCall(before, address);
  const asks = activeCall(now, address);
  if (!asked || asked.status !== asks?.status) return 'ask';
  const pick = (call: ToolCallState): unknown => shown.map((key) => call[key as keyof ToolCallState]);
  return isEqual(pick(asked), pick(asks)) ? 'send' : 'ask';
}

/** Whether the request was closed with these answers, as far as the host keeps any. */
function holdsAnswers(state: ChatState, { requestId, response, answers = {} }: ChatInputCompletedAction): boolean {
  const turns = state.activeTurn ? [...state.turns, state.activeTurn] : state.turns;
  const part = turns
    .flatMap(({ responseParts }) => responseParts)
    .findLast((each): each is InputRequestPart => each.kind === 'inputRequest' && each.request?.id === requestId);
  if (!part || part.response !== response) return false;
  const kept = part.request.answers;
  return !kept || Object.entries(answers).every(([id, answer]) => Object.hasOwn(kept, id) && isEqual(kept[id], answer));
}

const isStartedBy = (group: readonly ClientChatAction[], turnId: string): boolean =>
  group.some((action) => action.type === 'chat/turnStarted' && action.turnId === turnId);

/** The ids of all turns behind `turnId`, the running one included; of all turns without it. */
function turnIdsAfter(state: ChatState, turnId: string | undefined): readonly string[] {
  const cut = turnId === undefined ? -1 : state.turns.findIndex((turn) => turn.id === turnId);
  const ids = state.turns.slice(cut + 1).map((turn) => turn.id);
  return state.activeTurn ? [...ids, state.activeTurn.id] : ids;
}
