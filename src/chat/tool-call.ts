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
import { compose, isEqual, isRecord, pick, putMember, withField } from '../protocol/record.js';
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
  const carried = {};
  for (const key of Object.keys(call)) {
    const isKept = !isStatusField.has(key) || (fields as readonly string[]).includes(key);
    if (isKept) putMember(carried, key, call[key as keyof Call]);
  }
  if (meta !== undefined) putMember(carried, '_meta', meta);
  return carried as ToolCallBase & Pick<Call, Field>;
}

export function startCall(action: ChatToolCallStartAction): ToolCallStreaming {
  const fields = ['toolCallId', 'toolName', 'displayName', 'intention', 'contributor', '_meta'] as const;
  return compose({ status: 'streaming' as const }, pick(action, fields));
}

export function streamCall(call: ToolCallState, action: ChatToolCallDeltaAction): ToolCallState {
  if (call.status !== 'streaming') return call;
  const { content } = action;
  const before = typeof call.partialInput === 'string' ? call.partialInput : '';
  const grown = typeof content === 'string' && content !== '' ? { ...call, partialInput: before + content } : call;
  const { invocationMessage = grown.invocationMessage, _meta = grown._meta } = action;
  return withField(withField(grown, 'invocationMessage', invocationMessage), '_meta', _meta);
}

export function readyCall(call: ToolCallState, action: ChatToolCallReadyAction): ToolCallState {
  if (call.status !== 'streaming' && call.status !== 'running' && call.status !== 'pending-confirmation') return call;
  // Input that was confirmed once stays when the host asks again in mid-execution without repeating it.
  const base = call.status === 'streaming' ? carry(call, [], action._meta) : carry(call, ['toolInput'], action._meta);
  const next = compose(base, pick(action, ['intention', 'toolInput']), {
    contributor: refineContributor(call.contributor, action.contributor),
    invocationMessage: action.invocationMessage ?? call.invocationMessage ?? '',
  });
  const { confirmed } = action;
  if (confirmed !== undefined) return unlessEqual(call, compose(next, { status: 'running' as const, confirmed }));
  // What was asked before holds only while the same question is still open.
  const before = call.status === 'pending-confirmation' ? pick(call, asked) : {};
  return unlessEqual(call, compose(next, before, pick(action, asked), { status: 'pending-confirmation' as const }));
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
  const base = carry(call, parameters, action._meta);
  if (action.approved === true) {
    // A referenced input was rewritten by the host before it echoed; the reference stays.
    const isEdited = typeof action.editedToolInput === 'string' && typeof call.toolInput === 'string';
    const toolInput = isEdited ? action.editedToolInput : call.toolInput;
    const confirmed = action.confirmed ?? 'user-action';
    return compose(base, { status: 'running' as const, toolInput, confirmed, selectedOption });
  }
  const reason = action.reason ?? 'denied';
  if (action.approved !== false || !cancellationReasons.includes(reason)) return call;
  const words = pick(action, ['reasonMessage', 'userSuggestion']);
  return compose(base, words, { status: 'cancelled' as const, reason, selectedOption });
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
  return withField(withField(call, 'content', action.content), '_meta', action._meta ?? call._meta);
}

export function completeCall(call: ToolCallState, action: ChatToolCallCompleteAction): ToolCallState {
  const { result, _meta } = action;
  if (!isRecord(result)) return call;
  const status =
    action.requiresResultConfirmation === true ? ('pending-result-confirmation' as const) : ('completed' as const);
  // The result comes before the base, so that none of its keys can take the place of what identifies the call.
  switch (call.status) {
    case 'running':
      return compose(result, carry(call, confirmation, _meta), { status });
    case 'pending-confirmation':
      return compose(result, carry(call, parameters, _meta), { status, confirmed: 'not-needed' });
    case 'auth-required': {
      // Nothing ran after the challenge, so only a failure can end it here.
      if (result.success !== false) return call;
      const base = carry(call, confirmation, _meta);
      return compose(pick(call, ['content']), result, base, { status: 'completed' as const });
    }
    default:
      return call;
  }
}

export function confirmResult(call: ToolCallState, action: ChatToolCallResultConfirmedAction): ToolCallState {
  if (call.status !== 'pending-result-confirmation') return call;
  if (action.approved === true) return compose(call, pick(action, ['_meta']), { status: 'completed' as const });
  if (action.approved !== false) return call;
  const base = carry(call, [...parameters, 'selectedOption'], action._meta);
  return compose(base, { status: 'cancelled' as const, reason: 'result-denied' as const });
}

export function requireAuth(call: ToolCallState, action: ChatToolCallAuthRequiredAction): ToolCallState {
  if (call.status !== 'running' || call.contributor?.kind !== 'mcp' || !isRecord(action.auth)) return call;
  const base = carry(call, [...confirmation, 'content'], action._meta);
  return compose(base, { status: 'auth-required' as const, auth: action.auth });
}

export function resolveAuth(call: ToolCallState, action: ChatToolCallAuthResolvedAction): ToolCallState {
  if (call.status !== 'auth-required') return call;
  return compose(carry(call, [...confirmation, 'content'], action._meta), { status: 'running' as const });
}

/** What a call becomes when its turn ends without it, statuses of later versions included. */
export function skipCall(call: ToolCallState): ToolCallState {
  if (call.status === 'completed' || call.status === 'cancelled') return call;
  // A call of a later version's status may have parameters that its type here does not tell of.
  const open = call as Exclude<typeof call, ToolCallStreaming | ToolCallUnknown>;
  const base = call.status === 'streaming' ? carry(call, ['invocationMessage']) : carry(open, parameters);
  const { invocationMessage = '' } = base;
  return compose(base, { status: 'cancelled' as const, reason: 'skipped' as const, invocationMessage });
}

const unlessEqual = (call: ToolCallState, next: ToolCallState): ToolCallState => (isEqual(call, next) ? call : next);
