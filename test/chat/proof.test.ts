import { expect } from '@open-wc/testing';
import * as act from '../../src/chat/actions.js';
import {
  adoptReplay,
  adoptSnapshot,
  createReconciled,
  disconnect,
  enqueue,
  sendable,
} from '../../src/chat/reconcile.js';
import type { ClientChatAction } from '../../src/protocol/actions.js';
import type {
  ChatInputRequest,
  ChatState,
  InputAnswer,
  MessageAttachment,
  ToolCallState,
} from '../../src/protocol/state.js';
import {
  active,
  busyChat,
  calls,
  chat,
  markdown,
  message,
  question,
  reduce,
  START,
  start,
  toolPart,
  turn,
  turns,
} from '../helpers/chat-states.js';
import { echo, entry, fate, foreign, live, ME, NOW, sent, seqs } from '../helpers/reconcile.js';

type Outcome = 'settled' | 'sent again' | 'asked';

/**
 * What becomes of an action that went out, or not, over a connection that died: the host's state was `before`, and a
 * snapshot over the new connection says `now`.
 */
function judge(action: ClientChatAction, before: ChatState, now: ChatState, isSent = true): Outcome {
  const asked = isSent ? sent(before, entry(1, action)) : enqueue(live(before), [entry(1, action)]);
  const after = adoptSnapshot(disconnect(asked), { state: now, fromSeq: 20 }, [], ME);
  const goes = sendable(after.next, NOW + 60_000, NOW);
  if (seqs(goes.send).includes(1)) return 'sent again';
  return goes.next.unconfirmed.length > 0 ? 'asked' : 'settled';
}

const call = { turnId: 'a', toolCallId: 'c' };
const withCall = (toolCall: ToolCallState): ChatState => busyChat([toolPart(toolCall)]);
const pending = calls['pending-confirmation'];
const draft: InputAnswer = { state: 'draft', value: { kind: 'text', value: 'x' } };

describe('after a reconnect, by the state of the host,', () => {
  describe('a started turn', () => {
    it('is proven by running or having run', () => {
      expect(judge(start('t'), chat(), chat({ activeTurn: active([], { id: 't' }) }))).to.equal('settled');
      expect(judge(start('t'), chat(), chat({ turns: [turn('t'), turn('u')] }))).to.equal('settled');
    });

    it('is sent again, or held where another turn runs now', () => {
      expect(judge(start('t'), chat(), chat())).to.equal('sent again');
      expect(judge(start('t'), chat(), busyChat())).to.equal('asked');
      expect(judge(start('t'), chat(), busyChat(), false)).to.equal('asked');
    });
  });

  for (const [name, set] of Object.entries({
    'queued message': act.pendingMessageSet('queued', 'p', message('x')),
    'steering message': act.pendingMessageSet('steering', 'p', message('x')),
    'listed steering message': act.steeringMessageSet('p', message('x')),
  })) {
    describe(`a ${name}`, () => {
      const marked = act.pendingMessageSet('queued', 'p', message('x')).message;

      it('is proven by waiting, wherever the host put it', () => {
        const waiting = { id: 'p', message: message('x') };
        expect(judge(set, chat(), chat({ queuedMessages: [waiting] }))).to.equal('settled');
        expect(judge(set, chat(), chat({ steeringMessage: waiting }))).to.equal('settled');
        expect(judge(set, chat(), chat({ steeringMessages: [waiting] }))).to.equal('settled');
      });

      it('is proven by the turn that carries its mark', () => {
        expect(judge(set, chat(), chat({ activeTurn: active([], { message: marked }) }))).to.equal('settled');
        expect(judge(set, chat(), chat({ turns: [turn('t', { message: marked }), turn('u')] }))).to.equal('settled');
      });

      it('is sent again if no turn has come since, else the person is asked', () => {
        const before = chat({ turns: turns(2) });
        expect(judge(set, before, before)).to.equal('sent again');
        expect(judge(set, before, chat({ turns: turns(3) }))).to.equal('asked');
        expect(judge(set, before, busyChat([], { turns: turns(2) }))).to.equal('asked');
        expect(judge(set, before, chat({ turns: turns(3) }), false), 'it never went out').to.equal('sent again');
        expect(judge(set, chat(), chat())).to.equal('sent again');
        expect(judge(set, chat(), chat({ turns: turns(1) }))).to.equal('asked');
      });
    });
  }

  it('a steering message is asked about where the turn that ran then may have read it, which a queued one cannot have been', () => {
    const running = busyChat();
    const ended = chat({ turns: [turn('a')] });
    for (const steers of [
      act.pendingMessageSet('steering', 'p', message('x')),
      act.steeringMessageSet('p', message('x')),
    ]) {
      expect(judge(steers, running, running)).to.equal('asked');
      expect(judge(steers, running, ended)).to.equal('asked');
      expect(judge(steers, running, running, false), 'it never went out').to.equal('sent again');
    }
    expect(judge(act.pendingMessageSet('queued', 'p', message('x')), running, running)).to.equal('sent again');
  });

  describe('a change of a waiting message', () => {
    const change = act.pendingMessageEdited('queued', 'p', message('new'));
    const waits = (text: string) => busyChat([], { queuedMessages: [{ id: 'p', message: message(text) }] });

    it('is proven by the new words, and sent again while the old ones wait', () => {
      expect(judge(change, waits('old'), waits('new'))).to.equal('settled');
      expect(judge(change, waits('old'), waits('old'))).to.equal('sent again');
    });

    it('is proven by all that was changed, and by no other attachment of the same name', () => {
      const notes = { type: 'embeddedResource' as const, label: 'notes', contentType: 'text/plain', data: 'eA==' };
      const attach = act.pendingMessageEdited('queued', 'p', { ...message('old'), attachments: [notes] });
      const choose = act.pendingMessageEdited('queued', 'p', { ...message('old'), model: { id: 'm' } });
      const has = (attachments: readonly MessageAttachment[]) =>
        busyChat([], { queuedMessages: [{ id: 'p', message: { ...message('old'), attachments } }] });

      expect(judge(attach, waits('old'), has([notes]))).to.equal('settled');
      expect(judge(attach, waits('old'), waits('old')), 'nothing is attached').to.equal('sent again');
      expect(judge(attach, waits('old'), has([{ ...notes, data: 'eQ==' }]))).to.equal('sent again');
      expect(judge(choose, waits('old'), waits('old')), 'nothing is chosen').to.equal('sent again');
    });

    it('is asked about once the message has gone: it would be another message', () => {
      expect(judge(change, waits('old'), busyChat())).to.equal('asked');
      expect(judge(change, waits('old'), busyChat(), false)).to.equal('asked');
    });
  });

  it('a message that was put into another one is proven by that one', () => {
    const first = act.pendingMessageSet('steering', 'p', message('one'));
    const both = act.pendingMessageSet('steering', 'q', message('one two'), ['p']);
    const slot = { id: 'q', message: both.message };

    expect(judge(first, busyChat(), busyChat([], { steeringMessage: slot }))).to.equal('settled');
    expect(judge(first, busyChat(), chat({ turns: [turn('t', { message: both.message })] }))).to.equal('settled');
  });

  it('a queued message that was asked about is asked about again after a reload', () => {
    const set = act.pendingMessageSet('queued', 'p', message('x'));
    const asked = sent(chat({ turns: turns(1) }), entry(1, set));
    const state = chat({ turns: turns(2) });

    // The mirror has the new turn by now, and the outbox what it was sent after.
    const reloaded = createReconciled({ confirmed: state, appliedSeq: 12, outbox: asked.pending });

    expect(fate(adoptSnapshot(reloaded, { state, fromSeq: 20 }, [], ME)).unconfirmed).to.deep.equal([1]);
  });

  it('AHP-02: a queued message the host has is never dispatched again', () => {
    const first = act.pendingMessageSet('queued', 'p', message('one'));
    const second = act.pendingMessageSet('queued', 'q', message('two'));
    const lost = disconnect(sent(busyChat(), entry(1, first), entry(2, second)));

    const after = adoptReplay(
      lost,
      [
        echo(11, first, 1),
        echo(12, second, 2),
        foreign(13, { type: 'chat/turnComplete', turnId: 'a', duration: 1 }),
        foreign(14, act.pendingMessageRemoved('queued', 'p')),
        foreign(15, {
          type: 'chat/turnStarted',
          turnId: 't',
          startedAt: START,
          message: first.message,
          queuedMessageId: 'p',
        }),
      ],
      ME,
    );

    expect(fate(after)).to.deep.equal({ settled: [1, 2], pending: [], unconfirmed: [] });
    expect(sendable(after.next, NOW, NOW).send).to.deep.equal([]);
    expect(after.next.optimistic?.activeTurn?.message.text).to.equal('one');
    expect(after.next.optimistic?.queuedMessages?.map(({ id }) => id)).to.deep.equal(['q']);
  });

  describe('what the last write decides', () => {
    const queue = ['p', 'q'].map((id) => ({ id, message: message(id) }));
    const asked = busyChat([question('r')]);
    const rows: [string, ClientChatAction, ChatState][] = [
      ['a removal', act.pendingMessageRemoved('queued', 'p'), chat({ queuedMessages: queue })],
      ['a new order', act.queuedMessagesReordered(['q', 'p']), chat({ queuedMessages: queue })],
      ['a read mark', act.isReadChanged(true), chat()],
      ['an archived mark', act.isArchivedChanged(true), chat()],
      ['an answer in the making', act.inputAnswerChanged('r', '1', draft), asked],
      ['a directory', act.workingDirectorySet('file:///a'), chat()],
      ['a directory less', act.workingDirectoryRemoved('file:///a'), chat({ workingDirectories: ['file:///a'] })],
      ['content of an own tool', act.toolCallContentChanged(call, []), withCall(calls.running)],
    ];
    for (const [name, action, before] of rows) {
      it(`${name} is proven by the state, and sent again until then`, () => {
        expect(judge(action, before, before)).to.equal('sent again');
        expect(judge(action, before, reduce(before, action))).to.equal('settled');
        expect(judge(action, before, before, false)).to.equal('sent again');
      });
    }
  });

  describe('the clearing of a draft', () => {
    const clear = act.draftChanged();
    const mine = chat({ draft: message('hello') });

    it('is proven by its absence, and sent again while the draft is as it was', () => {
      expect(judge(clear, mine, chat())).to.equal('settled');
      expect(judge(clear, mine, mine)).to.equal('sent again');
    });

    it('never takes somebody’s newer draft away', () => {
      expect(judge(clear, mine, chat({ draft: message('theirs') }))).to.equal('settled');
    });

    it('never takes somebody’s newer attachments away, although neither of the two has words', () => {
      const file = (uri: string) => ({ type: 'resource' as const, label: 'notes', uri });
      const only = (uri: string) => ({ ...message(''), attachments: [file(uri)] });
      const group = { group: 'send', sentAt: 1, sends: 1 };
      const state = (uri: string) => chat({ turns: [turn('t', { message: only('file:///a') })], draft: only(uri) });
      const after = (uri: string) => {
        const start = act.turnStarted('t', only('file:///a'), '2026-01-01T00:00:00.000Z');
        const reloaded = createReconciled({ outbox: [entry(1, start, group), entry(2, clear, group)] });
        return fate(adoptSnapshot(reloaded, { state: state(uri), fromSeq: 20 }, [], ME));
      };

      expect(after('file:///b').settled).to.deep.equal([1, 2]);
      expect(after('file:///a')).to.deep.include({ settled: [1], pending: [2] });
    });

    it('DRF-05: still clears the draft of a message that had arrived already', () => {
      const group = { group: 'send', sentAt: 1, sends: 1 };
      const reloaded = createReconciled({
        outbox: [entry(1, start('t', 'hello'), group), entry(2, clear, group)],
      });
      const state = chat({ turns: [turn('t', { message: message('hello') })], draft: message('hello') });

      const after = adoptSnapshot(reloaded, { state, fromSeq: 20 }, [], ME);

      expect(fate(after)).to.deep.equal({ settled: [1], pending: [2], unconfirmed: [] });
      expect(after.next.optimistic).not.to.have.property('draft');
      expect(seqs(sendable(after.next, NOW, NOW).send)).to.deep.equal([2]);
    });
  });

  describe('TLS-03: an approval', () => {
    const approve = act.toolCallApproved(call);

    it('is proven by whatever the call is now, and never sent for another one', () => {
      for (const status of [
        'running',
        'completed',
        'cancelled',
        'auth-required',
        'pending-result-confirmation',
      ] as const) {
        expect(judge(approve, withCall(pending), withCall(calls[status])), status).to.equal('settled');
      }
      expect(judge(approve, withCall(pending), chat({ turns: [turn('a')] }))).to.equal('settled');
      const later = chat({ activeTurn: active([toolPart(pending)], { id: 'b' }), turns: [turn('a')] });
      expect(judge(approve, withCall(pending), later)).to.equal('settled');
    });

    it('is sent again for the very question that was on screen', () => {
      expect(judge(approve, withCall(pending), withCall(pending))).to.equal('sent again');
      const rated = {
        ...pending,
        riskAssessment: { kind: 'judge', status: 'complete', reason: '', safety: 1 },
      } as const;
      expect(judge(approve, withCall(pending), withCall(rated))).to.equal('sent again');
    });

    it('asks the person if the question has changed or is not known here', () => {
      const other = { ...pending, toolInput: '{"rm":"-rf"}' };
      expect(judge(approve, withCall(pending), withCall(other))).to.equal('asked');
      expect(judge(approve, withCall(pending), withCall({ ...pending, confirmationTitle: 'Delete?' }))).to.equal(
        'asked',
      );
      expect(judge(approve, withCall(pending), withCall(other), false)).to.equal('asked');
      const blind = createReconciled({ outbox: [entry(1, approve, { sends: 1 })] });
      expect(fate(adoptSnapshot(blind, { state: withCall(pending), fromSeq: 1 }, [], ME)).unconfirmed).to.deep.equal([
        1,
      ]);
    });

    it('of a result follows the same rules', () => {
      const result = act.toolCallResultConfirmed(call, false);
      const shown = calls['pending-result-confirmation'];
      expect(judge(result, withCall(shown), withCall(shown))).to.equal('sent again');
      expect(judge(result, withCall(shown), withCall(calls.completed))).to.equal('settled');
      expect(judge(result, withCall(shown), withCall({ ...shown, content: [] }))).to.equal('asked');
    });
  });

  it('the result of an own tool is sent until the call has ended, and the tool never runs again', () => {
    const complete = act.toolCallComplete(call, { success: true, pastTenseMessage: 'Did' });

    expect(judge(complete, withCall(calls.running), withCall(calls.running))).to.equal('sent again');
    expect(judge(complete, withCall(calls.running), withCall(calls['auth-required']))).to.equal('sent again');
    expect(judge(complete, withCall(calls.running), withCall(calls.completed))).to.equal('settled');
    expect(judge(complete, withCall(calls.running), withCall(calls.cancelled))).to.equal('settled');
    expect(judge(complete, withCall(calls.running), chat())).to.equal('settled');
  });

  describe('the completion of a question', () => {
    const accept = act.inputCompleted('r', 'accept', { 1: draft });
    const open = busyChat([question('r')]);

    it('is sent again while it is open, and proven by a response', () => {
      expect(judge(accept, open, open)).to.equal('sent again');
      expect(judge(accept, open, busyChat([{ ...question('r'), response: 'accept' }]))).to.equal('settled');
    });

    it('that went out is offered back where the question was closed without it', () => {
      const answered = (answers: NonNullable<ChatInputRequest['answers']>) => {
        const part = question('r');
        return busyChat([{ ...part, request: { ...part.request, answers }, response: 'accept' }]);
      };
      const other = { ...draft, value: { kind: 'text' as const, value: 'of somebody else' } };
      const ended = chat({ turns: [turn('a', { responseParts: [question('r')] })] });

      expect(judge(accept, open, answered({ 1: draft }))).to.equal('settled');
      expect(judge(accept, open, answered({ 1: other }))).to.equal('asked');
      expect(judge(accept, open, busyChat([{ ...question('r'), response: 'decline' }]))).to.equal('asked');
      expect(judge(accept, open, ended)).to.equal('asked');
      expect(judge(act.inputCompleted('r', 'cancel'), open, ended)).to.equal('settled');
    });

    it('that never went out is offered back if somebody else closed the question', () => {
      const closed = busyChat([{ ...question('r'), response: 'decline' }]);
      expect(judge(accept, open, closed, false)).to.equal('asked');
      expect(judge(act.inputCompleted('r', 'cancel'), open, closed, false)).to.equal('settled');
    });
  });

  describe('a stop', () => {
    it('is proven by the turn not running, and sent again while it runs', () => {
      expect(judge(act.turnCancelled('a', 1), busyChat(), busyChat([markdown('m')]))).to.equal('sent again');
      expect(judge(act.turnCancelled('a', 1), busyChat(), chat())).to.equal('settled');
      expect(judge(act.turnCancelled('a', 1), busyChat(), chat({ activeTurn: active([], { id: 'b' }) }))).to.equal(
        'settled',
      );
    });

    it('goes out behind a start that has to be sent again', () => {
      const lost = disconnect(sent(chat(), entry(1, start('t')), entry(2, act.turnCancelled('t', 1))));

      const after = adoptSnapshot(lost, { state: chat(), fromSeq: 20 }, [], ME).next;

      expect(seqs(sendable(after, NOW + 60_000, NOW).send)).to.deep.equal([1, 2]);
    });
  });

  it('a resume is proven by the turn running, sent again while it may, and asked about otherwise', () => {
    const error = { kind: 'error' as const, error: { errorType: 'e', message: 'm' }, resumable: true };
    const failed = turn('f', { state: 'error', responseParts: [error] });
    const before = chat({ turns: [failed] });
    const resume = act.turnResume('f');

    expect(judge(resume, before, before)).to.equal('sent again');
    expect(judge(resume, before, chat({ activeTurn: active([], { id: 'f' }) }))).to.equal('settled');
    expect(judge(resume, before, chat({ turns: [{ ...failed, state: 'complete' }] }))).to.equal('settled');
    expect(judge(resume, before, chat({ turns: [failed, turn('g')] }))).to.equal('asked');
  });

  describe('a truncation', () => {
    const before = chat({ turns: turns(4) });
    const cut = act.truncated('t1');

    it('is proven by everything behind the cut being gone', () => {
      expect(judge(cut, before, chat({ turns: turns(2) }))).to.equal('settled');
      expect(judge(cut, before, chat({ turns: [...turns(2), turn('new')] }))).to.equal('settled');
      expect(judge(act.truncated(), before, chat())).to.equal('settled');
      expect(judge(act.truncated(), before, chat({ turns: [turn('new')] }))).to.equal('settled');
    });

    it('is never sent twice', () => {
      expect(judge(cut, before, before)).to.equal('asked');
      expect(judge(act.truncated(), before, before)).to.equal('asked');
      expect(judge(cut, before, chat({ turns: [turn('t1x')] })), 'the turn to keep is gone').to.equal('asked');
    });

    it('that never went out is sent if it cuts off nothing unseen', () => {
      expect(judge(cut, before, before, false)).to.equal('sent again');
      expect(judge(cut, before, chat({ turns: turns(5) }), false)).to.equal('asked');
      expect(judge(cut, before, busyChat([], { turns: turns(4) }), false)).to.equal('asked');
    });

    it('holds the whole edit back', () => {
      const [first, second] = act.editAndResend('t1', start('new'));
      const lost = disconnect(sent(before, entry(1, first, { group: 'e' }), entry(2, second, { group: 'e' })));

      expect(fate(adoptSnapshot(lost, { state: before, fromSeq: 20 }, [], ME))).to.deep.equal({
        settled: [],
        pending: [],
        unconfirmed: [1, 2],
      });
    });

    it('that is proven leaves its start to be sent', () => {
      const [first, second] = act.editAndResend('t1', start('new'));
      const lost = disconnect(sent(before, entry(1, first, { group: 'e' }), entry(2, second, { group: 'e' })));

      const half = adoptSnapshot(lost, { state: chat({ turns: turns(2) }), fromSeq: 20 }, [], ME);
      expect(fate(half)).to.deep.equal({ settled: [1], pending: [2], unconfirmed: [] });
      const whole = chat({ turns: turns(2), activeTurn: active([], { id: 'new' }) });
      expect(fate(adoptSnapshot(lost, { state: whole, fromSeq: 20 }, [], ME)).settled).to.deep.equal([1, 2]);
    });

    it('is judged without a memory by what stands behind the cut', () => {
      const blind = (state: ChatState) =>
        fate(adoptSnapshot(createReconciled({ outbox: [entry(1, cut, { sends: 1 })] }), { state, fromSeq: 1 }, [], ME));

      expect(blind(chat({ turns: turns(2) })).settled).to.deep.equal([1]);
      expect(blind(before).unconfirmed).to.deep.equal([1]);
    });
  });
});
