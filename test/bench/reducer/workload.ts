/** Streams of chat actions as a host would send them, read from JSON so that no two share a string. */

import type { ChatAction } from '../../../src/protocol/actions.js';
import type { ChatState, Turn } from '../../../src/protocol/state.js';

const START = '2026-03-01T10:00:00.000Z';
const message = (text: string) => ({ text, origin: { kind: 'user' as const } });

const fromWire = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** A finished chat of `count` turns, each with a line of text and a call. */
export const priorTurns = (count: number): readonly Turn[] =>
  fromWire(
    Array.from({ length: count }, (_, index) => ({
      id: `old-${index}`,
      startedAt: START,
      duration: 1000,
      message: message(`question ${index}`),
      responseParts: [
        { kind: 'markdown' as const, id: `old-${index}-m`, content: 'An answer in one line. '.repeat(4) },
        {
          kind: 'toolCall' as const,
          toolCall: {
            status: 'completed' as const,
            toolCallId: `old-${index}-c`,
            toolName: 'read_file',
            displayName: 'Read file',
            invocationMessage: 'Reading',
            confirmed: 'not-needed',
            success: true,
            pastTenseMessage: 'Read',
          },
        },
      ],
      state: 'complete' as const,
    })),
  );

export const chatOf = (turns: readonly Turn[]): ChatState => ({
  resource: 'ahp-chat:/bench',
  title: 'Bench',
  status: 1,
  modifiedAt: START,
  turns,
});

/** One turn: text in between `tools` calls, each streamed, confirmed every third time, with content and a result. */
export function turnActions(turnId: string, { deltas = 400, tools = 10, toolDeltas = 12 } = {}): readonly ChatAction[] {
  const actions: ChatAction[] = [{ type: 'chat/turnStarted', turnId, startedAt: START, message: message('go') }];
  for (let tool = 0; tool <= tools; tool++) {
    const partId = `${turnId}-m${tool}`;
    actions.push({ type: 'chat/responsePart', turnId, part: { kind: 'markdown', id: partId, content: '' } });
    for (let n = 0; n < deltas / (tools + 1); n++) {
      actions.push({ type: 'chat/delta', turnId, partId, content: 'some more words ' });
    }
    if (tool < tools) actions.push(...callActions(turnId, `${turnId}-c${tool}`, toolDeltas, tool % 3 === 0));
  }
  actions.push({ type: 'chat/usage', turnId, usage: { inputTokens: 10, outputTokens: 20 } });
  actions.push({ type: 'chat/turnComplete', turnId, duration: 5 });
  return fromWire(actions);
}

function callActions(turnId: string, toolCallId: string, deltas: number, asks: boolean): readonly ChatAction[] {
  const address = { turnId, toolCallId };
  const streamed = Array.from(
    { length: deltas },
    () => ({ type: 'chat/toolCallDelta', ...address, content: '"key":1,' }) as const,
  );
  const ready = { type: 'chat/toolCallReady', ...address, invocationMessage: 'Reading', toolInput: '{}' } as const;
  const text = { type: 'text', text: 'what was found' } as const;
  return [
    { type: 'chat/toolCallStart', ...address, toolName: 'read_file', displayName: 'Read file' },
    ...streamed,
    asks ? ready : { ...ready, confirmed: 'not-needed' },
    ...(asks
      ? [{ type: 'chat/toolCallConfirmed', ...address, approved: true, confirmed: 'user-action' } as const]
      : []),
    { type: 'chat/toolCallContentChanged', ...address, content: [text] },
    { type: 'chat/toolCallComplete', ...address, result: { success: true, pastTenseMessage: 'Read', content: [text] } },
  ];
}

/** `turns` as a host pages them in, the newest page first. */
export function pagesOf(turns: readonly Turn[], size: number): readonly ChatAction[] {
  const pages: ChatAction[] = [];
  for (let end = turns.length; end > 0; end -= size) {
    const page = turns.slice(Math.max(0, end - size), end);
    pages.push({
      type: 'chat/turnsLoaded',
      turns: page,
      ...(end > size && { turnsNextCursor: `before ${end - size}` }),
    });
  }
  return pages;
}
