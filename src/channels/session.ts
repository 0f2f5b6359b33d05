/**
 * The session channel: its catalogue of chats, what blocks it, its clients and settings. Pure. An action without effect
 * gives the very same object back. Source: AHP, session channel.
 */

import type { SessionAction, UnknownAction } from '../protocol/actions.js';
import { isRecord, withField, without } from '../protocol/record.js';
import {
  Status,
  type ChatSummary,
  type Customization,
  type SessionInputRequest,
  type SessionState,
  type URI,
} from '../protocol/state.js';
import { withActivity, withFlag } from '../protocol/status.js';
import { changeConfig } from './config.js';

export function sessionReducer(state: SessionState, unknownAction: SessionAction | UnknownAction): SessionState {
  // An action of a later version falls through to `default`.
  const action = unknownAction as SessionAction;
  switch (action.type) {
    case 'session/ready':
      return withField(state, 'lifecycle', 'ready');
    case 'session/creationFailed':
      return withField(withField(state, 'lifecycle', 'failed'), 'creationError', action.error);

    case 'session/chatAdded':
      if (!isRecord(action.summary)) return state;
      return withField(
        state,
        'chats',
        upsert(state.chats, action.summary, ({ resource }) => resource),
      );
    case 'session/chatRemoved':
      return removeChat(state, action.chat);
    case 'session/chatUpdated':
      return isRecord(action.changes) ? updateChat(state, action.chat, action.changes) : state;
    case 'session/defaultChatChanged':
      return withField(state, 'defaultChat', action.defaultChat);

    case 'session/titleChanged':
      return withField(state, 'title', action.title);
    case 'session/isReadChanged':
      return withField(state, 'status', withFlag(state.status, Status.IsRead, action.isRead));
    case 'session/isArchivedChanged':
      return withField(state, 'status', withFlag(state.status, Status.IsArchived, action.isArchived));
    case 'session/activityChanged':
      return withField(state, 'activity', action.activity);
    case 'session/serverToolsChanged':
      return withField(state, 'serverTools', action.tools);
    case 'session/configChanged':
      return isRecord(action.config) ? withField(state, 'config', changeConfig(state.config, action)) : state;
    case 'session/metaChanged':
      return withField(state, '_meta', action._meta);

    case 'session/activeClientSet':
      if (!isRecord(action.activeClient)) return state;
      return withField(
        state,
        'activeClients',
        upsert(state.activeClients, action.activeClient, (each) => each.clientId),
      );
    case 'session/activeClientRemoved': {
      const activeClients = state.activeClients.filter(({ clientId }) => clientId !== action.clientId);
      return withField(state, 'activeClients', activeClients);
    }

    case 'session/inputNeededSet':
      if (!isRecord(action.request)) return state;
      return withInputNeeded(
        state,
        upsert(state.inputNeeded ?? [], action.request, ({ id }) => id),
      );
    case 'session/inputNeededRemoved': {
      const listed = state.inputNeeded ?? [];
      const rest = listed.filter(({ id }) => id !== action.id);
      return rest.length === listed.length ? state : withInputNeeded(state, rest);
    }

    case 'session/customizationsChanged':
      return withField(state, 'customizations', action.customizations);
    case 'session/customizationUpdated':
      if (!isRecord(action.customization)) return state;
      return withField(state, 'customizations', setCustomization(state.customizations ?? [], action.customization));
    case 'session/customizationRemoved':
      return mapCustomizations(state, action.id, () => undefined);
    case 'session/customizationToggled':
      return mapCustomizations(state, action.id, (each) => ({ ...each, enabled: action.enabled }));
    case 'session/mcpServerStateChanged':
      return mapCustomizations(state, action.id, (each) => ({
        ...withField(each, 'channel', action.channel ?? each.channel),
        state: action.state,
      }));
    default:
      return state;
  }
}

/** Replaces the entry with the same key in place, or appends. */
function upsert<T>(list: readonly T[], item: T, keyOf: (item: T) => unknown): readonly T[] {
  const index = list.findIndex((each) => keyOf(each) === keyOf(item));
  return index < 0 ? [...list, item] : list.with(index, item);
}

function removeChat(state: SessionState, chat: URI): SessionState {
  const chats = state.chats.filter(({ resource }) => resource !== chat);
  const next = chats.length === state.chats.length ? state : { ...state, chats };
  return next.defaultChat === chat ? without(next, 'defaultChat') : next;
}

function updateChat(state: SessionState, chat: URI, changes: Partial<ChatSummary>): SessionState {
  const index = state.chats.findIndex(({ resource }) => resource === chat);
  const old = state.chats[index];
  if (!old) return state;
  // What a chat is called is not a field of it that changes.
  const { resource: _resource, ...fields } = changes;
  return withField(state, 'chats', state.chats.with(index, { ...old, ...fields }));
}

/** A tool that a client runs blocks nobody. */
const blocks = (request: SessionInputRequest) => request.kind !== 'toolClientExecution';

function withInputNeeded(state: SessionState, requests: readonly SessionInputRequest[]): SessionState {
  const next = withField(state, 'inputNeeded', requests.length > 0 ? requests : undefined);
  // InputNeeded contains InProgress; when nothing blocks any more, only its own bit goes.
  const status = requests.some(blocks)
    ? withActivity(state.status, Status.InputNeeded)
    : withFlag(state.status, Status.InputNeeded & ~Status.InProgress, false);
  return withField(next, 'status', status);
}

function setCustomization(list: readonly Customization[], customization: Customization): readonly Customization[] {
  const index = list.findIndex((each) => each.id === customization.id);
  if (index >= 0) return list.with(index, customization);
  const parent = list.findIndex((each) => each.children?.some(({ id }) => id === customization.id));
  const old = list[parent];
  if (!old?.children) return [...list, customization];
  return list.with(parent, { ...old, children: setCustomization(old.children, customization) });
}

function mapCustomizations(
  state: SessionState,
  id: string,
  map: (customization: Customization) => Customization | undefined,
): SessionState {
  if (!state.customizations) return state;
  const visit = (list: readonly Customization[]): readonly Customization[] =>
    list.flatMap((each) => {
      if (each.id === id) return map(each) ?? [];
      return each.children ? [withField(each, 'children', visit(each.children))] : [each];
    });
  return withField(state, 'customizations', visit(state.customizations));
}
