/** The gallery's tool calls, one for each state. */

import type { ActiveTurn, Message, ResponsePart, ToolCallState, Turn } from '../src/protocol/state.js';

export const user = (text: string, more: Partial<Message> = {}): Message => ({
  text,
  origin: { kind: 'user' },
  ...more,
});

export const tool = (toolCall: ToolCallState): ResponsePart => ({ kind: 'toolCall', toolCall });

export const base = (toolCallId: string, displayName: string) => ({
  toolCallId,
  toolName: displayName.toLowerCase().replaceAll(' ', '_'),
  displayName,
});

export const read = (id: string, file: string): ToolCallState => ({
  ...base(id, 'Read file'),
  status: 'completed',
  invocationMessage: { markdown: `Reading \`${file}\`` },
  toolInput: JSON.stringify({ path: file, lines: [1, 40] }),
  confirmed: 'not-needed',
  success: true,
  pastTenseMessage: { markdown: `Read \`${file}\`` },
  content: [{ type: 'text', text: "export const port = 8080;\nexport const host = '127.0.0.1';\n" }],
});

export const edited: ToolCallState = {
  ...base('edit', 'Edit file'),
  status: 'completed',
  invocationMessage: { markdown: 'Editing `src/server.ts`' },
  toolInput: JSON.stringify({ path: 'src/server.ts', find: '8080', replace: '9090' }),
  confirmed: 'user-action',
  selectedOption: { id: 'session', label: 'Allow for this session', kind: 'approve' },
  success: true,
  pastTenseMessage: { markdown: 'Edited `src/server.ts`' },
  content: [
    {
      type: 'fileEdit',
      before: { uri: 'file:///src/server.ts', content: { uri: 'x:1' } },
      after: { uri: 'file:///src/server.ts', content: { uri: 'x:2' } },
      diff: { added: 12, removed: 3 },
    },
  ],
};

export const tested: ToolCallState = {
  ...base('test', 'Run command'),
  status: 'completed',
  invocationMessage: { markdown: 'Running `npm test`' },
  toolInput: 'npm test',
  confirmed: 'setting',
  success: true,
  pastTenseMessage: { markdown: 'Ran `npm test`' },
  content: [
    {
      type: 'terminal',
      resource: 'ahp-terminal:/1',
      title: 'npm test',
      result: {
        exitCode: 1,
        preview: '\u001b[32m41 passed\u001b[0m, 1 failed\n  ✗ listens on the new port\n',
        truncated: true,
      },
    },
  ],
};

export const confirmation: ToolCallState = {
  ...base('rm', 'Run command'),
  status: 'pending-confirmation',
  confirmationTitle: { markdown: 'Run a command in `web-shop`' },
  invocationMessage: 'Removes the build folder and builds again.',
  toolInput: 'rm -rf dist && npm run build -- --mode production',
  riskAssessment: {
    kind: 'judge',
    status: 'complete',
    reason: { markdown: 'Deletes the folder `dist`, which can be built again.' },
    safety: 0.55,
  },
  edits: {
    items: [
      { after: { uri: 'file:///dist/index.js', content: { uri: 'x:3' } }, diff: { added: 120 } },
      { before: { uri: 'file:///dist/old.js', content: { uri: 'x:4' } }, diff: { removed: 48 } },
    ],
  },
  options: [
    { id: 'once', label: 'Allow once', kind: 'approve', group: 1 },
    { id: 'session', label: 'Allow for this session', kind: 'approve', group: 1 },
    { id: 'never', label: 'Deny', kind: 'deny', group: 2 },
    { id: 'future', label: 'Ask the board', kind: 'postpone', group: 2 },
  ],
};

/** A confirmation whose input may be changed, with grouped answers. */
export const editable: ToolCallState = {
  ...base('put', 'Write file'),
  status: 'pending-confirmation',
  confirmationTitle: 'Write `src/port.ts`',
  invocationMessage: 'Keeps the port in one place.',
  toolInput: JSON.stringify({ path: 'src/port.ts', text: 'export const port = 9090;' }),
  editable: true,
  riskAssessment: { kind: 'judge', status: 'complete', safety: 0.12, reason: 'Overwrites a file that is not in git.' },
  options: [
    { id: 'once', label: 'Allow once', kind: 'approve', group: 'This call' },
    { id: 'no', label: 'Deny', kind: 'deny', group: 'This call' },
    { id: 'always', label: 'Allow writing in src', kind: 'approve', group: 'All calls' },
    { id: 'never', label: 'Never allow writing', kind: 'deny', group: 'All calls' },
  ],
};

const settledCalls: readonly ToolCallState[] = [
  read('a', 'src/a-file-with-quite-a-long-name/that-does-not-fit-on-one-line-of-a-side-panel.ts'),
  { ...tested, toolCallId: 'b' },
  {
    ...base('c', 'Fetch page'),
    status: 'completed',
    invocationMessage: 'Fetching a page',
    confirmed: 'not-needed',
    success: false,
    pastTenseMessage: 'Fetched https://example.com/prices',
    error: { message: 'The host did not answer within 30 s.', code: 'timeout' },
  },
  {
    ...base('d', 'Run command'),
    status: 'cancelled',
    invocationMessage: { markdown: 'Run `sudo reboot`' },
    reason: 'denied',
    selectedOption: { id: 'n', label: 'Never', kind: 'deny' },
    userSuggestion: user('Restart only the service.'),
  },
  { ...base('e', 'Search'), status: 'cancelled', invocationMessage: 'Search the web for prices', reason: 'skipped' },
  { ...base('f', 'Read file'), status: 'cancelled', invocationMessage: 'Read secrets.env', reason: 'result-denied' },
  { ...base('g', 'Hologram'), status: 'projecting' } as unknown as ToolCallState,
];

export const settledTurn: Turn = {
  id: 'settled',
  message: user('Every way a call can end'),
  responseParts: settledCalls.map(tool),
  state: 'complete',
};

export const runningTurn: ActiveTurn = {
  id: 'running',
  message: user('Every way a call can go on'),
  responseParts: [
    tool({ ...base('h', 'Write file'), status: 'streaming', partialInput: '{"path": "src/ne' }),
    tool({
      ...base('i', 'Run command'),
      status: 'running',
      invocationMessage: { markdown: 'Running `npm install`' },
      confirmed: 'user-action',
      toolInput: 'npm install',
    }),
    tool({
      ...base('j', 'Delegate'),
      status: 'running',
      invocationMessage: 'Asking another agent',
      confirmed: 'not-needed',
      content: [
        {
          type: 'subagent',
          resource: 'ahp-chat:/2',
          title: 'Look for flaky tests',
          agentName: 'Tester',
          description: 'Runs the suite ten times.',
        },
      ],
    }),
    tool({
      ...base('k', 'Calendar'),
      status: 'auth-required',
      contributor: { kind: 'mcp', customizationId: 'calendar' },
      invocationMessage: 'Read your calendar of this week',
      confirmed: 'not-needed',
      auth: {
        reason: 'required',
        description: 'The calendar server asks you to sign in.',
        resource: { resource: 'https://calendar.example.com', resource_name: 'Example Calendar' },
        requiredScopes: ['calendar.read'],
      },
    }),
    tool({
      ...base('l', 'Query'),
      status: 'pending-result-confirmation',
      invocationMessage: 'Query the customers',
      confirmed: 'user-action',
      success: true,
      pastTenseMessage: { markdown: 'Queried **412** customers' },
      content: [{ type: 'text', text: 'id,name\n1,Ada\n2,Grace\n' }],
    }),
    tool({
      ...confirmation,
      toolCallId: 'm',
      riskAssessment: { kind: 'judge', status: 'loading' },
      options: undefined,
      edits: undefined,
    } as unknown as ToolCallState),
  ],
};
