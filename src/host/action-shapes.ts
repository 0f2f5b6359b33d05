/**
 * Which actions a client may dispatch to which channel, and what each must look like before anybody reads it as its type.
 * Sense is judged elsewhere (`refusals.ts`); here is only form. Source: AHP, the action tables.
 */

import type { StateAction, TerminalAction } from '../protocol/actions.js';
import type { Channel } from './channels.js';
import { isRecord } from '../protocol/record.js';
import type { Params } from './read.js';

/** A client's action after its form has been checked. */
export type ClientAction = StateAction | TerminalInputAction;

/** Typing into a terminal: it changes no state. */
export interface TerminalInputAction {
  readonly type: 'terminal/input';
  readonly data: string;
}

export type ClientTerminalAction = TerminalAction | TerminalInputAction;

interface Rule {
  readonly test: (value: unknown) => boolean;
  readonly expected: string;
  readonly isOptional?: boolean;
}

type Shape = Readonly<Record<string, Rule>>;

const id: Rule = { test: (value) => typeof value === 'string' && value !== '', expected: 'a non-empty string' };
const text: Rule = { test: (value) => typeof value === 'string', expected: 'a string' };
const flag: Rule = { test: (value) => typeof value === 'boolean', expected: 'true or false' };
const amount: Rule = { test: (value) => typeof value === 'number' && Number.isFinite(value), expected: 'a number' };
const record: Rule = { test: isRecord, expected: 'an object' };
const list: Rule = { test: Array.isArray, expected: 'a list' };
const ids: Rule = {
  test: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  expected: 'a list of strings',
};
const oneOf = (...words: readonly string[]): Rule => ({
  test: (value) => words.includes(value as string),
  expected: words.map((word) => `"${word}"`).join(' or '),
});
const optional = (rule: Rule): Rule => ({ ...rule, isOptional: true });

const toolCall = { turnId: id, toolCallId: id };
const result: Rule = {
  test: (value) => isRecord(value) && typeof value.success === 'boolean' && isAbsentOrList(value.content),
  expected: 'a result with "success"',
};
const isAbsentOrList = (value: unknown) => value === undefined || Array.isArray(value);
const answer: Rule = { test: isAnswer, expected: 'an answer' };
const answers: Rule = {
  test: (value) => isRecord(value) && Object.values(value).every(isAnswer),
  expected: 'answers by question',
};

function isAnswer(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if (value.state === 'skipped') return true;
  return (value.state === 'draft' || value.state === 'submitted') && isRecord(value.value);
}

const chatShapes: Readonly<Record<string, Shape>> = {
  'chat/turnStarted': { turnId: id, startedAt: text, message: record, queuedMessageId: optional(id) },
  'chat/toolCallConfirmed': {
    ...toolCall,
    approved: flag,
    confirmed: optional(text),
    reason: optional(oneOf('denied', 'skipped')),
    editedToolInput: optional(text),
    selectedOptionId: optional(text),
    userSuggestion: optional(record),
  },
  'chat/toolCallComplete': { ...toolCall, result, requiresResultConfirmation: optional(flag) },
  'chat/toolCallResultConfirmed': { ...toolCall, approved: flag },
  'chat/toolCallContentChanged': { ...toolCall, content: list },
  'chat/turnCancelled': { turnId: id, duration: optional(amount) },
  'chat/turnResume': { turnId: id },
  'chat/workingDirectorySet': { directory: id },
  'chat/workingDirectoryRemoved': { directory: id },
  'chat/truncated': { turnId: optional(id) },
  'chat/pendingMessageSet': { kind: oneOf('steering', 'queued'), id, message: record },
  'chat/pendingMessageRemoved': { kind: oneOf('steering', 'queued'), id },
  'chat/queuedMessagesReordered': { order: ids },
  'chat/steeringMessageSet': {
    steeringMessage: {
      test: (value) => isRecord(value) && typeof value.id === 'string' && isRecord(value.message),
      expected: 'a message with an id',
    },
  },
  'chat/draftChanged': { draft: optional(record) },
  'chat/inputAnswerChanged': { requestId: id, questionId: id, answer: optional(answer) },
  'chat/inputCompleted': { requestId: id, response: oneOf('accept', 'decline', 'cancel'), answers: optional(answers) },
  'chat/isReadChanged': { isRead: flag },
  'chat/isArchivedChanged': { isArchived: flag },
};

const sessionShapes: Readonly<Record<string, Shape>> = {
  'session/titleChanged': { title: text },
  'session/isReadChanged': { isRead: flag },
  'session/isArchivedChanged': { isArchived: flag },
  'session/activeClientSet': {
    activeClient: {
      test: (value) => isRecord(value) && typeof value.clientId === 'string' && Array.isArray(value.tools),
      expected: 'a client with its tools',
    },
  },
  'session/activeClientRemoved': { clientId: id },
  'session/configChanged': { config: record, replace: optional(flag) },
  'session/customizationToggled': { id, enabled: flag },
};

const rootShapes: Readonly<Record<string, Shape>> = {
  'root/configChanged': { config: record, replace: optional(flag) },
};

const terminalShapes: Readonly<Record<string, Shape>> = {
  'terminal/input': { data: text },
  'terminal/resized': { cols: amount, rows: amount },
  'terminal/cleared': {},
  'terminal/titleChanged': { title: text },
};

const shapes: Readonly<Record<Channel['kind'], Readonly<Record<string, Shape>>>> = {
  root: rootShapes,
  session: sessionShapes,
  chat: chatShapes,
  terminal: terminalShapes,
};

/** A client's action as its type, or why it is not one. */
export function readClientAction(
  kind: Channel['kind'],
  action: Params,
): { readonly action: ClientAction } | { readonly reason: string } {
  const type = String(action.type);
  const ofKind = shapes[kind];
  const shape = Object.hasOwn(ofKind, type) ? ofKind[type] : undefined;
  if (!shape) return { reason: `not-dispatchable: clients do not send "${type}" to this channel.` };
  for (const [name, rule] of Object.entries(shape)) {
    const value = action[name];
    if (value === undefined && rule.isOptional) continue;
    if (!rule.test(value)) return { reason: `malformed: "${name}" must be ${rule.expected}.` };
  }
  // The shape has been checked member by member.
  return { action: action as unknown as ClientAction };
}
