/**
 * A chat, its session, its neighbours and all they may refer to, in which every text that a host or another client
 * controls is a place for an attack: each `¤` stands for one. Goes through the reader of the wire as it would come.
 */

import type { Catalogue } from '../../src/chat/catalogue.js';
import type { ChatServices, ChatStoreStatus, SessionInfo } from '../../src/chat/store.js';
import { AhpError } from '../../src/protocol/errors.js';
import { parseChatState, parseResult, parseTerminalState } from '../../src/protocol/parse.js';
import { Status, type ChatState, type TerminalState } from '../../src/protocol/state.js';

export const MARK = '¤';

const ref = { uri: MARK, contentType: MARK, nonce: MARK, sizeHint: 10 };
const webRef = { uri: `https://${MARK}/x.png`, contentType: 'image/png', sizeHint: 10 };
const said = { markdown: MARK };
const _meta = { [MARK]: MARK, __proto__x: MARK };
const time = '2026-01-01T00:00:00.000Z';

const attachments = [
  { type: 'simple', label: MARK, modelRepresentation: MARK, displayKind: MARK, _meta },
  { type: 'embeddedResource', label: MARK, data: MARK, contentType: MARK },
  { type: 'embeddedResource', label: MARK, data: MARK, contentType: 'image/png' },
  { type: 'embeddedResource', label: MARK, data: btoa('<svg onload="__ran()"/>'), contentType: 'image/svg+xml' },
  { type: 'resource', label: MARK, ...ref },
  { type: 'resource', label: '', uri: `file:///${MARK}` },
  { type: 'annotations', label: MARK, resource: MARK, annotationIds: [MARK] },
  { type: 'chat', label: MARK, resource: MARK, endTurn: MARK },
  {
    type: 'collection',
    label: MARK,
    attachments: [
      { type: 'simple', label: MARK },
      { type: MARK, label: MARK },
    ],
  },
  { type: MARK, label: MARK },
];
const message = {
  text: MARK,
  origin: { kind: 'user' },
  attachments,
  model: { id: MARK, config: { [MARK]: MARK } },
  agent: { uri: MARK },
  _meta,
};
const shortMessage = { text: MARK, origin: { kind: MARK } };

const fileEdit = {
  before: { uri: MARK, content: ref },
  after: { uri: MARK, content: ref },
  diff: { added: 1, removed: 1 },
};
const content = [
  { type: 'text', text: MARK },
  { type: 'embeddedResource', data: MARK, contentType: MARK },
  { type: 'embeddedResource', data: btoa('plain'), contentType: `text/plain;x=${MARK}` },
  { type: 'resource', ...ref },
  { type: 'resource', ...webRef },
  { type: 'fileEdit', ...fileEdit },
  { type: 'terminal', resource: MARK, title: MARK, result: { exitCode: 1, preview: MARK, truncated: true } },
  { type: 'terminal', resource: `live:${MARK}`, title: MARK },
  { type: 'terminalComplete', resource: MARK, cwd: MARK, exitCode: 1, preview: MARK },
  { type: 'subagent', resource: `worker:${MARK}`, title: MARK, agentName: MARK, description: MARK },
  { type: MARK, [MARK]: MARK },
];

let calls = 0;
/** Calls that all differ: two with one id are one call. */
const call = (status: string, more: object, name = MARK) => ({
  kind: 'toolCall',
  toolCall: {
    toolCallId: `${MARK} ${(calls += 1)}`,
    toolName: MARK,
    displayName: name,
    intention: MARK,
    contributor: { kind: MARK, clientId: MARK, customizationId: MARK },
    status,
    _meta,
    ...more,
  },
});
const asked = { invocationMessage: said, toolInput: MARK };
const confirmed = { confirmed: MARK, selectedOption: { id: MARK, label: MARK, kind: 'approve' } };
const option = (kind: string) => ({ id: `${MARK}-${kind}`, label: MARK, kind, group: MARK });
const pending = {
  ...asked,
  confirmationTitle: said,
  riskAssessment: { kind: 'judge', status: 'complete', reason: said, safety: 0.1 },
  edits: { items: [fileEdit] },
  editable: true,
  options: [option('approve'), option('deny'), option(MARK)],
};
const requirement = {
  reason: MARK,
  oauthClient: { clientId: MARK, clientSecret: 's3cret' },
  resource: { resource: MARK, resource_name: MARK, authorization_servers: [MARK], scopes_supported: [MARK] },
  requiredScopes: [MARK],
  description: MARK,
};

const question = (kind: string, more: object = {}) => ({
  id: `${MARK}-${kind}`,
  kind,
  title: MARK,
  message: said,
  ...more,
});
const choices = [
  { id: MARK, label: MARK, description: MARK, recommended: true },
  { id: `${MARK}2`, label: MARK },
];
const questions = [
  question('text', { defaultValue: MARK, format: MARK }),
  question('text', { format: 'uri', defaultValue: MARK }),
  question('number', { min: 0 }),
  question('boolean'),
  question('single-select', { options: choices, allowFreeformInput: true }),
  question('multi-select', { options: choices, allowFreeformInput: true }),
  question(MARK),
];
const answers = {
  [`${MARK}-text`]: { state: 'draft', value: { kind: 'text', value: MARK } },
  [`${MARK}-multi-select`]: {
    state: 'submitted',
    value: { kind: 'selected-many', value: [MARK], freeformValues: [MARK] },
  },
  ['__proto__']: { state: 'skipped', freeformValues: [MARK] },
};

const parts = [
  { kind: 'markdown', id: MARK, content: MARK },
  { kind: 'reasoning', id: MARK, content: MARK },
  { kind: 'contentRef', ...ref },
  { kind: 'contentRef', uri: `text:${MARK}`, contentType: 'text/markdown', sizeHint: 10 },
  { kind: 'systemNotification', content: MARK, _meta },
  { kind: 'systemNotification', content: said },
  { kind: MARK, id: MARK, content: MARK },
  { kind: 'error', error: { errorType: MARK, message: `${MARK}\n${MARK}`, stack: MARK, _meta } },
  call('completed', {
    ...asked,
    ...confirmed,
    success: false,
    pastTenseMessage: MARK,
    content,
    structuredContent: { [MARK]: MARK },
    error: { message: MARK, code: MARK },
  }),
  call('completed', {
    ...asked,
    ...confirmed,
    toolInput: { ...ref },
    success: true,
    pastTenseMessage: said,
    content: [],
  }),
  call('cancelled', {
    ...asked,
    reason: 'denied',
    reasonMessage: said,
    userSuggestion: shortMessage,
    selectedOption: option('deny'),
  }),
  call(MARK, asked),
  {
    kind: 'inputRequest',
    request: { id: `${MARK} closed`, message: said, url: MARK, questions, answers },
    response: 'accept',
  },
  {
    kind: 'inputRequest',
    request: { id: `${MARK} gone`, message: MARK, url: `https://x.example/${MARK}` },
    response: 'decline',
  },
];

const openParts = [
  { kind: 'markdown', id: MARK, content: MARK },
  call('pending-confirmation', pending),
  call('pending-result-confirmation', { ...asked, ...confirmed, success: true, pastTenseMessage: said, content }),
  call('auth-required', { ...asked, ...confirmed, content: [], auth: requirement }),
  call('running', { ...asked, ...confirmed, content }),
  call('streaming', { partialInput: MARK, invocationMessage: said }),
  call('streaming', { partialInput: MARK }),
  {
    kind: 'inputRequest',
    request: { id: `${MARK} open`, message: said, url: `https://x.example/${MARK}`, questions, answers },
  },
  { kind: 'inputRequest', request: { id: `${MARK} simple`, message: MARK } },
  { kind: 'reasoning', id: `${MARK}r`, content: MARK },
];

const summary = (resource: string) => ({
  resource,
  title: MARK,
  status: 8,
  activity: MARK,
  modifiedAt: time,
  origin: { kind: MARK },
});
const schema = {
  properties: {
    [MARK]: {
      type: 'string',
      title: MARK,
      description: MARK,
      default: MARK,
      enum: [MARK],
      enumLabels: [MARK],
      enumDescriptions: [MARK],
    },
    [`${MARK} free`]: { type: 'string', title: MARK, description: MARK },
    ['__proto__']: { type: 'boolean', title: MARK },
    constructor: { type: MARK, title: MARK },
  },
};

const state = {
  resource: 'ahp-chat:/hostile',
  title: MARK,
  status: Status.InputNeeded | Status.IsArchived,
  activity: MARK,
  modifiedAt: time,
  description: MARK,
  origin: { kind: 'sideChat', chat: `other:${MARK}`, turnId: MARK, selection: { text: MARK, responsePartId: MARK } },
  workingDirectories: [MARK],
  turns: [
    {
      id: `${MARK} t1`,
      startedAt: time,
      message,
      responseParts: parts,
      usage: { inputTokens: 1, outputTokens: 1, model: MARK, _meta },
      state: 'complete',
    },
    {
      id: `${MARK} t2`,
      startedAt: MARK,
      message: shortMessage,
      responseParts: [],
      state: 'error',
      error: { errorType: MARK, message: MARK },
    },
  ],
  activeTurn: {
    id: `${MARK} a`,
    startedAt: time,
    message: { text: MARK, origin: { kind: 'agent' } },
    responseParts: openParts,
  },
  steeringMessage: { id: `${MARK} s`, message: shortMessage },
  steeringMessages: [{ id: `${MARK} s2`, message: shortMessage }],
  queuedMessages: [
    { id: `${MARK} q`, message },
    { id: `${MARK} q2`, message: shortMessage },
  ],
  draft: message,
  backgroundWork: [
    { kind: MARK, id: MARK, label: MARK, startedAt: time, command: MARK, terminal: MARK, chat: `other:${MARK}`, _meta },
  ],
  _meta,
};

const session = {
  resource: MARK,
  title: MARK,
  lifecycle: 'ready',
  creationError: MARK,
  provider: MARK,
  providerName: MARK,
  models: [
    { id: MARK, provider: MARK, name: MARK, configSchema: schema, _meta },
    { id: `${MARK}2`, provider: MARK, name: MARK },
  ],
  agents: [{ uri: MARK, name: MARK, description: MARK }],
  capabilities: { multipleChats: { fork: true, sideChat: true } },
  chats: [summary(`other:${MARK}`), summary(`worker:${MARK}`)],
  completionTriggerCharacters: ['@'],
  terminalCommandPrefix: '!',
};

const worker = {
  resource: `worker:${MARK}`,
  title: MARK,
  status: 8,
  activity: MARK,
  modifiedAt: time,
  turns: [
    {
      id: MARK,
      startedAt: time,
      message: shortMessage,
      responseParts: [{ kind: 'markdown', id: 'm', content: MARK }],
      state: 'complete',
    },
  ],
};

const terminal = {
  title: MARK,
  cwd: MARK,
  content: [
    { type: 'unclassified', value: MARK },
    { type: 'command', commandId: MARK, commandLine: MARK, output: MARK, timestamp: 1, isComplete: true, exitCode: 1 },
    { type: MARK, value: MARK },
  ],
  claim: { kind: 'client', clientId: MARK },
  supportsCommandDetection: true,
  isPty: true,
  lifecycle: { status: 'running' },
};

const completion = {
  items: [{ insertText: MARK, attachment: { type: 'resource', label: MARK, uri: MARK, displayKind: MARK, _meta } }],
};
const read = { data: MARK, encoding: 'utf-8', contentType: MARK };
const listed = {
  phase: 'live',
  sessions: [
    {
      resource: MARK,
      title: MARK,
      status: 8,
      modifiedAt: time,
      activity: MARK,
      defaultChat: MARK,
      chats: [{ resource: MARK, title: MARK, status: 8, modifiedAt: time, activity: MARK, isReadOnly: true }],
      canCreateChat: true,
    },
  ],
};
const status = {
  unconfirmed: [
    {
      id: MARK,
      actions: [{ type: 'chat/turnStarted', turnId: MARK, startedAt: time, message: shortMessage }],
      canRetry: true,
    },
  ],
};

const template = { state, session, worker, terminal, completion, read, listed, status, reason: MARK, notice: MARK };

/** Every text that is attacked with, and how many places have had one. */
export interface Hostile {
  readonly state: ChatState;
  readonly session: SessionInfo;
  readonly status: Partial<ChatStoreStatus>;
  readonly services: ChatServices;
  readonly catalogue: Catalogue;
  /** The host's words when it refuses something, and when it fails. */
  readonly reason: string;
  readonly error: AhpError;
  readonly places: number;
}

/** Puts the texts of `next` into the places, one after the other. */
export function createHostile(next: () => string): Hostile {
  let places = 0;
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') {
      return value.replaceAll(MARK, () => {
        places += 1;
        return next();
      });
    }
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null) return value;
    const filled: Record<string, unknown> = {};
    for (const [key, member] of Object.entries(value)) {
      // As JSON does it: also `__proto__` becomes a member like any other.
      Object.defineProperty(filled, fill(key) as string, {
        value: fill(member),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return filled;
  };
  const filled = JSON.parse(JSON.stringify(fill(template))) as Record<keyof typeof template, never>;
  const open = <State>(state: State) => ({ state, subscribe: () => () => undefined, close: () => undefined });
  const chat = parseChatState(filled.state);
  const workerChat = parseChatState(filled.worker);
  const live = parseTerminalState(filled.terminal);
  if (!chat || !workerChat || !live) throw new Error('The hostile state cannot be read.');
  const rpc = { code: -32603, message: filled.reason as string };
  return {
    state: chat,
    session: filled.session,
    status: filled.status,
    services: {
      readResource: ({ uri }) =>
        Promise.resolve(
          parseResult(
            'resourceRead',
            uri.startsWith('text:') ? { ...(filled.read as object), contentType: 'text/markdown' } : filled.read,
          )!,
        ),
      complete: () => Promise.resolve(parseResult('completions', filled.completion)!.items),
      openTerminal: () => open<TerminalState>(live),
      openChat: () => open<ChatState>(workerChat),
      createChat: () => Promise.reject(new AhpError('misuse', 'The hostile page makes no chats.')),
      isThisClient: () => false,
    },
    catalogue: filled.listed,
    reason: filled.reason,
    error: new AhpError('rpc', filled.notice, { rpc }),
    places,
  };
}
