/**
 * Builders for what a client may dispatch to a chat. Ids and times are handed in: nothing here makes one up. What a host
 * of the negotiated version may be sent is decided later, in `client/to-wire.ts`. Source: AHP, chat actions.
 */

import type {
  ChatDraftChangedAction,
  ChatInputAnswerChangedAction,
  ChatInputCompletedAction,
  ChatIsArchivedChangedAction,
  ChatIsReadChangedAction,
  ChatPendingMessageRemovedAction,
  ChatPendingMessageSetAction,
  ChatQueuedMessagesReorderedAction,
  ChatSteeringMessageSetAction,
  ChatToolCallApprovedAction,
  ChatToolCallCompleteAction,
  ChatToolCallContentChangedAction,
  ChatToolCallDeniedAction,
  ChatToolCallResultConfirmedAction,
  ChatTruncatedAction,
  ChatTurnCancelledAction,
  ChatTurnResumeAction,
  ChatTurnStartedAction,
  ChatWorkingDirectoryRemovedAction,
  ChatWorkingDirectorySetAction,
  ClientChatAction,
} from '../protocol/actions.js';
import { MetaKey } from '../protocol/meta.js';
import { compose, isRecord } from '../protocol/record.js';
import type {
  InputAnswer,
  InputResponse,
  Message,
  MessageAttachment,
  ModelSelection,
  PendingMessageKind,
  Timestamp,
  ToolCallResult,
  ToolResultContent,
  URI,
} from '../protocol/state.js';

/** Names one call of one turn. */
export interface CallAddress {
  readonly turnId: string;
  readonly toolCallId: string;
}

/** A message of the person in front of the screen; clients send no other. */
export function userMessage(
  text: string,
  extras: {
    readonly attachments?: readonly MessageAttachment[];
    readonly model?: ModelSelection;
    readonly agent?: { readonly uri: URI };
  } = {},
): Message {
  const attachments = extras.attachments?.length ? extras.attachments : undefined;
  return compose({ text, origin: { kind: 'user' as const } }, { ...extras, attachments });
}

/** `startedAt` is an ISO 8601 timestamp in UTC with milliseconds. */
export const turnStarted = (turnId: string, message: Message, startedAt: Timestamp): ChatTurnStartedAction => ({
  type: 'chat/turnStarted',
  turnId,
  startedAt,
  message,
});

/** `durationMs` is measured by a monotonic clock from when the turn was first seen here. */
export const turnCancelled = (turnId: string, durationMs: number): ChatTurnCancelledAction => ({
  type: 'chat/turnCancelled',
  turnId,
  duration: Math.max(0, Math.round(durationMs)),
});

export const turnResume = (turnId: string): ChatTurnResumeAction => ({ type: 'chat/turnResume', turnId });

/** Keeps everything up to and including `turnId`; without it, nothing. */
export const truncated = (turnId?: string): ChatTruncatedAction =>
  compose({ type: 'chat/truncated' as const }, { turnId });

/**
 * The intent *edit and send again*: cut the turn with everything after it off, then start `message` in its place.
 * `keptTurnId` is the turn before it, absent for the first one.
 */
export const editAndResend = (
  keptTurnId: string | undefined,
  start: ChatTurnStartedAction,
): readonly [ChatTruncatedAction, ChatTurnStartedAction] => [truncated(keptTurnId), start];

/**
 * Queues a message, or steers the running turn with it. The message carries its own id in `_meta`, which proves later that
 * the host has taken it, whatever it did with the queue in between. `joins` are the messages that stand in it and whose
 * place it takes.
 */
export const pendingMessageSet = (
  kind: PendingMessageKind,
  id: string,
  message: Message,
  joins: readonly string[] = [],
): ChatPendingMessageSetAction => ({
  type: 'chat/pendingMessageSet',
  kind,
  id,
  message: markPending(message, id, joins.length ? { joins } : {}),
});

/**
 * Changes a message that waits. The mark stays on this device and says that the message must be there already: one that
 * the host has taken meanwhile is not to be queued a second time.
 */
export const pendingMessageEdited = (
  kind: PendingMessageKind,
  id: string,
  message: Message,
): ChatPendingMessageSetAction => ({
  type: 'chat/pendingMessageSet',
  kind,
  id,
  message: markPending(message, id, { edits: true }),
});

export const pendingMessageRemoved = (kind: PendingMessageKind, id: string): ChatPendingMessageRemovedAction => ({
  type: 'chat/pendingMessageRemoved',
  kind,
  id,
});

/** Only for hosts with the list form of steering. */
export const steeringMessageSet = (id: string, message: Message): ChatSteeringMessageSetAction => ({
  type: 'chat/steeringMessageSet',
  steeringMessage: { id, message: markPending(message, id) },
});

function markPending(message: Message, id: string, more: Readonly<Record<string, unknown>> = {}): Message {
  const mark = message._meta?.[MetaKey.pending];
  const own = isRecord(mark) && mark.id === id ? mark : {};
  return { ...message, _meta: { ...message._meta, [MetaKey.pending]: { ...own, id, ...more } } };
}

/** The same message for the queue, where the chat turned out to be busy. */
export const queueInstead = (start: ChatTurnStartedAction, id: string): ChatPendingMessageSetAction =>
  pendingMessageSet('queued', id, start.message);

/** Unnamed messages keep their order behind the named ones. */
export const queuedMessagesReordered = (order: readonly string[]): ChatQueuedMessagesReorderedAction => ({
  type: 'chat/queuedMessagesReordered',
  order,
});

/** Without a draft the host's is cleared. */
export const draftChanged = (draft?: Message): ChatDraftChangedAction =>
  compose({ type: 'chat/draftChanged' as const }, { draft });

/** `editedToolInput` only for a call that is `editable` and whose input is text. */
export const toolCallApproved = (
  call: CallAddress,
  choice: { readonly selectedOptionId?: string; readonly editedToolInput?: string } = {},
): ChatToolCallApprovedAction =>
  compose(address('chat/toolCallConfirmed', call), { approved: true as const, confirmed: 'user-action' }, choice);

/** `skipped` is a call that was passed over, `denied` one that was refused. */
export const toolCallDenied = (
  call: CallAddress,
  choice: {
    readonly reason?: 'denied' | 'skipped';
    readonly selectedOptionId?: string;
    /** What the agent should do instead. */
    readonly userSuggestion?: Message;
  } = {},
): ChatToolCallDeniedAction =>
  compose(address('chat/toolCallConfirmed', call), { approved: false as const, reason: 'denied' as const }, choice);

export const toolCallResultConfirmed = (call: CallAddress, approved: boolean): ChatToolCallResultConfirmedAction =>
  compose(address('chat/toolCallResultConfirmed', call), { approved });

/** Reports the result of a tool that the page contributes, or gives up a call that waits for a token. */
export const toolCallComplete = (call: CallAddress, result: ToolCallResult): ChatToolCallCompleteAction =>
  compose(address('chat/toolCallComplete', call), { result });

/** Ends a call that waits for authentication: nothing ran, so it can only fail. */
export const toolCallAuthCancelled = (call: CallAddress, message: string): ChatToolCallCompleteAction =>
  toolCallComplete(call, { success: false, pastTenseMessage: message, error: { message, code: 'cancelled' } });

/** The whole content so far, each time. */
export const toolCallContentChanged = (
  call: CallAddress,
  content: readonly ToolResultContent[],
): ChatToolCallContentChangedAction => compose(address('chat/toolCallContentChanged', call), { content });

/** Without an answer the question counts as untouched again. */
export const inputAnswerChanged = (
  requestId: string,
  questionId: string,
  answer?: InputAnswer,
): ChatInputAnswerChangedAction =>
  compose({ type: 'chat/inputAnswerChanged' as const, requestId, questionId }, { answer });

export const inputCompleted = (
  requestId: string,
  response: InputResponse,
  answers?: Readonly<Record<string, InputAnswer>>,
): ChatInputCompletedAction => compose({ type: 'chat/inputCompleted' as const, requestId, response }, { answers });

export const isReadChanged = (isRead: boolean): ChatIsReadChangedAction => ({ type: 'chat/isReadChanged', isRead });

export const isArchivedChanged = (isArchived: boolean): ChatIsArchivedChangedAction => ({
  type: 'chat/isArchivedChanged',
  isArchived,
});

export const workingDirectorySet = (directory: URI): ChatWorkingDirectorySetAction => ({
  type: 'chat/workingDirectorySet',
  directory,
});

export const workingDirectoryRemoved = (directory: URI): ChatWorkingDirectoryRemovedAction => ({
  type: 'chat/workingDirectoryRemoved',
  directory,
});

const address = <Type extends ClientChatAction['type']>(
  type: Type,
  { turnId, toolCallId }: CallAddress,
): CallAddress & { readonly type: Type } => ({ type, turnId, toolCallId });
