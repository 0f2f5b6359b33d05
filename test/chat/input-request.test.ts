import { expect } from '@open-wc/testing';
import type { InputAnswer } from '../../src/protocol/state.js';
import { active, busyChat, chat, markdown, question, reduce, start } from '../helpers/chat-states.js';

const draft = (value: string): InputAnswer => ({ state: 'draft', value: { kind: 'text', value } });
const submitted = (value: string): InputAnswer => ({ state: 'submitted', value: { kind: 'text', value } });

const ask = (id: string, members: object = {}) => ({
  type: 'chat/inputRequested',
  request: { id, message: 'Which one?', ...members },
});
const answer = (questionId: string, given?: unknown, requestId = 'q') => ({
  type: 'chat/inputAnswerChanged',
  requestId,
  questionId,
  ...(given !== undefined && { answer: given }),
});
const complete = (members: object = {}, requestId = 'q') => ({
  type: 'chat/inputCompleted',
  requestId,
  response: 'accept',
  ...members,
});

describe('a question', () => {
  it('joins the running turn, and the chat needs input and is unread', () => {
    const after = reduce(busyChat([markdown('m')], { status: 8 | 32 }), ask('q'));

    expect(after.activeTurn?.responseParts).to.deep.equal([markdown('m'), question('q')]);
    expect(after.status).to.equal(24);
  });

  it('needs a turn that runs, and an id', () => {
    const idle = chat();
    expect(reduce(idle, ask('q'))).to.equal(idle);
    const busy = busyChat();
    expect(reduce(busy, { type: 'chat/inputRequested', request: {} })).to.equal(busy);
    expect(reduce(busy, { type: 'chat/inputRequested' })).to.equal(busy);
  });

  it('asked again while open takes the place of the first and keeps its drafts', () => {
    const after = reduce(busyChat(), ask('q'), answer('n', draft('x')), ask('q', { message: 'Really?' }));

    expect(after.activeTurn?.responseParts).to.deep.equal([
      question('q', { message: 'Really?', answers: { n: draft('x') } }),
    ]);
    const own = reduce(after, ask('q', { answers: { o: draft('y') } }));
    expect(own.activeTurn?.responseParts).to.deep.equal([question('q', { answers: { o: draft('y') } })]);
  });

  it('asked again with nothing new only counts as unread', () => {
    const open = reduce(busyChat(), ask('q'));
    expect(reduce(open, ask('q'))).to.equal(open);

    const read = reduce(open, { type: 'chat/isReadChanged', isRead: true });
    const after = reduce(read, ask('q'));
    expect(after.status).to.equal(24);
    expect(after.activeTurn).to.equal(open.activeTurn);
  });

  it('asked again after its answer is a new one', () => {
    const after = reduce(busyChat(), ask('q'), complete(), ask('q'));

    expect(after.activeTurn?.responseParts).to.deep.equal([{ ...question('q'), response: 'accept' }, question('q')]);
    expect(after.status).to.equal(24);
  });

  it('keeps each draft until it is taken back, without a change of the status', () => {
    const open = reduce(busyChat(), ask('q'));

    const two = reduce(open, answer('a', draft('1')), answer('b', draft('2')), answer('a', draft('3')));
    expect(two.activeTurn?.responseParts).to.deep.equal([question('q', { answers: { a: draft('3'), b: draft('2') } })]);
    expect(two.status).to.equal(24);
    expect(reduce(two, answer('a', draft('3')))).to.equal(two);
    expect(reduce(two, answer('none'))).to.equal(two);

    expect(reduce(two, answer('a'), answer('b')).activeTurn?.responseParts).to.deep.equal([question('q')]);
  });

  it('is completed with the drafts, overlaid by what comes with the completion', () => {
    const open = reduce(busyChat(), ask('q'), answer('a', draft('1')), answer('b', draft('2')));

    const after = reduce(open, complete({ answers: { b: submitted('3') } }));

    expect(after.activeTurn?.responseParts).to.deep.equal([
      { ...question('q', { answers: { a: draft('1'), b: submitted('3') } }), response: 'accept' },
    ]);
    expect(after.status).to.equal(8);
    expect(reduce(after, complete())).to.equal(after);
    expect(reduce(after, answer('a', draft('late')))).to.equal(after);
  });

  it('has no answers after a completion without any', () => {
    const after = reduce(busyChat(), ask('q'), complete({ response: 'decline', answers: {} }));

    expect(after.activeTurn?.responseParts).to.deep.equal([{ ...question('q'), response: 'decline' }]);
  });

  it('leaves modifiedAt alone', () => {
    const busy = busyChat([], { modifiedAt: 'then' });

    expect(reduce(busy, ask('q'), answer('a', draft('1')), complete()).modifiedAt).to.equal('then');
  });

  it('stays open in the turn that has ended without an answer', () => {
    const after = reduce(busyChat(), ask('q'), { type: 'chat/turnComplete', turnId: 'a', duration: 1 });

    expect(after.turns[0]?.responseParts).to.deep.equal([question('q')]);
    expect(after.status).to.equal(1);
    expect(reduce(after, start('b'), complete()).activeTurn?.responseParts).to.deep.equal([]);
  });

  it('ignores responses, answer states and requests that do not exist', () => {
    const open = reduce(busyChat(), ask('q'));

    expect(reduce(open, complete({ response: 'maybe' }))).to.equal(open);
    expect(reduce(open, answer('a', { state: 'guessed', value: 1 }))).to.equal(open);
    expect(reduce(open, answer('a', 'text'))).to.equal(open);
    expect(reduce(open, answer('a', draft('x'), 'other'))).to.equal(open);
    expect(reduce(open, complete({}, 'other'))).to.equal(open);
  });

  it('keeps a question that is called __proto__ apart from the prototype', () => {
    const open = reduce(busyChat(), ask('q'));

    const answered = reduce(open, answer('__proto__', draft('x')), answer('constructor', draft('y')));
    const part = answered.activeTurn?.responseParts[0];
    const answers = part?.kind === 'inputRequest' ? part.request.answers : undefined;
    expect(Object.keys(answers ?? {})).to.deep.equal(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(answers)).to.equal(Object.prototype);

    const gone = reduce(answered, answer('__proto__'), answer('constructor'), answer('toString'));
    expect(gone.activeTurn?.responseParts).to.deep.equal([question('q')]);
  });

  it('is found among several, closed ones of the same id included', () => {
    const parts = [{ ...question('q'), response: 'cancel' as const }, question('p'), question('q')];
    const after = reduce(chat({ activeTurn: active(parts), status: 24 }), complete());

    expect(after.activeTurn?.responseParts).to.deep.equal([parts[0], parts[1], { ...parts[2], response: 'accept' }]);
    expect(after.status, 'the other one is still open').to.equal(24);
  });
});
