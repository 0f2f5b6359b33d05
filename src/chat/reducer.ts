/**
 * `(state, action) → state`, the one place where confirmed and optimistic chat states come from. Total and pure: no clock,
 * no chance, no I/O; whatever a host or another client sends, it never throws, and an action without effect gives back the
 * very same object. Touched branches are copied, all others shared. Source: AHP, chat reducer.
 */

import type { ChatAction, UnknownAction } from '../protocol/actions.js';
import { isRecord, upsert, withField, withList, withoutItems } from '../protocol/record.js';
import { Status, type BackgroundWork, type ChatState, type URI } from '../protocol/state.js';
import { withFlag } from '../protocol/status.js';
import { addRequest, changeAnswer, completeRequest } from './input-request.js';
import { appendPart, type Parts } from './parts.js';
import { removePending, removeSteering, reorderQueue, setPending, setSteering } from './pending-message.js';
import { withDerivedStatus } from './status.js';
import {
  changeContent,
  completeCall,
  confirmCall,
  confirmResult,
  readyCall,
  requireAuth,
  resolveAuth,
  startCall,
  streamCall,
} from './tool-call.js';
import {
  cancelTurn,
  completeTurn,
  failTurn,
  findActive,
  growText,
  loadTurns,
  resumeTurn,
  startTurn,
  truncate,
  updateCalls,
  withParts,
} from './turn.js';

export function chatReducer(state: ChatState, unknownAction: ChatAction | UnknownAction): ChatState {
  // An action of a later version falls through to `default`.
  const action = unknownAction as ChatAction;
  switch (action?.type) {
    case 'chat/turnStarted':
      return startTurn(state, action);
    case 'chat/delta':
      return growText(state, action, 'markdown');
    case 'chat/reasoning':
      return growText(state, action, 'reasoning');
    case 'chat/responsePart':
      return updateParts(state, action.turnId, (parts) =>
        // An error ends a turn and comes with `chat/error` only.
        isRecord(action.part) && action.part.kind !== 'error' ? appendPart(parts, action.part) : parts,
      );
    case 'chat/usage': {
      const active = findActive(state, action.turnId);
      if (!active || !isRecord(action.usage)) return state;
      const next = withField(active, 'usage', action.usage);
      return next === active ? state : { ...state, activeTurn: next };
    }
    case 'chat/turnComplete':
      return completeTurn(state, action);
    case 'chat/turnCancelled':
      return cancelTurn(state, action);
    case 'chat/error':
      return failTurn(state, action);
    case 'chat/turnResume':
      return resumeTurn(state, action.turnId);
    case 'chat/truncated':
      return truncate(state, action);
    case 'chat/turnsLoaded':
      return loadTurns(state, action);

    case 'chat/toolCallStart':
      if (typeof action.toolCallId !== 'string') return state;
      return updateParts(state, action.turnId, (parts) =>
        appendPart(parts, { kind: 'toolCall', toolCall: startCall(action) }),
      );
    case 'chat/toolCallDelta':
      return updateCalls(state, action, (call) => streamCall(call, action));
    case 'chat/toolCallContentChanged':
      return updateCalls(state, action, (call) => changeContent(call, action));
    // The six below derive the status anew even if no call answers: every host does, so a stale bit falls everywhere.
    case 'chat/toolCallReady':
      return withDerivedStatus(updateCalls(state, action, (call) => readyCall(call, action)));
    case 'chat/toolCallConfirmed':
      return withDerivedStatus(updateCalls(state, action, (call) => confirmCall(call, action)));
    case 'chat/toolCallComplete':
      return withDerivedStatus(updateCalls(state, action, (call) => completeCall(call, action)));
    case 'chat/toolCallResultConfirmed':
      return withDerivedStatus(updateCalls(state, action, (call) => confirmResult(call, action)));
    case 'chat/toolCallAuthRequired':
      return withDerivedStatus(updateCalls(state, action, (call) => requireAuth(call, action)));
    case 'chat/toolCallAuthResolved':
      return withDerivedStatus(updateCalls(state, action, (call) => resolveAuth(call, action)));

    case 'chat/inputRequested': {
      // Asked again with nothing new, it is still news: the chat counts as unread.
      if (!state.activeTurn || typeof action.request?.id !== 'string') return state;
      const asked = updateParts(state, state.activeTurn.id, (parts) => addRequest(parts, action));
      return withDerivedStatus(setFlag(asked, Status.IsRead, false));
    }
    case 'chat/inputAnswerChanged':
      return updateParts(state, state.activeTurn?.id, (parts) => changeAnswer(parts, action));
    case 'chat/inputCompleted': {
      const completed = updateParts(state, state.activeTurn?.id, (parts) => completeRequest(parts, action));
      return completed === state ? state : withDerivedStatus(completed);
    }

    case 'chat/pendingMessageSet':
      return setPending(state, action);
    case 'chat/pendingMessageRemoved':
      return removePending(state, action);
    case 'chat/queuedMessagesReordered':
      return reorderQueue(state, action);
    case 'chat/steeringMessageSet':
      return setSteering(state, action.steeringMessage);
    case 'chat/steeringMessageRemoved':
      return removeSteering(state, action.id);

    case 'chat/draftChanged':
      return action.draft === undefined || isRecord(action.draft) ? withField(state, 'draft', action.draft) : state;
    case 'chat/activityChanged':
      return isOptional(action.activity, 'string') ? withField(state, 'activity', action.activity) : state;
    case 'chat/movableChanged':
      return isOptional(action.movable, 'boolean') ? withField(state, 'movable', action.movable) : state;
    case 'chat/changesetsChanged':
      return withField(state, 'changesets', action.changesets);
    case 'chat/isReadChanged':
      return typeof action.isRead === 'boolean' ? setFlag(state, Status.IsRead, action.isRead) : state;
    case 'chat/isArchivedChanged':
      return typeof action.isArchived === 'boolean' ? setFlag(state, Status.IsArchived, action.isArchived) : state;
    case 'chat/workingDirectorySet':
      return addDirectory(state, action.directory);
    case 'chat/workingDirectoryRemoved':
      return removeDirectory(state, action.directory);
    case 'chat/backgroundWorkSet':
      return setWork(state, action.work);
    case 'chat/backgroundWorkRemoved':
      return removeWork(state, action.id);
    default:
      action satisfies never;
      return state;
  }
}

function updateParts(state: ChatState, turnId: string | undefined, update: (parts: Parts) => Parts): ChatState {
  const active = state.activeTurn;
  return active && active.id === turnId ? withParts(state, active, update(active.responseParts)) : state;
}

const isOptional = (value: unknown, type: 'string' | 'boolean'): boolean =>
  value === undefined || typeof value === type;

function setFlag(state: ChatState, flag: number, isSet: boolean): ChatState {
  const status = withFlag(state.status, flag, isSet);
  return status === state.status ? state : { ...state, status };
}

function addDirectory(state: ChatState, directory: URI): ChatState {
  const directories = state.workingDirectories ?? [];
  if (typeof directory !== 'string' || directories.includes(directory)) return state;
  return { ...state, workingDirectories: [...directories, directory] };
}

/** An emptied list stays: it means *none*, an absent one means *all*. */
function removeDirectory(state: ChatState, directory: URI): ChatState {
  const at = state.workingDirectories?.indexOf(directory) ?? -1;
  return at < 0 ? state : { ...state, workingDirectories: state.workingDirectories?.toSpliced(at, 1) };
}

function setWork(state: ChatState, work: BackgroundWork): ChatState {
  if (!isRecord(work) || typeof work.id !== 'string') return state;
  return withList(
    state,
    'backgroundWork',
    upsert(state.backgroundWork ?? [], work, (other) => other.id === work.id),
  );
}

const removeWork = (state: ChatState, id: string): ChatState =>
  withList(
    state,
    'backgroundWork',
    withoutItems(state.backgroundWork ?? [], (work) => work.id === id),
  );
