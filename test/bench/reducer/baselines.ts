/**
 * The obvious ways to write a chat reducer, for comparison: copy everything, or map over all parts of the running turn and
 * ask all turns for their ids.
 */

import type { ChatAction } from '../../../src/protocol/actions.js';
import { isEqual } from '../../../src/protocol/record.js';
import {
  Status,
  type ChatState,
  type ResponsePart,
  type ToolCallState,
  type Turn,
} from '../../../src/protocol/state.js';
import { withActivity } from '../../../src/protocol/status.js';
import { chatReducer } from '../../../src/chat/reducer.js';
import {
  changeContent,
  completeCall,
  confirmCall,
  confirmResult,
  readyCall,
  startCall,
  streamCall,
} from '../../../src/chat/tool-call.js';

/**
 * Copies all there is and changes the copy. Only roughly the protocol's rules, and none of the code that is measured beside
 * it: objects that come out of a clone would slow that down for the other cases.
 */
export function copyEverything(state: ChatState, action: ChatAction): ChatState {
  const copy = structuredClone(state) as unknown as Writable;
  const parts = copy.activeTurn?.responseParts ?? [];
  const call =
    'toolCallId' in action && parts.find((part) => part.toolCall?.toolCallId === action.toolCallId)?.toolCall;
  if (action.type === 'chat/turnStarted') {
    copy.activeTurn = { id: action.turnId, message: action.message, responseParts: [] };
  } else if (action.type === 'chat/responsePart') {
    parts.push(action.part as WritablePart);
  } else if (action.type === 'chat/toolCallStart') {
    parts.push({ toolCall: { ...action, status: 'streaming' } });
  } else if (action.type === 'chat/delta') {
    const part = parts.find((other) => other.id === action.partId);
    if (part) part.content = (part.content ?? '') + action.content;
  } else if (action.type === 'chat/turnComplete' && copy.activeTurn) {
    copy.turns.push({ ...copy.activeTurn, state: 'complete' });
    delete copy.activeTurn;
  } else if (call) {
    Object.assign(call, action);
  }
  return copy as unknown as ChatState;
}

interface WritablePart {
  id?: string;
  content?: string;
  toolCall?: Record<string, unknown>;
}

interface Writable {
  turns: unknown[];
  activeTurn?: { id: string; message: unknown; responseParts: WritablePart[] };
}

/**
 * Looks at every part for every action, and at every turn for every page. Meant to give what `src/chat` gives, with more
 * work.
 */
export function mapOverAll(state: ChatState, action: ChatAction): ChatState {
  switch (action.type) {
    case 'chat/delta':
    case 'chat/reasoning': {
      const kind = action.type === 'chat/delta' ? 'markdown' : 'reasoning';
      let isFound = false;
      return mapParts(state, action.turnId, (part) => {
        if (isFound || idOf(part) !== action.partId) return part;
        isFound = true;
        return part.kind === kind ? { ...part, content: part.content + action.content } : part;
      });
    }
    case 'chat/responsePart':
      return action.part.kind === 'error' ? state : append(state, action.turnId, action.part);
    case 'chat/toolCallStart':
      return append(state, action.turnId, { kind: 'toolCall', toolCall: startCall(action) });
    case 'chat/toolCallDelta':
      return mapCalls(state, action, (call) => streamCall(call, action));
    case 'chat/toolCallContentChanged':
      return mapCalls(state, action, (call) => changeContent(call, action));
    case 'chat/toolCallReady':
      return deriveStatus(mapCalls(state, action, (call) => readyCall(call, action)));
    case 'chat/toolCallConfirmed':
      return deriveStatus(mapCalls(state, action, (call) => confirmCall(call, action)));
    case 'chat/toolCallComplete':
      return deriveStatus(mapCalls(state, action, (call) => completeCall(call, action)));
    case 'chat/toolCallResultConfirmed':
      return deriveStatus(mapCalls(state, action, (call) => confirmResult(call, action)));
    case 'chat/turnsLoaded':
      return indexAndLoad(state, action.turns, action.turnsNextCursor);
    default:
      // A turn's start and end are one in many actions, and copy the list of turns in any design.
      return chatReducer(state, action);
  }
}

function idOf(part: ResponsePart): string | undefined {
  return part.kind === 'toolCall' ? part.toolCall.toolCallId : 'id' in part ? part.id : undefined;
}

function mapParts(state: ChatState, turnId: string, change: (part: ResponsePart) => ResponsePart): ChatState {
  const turn = state.activeTurn;
  if (turn?.id !== turnId) return state;
  let hasChanged = false;
  const responseParts = turn.responseParts.map((part) => {
    const next = change(part);
    hasChanged ||= next !== part;
    return next;
  });
  return hasChanged ? { ...state, activeTurn: { ...turn, responseParts } } : state;
}

const mapCalls = (
  state: ChatState,
  { turnId, toolCallId }: { readonly turnId: string; readonly toolCallId: string },
  answer: (call: ToolCallState) => ToolCallState,
): ChatState =>
  mapParts(state, turnId, (part) => {
    if (part.kind !== 'toolCall' || part.toolCall.toolCallId !== toolCallId) return part;
    const next = answer(part.toolCall);
    return next === part.toolCall ? part : { ...part, toolCall: next };
  });

function append(state: ChatState, turnId: string, part: ResponsePart): ChatState {
  const turn = state.activeTurn;
  if (turn?.id !== turnId) return state;
  return { ...state, activeTurn: { ...turn, responseParts: [...turn.responseParts, part] } };
}

function deriveStatus(state: ChatState): ChatState {
  const isBlocked = state.activeTurn?.responseParts.some(
    (part) =>
      (part.kind === 'inputRequest' && part.response === undefined) ||
      (part.kind === 'toolCall' &&
        (part.toolCall.status === 'pending-confirmation' ||
          part.toolCall.status === 'pending-result-confirmation' ||
          part.toolCall.status === 'auth-required')),
  );
  const activity = !state.activeTurn ? Status.Idle : isBlocked ? Status.InputNeeded : Status.InProgress;
  const status = withActivity(state.status, activity);
  return status === state.status ? state : { ...state, status };
}

function indexAndLoad(state: ChatState, page: readonly Turn[], turnsNextCursor: string | undefined): ChatState {
  const known = new Set(state.turns.map((turn) => turn.id));
  const added = page.filter((turn) => !known.has(turn.id));
  const next = { ...state, turns: [...added, ...state.turns] };
  if (turnsNextCursor === undefined) delete (next as { turnsNextCursor?: string }).turnsNextCursor;
  else next.turnsNextCursor = turnsNextCursor;
  return isEqual(next.turnsNextCursor, state.turnsNextCursor) && added.length === 0 ? state : next;
}
