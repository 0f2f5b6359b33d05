/**
 * How one tool call answers one chat action. Pure; knows neither turns nor time. A pair of status and action that is not
 * named here changes nothing; `completed` and `cancelled` are final. Source: AHP, tool call state machine.
 */

import type {
  ChatToolCallAuthRequiredAction,
  ChatToolCallAuthResolvedAction,
  ChatToolCallCompleteAction,
  ChatToolCallConfirmedAction,
  ChatToolCallContentChangedAction,
  ChatToolCallDeltaAction,
  ChatToolCallReadyAction,
  ChatToolCallResultConfirmedAction,
  ChatToolCallStartAction,
} from '../protocol/actions.js';
import { isRecord } from '../protocol/record.js';
import type {
  CancellationReason,
  ConfirmationOption,
  Meta,
  ToolCallBase,
  ToolCallState,
  ToolCallStreaming,
  ToolCallUnknown,
  ToolContributor,
} from '../protocol/state.js';

/** The fields that belong to some statuses only, in whatever version they were seen. */
const statusFields = [
  'status',
  'partialInput',
  'invocationMessage',
  'toolInput',
  'confirmationTitle',
  'riskAssessment',
  'edits',
  'editable',
  'options',
  'confirmed',
  'selectedOption',
  'content',
  'auth',
  'success',
  'pastTenseMessage',
  'structuredContent',
  'error',
  'reason',
  'reasonMessage',
  'userSuggestion',
] as const;

type StatusField = (typeof statusFields)[number];

const isStatusField: ReadonlySet<string> = new Set(statusFields);

const parameters = ['invocationMessage', 'toolInput'] as const satisfies StatusField[];
const confirmation = [...parameters, 'confirmed', 'selectedOption'] as const satisfies StatusField[];
const asked = ['confirmationTitle', 'riskAssessment', 'edits', 'editable', 'options'] as const satisfies StatusField[];

const cancellationReasons: readonly string[] = ['denied', 'skipped', 'result-denied'] satisfies CancellationReason[];

/**
 * What the next status takes over: the base, every key this version does not know, and of the status fields only those
 * named. `meta` replaces the old one as a whole.
 */
function carry<Call extends ToolCallState, Field extends StatusField & keyof Call = never>(
  call: Call,
  fields: readonly Field[],
  meta?: Meta,
): ToolCallBase & Pick<Call, Field> {
  const kept = Object.entries(call).filter(
    ([key]) => !isStatusField.has(key) || (fields as readonly string[]).includes(key),
  );
  if (meta !== undefined) kept.push(['_meta', meta]);
  // `fromEntries` defines members, so that a key named `__proto__` is one of them.
  return Object.fromEntries(kept) as unknown as ToolCallBase & Pick<Call, Field>;
}

/** Only the members of `source` that are named and given. */
function given<T extends object, K extends keyof T>(source: T, keys: readonly K[]): Partial<Pick<T, K>> {
  return Object.fromEntries(
    keys.filter((key) => source[key] !== undefined).map((key) => [key, source[key]]),
  ) as Partial<Pick<T, K>>;
}

export function startCall(action: ChatToolCallStartAction): ToolCallStreaming {
  const { toolCallId, toolName, displayName } = action;
  return {
    status: 'streaming',
    toolCallId,
    toolName,
    displayName,
    ...given(action, ['intention', 'contributor', '_meta']),
  };
}

export function streamCall(call: ToolCallState, action: ChatToolCallDeltaAction): ToolCallState {
  if (call.status !== 'streaming') return call;
  const next = { ...call, ...given(action, ['invocationMessage', '_meta']) };
  if (typeof action.content !== 'string') return next;
  return { ...next, partialInput: (typeof call.partialInput === 'string' ? call.partialInput : '') + action.content };
}

export function readyCall(call: ToolCallState, action: ChatToolCallReadyAction): ToolCallState {
  if (call.status !== 'streaming' && call.status !== 'running' && call.status !== 'pending-confirmation') return call;
  const contributor = refineContributor(call.contributor, action.contributor);
  const next = {
    // Input that was confirmed once stays when the host asks again in mid-execution without repeating it.
    ...(call.status === 'streaming' ? carry(call, [], action._meta) : carry(call, ['toolInput'], action._meta)),
    ...(contributor && { contributor }),
    ...given(action, ['intention', 'toolInput']),
    invocationMessage: action.invocationMessage ?? call.invocationMessage ?? '',
  };
  if (action.confirmed !== undefined) return { ...next, status: 'running', confirmed: action.confirmed };
  // What was asked before holds only while the same question is still open.
  const before = call.status === 'pending-confirmation' ? given(call, asked) : undefined;
  return { ...next, ...before, ...given(action, asked), status: 'pending-confirmation' };
}

/** A client owns its tools: nobody takes a call from it, and nobody becomes an owner after the start. */
function refineContributor(
  old: ToolContributor | undefined,
  offered: ToolContributor | undefined,
): ToolContributor | undefined {
  if (!isRecord(offered)) return old;
  if (old?.kind === 'client') return offered.kind === 'client' && offered.clientId === old.clientId ? offered : old;
  return offered.kind === 'client' ? old : offered;
}

export function confirmCall(call: ToolCallState, action: ChatToolCallConfirmedAction): ToolCallState {
  if (call.status !== 'pending-confirmation') return call;
  const selectedOption = selectOption(call.options, action.selectedOptionId);
  const next = { ...carry(call, parameters, action._meta), ...(selectedOption && { selectedOption }) };
  if (action.approved === true) {
    // A referenced input was rewritten by the host before it echoed; the reference stays.
    const isEdited = typeof action.editedToolInput === 'string' && typeof call.toolInput === 'string';
    const edited = isEdited ? { toolInput: action.editedToolInput } : undefined;
    return { ...next, ...edited, status: 'running', confirmed: action.confirmed ?? 'user-action' };
  }
  if (action.approved !== false) return call;
  const reason = action.reason ?? 'denied';
  if (!cancellationReasons.includes(reason)) return call;
  return { ...next, ...given(action, ['reasonMessage', 'userSuggestion']), status: 'cancelled', reason };
}

function selectOption(
  options: readonly ConfirmationOption[] | undefined,
  id: string | undefined,
): ConfirmationOption | undefined {
  if (id === undefined || !Array.isArray(options)) return undefined;
  return (options as readonly ConfirmationOption[]).find((option) => option?.id === id);
}

export function changeContent(call: ToolCallState, action: ChatToolCallContentChangedAction): ToolCallState {
  if (call.status !== 'running' || !Array.isArray(action.content)) return call;
  return { ...call, ...given(action, ['_meta']), content: action.content };
}

export function completeCall(call: ToolCallState, action: ChatToolCallCompleteAction): ToolCallState {
  const { result, _meta } = action;
  if (!isRecord(result)) return call;
  const status = action.requiresResultConfirmation === true ? 'pending-result-confirmation' : 'completed';
  // The result comes first, so that none of its keys can take the place of what identifies the call.
  switch (call.status) {
    case 'running':
      return { ...result, ...carry(call, confirmation, _meta), status };
    case 'pending-confirmation':
      return { ...result, ...carry(call, parameters, _meta), confirmed: 'not-needed', status };
    case 'auth-required':
      // Nothing ran after the challenge, so only a failure can end it here.
      if (result.success !== false) return call;
      return { ...given(call, ['content']), ...result, ...carry(call, confirmation, _meta), status: 'completed' };
    default:
      return call;
  }
}

export function confirmResult(call: ToolCallState, action: ChatToolCallResultConfirmedAction): ToolCallState {
  if (call.status !== 'pending-result-confirmation') return call;
  if (action.approved === true) return { ...call, ...given(action, ['_meta']), status: 'completed' };
  if (action.approved !== false) return call;
  const next = carry(call, [...parameters, 'selectedOption'], action._meta);
  return { ...next, status: 'cancelled', reason: 'result-denied' };
}

export function requireAuth(call: ToolCallState, action: ChatToolCallAuthRequiredAction): ToolCallState {
  if (call.status !== 'running' || call.contributor?.kind !== 'mcp' || !isRecord(action.auth)) return call;
  const next = carry(call, [...confirmation, 'content'], action._meta);
  return { ...next, status: 'auth-required', auth: action.auth };
}

export function resolveAuth(call: ToolCallState, action: ChatToolCallAuthResolvedAction): ToolCallState {
  if (call.status !== 'auth-required') return call;
  return { ...carry(call, [...confirmation, 'content'], action._meta), status: 'running' };
}

/** What a call becomes when its turn ends without it, statuses of later versions included. */
export function skipCall(call: ToolCallState): ToolCallState {
  if (call.status === 'completed' || call.status === 'cancelled') return call;
  // A call of a later version's status may have parameters that its type here does not tell of.
  const open = call as Exclude<typeof call, ToolCallStreaming | ToolCallUnknown>;
  const next = call.status === 'streaming' ? carry(call, ['invocationMessage']) : carry(open, parameters);
  return { ...next, invocationMessage: next.invocationMessage ?? '', status: 'cancelled', reason: 'skipped' };
}
