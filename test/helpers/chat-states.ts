/** Small chat states and actions to begin a test with, and the deep freeze that every reducer test runs under. */

import type { ChatAction, ChatTurnStartedAction } from '../../src/protocol/actions.js';
import {
  Status,
  type ActiveTurn,
  type ChatInputRequest,
  type ChatState,
  type InputRequestPart,
  type Message,
  type ResponsePart,
  type ToolCallState,
  type Turn,
} from '../../src/protocol/state.js';
import { chatReducer } from '../../src/chat/reducer.js';

export const START = '2026-03-01T10:00:00.000Z';

/** Freezes a value deeply, so that a reducer that changes its input throws. */
export function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}

export const message = (text: string, extras: Partial<Message> = {}): Message => ({
  text,
  origin: { kind: 'user' },
  ...extras,
});

/** An idle chat without turns. */
export const chat = (members: Partial<ChatState> = {}): ChatState =>
  freeze({ resource: 'ahp-chat:/one', title: 'One', status: Status.Idle, modifiedAt: START, turns: [], ...members });

export const turn = (id: string, members: Partial<Turn> = {}): Turn => ({
  id,
  startedAt: START,
  duration: 1000,
  message: message(`question ${id}`),
  responseParts: [],
  state: 'complete',
  ...members,
});

export const turns = (count: number): readonly Turn[] => Array.from({ length: count }, (_, index) => turn(`t${index}`));

export const active = (responseParts: readonly ResponsePart[] = [], members: Partial<ActiveTurn> = {}): ActiveTurn => ({
  id: 'a',
  startedAt: START,
  message: message('go'),
  responseParts,
  ...members,
});

/** A chat in which the turn `a` runs, with these parts. */
export const busyChat = (parts: readonly ResponsePart[] = [], members: Partial<ChatState> = {}): ChatState =>
  chat({ activeTurn: active(parts), status: Status.InProgress, ...members });

export const markdown = (id: string, content = ''): ResponsePart => ({ kind: 'markdown', id, content });

export const question = (id: string, members: Partial<ChatInputRequest> = {}): InputRequestPart => ({
  kind: 'inputRequest',
  request: { id, message: 'Which one?', ...members },
});

export const toolPart = (toolCall: ToolCallState): ResponsePart => ({ kind: 'toolCall', toolCall });

/** A call `c` of each status, with every field that status may have. */
export const calls = {
  streaming: {
    ...callBase(),
    status: 'streaming',
    partialInput: '{"a"',
    invocationMessage: 'Reading',
  },
  'pending-confirmation': {
    ...callBase(),
    status: 'pending-confirmation',
    invocationMessage: 'Read a',
    toolInput: '{"a":1}',
    confirmationTitle: 'Read?',
    riskAssessment: { kind: 'judge', status: 'loading' },
    edits: { items: [] },
    editable: true,
    options: [
      { id: 'yes', label: 'Yes', kind: 'approve' },
      { id: 'no', label: 'No', kind: 'deny' },
    ],
  },
  running: {
    ...callBase(),
    status: 'running',
    invocationMessage: 'Read a',
    toolInput: '{"a":1}',
    confirmed: 'setting',
    selectedOption: { id: 'yes', label: 'Yes', kind: 'approve' },
    content: [{ type: 'text', text: 'live' }],
  },
  'auth-required': {
    ...callBase(),
    status: 'auth-required',
    invocationMessage: 'Read a',
    toolInput: '{"a":1}',
    confirmed: 'setting',
    selectedOption: { id: 'yes', label: 'Yes', kind: 'approve' },
    content: [{ type: 'text', text: 'live' }],
    auth: { reason: 'required', resource: { resource: 'https://mcp.example' } },
  },
  'pending-result-confirmation': {
    ...callBase(),
    status: 'pending-result-confirmation',
    invocationMessage: 'Read a',
    toolInput: '{"a":1}',
    confirmed: 'setting',
    selectedOption: { id: 'yes', label: 'Yes', kind: 'approve' },
    success: true,
    pastTenseMessage: 'Read it',
    content: [{ type: 'text', text: 'done' }],
  },
  completed: {
    ...callBase(),
    status: 'completed',
    invocationMessage: 'Read a',
    toolInput: '{"a":1}',
    confirmed: 'setting',
    success: true,
    pastTenseMessage: 'Read it',
  },
  cancelled: {
    ...callBase(),
    status: 'cancelled',
    invocationMessage: 'Read a',
    toolInput: '{"a":1}',
    reason: 'skipped',
  },
  later: { ...callBase(), status: 'later', invocationMessage: 'Read a' } as unknown as ToolCallState,
} satisfies Record<string, ToolCallState>;

function callBase() {
  return {
    toolCallId: 'c',
    toolName: 'read',
    displayName: 'Read',
    intention: 'To know',
    contributor: { kind: 'mcp' as const, customizationId: 'm' },
    _meta: { old: true },
  };
}

/** Reduces frozen states by frozen actions; anything may be sent. */
export const reduce = (state: ChatState, ...actions: readonly object[]): ChatState =>
  actions.reduce<ChatState>(
    (before, action) => freeze(chatReducer(freeze(before), freeze(action) as ChatAction)),
    state,
  );

export const start = (turnId: string, text = 'go'): ChatTurnStartedAction => ({
  type: 'chat/turnStarted',
  turnId,
  startedAt: START,
  message: message(text),
});
