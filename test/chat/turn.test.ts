import { expect } from '@open-wc/testing';
import { chatReducer } from '../../src/chat/reducer.js';
import type { ErrorPart, Turn } from '../../src/protocol/state.js';
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

const errorPart = (resumable?: boolean): ErrorPart => ({
  kind: 'error',
  error: { errorType: 'network', message: 'gone' },
  ...(resumable !== undefined && { resumable }),
});

const failed = (members: Partial<Turn> = {}): Turn =>
  turn('f', { state: 'error', responseParts: [markdown('m', 'so far'), errorPart(true)], ...members });

describe('starting a turn', () => {
  it('makes it the running one, unread, at the time the action names', () => {
    const after = reduce(chat({ status: 1 | 32 | 64 }), start('a', 'hello'));

    expect(after.activeTurn).to.deep.equal(active([], { message: message('hello') }));
    expect(after.status).to.equal(8 | 64);
    expect(after.modifiedAt).to.equal(START);
  });

  it('happens once: a turn that runs or has run is not started again', () => {
    const running = reduce(chat(), start('a'));
    expect(reduce(running, start('a', 'again'))).to.equal(running);

    const over = reduce(running, { type: 'chat/turnComplete', turnId: 'a', duration: 1 });
    expect(reduce(over, start('a', 'again'))).to.equal(over);
  });

  it('replaces another turn that runs, which is lost', () => {
    const after = reduce(busyChat([markdown('m')]), start('b'));

    expect(after.activeTurn?.id).to.equal('b');
    expect(after.turns).to.deep.equal([]);
  });

  it('takes the message it names out of slot, list and queue, and no other', () => {
    const entry = (id: string) => ({ id, message: message(id) });
    const waiting = chat({
      steeringMessage: entry('s'),
      steeringMessages: [entry('s'), entry('l')],
      queuedMessages: [entry('s'), entry('q')],
      draft: message('unsent'),
    });

    const after = reduce(waiting, { ...start('a'), queuedMessageId: 's' });
    expect(after).not.to.have.property('steeringMessage');
    expect(after.steeringMessages).to.deep.equal([entry('l')]);
    expect(after.queuedMessages).to.deep.equal([entry('q')]);
    expect(after.draft).to.equal(waiting.draft);

    const rest = reduce(after, { ...start('b'), queuedMessageId: 'q' }, { ...start('c'), queuedMessageId: 'l' });
    expect(rest).not.to.have.any.keys('steeringMessages', 'queuedMessages');

    const untouched = reduce(waiting, start('a'));
    expect(untouched.queuedMessages).to.equal(waiting.queuedMessages);
  });
});

describe('the text of a turn', () => {
  it('grows the first part of the id, and only if it is of the right kind', () => {
    const parts = [markdown('m', 'a'), markdown('m', 'x'), { kind: 'reasoning' as const, id: 'r', content: '' }];

    const after = reduce(
      busyChat(parts),
      { type: 'chat/delta', turnId: 'a', partId: 'm', content: 'b' },
      { type: 'chat/reasoning', turnId: 'a', partId: 'r', content: 'c' },
    );

    expect(after.activeTurn?.responseParts).to.deep.equal([
      markdown('m', 'ab'),
      markdown('m', 'x'),
      { kind: 'reasoning', id: 'r', content: 'c' },
    ]);
    expect(after.activeTurn?.responseParts[1]).to.equal(parts[1]);
  });

  it('stays where it is for a wrong turn, part or kind, and for no text', () => {
    const state = busyChat([toolPart(calls.running), markdown('c', ''), markdown('m', '')]);
    const misses = [
      { type: 'chat/delta', turnId: 'b', partId: 'm', content: 'x' },
      { type: 'chat/delta', turnId: 'a', partId: 'n', content: 'x' },
      { type: 'chat/reasoning', turnId: 'a', partId: 'm', content: 'x' },
      { type: 'chat/delta', turnId: 'a', partId: 'm', content: '' },
      // A tool call's part has the call's id, and stands before the text of the same id.
      { type: 'chat/delta', turnId: 'a', partId: 'c', content: 'x' },
    ];

    for (const miss of misses) expect(reduce(state, miss), JSON.stringify(miss)).to.equal(state);
  });

  it('grows from parts without content or ids', () => {
    const bare = { kind: 'markdown', id: 'm' } as never;

    const after = reduce(busyChat([{ kind: 'contentRef', uri: 'file:///x' }, bare]), {
      type: 'chat/delta',
      turnId: 'a',
      partId: 'm',
      content: 'x',
    });

    expect(after.activeTurn?.responseParts[1]).to.deep.equal(markdown('m', 'x'));
  });

  it('looks at no finished turn and at no other part, however many there are', () => {
    let reads = 0;
    const watched = <T extends object>(target: T): T =>
      new Proxy(target, { get: (_, key) => (reads++, Reflect.get(target, key) as unknown) });
    const delta = { type: 'chat/delta', turnId: 'a', partId: 'm', content: 'x' } as const;
    const parts = [...Array.from({ length: 500 }, (_, index) => watched(markdown(`p${index}`))), markdown('m')];
    // The parts of a turn are looked at once, when it is first seen.
    const seen = chatReducer({ ...chat(), turns: watched(turns(500)), activeTurn: active(parts) }, delta);
    reads = 0;

    const after = [delta, delta, delta].reduce(chatReducer, seen);

    expect(reads).to.equal(0);
    expect(after.activeTurn?.responseParts.at(-1)).to.deep.equal(markdown('m', 'xxxx'));
  });
});

describe('a response part', () => {
  it('is appended as it is, whatever its kind', () => {
    const later = { kind: 'hologram', id: 'h', depth: 3 } as never;

    const after = reduce(
      busyChat(),
      { type: 'chat/responsePart', turnId: 'a', part: later },
      { type: 'chat/responsePart', turnId: 'a', part: question('q') },
    );

    expect(after.activeTurn?.responseParts).to.deep.equal([later, question('q')]);
    expect(after.status, 'a question that arrives as a part shows at the next recompute').to.equal(8);
  });

  it('is never an error, which only ends a turn, and never in a turn that does not run', () => {
    const state = busyChat();

    expect(reduce(state, { type: 'chat/responsePart', turnId: 'a', part: errorPart() })).to.equal(state);
    expect(reduce(state, { type: 'chat/responsePart', turnId: 'b', part: markdown('m') })).to.equal(state);
  });
});

describe('the usage of a turn', () => {
  it('is replaced as a whole', () => {
    const usage = { type: 'chat/usage', turnId: 'a', usage: { inputTokens: 1 } };
    const after = reduce(busyChat(), usage, { ...usage, usage: { outputTokens: 2 } });

    expect(after.activeTurn?.usage).to.deep.equal({ outputTokens: 2 });
    expect(reduce(after, { ...usage, usage: { outputTokens: 2 } })).to.equal(after);
  });
});

describe('ending a turn', () => {
  it('moves it to the finished ones with what it has', () => {
    const usage = { inputTokens: 3 };
    const state = chat({ status: 24 | 32, activeTurn: active([markdown('m', 'x'), question('q')], { usage }) });

    const after = reduce(state, { type: 'chat/turnComplete', turnId: 'a', duration: 1500 });

    expect(after).not.to.have.property('activeTurn');
    expect(after.turns).to.deep.equal([
      { ...active([markdown('m', 'x'), question('q')]), usage, duration: 1500, state: 'complete' },
    ]);
    expect(after.status, 'IsRead stays').to.equal(1 | 32);
    expect(after.modifiedAt).to.equal('2026-03-01T10:00:01.500Z');
  });

  it('counts an absent, negative or endless duration as none', () => {
    for (const duration of [undefined, -5, Number.NaN, Number.POSITIVE_INFINITY, '7' as never]) {
      const after = reduce(busyChat(), { type: 'chat/turnCancelled', turnId: 'a', duration });
      expect(after.turns[0]).to.include({ duration: 0, state: 'cancelled' });
      expect(after.modifiedAt).to.equal(START);
    }
  });

  it('leaves modifiedAt alone where the start cannot be read', () => {
    for (const startedAt of [undefined, 'yesterday', 5 as never, '275760-09-13T00:00:00.000Z']) {
      const state = chat({ activeTurn: { ...active(), startedAt }, modifiedAt: 'before' });
      const after = reduce(state, { type: 'chat/turnComplete', turnId: 'a', duration: Number.MAX_SAFE_INTEGER });
      expect(after.modifiedAt, String(startedAt)).to.equal('before');
    }
  });

  it('keeps the error where its version puts it, and prefers the part', () => {
    const error = { errorType: 'old', message: 'old' };
    const end = (members: object) =>
      reduce(busyChat([markdown('m')]), { type: 'chat/error', turnId: 'a', duration: 1, ...members });

    const old = end({ error }).turns[0];
    expect(old).to.deep.include({ state: 'error', error, responseParts: [markdown('m')] });
    const fresh = end({ part: errorPart(true) }).turns[0];
    expect(fresh).to.deep.include({ state: 'error', responseParts: [markdown('m'), errorPart(true)] });
    expect(fresh).not.to.have.property('error');
    const both = end({ part: errorPart(), error }).turns[0];
    expect(both).not.to.have.property('error');
    expect(end({}).turns[0]).to.include({ state: 'error' });
    expect(end({}).status).to.equal(2);
  });

  it('keeps keys of later versions', () => {
    const state = chat({ activeTurn: { ...active(), mood: 'good' } as never });

    const after = reduce(state, { type: 'chat/turnComplete', turnId: 'a', duration: 1 });

    expect(after.turns[0]).to.include({ mood: 'good' });
  });

  it('does nothing for a turn that does not run', () => {
    const state = busyChat([], { turns: [turn('b')] });

    for (const type of ['chat/turnComplete', 'chat/turnCancelled', 'chat/error']) {
      expect(reduce(state, { type, turnId: 'b', duration: 1 })).to.equal(state);
    }
  });
});

describe('resuming a turn', () => {
  it('makes the last, failed one run again, with its parts and without its end', () => {
    const usage = { inputTokens: 1 };
    const state = chat({ turns: [turn('x'), failed({ usage })], status: 2 | 32, modifiedAt: 'then' });

    const after = reduce(state, { type: 'chat/turnResume', turnId: 'f' });

    const { state: _state, duration: _duration, ...rest } = failed({ usage });
    expect(after.activeTurn).to.deep.equal(rest);
    expect(after.turns).to.deep.equal([turn('x')]);
    expect(after.status).to.equal(8);
    expect(after.modifiedAt).to.equal('then');
  });

  it('starts where the chat was last changed if the turn does not say', () => {
    const { startedAt: _, ...timeless } = failed();

    const after = reduce(chat({ turns: [timeless], modifiedAt: 'then' }), { type: 'chat/turnResume', turnId: 'f' });

    expect(after.activeTurn?.startedAt).to.equal('then');
  });

  const refusals: Record<string, Parameters<typeof chat>[0]> = {
    'while another runs': { turns: [failed()], activeTurn: active() },
    'unless it is the last': { turns: [failed(), turn('x')] },
    'unless it failed': { turns: [failed({ state: 'complete' })] },
    'unless the host offers it': { turns: [failed({ responseParts: [errorPart()] })] },
    'unless the error is at its end': { turns: [failed({ responseParts: [errorPart(true), markdown('m')] })] },
    'unless its error is a part': { turns: [failed({ responseParts: [], error: errorPart().error })] },
    'without any turn': {},
  };
  for (const [name, members] of Object.entries(refusals)) {
    it(`does nothing ${name}`, () => {
      const state = chat(members);
      expect(reduce(state, { type: 'chat/turnResume', turnId: 'f' })).to.equal(state);
    });
  }

  it('lets the turn fail once more', () => {
    const after = reduce(
      chat({ turns: [failed()] }),
      { type: 'chat/turnResume', turnId: 'f' },
      { type: 'chat/error', turnId: 'f', duration: 5, part: errorPart(true) },
      { type: 'chat/turnResume', turnId: 'f' },
    );

    expect(after.activeTurn?.responseParts).to.have.length(3);
  });
});

describe('truncating', () => {
  it('keeps everything up to the turn it names and drops the running one', () => {
    const state = busyChat([], { turns: turns(3), turnsNextCursor: 'c', status: 8 | 64, draft: message('d') });

    const after = reduce(state, { type: 'chat/truncated', turnId: 't1' });

    expect(after.turns).to.deep.equal(state.turns.slice(0, 2));
    expect(after).not.to.have.property('activeTurn');
    expect(after).to.include({ status: 1 | 64, turnsNextCursor: 'c', modifiedAt: START });
    expect(after.draft).to.equal(state.draft);
  });

  it('removes all turns and the cursor when it names none', () => {
    const after = reduce(busyChat([], { turns: turns(2), turnsNextCursor: 'c' }), { type: 'chat/truncated' });

    expect(after.turns).to.deep.equal([]);
    expect(after).not.to.have.any.keys('activeTurn', 'turnsNextCursor');
  });

  it('does nothing for an unknown turn, and nothing where nothing follows', () => {
    const state = busyChat([], { turns: turns(2) });
    expect(reduce(state, { type: 'chat/truncated', turnId: 'x' })).to.equal(state);
    expect(reduce(state, { type: 'chat/truncated', turnId: 5 as never })).to.equal(state);

    const idle = chat({ turns: turns(2) });
    expect(reduce(idle, { type: 'chat/truncated', turnId: 't1' })).to.equal(idle);
    const empty = chat();
    expect(reduce(empty, { type: 'chat/truncated' })).to.equal(empty);
  });

  it('lets a turn that was cut off be started again', () => {
    const state = reduce(
      chat({ turns: turns(3) }),
      { type: 'chat/turnsLoaded', turns: [turn('older')] },
      { type: 'chat/truncated', turnId: 't0' },
      start('t2'),
    );

    expect(state.activeTurn?.id).to.equal('t2');
  });
});

describe('paging in older turns', () => {
  it('puts them in front without those that are there, and takes the new cursor', () => {
    const state = chat({ turns: [turn('c')], turnsNextCursor: '1', status: 2 });

    const after = reduce(state, {
      type: 'chat/turnsLoaded',
      turns: [turn('a'), turn('b'), turn('c')],
      turnsNextCursor: '2',
    });

    expect(after.turns.map((other) => other.id)).to.deep.equal(['a', 'b', 'c']);
    expect(after.turns[2]).to.equal(state.turns[0]);
    expect(after).to.include({ turnsNextCursor: '2', status: 2, modifiedAt: START });
    expect(reduce(after, { type: 'chat/turnsLoaded', turns: [] })).not.to.have.property('turnsNextCursor');
  });

  it('does nothing for a page that is here with the same cursor', () => {
    const state = chat({ turns: turns(3), turnsNextCursor: 'x' });

    expect(reduce(state, { type: 'chat/turnsLoaded', turns: turns(2), turnsNextCursor: 'x' })).to.equal(state);
  });

  it('knows every turn of many pages', () => {
    let state = chat({ turns: [turn('last')] });
    for (let page = 9; page >= 0; page--) {
      const older = Array.from({ length: 5 }, (_, index) => turn(`p${page}-${index}`));
      state = reduce(state, { type: 'chat/turnsLoaded', turns: older, turnsNextCursor: String(page) });
      state = reduce(state, { type: 'chat/turnsLoaded', turns: older, turnsNextCursor: String(page) });
    }

    expect(state.turns).to.have.length(51);
    for (const known of state.turns) expect(reduce(state, start(known.id))).to.equal(state);
  });

  it('does not take the turns of one branch for those of another', () => {
    const root = reduce(chat({ turns: [turn('c')] }), { type: 'chat/turnsLoaded', turns: [turn('b')] });
    const left = reduce(root, { type: 'chat/turnsLoaded', turns: [turn('left')] });

    const right = reduce(root, { type: 'chat/turnsLoaded', turns: [turn('left'), turn('right')] });

    expect(left.turns.map(({ id }) => id)).to.deep.equal(['left', 'b', 'c']);
    expect(right.turns.map(({ id }) => id)).to.deep.equal(['left', 'right', 'b', 'c']);
    expect(reduce(root, start('right')).activeTurn?.id).to.equal('right');
  });
});
