/**
 * The actions of the chat, session, root and terminal channels, and the envelope they arrive in. Types, plus the list of
 * what a client may dispatch. Source: AHP, chat channel actions and the tables of the other channels.
 */

import type {
  ActiveClient,
  AgentInfo,
  BackgroundWork,
  CancellationReason,
  ChatInputRequest,
  ChatSummary,
  ConfirmationOption,
  Customization,
  ErrorInfo,
  ErrorPart,
  FileEdit,
  InputAnswer,
  InputResponse,
  McpAuthRequirement,
  McpServerState,
  Message,
  Meta,
  PendingMessage,
  PendingMessageKind,
  ResponsePart,
  RiskAssessment,
  SessionInputRequest,
  StringOrMarkdown,
  TerminalClaim,
  TerminalInfo,
  Timestamp,
  ToolCallResult,
  ToolConfirmed,
  ToolContributor,
  ToolDefinition,
  ToolInput,
  ToolResultContent,
  Turn,
  URI,
  UsageInfo,
} from './state.js';

interface Action<Type extends string> {
  readonly type: Type;
  readonly _meta?: Meta;
}

interface TurnAction<Type extends string> extends Action<Type> {
  readonly turnId: string;
}

interface ToolAction<Type extends string> extends TurnAction<Type> {
  readonly toolCallId: string;
}

/* ---------------------------------------------------------------- chat */

export interface ChatTurnStartedAction extends TurnAction<'chat/turnStarted'> {
  readonly startedAt: Timestamp;
  readonly message: Message;
  /** The pending message this turn consumes. */
  readonly queuedMessageId?: string;
}

export interface ChatDeltaAction extends TurnAction<'chat/delta'> {
  readonly partId: string;
  readonly content: string;
}

export interface ChatReasoningAction extends TurnAction<'chat/reasoning'> {
  readonly partId: string;
  readonly content: string;
}

export interface ChatResponsePartAction extends TurnAction<'chat/responsePart'> {
  readonly part: ResponsePart;
}

export interface ChatToolCallStartAction extends ToolAction<'chat/toolCallStart'> {
  readonly toolName: string;
  readonly displayName: string;
  readonly intention?: string;
  readonly contributor?: ToolContributor;
}

export interface ChatToolCallDeltaAction extends ToolAction<'chat/toolCallDelta'> {
  readonly content?: string;
  readonly invocationMessage?: StringOrMarkdown;
}

export interface ChatToolCallReadyAction extends ToolAction<'chat/toolCallReady'> {
  readonly invocationMessage: StringOrMarkdown;
  readonly toolInput?: ToolInput;
  readonly confirmationTitle?: StringOrMarkdown;
  readonly riskAssessment?: RiskAssessment;
  readonly edits?: { readonly items: readonly FileEdit[] };
  readonly editable?: boolean;
  /** Given: the call runs at once. Absent: somebody must confirm it. */
  readonly confirmed?: ToolConfirmed;
  readonly options?: readonly ConfirmationOption[];
  readonly contributor?: ToolContributor;
  readonly intention?: string;
}

export interface ChatToolCallApprovedAction extends ToolAction<'chat/toolCallConfirmed'> {
  readonly approved: true;
  readonly confirmed: ToolConfirmed;
  readonly editedToolInput?: string;
  readonly selectedOptionId?: string;
}

export interface ChatToolCallDeniedAction extends ToolAction<'chat/toolCallConfirmed'> {
  readonly approved: false;
  readonly reason: CancellationReason;
  readonly userSuggestion?: Message;
  readonly reasonMessage?: StringOrMarkdown;
  readonly selectedOptionId?: string;
}

export type ChatToolCallConfirmedAction = ChatToolCallApprovedAction | ChatToolCallDeniedAction;

export interface ChatToolCallCompleteAction extends ToolAction<'chat/toolCallComplete'> {
  readonly result: ToolCallResult;
  readonly requiresResultConfirmation?: boolean;
}

export interface ChatToolCallResultConfirmedAction extends ToolAction<'chat/toolCallResultConfirmed'> {
  readonly approved: boolean;
}

export interface ChatToolCallContentChangedAction extends ToolAction<'chat/toolCallContentChanged'> {
  readonly content: readonly ToolResultContent[];
}

export interface ChatToolCallAuthRequiredAction extends ToolAction<'chat/toolCallAuthRequired'> {
  readonly auth: McpAuthRequirement;
}

export type ChatToolCallAuthResolvedAction = ToolAction<'chat/toolCallAuthResolved'>;

export interface ChatTurnCompleteAction extends TurnAction<'chat/turnComplete'> {
  /** Milliseconds. */
  readonly duration?: number;
}

export interface ChatTurnCancelledAction extends TurnAction<'chat/turnCancelled'> {
  readonly duration?: number;
}

export interface ChatErrorAction extends TurnAction<'chat/error'> {
  readonly duration?: number;
  /** Up to 0.8. */
  readonly error?: ErrorInfo;
  /** From 0.9; wins over `error`. */
  readonly part?: ErrorPart;
}

export type ChatTurnResumeAction = TurnAction<'chat/turnResume'>;

export interface ChatUsageAction extends TurnAction<'chat/usage'> {
  readonly usage: UsageInfo;
}

export interface ChatActivityChangedAction extends Action<'chat/activityChanged'> {
  readonly activity?: string;
}

export interface ChatWorkingDirectorySetAction extends Action<'chat/workingDirectorySet'> {
  readonly directory: URI;
}

export interface ChatWorkingDirectoryRemovedAction extends Action<'chat/workingDirectoryRemoved'> {
  readonly directory: URI;
}

export interface ChatTruncatedAction extends Action<'chat/truncated'> {
  /** The last turn that stays; absent removes all. */
  readonly turnId?: string;
}

export interface ChatTurnsLoadedAction extends Action<'chat/turnsLoaded'> {
  readonly turns: readonly Turn[];
  readonly turnsNextCursor?: string;
}

export interface ChatPendingMessageSetAction extends Action<'chat/pendingMessageSet'> {
  readonly kind: PendingMessageKind;
  readonly id: string;
  readonly message: Message;
}

export interface ChatPendingMessageRemovedAction extends Action<'chat/pendingMessageRemoved'> {
  readonly kind: PendingMessageKind;
  readonly id: string;
}

export interface ChatQueuedMessagesReorderedAction extends Action<'chat/queuedMessagesReordered'> {
  readonly order: readonly string[];
}

export interface ChatSteeringMessageSetAction extends Action<'chat/steeringMessageSet'> {
  readonly steeringMessage: PendingMessage;
}

export interface ChatSteeringMessageRemovedAction extends Action<'chat/steeringMessageRemoved'> {
  readonly id: string;
}

export interface ChatDraftChangedAction extends Action<'chat/draftChanged'> {
  readonly draft?: Message;
}

export interface ChatInputRequestedAction extends Action<'chat/inputRequested'> {
  readonly request: ChatInputRequest;
}

export interface ChatInputAnswerChangedAction extends Action<'chat/inputAnswerChanged'> {
  readonly requestId: string;
  readonly questionId: string;
  readonly answer?: InputAnswer;
}

export interface ChatInputCompletedAction extends Action<'chat/inputCompleted'> {
  readonly requestId: string;
  readonly response: InputResponse;
  readonly answers?: Readonly<Record<string, InputAnswer>>;
}

export interface ChatIsReadChangedAction extends Action<'chat/isReadChanged'> {
  readonly isRead: boolean;
}

export interface ChatIsArchivedChangedAction extends Action<'chat/isArchivedChanged'> {
  readonly isArchived: boolean;
}

export interface ChatChangesetsChangedAction extends Action<'chat/changesetsChanged'> {
  readonly changesets?: unknown;
}

export interface ChatBackgroundWorkSetAction extends Action<'chat/backgroundWorkSet'> {
  readonly work: BackgroundWork;
}

export interface ChatBackgroundWorkRemovedAction extends Action<'chat/backgroundWorkRemoved'> {
  readonly id: string;
}

export interface ChatMovableChangedAction extends Action<'chat/movableChanged'> {
  readonly movable?: boolean;
}

export type ChatAction =
  | ChatTurnStartedAction
  | ChatDeltaAction
  | ChatReasoningAction
  | ChatResponsePartAction
  | ChatToolCallStartAction
  | ChatToolCallDeltaAction
  | ChatToolCallReadyAction
  | ChatToolCallConfirmedAction
  | ChatToolCallCompleteAction
  | ChatToolCallResultConfirmedAction
  | ChatToolCallContentChangedAction
  | ChatToolCallAuthRequiredAction
  | ChatToolCallAuthResolvedAction
  | ChatTurnCompleteAction
  | ChatTurnCancelledAction
  | ChatErrorAction
  | ChatTurnResumeAction
  | ChatUsageAction
  | ChatActivityChangedAction
  | ChatWorkingDirectorySetAction
  | ChatWorkingDirectoryRemovedAction
  | ChatTruncatedAction
  | ChatTurnsLoadedAction
  | ChatPendingMessageSetAction
  | ChatPendingMessageRemovedAction
  | ChatQueuedMessagesReorderedAction
  | ChatSteeringMessageSetAction
  | ChatSteeringMessageRemovedAction
  | ChatDraftChangedAction
  | ChatInputRequestedAction
  | ChatInputAnswerChangedAction
  | ChatInputCompletedAction
  | ChatIsReadChangedAction
  | ChatIsArchivedChangedAction
  | ChatChangesetsChangedAction
  | ChatBackgroundWorkSetAction
  | ChatBackgroundWorkRemovedAction
  | ChatMovableChangedAction;

/** What a client may dispatch to a chat. Tool completion and content are for the client that contributes the tool. */
export const clientChatActionTypes = [
  'chat/turnStarted',
  'chat/toolCallConfirmed',
  'chat/toolCallComplete',
  'chat/toolCallResultConfirmed',
  'chat/toolCallContentChanged',
  'chat/turnCancelled',
  'chat/turnResume',
  'chat/workingDirectorySet',
  'chat/workingDirectoryRemoved',
  'chat/truncated',
  'chat/pendingMessageSet',
  'chat/pendingMessageRemoved',
  'chat/queuedMessagesReordered',
  'chat/steeringMessageSet',
  'chat/draftChanged',
  'chat/inputAnswerChanged',
  'chat/inputCompleted',
  'chat/isReadChanged',
  'chat/isArchivedChanged',
] as const satisfies readonly ChatAction['type'][];

export type ClientChatAction = Extract<ChatAction, { type: (typeof clientChatActionTypes)[number] }>;

/* ---------------------------------------------------------------- session */

export type SessionAction =
  | Action<'session/ready'>
  | (Action<'session/creationFailed'> & { readonly error: ErrorInfo })
  | (Action<'session/chatAdded'> & { readonly summary: ChatSummary })
  | (Action<'session/chatRemoved'> & { readonly chat: URI })
  | (Action<'session/chatUpdated'> & { readonly chat: URI; readonly changes: Partial<ChatSummary> })
  | (Action<'session/defaultChatChanged'> & { readonly defaultChat?: URI })
  | (Action<'session/titleChanged'> & { readonly title: string })
  | (Action<'session/isReadChanged'> & { readonly isRead: boolean })
  | (Action<'session/isArchivedChanged'> & { readonly isArchived: boolean })
  | (Action<'session/activityChanged'> & { readonly activity?: string })
  | (Action<'session/activeClientSet'> & { readonly activeClient: ActiveClient })
  | (Action<'session/activeClientRemoved'> & { readonly clientId: string })
  | (Action<'session/serverToolsChanged'> & { readonly tools: readonly ToolDefinition[] })
  | (Action<'session/configChanged'> & {
      readonly config: Readonly<Record<string, unknown>>;
      readonly replace?: boolean;
    })
  | (Action<'session/inputNeededSet'> & { readonly request: SessionInputRequest })
  | (Action<'session/inputNeededRemoved'> & { readonly id: string })
  | (Action<'session/customizationsChanged'> & { readonly customizations: readonly Customization[] })
  | (Action<'session/customizationUpdated'> & { readonly customization: Customization })
  | (Action<'session/customizationRemoved'> & { readonly id: string })
  | (Action<'session/customizationToggled'> & { readonly id: string; readonly enabled: boolean })
  | (Action<'session/mcpServerStateChanged'> & {
      readonly id: string;
      readonly state: McpServerState;
      readonly channel?: URI;
    })
  | (Action<'session/metaChanged'> & { readonly _meta?: Meta });

/** What a client dispatches to a session; it waits for the echo. */
export type ClientSessionAction = Extract<
  SessionAction,
  {
    type:
      | 'session/titleChanged'
      | 'session/isReadChanged'
      | 'session/isArchivedChanged'
      | 'session/activeClientSet'
      | 'session/activeClientRemoved'
      | 'session/configChanged';
  }
>;

/* ---------------------------------------------------------------- root */

export type RootAction =
  | (Action<'root/agentsChanged'> & { readonly agents: readonly AgentInfo[] })
  | (Action<'root/activeSessionsChanged'> & { readonly activeSessions: number })
  | (Action<'root/terminalsChanged'> & { readonly terminals: readonly TerminalInfo[] })
  | (Action<'root/configChanged'> & { readonly config: Readonly<Record<string, unknown>>; readonly replace?: boolean });

/* ---------------------------------------------------------------- terminal */

export type TerminalAction =
  | (Action<'terminal/data'> & { readonly data: string })
  | (Action<'terminal/commandExecuted'> & {
      readonly commandId: string;
      readonly commandLine: string;
      readonly timestamp: number;
    })
  | (Action<'terminal/commandFinished'> & {
      readonly commandId: string;
      readonly exitCode?: number;
      readonly durationMs?: number;
    })
  | Action<'terminal/commandDetectionAvailable'>
  | (Action<'terminal/exited'> & { readonly exitCode?: number })
  | Action<'terminal/cleared'>
  | (Action<'terminal/titleChanged'> & { readonly title: string })
  | (Action<'terminal/cwdChanged'> & { readonly cwd: URI })
  | (Action<'terminal/resized'> & { readonly cols: number; readonly rows: number })
  | (Action<'terminal/claimed'> & { readonly claim: TerminalClaim });

/* ---------------------------------------------------------------- on the wire */

/** An action of a later version. It leaves every state as it is. */
export interface UnknownAction {
  readonly type: string;
}

export type StateAction = ChatAction | SessionAction | RootAction | TerminalAction;

export interface ActionOrigin {
  readonly clientId: string;
  readonly clientSeq: number;
}

/** One action as the host sends it. */
export interface ActionEnvelope<A = StateAction | UnknownAction> {
  /** The routing key; inner actions never carry it. */
  readonly channel: URI;
  readonly action: A;
  /** One strictly increasing counter for the whole host; a subscriber sees gaps. May exceed 32 bits. */
  readonly serverSeq: number;
  /** Absent for the host's own actions. */
  readonly origin?: ActionOrigin;
  /** Present: the host refused this client action, and it is never applied. */
  readonly rejectionReason?: string;
}
