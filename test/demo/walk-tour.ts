/** Takes the tour as a patient person would: allows, denies where the tour says so, answers, signs in, resumes. */

import type { ChatState, InputAnswerValue, ToolCallState, Turn, URI } from '../../src/protocol/state.js';
import { callsOf, type RawClient } from './raw-client.js';

export interface Walk {
  readonly turn: Turn;
  /** Kinds of parts, statuses of calls and types of content that were there at any moment. */
  readonly parts: ReadonlySet<string>;
  readonly statuses: ReadonlySet<string>;
  readonly contents: ReadonlySet<string>;
}

const answers: Readonly<Record<string, InputAnswerValue>> = {
  name: { kind: 'text', value: 'Ada' },
  visits: { kind: 'number', value: 1 },
  mark: { kind: 'number', value: 4.5 },
  again: { kind: 'boolean', value: true },
  best: { kind: 'selected', value: '', freeformValues: ['the end'] },
  more: { kind: 'selected-many', value: ['tools', 'silence'] },
};

export async function walkTour(client: RawClient, chat: URI): Promise<Walk> {
  const [parts, statuses, contents] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const done = new Set<string>();
  const turnId = client.ask(chat, '/tour');

  for (;;) {
    const state = await client.until(chat, (now) => {
      look(now, parts, statuses, contents);
      return isWaiting(now, done) ? now : undefined;
    });
    const turn = state.turns.find(({ id }) => id === turnId);
    if (turn?.state === 'error' && !done.has('resume')) {
      done.add('resume');
      client.dispatch(chat, { type: 'chat/turnResume', turnId });
    } else if (turn && turn.state !== 'error') {
      return { turn, parts, statuses, contents };
    } else {
      await answer(client, chat, state, done);
    }
  }
}

function look(state: ChatState, parts: Set<string>, statuses: Set<string>, contents: Set<string>): void {
  const turns = [...state.turns, ...(state.activeTurn ? [state.activeTurn] : [])];
  for (const part of turns.flatMap(({ responseParts }) => responseParts)) {
    parts.add(part.kind);
    if (part.kind !== 'toolCall') continue;
    const call = part.toolCall;
    statuses.add(call.status === 'completed' && !call.success ? 'failed' : call.status);
    for (const block of ('content' in call && call.content) || []) contents.add(block.type);
  }
}

const waitingCall = (state: ChatState, done: ReadonlySet<string>): ToolCallState | undefined =>
  callsOf(state.activeTurn?.responseParts ?? []).find(({ toolCallId, status }) => {
    const isPaused = status.startsWith('pending-') || status === 'auth-required';
    return isPaused && !done.has(toolCallId + status);
  });

function waitingRequest(state: ChatState, done: ReadonlySet<string>) {
  const part = state.activeTurn?.responseParts.find(
    (each) => each.kind === 'inputRequest' && !each.response && !done.has(each.request.id),
  );
  return part?.kind === 'inputRequest' ? part.request : undefined;
}

function isWaiting(state: ChatState, done: ReadonlySet<string>): boolean {
  if (waitingCall(state, done) || waitingRequest(state, done)) return true;
  const last = state.turns.find(({ message }) => message.text === '/tour');
  return last !== undefined && !(last.state === 'error' && done.has('resume'));
}

async function answer(client: RawClient, chat: URI, state: ChatState, done: Set<string>): Promise<void> {
  const turnId = state.activeTurn?.id ?? '';
  const request = waitingRequest(state, done);
  if (request) {
    done.add(request.id);
    const given = (request.questions ?? []).flatMap(({ id }) => {
      const value = answers[id];
      return value ? [[id, { state: 'submitted', value }] as const] : [];
    });
    const answered = Object.fromEntries(given);
    client.dispatch(chat, {
      type: 'chat/inputCompleted',
      requestId: request.id,
      response: 'accept',
      answers: answered,
    });
    return;
  }
  const call = waitingCall(state, done);
  if (!call) return;
  const { toolCallId, status, toolName } = call;
  done.add(toolCallId + status);
  if (status === 'auth-required') {
    const resource = call.auth.resource.resource;
    await client.request('authenticate', { channel: 'ahp-root://', resource, token: 'demo-token' });
  } else if (status === 'pending-result-confirmation') {
    client.dispatch(chat, { type: 'chat/toolCallResultConfirmed', turnId, toolCallId, approved: true });
  } else if (toolName === 'delete_file') {
    const userSuggestion = { text: 'keep it', origin: { kind: 'user' } } as const;
    client.confirm(chat, turnId, toolCallId, 'deny', { userSuggestion });
  } else {
    client.confirm(chat, turnId, toolCallId, 'allow-once');
  }
}

/** Everything the tour has to have shown. */
export const everyPart = [
  'markdown',
  'reasoning',
  'contentRef',
  'toolCall',
  'systemNotification',
  'inputRequest',
  'error',
];
export const everyStatus = [
  'streaming',
  'pending-confirmation',
  'running',
  'auth-required',
  'pending-result-confirmation',
  'completed',
  'failed',
  'cancelled',
];
export const everyContent = ['text', 'embeddedResource', 'resource', 'fileEdit', 'terminal', 'subagent'];
