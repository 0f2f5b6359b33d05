import { expect } from '@open-wc/testing';
import { chat, message, reduce } from '../helpers/chat-states.js';

const entry = (id: string, text = id) => ({ id, message: message(text) });
const set = (kind: string, id: string, text = id) => ({ type: 'chat/pendingMessageSet', kind, ...entry(id, text) });
const remove = (kind: string, id: string) => ({ type: 'chat/pendingMessageRemoved', kind, id });
const reorder = (...order: unknown[]) => ({ type: 'chat/queuedMessagesReordered', order });
const ids = (list: readonly { id: string }[] | undefined) => list?.map(({ id }) => id).join('');

describe('the steering slot', () => {
  it('holds one message, whatever the ids', () => {
    const after = reduce(chat(), set('steering', 'a'), set('steering', 'b'));

    expect(after.steeringMessage).to.deep.equal(entry('b'));
    expect(reduce(after, set('steering', 'b'))).to.equal(after);
  });

  it('is cleared by its own id only', () => {
    const state = reduce(chat(), set('steering', 'a'));

    expect(reduce(state, remove('steering', 'b'))).to.equal(state);
    expect(reduce(state, remove('queued', 'a'))).to.equal(state);
    expect(reduce(state, remove('steering', 'a'))).not.to.have.property('steeringMessage');
    const none = chat();
    expect(reduce(none, remove('steering', 'a'))).to.equal(none);
  });
});

describe('the steering list', () => {
  const setInList = (id: string, text = id) => ({ type: 'chat/steeringMessageSet', steeringMessage: entry(id, text) });
  const removeFromList = (id: string) => ({ type: 'chat/steeringMessageRemoved', id });

  it('grows, replaces in place, and is absent when empty', () => {
    const two = reduce(chat(), setInList('a'), setInList('b'), setInList('a', 'new'));
    expect(two.steeringMessages).to.deep.equal([entry('a', 'new'), entry('b')]);
    expect(reduce(two, setInList('b'))).to.equal(two);
    expect(reduce(two, removeFromList('x'))).to.equal(two);

    expect(reduce(two, removeFromList('a'), removeFromList('b'))).not.to.have.property('steeringMessages');
  });

  it('ignores what is no message', () => {
    const state = chat();
    for (const steeringMessage of [undefined, 'x', { id: 1, message: message('m') }, { id: 'a' }]) {
      expect(reduce(state, { type: 'chat/steeringMessageSet', steeringMessage })).to.equal(state);
    }
  });
});

describe('the queue', () => {
  const three = reduce(chat(), set('queued', 'a'), set('queued', 'b'), set('queued', 'c'));

  it('appends new messages and replaces known ones in place', () => {
    expect(ids(three.queuedMessages)).to.equal('abc');

    const after = reduce(three, set('queued', 'b', 'new'));
    expect(after.queuedMessages?.[1]).to.deep.equal(entry('b', 'new'));
    expect(after.queuedMessages?.[0]).to.equal(three.queuedMessages?.[0]);
    expect(reduce(three, set('queued', 'b'))).to.equal(three);
  });

  it('loses messages by id, and is absent when empty', () => {
    expect(ids(reduce(three, remove('queued', 'b')).queuedMessages)).to.equal('ac');
    expect(reduce(three, remove('queued', 'x'))).to.equal(three);
    expect(reduce(chat(), set('queued', 'a'), remove('queued', 'a'))).not.to.have.property('queuedMessages');
  });

  it('never loses a message to a new order', () => {
    expect(ids(reduce(three, reorder('c', 'a')).queuedMessages)).to.equal('cab');
    expect(ids(reduce(three, reorder('x', 'b', 'b', 7, 'a')).queuedMessages)).to.equal('bac');
  });

  it('is the same object in an order that changes nothing', () => {
    for (const order of [[], ['a'], ['a', 'b', 'c'], ['x'], ['a', 'a']]) {
      expect(reduce(three, reorder(...order)), order.join()).to.equal(three);
    }
    const none = chat();
    expect(reduce(none, reorder('a'))).to.equal(none);
    expect(reduce(three, { type: 'chat/queuedMessagesReordered' })).to.equal(three);
  });

  it('ignores kinds that do not exist and messages that are none', () => {
    expect(reduce(three, set('shouted', 'd'))).to.equal(three);
    expect(reduce(three, remove('shouted', 'a'))).to.equal(three);
    expect(reduce(three, { type: 'chat/pendingMessageSet', kind: 'queued', id: 'd' })).to.equal(three);
    expect(reduce(three, { type: 'chat/pendingMessageSet', kind: 'queued', message: message('m') })).to.equal(three);
  });

  it('and the slot know nothing of each other', () => {
    const after = reduce(three, set('steering', 'a'), remove('queued', 'a'));

    expect(after.steeringMessage?.id).to.equal('a');
    expect(ids(after.queuedMessages)).to.equal('bc');
  });
});
