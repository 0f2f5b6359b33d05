/** What the gallery shows: plain values, as a host would have them, one for each state. */

import type { ChatStoreStatus, SessionInfo } from '../src/chat/store.js';
import { AhpError } from '../src/protocol/errors.js';
import type {
  ActiveTurn,
  ChatInputRequest,
  MessageAttachment,
  PendingMessage,
  ResponsePart,
  Turn,
} from '../src/protocol/state.js';
import { base, confirmation, edited, read, tested, tool, user } from './gallery-calls.js';

/** The moment at which the gallery stands still. */
export const NOW = Date.UTC(2026, 10, 30, 12);

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAABgAAAAYCAYAAADgdz34AAAANklEQVR42mNkYPj/n4GGgHHUglELRi0YtWDUglELRi0YtWDUglELRi0YtWDUglELRi0YtWAgLQAAt0wC/2wYq1MAAAAASUVORK5CYII=';

export { user };
const markdown = (content: string): ResponsePart => ({ kind: 'markdown', id: 'm', content });

const longAnswer = `The server reads its port from two places, and they disagree.

1. \`src/server.ts\` holds the default, **8080**.
2. \`compose.yaml\` maps **9090** to the container.

| place | value | wins |
|---|--:|---|
| \`src/server.ts\` | 8080 | locally |
| \`compose.yaml\` | 9090 | in the container |

The smallest change is to let the environment decide:

\`\`\`ts
export const port = Number(process.env.PORT ?? 8080);
\`\`\`

> Nothing else reads the constant; I looked at all callers.

I changed that line and ran the tests. One fails because it expects the old port; see [the test](https://example.com/test).`;

export const longTurns: readonly Turn[] = [
  {
    id: 'first',
    startedAt: '2026-11-27T09:00:00.000Z',
    duration: 4_200,
    message: user('What is this repository about?'),
    responseParts: [
      markdown('A small web shop: an HTTP server, a catalogue in SQLite, and a front end without a framework.'),
    ],
    usage: { inputTokens: 1_840, outputTokens: 96, model: 'large-2' },
    state: 'complete',
  },
  {
    id: 'port',
    startedAt: '2026-11-30T11:45:00.000Z',
    duration: 84_000,
    message: user('Which port does the server listen on, and why does the container not answer?', {
      attachments: [
        { type: 'resource', label: 'compose.yaml', uri: 'file:///compose.yaml', displayKind: 'document' },
        { type: 'embeddedResource', label: 'screenshot.png', data: pixel, contentType: 'image/png' },
      ],
    }),
    responseParts: [
      {
        kind: 'reasoning',
        id: 'r',
        content: 'The user asks about the port.\n\nI should look at the server and the compose file.',
      },
      tool(read('1', 'src/server.ts')),
      tool(read('2', 'compose.yaml')),
      tool(read('3', 'src/config.ts')),
      tool(edited),
      tool(tested),
      markdown(longAnswer),
    ],
    usage: { inputTokens: 12_400, outputTokens: 1_180, model: 'large-2' },
    state: 'complete',
  },
];

export const confirmingTurn: ActiveTurn = {
  id: 'confirm',
  startedAt: '2026-11-30T11:59:00.000Z',
  message: user('Build it again from scratch.'),
  responseParts: [markdown('I will remove the old build first.'), tool(confirmation)],
};

export const streamingTurn: ActiveTurn = {
  id: 'stream',
  startedAt: '2026-11-30T11:59:30.000Z',
  message: user('And in production?'),
  responseParts: [
    { kind: 'reasoning', id: 'r1', content: 'Where is the production configuration?' },
    tool({
      ...base('s1', 'Run command'),
      status: 'running',
      invocationMessage: { markdown: 'Running `kubectl get pods`' },
      confirmed: 'setting',
      toolInput: 'kubectl get pods',
    }),
    markdown('In production the port comes from the environment, so the'),
  ],
};

export const thinkingTurn: ActiveTurn = {
  id: 'think',
  message: user('Think about it.'),
  responseParts: [
    {
      kind: 'reasoning',
      id: 'r',
      content: 'Two questions.\n\nFirst, which callers read the constant? Let me list them one by one before I decide',
    },
  ],
};

const request: ChatInputRequest = {
  id: 'q',
  message: { markdown: 'Before I deploy, a few questions.' },
  questions: [
    {
      id: '1',
      kind: 'single-select',
      title: 'Target',
      message: 'Where to?',
      required: true,
      options: [
        { id: 's', label: 'Staging', recommended: true, description: 'Nobody is disturbed.' },
        { id: 'p', label: 'Production' },
      ],
    },
    {
      id: '2',
      kind: 'multi-select',
      message: 'Which services?',
      options: [
        { id: 'a', label: 'API' },
        { id: 'w', label: 'Worker' },
      ],
      allowFreeformInput: true,
      min: 1,
    },
    { id: '3', kind: 'boolean', message: 'Run the migrations?', defaultValue: true },
    { id: '4', kind: 'integer', message: 'How many replicas?', min: 1, max: 9, defaultValue: 2 },
    { id: '5', kind: 'text', message: 'Whom to tell?', format: 'email' },
  ],
};

export const askingTurn: ActiveTurn = {
  id: 'asking',
  message: user('Deploy it.'),
  responseParts: [{ kind: 'inputRequest', request }],
};

export const answeredTurn: Turn = {
  id: 'answered',
  message: user('Deploy it.'),
  responseParts: [
    {
      kind: 'inputRequest',
      request: {
        ...request,
        answers: {
          '1': { state: 'submitted', value: { kind: 'selected', value: 's' } },
          '2': { state: 'submitted', value: { kind: 'selected-many', value: ['a'], freeformValues: ['cron'] } },
          '3': { state: 'submitted', value: { kind: 'boolean', value: true } },
          '4': { state: 'skipped' },
        },
      },
      response: 'accept',
    },
    {
      kind: 'inputRequest',
      request: { id: 'u', message: 'Sign the licence', url: 'https://sign.example.com/42' },
      response: 'decline',
    },
    { kind: 'inputRequest', request: { id: 'n', message: 'Was this right?' } },
  ],
  state: 'complete',
};

const everyAttachment: readonly MessageAttachment[] = [
  { type: 'simple', label: 'A note' },
  { type: 'embeddedResource', label: 'screenshot.png', data: pixel, contentType: 'image/png' },
  {
    type: 'resource',
    label: 'Quarterly report with a very long name for 2026, final version.pdf',
    uri: 'file:///q.pdf',
    displayKind: 'document',
  },
  { type: 'resource', label: 'startServer', uri: 'file:///s.ts', displayKind: 'symbol' },
  { type: 'simple', label: 'lines 10–24', displayKind: 'selection' },
  { type: 'annotations', label: '3 remarks', resource: 'ahp-annotations:/1' },
  { type: 'chat', label: 'Earlier chat', resource: 'ahp-chat:/9' },
  {
    type: 'collection',
    label: 'src',
    displayKind: 'directory',
    attachments: [
      { type: 'resource', label: 'a.ts', uri: 'file:///a.ts' },
      { type: 'resource', label: 'b.ts', uri: 'file:///b.ts' },
    ],
  },
  { type: 'simple', label: 'invoice\u202Egpj.exe' },
  { type: 'hologram', label: 'from the future' } as unknown as MessageAttachment,
];

export const messageTurns: readonly Turn[] = [
  {
    id: 'm1',
    message: user('With every kind of attachment', { attachments: everyAttachment }),
    responseParts: [],
    state: 'complete',
  },
  { id: 'm2', message: user('A long text.\n'.repeat(60)), responseParts: [], state: 'cancelled' },
  {
    id: 'm3',
    message: { text: 'The build is green again.', origin: { kind: 'automation' } },
    responseParts: [markdown('Then I go on with the release.')],
    state: 'complete',
  },
  {
    id: 'm4',
    message: { text: 'The worker has finished.', origin: { kind: 'systemNotification' } },
    responseParts: [{ kind: 'systemNotification', content: { markdown: 'Context was compacted to **40 %**.' } }],
    state: 'complete',
  },
  {
    id: 'm5',
    message: user('افتح src/app.ts الآن!'),
    responseParts: [markdown('فتحت الملف `src/app.ts` وفيه 40 سطرًا.')],
    state: 'complete',
  },
];

export const errorTurns: readonly Turn[] = [
  {
    id: 'e1',
    message: user('Old shape'),
    responseParts: [],
    state: 'error',
    error: { errorType: 'quota', message: 'The model refused: quota used up.' },
  },
  { id: 'e2', message: user('No reason'), responseParts: [markdown('It began well')], state: 'error' },
  {
    id: 'e3',
    message: user('Content'),
    responseParts: [
      { kind: 'contentRef', uri: 'file:///notes/summary.md', sizeHint: 1_200, contentType: 'text/markdown' },
      { kind: 'contentRef', uri: 'file:///Q1%.pdf', sizeHint: 4_200_000, contentType: 'application/pdf' },
      { kind: 'hologram' } as unknown as ResponsePart,
    ],
    state: 'cancelled',
  },
  {
    id: 'e4',
    message: user('New shape'),
    responseParts: [
      {
        kind: 'error',
        resumable: true,
        error: {
          errorType: 'overloaded',
          message: 'The model is overloaded.\nTry again in a minute, or choose another model.',
        },
      },
    ],
    state: 'error',
  },
];

export const session = {
  models: [
    { id: 'large', name: 'Large 2', provider: 'demo' },
    { id: 'small', name: 'Small 2', provider: 'demo' },
  ],
  agents: [
    { uri: 'agent:reviewer', name: 'Reviewer' },
    { uri: 'agent:writer', name: 'Writer' },
  ],
} as unknown as SessionInfo;

export const queue: readonly PendingMessage[] = [
  { id: 'q1', message: user('Then write the release notes, short ones, and put the breaking changes first') },
  { id: 'q2', message: user('And tag it', { attachments: [{ type: 'simple', label: 'a' }] }) },
];

const live: ChatStoreStatus = { phase: 'live', pending: 0, unconfirmed: [] };

export const statuses: readonly (readonly [string, ChatStoreStatus])[] = [
  ['offline', { ...live, phase: 'offline' }],
  ['reconnecting', { ...live, phase: 'offline', retryAt: NOW + 4_000 }],
  ['failed', { ...live, phase: 'failed', error: new AhpError('disconnected', 'the host closed the connection.') }],
  [
    'no common version',
    {
      ...live,
      phase: 'failed',
      error: new AhpError('version-mismatch', '', {
        rpc: { code: -32005, message: '', data: { supportedVersions: ['>=2.0.0 <3.0.0'] } },
      }),
    },
  ],
  ['gone', { ...live, phase: 'failed', error: new AhpError('gone', '') }],
  ['not kept', { ...live, notKept: 'quota' }],
  [
    'unconfirmed',
    {
      ...live,
      unconfirmed: [
        {
          id: '1',
          canRetry: true,
          actions: [
            {
              type: 'chat/turnStarted',
              turnId: 't',
              startedAt: '',
              message: user('Please rename the variable everywhere it is used'),
            },
          ],
        },
        { id: '2', canRetry: false, actions: [{ type: 'chat/turnCancelled', turnId: 't' }] },
      ],
    },
  ],
  [
    'waiting for a sign-in',
    {
      ...live,
      signIns: [{ reason: 'required', resource: { resource: 'https://files.example', resource_name: 'Files' } }],
    },
  ],
];
export const liveStatus = live;
export const attachments = everyAttachment;
