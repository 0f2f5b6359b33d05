import { expect } from '@open-wc/testing';
import * as act from '../../src/chat/actions.js';
import { clientChatActionTypes, type ClientChatAction } from '../../src/protocol/actions.js';
import { message, START } from '../helpers/chat-states.js';

const call = { turnId: 't', toolCallId: 'c' };
const reference = { type: 'resource', uri: 'file:///a', label: 'a' } as const;

describe('the builders', () => {
  const built: readonly [ClientChatAction, object][] = [
    [
      act.turnStarted('t', message('hi'), START),
      { type: 'chat/turnStarted', turnId: 't', startedAt: START, message: message('hi') },
    ],
    [act.turnCancelled('t', 12.4), { type: 'chat/turnCancelled', turnId: 't', duration: 12 }],
    [act.turnCancelled('t', -1), { type: 'chat/turnCancelled', turnId: 't', duration: 0 }],
    [act.turnResume('t'), { type: 'chat/turnResume', turnId: 't' }],
    [act.truncated('t'), { type: 'chat/truncated', turnId: 't' }],
    [act.truncated(), { type: 'chat/truncated' }],
    [act.pendingMessageRemoved('queued', 'p'), { type: 'chat/pendingMessageRemoved', kind: 'queued', id: 'p' }],
    [act.queuedMessagesReordered(['q', 'p']), { type: 'chat/queuedMessagesReordered', order: ['q', 'p'] }],
    [act.draftChanged(message('d')), { type: 'chat/draftChanged', draft: message('d') }],
    [act.draftChanged(), { type: 'chat/draftChanged' }],
    [act.toolCallApproved(call), { type: 'chat/toolCallConfirmed', ...call, approved: true, confirmed: 'user-action' }],
    [
      act.toolCallApproved(call, { selectedOptionId: 'o', editedToolInput: '{}' }),
      {
        type: 'chat/toolCallConfirmed',
        ...call,
        approved: true,
        confirmed: 'user-action',
        selectedOptionId: 'o',
        editedToolInput: '{}',
      },
    ],
    [act.toolCallDenied(call), { type: 'chat/toolCallConfirmed', ...call, approved: false, reason: 'denied' }],
    [
      act.toolCallDenied(call, { reason: 'skipped', userSuggestion: message('ask') }),
      { type: 'chat/toolCallConfirmed', ...call, approved: false, reason: 'skipped', userSuggestion: message('ask') },
    ],
    [act.toolCallResultConfirmed(call, false), { type: 'chat/toolCallResultConfirmed', ...call, approved: false }],
    [act.toolCallContentChanged(call, []), { type: 'chat/toolCallContentChanged', ...call, content: [] }],
    [
      act.toolCallAuthCancelled(call, 'Not now'),
      {
        type: 'chat/toolCallComplete',
        ...call,
        result: { success: false, pastTenseMessage: 'Not now', error: { message: 'Not now', code: 'cancelled' } },
      },
    ],
    [act.inputAnswerChanged('r', 'q'), { type: 'chat/inputAnswerChanged', requestId: 'r', questionId: 'q' }],
    [
      act.inputAnswerChanged('r', 'q', { state: 'skipped' }),
      { type: 'chat/inputAnswerChanged', requestId: 'r', questionId: 'q', answer: { state: 'skipped' } },
    ],
    [act.inputCompleted('r', 'decline'), { type: 'chat/inputCompleted', requestId: 'r', response: 'decline' }],
    [act.isReadChanged(true), { type: 'chat/isReadChanged', isRead: true }],
    [act.isArchivedChanged(false), { type: 'chat/isArchivedChanged', isArchived: false }],
    [act.workingDirectorySet('file:///a'), { type: 'chat/workingDirectorySet', directory: 'file:///a' }],
    [act.workingDirectoryRemoved('file:///a'), { type: 'chat/workingDirectoryRemoved', directory: 'file:///a' }],
  ];
  for (const [action, expected] of built) {
    it(`make ${JSON.stringify(expected).slice(0, 80)}`, () => {
      expect(action).to.deep.equal(expected);
      expect(clientChatActionTypes).to.include(action.type);
    });
  }

  it('write the message of a person, with nothing that was not given', () => {
    expect(act.userMessage('hi')).to.deep.equal({ text: 'hi', origin: { kind: 'user' } });
    expect(act.userMessage('hi', { attachments: [] })).to.deep.equal({ text: 'hi', origin: { kind: 'user' } });
    expect(act.userMessage('hi', { attachments: [reference], model: { id: 'm' }, agent: { uri: 'a' } })).to.deep.equal({
      text: 'hi',
      origin: { kind: 'user' },
      attachments: [reference],
      model: { id: 'm' },
      agent: { uri: 'a' },
    });
  });

  it('mark a pending message with its own id, beside what it carries already', () => {
    const marked = { ...message('x', { _meta: { 'other/key': 1, 'ahp-chat/pending': { id: 'p' } } }) };

    const original = message('x', { _meta: { 'other/key': 1 } });
    expect(act.pendingMessageSet('steering', 'p', original)).to.deep.equal({
      type: 'chat/pendingMessageSet',
      kind: 'steering',
      id: 'p',
      message: marked,
    });
    expect(act.steeringMessageSet('p', original)).to.deep.equal({
      type: 'chat/steeringMessageSet',
      steeringMessage: { id: 'p', message: marked },
    });
    expect(act.queueInstead(act.turnStarted('t', original, START), 'p')).to.deep.include({
      kind: 'queued',
      message: marked,
    });
  });

  it('make one intent of an edit', () => {
    const again = act.turnStarted('t9', message('better'), START);

    expect(act.editAndResend('t1', again)).to.deep.equal([{ type: 'chat/truncated', turnId: 't1' }, again]);
  });
});
