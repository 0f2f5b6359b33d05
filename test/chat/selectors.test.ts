import { expect } from '@open-wc/testing';
import * as select from '../../src/chat/selectors.js';
import * as act from '../../src/chat/actions.js';
import { active, busyChat, calls, chat, markdown, message, question, toolPart, turn } from '../helpers/chat-states.js';

const error = { errorType: 'e', message: 'gone' };
const waiting = (id: string) => ({ id, message: message(id) });

describe('asking a chat', () => {
  it('whether it is busy, needs input, can be written into, is read or archived', () => {
    expect([chat(), busyChat()].map(select.isBusy)).to.deep.equal([false, true]);
    expect([busyChat(), busyChat([question('q')])].map(select.needsInput)).to.deep.equal([false, true]);
    expect(
      ([undefined, 'full', 'read-only', 'hidden', 'shared' as 'full'] as const).map((interactivity) =>
        select.canWrite(chat(interactivity === undefined ? {} : { interactivity })),
      ),
    ).to.deep.equal([true, true, false, false, false]);
    expect(select.isRead(chat({ status: 33 }))).to.equal(true);
    expect(select.isArchived(chat({ status: 33 }))).to.equal(false);
    expect(select.isArchived(chat({ status: 2 ** 31 + 65 }))).to.equal(true);
    expect([chat(), chat({ turnsNextCursor: '' })].map(select.hasOlderTurns)).to.deep.equal([false, true]);
  });

  it('what waits for a person, once for each call', () => {
    const state = busyChat([
      toolPart(calls['pending-confirmation']),
      question('q'),
      toolPart({ ...calls['pending-confirmation'], displayName: 'again' }),
      toolPart({ ...calls['auth-required'], toolCallId: 'd' }),
      toolPart({ ...calls.running, toolCallId: 'e' }),
      { ...question('r'), response: 'accept' },
      { kind: 'toolCall' } as never,
    ]);

    expect(select.openInputRequests(state)).to.deep.equal([question('q')]);
    expect(select.blockedCalls(state).map((call) => call.displayName + call.toolCallId)).to.deep.equal([
      'Readc',
      'Readd',
    ]);
    expect(select.pendingConfirmations(state).map((call) => call.toolCallId)).to.deep.equal(['c']);
    expect(select.blockedCalls(chat())).to.deep.equal([]);
  });

  it('for a turn or a call by its id', () => {
    const state = busyChat([toolPart(calls.running)], { turns: [turn('x')] });

    expect(select.findTurn(state, 'x')).to.equal(state.turns[0]);
    expect(select.findTurn(state, 'a')).to.equal(state.activeTurn);
    expect(select.findTurn(state, 'y')).to.equal(undefined);
    expect(select.findCall(state.activeTurn, 'c')).to.equal(calls.running);
    expect(select.findCall(undefined, 'c')).to.equal(undefined);
  });

  it('what a turn said, and why it failed in either version’s words', () => {
    const parts = [markdown('a', 'one '), { kind: 'reasoning' as const, id: 'r', content: 'hm' }, markdown('b', 'two')];
    expect(select.assistantText({ responseParts: parts })).to.equal('one two');

    expect(select.turnError(turn('t', { state: 'error', error }))).to.equal(error);
    expect(select.turnError(turn('t', { state: 'error', responseParts: [{ kind: 'error', error }] }))).to.equal(error);
    expect(select.turnError(turn('t'))).to.equal(undefined);
  });

  it('whether a turn can be resumed', () => {
    const failed = turn('f', { state: 'error', responseParts: [{ kind: 'error', error, resumable: true }] });

    expect(select.isResumable(chat({ turns: [turn('x'), failed] }), failed)).to.equal(true);
    expect(select.isResumable(chat({ turns: [turn('x'), failed] }), turn('x'))).to.equal(false);
    expect(select.isResumable(busyChat([], { turns: [failed] }), failed)).to.equal(false);
    expect(select.isResumable(chat(), failed)).to.equal(false);
  });

  it('which messages wait, in the order they will be taken, each once', () => {
    const state = chat({
      steeringMessage: waiting('s'),
      steeringMessages: [waiting('s'), waiting('l')],
      queuedMessages: [waiting('q'), waiting('l')],
    });

    expect(select.waitingMessages(state).map(({ kind, id }) => `${kind} ${id}`)).to.deep.equal([
      'steering s',
      'steering l',
      'queued q',
    ]);
    expect(select.waitingMessages(chat())).to.deep.equal([]);
  });

  it('which of them are turns already', () => {
    const marked = (id: string) => act.pendingMessageSet('queued', id, message(id)).message;
    const state = chat({
      queuedMessages: ['p', 'q', 'r'].map((id) => ({ id, message: marked(id) })),
      activeTurn: active([], { message: marked('q') }),
      turns: [
        turn('t', { message: marked('p') }),
        turn('u', { message: message('no mark', { _meta: { 'ahp-chat/pending': 5 } }) }),
      ],
    });

    expect(select.waitingMessages(state).map(({ id }) => id)).to.deep.equal(['r']);
    expect(select.isTaken(state, 'p')).to.equal(true);
    expect(select.isTaken(state, 'r')).to.equal(false);
    expect(select.pendingIdsOf(undefined)).to.deep.equal([]);
  });
});
