/** Turns with what can be done with them, where chats come from, and the list of chats: for the gallery. */

import type { Catalogue, ListedChat } from '../src/chat/catalogue.js';
import { Status, type BackgroundWork, type ChatSummary, type Turn } from '../src/protocol/state.js';
import type { TurnAbilities } from '../src/views/transcript/part-scope.js';
import { NOW, user } from './gallery-data.js';

const iso = (minutesAgo: number) => new Date(NOW - minutesAgo * 60_000).toISOString();

export const abilities: TurnAbilities = {
  send: true,
  fork: true,
  sideChat: true,
  enterKey: 'send',
  models: [{ id: 'large', name: 'Large' }],
};

const answer = (id: string, content: string): Turn['responseParts'] => [{ kind: 'markdown', id, content }];

export const turns: readonly Turn[] = [
  {
    id: 'done',
    state: 'complete',
    startedAt: iso(12),
    duration: 84_000,
    usage: { inputTokens: 12_400, outputTokens: 960, cacheReadTokens: 9_000, model: 'large' },
    message: user('Why does the stock go below zero?'),
    responseParts: answer('m', 'Two orders read the **same count** before either has written it back.'),
  },
  {
    id: 'agent',
    state: 'complete',
    startedAt: iso(9),
    message: { text: 'Nightly check of the shop', origin: { kind: 'automation' } },
    responseParts: [
      { kind: 'systemNotification', content: 'The workspace was moved to `/srv/shop`.' },
      ...answer('n', 'All 42 tests pass.'),
    ],
  },
  {
    id: 'stopped',
    state: 'cancelled',
    startedAt: iso(4),
    message: user('Write the longest report you can'),
    responseParts: answer('o', 'The shop consists of'),
  },
  {
    id: 'failed',
    state: 'error',
    startedAt: iso(1),
    message: user('Deploy it'),
    responseParts: [
      {
        kind: 'error',
        resumable: true,
        error: { errorType: 'RateLimit', message: 'The model is busy. Try again in a minute.' },
      },
    ],
  },
];

const chat = (resource: string, title: string, status: number, minutesAgo: number, isReadOnly = false): ListedChat => ({
  resource,
  title,
  status,
  modifiedAt: iso(minutesAgo),
  activity: undefined,
  origin: undefined,
  isReadOnly,
});

export const catalogue: Catalogue = {
  phase: 'live',
  sessions: [
    {
      resource: 's1',
      title: 'Shop: the stock goes below zero',
      status: Status.InputNeeded,
      modifiedAt: iso(1),
      activity: undefined,
      defaultChat: 'c1',
      canCreateChat: true,
      chats: [
        chat('c1', 'The stock goes below zero', Status.InputNeeded | Status.IsRead, 1),
        chat('c2', 'With a lock instead', Status.Idle, 3),
        chat('c3', 'Worker: reads the tests', Status.InProgress | Status.IsRead, 2, true),
      ],
    },
    {
      resource: 's2',
      title: 'قائمة التسوق',
      status: Status.Idle | Status.IsRead,
      modifiedAt: iso(60),
      activity: undefined,
      defaultChat: undefined,
      canCreateChat: true,
      chats: [],
    },
    {
      resource: 's3',
      title: 'Units',
      status: Status.Error | Status.IsRead,
      modifiedAt: iso(60 * 30),
      activity: undefined,
      defaultChat: undefined,
      canCreateChat: true,
      chats: [],
    },
    {
      resource: 's4',
      title: 'Old recipes',
      status: Status.Idle | Status.IsRead | Status.IsArchived,
      modifiedAt: iso(60 * 24 * 9),
      activity: undefined,
      defaultChat: undefined,
      canCreateChat: true,
      chats: [],
    },
  ],
};

export const chats: readonly ChatSummary[] = [
  { resource: 'c1', title: 'The stock goes below zero', status: Status.Idle, modifiedAt: iso(1) },
];

export const work: readonly BackgroundWork[] = [
  { kind: 'shell', id: 'w1', label: 'Dev server', command: 'npm start', startedAt: iso(8) },
  { kind: 'subagent', id: 'w2', label: 'Reads the tests', chat: 'c1', startedAt: iso(2) },
];
