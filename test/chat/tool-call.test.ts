import { expect } from '@open-wc/testing';
import type { ChatAction } from '../../src/protocol/actions.js';
import type { ToolCallState } from '../../src/protocol/state.js';
import { busyChat, calls, reduce, toolPart } from '../helpers/chat-states.js';

type Status = keyof typeof calls;

const address = { turnId: 'a', toolCallId: 'c' };
const mcp = { kind: 'mcp', customizationId: 'm' } as const;
const base = { toolCallId: 'c', toolName: 'read', displayName: 'Read', intention: 'To know', contributor: mcp };
const old = { ...base, _meta: { old: true } };
const P = { invocationMessage: 'Read a', toolInput: '{"a":1}' };
const C = { ...P, confirmed: 'setting', selectedOption: { id: 'yes', label: 'Yes', kind: 'approve' } };
const result = { success: true, pastTenseMessage: 'Read it', structuredContent: { n: 1 } };
const failure = { success: false, pastTenseMessage: 'Gave up', error: { message: 'no', code: 'cancelled' } };

const ready = { type: 'chat/toolCallReady', ...address, invocationMessage: 'Now' } as const;
const actions = {
  delta: { type: 'chat/toolCallDelta', ...address, content: ':1}' },
  ready,
  'ready and confirmed': { ...ready, confirmed: 'not-needed', toolInput: '{"b":2}' },
  approved: {
    type: 'chat/toolCallConfirmed',
    ...address,
    approved: true,
    confirmed: 'user-action',
    selectedOptionId: 'yes',
  },
  denied: { type: 'chat/toolCallConfirmed', ...address, approved: false, reason: 'denied', selectedOptionId: 'no' },
  content: { type: 'chat/toolCallContentChanged', ...address, content: [{ type: 'text', text: 'more' }] },
  complete: { type: 'chat/toolCallComplete', ...address, result },
  'complete, to be confirmed': { type: 'chat/toolCallComplete', ...address, result, requiresResultConfirmation: true },
  failed: { type: 'chat/toolCallComplete', ...address, result: failure, requiresResultConfirmation: true },
  'result approved': { type: 'chat/toolCallResultConfirmed', ...address, approved: true },
  'result denied': { type: 'chat/toolCallResultConfirmed', ...address, approved: false },
  'auth required': {
    type: 'chat/toolCallAuthRequired',
    ...address,
    auth: { reason: 'expired', resource: { resource: 'https://mcp.example' } },
  },
  'auth resolved': { type: 'chat/toolCallAuthResolved', ...address },
} satisfies Record<string, ChatAction>;

/** What each status becomes by each action. A pair that is not here changes nothing. */
const table: Partial<Record<Status, Partial<Record<keyof typeof actions, object>>>> = {
  streaming: {
    delta: { ...calls.streaming, partialInput: '{"a":1}' },
    ready: { ...old, status: 'pending-confirmation', invocationMessage: 'Now' },
    'ready and confirmed': {
      ...old,
      status: 'running',
      invocationMessage: 'Now',
      toolInput: '{"b":2}',
      confirmed: 'not-needed',
    },
  },
  'pending-confirmation': {
    ready: { ...calls['pending-confirmation'], invocationMessage: 'Now' },
    'ready and confirmed': {
      ...old,
      status: 'running',
      invocationMessage: 'Now',
      toolInput: '{"b":2}',
      confirmed: 'not-needed',
    },
    approved: {
      ...old,
      ...P,
      status: 'running',
      confirmed: 'user-action',
      selectedOption: { id: 'yes', label: 'Yes', kind: 'approve' },
    },
    denied: {
      ...old,
      ...P,
      status: 'cancelled',
      reason: 'denied',
      selectedOption: { id: 'no', label: 'No', kind: 'deny' },
    },
    complete: { ...old, ...P, ...result, status: 'completed', confirmed: 'not-needed' },
    'complete, to be confirmed': {
      ...old,
      ...P,
      ...result,
      status: 'pending-result-confirmation',
      confirmed: 'not-needed',
    },
    failed: { ...old, ...P, ...failure, status: 'pending-result-confirmation', confirmed: 'not-needed' },
  },
  running: {
    ready: { ...old, status: 'pending-confirmation', invocationMessage: 'Now', toolInput: '{"a":1}' },
    'ready and confirmed': {
      ...old,
      status: 'running',
      invocationMessage: 'Now',
      toolInput: '{"b":2}',
      confirmed: 'not-needed',
    },
    content: { ...calls.running, content: [{ type: 'text', text: 'more' }] },
    complete: { ...old, ...C, ...result, status: 'completed' },
    'complete, to be confirmed': { ...old, ...C, ...result, status: 'pending-result-confirmation' },
    failed: { ...old, ...C, ...failure, status: 'pending-result-confirmation' },
    'auth required': {
      ...calls.running,
      status: 'auth-required',
      auth: { reason: 'expired', resource: { resource: 'https://mcp.example' } },
    },
  },
  'auth-required': {
    failed: { ...old, ...C, ...failure, status: 'completed', content: [{ type: 'text', text: 'live' }] },
    'auth resolved': { ...calls.running },
  },
  'pending-result-confirmation': {
    'result approved': { ...calls['pending-result-confirmation'], status: 'completed' },
    'result denied': {
      ...old,
      ...P,
      status: 'cancelled',
      reason: 'result-denied',
      selectedOption: { id: 'yes', label: 'Yes', kind: 'approve' },
    },
  },
};

const withCall = (call: ToolCallState) => busyChat([toolPart(call)]);

function callAfter(call: ToolCallState, ...sent: readonly ChatAction[]): ToolCallState | undefined {
  const part = reduce(withCall(call), ...sent).activeTurn?.responseParts[0];
  return part?.kind === 'toolCall' ? part.toolCall : undefined;
}

describe('a tool call', () => {
  for (const status of Object.keys(calls) as Status[]) {
    for (const name of Object.keys(actions) as (keyof typeof actions)[]) {
      const expected = table[status]?.[name];
      it(`in ${status} ${expected ? 'answers' : 'ignores'} ${name}`, () => {
        const before = withCall(calls[status]);

        const after = reduce(before, actions[name]);

        expect(callAfter(calls[status], actions[name])).to.deep.equal(expected ?? calls[status]);
        if (!expected) expect(after.activeTurn).to.equal(before.activeTurn);
      });
    }
  }

  it('starts as streaming with what the action says of it', () => {
    const after = reduce(busyChat(), {
      type: 'chat/toolCallStart',
      ...address,
      toolName: 'read',
      displayName: 'Read',
      contributor: mcp,
      _meta: { n: 1 },
    });

    expect(after.activeTurn?.responseParts).to.deep.equal([
      toolPart({
        status: 'streaming',
        toolCallId: 'c',
        toolName: 'read',
        displayName: 'Read',
        contributor: mcp,
        _meta: { n: 1 },
      }),
    ]);
    expect(after.status).to.equal(8);
  });

  it('takes the new _meta as a whole and never merges it', () => {
    for (const name of ['ready', 'approved', 'denied', 'complete'] as const) {
      const call = callAfter(calls['pending-confirmation'], { ...actions[name], _meta: { fresh: 1 } });
      expect(call?._meta, name).to.deep.equal({ fresh: 1 });
    }
    const live = callAfter(calls.running, { ...actions.content, _meta: { fresh: 1 } });
    expect(live?._meta).to.deep.equal({ fresh: 1 });
  });

  it('ignores the _meta of a success that cannot have happened', () => {
    const before = withCall(calls['auth-required']);

    const after = reduce(before, { ...actions.complete, _meta: { fresh: 1 } });

    expect(after.activeTurn).to.equal(before.activeTurn);
  });

  it('keeps what a later version added through every status', () => {
    const call = { ...calls['pending-confirmation'], startedAt: 'later', __proto__x: 1 } as unknown as ToolCallState;

    const after = callAfter(call, actions.approved, actions.complete);

    expect(after).to.include({ startedAt: 'later', __proto__x: 1, status: 'completed' });
  });

  it('keeps the old answers of a question only while it is still open', () => {
    const again = callAfter(calls['pending-confirmation'], { ...ready, confirmationTitle: 'Really?' });
    expect(again).to.include({ confirmationTitle: 'Really?', editable: true });

    const reasked = callAfter(calls['pending-confirmation'], actions.approved, {
      ...ready,
      confirmationTitle: 'More?',
    });
    expect(reasked).to.include({ confirmationTitle: 'More?', toolInput: '{"a":1}' });
    expect(reasked).not.to.have.any.keys('editable', 'options', 'edits', 'riskAssessment');
  });

  it('lets only its own client replace a client, and no client take over', () => {
    const owned = { ...calls.streaming, contributor: { kind: 'client' as const, clientId: 'me' } };
    const foreign = { kind: 'client' as const, clientId: 'you' };

    expect(callAfter(owned, { ...ready, contributor: foreign })?.contributor).to.deep.equal(owned.contributor);
    expect(callAfter(owned, { ...ready, contributor: mcp })?.contributor).to.deep.equal(owned.contributor);
    const renewed = { ...owned.contributor, extra: 1 };
    expect(callAfter(owned, { ...ready, contributor: renewed })?.contributor).to.deep.equal(renewed);
    expect(callAfter(calls.streaming, { ...ready, contributor: foreign })?.contributor).to.deep.equal(mcp);
    const other = { kind: 'mcp' as const, customizationId: 'n' };
    expect(callAfter(calls.streaming, { ...ready, contributor: other })?.contributor).to.deep.equal(other);
    const { contributor: _, ...hosts } = calls.streaming;
    expect(callAfter(hosts, { ...ready, contributor: foreign })).not.to.have.property('contributor');
    expect(callAfter(hosts, { ...ready, contributor: mcp })?.contributor).to.deep.equal(mcp);
  });

  it('refines the intention when it is given and keeps it when not', () => {
    expect(callAfter(calls.streaming, { ...ready, intention: 'Better' })?.intention).to.equal('Better');
    expect(callAfter(calls.streaming, ready)?.intention).to.equal('To know');
  });

  it('takes edited input for a string, never for a reference or for nothing', () => {
    const edited = { ...actions.approved, editedToolInput: '{"a":9}' } as const;
    const { toolInput: _, ...without } = calls['pending-confirmation'];

    expect(callAfter(calls['pending-confirmation'], edited)).to.include({ toolInput: '{"a":9}' });
    const referenced = { ...calls['pending-confirmation'], toolInput: { uri: 'file:///input' } };
    expect(callAfter(referenced, edited)).to.deep.include({ toolInput: { uri: 'file:///input' } });
    expect(callAfter(without, edited)).not.to.have.property('toolInput');
  });

  it('has no selected option where the id names none', () => {
    expect(
      callAfter(calls['pending-confirmation'], { ...actions.approved, selectedOptionId: 'gone' }),
    ).not.to.have.property('selectedOption');
  });

  it('carries suggestion and reason of a denial', () => {
    const words = { reasonMessage: 'Not now', userSuggestion: { text: 'Ask', origin: { kind: 'user' as const } } };

    expect(callAfter(calls['pending-confirmation'], { ...actions.denied, ...words })).to.deep.include(words);
  });

  it('ignores a denial for a reason that does not exist', () => {
    const before = withCall(calls['pending-confirmation']);

    const after = reduce(before, { ...actions.denied, reason: 'bored' as 'denied' });

    expect(after.activeTurn).to.equal(before.activeTurn);
  });

  it('lets the result replace live content only when it has its own', () => {
    const own = { ...result, content: [{ type: 'text' as const, text: 'final' }] };

    expect(callAfter(calls.running, actions.complete)).not.to.have.property('content');
    expect(callAfter(calls.running, { ...actions.complete, result: own })).to.deep.include({ content: own.content });
  });

  it('cannot be taken over by the keys of a result', () => {
    const evil = { ...result, status: 'running', toolCallId: 'x', displayName: 'Y', confirmed: 'z' };

    const after = callAfter(calls.running, { ...actions.complete, result: evil });

    expect(after).to.include({ status: 'completed', toolCallId: 'c', displayName: 'Read', confirmed: 'setting' });
  });

  it('needs an MCP server to wait for a token', () => {
    for (const contributor of [{ kind: 'client' as const, clientId: 'x' }, undefined]) {
      const { contributor: _, ...hosts } = calls.running;
      const call = contributor ? { ...hosts, contributor } : hosts;
      expect(callAfter(call, actions['auth required'])).to.deep.equal(call);
    }
  });

  it('is answered in every part that holds it, and shown from the first', () => {
    const before = busyChat([toolPart(calls.streaming), toolPart(calls.streaming)]);

    const after = reduce(before, ready);

    const statuses = after.activeTurn?.responseParts.map((part) => part.kind === 'toolCall' && part.toolCall.status);
    expect(statuses).to.deep.equal(['pending-confirmation', 'pending-confirmation']);
  });

  it('gives the same object back when a repeated action says nothing new', () => {
    const pending = reduce(withCall(calls['pending-confirmation']), ready);
    expect(reduce(pending, ready)).to.equal(pending);

    const live = reduce(withCall(calls.running), actions.content);
    expect(reduce(live, actions.content)).to.equal(live);

    const streaming = withCall(calls.streaming);
    expect(reduce(streaming, { ...actions.delta, content: '' })).to.equal(streaming);
    expect(reduce(streaming, { ...actions.delta, content: undefined, invocationMessage: 'Reading' })).to.equal(
      streaming,
    );
  });

  it('derives the status anew even if nothing answers, as every host does', () => {
    const stale = busyChat([], { status: 2 });
    const { activeTurn: _, ...idle } = stale;

    expect(reduce(stale, actions.ready).status).to.equal(8);
    expect(reduce(idle, { ...actions.complete, toolCallId: 'none' }).status).to.equal(1);
    expect(reduce(idle, actions.delta)).to.equal(idle);
  });

  describe('at the end of its turn', () => {
    for (const status of Object.keys(calls) as Status[]) {
      const isFinal = status === 'completed' || status === 'cancelled';
      it(`${isFinal ? 'stays' : 'is skipped'} in ${status}`, () => {
        const after = reduce(withCall(calls[status]), { type: 'chat/turnComplete', turnId: 'a', duration: 1 });

        const part = after.turns[0]?.responseParts[0];
        const call = part?.kind === 'toolCall' ? part.toolCall : undefined;
        if (isFinal) return void expect(call).to.equal(calls[status]);
        const kept =
          status === 'streaming'
            ? { invocationMessage: 'Reading' }
            : status === 'later'
              ? { invocationMessage: 'Read a' }
              : P;
        expect(call).to.deep.equal({ ...old, ...kept, status: 'cancelled', reason: 'skipped' });
      });
    }

    it('has an empty message if it never had one', () => {
      const { invocationMessage: _, ...silent } = calls.streaming;

      const after = reduce(withCall(silent), { type: 'chat/turnCancelled', turnId: 'a', duration: 1 });

      expect(after.turns[0]?.responseParts[0]).to.deep.nested.include({ 'toolCall.invocationMessage': '' });
    });
  });
});
