import { expect } from '@open-wc/testing';
import { announcements } from '../../src/chat/announcements.js';
import type { ChatState } from '../../src/protocol/state.js';
import { busyChat, calls, chat, markdown, question, reduce, start, toolPart, turn } from '../helpers/chat-states.js';

/** What is said, state by state, while these actions arrive. */
function heard(state: ChatState, ...actions: readonly object[]): readonly object[] {
  return actions.flatMap((action) => {
    const before = state;
    state = reduce(state, action);
    return announcements(before, state);
  });
}

const end = { type: 'chat/turnComplete', turnId: 'a', duration: 1 };

describe('what a screen reader is told', () => {
  it('is that a turn started and what it said in the end, never a delta', () => {
    const delta = { type: 'chat/delta', turnId: 'a', partId: 'm', content: 'word ' };

    const words = heard(
      chat(),
      start('a'),
      { type: 'chat/responsePart', turnId: 'a', part: markdown('m') },
      delta,
      delta,
      { type: 'chat/usage', turnId: 'a', usage: {} },
      end,
      { type: 'chat/turnsLoaded', turns: [turn('older')] },
    );

    expect(words).to.deep.equal([
      { key: 'turnStarted', politeness: 'polite' },
      { key: 'turnFinished', politeness: 'polite', text: 'word word', isTrimmed: false },
    ]);
  });

  it('cuts a long answer at a word, and never through a character', () => {
    const textOf = (content: string) => heard(busyChat([markdown('m', content)]), end)[0] as { text: string };

    const long = textOf('several words '.repeat(50));
    expect(long.text).to.have.length.below(241);
    expect(long.text).to.match(/(several|words)$/);
    expect(textOf(`${'x'.repeat(239)}😊${'x'.repeat(50)}`).text).to.equal('x'.repeat(239));
  });

  it('is told at once why a turn failed, and that it was cancelled', () => {
    const part = { kind: 'error', error: { errorType: 'e', message: 'no network' } };

    expect(heard(busyChat(), { type: 'chat/error', turnId: 'a', duration: 1, part })).to.deep.equal([
      { key: 'turnFailed', politeness: 'assertive', message: 'no network' },
    ]);
    expect(heard(busyChat(), { type: 'chat/error', turnId: 'a', duration: 1 })).to.deep.equal([
      { key: 'turnFailed', politeness: 'assertive', message: '' },
    ]);
    const leaking = { kind: 'error', error: { errorType: 'e', message: 'no answer of wss://h/?tkn=s3cret' } };
    expect(heard(busyChat(), { type: 'chat/error', turnId: 'a', duration: 1, part: leaking })).to.deep.equal([
      { key: 'turnFailed', politeness: 'assertive', message: 'no answer of wss://h/?tkn=…' },
    ]);
    expect(heard(busyChat(), { type: 'chat/turnCancelled', turnId: 'a', duration: 1 })).to.deep.equal([
      { key: 'turnCancelled', politeness: 'polite' },
    ]);
  });

  it('is told at once what the turn waits for, each thing once', () => {
    const address = { turnId: 'a', toolCallId: 'c' };

    const words = heard(
      busyChat([toolPart(calls.streaming)]),
      { type: 'chat/toolCallReady', ...address, invocationMessage: 'Read' },
      { type: 'chat/responsePart', turnId: 'a', part: markdown('m') },
      { type: 'chat/inputRequested', request: { id: 'q', message: { markdown: 'Which **one**?' } } },
      { type: 'chat/inputAnswerChanged', requestId: 'q', questionId: '1', answer: { state: 'skipped' } },
      { type: 'chat/toolCallConfirmed', ...address, approved: true, confirmed: 'user-action' },
      { type: 'chat/toolCallAuthRequired', ...address, auth: { reason: 'required', resource: { resource: 'r' } } },
      { type: 'chat/toolCallAuthResolved', ...address },
      {
        type: 'chat/toolCallComplete',
        ...address,
        result: { success: true, pastTenseMessage: '' },
        requiresResultConfirmation: true,
      },
    );

    expect(words).to.deep.equal([
      { key: 'confirmationNeeded', politeness: 'assertive', tool: 'Read' },
      { key: 'questionAsked', politeness: 'assertive', message: 'Which **one**?' },
      { key: 'authenticationNeeded', politeness: 'assertive', tool: 'Read' },
      { key: 'resultConfirmationNeeded', politeness: 'assertive', tool: 'Read' },
    ]);
  });

  it('is nothing for a chat that is opened, closed, or takes another one’s place', () => {
    const state = busyChat([question('q')]);

    expect(announcements(undefined, state)).to.deep.equal([]);
    expect(announcements(state, undefined)).to.deep.equal([]);
    expect(announcements(state, state)).to.deep.equal([]);
    expect(announcements(state, { ...chat(), resource: 'ahp-chat:/two' })).to.deep.equal([]);
    expect(announcements(state, { ...state, activity: 'Reading' })).to.deep.equal([]);
  });

  it('names the end and the beginning when one turn follows the other at once', () => {
    const before = busyChat([markdown('m', 'done')]);

    expect(announcements(before, reduce(before, end, start('b')))).to.deep.equal([
      { key: 'turnFinished', politeness: 'polite', text: 'done', isTrimmed: false },
      { key: 'turnStarted', politeness: 'polite' },
    ]);
  });

  it('is that a question was answered, by whomever, while its turn goes on', () => {
    const words = heard(busyChat([question('q')]), {
      type: 'chat/inputCompleted',
      requestId: 'q',
      response: 'decline',
    });

    expect(words).to.deep.equal([{ key: 'questionClosed', politeness: 'polite', response: 'decline' }]);
  });
});
