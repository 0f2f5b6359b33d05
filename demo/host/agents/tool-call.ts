/**
 * One tool call through the protocol: announced, its input shown as it is written, confirmed where a person must allow
 * it, run with its output as it comes, and completed. The result tells a caller apart what people see as one line: done,
 * failed, or denied. Stopping the turn rejects.
 */

import type { TurnHandle } from '../../../src/host/turn-handle.js';
import type { ConfirmationOption, ToolResultContent, URI } from '../../../src/protocol/state.js';
import { WorkspaceError } from '../workspace/workspace.js';
import { parseToolInput } from './tool-input.js';
import type { PreparedCall, Tool, ToolContext, ToolOutput } from './tools.js';

export type ToolOutcome<Data> =
  | { readonly kind: 'done'; readonly data: Data; readonly text: string }
  /** `data` is there when the tool did run and what it ran failed. */
  | { readonly kind: 'failed'; readonly message: string; readonly text: string; readonly data?: Data }
  | { readonly kind: 'denied'; readonly suggestion?: string };

/**
 * What people allowed for a session. Kept in memory only: after a restart the agents ask again.
 */
export class Permissions {
  readonly #scopes = new Map<URI, Set<string>>();

  has(session: URI, scope: string): boolean {
    return this.#scopes.get(session)?.has(scope) ?? false;
  }

  add(session: URI, scope: string): void {
    const scopes = this.#scopes.get(session) ?? new Set();
    this.#scopes.set(session, scopes.add(scope));
  }

  forget(session: URI): void {
    this.#scopes.delete(session);
  }
}

/** Whatever a tool call of one turn needs. */
export interface ToolCaller extends ToolContext {
  readonly turn: TurnHandle;
  readonly createId: () => string;
  readonly permissions: Permissions;
}

const allowOnce = { id: 'allow-once', label: 'Allow once', kind: 'approve' } as const;
const allowSession = { id: 'allow-session', label: 'Allow for this session', kind: 'approve' } as const;
const deny = { id: 'deny', label: 'Deny', kind: 'deny' } as const;
const options: readonly ConfirmationOption[] = [allowOnce, allowSession, deny];

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
  tool: Pick<Tool, 'name' | 'displayName'>,
  intention?: string,
): OpenCall {
  const toolCallId = createId();
  turn.dispatch({
    type: 'chat/toolCallStart',
    toolCallId,
    toolName: tool.name,
    displayName: tool.displayName,
    ...(intention !== undefined && { intention }),
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
): Promise<ToolOutcome<Data>> {
  const { turn } = caller;
  const { toolCallId } = call;
  let prepared: PreparedCall<Data>;
  try {
    prepared = await tool.prepare(parseToolInput(inputText), caller);
  } catch (error) {
    const message = toMessage(error);
    turn.signal.throwIfAborted();
    turn.dispatch({
      type: 'chat/toolCallReady',
      toolCallId,
      invocationMessage: tool.displayName,
      toolInput: inputText,
      confirmed: 'not-needed',
    });
    return fail(turn, toolCallId, `${tool.displayName} could not start`, message);
  }
  turn.signal.throwIfAborted();

  const confirmed = await confirm(caller, prepared, toolCallId, inputText);
  if (confirmed.kind === 'denied') return confirmed;
  // Edited input is another call: it is worked out anew, and may now be wrong.
  if (confirmed.inputText !== inputText) {
    try {
      prepared = await tool.prepare(parseToolInput(confirmed.inputText), caller);
    } catch (error) {
      return fail(turn, toolCallId, `${tool.displayName} could not start`, toMessage(error));
    }
  }
  if (confirmed.forSession && prepared.confirmation) caller.permissions.add(turn.session, prepared.confirmation.scope);
  return run(turn, toolCallId, prepared);
}

type Confirmed =
  | { readonly kind: 'allowed'; readonly inputText: string; readonly forSession: boolean }
  | { readonly kind: 'denied'; readonly suggestion?: string };

async function confirm(
  { turn, permissions }: ToolCaller,
  { doing, confirmation }: PreparedCall<unknown>,
  toolCallId: string,
  inputText: string,
): Promise<Confirmed> {
  const ready = { type: 'chat/toolCallReady', toolCallId, invocationMessage: doing, toolInput: inputText } as const;
  if (!confirmation || permissions.has(turn.session, confirmation.scope)) {
    turn.dispatch({ ...ready, confirmed: confirmation ? 'setting' : 'not-needed' });
    return { kind: 'allowed', inputText, forSession: false };
  }
  turn.dispatch({
    ...ready,
    confirmationTitle: confirmation.title,
    options,
    ...(confirmation.edits && { edits: { items: confirmation.edits } }),
    ...(confirmation.editable && { editable: true }),
  });
  const answered = await turn.confirmation(toolCallId);
  if (answered.status === 'cancelled') {
    const suggestion = answered.userSuggestion?.text;
    return suggestion ? { kind: 'denied', suggestion } : { kind: 'denied' };
  }
  if (answered.status !== 'running') {
    throw new Error(`The call was answered and is ${answered.status}; it should be running or cancelled.`);
  }
  const edited = typeof answered.toolInput === 'string' ? answered.toolInput : inputText;
  return { kind: 'allowed', inputText: edited, forSession: answered.selectedOption?.id === allowSession.id };
}

async function run<Data>(turn: TurnHandle, toolCallId: string, call: PreparedCall<Data>): Promise<ToolOutcome<Data>> {
  let output: ToolOutput<Data>;
  try {
    output = await call.run(turn.signal, (text) => {
      if (turn.signal.aborted) return;
      turn.dispatch({
        type: 'chat/toolCallContentChanged',
        toolCallId,
        content: [{ type: 'text', text: shorten(text) }],
      });
    });
  } catch (error) {
    turn.signal.throwIfAborted();
    return fail(turn, toolCallId, call.doing, toMessage(error));
  }
  turn.signal.throwIfAborted();
  const text = shorten(output.text);
  const content: ToolResultContent[] = output.edit
    ? [{ type: 'fileEdit', ...output.edit }]
    : text === ''
      ? []
      : [{ type: 'text', text }];
  const { failure } = output;
  turn.dispatch({
    type: 'chat/toolCallComplete',
    toolCallId,
    result: {
      success: failure === undefined,
      pastTenseMessage: call.done,
      ...(content.length > 0 && { content }),
      ...(failure !== undefined && { error: { message: failure } }),
    },
  });
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
