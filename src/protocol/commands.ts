/**
 * Requests and notifications: their params and results, by method. Types only. Every params object carries `channel`.
 * Source: AHP, commands of the root, session, chat and resource families.
 */

import type { ActionEnvelope, StateAction, UnknownAction } from './actions.js';
import type {
  ActiveClient,
  ChatState,
  ConfigSchema,
  ContentRef,
  Message,
  MessageAttachment,
  Meta,
  ProtectedResource,
  RootState,
  SessionState,
  SessionSummary,
  TerminalState,
  Timestamp,
  URI,
  ChatSelection,
} from './state.js';

export interface Implementation {
  readonly name: string;
  readonly version?: string;
  readonly title?: string;
}

export type ChannelState = ChatState | SessionState | RootState | TerminalState;

export interface Snapshot<State = ChannelState> {
  readonly resource: URI;
  readonly state: State;
  /** Later envelopes of this channel have a greater `serverSeq`. */
  readonly fromSeq: number;
}

interface Params {
  readonly channel: URI;
  readonly _meta?: Meta;
}

export interface ClientCapabilities {
  readonly mcpApps?: object;
  readonly steeringMessages?: object;
  readonly attachmentCollections?: object;
}

export interface InitializeParams extends Params {
  readonly protocolVersions: readonly string[];
  readonly clientId: string;
  readonly clientInfo?: Implementation;
  readonly initialSubscriptions?: readonly URI[];
  readonly locale?: string;
  readonly capabilities?: ClientCapabilities;
}

export interface InitializeResult {
  readonly protocolVersion: string;
  readonly serverSeq: number;
  readonly serverInfo?: Implementation;
  /** One per state-bearing initial subscription, but some may be missing. */
  readonly snapshots: readonly Snapshot[];
  readonly defaultDirectory?: URI;
  readonly completionTriggerCharacters?: readonly string[];
  readonly terminalCommandPrefix?: string;
  readonly steeringMessages?: object;
  readonly attachmentCollections?: object;
  readonly _meta?: Meta;
}

export interface ReconnectParams extends Params {
  readonly clientId: string;
  readonly lastSeenServerSeq: number;
  readonly subscriptions: readonly URI[];
}

export type ReconnectResult =
  | {
      readonly type: 'replay';
      readonly actions: readonly ActionEnvelope[];
      readonly missing: readonly URI[];
    }
  | { readonly type: 'snapshot'; readonly snapshots: readonly Snapshot[] };

export interface AuthenticateParams extends Params {
  readonly resource: string;
  readonly token: string;
  readonly scopes?: readonly string[];
  /** Seconds; from 1.0. */
  readonly expiresIn?: number;
}

export interface SubscribeParams extends Params {
  readonly delivery?: {
    /** Upper bound for intentional buffering on the host, in milliseconds. */
    readonly maxLatencyMs?: number;
  };
  readonly view?: {
    /** A wish for about this many of the newest finished turns. */
    readonly turns?: number;
  };
}

export interface SubscribeResult {
  /** Absent on stateless channels. */
  readonly snapshot?: Snapshot;
}

export interface FetchTurnsParams extends Params {
  readonly cursor?: string;
}

export type ChatSource =
  | { readonly kind: 'fork'; readonly chat: URI; readonly turnId: string }
  | {
      readonly kind: 'sideChat';
      readonly chat: URI;
      readonly turnId: string;
      readonly selection?: ChatSelection;
    };

export interface CreateChatParams extends Params {
  /** Chosen by the client; the catalogue decides. */
  readonly chat: URI;
  readonly initialMessage?: Message;
  readonly source?: ChatSource;
  readonly workingDirectories?: readonly URI[];
  readonly title?: string;
}

export interface CreateSessionParams extends Params {
  readonly provider?: string;
  readonly workingDirectories?: readonly URI[];
  readonly config?: Readonly<Record<string, unknown>>;
  readonly activeClient?: ActiveClient;
  readonly progressToken?: string | number;
}

export interface CompletionsParams extends Params {
  readonly kind: 'userMessage';
  readonly text: string;
  /** UTF-16 units, 0 to the length of `text`. */
  readonly offset: number;
}

export interface CompletionItem {
  readonly insertText: string;
  /** Half-open range in the current text; absent means at the cursor. */
  readonly rangeStart?: number;
  readonly rangeEnd?: number;
  readonly attachment: MessageAttachment;
}

export interface ListSessionsParams extends Params {
  readonly limit?: number;
  readonly cursor?: string;
}

export interface ListSessionsResult {
  readonly items: readonly SessionSummary[];
  readonly nextCursor?: string;
}

export interface ResolveSessionConfigParams extends Params {
  readonly provider?: string;
  readonly workingDirectory?: URI;
  readonly config?: Readonly<Record<string, unknown>>;
}

export interface ResolveSessionConfigResult {
  readonly schema: ConfigSchema;
  readonly values: Readonly<Record<string, unknown>>;
}

export type ContentEncoding = 'base64' | 'utf-8';

export interface ResourceReadParams extends Params {
  readonly uri: URI;
  /** A wish. */
  readonly encoding?: ContentEncoding;
}

export interface ResourceReadResult {
  readonly data: string;
  readonly encoding: ContentEncoding;
  readonly contentType?: string;
}

export interface ResourceListResult {
  readonly entries: readonly { readonly name: string; readonly type: 'file' | 'directory' }[];
}

export interface ResourceResolveResult extends Partial<Pick<ContentRef, 'contentType'>> {
  readonly uri: URI;
  readonly type: 'file' | 'directory' | 'symlink';
  readonly size?: number;
  readonly mtime?: Timestamp;
  readonly ctime?: Timestamp;
  readonly etag?: string;
}

export interface ResourceRequestParams extends Params {
  readonly uri: URI;
  readonly read?: boolean;
  readonly write?: boolean;
}

/** Nothing: hosts answer `null` or `{}`. */
export type Empty = null | Readonly<Record<string, never>>;

/** Requests a client sends. */
export interface ClientRequests {
  initialize: { params: InitializeParams; result: InitializeResult };
  ping: { params: Params; result: Empty };
  reconnect: { params: ReconnectParams; result: ReconnectResult };
  authenticate: { params: AuthenticateParams; result: Empty };
  subscribe: { params: SubscribeParams; result: SubscribeResult };
  fetchTurns: { params: FetchTurnsParams; result: Empty };
  createChat: { params: CreateChatParams; result: Empty };
  disposeChat: { params: Params; result: Empty };
  createSession: { params: CreateSessionParams; result: Empty };
  disposeSession: { params: Params; result: Empty };
  listSessions: { params: ListSessionsParams; result: ListSessionsResult };
  resolveSessionConfig: { params: ResolveSessionConfigParams; result: ResolveSessionConfigResult };
  completions: { params: CompletionsParams; result: { readonly items: readonly CompletionItem[] } };
  resourceRead: { params: ResourceReadParams; result: ResourceReadResult };
  resourceList: { params: Params & { readonly uri: URI }; result: ResourceListResult };
  resourceResolve: {
    params: Params & { readonly uri: URI; readonly followSymlinks?: boolean };
    result: ResourceResolveResult;
  };
  resourceRequest: { params: ResourceRequestParams; result: Empty };
}

export type ClientRequestMethod = keyof ClientRequests;

export interface DispatchActionParams {
  readonly channel: URI;
  readonly clientSeq: number;
  readonly action: StateAction;
}

/** Notifications a client sends. */
export interface ClientNotifications {
  dispatchAction: DispatchActionParams;
  unsubscribe: { readonly channel: URI };
}

/** Notifications a host sends; every other method is ignored. */
export interface HostNotifications {
  action: ActionEnvelope<StateAction | UnknownAction>;
  'root/sessionAdded': { readonly channel: URI; readonly summary: SessionSummary };
  'root/sessionRemoved': { readonly channel: URI; readonly session: URI };
  'root/sessionSummaryChanged': {
    readonly channel: URI;
    readonly session: URI;
    readonly changes: Partial<SessionSummary>;
  };
  'root/progress': {
    readonly channel: URI;
    readonly progressToken: string | number;
    readonly progress: number;
    readonly total?: number;
    readonly message?: string;
  };
  'auth/required': {
    readonly channel: URI;
    /** A string up to 0.7, metadata from 0.8 on. */
    readonly resource: string | ProtectedResource;
    readonly reason?: 'required' | 'expired';
  };
}
