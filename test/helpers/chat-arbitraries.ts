/**
 * Random chat actions for property tests: from few ids, so that they meet; valid ones, and the same with members missing,
 * misplaced or of a wrong type.
 */

import fc from 'fast-check';
import { message, START } from './chat-states.js';

/** Values a host should never send in the place of anything. */
const junk = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, 0, -1, 2 ** 53, '', '__proto__', true, [], {}, [null], { id: 5 }),
  fc.jsonValue({ maxDepth: 2 }),
);

const turnId = fc.constantFrom('a', 'b', 'c', '__proto__');
const partId = fc.constantFrom('m', 'n', 'c1', 'constructor');
const callId = fc.constantFrom('c1', 'c2', '__proto__');
const pendingId = fc.constantFrom('p', 'q', '__proto__');
const requestId = fc.constantFrom('r', 's');
const questionId = fc.constantFrom('1', '2', '__proto__', 'toString');
const text = fc.constantFrom('', 'x', 'hello ', '😊');
const words = fc.oneof(text, fc.record({ markdown: text }));
const anyMessage = fc
  .record({ text, id: fc.option(pendingId, { nil: undefined }) })
  .map(({ text: words, id }) => message(words, id === undefined ? {} : { _meta: { 'ahp-chat/pending': { id } } }));
const meta = fc.option(fc.constantFrom({ a: 1 }, { b: null }), { nil: undefined });
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const duration = fc.oneof(fc.integer({ min: -5, max: 5000 }), fc.constantFrom(undefined, Number.NaN));
const contributor = fc.constantFrom(
  undefined,
  { kind: 'client', clientId: 'me' },
  { kind: 'client', clientId: 'you' },
  { kind: 'mcp', customizationId: 'm' },
);
const toolInput = optional(fc.constantFrom<unknown>('{}', '{"a":1}', { uri: 'file:///i' }));
const answer = fc.constantFrom(
  undefined,
  { state: 'draft', value: { kind: 'text', value: 'x' } },
  { state: 'submitted', value: { kind: 'boolean', value: true } },
  { state: 'skipped' },
  { state: 'guessed' },
);
const result = fc.constantFrom(
  { success: true, pastTenseMessage: 'Did' },
  { success: true, pastTenseMessage: 'Did', content: [{ type: 'text', text: 'x' }], extra: 1 },
  { success: false, pastTenseMessage: 'Did not', error: { message: 'no' } },
);
const request = fc.record(
  { id: requestId, message: optional(words), answers: optional(fc.constant({ 1: { state: 'skipped' } })) },
  { requiredKeys: ['id'] },
);

const part = fc.oneof(
  partId.map((id) => ({ kind: 'markdown', id, content: 'text' })),
  partId.map((id) => ({ kind: 'reasoning', id, content: '' })),
  fc.constant({ kind: 'contentRef', uri: 'file:///x' }),
  fc.constant({ kind: 'hologram', id: 'm', depth: { n: 1 } }),
  fc.constant({ kind: 'error', error: { errorType: 'e', message: 'm' }, resumable: true }),
  request.map((asked) => ({ kind: 'inputRequest', request: asked })),
  callId.map((toolCallId) => ({
    kind: 'toolCall',
    toolCall: { status: 'streaming', toolCallId, toolName: 't', displayName: 'T' },
  })),
  callId.map((toolCallId) => ({
    kind: 'toolCall',
    toolCall: { status: 'later', toolCallId, toolName: 't', displayName: 'T' },
  })),
);

const turn = turnId.map((id) => ({ id: `old-${id}`, message: message(id), responseParts: [], state: 'complete' }));

const fields: Record<string, Record<string, fc.Arbitrary<unknown>>> = {
  'chat/turnStarted': {
    turnId,
    message: anyMessage,
    startedAt: fc.constant(START),
    queuedMessageId: optional(pendingId),
  },
  'chat/delta': { turnId, partId, content: text },
  'chat/reasoning': { turnId, partId, content: text },
  'chat/responsePart': { turnId, part },
  'chat/toolCallStart': { turnId, toolCallId: callId, toolName: text, displayName: text, contributor, _meta: meta },
  'chat/toolCallDelta': {
    turnId,
    toolCallId: callId,
    content: optional(text),
    invocationMessage: optional(words),
    _meta: meta,
  },
  'chat/toolCallReady': {
    turnId,
    toolCallId: callId,
    invocationMessage: words,
    toolInput,
    contributor,
    confirmed: optional(fc.constantFrom('not-needed', 'setting', 'by-magic')),
    options: optional(fc.constant([{ id: 'yes', label: 'Yes', kind: 'approve' }])),
    editable: optional(fc.boolean()),
    _meta: meta,
  },
  'chat/toolCallConfirmed': {
    turnId,
    toolCallId: callId,
    approved: fc.boolean(),
    confirmed: optional(fc.constant('user-action')),
    reason: optional(fc.constantFrom('denied', 'skipped', 'bored')),
    editedToolInput: optional(fc.constant('{"b":2}')),
    selectedOptionId: optional(fc.constantFrom('yes', 'none')),
  },
  'chat/toolCallComplete': {
    turnId,
    toolCallId: callId,
    result,
    requiresResultConfirmation: optional(fc.boolean()),
    _meta: meta,
  },
  'chat/toolCallResultConfirmed': { turnId, toolCallId: callId, approved: fc.boolean() },
  'chat/toolCallContentChanged': {
    turnId,
    toolCallId: callId,
    content: fc.constantFrom([], [{ type: 'text', text: 'x' }]),
  },
  'chat/toolCallAuthRequired': {
    turnId,
    toolCallId: callId,
    auth: fc.constant({ reason: 'required', resource: { resource: 'r' } }),
  },
  'chat/toolCallAuthResolved': { turnId, toolCallId: callId },
  'chat/turnComplete': { turnId, duration },
  'chat/turnCancelled': { turnId, duration },
  'chat/error': {
    turnId,
    duration,
    error: optional(fc.constant({ errorType: 'e', message: 'm' })),
    part: optional(fc.constant({ kind: 'error', error: { errorType: 'e', message: 'm' }, resumable: true })),
  },
  'chat/turnResume': { turnId },
  'chat/usage': { turnId, usage: fc.constantFrom({ inputTokens: 1 }, { outputTokens: 2 }) },
  'chat/activityChanged': { activity: optional(text) },
  'chat/workingDirectorySet': { directory: text },
  'chat/workingDirectoryRemoved': { directory: text },
  'chat/truncated': { turnId: optional(turnId) },
  'chat/turnsLoaded': { turns: fc.array(turn, { maxLength: 3 }), turnsNextCursor: optional(text) },
  'chat/pendingMessageSet': { kind: fc.constantFrom('steering', 'queued'), id: pendingId, message: anyMessage },
  'chat/pendingMessageRemoved': { kind: fc.constantFrom('steering', 'queued'), id: pendingId },
  'chat/queuedMessagesReordered': { order: fc.array(pendingId, { maxLength: 4 }) },
  'chat/steeringMessageSet': { steeringMessage: fc.record({ id: pendingId, message: anyMessage }) },
  'chat/steeringMessageRemoved': { id: pendingId },
  'chat/draftChanged': { draft: optional(anyMessage) },
  'chat/inputRequested': { request },
  'chat/inputAnswerChanged': { requestId, questionId, answer },
  'chat/inputCompleted': {
    requestId,
    response: fc.constantFrom('accept', 'decline', 'maybe'),
    answers: optional(fc.constant({ 2: { state: 'skipped' } })),
  },
  'chat/isReadChanged': { isRead: fc.boolean() },
  'chat/isArchivedChanged': { isArchived: fc.boolean() },
  'chat/changesetsChanged': { changesets: optional(fc.constant([{ id: 'c' }])) },
  'chat/backgroundWorkSet': {
    work: fc.record({ kind: text, id: pendingId, label: text, startedAt: fc.constant(START) }),
  },
  'chat/backgroundWorkRemoved': { id: pendingId },
  'chat/movableChanged': { movable: optional(fc.boolean()) },
};

const withoutUndefined = (action: Record<string, unknown>): object =>
  Object.fromEntries(Object.entries(action).filter(([, value]) => value !== undefined));

/** An action of a known type whose members are what they should be. */
export const validAction: fc.Arbitrary<object> = fc.oneof(
  ...Object.entries(fields).map(([type, members]) =>
    fc.record({ type: fc.constant(type), ...members }).map(withoutUndefined),
  ),
);

/** A valid action with one member gone or replaced. */
const brokenAction = fc.tuple(validAction, fc.nat(), fc.option(junk, { nil: undefined })).map(([action, at, value]) => {
  const keys = Object.keys(action).filter((key) => key !== 'type');
  const key = keys[at % Math.max(1, keys.length)];
  return key === undefined ? action : withoutUndefined({ ...action, [key]: value });
});

/** Anything that may arrive. */
export const anyAction: fc.Arbitrary<object> = fc.oneof(
  { weight: 6, arbitrary: validAction },
  { weight: 3, arbitrary: brokenAction },
  {
    weight: 1,
    arbitrary: fc.constantFrom('chat/hologramSet', 'x-own', '__proto__').map((type) => ({ type, turnId: 'a' })),
  },
);

/** A turn that starts, grows and mostly ends, with noise in between. */
export const actionList: fc.Arbitrary<readonly object[]> = fc
  .tuple(fc.constantFrom('a', 'b', 'c'), fc.array(anyAction, { maxLength: 40 }))
  .map(([id, rest]) => [{ type: 'chat/turnStarted', turnId: id, startedAt: START, message: message('go') }, ...rest]);
