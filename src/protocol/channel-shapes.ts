/**
 * The tables of everything but the chat itself: sessions, the root, terminals, and what answers requests. The same rules as
 * in `chat-shapes.ts`. Source: AHP, session, root and terminal channel parts, commands.
 */

import {
  attachment,
  changes,
  chatChanges,
  chatSummary,
  errorInfo,
  header,
  inputRequest,
  meta,
  optionalError,
  protectedResource,
  strings,
  text,
  toolCall,
} from './chat-shapes.js';
import {
  boolean,
  dictionary,
  either,
  lazy,
  list,
  number,
  orElse,
  record,
  shape,
  string,
  variant,
  type Read,
} from './shape.js';

const id = ['id'];

/* ---------------------------------------------------------------- session */

const tool = shape({ name: string, title: string, description: string, ...meta }, ['name']);
const activeClient = shape({ clientId: string, displayName: string, tools: orElse(list(tool), []), ...meta }, [
  'clientId',
]);
const configSchema = orElse(shape({ properties: orElse(dictionary(record), {}), required: strings }), {
  properties: {},
});
const config = shape({ schema: configSchema, values: orElse(record, {}) });
const mcpState = shape({ kind: text, error: optionalError, resource: protectedResource });
const customization: Read = shape({
  type: text,
  id: string,
  uri: string,
  name: text,
  description: string,
  enabled: boolean,
  disableUserInvocation: boolean,
  model: string,
  tools: strings,
  children: list(lazy(() => customization)),
  state: mcpState,
  channel: string,
  ...meta,
});
const needed = { id: string, chat: string };
const sessionInput = variant(
  'kind',
  {
    chatInput: shape({ ...needed, request: orElse(shape({ id: text, ...inputRequest }), { id: '' }) }, ['id', 'chat']),
    toolConfirmation: shape({ ...needed, turnId: text, toolCall }, ['id', 'chat']),
    toolAuthentication: shape({ ...needed, turnId: text, toolCall }, ['id', 'chat']),
    toolClientExecution: shape({ ...needed, turnId: text, clientId: text, toolCall }, ['id', 'chat']),
  },
  shape({ ...needed, kind: text }, ['id', 'chat']),
);
const project = shape({ uri: text, displayName: text });

export const sessionState = shape({
  resource: string,
  provider: text,
  title: text,
  status: orElse(number, 0),
  activity: string,
  project,
  workingDirectories: strings,
  lifecycle: orElse(string, 'ready'),
  creationError: optionalError,
  chats: orElse(list(chatSummary), []),
  defaultChat: string,
  activeClients: orElse(list(activeClient), []),
  serverTools: list(tool),
  config,
  customizations: list(customization),
  inputNeeded: list(sessionInput),
  modifiedAt: string,
  createdAt: string,
  ...meta,
});

const summaryFields = {
  provider: text,
  title: text,
  status: orElse(number, 0),
  activity: string,
  project,
  workingDirectories: strings,
  createdAt: text,
  modifiedAt: text,
  changes,
  chats: list(shape({ ...header, resource: string, status: number, modifiedAt: string }, ['resource'])),
  defaultChat: string,
  ...meta,
};

export const sessionSummary = shape({ resource: string, ...summaryFields }, ['resource']);
export const sessionChanges = shape({
  ...summaryFields,
  provider: string,
  title: string,
  status: number,
  createdAt: string,
  modifiedAt: string,
});

/* ---------------------------------------------------------------- terminal */

const claim = shape({
  kind: text,
  clientId: string,
  session: string,
  chat: string,
  turnId: string,
  toolCallId: string,
});

export const terminalState = shape({
  title: text,
  cwd: string,
  cols: number,
  rows: number,
  content: orElse(
    list(
      variant(
        'type',
        {
          unclassified: shape({ value: text }),
          command: shape({
            commandId: text,
            commandLine: text,
            output: text,
            timestamp: orElse(number, 0),
            isComplete: orElse(boolean, false),
            exitCode: number,
            durationMs: number,
          }),
        },
        shape({ type: text }),
      ),
    ),
    [],
  ),
  claim: orElse(claim, { kind: '' }),
  supportsCommandDetection: boolean,
  isPty: boolean,
  exitCode: number,
  lifecycle: shape({ status: text, exitCode: number }),
});

/* ---------------------------------------------------------------- root */

const modelInfo = shape(
  {
    id: string,
    provider: text,
    name: text,
    maxContextWindow: number,
    supportsVision: boolean,
    policyState: string,
    configSchema: (value) => (record(value) === undefined ? undefined : configSchema(value)),
    ...meta,
  },
  id,
);
const agent = shape(
  {
    provider: string,
    displayName: text,
    description: text,
    models: orElse(list(modelInfo), []),
    protectedResources: list(protectedResource),
    customizations: list(customization),
    capabilities: shape({
      multipleChats: shape({ fork: boolean, sideChat: boolean }),
      multipleWorkingDirectories: record,
    }),
  },
  ['provider'],
);
const terminalInfo = shape({ resource: string, title: text, claim, exitCode: number }, ['resource']);
const agents = list(agent);
const terminals = list(terminalInfo);

export const rootState = shape({ agents: orElse(agents, []), activeSessions: number, terminals, config, ...meta });

export const otherActions: Readonly<Record<string, Read>> = {
  'session/creationFailed': shape({ error: errorInfo }),
  'session/chatAdded': shape({ summary: chatSummary }),
  'session/chatUpdated': shape({ chat: string, changes: chatChanges }),
  'session/activeClientSet': shape({ activeClient }),
  'session/serverToolsChanged': shape({ tools: list(tool) }),
  'session/configChanged': shape({ config: record, replace: boolean }),
  'session/inputNeededSet': shape({ request: sessionInput }),
  'session/customizationsChanged': shape({ customizations: list(customization) }),
  'session/customizationUpdated': shape({ customization }),
  'session/mcpServerStateChanged': shape({ id: string, state: mcpState, channel: string }),
  'session/metaChanged': shape(meta),
  'root/agentsChanged': shape({ agents }),
  'root/terminalsChanged': shape({ terminals }),
  'root/configChanged': shape({ config: record, replace: boolean }),
  'terminal/claimed': shape({ claim }),
};

/* ---------------------------------------------------------------- results and notifications */

const implementation = shape({ name: text, version: string, title: string });

export const initializeResult = shape(
  {
    protocolVersion: string,
    serverSeq: orElse(number, 0),
    serverInfo: implementation,
    defaultDirectory: string,
    completionTriggerCharacters: strings,
    terminalCommandPrefix: string,
    steeringMessages: record,
    attachmentCollections: record,
    ...meta,
  },
  ['protocolVersion'],
);
export const listSessionsResult = shape({ items: orElse(list(sessionSummary), []), nextCursor: string });
export const completionsResult = shape({
  items: orElse(
    list(
      shape(
        {
          insertText: string,
          rangeStart: number,
          rangeEnd: number,
          attachment: (value) => (record(value) === undefined ? undefined : attachment(value)),
        },
        ['insertText', 'attachment'],
      ),
    ),
    [],
  ),
});
export const resourceReadResult = shape({ data: string, encoding: string, contentType: string }, ['data', 'encoding']);
export const sessionConfigResult = shape({ schema: configSchema, values: orElse(record, {}) });
export const resourceListResult = shape({
  entries: orElse(list(shape({ name: string, type: text }, ['name'])), []),
});
export const resourceResolveResult = shape(
  { uri: text, type: text, size: number, mtime: string, ctime: string, contentType: string, etag: string },
  ['type'],
);
export const resources = list(protectedResource);

export const hostNotifications: Readonly<Record<string, Read>> = {
  'root/sessionAdded': shape({ channel: text, summary: sessionSummary }, ['summary']),
  'root/sessionRemoved': shape({ channel: text, session: string }, ['session']),
  'root/sessionSummaryChanged': shape({ channel: text, session: string, changes: sessionChanges }, [
    'session',
    'changes',
  ]),
  'root/progress': shape(
    { channel: text, progressToken: either(string, number), progress: number, total: number, message: string },
    ['progressToken', 'progress'],
  ),
  'auth/required': shape({ channel: text, resource: either(string, protectedResource), reason: string }, ['resource']),
};
