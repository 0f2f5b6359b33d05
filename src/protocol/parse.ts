/**
 * The only place that accepts `unknown`. What comes out is typed, and may be trusted in form though not in content:
 * containers are there, known members have their type, numbers are finite. What cannot be read at all is a refusal with a
 * reason; nothing here throws. Everything of later versions passes through untouched.
 *
 * `null` is read as absent, except inside values that are not the protocol's own. Source: AHP, transport, forward
 * compatibility.
 */

import type { ActionEnvelope, StateAction, UnknownAction } from './actions.js';
import * as channels from './channel-shapes.js';
import * as chats from './chat-shapes.js';
import type {
  ChannelState,
  ClientRequestMethod,
  ClientRequests,
  DispatchActionParams,
  HostNotifications,
  InitializeResult,
  ReconnectResult,
  Snapshot,
  SubscribeResult,
} from './commands.js';
import { RpcCode } from './errors.js';
import type { RequestId, RpcErrorObject, RpcMessage } from './messages.js';
import { isRecord, putMember, without } from './record.js';
import { list, number, record, shape, string, type Read } from './shape.js';
import type { ChatState, ProtectedResource, RootState, SessionState, TerminalState, URI } from './state.js';

/* ---------------------------------------------------------------- frames */

/** In UTF-16 units; the bound in bytes is the transport's. */
export const MAX_FRAME_LENGTH = 32 * 1024 * 1024;

/** Nothing the protocol knows is nested nearly as deep; more is an attack on whoever walks it. */
export const MAX_DEPTH = 256;

/** Why a frame was not read. The reason never quotes the frame: it is shown and logged. */
export interface FrameRefusal {
  readonly refused: 'too-large' | 'not-json' | 'too-deep' | 'not-json-rpc';
  readonly reason: string;
}

/** Reads one text frame: a JSON-RPC message, or the reason why it is none. */
export function parseFrame(text: string, maxLength = MAX_FRAME_LENGTH): RpcMessage | FrameRefusal {
  const size = `Frame of ${text.length} characters`;
  if (text.length > maxLength) {
    return { refused: 'too-large', reason: `${size} is over the limit of ${maxLength}. It was not read.` };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { refused: 'not-json', reason: `${size} is not JSON. It was ignored.` };
  }
  const hasNull = text.includes('null');
  // Each level takes two characters, so a short frame needs no look; most deltas are short and hold no `null`.
  if ((hasNull || text.length > 2 * MAX_DEPTH) && !clean(value, hasNull)) {
    return { refused: 'too-deep', reason: `${size} is nested more than ${MAX_DEPTH} deep. It was ignored.` };
  }
  return (
    toMessage(value) ?? { refused: 'not-json-rpc', reason: `${size} is not a JSON-RPC 2.0 message. It was ignored.` }
  );
}

/** Values of tools, models and settings are somebody else's: `null` may mean something there. */
const foreign: ReadonlySet<string> = new Set(['_meta', 'structuredContent', 'values']);

/** `config` is a schema with values in states, but a plain record of values in messages and actions. */
const isForeign = (key: string, value: object): boolean =>
  foreign.has(key) || (key === 'config' && !Object.hasOwn(value, 'schema'));

/** A container still to be looked into. */
interface Open {
  readonly container: unknown[] | Record<string, unknown>;
  readonly depth: number;
  readonly strips: boolean;
}

/**
 * Removes members that are `null` from everything below `root`, in place, and keeps `null` in arrays. `root` keeps its own:
 * a result may be `null`. Without recursion, so that no frame overflows the stack. Returns false when nested too deep.
 */
function clean(root: unknown, hasNull: boolean): boolean {
  if (typeof root !== 'object' || root === null) return true;
  const open: Open[] = [{ container: root as Record<string, unknown>, depth: 1, strips: hasNull }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { container, strips } = next;
    const depth = next.depth + 1;
    if (next.depth > MAX_DEPTH) return false;
    if (Array.isArray(container)) {
      for (let index = 0; index < container.length; index++) {
        const item: unknown = container[index];
        if (typeof item !== 'object' || item === null) continue;
        const inner = strips ? withoutNulls(item) : item;
        if (inner !== item) container[index] = inner;
        open.push({ container: inner as Open['container'], depth, strips });
      }
    } else {
      for (const key in container) {
        const member = container[key];
        if (typeof member !== 'object' || member === null) continue;
        const stripsInner = strips && !isForeign(key, member);
        const inner = stripsInner ? withoutNulls(member) : member;
        // An own member named `__proto__` is overwritten like any other; only a missing one would reach the prototype.
        if (inner !== member) container[key] = inner;
        open.push({ container: inner as Open['container'], depth, strips: stripsInner });
      }
    }
  }
  return true;
}

function withoutNulls(value: object): object {
  if (!isRecord(value)) return value;
  let hasNull = false;
  for (const key in value) hasNull ||= value[key] === null;
  if (!hasNull) return value;
  const copy: Record<string, unknown> = {};
  for (const key in value) if (value[key] !== null) putMember(copy, key, value[key]);
  return copy;
}

const isId = (value: unknown): value is RequestId => typeof value === 'string' || Number.isFinite(value);

function toMessage(value: unknown): RpcMessage | undefined {
  if (!isRecord(value)) return undefined;
  const { id, method, params, result, error } = value;
  if (typeof method === 'string') {
    const call = { ...value, method, params: isRecord(params) ? params : {} };
    return isId(id) ? { ...call, id } : without(call as typeof call & { id?: unknown }, 'id');
  }
  if (isRecord(error)) {
    return { ...without(value, 'result'), id: isId(id) ? id : null, error: parseRpcError(error) };
  }
  // A host that answers without a result means the same as one that answers `null`.
  return isId(id) ? { ...without(value, 'error'), id, result: result ?? null } : undefined;
}

/** An error object whose code and message are what they should be; `data` stays as it is. */
export function parseRpcError(error: unknown): RpcErrorObject {
  const { code, message, ...rest } = isRecord(error) ? error : {};
  return {
    ...rest,
    code: typeof code === 'number' && Number.isFinite(code) ? code : RpcCode.InternalError,
    message: typeof message === 'string' ? message : '',
  };
}

/* ---------------------------------------------------------------- actions */

const envelopeFields = shape(
  {
    channel: string,
    serverSeq: number,
    origin: shape({ clientId: string, clientSeq: number }, ['clientId', 'clientSeq']),
  },
  ['channel'],
);

/** Reads the params of an `action` notification, or one entry of a replay. */
export function parseEnvelope(value: unknown): ActionEnvelope | undefined {
  const envelope = envelopeFields(value) as ActionEnvelope | undefined;
  const action = envelope && parseAction(envelope.action);
  if (!action) return undefined;
  const next = action === envelope.action ? envelope : { ...envelope, action };
  const { serverSeq, rejectionReason } = next;
  if (rejectionReason === undefined) return serverSeq === undefined ? undefined : next;
  if (typeof rejectionReason === 'string' && serverSeq !== undefined) return next;
  // Whatever stands there, the action was refused; it is never applied, so its number may be missing.
  return {
    ...next,
    serverSeq: serverSeq ?? 0,
    rejectionReason: typeof rejectionReason === 'string' ? rejectionReason : '',
  };
}

/** Reads one action. Of an unknown type it is given back as it is. */
export function parseAction(value: unknown): StateAction | UnknownAction | undefined {
  if (!isRecord(value) || typeof value.type !== 'string') return undefined;
  const read = actionReads.get(value.type);
  return (read ? read(value) : value) as StateAction | UnknownAction;
}

const actionReads = new Map<string, Read>([
  ...Object.entries(chats.chatActions),
  ...Object.entries(channels.otherActions),
]);

/** Reads the params of a client's `dispatchAction`, for hosts. */
export function parseDispatch(value: unknown): DispatchActionParams | undefined {
  const params = shape({ channel: string, clientSeq: number, action: parseAction }, ['channel', 'clientSeq', 'action']);
  return params(value) as DispatchActionParams | undefined;
}

/* ---------------------------------------------------------------- states */

export type ChannelKind = 'chat' | 'session' | 'root' | 'terminal';

export const parseChatState = (value: unknown): ChatState | undefined =>
  chats.chatState(value) as ChatState | undefined;
export const parseSessionState = (value: unknown): SessionState | undefined =>
  channels.sessionState(value) as SessionState | undefined;
export const parseRootState = (value: unknown): RootState | undefined =>
  channels.rootState(value) as RootState | undefined;
export const parseTerminalState = (value: unknown): TerminalState | undefined =>
  channels.terminalState(value) as TerminalState | undefined;

const stateReads: Readonly<Record<ChannelKind, Read>> = {
  chat: parseChatState,
  session: parseSessionState,
  root: parseRootState,
  terminal: parseTerminalState,
};

/** Says what a channel is, by the URI somebody asked for; the URI itself tells nothing. */
export type KindOf = (resource: URI) => ChannelKind | undefined;

const snapshotFields = shape({ resource: string, fromSeq: number, state: record }, ['resource', 'fromSeq', 'state']);

/** Reads a snapshot. Where nobody knows the kind of its channel, the state's own members tell. */
export function parseSnapshot(value: unknown, kindOf?: KindOf): Snapshot | undefined {
  const snapshot = snapshotFields(value) as Snapshot | undefined;
  if (!snapshot) return undefined;
  const kind = kindOf?.(snapshot.resource) ?? guessKind(snapshot.state);
  const state = kind ? (stateReads[kind](snapshot.state) as ChannelState) : snapshot.state;
  return state === snapshot.state ? snapshot : { ...snapshot, state };
}

function guessKind(state: object): ChannelKind | undefined {
  if ('turns' in state || 'activeTurn' in state) return 'chat';
  if ('lifecycle' in state && 'chats' in state) return 'session';
  if ('agents' in state) return 'root';
  return 'claim' in state && 'content' in state ? 'terminal' : undefined;
}

/* ---------------------------------------------------------------- results and notifications */

const readSnapshots = (value: unknown, kindOf: KindOf | undefined): readonly Snapshot[] =>
  (list((item) => parseSnapshot(item, kindOf))(value) ?? []) as readonly Snapshot[];

export function parseInitializeResult(value: unknown, kindOf?: KindOf): InitializeResult | undefined {
  const result = channels.initializeResult(value) as InitializeResult | undefined;
  if (!result) return undefined;
  const snapshots = readSnapshots(result.snapshots, kindOf);
  return snapshots === result.snapshots ? result : { ...result, snapshots };
}

export function parseReconnectResult(value: unknown, kindOf?: KindOf): ReconnectResult | undefined {
  if (!isRecord(value)) return undefined;
  if (value.type === 'snapshot')
    return { ...value, type: 'snapshot', snapshots: readSnapshots(value.snapshots, kindOf) };
  if (value.type !== 'replay') return undefined;
  const actions = list(parseEnvelope)(value.actions) as readonly ActionEnvelope[] | undefined;
  const missing = list(string)(value.missing) as readonly URI[] | undefined;
  // A replay without its list is not an empty one: something may be missing in it.
  return actions && { ...value, type: 'replay', actions, missing: missing ?? [] };
}

export function parseSubscribeResult(value: unknown, kindOf?: KindOf): SubscribeResult {
  const snapshot = isRecord(value) ? parseSnapshot(value.snapshot, kindOf) : undefined;
  return snapshot ? { snapshot } : {};
}

const resultReads = new Map<string, (value: unknown, kindOf?: KindOf) => unknown>([
  ['initialize', parseInitializeResult],
  ['reconnect', parseReconnectResult],
  ['subscribe', parseSubscribeResult],
  ['listSessions', channels.listSessionsResult],
  ['completions', channels.completionsResult],
  ['resourceRead', channels.resourceReadResult],
  ['resourceList', channels.resourceListResult],
  ['resourceResolve', channels.resourceResolveResult],
  ['resolveSessionConfig', channels.sessionConfigResult],
]);

/** Reads what a request was answered with; `undefined` if the answer cannot be used. `null` where an answer says nothing. */
export function parseResult<Method extends ClientRequestMethod>(
  method: Method,
  value: unknown,
  kindOf?: KindOf,
): ClientRequests[Method]['result'] | undefined {
  const read = resultReads.get(method);
  return (read ? read(value, kindOf) : null) as ClientRequests[Method]['result'] | undefined;
}

/** Reads the params of a host's notification; `undefined` for methods that are ignored and params that cannot be used. */
export function parseNotification<Method extends keyof HostNotifications>(
  method: Method,
  params: unknown,
): HostNotifications[Method] | undefined {
  const read: Read | undefined = method === 'action' ? parseEnvelope : notificationReads.get(method);
  return read?.(params) as HostNotifications[Method] | undefined;
}

const notificationReads = new Map(Object.entries(channels.hostNotifications));

/** The versions or ranges a host names when it refuses ours. */
export function parseSupportedVersions(data: unknown): readonly string[] {
  return (isRecord(data) ? (list(string)(data.supportedVersions) as readonly string[] | undefined) : undefined) ?? [];
}

/** The resources a host wants a token for. */
export function parseAuthResources(data: unknown): readonly ProtectedResource[] {
  const resources = isRecord(data) ? channels.resources(data.resources) : undefined;
  return (resources ?? []) as readonly ProtectedResource[];
}
