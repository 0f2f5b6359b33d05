/**
 * What a chat needs of its session: the catalogue of chats, who offers tools, what waits for whom. One small reducer, pure
 * and total like the chat's: no effect, same object. Source: AHP, session channel parts.
 */

import type { SessionAction, UnknownAction } from '../protocol/actions.js';
import { isRecord, upsert, withField, withList, withoutItems } from '../protocol/record.js';
import {
  Status,
  type ChatSummary,
  type Customization,
  type SessionInputRequest,
  type SessionState,
  type URI,
} from '../protocol/state.js';
import { withActivity, withFlag } from '../protocol/status.js';
import { mergeConfig } from './config.js';

export function sessionReducer(state: SessionState, unknownAction: SessionAction | UnknownAction): SessionState {
  // An action of a later version falls through to `default`.
  const action = unknownAction as SessionAction;
  switch (action?.type) {
    case 'session/ready':
      return withField(state, 'lifecycle', 'ready');
    case 'session/creationFailed':
      return withField(withField(state, 'lifecycle', 'failed'), 'creationError', action.error);
    case 'session/chatAdded':
      return isNamed(action.summary, 'resource')
        ? withField(
            state,
            'chats',
            upsert(state.chats, action.summary, (chat) => isChat(chat, action.summary.resource)),
          )
        : state;
    case 'session/chatRemoved':
      return removeChat(state, action.chat);
    case 'session/chatUpdated':
      return updateChat(state, action.chat, action.changes);
    case 'session/defaultChatChanged':
      return withField(state, 'defaultChat', action.defaultChat);
    case 'session/titleChanged':
      return typeof action.title === 'string' ? withField(state, 'title', action.title) : state;
    case 'session/isReadChanged':
      return setFlag(state, Status.IsRead, action.isRead);
    case 'session/isArchivedChanged':
      return setFlag(state, Status.IsArchived, action.isArchived);
    case 'session/activityChanged':
      return withField(state, 'activity', action.activity);
    case 'session/activeClientSet': {
      const client = action.activeClient;
      if (!isNamed(client, 'clientId')) return state;
      const clients = upsert(state.activeClients, client, (other) => other.clientId === client.clientId);
      return withField(state, 'activeClients', clients);
    }
    case 'session/activeClientRemoved': {
      const clients = withoutItems(state.activeClients, (client) => client.clientId === action.clientId);
      return withField(state, 'activeClients', clients);
    }
    case 'session/serverToolsChanged':
      return Array.isArray(action.tools) ? withField(state, 'serverTools', action.tools) : state;
    case 'session/configChanged':
      return withField(state, 'config', mergeConfig(state.config, action));
    case 'session/inputNeededSet': {
      if (!isNamed(action.request, 'id')) return state;
      const needed = upsert(state.inputNeeded ?? [], action.request, (other) => other.id === action.request.id);
      return withBlockers(state, needed);
    }
    case 'session/inputNeededRemoved':
      return withBlockers(
        state,
        withoutItems(state.inputNeeded ?? [], (request) => request.id === action.id),
      );
    case 'session/customizationsChanged':
      return Array.isArray(action.customizations) ? withField(state, 'customizations', action.customizations) : state;
    case 'session/customizationUpdated':
      return isRecord(action.customization) ? setCustomization(state, action.customization) : state;
    case 'session/customizationRemoved':
      return mapCustomizations(state, (list) => withoutItems(list, (other) => keyOf(other) === action.id));
    case 'session/customizationToggled':
      return changeCustomization(state, action.id, (old) => withField(old, 'enabled', action.enabled));
    case 'session/mcpServerStateChanged':
      return changeCustomization(state, action.id, (old) =>
        withField(withField(old, 'state', action.state), 'channel', action.channel ?? old.channel),
      );
    case 'session/metaChanged':
      return withField(state, '_meta', action._meta);
    default:
      action satisfies never;
      return state;
  }
}

/**
 * Which chat to show of a session: the one it names as default, else its only visible one, else the visible one that was
 * changed last. `undefined`: there is none, and a new one may be offered.
 */
export function chooseChat(session: Pick<SessionState, 'chats' | 'defaultChat'>): URI | undefined {
  if (session.defaultChat !== undefined) return session.defaultChat;
  const visible = session.chats.filter((chat) => chat.interactivity !== 'hidden');
  return visible.toSorted((a, b) => compare(b.modifiedAt, a.modifiedAt))[0]?.resource;
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const isNamed = (value: unknown, key: string): boolean => isRecord(value) && typeof value[key] === 'string';

const isChat = (chat: ChatSummary, resource: URI): boolean => chat.resource === resource;

function removeChat(state: SessionState, resource: URI): SessionState {
  const chats = withoutItems(state.chats, (chat) => isChat(chat, resource));
  if (chats === state.chats) return state;
  const rest = withField(state, 'chats', chats);
  return rest.defaultChat === resource ? withField(rest, 'defaultChat', undefined) : rest;
}

/** Merges what has changed; who a chat is does not. */
function updateChat(state: SessionState, resource: URI, changes: Partial<ChatSummary>): SessionState {
  const old = state.chats.find((chat) => isChat(chat, resource));
  if (!old || !isRecord(changes)) return state;
  const next = { ...old, ...changes, resource };
  return withField(
    state,
    'chats',
    upsert(state.chats, next, (chat) => isChat(chat, resource)),
  );
}

function setFlag(state: SessionState, flag: number, isSet: boolean): SessionState {
  return typeof isSet === 'boolean' ? withField(state, 'status', withFlag(state.status, flag, isSet)) : state;
}

/** What waits for a person. A tool that runs in some client does not, and neither does a kind of a later version. */
export const blocksPerson = (request: SessionInputRequest): boolean =>
  request.kind === 'chatInput' || request.kind === 'toolConfirmation' || request.kind === 'toolAuthentication';

function withBlockers(state: SessionState, needed: readonly SessionInputRequest[]): SessionState {
  const next = withList(state, 'inputNeeded', needed);
  if (next === state) return state;
  const status = needed.some(blocksPerson)
    ? withActivity(state.status, Status.InputNeeded)
    : withFlag(state.status, Status.InputNeeded & ~Status.InProgress, false);
  return withField(next, 'status', status);
}

/** Containers hold agents and servers as children, which are named like everything else. */
type Customizations = readonly Customization[];

const keyOf = (customization: Customization): string | undefined => customization.id ?? customization.uri;

/** Applies a change to the top level and to every list of children. */
function mapCustomizations(state: SessionState, change: (list: Customizations) => Customizations): SessionState {
  const deep = (list: Customizations): Customizations => {
    const changed = change(list);
    const next = changed.map((item) => (item.children ? withField(item, 'children', deep(item.children)) : item));
    return next.every((item, index) => item === list[index]) && next.length === list.length ? list : next;
  };
  return state.customizations ? withField(state, 'customizations', deep(state.customizations)) : state;
}

const changeCustomization = (
  state: SessionState,
  id: string,
  change: (old: Customization) => Customization,
): SessionState =>
  mapCustomizations(state, (list) => list.map((old) => (keyOf(old) === id && id !== undefined ? change(old) : old)));

function setCustomization(state: SessionState, customization: Customization): SessionState {
  const key = keyOf(customization);
  if (key === undefined) return state;
  const replaced = changeCustomization(state, key, () => customization);
  const isThere = (list: Customizations): boolean =>
    list.some((other) => keyOf(other) === key || isThere(other.children ?? []));
  if (isThere(state.customizations ?? [])) return replaced;
  return { ...state, customizations: [...(state.customizations ?? []), customization] };
}
