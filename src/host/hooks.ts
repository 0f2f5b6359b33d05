/**
 * What a real host supplies to the core: content, decisions, agents and a journal. Every hook is optional; without one
 * the core answers for itself or says *method not found*. A hook refuses a request by throwing `rpcError(…)`; anything
 * else it throws becomes an internal error without details.
 */

import type { StateAction, TerminalAction } from '../protocol/actions.js';
import type { AhpErrorCode } from '../protocol/errors.js';
import { AhpError } from '../protocol/errors.js';
import type { ClientRequests } from '../protocol/commands.js';
import type { ChatState, ErrorInfo, PendingMessage, SessionState, Timestamp, URI } from '../protocol/state.js';
import type { TurnHandle } from './turn-handle.js';

/** The error a hook throws to answer a request with `code`; see `RpcCode`. */
export function rpcError(code: number, message: string, data?: unknown): AhpError {
  const kind: AhpErrorCode = 'rpc';
  return new AhpError(kind, message, { rpc: data === undefined ? { code, message } : { code, message, data } });
}

/** Who asks. */
export interface Asker {
  readonly clientId: string;
  /** The version of this connection. */
  readonly protocolVersion: string;
  /** Sends a request to the client, for example `resourceRead` of a URI it published. */
  request(method: string, params: Readonly<Record<string, unknown>>): Promise<unknown>;
}

export interface DecideContext {
  readonly channel: URI;
  readonly clientId: string;
  readonly clientSeq: number;
  /** Of the chat the action is for. */
  readonly chat?: ChatState;
  /** The session the channel is, or the session of the chat. */
  readonly session?: SessionState;
}

export type Decision =
  | { readonly kind: 'accept'; /** Applied and echoed instead; keep its type and ids. */ readonly action?: StateAction }
  | { readonly kind: 'refuse'; readonly reason: string }
  /** Neither applied nor echoed. */
  | { readonly kind: 'silent' };

/** What a session starts with. */
export interface SessionSeed {
  readonly title?: string;
  readonly project?: SessionState['project'];
  readonly workingDirectories?: readonly URI[];
  readonly config?: SessionState['config'];
  readonly customizations?: SessionState['customizations'];
  readonly serverTools?: SessionState['serverTools'];
  readonly _meta?: SessionState['_meta'];
  /** The URI of the first chat; made up by default. `null` starts without a chat. */
  readonly defaultChat?: URI | null;
  /** Until it resolves the session is `creating`; turns wait for it. A rejection makes the session `failed`. */
  readonly ready?: Promise<unknown>;
}

/** What a chat starts with. */
export type ChatSeed = Partial<
  Pick<
    ChatState,
    | 'resource'
    | 'title'
    | 'origin'
    | 'interactivity'
    | 'workingDirectories'
    | 'turns'
    | 'movable'
    | 'description'
    | '_meta'
    | 'modifiedAt'
  >
>;

/** One durable fact. Replayed in order on top of an older export they give the same host again. */
export type JournalEntry =
  | { readonly kind: 'action'; readonly serverSeq: number; readonly channel: URI; readonly action: StateAction }
  | {
      readonly kind: 'session';
      readonly serverSeq: number;
      readonly channel: URI;
      readonly createdAt: Timestamp;
      readonly state: SessionState;
    }
  | {
      readonly kind: 'chat';
      readonly serverSeq: number;
      readonly channel: URI;
      readonly session: URI;
      readonly state: ChatState;
    }
  | { readonly kind: 'removed'; readonly serverSeq: number; readonly channel: URI }
  /** A turn has read a steering message; that it is taken out of the slot follows as an action. */
  | { readonly kind: 'read'; readonly serverSeq: number; readonly channel: URI; readonly message: PendingMessage };

type MaybePromise<Value> = Value | Promise<Value>;
type Params<Method extends keyof ClientRequests> = ClientRequests[Method]['params'];
type Result<Method extends keyof ClientRequests> = ClientRequests[Method]['result'];
type Handler<Method extends keyof ClientRequests> = (
  params: Params<Method>,
  asker: Asker,
) => MaybePromise<Result<Method>>;

export interface HostHooks {
  /**
   * Decides about a client's action after the protocol's own rules have let it pass. `undefined` accepts. While a promise
   * is open, later actions for the same channel wait; the rules are asked again when it resolves.
   */
  decide?(action: StateAction, context: DecideContext): MaybePromise<Decision | undefined>;
  /** Runs a turn. When it returns without an end, the turn is complete; when it throws, the turn has failed. */
  runTurn?(turn: TurnHandle): MaybePromise<void>;
  /** Called for every durable fact, in order, before anybody is told. Must not call the host. */
  onCommitted?(entry: JournalEntry): void;
  /** Side effects of what a client sends to a terminal, for example `terminal/input` and `terminal/resized`. */
  onTerminalAction?(terminal: URI, action: TerminalAction | { readonly type: 'terminal/input'; data: string }): void;
  onSessionDisposed?(session: URI): void;
  onChatDisposed?(chat: URI): void;
  /** Something a developer of the host may want to log: a frame that could not be read, a hook that threw. */
  onDiagnostic?(diagnostic: ErrorInfo): void;

  createSession?(params: Params<'createSession'>, asker: Asker): MaybePromise<SessionSeed>;
  createChat?(params: Params<'createChat'>, asker: Asker): MaybePromise<ChatSeed>;
  /** Checks a token for a resource the host advertised. Blocked tool calls resume when it returns. */
  authenticate?(params: Params<'authenticate'>, asker: Asker): MaybePromise<void>;
  readonly completions?: Handler<'completions'>;
  readonly resolveSessionConfig?: Handler<'resolveSessionConfig'>;
  readonly resourceRead?: Handler<'resourceRead'>;
  readonly resourceList?: Handler<'resourceList'>;
  readonly resourceResolve?: Handler<'resourceResolve'>;
  readonly resourceRequest?: Handler<'resourceRequest'>;
  /** Any other request. `undefined` means that the method is not known. */
  request?(method: string, params: Readonly<Record<string, unknown>>, asker: Asker): MaybePromise<unknown>;
}
