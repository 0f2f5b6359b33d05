/**
 * What a client dereferences in a chat's state and actions, as tables. Containers are always there, known members have
 * their type; what is missing of the plain fields is an empty word, which views show as a placeholder. Kinds, statuses and
 * keys of later versions pass untouched. Source: AHP, chat state types, chat actions, forward compatibility.
 */

import { boolean, dictionary, list, number, orElse, record, shape, string, variant, words } from './shape.js';
import type { Read } from './shape.js';

const id = ['id'];
export const text = orElse(string, '');
export const strings = list(string);
export const meta = { _meta: record };

const contentRef = { uri: string, sizeHint: number, contentType: string, nonce: string };
export const errorInfo = orElse(shape({ errorType: text, message: text, stack: string, ...meta }), {
  errorType: '',
  message: '',
});
const reference = shape(contentRef, ['uri']);
/** Input of a form this version does not know is shown as it is: nobody approves what they cannot see. */
const toolInput: Read = (value) =>
  value === undefined ? undefined : (string(value) ?? reference(value) ?? JSON.stringify(value));

/* ---------------------------------------------------------------- messages */

const position = orElse(shape({ line: orElse(number, 0), character: orElse(number, 0) }), { line: 0, character: 0 });
const range = shape({ start: position, end: position });
const selection = shape({ range }, ['range']);
const attachmentBase = { label: text, range, displayKind: string, ...meta };

const member = {
  simple: shape({ ...attachmentBase, modelRepresentation: string }),
  embeddedResource: shape({ ...attachmentBase, data: text, contentType: text, selection }),
  resource: shape({ ...attachmentBase, ...contentRef, uri: text, selection }),
  annotations: shape({ ...attachmentBase, resource: text, annotationIds: strings }),
  chat: shape({ ...attachmentBase, resource: text, endTurn: string }),
};
const otherAttachment = shape({ ...attachmentBase, type: text });
export const attachment = variant(
  'type',
  {
    ...member,
    collection: shape({
      ...attachmentBase,
      attachments: orElse(list(variant('type', member, otherAttachment)), []),
    }),
  },
  otherAttachment,
);

const model = shape({ id: string, config: record }, id);

/** A message is never missing: a turn without one still has an answer to show. */
const message = orElse(
  shape({
    text,
    origin: orElse(shape({ kind: text }), { kind: 'user' }),
    attachments: list(attachment),
    model,
    agent: shape({ uri: string }, ['uri']),
    ...meta,
  }),
  { text: '', origin: { kind: 'user' } },
);
/** Where absent means none. */
const optionalMessage: Read = (value) => (record(value) === undefined ? undefined : message(value));

const pendingMessage = shape({ id: string, message }, id);

/* ---------------------------------------------------------------- tool calls */

const fileSide = shape({ uri: text, content: orElse(shape({ ...contentRef, uri: text }), { uri: '' }) });
const fileEdit = { before: fileSide, after: fileSide, diff: shape({ added: number, removed: number }) };
const edits = shape({ items: orElse(list(shape(fileEdit)), []) });
const terminalResult = { exitCode: number, preview: string, truncated: boolean };

const content = list(
  variant(
    'type',
    {
      text: shape({ text }),
      embeddedResource: shape({ data: text, contentType: text }),
      resource: shape({ ...contentRef, uri: text }),
      fileEdit: shape(fileEdit),
      terminal: shape({ resource: text, title: text, isPty: boolean, result: shape(terminalResult) }),
      terminalComplete: shape({ resource: string, cwd: string, ...terminalResult }),
      subagent: shape({ resource: text, title: text, agentName: string, description: string }),
    },
    shape({ type: text }),
  ),
);

export const protectedResource = shape(
  {
    resource: string,
    resource_name: string,
    authorization_servers: strings,
    scopes_supported: strings,
    bearer_methods_supported: strings,
    required: boolean,
  },
  ['resource'],
);
const authRequirement = orElse(
  shape({
    reason: text,
    oauthClient: shape({ clientId: string, clientSecret: string }, ['clientId']),
    resource: orElse(protectedResource, { resource: '' }),
    requiredScopes: strings,
    description: string,
  }),
  { reason: '', resource: { resource: '' } },
);

const contributor = shape({ kind: text, clientId: string, customizationId: string });
const option = shape({ id: string, label: text, kind: text }, id);
const riskAssessment = shape({ kind: text, status: text, reason: words, safety: number });
const callError = orElse(shape({ message: text, code: string }), undefined);
const result = { pastTenseMessage: words, content, error: callError };

const asked = { confirmationTitle: words, riskAssessment, edits, editable: boolean, options: list(option) };
const callBase = { toolName: text, displayName: text, intention: string, contributor, ...meta };
const parametersOf = { invocationMessage: orElse(words, ''), toolInput };
const confirmation = { ...parametersOf, confirmed: text, selectedOption: option };
const callShape = (status: Readonly<Record<string, Read>>): Read => shape({ toolCallId: text, ...callBase, ...status });

export const toolCall = orElse(
  variant(
    'status',
    {
      streaming: callShape({ partialInput: string, invocationMessage: words }),
      'pending-confirmation': callShape({ ...parametersOf, ...asked }),
      running: callShape({ ...confirmation, content }),
      'auth-required': callShape({ ...confirmation, content, auth: authRequirement }),
      'pending-result-confirmation': callShape({ ...confirmation, ...result, pastTenseMessage: orElse(words, '') }),
      completed: callShape({ ...confirmation, ...result, pastTenseMessage: orElse(words, '') }),
      cancelled: callShape({
        ...parametersOf,
        reason: text,
        reasonMessage: words,
        userSuggestion: optionalMessage,
        selectedOption: option,
      }),
    },
    callShape({ status: text, invocationMessage: words, toolInput }),
  ),
  { status: '', toolCallId: '', toolName: '', displayName: '' },
);

/* ---------------------------------------------------------------- parts and turns */

const inputOption = shape({ id: string, label: text, description: string, recommended: boolean }, id);
const options = orElse(list(inputOption), []);
const question = (fields: Readonly<Record<string, Read>>): Read =>
  shape({ id: string, title: string, message: orElse(words, ''), required: boolean, ...fields }, id);
const bounds = { min: number, max: number };
const questions = list(
  variant(
    'kind',
    {
      text: question({ format: string, defaultValue: string, ...bounds }),
      number: question({ defaultValue: number, ...bounds }),
      integer: question({ defaultValue: number, ...bounds }),
      boolean: question({ defaultValue: boolean }),
      'single-select': question({ options, allowFreeformInput: boolean }),
      'multi-select': question({ options, allowFreeformInput: boolean, ...bounds }),
    },
    question({ kind: text }),
  ),
);

const skipped = shape({ freeformValues: strings });
const answered = shape(
  {
    value: variant('kind', {
      text: shape({ value: string }, ['value']),
      number: shape({ value: number }, ['value']),
      boolean: shape({ value: boolean }, ['value']),
      selected: shape({ value: text, freeformValues: strings }),
      'selected-many': shape({ value: orElse(strings, []), freeformValues: strings }),
    }),
  },
  ['value'],
);
/** A set of states that does not grow: an answer in another one cannot be read. */
const answer = variant('state', { draft: answered, submitted: answered, skipped }, () => undefined);
const answers = dictionary(answer);

export const inputRequest = { message: words, url: string, questions, answers };

const part = variant(
  'kind',
  {
    markdown: shape({ id: string, content: text }),
    reasoning: shape({ id: string, content: text }),
    contentRef: shape({ ...contentRef, uri: text }),
    toolCall: shape({ toolCall }),
    systemNotification: shape({ content: orElse(words, ''), ...meta }),
    inputRequest: shape({ request: orElse(shape({ id: text, ...inputRequest }), { id: '' }), response: string }),
    error: shape({ error: errorInfo, resumable: boolean }),
  },
  shape({ kind: text }),
);
const responseParts = orElse(list(part), []);

const usage = shape({ inputTokens: number, outputTokens: number, model: string, cacheReadTokens: number, ...meta });
const turnFields = { id: string, startedAt: string, message, responseParts, usage };
export const optionalError: Read = (value) => (record(value) === undefined ? undefined : errorInfo(value));
/** A foreign state counts as complete: a set that does not grow. */
const turnState: Read = (value) => (value === 'cancelled' || value === 'error' ? value : 'complete');
const turn = shape({ ...turnFields, duration: number, state: turnState, error: optionalError }, id);
const turns = list(turn);

const work = shape(
  { kind: text, id: string, label: text, startedAt: text, command: string, terminal: string, chat: string, ...meta },
  id,
);

/* ---------------------------------------------------------------- chat */

const origin = shape({
  kind: text,
  chat: string,
  turnId: string,
  toolCallId: string,
  selection: shape({ text, responsePartId: string }),
});
export const changes = shape({ additions: number, deletions: number, files: number });
/** A foreign value is a host's mistake; nobody writes into such a chat. */
const interactivity: Read = (value) =>
  value === undefined || value === 'full' || value === 'hidden' ? value : 'read-only';

export const header = {
  title: string,
  status: orElse(number, 0),
  activity: string,
  modifiedAt: text,
  origin,
  interactivity,
  workingDirectories: strings,
  primaryWorkingDirectory: string,
  changes,
  movable: boolean,
};

export const chatState = shape({
  resource: text,
  ...header,
  workingDirectory: string,
  turns: orElse(turns, []),
  turnsNextCursor: string,
  activeTurn: shape(turnFields, id),
  steeringMessage: pendingMessage,
  steeringMessages: list(pendingMessage),
  queuedMessages: list(pendingMessage),
  draft: optionalMessage,
  backgroundWork: list(work),
  description: string,
  ...meta,
});

export const chatSummary = shape({ resource: string, ...header }, ['resource']);
/** Only what has changed: nothing is filled in. */
export const chatChanges = shape({ ...header, status: number, modifiedAt: string });

const call = { turnId: string, toolCallId: string };

/** Members of a wrong type are absent afterwards, and an action that lacks what it needs changes nothing. */
export const chatActions: Readonly<Record<string, Read>> = {
  'chat/turnStarted': shape({ turnId: string, startedAt: string, message, queuedMessageId: string }),
  'chat/responsePart': shape({ turnId: string, part }),
  'chat/toolCallStart': shape({ ...call, ...callBase }),
  'chat/toolCallDelta': shape({ ...call, content: string, invocationMessage: words, ...meta }),
  'chat/toolCallReady': shape({
    ...call,
    ...parametersOf,
    ...asked,
    confirmed: string,
    contributor,
    intention: string,
    ...meta,
  }),
  'chat/toolCallConfirmed': shape({
    ...call,
    confirmed: string,
    editedToolInput: string,
    selectedOptionId: string,
    reason: string,
    reasonMessage: words,
    userSuggestion: optionalMessage,
    ...meta,
  }),
  'chat/toolCallComplete': shape({
    ...call,
    result: shape({ ...result, pastTenseMessage: orElse(words, '') }),
    ...meta,
  }),
  'chat/toolCallContentChanged': shape({ ...call, content, ...meta }),
  'chat/toolCallAuthRequired': shape({ ...call, auth: authRequirement, ...meta }),
  'chat/error': shape({ turnId: string, duration: number, error: optionalError, part: shape({ error: errorInfo }) }),
  'chat/usage': shape({ turnId: string, usage }),
  'chat/turnsLoaded': shape({ turns, turnsNextCursor: string }),
  'chat/pendingMessageSet': shape({ kind: string, id: string, message }),
  'chat/steeringMessageSet': shape({ steeringMessage: pendingMessage }),
  'chat/draftChanged': shape({ draft: optionalMessage }),
  'chat/inputRequested': shape({ request: shape({ id: string, ...inputRequest }, id) }),
  'chat/inputCompleted': shape({ requestId: string, response: string, answers }),
  'chat/backgroundWorkSet': shape({ work }),
};
