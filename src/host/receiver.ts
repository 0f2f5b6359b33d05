/**
 * State and actions as one client can read them: collections opened for those that do not know them, and the shapes of the
 * version that was agreed on. Pure; what needs no change comes back as the very same object. Source: AHP, version
 * differences; the collection contract.
 */

import type { ChatErrorAction, StateAction } from '../protocol/actions.js';
import type { ChannelState } from '../protocol/commands.js';
import { isRecord } from '../protocol/record.js';
import type {
  ActiveTurn,
  ChatState,
  ErrorPart,
  Message,
  PendingMessage,
  ResponsePart,
  SessionState,
  Turn,
} from '../protocol/state.js';
import { compareVersions } from '../protocol/versions.js';
import { flattenMessage } from './collections.js';

export interface Receiver {
  readonly protocolVersion: string;
  /** It declared `attachmentCollections`. */
  readonly hasCollections: boolean;
}

/** Error parts, and `failed` as the end of a session's creation, came with 0.9. */
const hasErrorParts = ({ protocolVersion }: Receiver) => compareVersions(protocolVersion, '0.9.0') >= 0;

const readsEverything = (receiver: Receiver) => receiver.hasCollections && hasErrorParts(receiver);

export function adaptAction(receiver: Receiver, action: StateAction): StateAction {
  if (readsEverything(receiver)) return action;
  switch (action.type) {
    case 'chat/turnStarted':
    case 'chat/pendingMessageSet':
      return replace(action, { message: adaptMessage(receiver, action.message) });
    case 'chat/steeringMessageSet':
      return replace(action, { steeringMessage: adaptPending(receiver, action.steeringMessage) });
    case 'chat/draftChanged':
      return action.draft ? replace(action, { draft: adaptMessage(receiver, action.draft) }) : action;
    case 'chat/toolCallConfirmed':
      if (action.approved || !action.userSuggestion) return action;
      return replace(action, { userSuggestion: adaptMessage(receiver, action.userSuggestion) });
    case 'chat/responsePart':
      return replace(action, { part: adaptPart(receiver, action.part) });
    case 'chat/turnsLoaded':
      return replace(action, { turns: mapSame(action.turns, (turn) => adaptTurn(receiver, turn)) });
    case 'chat/error':
      return hasErrorParts(receiver) ? action : withoutErrorPart(action);
    default:
      return action;
  }
}

function withoutErrorPart(action: ChatErrorAction): ChatErrorAction {
  const { part, ...rest } = action;
  return part ? { ...rest, error: part.error } : action;
}

/** Up to 0.7 the resource that wants a token was named by its identifier alone. */
export function adaptNotification(
  { protocolVersion }: Receiver,
  method: string,
  params: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (method !== 'auth/required' || compareVersions(protocolVersion, '0.8.0') >= 0) return params;
  return isRecord(params.resource) ? { ...params, resource: params.resource.resource } : params;
}

export function adaptState(receiver: Receiver, state: ChannelState): ChannelState {
  if (readsEverything(receiver)) return state;
  if ('turns' in state) return adaptChat(receiver, state);
  return 'lifecycle' in state && 'chats' in state ? adaptSession(receiver, state) : state;
}

function adaptChat(receiver: Receiver, state: ChatState): ChatState {
  const { activeTurn, steeringMessage, steeringMessages, queuedMessages, draft } = state;
  const turns = mapSame(state.turns, (turn) => adaptTurn(receiver, turn));
  const pending = (message: PendingMessage) => adaptPending(receiver, message);
  return replace(state, {
    turns,
    ...(activeTurn && { activeTurn: adaptActive(receiver, activeTurn) }),
    ...(steeringMessage && { steeringMessage: pending(steeringMessage) }),
    ...(steeringMessages && { steeringMessages: mapSame(steeringMessages, pending) }),
    ...(queuedMessages && { queuedMessages: mapSame(queuedMessages, pending) }),
    ...(draft && { draft: adaptMessage(receiver, draft) }),
  });
}

function adaptSession(receiver: Receiver, state: SessionState): SessionState {
  if (hasErrorParts(receiver) || state.lifecycle !== 'failed') return state;
  return { ...state, lifecycle: 'creationFailed' };
}

function adaptTurn(receiver: Receiver, turn: Turn): Turn {
  const adapted = replace(turn, {
    message: adaptMessage(receiver, turn.message),
    responseParts: adaptParts(receiver, turn.responseParts),
  });
  if (hasErrorParts(receiver) || turn.error) return adapted;
  const failure = turn.responseParts.findLast((part): part is ErrorPart => part.kind === 'error');
  return failure && turn.state === 'error' ? { ...adapted, error: failure.error } : adapted;
}

function adaptActive(receiver: Receiver, turn: ActiveTurn): ActiveTurn {
  return replace(turn, {
    message: adaptMessage(receiver, turn.message),
    responseParts: adaptParts(receiver, turn.responseParts),
  });
}

function adaptParts(receiver: Receiver, parts: readonly ResponsePart[]): readonly ResponsePart[] {
  const readable =
    hasErrorParts(receiver) || !parts.some(isErrorPart) ? parts : parts.filter((part) => !isErrorPart(part));
  return mapSame(readable, (part) => adaptPart(receiver, part));
}

const isErrorPart = (part: ResponsePart) => part.kind === 'error';

/** A denied call may hold the message that was suggested instead. */
function adaptPart(receiver: Receiver, part: ResponsePart): ResponsePart {
  if (part.kind !== 'toolCall' || part.toolCall.status !== 'cancelled' || !part.toolCall.userSuggestion) return part;
  const userSuggestion = adaptMessage(receiver, part.toolCall.userSuggestion);
  if (userSuggestion === part.toolCall.userSuggestion) return part;
  return { ...part, toolCall: { ...part.toolCall, userSuggestion } };
}

const adaptPending = (receiver: Receiver, pending: PendingMessage): PendingMessage =>
  replace(pending, { message: adaptMessage(receiver, pending.message) });

const adaptMessage = (receiver: Receiver, message: Message): Message =>
  receiver.hasCollections ? message : flattenMessage(message);

/** A copy with `changes`; the same object if they change nothing. */
function replace<T extends object>(value: T, changes: Partial<T>): T {
  const keys = Object.keys(changes) as (keyof T)[];
  return keys.every((key) => value[key] === changes[key]) ? value : { ...value, ...changes };
}

function mapSame<T>(list: readonly T[], map: (item: T) => T): readonly T[] {
  const mapped = list.map(map);
  return mapped.every((item, index) => item === list[index]) ? list : mapped;
}
