/**
 * The state of the channels a chat client meets, as AHP words it. Types only: reading them off the wire is `parse.ts`.
 *
 * Every shape of protocol 0.6 – 1.0 is readable at all times. Sets that may grow are `Open<…>`: a value of a later
 * version is kept and shown plainly. Unknown keys travel along unseen. Source: AHP, chat, session, root and terminal
 * channels; the collection attachment is upstream's open proposal. One file, because these types name each other in
 * circles.
 */

/** An opaque identifier: compared byte for byte, never normalised, never taken apart. */
export type URI = string;

/** ISO 8601 in UTC with milliseconds, for example `2026-07-31T09:30:00.000Z`. */
export type Timestamp = string;

/** A plain string is shown literally; `{ markdown }` is rendered as Markdown. */
export type StringOrMarkdown = string | { readonly markdown: string };

/** A set of known words that later versions may extend. */
export type Open<Known extends string> = Known | (string & {});

/** What nobody needs to understand a thing, keyed by namespaced names. */
export type Meta = Readonly<Record<string, unknown>>;

export interface ErrorInfo {
  readonly errorType: string;
  readonly message: string;
  /** Kept out of the default view. */
  readonly stack?: string;
  readonly _meta?: Meta;
}

/** Content that is read on demand with `resourceRead`. */
export interface ContentRef {
  readonly uri: URI;
  /** Bytes, as the host guesses them. */
  readonly sizeHint?: number;
  readonly contentType?: string;
  /** Changes whenever the content behind `uri` does. */
  readonly nonce?: string;
}

/* ---------------------------------------------------------------- status */

/** The unsigned 32-bit status field of a chat or session: five activity bits and flags. Unknown bits are preserved. */
export const Status = {
  Idle: 1,
  Error: 2,
  InProgress: 8,
  InputNeeded: 24,
  IsRead: 32,
  IsArchived: 64,
  ActivityMask: 31,
} as const;

/* ---------------------------------------------------------------- messages */

export type MessageOriginKind = Open<'user' | 'agent' | 'tool' | 'systemNotification' | 'automation'>;

export interface ModelSelection {
  readonly id: string;
  readonly config?: Readonly<Record<string, string | number | boolean | null>>;
}

export interface Message {
  readonly text: string;
  readonly origin: { readonly kind: MessageOriginKind };
  readonly attachments?: readonly MessageAttachment[];
  readonly model?: ModelSelection;
  readonly agent?: { readonly uri: URI };
  readonly _meta?: Meta;
}

export interface TextPosition {
  /** Zero-based; lines are split at `\n`. */
  readonly line: number;
  /** UTF-16 units within the line. */
  readonly character: number;
}

/** Half-open. */
export interface TextRange {
  readonly start: TextPosition;
  readonly end: TextPosition;
}

interface AttachmentBase {
  readonly label: string;
  readonly range?: TextRange;
  readonly displayKind?: Open<'image' | 'document' | 'symbol' | 'directory' | 'selection' | 'element'>;
  readonly _meta?: Meta;
}

export interface SimpleAttachment extends AttachmentBase {
  readonly type: 'simple';
  /** What the model reads; set by every client that makes one. */
  readonly modelRepresentation?: string;
}

export interface EmbeddedResourceAttachment extends AttachmentBase {
  readonly type: 'embeddedResource';
  /** Base64. */
  readonly data: string;
  readonly contentType: string;
  readonly selection?: { readonly range: TextRange };
}

export interface ResourceAttachment extends AttachmentBase, ContentRef {
  readonly type: 'resource';
  readonly selection?: { readonly range: TextRange };
}

export interface AnnotationsAttachment extends AttachmentBase {
  readonly type: 'annotations';
  readonly resource: URI;
  /** Absent means all annotations of the channel. */
  readonly annotationIds?: readonly string[];
}

export interface ChatAttachment extends AttachmentBase {
  readonly type: 'chat';
  readonly resource: URI;
  /** The transcript is taken up to and including this turn; absent until the host pins it. */
  readonly endTurn?: string;
}

/** An attachment that may stand inside a collection. */
export type MemberAttachment =
  SimpleAttachment | EmbeddedResourceAttachment | ResourceAttachment | AnnotationsAttachment | ChatAttachment;

/** Several pieces that are one thing to the person who attached them. */
export interface CollectionAttachment extends AttachmentBase {
  readonly type: 'collection';
  readonly attachments: readonly MemberAttachment[];
}

export type MessageAttachment = MemberAttachment | CollectionAttachment;

export interface PendingMessage {
  readonly id: string;
  readonly message: Message;
}

export type PendingMessageKind = 'steering' | 'queued';

/* ---------------------------------------------------------------- turns */

export interface UsageInfo {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly model?: string;
  readonly cacheReadTokens?: number;
  readonly _meta?: Meta;
}

export type TurnState = 'complete' | 'cancelled' | 'error';

export interface Turn {
  readonly id: string;
  readonly startedAt?: Timestamp;
  /** Milliseconds by the producer's clock; never derived from timestamps. */
  readonly duration?: number;
  readonly message: Message;
  readonly responseParts: readonly ResponsePart[];
  readonly usage?: UsageInfo;
  readonly state: TurnState;
  /** Up to 0.8; later versions end a failed turn with an `error` part. */
  readonly error?: ErrorInfo;
}

export interface ActiveTurn {
  readonly id: string;
  readonly startedAt?: Timestamp;
  readonly message: Message;
  readonly responseParts: readonly ResponsePart[];
  readonly usage?: UsageInfo;
}

export interface MarkdownPart {
  readonly kind: 'markdown';
  readonly id: string;
  readonly content: string;
}

export interface ReasoningPart {
  readonly kind: 'reasoning';
  readonly id: string;
  readonly content: string;
}

export interface ContentRefPart extends ContentRef {
  readonly kind: 'contentRef';
}

export interface ToolCallPart {
  readonly kind: 'toolCall';
  readonly toolCall: ToolCallState;
}

export interface SystemNotificationPart {
  readonly kind: 'systemNotification';
  readonly content: StringOrMarkdown;
  readonly _meta?: Meta;
}

export type InputResponse = 'accept' | 'decline' | 'cancel';

export interface InputRequestPart {
  readonly kind: 'inputRequest';
  readonly request: ChatInputRequest;
  /** Absent while open, also after the turn has ended unanswered. */
  readonly response?: InputResponse;
}

export interface ErrorPart {
  readonly kind: 'error';
  readonly error: ErrorInfo;
  readonly resumable?: boolean;
}

/** A part of a later version. Kept verbatim; `kind` differs from every known one. */
export interface UnknownPart {
  readonly kind: 'unknown';
  readonly id?: string;
}

export type ResponsePart =
  | MarkdownPart
  | ReasoningPart
  | ContentRefPart
  | ToolCallPart
  | SystemNotificationPart
  | InputRequestPart
  | ErrorPart
  | UnknownPart;

/* ---------------------------------------------------------------- tool calls */

/** A tool's input: raw text, mostly JSON, or a reference that may change until the call leaves `pending-confirmation`. */
export type ToolInput = string | ContentRef;

export type ToolContributor =
  { readonly kind: 'client'; readonly clientId: string } | { readonly kind: 'mcp'; readonly customizationId: string };

export interface ToolCallBase {
  readonly toolCallId: string;
  /** Internal name; `displayName` is for people. */
  readonly toolName: string;
  readonly displayName: string;
  readonly intention?: string;
  /** Absent for a tool of the host. */
  readonly contributor?: ToolContributor;
  readonly _meta?: Meta;
}

export interface FileEdit {
  readonly before?: { readonly uri: URI; readonly content: ContentRef };
  readonly after?: { readonly uri: URI; readonly content: ContentRef };
  readonly diff?: { readonly added?: number; readonly removed?: number };
}

export type RiskAssessment =
  | { readonly kind: 'judge'; readonly status: 'loading' }
  | {
      readonly kind: 'judge';
      readonly status: 'complete';
      readonly reason: StringOrMarkdown;
      /** 0 is unsafe, 1 is safe. */
      readonly safety: number;
    };

export interface ConfirmationOption {
  readonly id: string;
  readonly label: string;
  readonly kind: Open<'approve' | 'deny'>;
  /** A change of group between neighbours may draw a divider. */
  readonly group?: string | number;
}

export type ToolConfirmed = Open<'not-needed' | 'user-action' | 'setting'>;

export type CancellationReason = 'denied' | 'skipped' | 'result-denied';

interface WithParameters {
  readonly invocationMessage: StringOrMarkdown;
  readonly toolInput?: ToolInput;
}

interface WithConfirmation extends WithParameters {
  readonly confirmed: ToolConfirmed;
  readonly selectedOption?: ConfirmationOption;
}

export interface ToolCallResult {
  readonly success: boolean;
  readonly pastTenseMessage: StringOrMarkdown;
  readonly content?: readonly ToolResultContent[];
  readonly structuredContent?: unknown;
  readonly error?: { readonly message: string; readonly code?: string };
}

export interface ToolCallStreaming extends ToolCallBase {
  readonly status: 'streaming';
  /** Raw and possibly invalid JSON. */
  readonly partialInput?: string;
  readonly invocationMessage?: StringOrMarkdown;
}

export interface ToolCallPendingConfirmation extends ToolCallBase, WithParameters {
  readonly status: 'pending-confirmation';
  readonly confirmationTitle?: StringOrMarkdown;
  readonly riskAssessment?: RiskAssessment;
  readonly edits?: { readonly items: readonly FileEdit[] };
  readonly editable?: boolean;
  readonly options?: readonly ConfirmationOption[];
}

export interface ToolCallRunning extends ToolCallBase, WithConfirmation {
  readonly status: 'running';
  readonly content?: readonly ToolResultContent[];
}

export interface ToolCallAuthRequired extends ToolCallBase, WithConfirmation {
  readonly status: 'auth-required';
  readonly content?: readonly ToolResultContent[];
  readonly auth: McpAuthRequirement;
}

export interface ToolCallPendingResultConfirmation extends ToolCallBase, WithConfirmation, ToolCallResult {
  readonly status: 'pending-result-confirmation';
}

export interface ToolCallCompleted extends ToolCallBase, WithConfirmation, ToolCallResult {
  readonly status: 'completed';
}

export interface ToolCallCancelled extends ToolCallBase, WithParameters {
  readonly status: 'cancelled';
  readonly reason: CancellationReason;
  readonly reasonMessage?: StringOrMarkdown;
  readonly userSuggestion?: Message;
  readonly selectedOption?: ConfirmationOption;
}

/** A call in a status of a later version. Neither blocking nor final. */
export interface ToolCallUnknown extends ToolCallBase {
  readonly status: 'unknown';
}

export type ToolCallState =
  | ToolCallStreaming
  | ToolCallPendingConfirmation
  | ToolCallRunning
  | ToolCallAuthRequired
  | ToolCallPendingResultConfirmation
  | ToolCallCompleted
  | ToolCallCancelled
  | ToolCallUnknown;

export type ToolResultContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'embeddedResource'; readonly data: string; readonly contentType: string }
  | ({ readonly type: 'resource' } & ContentRef)
  | ({ readonly type: 'fileEdit' } & FileEdit)
  | {
      readonly type: 'terminal';
      readonly resource: URI;
      readonly title: string;
      /** `false` means plain text without escape sequences. */
      readonly isPty?: boolean;
      readonly result?: TerminalResult;
    }
  /** Up to 0.6: the finished terminal. */
  | ({ readonly type: 'terminalComplete'; readonly resource?: URI; readonly cwd?: URI } & TerminalResult)
  | {
      readonly type: 'subagent';
      readonly resource: URI;
      readonly title: string;
      readonly agentName?: string;
      readonly description?: string;
    }
  | { readonly type: 'unknown' };

export interface TerminalResult {
  readonly exitCode?: number;
  readonly preview?: string;
  readonly truncated?: boolean;
}

/* ---------------------------------------------------------------- input requests */

interface QuestionBase {
  readonly id: string;
  readonly title?: string;
  readonly message: StringOrMarkdown;
  readonly required?: boolean;
}

export interface InputOption {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly recommended?: boolean;
}

export type ChatInputQuestion =
  | (QuestionBase & {
      readonly kind: 'text';
      readonly format?: Open<'email' | 'uri' | 'date' | 'date-time'>;
      /** Length in UTF-16 units. */
      readonly min?: number;
      readonly max?: number;
      readonly defaultValue?: string;
    })
  | (QuestionBase & {
      readonly kind: 'number' | 'integer';
      readonly min?: number;
      readonly max?: number;
      readonly defaultValue?: number;
    })
  | (QuestionBase & { readonly kind: 'boolean'; readonly defaultValue?: boolean })
  | (QuestionBase & {
      readonly kind: 'single-select';
      readonly options: readonly InputOption[];
      /** Free text replaces the choice. */
      readonly allowFreeformInput?: boolean;
    })
  | (QuestionBase & {
      readonly kind: 'multi-select';
      readonly options: readonly InputOption[];
      /** Free text comes on top of the choices. */
      readonly allowFreeformInput?: boolean;
      /** Counts of chosen entries. */
      readonly min?: number;
      readonly max?: number;
    })
  | (QuestionBase & { readonly kind: 'unknown' });

export type InputAnswerValue =
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'selected'; readonly value: string; readonly freeformValues?: readonly string[] }
  | { readonly kind: 'selected-many'; readonly value: readonly string[]; readonly freeformValues?: readonly string[] };

export type InputAnswer =
  | { readonly state: 'draft' | 'submitted'; readonly value: InputAnswerValue }
  | { readonly state: 'skipped'; readonly freeformValues?: readonly string[] };

export interface ChatInputRequest {
  readonly id: string;
  readonly message?: StringOrMarkdown;
  readonly url?: URI;
  readonly questions?: readonly ChatInputQuestion[];
  /** By question id. */
  readonly answers?: Readonly<Record<string, InputAnswer>>;
}

/* ---------------------------------------------------------------- chat */

/** The piece of an answer that a side chat is about. */
export interface ChatSelection {
  /** Not empty; as it was when the chat was made. */
  readonly text: string;
  /** The part it was selected in. */
  readonly responsePartId?: string;
}

export type ChatOrigin =
  | { readonly kind: 'user' }
  | { readonly kind: 'fork'; readonly chat: URI; readonly turnId: string }
  | {
      readonly kind: 'sideChat';
      readonly chat: URI;
      readonly turnId: string;
      readonly selection?: ChatSelection;
    }
  | { readonly kind: 'tool'; readonly chat: URI; readonly toolCallId: string }
  | { readonly kind: 'unknown' };

export type Interactivity = 'full' | 'read-only' | 'hidden';

/** Work that outlives its turn; kinds of later versions show their label only. */
export interface BackgroundWork {
  readonly kind: Open<'shell' | 'subagent'>;
  readonly id: string;
  readonly label: string;
  readonly startedAt: Timestamp;
  /** `shell` */
  readonly command?: string;
  readonly terminal?: URI;
  /** `subagent` */
  readonly chat?: URI;
  readonly _meta?: Meta;
}

export interface Changes {
  readonly additions?: number;
  readonly deletions?: number;
  readonly files?: number;
}

export interface ChatState {
  readonly resource: URI;
  readonly title?: string;
  readonly status: number;
  readonly activity?: string;
  readonly modifiedAt: Timestamp;
  readonly origin?: ChatOrigin;
  readonly interactivity?: Interactivity;
  readonly workingDirectories?: readonly URI[];
  readonly primaryWorkingDirectory?: URI;
  readonly workingDirectory?: URI;
  /** Finished turns, oldest first. */
  readonly turns: readonly Turn[];
  /** Opaque; present while older turns exist than `turns` holds. */
  readonly turnsNextCursor?: string;
  readonly activeTurn?: ActiveTurn;
  readonly steeringMessage?: PendingMessage;
  readonly steeringMessages?: readonly PendingMessage[];
  /** In the order of sending. */
  readonly queuedMessages?: readonly PendingMessage[];
  readonly draft?: Message;
  readonly backgroundWork?: readonly BackgroundWork[];
  readonly movable?: boolean;
  readonly changesets?: unknown;
  readonly changes?: Changes;
  readonly description?: string;
  readonly _meta?: Meta;
}

/** A chat as its session lists it. */
export interface ChatSummary {
  readonly resource: URI;
  readonly title?: string;
  readonly status: number;
  readonly activity?: string;
  readonly modifiedAt: Timestamp;
  readonly origin?: ChatOrigin;
  readonly interactivity?: Interactivity;
  readonly workingDirectories?: readonly URI[];
  readonly primaryWorkingDirectory?: URI;
  readonly changes?: Changes;
  readonly movable?: boolean;
}

/* ---------------------------------------------------------------- session */

export interface ToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: {
    readonly title?: string;
    readonly readOnlyHint?: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint?: boolean;
  };
  readonly _meta?: Meta;
}

export interface ActiveClient {
  readonly clientId: string;
  readonly displayName?: string;
  readonly tools: readonly ToolDefinition[];
  readonly customizations?: readonly unknown[];
  readonly _meta?: Meta;
}

export interface ConfigProperty {
  readonly type: Open<'string' | 'number' | 'boolean' | 'array' | 'object'>;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly (string | number)[];
  readonly enumLabels?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly readOnly?: boolean;
  readonly enumDynamic?: boolean;
  readonly sessionMutable?: boolean;
}

export interface ConfigSchema {
  readonly properties: Readonly<Record<string, ConfigProperty>>;
  readonly required?: readonly string[];
}

export interface Config {
  readonly schema: ConfigSchema;
  readonly values: Readonly<Record<string, unknown>>;
}

/** An agent, MCP server, plugin or directory of a session; containers hold children. Kinds of later versions are kept. */
export interface Customization {
  readonly type: Open<'agent' | 'mcpServer' | 'plugin' | 'directory' | 'prompt' | 'skill' | 'rule' | 'hook'>;
  readonly id?: string;
  readonly uri?: URI;
  readonly name: string;
  readonly description?: string;
  readonly enabled?: boolean;
  readonly disableUserInvocation?: boolean;
  readonly model?: string;
  readonly tools?: readonly string[];
  readonly children?: readonly Customization[];
  readonly state?: McpServerState;
  readonly channel?: URI;
  readonly _meta?: Meta;
}

export interface McpServerState {
  readonly kind: Open<'starting' | 'ready' | 'authRequired' | 'error' | 'stopped'>;
  readonly error?: ErrorInfo;
  /** Of `authRequired`: what a token is wanted for. */
  readonly resource?: ProtectedResource;
}

interface SessionInputBase {
  readonly id: string;
  readonly chat: URI;
}

/** What blocks a session, across its chats. A mirror of the chats' own states. */
export type SessionInputRequest =
  | (SessionInputBase & { readonly kind: 'chatInput'; readonly request: ChatInputRequest })
  | (SessionInputBase & {
      readonly kind: 'toolConfirmation' | 'toolAuthentication';
      readonly turnId: string;
      readonly toolCall: ToolCallState;
    })
  | (SessionInputBase & {
      readonly kind: 'toolClientExecution';
      readonly turnId: string;
      readonly clientId: string;
      readonly toolCall: ToolCallState;
    })
  | (SessionInputBase & { readonly kind: 'unknown' });

export type SessionLifecycle = 'creating' | 'ready' | 'failed' | 'creationFailed';

export interface SessionState {
  readonly resource?: URI;
  readonly provider: string;
  readonly title: string;
  readonly status: number;
  readonly activity?: string;
  readonly project?: { readonly uri: URI; readonly displayName: string };
  readonly workingDirectories?: readonly URI[];
  readonly lifecycle: SessionLifecycle;
  readonly creationError?: ErrorInfo;
  readonly chats: readonly ChatSummary[];
  readonly defaultChat?: URI;
  readonly activeClients: readonly ActiveClient[];
  readonly serverTools?: readonly ToolDefinition[];
  readonly config?: Config;
  readonly customizations?: readonly Customization[];
  readonly inputNeeded?: readonly SessionInputRequest[];
  readonly changesets?: unknown;
  readonly modifiedAt?: Timestamp;
  readonly createdAt?: Timestamp;
  readonly _meta?: Meta;
}

export interface SessionSummary {
  readonly resource: URI;
  readonly provider: string;
  readonly title: string;
  readonly status: number;
  readonly activity?: string;
  readonly project?: { readonly uri: URI; readonly displayName: string };
  readonly workingDirectories?: readonly URI[];
  readonly createdAt: Timestamp;
  readonly modifiedAt: Timestamp;
  readonly changes?: Changes;
  readonly chats?: readonly Pick<
    ChatSummary,
    'resource' | 'title' | 'origin' | 'interactivity' | 'status' | 'changes'
  >[];
  readonly defaultChat?: URI;
  readonly _meta?: Meta;
}

/* ---------------------------------------------------------------- root */

export interface ProtectedResource {
  /** The identifier a token is pushed for. */
  readonly resource: string;
  readonly resource_name?: string;
  readonly authorization_servers?: readonly string[];
  readonly jwks_uri?: string;
  readonly scopes_supported?: readonly string[];
  readonly bearer_methods_supported?: readonly string[];
  readonly resource_signing_alg_values_supported?: readonly string[];
  readonly resource_documentation?: string;
  readonly resource_policy_uri?: string;
  readonly resource_tos_uri?: string;
  /** Absent counts as true. */
  readonly required?: boolean;
}

export interface McpAuthRequirement {
  readonly reason: Open<'required' | 'expired' | 'insufficientScope'>;
  /** If present it is used instead of dynamic registration. */
  readonly oauthClient?: { readonly clientId: string; readonly clientSecret?: string };
  readonly resource: ProtectedResource;
  /** The authoritative scopes of the next grant. */
  readonly requiredScopes?: readonly string[];
  readonly description?: string;
}

export interface ModelInfo {
  readonly id: string;
  readonly provider: string;
  readonly name: string;
  readonly maxContextWindow?: number;
  readonly maxOutputTokens?: number;
  readonly maxPromptTokens?: number;
  readonly supportsVision?: boolean;
  readonly policyState?: Open<'enabled' | 'disabled' | 'unconfigured'>;
  readonly configSchema?: ConfigSchema;
  readonly _meta?: Meta;
}

/** The presence of an object, even an empty one, means *supported*. */
export interface AgentCapabilities {
  readonly multipleChats?: { readonly fork?: boolean; readonly sideChat?: boolean };
  readonly multipleWorkingDirectories?: Readonly<Record<string, unknown>>;
}

export interface AgentInfo {
  readonly provider: string;
  readonly displayName: string;
  readonly description: string;
  readonly models: readonly ModelInfo[];
  readonly protectedResources?: readonly ProtectedResource[];
  readonly customizations?: readonly Customization[];
  readonly capabilities?: AgentCapabilities;
}

export interface TerminalInfo {
  readonly resource: URI;
  readonly title: string;
  readonly claim?: TerminalClaim;
  readonly exitCode?: number;
}

export interface RootState {
  readonly agents: readonly AgentInfo[];
  readonly activeSessions?: number;
  readonly terminals?: readonly TerminalInfo[];
  readonly config?: Config;
  readonly _meta?: Meta;
}

/* ---------------------------------------------------------------- terminal */

export type TerminalClaim =
  | { readonly kind: 'client'; readonly clientId: string }
  | {
      readonly kind: 'session';
      readonly session: URI;
      readonly chat?: URI;
      readonly turnId?: string;
      readonly toolCallId?: string;
    };

export interface TerminalUnclassified {
  readonly type: 'unclassified';
  readonly value: string;
}

export interface TerminalCommand {
  readonly type: 'command';
  readonly commandId: string;
  readonly commandLine: string;
  readonly output: string;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  readonly isComplete: boolean;
  readonly exitCode?: number;
  readonly durationMs?: number;
}

export type TerminalPart = TerminalUnclassified | TerminalCommand;

export interface TerminalState {
  readonly title: string;
  readonly cwd?: URI;
  readonly cols?: number;
  readonly rows?: number;
  readonly content: readonly TerminalPart[];
  readonly claim: TerminalClaim;
  readonly supportsCommandDetection?: boolean;
  readonly isPty?: boolean;
  /** Up to 0.8. */
  readonly exitCode?: number;
  /** From 0.9. */
  readonly lifecycle?: { readonly status: 'running' } | { readonly status: 'exited'; readonly exitCode?: number };
}
