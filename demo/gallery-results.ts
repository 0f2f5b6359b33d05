/** The gallery's results of tools: terminals, workers, content, in every state. */

import type { ChatServices, OpenChannel } from '../src/chat/store.js';
import type { ChatState, ChatSummary, TerminalState, ToolResultContent, Turn, URI } from '../src/protocol/state.js';
import { AhpError, RpcCode } from '../src/protocol/errors.js';
import { base, tool, user } from './gallery-calls.js';

const ESC = '\u001b';
const NOW = '2026-03-01T10:00:00.000Z';

const output = [
  `${ESC}[1m$ npm test${ESC}[0m`,
  '',
  ` ${ESC}[32m✓${ESC}[0m ${ESC}[2mcart.test.ts${ESC}[0m (12 tests) ${ESC}[33m34 ms${ESC}[0m`,
  ` ${ESC}[31m✗${ESC}[0m prices.test.ts ${ESC}[41m FAIL ${ESC}[0m ${ESC}[36m中文${ESC}[0m`,
  `   ${ESC}[31mexpected 19.90 to equal 19.99${ESC}[0m`,
  `   ${ESC}[4mhttps://example.com/report${ESC}[0m ${ESC}[7m inverse ${ESC}[0m ${ESC}[38;5;208m256${ESC}[0m ${ESC}[38;2;120;80;220mown${ESC}[0m`,
  [...Array(16).keys()].map((colour) => `${ESC}[${colour < 8 ? 30 + colour : 82 + colour}m■■${ESC}[0m`).join(' '),
  `${ESC}[48;5;24;97m Tests ${ESC}[0m${ESC}[42;30m 11 passed ${ESC}[0m${ESC}[41;97m 1 failed ${ESC}[0m`,
  '',
].join('\r\n');

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAFElEQVR42mNkaGD4z4AHMOGTHDoKAE0HAYhuU9bQAAAAAElFTkSuQmCC';

const terminal = (more: object): ToolResultContent => ({
  type: 'terminal',
  resource: 'ahp-terminal:/live',
  title: 'npm test',
  ...more,
});

const worker = (name: string, more: object = {}): ToolResultContent => ({
  type: 'subagent',
  resource: `ahp-chat:/${name}`,
  title: `Look at the ${name}`,
  ...more,
});

const call = (id: string, displayName: string, ...content: readonly ToolResultContent[]) =>
  tool({
    ...base(id, displayName),
    status: 'completed',
    invocationMessage: displayName,
    confirmed: 'not-needed',
    success: true,
    pastTenseMessage: displayName,
    content,
  });

export const terminalsTurn: Turn = {
  id: 'terminals',
  startedAt: NOW,
  message: user('Run the tests.'),
  state: 'complete',
  responseParts: [
    call('live', 'Runs in a terminal', terminal({})),
    call('over', 'Ran in a terminal', terminal({ result: { exitCode: 1, preview: output, truncated: true } })),
    { kind: 'markdown', id: 'm', content: 'And one that is gone:' },
    call('gone', 'Ran in another', terminal({ resource: 'ahp-terminal:/gone', result: { exitCode: 137 } })),
  ],
};

export const workersTurn: Turn = {
  id: 'workers',
  startedAt: NOW,
  message: user('Have three workers look at it.'),
  state: 'complete',
  responseParts: [
    call(
      'w',
      'Asked three workers',
      worker('prices', { agentName: 'Explorer', description: 'Find out why they differ.' }),
      worker('cart'),
      worker('taxes'),
    ),
  ],
};

export const contentTurn: Turn = {
  id: 'content',
  startedAt: NOW,
  message: user('Show me what there is.'),
  state: 'complete',
  responseParts: [
    call(
      'r',
      'Read five things',
      { type: 'embeddedResource', data: pixel, contentType: 'image/png' },
      {
        type: 'embeddedResource',
        data: btoa('{"shop":{"open":true,"items":[1,2,3]}}'),
        contentType: 'application/json',
      },
      { type: 'resource', uri: 'file:///notes/summary.md', sizeHint: 1_200, contentType: 'text/markdown' },
      { type: 'resource', uri: 'file:///secret/keys.txt', sizeHint: 80, contentType: 'text/plain' },
      { type: 'resource', uri: 'file:///old/report.txt', sizeHint: 80, contentType: 'text/plain' },
      { type: 'resource', uri: 'file:///large/archive.tar.gz', sizeHint: 4_200_000 },
      { type: 'hologram' } as unknown as ToolResultContent,
    ),
  ],
};

const refuse = (code: number, data?: unknown) =>
  Promise.reject(new AhpError('rpc', 'no', { rpc: { code, message: 'no', ...(data !== undefined && { data }) } }));

/** What the files of these turns answer; `undefined` for all others. */
export const readContent = (uri: URI) => {
  if (uri.includes('/secret/')) return refuse(RpcCode.PermissionDenied, { request: { uri, read: true } });
  return uri.includes('/old/') ? refuse(RpcCode.NotFound) : undefined;
};

const still = <State>(state: State | undefined, error?: AhpError): OpenChannel<State> => ({
  state,
  ...(error && { error }),
  subscribe: () => () => undefined,
  close: () => undefined,
});

const live: TerminalState = {
  title: 'npm test',
  isPty: true,
  cols: 80,
  content: [{ type: 'unclassified', value: `${output}Watching 3 files… ${ESC}[32m▮▮▮▮▮▮▮▮▮▮${ESC}[0m` }],
  claim: { kind: 'session', session: 'ahp-session:/gallery' },
};

const chat = (name: string): ChatState => ({
  resource: `ahp-chat:/${name}`,
  title: name,
  status: 1,
  modifiedAt: NOW,
  turns: [
    {
      id: `of ${name}`,
      startedAt: NOW,
      message: { text: 'Find out why they differ.', origin: { kind: 'agent' } },
      state: 'complete',
      responseParts: [
        { kind: 'markdown', id: 'm', content: 'The list has **gross** prices, the cart adds tax once more.' },
        call('inner', 'Asked a worker', worker(`${name} of prices`)),
      ],
    },
  ],
});

const gone = new AhpError('gone', 'The host no longer has this channel.');

export const services = {
  openTerminal: (resource) => (resource.endsWith('gone') ? still<TerminalState>(undefined, gone) : still(live)),
  openChat: (resource) => still(chat(resource.slice('ahp-chat:/'.length))),
  requestResource: async () => undefined,
} satisfies ChatServices;

const origin = { kind: 'tool', chat: 'ahp-chat:/gallery', toolCallId: 'w' } as const;
export const chats: readonly ChatSummary[] = [
  { resource: 'ahp-chat:/prices', status: 1, modifiedAt: NOW, origin },
  { resource: 'ahp-chat:/cart', status: 24, modifiedAt: NOW, origin },
  { resource: 'ahp-chat:/taxes', status: 8, modifiedAt: NOW, origin },
];

/** Opens every tool call in `frame`, and the first worker it meets, each once it is there. */
export function openAll(frame: Element | undefined): void {
  const opened = new Set<Element>();
  let frames = 0;
  const look = () => {
    const root = frame?.querySelector('ahp-transcript')?.shadowRoot;
    const lines = [...(root?.querySelectorAll<HTMLElement>('[part=tool-call-line]') ?? [])];
    const card = root?.querySelector<HTMLElement>('button.worker-title');
    for (const button of [...lines, ...(card ? [card] : [])]) {
      if (!opened.has(button)) button.click();
      opened.add(button);
    }
    frames += 1;
    if (frames < 60) requestAnimationFrame(look);
  };
  if (frame) requestAnimationFrame(look);
}
