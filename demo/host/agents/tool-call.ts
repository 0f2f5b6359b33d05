/**
 * One tool call through the protocol: announced, its input shown as it is written, confirmed where a person must allow
 * it, run with its output as it comes, and completed. The result tells a caller apart what people see as one line: done,
 * failed, or denied. Stopping the turn rejects.
 */

import type { TurnHandle } from '../../../src/host/turn-handle.js';
import { HOST_RESTARTED } from '../../../src/host/directory.js';
import type { RiskAssessment, ToolCallState, ToolInput, ToolResultContent } from '../../../src/protocol/state.js';
import { WorkspaceError } from '../workspace/workspace.js';
import { safeEnough } from './judge.js';
import { allow, approvalsOf, isAllowed, scopeOf, toOptions } from './permissions.js';
import { isForReader, reader } from './reader.js';
import { parseToolInput } from './tool-input.js';
import type { PreparedCall, Tool, ToolCaller, ToolOutput } from './tool.js';
import { pause } from './voice.js';

export type ToolOutcome<Data> =
  | { readonly kind: 'done'; readonly data: Data; readonly text: string }
  /** `data` is there when the tool did run and what it ran failed. */
  | { readonly kind: 'failed'; readonly message: string; readonly text: string; readonly data?: Data }
  | { readonly kind: 'denied'; readonly suggestion?: string };

/** Text of a result beyond this is left out of what is shown and sent to models. */
const maxText = 64 * 1024;

/** A call whose input is being written. */
export interface OpenCall {
  readonly toolCallId: string;
  /** Adds to the input as it is shown. */
  write(text: string): void;
}

export function openCall(
  { turn, createId }: ToolCaller,
  tool: Pick<Tool, 'name' | 'displayName' | 'contributor'>,
  intention?: string,
): OpenCall {
  const toolCallId = createId();
  turn.dispatch({
    type: 'chat/toolCallStart',
    toolCallId,
    toolName: tool.name,
    displayName: tool.displayName,
    ...(intention !== undefined && { intention }),
    ...(tool.contributor && { contributor: tool.contributor }),
  });
  return {
    toolCallId,
    write(content) {
      turn.dispatch({ type: 'chat/toolCallDelta', toolCallId, content });
    },
  };
}

/** Carries out a call whose input, as JSON text, is complete. */
export async function carryOut<Data>(
  caller: ToolCaller,
  tool: Tool<Data>,
  call: OpenCall,
  inputText: string,
  { isAsked = false } = {},
): Promise<ToolOutcome<Data>> {
  const { turn } = caller;
  const { toolCallId } = call;
  /** Nobody is asked about what will not run. */
  const pass = (invocationMessage: PreparedCall<Data>['doing']): void => {
    const ready = { type: 'chat/toolCallReady', toolCallId, invocationMessage, toolInput: inputText } as const;
    turn.dispatch({ ...ready, confirmed: 'not-needed' });
  };
  let prepared: PreparedCall<Data>;
  try {
    prepared = await tool.prepare(parseToolInput(inputText), caller);
  } catch (error) {
    const message = toMessage(error);
    turn.signal.throwIfAborted();
    if (!isAsked) pass(tool.displayName);
    return fail(turn, toolCallId, `${tool.displayName} could not start`, message);
  }
  turn.signal.throwIfAborted();
  if (prepared.confirmation && isForReader(turn.message)) {
    const { doing } = prepared;
    pass(doing);
    return fail(turn, toolCallId, doing, `${reader.name} changes nothing. Ask without ${reader.name} to have it done.`);
  }

  const confirmed = await confirm(caller, prepared, { toolCallId, inputText, isAsked });
  if (confirmed.kind === 'denied') return confirmed;
  // Edited input is another call: it is worked out anew, and may now be wrong.
  if (confirmed.inputText !== inputText) {
    try {
      prepared = await tool.prepare(parseToolInput(confirmed.inputText), caller);
    } catch (error) {
      return fail(turn, toolCallId, `${tool.displayName} could not start`, toMessage(error));
    }
  }
  // Of the input that runs: an edited command allows itself, and not what it was.
  const scope = scopeOf(confirmed.optionId, prepared.confirmation?.scopes ?? []);
  if (scope) allow(caller.host, turn.session, scope);
  return run(caller, toolCallId, prepared);
}

/**
 * Goes on with a call of a turn that broke off: takes what came out of it, waits for whoever has yet to answer it, or
 * looks again where looking does no harm. `undefined` when it has to be called anew.
 */
export async function goOnWith<Data>(
  caller: ToolCaller,
  tool: Tool<Data>,
  call: ToolCallState,
): Promise<ToolOutcome<Data> | undefined> {
  const { toolCallId } = call;
  switch (call.status) {
    case 'completed': {
      // It was cut off, and nobody knows how far it came.
      if (call.error?.code === HOST_RESTARTED) return undefined;
      const prepared = await tool.prepare(parseToolInput(inputOf(call)), caller).catch(() => undefined);
      if (call.success && prepared?.isRepeatable) {
        const { data, text } = await prepared.run({ caller, toolCallId, signal: caller.turn.signal, show: () => {} });
        return { kind: 'done', data, text };
      }
      // It was put there by this very tool.
      const data = call.structuredContent as Data;
      if (call.success) return data === undefined ? undefined : { kind: 'done', data, text: '' };
      return { kind: 'failed', message: call.error?.message ?? '', text: '', ...(data !== undefined && { data }) };
    }
    case 'cancelled':
      return call.reason === 'skipped' ? undefined : toDenied(call);
    case 'pending-confirmation':
      return carryOut(caller, tool, { toolCallId, write: () => {} }, inputOf(call), { isAsked: true });
    case 'pending-result-confirmation':
      return goOnWith(caller, tool, await caller.turn.completion(toolCallId));
    default:
      return undefined;
  }
}

const inputOf = (call: { readonly toolInput?: ToolInput }): string =>
  typeof call.toolInput === 'string' ? call.toolInput : '{}';

type Confirmed =
  | { readonly kind: 'allowed'; readonly inputText: string; readonly optionId?: string }
  | { readonly kind: 'denied'; readonly suggestion?: string };

async function confirm(
  caller: ToolCaller,
  { doing, confirmation }: PreparedCall<unknown>,
  { toolCallId, inputText, isAsked }: { toolCallId: string; inputText: string; isAsked: boolean },
): Promise<Confirmed> {
  const { turn, host } = caller;
  const ready = { type: 'chat/toolCallReady', toolCallId, invocationMessage: doing, toolInput: inputText } as const;
  turn.dispatch({ type: 'chat/activityChanged', activity: toPlain(doing) });
  if (!confirmation || (!isAsked && isAllowed(host, turn.session, confirmation.scopes))) {
    turn.dispatch({ ...ready, confirmed: confirmation ? 'setting' : 'not-needed' });
    return { kind: 'allowed', inputText };
  }
  const judging = judge(caller, confirmation);
  if (!isAsked && approvalsOf(host, turn.session) === 'risky' && (await judging).safety >= safeEnough) {
    turn.dispatch({ ...ready, confirmed: 'setting' });
    return { kind: 'allowed', inputText };
  }
  if (!isAsked)
    turn.dispatch({
      ...ready,
      confirmationTitle: confirmation.title,
      riskAssessment: { kind: 'judge', status: 'loading' },
      options: toOptions(confirmation.scopes),
      ...(confirmation.edits && { edits: { items: confirmation.edits } }),
      ...(confirmation.editable && { editable: true }),
    });
  const showJudgement = (riskAssessment: RiskAssessment): void => {
    // Whoever has answered in the meantime must not be asked again.
    if (findCall(turn, toolCallId)?.status === 'pending-confirmation') turn.dispatch({ ...ready, riskAssessment });
  };
  // It rejects with the end of the turn only.
  judging.then(showJudgement, () => undefined);
  const answered = await turn.confirmation(toolCallId);
  if (answered.status === 'cancelled') return toDenied(answered);
  if (answered.status !== 'running') {
    throw new Error(`The call was answered and is ${answered.status}; it should be running or cancelled.`);
  }
  const edited = typeof answered.toolInput === 'string' ? answered.toolInput : inputText;
  const optionId = answered.selectedOption?.id;
  return { kind: 'allowed', inputText: edited, ...(optionId !== undefined && { optionId }) };
}

type Judged = Extract<RiskAssessment, { status: 'complete' }>;

/** A judge who cannot look says so, and warns rather than not. */
const unjudged: Judged = { kind: 'judge', status: 'complete', safety: 0.5, reason: 'It could not be judged.' };

/** Pieces of an answer that a judge's thinking is as long as. */
const judgePieces = 40;

async function judge(
  { turn, pace }: ToolCaller,
  confirmation: NonNullable<PreparedCall<unknown>['confirmation']>,
): Promise<Judged> {
  await pause(pace.delayMs * judgePieces, turn.signal);
  const judgement = await confirmation.judge().catch(() => unjudged);
  return { ...judgement, kind: 'judge', status: 'complete' };
}

const toPlain = (words: PreparedCall<unknown>['doing']): string =>
  typeof words === 'string' ? words : words.markdown.replaceAll('`', '');

function findCall(turn: TurnHandle, toolCallId: string): ToolCallState | undefined {
  for (const part of turn.turn?.responseParts ?? []) {
    if (part.kind === 'toolCall' && part.toolCall.toolCallId === toolCallId) return part.toolCall;
  }
  return undefined;
}

function toDenied(call: Extract<ToolCallState, { status: 'cancelled' }>): { kind: 'denied'; suggestion?: string } {
  const suggestion = call.userSuggestion?.text;
  return suggestion ? { kind: 'denied', suggestion } : { kind: 'denied' };
}

async function run<Data>(caller: ToolCaller, toolCallId: string, call: PreparedCall<Data>): Promise<ToolOutcome<Data>> {
  const { turn } = caller;
  const { signal } = turn;
  const show = (content: readonly ToolResultContent[]): void =>
    void turn.dispatch({ type: 'chat/toolCallContentChanged', toolCallId, content });
  let output: ToolOutput<Data>;
  try {
    output = await call.run({ caller, toolCallId, signal, show });
  } catch (error) {
    signal.throwIfAborted();
    return fail(turn, toolCallId, call.doing, toMessage(error));
  }
  signal.throwIfAborted();
  const text = shorten(output.text);
  const content = output.content ?? (text === '' ? [] : [{ type: 'text', text } as const]);
  const { failure } = output;
  // A page completes its own calls.
  if (findCall(turn, toolCallId)?.status !== 'completed') {
    turn.dispatch({
      type: 'chat/toolCallComplete',
      toolCallId,
      ...(call.reviewsResult && { requiresResultConfirmation: true }),
      result: {
        success: failure === undefined,
        // Kept for when the turn goes on after a failure: what cannot be done twice is not.
        ...(!call.isRepeatable && output.data !== undefined && { structuredContent: output.data }),
        pastTenseMessage: call.done,
        ...(content.length > 0 && { content }),
        ...(failure !== undefined && { error: { message: failure } }),
      },
    });
  }
  if (call.reviewsResult) {
    const settled = await turn.completion(toolCallId);
    if (settled.status === 'cancelled') return toDenied(settled);
  }
  return failure === undefined
    ? { kind: 'done', data: output.data, text }
    : { kind: 'failed', message: failure, text, data: output.data };
}

function fail(
  turn: TurnHandle,
  toolCallId: string,
  pastTenseMessage: PreparedCall<unknown>['done'],
  message: string,
): ToolOutcome<never> {
  turn.dispatch({
    type: 'chat/toolCallComplete',
    toolCallId,
    result: { success: false, pastTenseMessage, error: { message } },
  });
  return { kind: 'failed', message, text: message };
}

/** What a tool could not do is for people to read; what should not happen ends the turn. */
function toMessage(error: unknown): string {
  if (error instanceof WorkspaceError) return error.message;
  throw error;
}

const shorten = (text: string): string =>
  text.length > maxText ? `${text.slice(0, maxText)}\n… ${text.length - maxText} more characters are left out.` : text;
