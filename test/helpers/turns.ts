/** Turns as a host would have them. */

import type {
  ActiveTurn,
  Message,
  ResponsePart,
  ToolCallCompleted,
  ToolCallPart,
  ToolCallState,
  Turn,
} from '../../src/protocol/state.js';

export const userMessage = (text: string, more: Partial<Message> = {}): Message => ({
  text,
  origin: { kind: 'user' },
  ...more,
});

export const markdown = (content: string, id = 'm'): ResponsePart => ({ kind: 'markdown', id, content });
export const reasoning = (content: string, id = 'r'): ResponsePart => ({ kind: 'reasoning', id, content });

/** Some lines of text, the same for the same number. */
export const paragraphs = (count: number, seed = 0): string =>
  Array.from(
    { length: count },
    (_, index) => `Paragraph ${seed}.${index} ${'with words that wrap around '.repeat(2 + ((seed + index) % 5))}`,
  ).join('\n\n');

export const turn = (id: string, more: Partial<Turn> = {}): Turn => ({
  id,
  startedAt: '2026-01-01T00:00:00.000Z',
  message: userMessage(`Question ${id}`),
  responseParts: [markdown(paragraphs(2, id.length))],
  state: 'complete',
  ...more,
});

/** `count` turns with ids `prefix0`, `prefix1`, …, of different heights. */
export const turns = (count: number, prefix = 't'): Turn[] =>
  Array.from({ length: count }, (_, index) =>
    turn(`${prefix}${index}`, { responseParts: [markdown(paragraphs(1 + (index % 4), index))] }),
  );

export const active = (id: string, ...responseParts: ResponsePart[]): ActiveTurn => ({
  id,
  startedAt: '2026-01-01T00:00:00.000Z',
  message: userMessage(`Question ${id}`),
  responseParts,
});

export const toolPart = (toolCall: ToolCallState): ToolCallPart => ({ kind: 'toolCall', toolCall });

export const completedCall = (toolCallId: string, more: Partial<ToolCallCompleted> = {}): ToolCallCompleted => ({
  status: 'completed',
  toolCallId,
  toolName: 'read_file',
  displayName: 'Read file',
  invocationMessage: 'Reading a file',
  confirmed: 'not-needed',
  success: true,
  pastTenseMessage: { markdown: `Read \`file-${toolCallId}.ts\`` },
  ...more,
});
