import { expect } from '@open-wc/testing';
import * as act from '../../src/chat/actions.js';
import { MemoryChatStore } from '../../src/chat/memory-store.js';
import { AhpError } from '../../src/protocol/errors.js';
import { chat, message, START, start, turn } from '../helpers/chat-states.js';

function counted(store: MemoryChatStore) {
  let calls = 0;
  const stop = store.subscribe(() => calls++);
  return { count: () => calls, stop };
}

describe('a store without a host', () => {
  it('reduces what is dispatched on the spot, and remembers it', () => {
    const store = new MemoryChatStore(chat());
    const { count } = counted(store);

    store.dispatch(act.turnStarted('t', message('hi'), START), act.draftChanged());
    store.apply({ type: 'chat/responsePart', turnId: 't', part: { kind: 'markdown', id: 'm', content: 'yes' } });
    store.dispatch(act.turnCancelled('t', 5));

    expect(store.state?.turns[0]).to.include({ id: 't', state: 'cancelled' });
    expect(store.dispatched.map((group) => group.map(({ type }) => type))).to.deep.equal([
      ['chat/turnStarted', 'chat/draftChanged'],
      ['chat/turnCancelled'],
    ]);
    expect(count()).to.equal(3);
    expect(store.status).to.include({ phase: 'live', pending: 0 });
  });

  it('says nothing when nothing has changed or nobody listens any more', () => {
    const store = new MemoryChatStore(chat());
    const { count, stop } = counted(store);

    store.apply({ type: 'chat/hologramSet' });
    stop();
    store.apply(start('t'));

    expect(count()).to.equal(0);
  });

  it('is loading until it has a state', () => {
    const store = new MemoryChatStore();
    expect(store.status.phase).to.equal('loading');
    store.dispatch(act.isReadChanged(true));
    expect(store.state).to.equal(undefined);

    store.setState(chat());

    expect(store.status.phase).to.equal('live');
    expect(store.dispatched).to.have.length(1);
  });

  it('refuses, fails and goes offline when told to', () => {
    const store = new MemoryChatStore(chat(), { status: { phase: 'offline' } });
    const rejections: unknown[] = [];
    const stop = store.onRejected((rejection) => rejections.push(rejection));
    const action = start('t');

    store.reject([action], 'no');
    stop();
    store.reject([action], 'again');
    store.fail(new AhpError('gone', 'The chat is gone.'));

    expect(rejections).to.deep.equal([{ actions: [action], reason: 'no' }]);
    expect(store.status.phase).to.equal('failed');
    expect(store.status.error?.code).to.equal('gone');
  });

  it('dispatches an unconfirmed intent again, or drops it', () => {
    const intent = (id: string, canRetry = true) => ({ id, actions: [start(id)], canRetry });
    const store = new MemoryChatStore(chat(), {
      status: { unconfirmed: [intent('a'), intent('b'), intent('c', false)] },
    });

    store.retry('a');
    store.discard('b');
    store.retry('c');

    expect(store.dispatched).to.deep.equal([[start('a')]]);
    expect(store.status.unconfirmed).to.deep.equal([]);
  });

  it('pages older turns in through its option', async () => {
    const store = new MemoryChatStore(chat({ turns: [turn('b')], turnsNextCursor: 'c' }), {
      loadOlder: () => Promise.resolve({ type: 'chat/turnsLoaded', turns: [turn('a')] }),
    });

    await store.loadOlderTurns();

    expect(store.state?.turns.map(({ id }) => id)).to.deep.equal(['a', 'b']);
    await new MemoryChatStore(chat()).loadOlderTurns();
  });

  it('shows the session and the services it is given', () => {
    const services = { complete: () => Promise.resolve([]) };
    const store = new MemoryChatStore(chat(), { services });
    const { count } = counted(store);

    store.setSession(undefined);

    expect(store.services).to.equal(services);
    expect(count()).to.equal(1);
  });
});
