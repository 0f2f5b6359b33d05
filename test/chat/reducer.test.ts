import { expect } from '@open-wc/testing';
import { chatReducer } from '../../src/chat/reducer.js';
import { busyChat, calls, chat, message, question, reduce, toolPart } from '../helpers/chat-states.js';

const HIGH = 2 ** 31;

describe('the chat reducer', () => {
  it('gives the same object back for actions it does not know', () => {
    const state = busyChat();

    for (const type of ['chat/hologramSet', 'x-private', '', '__proto__', 'constructor', 'session/ready']) {
      expect(reduce(state, { type })).to.equal(state);
    }
  });

  it('never throws for what is no action at all', () => {
    const state = busyChat();

    for (const junk of [null, undefined, 5, 'chat/delta', [], {}]) {
      expect(chatReducer(state, junk as never)).to.equal(state);
    }
  });

  it('sets and removes the plain fields', () => {
    const set = reduce(
      chat(),
      { type: 'chat/activityChanged', activity: 'Reading' },
      { type: 'chat/draftChanged', draft: message('d') },
      { type: 'chat/movableChanged', movable: true },
      { type: 'chat/changesetsChanged', changesets: [{ id: 'c' }] },
    );
    expect(set).to.deep.include({ activity: 'Reading', draft: message('d'), movable: true, changesets: [{ id: 'c' }] });

    const repeated = reduce(
      set,
      { type: 'chat/activityChanged', activity: 'Reading' },
      { type: 'chat/draftChanged', draft: message('d') },
      { type: 'chat/changesetsChanged', changesets: [{ id: 'c' }] },
    );
    expect(repeated).to.equal(set);

    const cleared = reduce(
      set,
      { type: 'chat/activityChanged' },
      { type: 'chat/draftChanged' },
      { type: 'chat/movableChanged' },
      { type: 'chat/changesetsChanged' },
    );
    expect(cleared).to.deep.equal(chat());
    expect(reduce(cleared, { type: 'chat/activityChanged' })).to.equal(cleared);
  });

  it('ignores plain fields of a wrong type', () => {
    const state = chat();
    const junk = [
      { type: 'chat/activityChanged', activity: 5 },
      { type: 'chat/draftChanged', draft: 'text' },
      { type: 'chat/movableChanged', movable: 'yes' },
      { type: 'chat/isReadChanged' },
      { type: 'chat/isArchivedChanged', isArchived: 1 },
      { type: 'chat/workingDirectorySet' },
      { type: 'chat/backgroundWorkSet', work: { id: 3 } },
    ];

    for (const action of junk) expect(reduce(state, action), action.type).to.equal(state);
  });

  it('keeps working directories as a set, and an emptied one as none at all', () => {
    const set = (directory: string) => ({ type: 'chat/workingDirectorySet', directory });
    const remove = (directory: string) => ({ type: 'chat/workingDirectoryRemoved', directory });

    const two = reduce(chat(), set('file:///a'), set('file:///b'));
    expect(two.workingDirectories).to.deep.equal(['file:///a', 'file:///b']);
    expect(reduce(two, set('file:///a'))).to.equal(two);
    expect(reduce(two, remove('file:///c'))).to.equal(two);
    expect(reduce(two, remove('file:///a'), remove('file:///b')).workingDirectories).to.deep.equal([]);
    const all = chat();
    expect(reduce(all, remove('file:///a'))).to.equal(all);
  });

  it('keeps background work by id, of any kind', () => {
    const work = (id: string, label: string) => ({ kind: 'kiln', id, label, startedAt: 'now', heat: 9 });
    const set = (id: string, label = id) => ({ type: 'chat/backgroundWorkSet', work: work(id, label) });
    const remove = (id: string) => ({ type: 'chat/backgroundWorkRemoved', id });

    const two = reduce(chat(), set('a'), set('b'), set('a', 'new'));
    expect(two.backgroundWork).to.deep.equal([work('a', 'new'), work('b', 'b')]);
    expect(reduce(two, set('b'))).to.equal(two);
    expect(reduce(two, remove('c'))).to.equal(two);
    expect(reduce(two, remove('a'), remove('b'))).not.to.have.property('backgroundWork');
  });
});

describe('the status of a chat', () => {
  it('has flags that come and go without the activity', () => {
    const read = reduce(busyChat(), { type: 'chat/isReadChanged', isRead: true });
    expect(read.status).to.equal(8 | 32);
    expect(reduce(read, { type: 'chat/isReadChanged', isRead: true })).to.equal(read);

    const archived = reduce(read, { type: 'chat/isArchivedChanged', isArchived: true });
    expect(archived.status).to.equal(8 | 32 | 64);
    expect(reduce(archived, { type: 'chat/isReadChanged', isRead: false }).status).to.equal(8 | 64);
  });

  it('keeps unknown bits, the sign bit among them, as an unsigned number', () => {
    const unknown = HIGH + 128;
    const state = busyChat([toolPart(calls['pending-confirmation'])], { status: unknown + 8 });

    const asked = reduce(state, { type: 'chat/toolCallReady', turnId: 'a', toolCallId: 'none', invocationMessage: '' });
    expect(asked.status).to.equal(unknown + 24);
    const failed = reduce(asked, { type: 'chat/error', turnId: 'a', duration: 1 });
    expect(failed.status).to.equal(unknown + 2);
    expect(reduce(failed, { type: 'chat/isReadChanged', isRead: true }).status).to.equal(unknown + 2 + 32);
    expect(reduce(failed, { type: 'chat/truncated' }).status).to.equal(unknown + 1);
  });

  it('says that input is needed for each thing that blocks, and not for others', () => {
    const recompute = { type: 'chat/toolCallComplete', turnId: 'a', toolCallId: 'none', result: {} };
    const statusOf = (...parts: Parameters<typeof busyChat>[0] & object) => reduce(busyChat(parts), recompute).status;

    expect(statusOf(question('q'))).to.equal(24);
    expect(statusOf({ ...question('q'), response: 'accept' })).to.equal(8);
    for (const [status, call] of Object.entries(calls)) {
      const blocks = ['pending-confirmation', 'pending-result-confirmation', 'auth-required'].includes(status);
      expect(statusOf(toolPart(call)), status).to.equal(blocks ? 24 : 8);
    }
    expect(statusOf({ kind: 'toolCall' } as never, { kind: 'hologram' } as never, null as never)).to.equal(8);
  });

  it('counts what blocks through changes of one turn', () => {
    const ask = (id: string) => ({ type: 'chat/inputRequested', request: { id } });
    const complete = (requestId: string) => ({ type: 'chat/inputCompleted', requestId, response: 'accept' });

    const two = reduce(busyChat(), ask('a'), ask('b'));
    expect(two.status).to.equal(24);
    const one = reduce(two, complete('a'));
    expect(one.status).to.equal(24);
    expect(reduce(one, complete('b')).status).to.equal(8);
    // The state before is still what it was: an index belongs to one array.
    expect(reduce(two, complete('b')).status).to.equal(24);
    expect(reduce(two, complete('b'), complete('a')).status).to.equal(8);
  });
});
