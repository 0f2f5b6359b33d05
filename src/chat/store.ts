/**
 * `ChatStore` is the seam between a client and the element: what is shown, and where intents go. Small enough to fake in
 * ten lines. It knows no sockets, no storage and no views.
 */

import type { ClientChatAction } from '../protocol/actions.js';
import type { CompletionItem, ResourceReadResult, ResourceRequestParams } from '../protocol/commands.js';
import type { AhpError } from '../protocol/errors.js';
import type {
  AgentCapabilities,
  ChatSelection,
  ChatState,
  ChatSummary,
  ContentRef,
  McpAuthRequirement,
  ModelInfo,
  SessionLifecycle,
  TerminalState,
  URI,
} from '../protocol/state.js';

/** What a chat shows of its session. */
export interface SessionInfo {
  readonly resource: URI;
  readonly title: string;
  readonly lifecycle: SessionLifecycle;
  readonly creationError?: string;
  readonly provider: string;
  readonly providerName?: string;
  /** Models of the session's provider whose policy allows them. */
  readonly models: readonly ModelInfo[];
  /** Custom agents a user may choose. */
  readonly agents: readonly { readonly uri: URI; readonly name: string; readonly description?: string }[];
  readonly capabilities: AgentCapabilities;
  readonly chats: readonly ChatSummary[];
  readonly completionTriggerCharacters: readonly string[];
  readonly terminalCommandPrefix?: string;
  /** Whether several messages can steer a turn at once; without it there is room for one. */
  readonly takesSteeringList?: boolean;
}

/** An intent the host has not been proven to have; it is out of the optimistic state and waits for the person. */
export interface UnconfirmedIntent {
  /** Identifies the group for `retry` and `discard`. */
  readonly id: string;
  readonly actions: readonly ClientChatAction[];
  /** Whether `retry` is allowed: a truncation, for one, is never sent twice. */
  readonly canRetry: boolean;
}

export interface ChatStoreStatus {
  /**
   * `loading`: nothing to show yet. `live`: in step with the host. `offline`: no connection; what is shown is the mirror
   * or the last known state. `failed`: no further attempt is made by itself; `error` says why.
   */
  readonly phase: 'loading' | 'live' | 'offline' | 'failed';
  /** Dispatched intents without proof yet. */
  readonly pending: number;
  /**
   * What those intents are about: the ids of turns, pending messages, tool calls and input requests. Views mark the first
   * two as being sent and do not take a second answer to the others.
   */
  readonly pendingIds?: ReadonlySet<string>;
  readonly unconfirmed: readonly UnconfirmedIntent[];
  readonly error?: AhpError;
  /** When the next attempt to connect starts, in milliseconds since the epoch. Absent while connecting or live. */
  readonly retryAt?: number;
  /** What is written now would not survive a reload, and why. */
  readonly notKept?:
    'no-chat' | 'memory' | 'no-storage' | 'storage-failed' | 'quota' | 'newer-version' | 'blocked' | 'cleared';
  /** The turn that was asked to stop and has not ended yet. */
  readonly stoppingTurnId?: string;
  /** The turn that runs although nothing has been heard from the host for a minute. */
  readonly stalled?: boolean;
  /** What requests to the host wait for, until somebody signs in there. */
  readonly signIns?: readonly McpAuthRequirement[];
}

/** The host refused an intent; its text belongs back where it was written. */
export interface Rejection {
  readonly actions: readonly ClientChatAction[];
  /** The host's words: untrusted. */
  readonly reason: string;
  /** `taken`: the message was changed after the host had taken it out of the queue. */
  readonly code?: 'taken';
}

/** A channel that is open while somebody looks at it. */
export interface OpenChannel<State> {
  readonly state: State | undefined;
  /** Why the host does not give the channel; absent while it does. */
  readonly error?: AhpError | undefined;
  subscribe(listener: () => void): () => void;
  close(): void;
}

/** Another chat, for reading. */
export interface OpenChat extends OpenChannel<ChatState> {
  /** Prepends a page of older turns. Resolves when it is there, or when none can be had; rejects with `AhpError`. */
  loadOlderTurns?(): Promise<void>;
}

/** What a new chat of the same session begins with. */
export interface NewChat {
  /** The turn of this chat it starts from; without one the chat is empty. */
  readonly from?: {
    readonly kind: 'fork' | 'sideChat';
    readonly turnId: string;
    /** Only for a side chat. */
    readonly selection?: ChatSelection;
  };
}

export interface ChatServices {
  /** Reads lazily. Rejects with `AhpError`; `signal` ends the wait. */
  readResource?(ref: ContentRef, signal?: AbortSignal): Promise<ResourceReadResult>;
  /**
   * Asks the host for access after `readResource` was refused with `-32009`; `params` are what the refusal's
   * `data.request` holds. A read that follows is a new attempt.
   */
  requestResource?(params: Omit<ResourceRequestParams, 'channel'>): Promise<void>;
  /** Whether this page is the client of that id: its tools run here, those of others elsewhere. */
  isThisClient?(clientId: string): boolean;
  complete?(text: string, offset: number, signal?: AbortSignal): Promise<readonly CompletionItem[]>;
  openTerminal?(resource: URI): OpenChannel<TerminalState>;
  openChat?(resource: URI): OpenChat;
  /** Makes another chat in the session, where its agent can. Resolves with the chat as the host lists it. */
  createChat?(options: NewChat): Promise<URI>;
}

export interface ChatStore {
  /** The optimistic state; `undefined` until the first snapshot or mirror read. Same object, same content. */
  readonly state: ChatState | undefined;
  readonly session: SessionInfo | undefined;
  readonly status: ChatStoreStatus;
  /** Calls `listener` after every change of `state`, `session` or `status`. Returns the end of the subscription. */
  subscribe(listener: () => void): () => void;
  /** Called when the host refuses a group. */
  onRejected(listener: (rejection: Rejection) => void): () => void;
  /**
   * Called when a tool call or the host asks for a token, once for each requirement; the page signs in and calls
   * `authenticate`.
   */
  onAuthRequired?(listener: (requirement: McpAuthRequirement, toolCallId?: string) => void): () => void;
  /** Nobody will sign in at `resource`: what waits for it fails at once. */
  giveUpSignIn?(resource: string): void;
  /**
   * Takes one intent: the actions go out together, in order, and stand or fall together. Never throws for network
   * reasons.
   */
  dispatch(...group: readonly ClientChatAction[]): void;
  /** Sends an unconfirmed intent once more. */
  retry(id: string): void;
  /** Gives an unconfirmed intent up. */
  discard(id: string): void;
  /** Prepends a page of older turns. Resolves when it is there, or when there is none. */
  loadOlderTurns(): Promise<void>;
  /** Tries to connect at once instead of at `status.retryAt`. */
  reconnectNow?(): void;
  readonly services?: ChatServices;
}
