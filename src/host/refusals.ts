/**
 * Which well-formed client actions the host refuses, and why, as the state stands. Pure. A reason starts with the name of
 * its rule; the rest is for people. Source: AHP, the validation table of the chat channel.
 */

import type {
  ChatAction,
  ChatInputAnswerChangedAction,
  ChatInputCompletedAction,
  ChatToolCallCompleteAction,
  ChatToolCallConfirmedAction,
  ChatTurnStartedAction,
} from '../protocol/actions.js';
import type {
  AgentCapabilities,
  ChatState,
  InputRequestPart,
  Message,
  SessionState,
  ToolCallState,
} from '../protocol/state.js';
import { compareVersions } from '../protocol/versions.js';
import { findResumable, isTaken, pendingIdsOf } from '../chat/selectors.js';
import { findAnswerFault, isAnswerFor, isSubmitted } from './answers.js';
import { findMessageFault, type MessageRules } from './messages.js';
import { indexOfTurn } from './window.js';

export interface RefusalContext {
  readonly chat: ChatState;
  readonly session: SessionState | undefined;
  readonly clientId: string;
  readonly protocolVersion: string;
  readonly capabilities: AgentCapabilities | undefined;
  /** Both sides have declared the list form of steering. */
  readonly hasSteeringList: boolean;
  readonly rules: MessageRules;
}

/** Why `action` is refused; `undefined` when it may pass. */
export function findRefusal(action: ChatAction, context: RefusalContext): string | undefined {
  const { chat } = context;
  return (
    findVersionRefusal(action, context) ??
    findReadOnlyRefusal(action, chat) ??
    findMessageRefusal(action, context) ??
    findStateRefusal(action, context)
  );
}

function findVersionRefusal(action: ChatAction, context: RefusalContext): string | undefined {
  switch (action.type) {
    case 'chat/isReadChanged':
    case 'chat/isArchivedChanged':
    case 'chat/turnResume':
      return compareVersions(context.protocolVersion, '0.9.0') < 0
        ? `not-dispatchable: "${action.type}" exists from 0.9.0 on.`
        : undefined;
    case 'chat/steeringMessageSet':
      return context.hasSteeringList ? undefined : 'not-dispatchable: the list of steering messages was not agreed on.';
    default:
      return undefined;
  }
}

/**
 * A read-only chat takes no messages and no changes of its turns. What somebody asks in it may be answered, and marks are
 * the reader's own.
 */
function findReadOnlyRefusal(action: ChatAction, chat: ChatState): string | undefined {
  if (chat.interactivity === undefined || chat.interactivity === 'full') return undefined;
  switch (action.type) {
    case 'chat/toolCallConfirmed':
    case 'chat/toolCallResultConfirmed':
    case 'chat/toolCallComplete':
    case 'chat/toolCallContentChanged':
    case 'chat/inputAnswerChanged':
    case 'chat/inputCompleted':
    case 'chat/isReadChanged':
    case 'chat/isArchivedChanged':
      return undefined;
    default:
      return 'read-only: nobody writes to this chat.';
  }
}

/** The message an action carries, if any. */
export function findMessage(action: ChatAction): Message | undefined {
  switch (action.type) {
    case 'chat/turnStarted':
    case 'chat/pendingMessageSet':
      return action.message;
    case 'chat/steeringMessageSet':
      return action.steeringMessage.message;
    case 'chat/draftChanged':
      return action.draft;
    case 'chat/toolCallConfirmed':
      return action.approved ? undefined : action.userSuggestion;
    default:
      return undefined;
  }
}

function findMessageRefusal(action: ChatAction, context: RefusalContext): string | undefined {
  const message = findMessage(action);
  return message && findMessageFault(message, context.rules);
}

function findStateRefusal(action: ChatAction, context: RefusalContext): string | undefined {
  const { chat } = context;
  switch (action.type) {
    case 'chat/turnStarted':
      return findStartRefusal(action, context);
    case 'chat/turnCancelled':
      return chat.activeTurn?.id === action.turnId ? undefined : 'not-active: that turn does not run.';
    case 'chat/turnResume':
      return findResumable(chat)?.id === action.turnId
        ? undefined
        : 'not-resumable: only a last turn that failed so is.';
    case 'chat/truncated':
      return action.turnId === undefined || indexOfTurn(chat, action.turnId) >= 0
        ? undefined
        : 'unknown-turn: the chat has no such finished turn.';
    case 'chat/toolCallConfirmed':
      return findConfirmRefusal(action, chat);
    case 'chat/toolCallResultConfirmed':
      return findCall(chat, action)?.status === 'pending-result-confirmation'
        ? undefined
        : 'not-pending: the call does not wait for its result to be confirmed.';
    case 'chat/toolCallComplete':
      return findCompleteRefusal(action, context);
    case 'chat/toolCallContentChanged': {
      const call = findCall(chat, action);
      return findOwnerRefusal(call, context) ?? (call?.status === 'running' ? undefined : NOT_RUNNING);
    }
    // A host that took it again would run the message twice.
    case 'chat/pendingMessageSet':
    case 'chat/steeringMessageSet': {
      const id = action.type === 'chat/pendingMessageSet' ? action.id : action.steeringMessage.id;
      if (isTaken(chat, id)) return 'already-taken: a turn was made of that message.';
      return isInPlaceOfAnother(action, chat) ? 'slot-taken: another steering message waits to be read.' : undefined;
    }
    case 'chat/pendingMessageRemoved': {
      const ids = action.kind === 'steering' ? [chat.steeringMessage?.id] : chat.queuedMessages?.map(({ id }) => id);
      return ids?.includes(action.id) ? undefined : 'unknown-message: no message of that kind and id is pending.';
    }
    case 'chat/inputAnswerChanged':
      return findAnswerRefusal(action, chat);
    case 'chat/inputCompleted':
      return findCompletionRefusal(action, chat);
    case 'chat/workingDirectorySet':
    case 'chat/workingDirectoryRemoved':
      return findDirectoryRefusal(action, context);
    default:
      return undefined;
  }
}

const NOT_RUNNING = 'not-running: the call does not run.';

function findStartRefusal(action: ChatTurnStartedAction, { chat, session }: RefusalContext): string | undefined {
  // A start that is known is taken without a word: the sender may not have heard of the first one.
  if (chat.activeTurn?.id === action.turnId || indexOfTurn(chat, action.turnId) >= 0) return undefined;
  if (chat.activeTurn) return 'turn-active: another turn runs.';
  const failed = session?.lifecycle === 'failed' || session?.lifecycle === 'creationFailed';
  return failed ? 'session-failed: the session could not be created.' : undefined;
}

function findCall(chat: ChatState, of: { readonly turnId: string; readonly toolCallId: string }) {
  if (chat.activeTurn?.id !== of.turnId) return undefined;
  for (const part of chat.activeTurn.responseParts) {
    if (part.kind === 'toolCall' && part.toolCall.toolCallId === of.toolCallId) return part.toolCall;
  }
  return undefined;
}

function findConfirmRefusal(action: ChatToolCallConfirmedAction, chat: ChatState): string | undefined {
  const call = findCall(chat, action);
  if (call?.status !== 'pending-confirmation') return 'not-pending: the call does not wait for a confirmation.';
  if (action.approved && action.editedToolInput !== undefined && call.editable !== true) {
    return 'not-editable: the input of this call is not to be changed.';
  }
  return undefined;
}

function findOwnerRefusal(call: ToolCallState | undefined, { clientId }: RefusalContext): string | undefined {
  if (!call) return 'unknown-call: the running turn has no such call.';
  const owner = call.contributor?.kind === 'client' ? call.contributor.clientId : undefined;
  return owner === clientId ? undefined : 'not-owner: another party runs this call.';
}

function findCompleteRefusal(action: ChatToolCallCompleteAction, context: RefusalContext): string | undefined {
  const call = findCall(context.chat, action);
  // Nothing has run after a challenge; anybody may give such a call up, nobody may say that it succeeded.
  if (call?.status === 'auth-required') {
    return action.result.success ? 'auth-required: the call cannot have succeeded without a token.' : undefined;
  }
  const refusal = findOwnerRefusal(call, context);
  if (refusal) return refusal;
  return call?.status === 'running' || call?.status === 'pending-confirmation' ? undefined : NOT_RUNNING;
}

function findOpenRequest(chat: ChatState, requestId: string): InputRequestPart | undefined {
  return chat.activeTurn?.responseParts.find(
    (part): part is InputRequestPart =>
      part.kind === 'inputRequest' && part.response === undefined && part.request.id === requestId,
  );
}

const NOT_OPEN = 'not-open: no such request is open.';

function findAnswerRefusal(action: ChatInputAnswerChangedAction, chat: ChatState): string | undefined {
  const open = findOpenRequest(chat, action.requestId);
  if (!open) return NOT_OPEN;
  const question = open.request.questions?.find(({ id }) => id === action.questionId);
  if (!question) return 'unknown-question: the request does not ask that.';
  if (action.answer === undefined || isAnswerFor(question, action.answer)) return undefined;
  return `wrong-answer: the answer does not fit a question of kind "${question.kind}".`;
}

function findCompletionRefusal(action: ChatInputCompletedAction, chat: ChatState): string | undefined {
  const open = findOpenRequest(chat, action.requestId);
  if (!open) return NOT_OPEN;
  const given = action.answers ?? {};
  const wrong = open.request.questions?.find((question) => {
    const answer = Object.hasOwn(given, question.id) ? given[question.id] : undefined;
    return answer !== undefined && !isAnswerFor(question, answer);
  });
  if (wrong) return `wrong-answer: the answer does not fit a question of kind "${wrong.kind}".`;
  if (action.response !== 'accept') return undefined;
  const answers = { ...open.request.answers, ...given };
  const unanswered = open.request.questions?.find((question) => question.required && !isSubmitted(question, answers));
  const broken = open.request.questions?.flatMap((question) => {
    const fault = findAnswerFault(question, Object.hasOwn(answers, question.id) ? answers[question.id] : undefined);
    return fault === undefined ? [] : [`wrong-answer: "${question.id}": ${fault}.`];
  });
  if (broken?.[0] !== undefined) return broken[0];
  return unanswered ? `unanswered: "${unanswered.id}" must be answered before the request is accepted.` : undefined;
}

/** The slot holds one; who puts a message there without the one that waits would take that away from somebody. */
function isInPlaceOfAnother(action: ChatAction, { steeringMessage }: ChatState): boolean {
  if (action.type !== 'chat/pendingMessageSet' || action.kind !== 'steering' || !steeringMessage) return false;
  return action.id !== steeringMessage.id && !pendingIdsOf(action.message).includes(steeringMessage.id);
}

function findDirectoryRefusal(
  action: Extract<ChatAction, { type: 'chat/workingDirectorySet' | 'chat/workingDirectoryRemoved' }>,
  { capabilities, chat, session }: RefusalContext,
): string | undefined {
  if (!capabilities?.multipleWorkingDirectories) return 'not-supported: the agent works in one set of directories.';
  const listed = action.type === 'chat/workingDirectorySet' ? session?.workingDirectories : chat.workingDirectories;
  return listed?.includes(action.directory) ? undefined : 'unknown-directory: it is not in the list.';
}
