/** How an agent asks a person: an input request in the turn, and what came back. Source: AHP, elicitation. */

import type { TurnHandle } from '../../../src/host/turn-handle.js';
import type { ChatInputQuestion, ChatInputRequest, InputAnswer, InputResponse } from '../../../src/protocol/state.js';
import { WorkspaceError } from '../workspace/workspace.js';
import { list, text, type JsonObject } from './tool-input.js';
import { defineTool } from './tool.js';

export type Answer = string | number | boolean | readonly string[];

export interface Answers {
  readonly response: InputResponse;
  /** By question; what was skipped is missing. */
  readonly values: Readonly<Record<string, Answer>>;
}

/** Asks, and waits for the answer. Rejects when the turn is stopped. */
export async function ask(turn: TurnHandle, request: ChatInputRequest): Promise<Answers> {
  turn.dispatch({ type: 'chat/inputRequested', request });
  return answersTo(turn, request.id);
}

/** Waits for the answer to a request that stands in the turn already. */
export async function answersTo(turn: TurnHandle, requestId: string): Promise<Answers> {
  const { response = 'cancel', request: answered } = await turn.answer(requestId);
  const values = Object.entries(answered.answers ?? {}).flatMap(([id, answer]) => {
    const value = response === 'accept' ? valueOf(answer) : undefined;
    return value === undefined ? [] : [[id, value] as const];
  });
  return { response, values: Object.fromEntries(values) };
}

function valueOf(answer: InputAnswer): Answer | undefined {
  // A draft was typed and never given.
  if (answer.state !== 'submitted') return undefined;
  const { value } = answer;
  switch (value.kind) {
    case 'selected':
      return value.freeformValues?.[0] ?? value.value;
    case 'selected-many':
      return [...value.value, ...(value.freeformValues ?? [])];
    default:
      return value.value;
  }
}

/* ---------------------------------------------------------------- for the model */

const kinds = ['text', 'number', 'integer', 'boolean', 'single-select', 'multi-select'] as const;

const questionSchema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    kind: { type: 'string', enum: kinds },
    message: { type: 'string', description: 'The question.' },
    required: { type: 'boolean' },
    min: { type: 'number' },
    max: { type: 'number' },
    options: { type: 'array', items: { type: 'string' }, description: 'What can be chosen, for the two select kinds.' },
  },
  required: ['id', 'kind', 'message'],
} as const;

export const askUser = defineTool({
  name: 'ask_user',
  displayName: 'Ask you',
  description: 'Asks the person one or several questions at once and gives their answers. Use it instead of guessing.',
  fields: {
    message: text('Why you ask, in one sentence.'),
    questions: list('The questions.', questionSchema),
  },
  async prepare({ message, questions: given }, { createId }) {
    const questions = given.map(toQuestion);
    if (questions.length === 0) throw new WorkspaceError('bad-input', 'There is no question.');
    return {
      doing: 'Asking you',
      done: 'Asked you',
      async run({ caller: { turn } }) {
        const { response, values } = await ask(turn, { id: createId(), message, questions });
        if (response !== 'accept') {
          return { data: values, text: `The person did not answer (${response}).`, failure: 'Not answered' };
        }
        const lines = questions.map(({ id }) => `${id}: ${JSON.stringify(values[id] ?? null)}`);
        return { data: values, text: lines.join('\n') };
      },
    };
  },
});

function toQuestion(given: unknown): ChatInputQuestion {
  const question = (typeof given === 'object' && given !== null ? given : {}) as JsonObject;
  const { id, kind, message, required, min, max, options } = question;
  if (typeof id !== 'string' || typeof message !== 'string' || !kinds.some((known) => known === kind)) {
    throw new WorkspaceError('bad-input', `A question has an id, a message and one of the kinds ${kinds.join(', ')}.`);
  }
  const choices = Array.isArray(options) ? options.filter((option) => typeof option === 'string') : [];
  const isSelect = kind === 'single-select' || kind === 'multi-select';
  if (isSelect && choices.length === 0) throw new WorkspaceError('bad-input', `"${id}" has no options to choose from.`);
  return {
    id,
    kind,
    message,
    ...(required === true && { required }),
    ...(typeof min === 'number' && { min }),
    ...(typeof max === 'number' && { max }),
    ...(isSelect && { options: choices.map((label) => ({ id: label, label })), allowFreeformInput: true }),
    // Each member was checked for the kind it belongs to; members of other kinds are passed over by every reader.
  } as ChatInputQuestion;
}
