/** Chats, turns and entries for the tests of the mirrors; every builder says only what its test is about. */

import type { ChatRecord, OutboxEntry, StoredDraft } from '../../src/mirror/mirror.js';
import type { ChatState, Message, Turn } from '../../src/protocol/state.js';

export const CHAT = 'ahp-chat:/one';
export const OTHER_CHAT = 'ahp-chat:/other';

export const message = (text: string): Message => ({ text, origin: { kind: 'user' } });

export const turn = (id: string, text = `answer to ${id}`): Turn => ({
  id,
  startedAt: '2026-07-31T09:30:00.000Z',
  message: message(`question ${id}`),
  responseParts: [{ kind: 'markdown', id: `${id}-m`, content: text }],
  state: 'complete',
});

/** Turns `t<from>` to `t<to>`, both included. */
export const turns = (from: number, to: number): Turn[] =>
  Array.from({ length: to - from + 1 }, (_, index) => turn(`t${from + index}`));

export const state = (parts: Partial<ChatState> = {}): ChatState => ({
  resource: CHAT,
  title: 'A chat',
  status: 1,
  modifiedAt: '2026-07-31T09:30:00.000Z',
  turns: [],
  ...parts,
});

export const record = (parts: Partial<ChatRecord> & { turns?: readonly Turn[] } = {}): ChatRecord => {
  const { turns: finished, ...rest } = parts;
  return {
    state: state(finished ? { turns: finished } : {}),
    isComplete: false,
    appliedSeq: 7,
    epoch: 'epoch',
    protocolVersion: '1.0.0',
    ...rest,
  };
};

/** A chat that is answering: `text` is what has come so far. */
export const streaming = (finished: readonly Turn[], text: string, appliedSeq = 8): ChatRecord =>
  record({
    state: state({
      turns: finished,
      activeTurn: {
        id: 'running',
        message: message('go on'),
        responseParts: [{ kind: 'markdown', id: 'running-m', content: text }],
      },
    }),
    appliedSeq,
  });

export const entry = (clientSeq: number, parts: Partial<OutboxEntry> = {}): OutboxEntry => ({
  clientId: 'me',
  clientSeq,
  channel: CHAT,
  group: `g${clientSeq}`,
  action: {
    type: 'chat/turnStarted',
    turnId: `u${clientSeq}`,
    startedAt: '2026-07-31T09:30:00.000Z',
    message: message(`text ${clientSeq}`),
  },
  sends: 0,
  ...parts,
});

export const draft = (text: string, revision = 1, updatedAt = 1000): StoredDraft => ({
  message: message(text),
  revision,
  updatedAt,
});

export const ids = (found: readonly Turn[] | undefined): string[] => (found ?? []).map((item) => item.id);
