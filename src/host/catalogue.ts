/**
 * What a session and the session list say about chats: their summaries, what blocks them, the promoted status. Pure: it
 * compares states and names the actions that bring the catalogue in step. Source: AHP, session channel; root channel.
 */

import type { SessionAction, StateAction } from '../protocol/actions.js';
import type {
  ChatState,
  ChatSummary,
  ResponsePart,
  SessionInputRequest,
  SessionState,
  SessionSummary,
  Timestamp,
  URI,
} from '../protocol/state.js';
import { Status } from '../protocol/state.js';

const summaryKeys = [
  'title',
  'status',
  'activity',
  'modifiedAt',
  'origin',
  'interactivity',
  'workingDirectories',
  'primaryWorkingDirectory',
  'changes',
  'movable',
] as const satisfies readonly (keyof ChatSummary & keyof ChatState)[];

/** A chat as its session lists it. Fields that are absent stay absent. */
export function toChatSummary(state: ChatState): ChatSummary {
  const entries = summaryKeys.flatMap((key) => (state[key] === undefined ? [] : [[key, state[key]] as const]));
  // The keys are those of a summary, and the required ones are required in a chat, too.
  return { resource: state.resource, ...Object.fromEntries(entries) } as unknown as ChatSummary;
}

/** The session actions that follow from a chat that went from `before` to `after` by `action`. */
export function catalogueActions(
  session: SessionState,
  before: ChatState,
  after: ChatState,
  action: StateAction,
): readonly SessionAction[] {
  const update = summaryAction(before, after);
  const blockers = canBlock(action) ? blockerActions(session, after) : [];
  return update ? [update, ...blockers] : blockers;
}

function summaryAction(before: ChatState, after: ChatState): SessionAction | undefined {
  const changed = summaryKeys.filter((key) => before[key] !== after[key]);
  if (changed.length === 0) return undefined;
  // A partial update cannot take a field away; adding the chat again replaces the whole entry in its place.
  if (changed.some((key) => after[key] === undefined)) {
    return { type: 'session/chatAdded', summary: toChatSummary(after) };
  }
  return {
    type: 'session/chatUpdated',
    chat: after.resource,
    changes: Object.fromEntries(changed.map((key) => [key, after[key]])),
  };
}

/** Growing text and the like neither blocks nor unblocks; a long turn is not walked for it. */
function canBlock(action: StateAction): boolean {
  switch (action.type) {
    case 'chat/delta':
    case 'chat/reasoning':
    case 'chat/usage':
    case 'chat/draftChanged':
    case 'chat/activityChanged':
    case 'chat/toolCallDelta':
    case 'chat/toolCallContentChanged':
    case 'chat/turnsLoaded':
    case 'chat/pendingMessageSet':
    case 'chat/pendingMessageRemoved':
      return false;
    default:
      return true;
  }
}

/** What the open parts of the active turn wait for. */
export function blockersOf(state: ChatState): readonly SessionInputRequest[] {
  const turn = state.activeTurn;
  return turn ? turn.responseParts.flatMap((part) => toBlocker(state.resource, turn.id, part)) : [];
}

function toBlocker(chat: URI, turnId: string, part: ResponsePart): SessionInputRequest[] {
  if (part.kind === 'inputRequest') {
    if (part.response !== undefined) return [];
    return [{ id: blockerId(chat, 'input', part.request.id), chat, kind: 'chatInput', request: part.request }];
  }
  if (part.kind !== 'toolCall') return [];
  const toolCall = part.toolCall;
  const id = blockerId(chat, 'call', toolCall.toolCallId);
  switch (toolCall.status) {
    case 'pending-confirmation':
    case 'pending-result-confirmation':
      return [{ id, chat, kind: 'toolConfirmation', turnId, toolCall }];
    case 'auth-required':
      return [{ id, chat, kind: 'toolAuthentication', turnId, toolCall }];
    case 'running':
      return toolCall.contributor?.kind === 'client'
        ? [{ id, chat, kind: 'toolClientExecution', turnId, clientId: toolCall.contributor.clientId, toolCall }]
        : [];
    default:
      return [];
  }
}

/** JSON keeps the three apart whatever characters they hold. */
const blockerId = (chat: URI, kind: string, id: string) => JSON.stringify([chat, kind, id]);

/** Takes away the entries of `chat` that no longer hold, then sets those that are new or say something else. */
function blockerActions(session: SessionState, chat: ChatState): readonly SessionAction[] {
  const wanted = new Map(blockersOf(chat).map((request) => [request.id, request]));
  const listed = (session.inputNeeded ?? []).filter((request) => request.chat === chat.resource);
  const known = new Map(listed.map((request) => [request.id, request]));
  return [
    ...listed
      .filter(({ id }) => !wanted.has(id))
      .map(({ id }) => ({ type: 'session/inputNeededRemoved' as const, id })),
    ...[...wanted.values()]
      .filter((request) => !saysTheSame(known.get(request.id), request))
      .map((request) => ({ type: 'session/inputNeededSet' as const, request })),
  ];
}

function saysTheSame(listed: SessionInputRequest | undefined, wanted: SessionInputRequest): boolean {
  if (listed?.kind !== wanted.kind) return false;
  if (wanted.kind === 'chatInput') return listed.kind === 'chatInput' && listed.request === wanted.request;
  // A running call of a client is announced once; its live content is the chat's business.
  if (wanted.kind === 'toolClientExecution' || wanted.kind === 'unknown') return true;
  return 'toolCall' in listed && listed.toolCall === wanted.toolCall;
}

/**
 * A session's status: its own flags, the activity of its default chat (else of the newest one), and *input needed* or
 * *error* when any of its chats says so.
 */
export function sessionStatus(state: SessionState): number {
  const activities = state.chats.map((chat) => chat.status & Status.ActivityMask);
  const flags = state.status & ~Status.ActivityMask;
  const leading = leadingChat(state);
  let activity = leading ? leading.status & Status.ActivityMask : Status.Idle;
  if (activities.some((bits) => bits & Status.Error)) activity = Status.Error;
  if (activities.some((bits) => (bits & Status.InputNeeded) === Status.InputNeeded)) activity = Status.InputNeeded;
  return (flags | activity) >>> 0;
}

function leadingChat(state: SessionState): ChatSummary | undefined {
  const byDefault = state.chats.find((chat) => chat.resource === state.defaultChat);
  return (
    byDefault ??
    state.chats.reduce<ChatSummary | undefined>((a, b) => (a && a.modifiedAt > b.modifiedAt ? a : b), undefined)
  );
}

/** A session as the list shows it. */
export function toSessionSummary(resource: URI, createdAt: Timestamp, state: SessionState): SessionSummary {
  const status = sessionStatus(state);
  const activity = state.activity ?? activeChat(state, status)?.activity;
  const modifiedAt = state.chats.reduce(
    (latest, chat) => (chat.modifiedAt > latest ? chat.modifiedAt : latest),
    createdAt,
  );
  return {
    resource,
    provider: state.provider,
    title: state.title,
    status,
    ...(activity !== undefined && { activity }),
    ...(state.project && { project: state.project }),
    ...(state.workingDirectories && { workingDirectories: state.workingDirectories }),
    createdAt,
    modifiedAt,
    chats: state.chats.map(toListedChat),
    ...(state.defaultChat !== undefined && { defaultChat: state.defaultChat }),
    ...(state._meta && { _meta: state._meta }),
  };
}

/** The chat whose activity is the session's: the default chat, or the one that drives the promoted bits. */
function activeChat(state: SessionState, status: number): ChatSummary | undefined {
  const activity = status & Status.ActivityMask;
  const leading = leadingChat(state);
  if (leading && (leading.status & Status.ActivityMask) === activity) return leading;
  return state.chats.find((chat) => (chat.status & Status.ActivityMask) === activity);
}

function toListedChat(chat: ChatSummary): NonNullable<SessionSummary['chats']>[number] {
  const { resource, title, origin, interactivity, status, changes } = chat;
  return {
    resource,
    ...(title !== undefined && { title }),
    ...(origin && { origin }),
    ...(interactivity && { interactivity }),
    status,
    ...(changes && { changes }),
  };
}

/** Fields of a summary that can change, where `after` says something else. `undefined` when nothing does. */
export function sessionSummaryChanges(
  before: SessionSummary,
  after: SessionSummary,
): Partial<SessionSummary> | undefined {
  const identity = new Set(['resource', 'provider', 'createdAt']);
  const changes = Object.entries(after).filter(
    ([key, value]) => !identity.has(key) && !isSame(before[key as keyof SessionSummary], value),
  );
  // A partial update cannot take a field away; an activity that ended is said as an empty one.
  if (before.activity !== undefined && after.activity === undefined) changes.push(['activity', '']);
  return changes.length > 0 ? Object.fromEntries(changes) : undefined;
}

/** Summaries are small and plain; what is built anew each time is compared by content. */
const isSame = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);
