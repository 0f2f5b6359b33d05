import { expect } from '@open-wc/testing';
import * as act from '../../src/chat/actions.js';
import { pendingIds, unconfirmedIntents } from '../../src/chat/pending-action.js';
import {
  adoptReplay,
  adoptSnapshot,
  createReconciled,
  disconnect,
  discard,
  enqueue,
  expire,
  expiresAt,
  markSent,
  receive,
  retry,
  sendable,
} from '../../src/chat/reconcile.js';
import { waitingMessages } from '../../src/chat/selectors.js';
import type { MessageAttachment } from '../../src/protocol/state.js';
import { busyChat, chat, freeze, markdown, message, START, start, turn, turns } from '../helpers/chat-states.js';
import { echo, entry, fate, foreign, live, ME, NOW, rejection, sent, seqs } from '../helpers/reconcile.js';

const delta = (content: string) => ({ type: 'chat/delta', turnId: 'a', partId: 'm', content });
const clear = act.draftChanged();

describe('an envelope', () => {
  it('from somebody else is applied, and shown as confirmed where nothing is pending', () => {
    const before = live(busyChat([markdown('m')]));

    const { next, settled } = receive(before, foreign(11, delta('x')), ME);

    expect(next.confirmed?.activeTurn?.responseParts).to.deep.equal([markdown('m', 'x')]);
    expect(next.optimistic).to.equal(next.confirmed);
    expect(next.appliedSeq).to.equal(11);
    expect(settled).to.deep.equal([]);
  });

  it('of an unknown type changes nothing but the number', () => {
    const before = live(chat());

    const { next } = receive(before, foreign(12, { type: 'chat/hologramSet' }), ME);

    expect(next.confirmed).to.equal(before.confirmed);
    expect(next.appliedSeq).to.equal(12);
  });

  it('is applied once, however often and late it comes', () => {
    let state = live(busyChat([markdown('m')]));

    for (const seq of [11, 11, 12, 11, 10, 9, 12]) state = receive(state, foreign(seq, delta(String(seq))), ME).next;

    expect(state.confirmed?.activeTurn?.responseParts).to.deep.equal([markdown('m', '1112')]);
    expect(state.appliedSeq).to.equal(12);
  });

  it('without a number that can be compared is not applied', () => {
    const before = live(busyChat([markdown('m')]));

    expect(receive(before, foreign(Number.NaN, delta('x')), ME).next).to.equal(before);
  });

  it('of our own settles its entry, and the host’s version of the action counts', () => {
    const asked = start('t', 'with bytes');
    const altered = { ...asked, message: message('with a reference') };

    const after = receive(sent(chat(), entry(1, asked)), echo(11, altered, 1), ME);

    expect(fate(after)).to.deep.equal({ settled: [1], pending: [], unconfirmed: [] });
    expect(after.next.optimistic?.activeTurn?.message.text).to.equal('with a reference');
    expect(after.next.optimistic).to.equal(after.next.confirmed);
  });

  it('of our own settles an entry in the middle: hosts drop actions without a word', () => {
    const state = sent(chat(), entry(1, act.isReadChanged(true)), entry(2, act.isArchivedChanged(true)));

    expect(fate(receive(state, echo(11, act.isArchivedChanged(true), 2), ME))).to.deep.equal({
      settled: [2],
      pending: [1],
      unconfirmed: [],
    });
  });

  it('with an old number settles its entry and is not applied again', () => {
    const state = sent(chat({ activeTurn: undefined }), entry(1, start('t')));

    const after = receive(state, echo(10, start('t'), 1), ME);

    expect(fate(after).settled).to.deep.equal([1]);
    expect(after.next.confirmed).to.equal(state.confirmed);
    expect(after.next.optimistic).to.equal(state.confirmed);
  });

  it('of our own without an entry, from another page or much too late, counts as foreign', () => {
    const { next, settled } = receive(live(chat()), echo(11, start('t'), 99), ME);

    expect(next.confirmed?.activeTurn?.id).to.equal('t');
    expect(settled).to.deep.equal([]);
  });

  it('settles what had already been given up', () => {
    const given = expire(sent(chat(), entry(1, start('t'))), NOW + 10_000).next;
    expect(seqs(given.unconfirmed)).to.deep.equal([1]);

    const after = receive(given, echo(11, start('t'), 1), ME);

    expect(fate(after)).to.deep.equal({ settled: [1], pending: [], unconfirmed: [] });
    expect(after.next.optimistic?.activeTurn?.id).to.equal('t');
  });
});

describe('a rejection', () => {
  it('is never applied, raises the number, and gives the action back', () => {
    const asked = start('t', 'please');
    const state = sent(chat(), entry(1, asked));

    const after = receive(state, rejection(11, asked, 1, 'another turn runs'), ME);

    expect(after.next.optimistic).to.equal(state.confirmed);
    expect(after.next.appliedSeq).to.equal(11);
    expect(after.rejections).to.deep.equal([{ actions: [asked], reason: 'another turn runs' }]);
    expect(fate(after).settled).to.deep.equal([1]);
  });

  it('counts with an old number, too', () => {
    const after = receive(sent(chat(), entry(1, start('t'))), rejection(3, start('t'), 1), ME);

    expect(after.rejections).to.have.length(1);
    expect(after.next.appliedSeq).to.equal(10);
  });

  it('takes the whole intent along', () => {
    const [cut, again] = act.editAndResend('t0', start('t9', 'better'));
    const group = [
      entry(1, cut, { group: 'edit' }),
      entry(2, again, { group: 'edit' }),
      entry(3, clear, { group: 'edit' }),
    ];
    const state = sent(chat({ turns: turns(3) }), ...group, entry(4, act.isReadChanged(true)));

    const after = receive(state, rejection(11, cut, 1), ME);

    expect(fate(after)).to.deep.equal({ settled: [1, 2, 3], pending: [4], unconfirmed: [] });
    expect(after.rejections[0]?.actions).to.deep.equal([cut, again, clear]);
    expect(after.next.optimistic?.turns).to.equal(state.confirmed?.turns);
  });

  it('of somebody else’s action, or of one that is long settled, is nothing to us', () => {
    const before = live(chat());

    const after = receive(before, { ...foreign(11, start('t'), 1), rejectionReason: 'no' }, ME);
    expect(after.rejections).to.deep.equal([]);
    expect(after.next.confirmed).to.equal(before.confirmed);
    expect(receive(before, rejection(11, start('t'), 1), ME).rejections).to.deep.equal([]);
  });
});

describe('what is pending', () => {
  it('is shown over the host’s state', () => {
    const state = enqueue(live(chat({ draft: message('d') })), [
      entry(1, start('t'), { group: 'send' }),
      entry(2, clear, { group: 'send' }),
    ]);

    expect(state.optimistic?.activeTurn?.id).to.equal('t');
    expect(state.optimistic).not.to.have.property('draft');
    expect(state.confirmed?.activeTurn).to.equal(undefined);
  });

  it('waits before the first snapshot and is shown over it', () => {
    const early = enqueue(createReconciled(), [entry(1, start('t'))]);
    expect(early.optimistic).to.equal(undefined);

    const after = adoptSnapshot(early, { state: chat(), fromSeq: 5 }, [], ME);

    expect(after.next.optimistic?.activeTurn?.id).to.equal('t');
    expect(seqs(sendable(after.next, NOW, NOW).send)).to.deep.equal([1]);
  });

  it('lets a stream through at the cost of the stream', () => {
    const entries = Array.from({ length: 20 }, (_, index) =>
      entry(index + 1, act.inputAnswerChanged('q', String(index))),
    );
    let state = sent(busyChat([markdown('m')]), ...entries);
    const first = state.optimistic;

    for (let seq = 11; seq < 16; seq++) state = receive(state, foreign(seq, delta('x')), ME).next;

    expect(state.optimistic?.activeTurn?.responseParts).to.deep.equal([markdown('m', 'xxxxx')]);
    expect(state.optimistic?.turns).to.equal(first?.turns);
  });

  it('names what it is about, so that nothing is answered twice', () => {
    const call = { turnId: 'a', toolCallId: 'c' };
    const { pending } = enqueue(live(busyChat()), [
      entry(1, start('t')),
      entry(2, act.pendingMessageSet('queued', 'p', message('x'))),
      entry(3, act.toolCallApproved(call)),
      entry(4, act.inputCompleted('q', 'accept')),
      entry(5, act.isReadChanged(true)),
    ]);

    expect([...pendingIds(pending)]).to.deep.equal(['t', 'p', 'c', 'q']);
  });
});

describe('the hazards of showing what is pending', () => {
  it('a start that was never echoed does not stand in front of the turn that runs', () => {
    const state = sent(chat(), entry(1, start('mine')));

    const after = receive(state, foreign(11, start('theirs')), ME);

    expect(after.next.optimistic?.activeTurn?.id).to.equal('theirs');
    expect(seqs(after.next.pending)).to.deep.equal([1]);
  });

  it('a start whose turn is there already changes nothing', () => {
    const after = receive(sent(chat(), entry(1, start('t', 'mine'))), foreign(11, start('t', 'host')), ME);
    expect(after.next.optimistic?.activeTurn?.message.text).to.equal('host');

    const over = receive(after.next, foreign(12, { type: 'chat/turnComplete', turnId: 't', duration: 1 }), ME);
    expect(over.next.optimistic).not.to.have.property('activeTurn');
  });

  it('a truncation that was never echoed hides new turns only until it is given up, with its start', () => {
    const [cut, again] = act.editAndResend('t0', start('t9'));
    const group = { group: 'edit' };
    const state = sent(chat({ turns: turns(2) }), entry(1, cut, group), entry(2, again, group));
    expect(state.optimistic?.turns).to.have.length(1);
    expect(state.optimistic?.activeTurn?.id).to.equal('t9');

    const after = expire(state, NOW + 10_000);

    expect(fate(after)).to.deep.equal({ settled: [], pending: [], unconfirmed: [1, 2] });
    expect(after.next.optimistic).to.equal(after.next.confirmed);
    expect(unconfirmedIntents(after.next.unconfirmed)).to.deep.equal([
      { id: 'edit', actions: [cut, again], canRetry: false },
    ]);
  });

  it('an edit while the turn runs shows its own turn in the place of the one it cuts off', () => {
    const [cut, again] = act.editAndResend('t0', start('t9'));
    const state = enqueue(live(busyChat([], { turns: turns(1) })), [
      entry(1, cut, { group: 'edit' }),
      entry(2, again, { group: 'edit' }),
    ]);

    expect(state.optimistic?.activeTurn?.id).to.equal('t9');
    expect(seqs(sendable(state, NOW, NOW).send), 'and goes out').to.deep.equal([1, 2]);
  });

  it('a truncation the host dropped is given up when its start comes back alone', () => {
    const [cut, again] = act.editAndResend('t0', start('t9'));
    const state = sent(
      chat({ turns: turns(2) }),
      entry(1, cut, { group: 'edit' }),
      entry(2, again, { group: 'edit' }),
      entry(3, clear, { group: 'edit' }),
    );

    const after = receive(state, echo(11, again, 2), ME);

    expect(fate(after)).to.deep.equal({ settled: [2], pending: [3], unconfirmed: [1] });
    expect(after.next.optimistic?.turns).to.have.length(2);
    expect(after.next.optimistic?.activeTurn?.id, 'the new turn is not cut off again').to.equal('t9');
  });

  it('stop is a mark: what the host still says until then is not lost', () => {
    const state = sent(busyChat([markdown('m')]), entry(1, act.turnCancelled('a', 5)));
    expect(state.stoppingTurnId).to.equal('a');
    expect(state.optimistic?.activeTurn).to.equal(state.confirmed?.activeTurn);

    const more = receive(state, foreign(11, delta('last words')), ME).next;
    expect(more.optimistic?.activeTurn?.responseParts).to.deep.equal([markdown('m', 'last words')]);
    expect(more.stoppingTurnId).to.equal('a');

    const after = receive(more, echo(12, act.turnCancelled('a', 5), 1), ME);
    expect(fate(after).settled).to.deep.equal([1]);
    expect(after.next.stoppingTurnId).to.equal(undefined);
    expect(after.next.optimistic?.turns[0]?.state).to.equal('cancelled');
  });

  it('a stop that comes too late is settled by the end of the turn, and its refusal is not news', () => {
    const state = sent(busyChat(), entry(1, act.turnCancelled('a', 5)));

    const ended = receive(state, foreign(11, { type: 'chat/turnComplete', turnId: 'a', duration: 1 }), ME);
    expect(fate(ended).settled).to.deep.equal([1]);

    expect(receive(ended.next, rejection(12, act.turnCancelled('a', 5), 1), ME).rejections).to.deep.equal([]);
  });

  it('a stop of a turn that is only asked for is marked, too', () => {
    const state = enqueue(live(chat()), [entry(1, start('t')), entry(2, act.turnCancelled('t', 5))]);

    expect(state.optimistic?.activeTurn?.id).to.equal('t');
    expect(state.stoppingTurnId).to.equal('t');
  });

  it('the result of an own tool is shown at once, and the host may still say otherwise', () => {
    const call = {
      status: 'running' as const,
      toolCallId: 'c',
      toolName: 't',
      displayName: 'T',
      invocationMessage: 'T',
      confirmed: 'not-needed',
    };
    const own = act.toolCallComplete({ turnId: 'a', toolCallId: 'c' }, { success: true, pastTenseMessage: 'Did' });
    const state = sent(busyChat([{ kind: 'toolCall', toolCall: call }]), entry(1, own));
    expect(state.optimistic).to.have.nested.property('activeTurn.responseParts[0].toolCall.status', 'completed');

    const timeout = { ...own, result: { success: false, pastTenseMessage: 'Too late' } };
    const after = receive(state, foreign(11, timeout), ME);

    expect(after.next.optimistic).to.have.nested.property('activeTurn.responseParts[0].toolCall.success', false);
  });

  it('AHP-01: a queued message and the turn made of it are one thing, in every order of arrival', () => {
    const set = act.pendingMessageSet('queued', 'p', message('hello'));
    const begin = { type: 'chat/turnStarted', turnId: 't', startedAt: START, message: set.message };
    const shown = (state: typeof begin extends never ? never : ReturnType<typeof live>) => ({
      waiting: waitingMessages(state.optimistic ?? chat()).map(({ id }) => id),
      running: state.optimistic?.activeTurn?.message.text,
    });

    // The echo has not come yet.
    const early = receive(sent(chat(), entry(1, set)), foreign(11, begin), ME).next;
    expect(shown(early)).to.deep.equal({ waiting: [], running: 'hello' });
    // The host starts the turn before it clears its queue.
    const queued = receive(sent(chat(), entry(1, set)), echo(11, set, 1), ME).next;
    expect(shown(queued)).to.deep.equal({ waiting: ['p'], running: undefined });
    const both = receive(queued, foreign(12, begin), ME).next;
    expect(both.confirmed?.queuedMessages).to.have.length(1);
    expect(shown(both)).to.deep.equal({ waiting: [], running: 'hello' });
    const cleared = receive(both, foreign(13, act.pendingMessageRemoved('queued', 'p')), ME).next;
    expect(shown(cleared)).to.deep.equal({ waiting: [], running: 'hello' });
    const over = receive(both, foreign(13, { type: 'chat/turnComplete', turnId: 't', duration: 1 }), ME).next;
    expect(shown(over)).to.deep.equal({ waiting: [], running: undefined });
  });
});

describe('an action without proof', () => {
  it('is given up ten seconds after it went out, with its whole intent', () => {
    const state = sent(
      chat({ draft: message('d') }),
      entry(1, start('t'), { group: 'send' }),
      entry(2, clear, { group: 'send' }),
    );
    expect(expiresAt(state)).to.equal(NOW + 10_000);

    expect(expire(state, NOW + 9_999).next).to.equal(state);
    const after = expire(state, NOW + 10_000);

    expect(fate(after)).to.deep.equal({ settled: [], pending: [], unconfirmed: [1, 2] });
    expect(after.next.optimistic).to.equal(state.confirmed);
    expect(unconfirmedIntents(after.next.unconfirmed)).to.deep.equal([
      { id: 'send', actions: [start('t'), clear], canRetry: true },
    ]);
  });

  it('is settled instead where the state proves it', () => {
    const state = sent(chat(), entry(1, start('t'), { group: 'send' }), entry(2, clear, { group: 'send' }));
    const started = receive(state, foreign(11, start('t')), ME).next;

    expect(fate(expire(started, NOW + 10_000))).to.deep.equal({ settled: [1, 2], pending: [], unconfirmed: [] });
  });

  it('is let go without a word if nobody wrote it', () => {
    const state = sent(chat({ draft: message('old') }), entry(1, clear), entry(2, act.isReadChanged(true)));

    expect(fate(expire(state, NOW + 10_000))).to.deep.equal({ settled: [1, 2], pending: [], unconfirmed: [] });
  });

  it('does not expire before it is sent', () => {
    const state = enqueue(live(chat()), [entry(1, start('t'))]);

    expect(expiresAt(state)).to.equal(undefined);
    expect(expire(state, NOW + 60_000).next).to.equal(state);
  });

  it('goes out again with the same number when the person says so', () => {
    const given = expire(sent(chat(), entry(7, start('t'))), NOW + 10_000).next;

    const again = retry(given, 'g7').next;
    expect(again.optimistic?.activeTurn?.id).to.equal('t');
    expect(sendable(again, NOW + 11_000, NOW).send).to.deep.equal([{ ...entry(7, start('t')), sends: 1 }]);
    expect(markSent(again, [7], NOW + 11_000).pending[0]).to.include({ sends: 2, sentAt: NOW + 11_000 });
  });

  it('goes out as something else, which is new to the host, when the person says so', () => {
    const given = expire(sent(chat(), entry(7, start('t'))), NOW + 10_000).next;

    const again = retry(given, 'g7', () => act.pendingMessageSet('queued', 't', message('of t')));

    expect(again.next.pending).to.deep.equal(again.changed);
    expect(again.changed).to.deep.equal([
      { ...entry(7, act.pendingMessageSet('queued', 't', message('of t'))), sends: 0 },
    ]);
    expect(again.next.unconfirmed).to.deep.equal([]);
  });

  it('is never repeated if it is a truncation', () => {
    const [cut, again] = act.editAndResend(undefined, start('t9'));
    const state = sent(chat({ turns: turns(2) }), entry(1, cut, { group: 'e' }), entry(2, again, { group: 'e' }));
    const given = expire(state, NOW + 10_000).next;

    expect(retry(given, 'e').next).to.equal(given);
  });

  it('is gone when the person gives it up', () => {
    const given = expire(sent(chat(), entry(1, start('t')), entry(2, start('u'))), NOW + 10_000).next;

    expect(fate(discard(given, 'g1'))).to.deep.equal({ settled: [1], pending: [], unconfirmed: [2] });
    expect(fate(discard(given, 'none'))).to.deep.equal({ settled: [], pending: [], unconfirmed: [1, 2] });
  });
});

describe('what is sent', () => {
  it('goes out once per connection, in order', () => {
    const state = enqueue(live(chat()), [entry(1, start('t')), entry(2, clear)]);
    expect(seqs(sendable(state, NOW, NOW).send)).to.deep.equal([1, 2]);

    const half = markSent(state, [1], NOW);
    expect(seqs(sendable(half, NOW, NOW).send)).to.deep.equal([2]);
    expect(sendable(markSent(half, [2], NOW), NOW, NOW).send).to.deep.equal([]);
  });

  it('waits until a snapshot or a replay of the new connection has judged it', () => {
    const offline = enqueue(disconnect(live(chat())), [entry(1, start('t'))]);
    expect(sendable(offline, NOW, NOW).send).to.deep.equal([]);
    expect(sendable(createReconciled({ outbox: [entry(1, start('t'))] }), NOW, NOW).send).to.deep.equal([]);

    const back = adoptReplay(offline, [], ME).next;
    expect(seqs(sendable(back, NOW, NOW).send)).to.deep.equal([1]);
  });

  it('never ends somebody’s running turn: a start in its way is held, to be queued', () => {
    const state = enqueue(live(busyChat()), [
      entry(1, act.isReadChanged(true)),
      entry(2, start('t'), { group: 'send' }),
      entry(3, clear, { group: 'send' }),
      entry(4, act.isArchivedChanged(true)),
    ]);

    const result = sendable(state, NOW, NOW);

    expect(seqs(result.send)).to.deep.equal([1, 4]);
    expect(seqs(result.next.unconfirmed)).to.deep.equal([2, 3]);
    expect(result.changed.map(({ isHeld }) => isHeld)).to.deep.equal([true, true]);
    expect(act.queueInstead(start('t', 'later'), 'p').message.text).to.equal('later');
  });

  it('does not include a start whose turn is there', () => {
    const state = enqueue(live(chat({ turns: [turn('t')] })), [entry(1, start('t')), entry(2, clear)]);

    const result = sendable(state, NOW, NOW);

    expect(seqs(result.send)).to.deep.equal([2]);
    expect(seqs(result.settled)).to.deep.equal([1]);
  });

  it('repeats a start no sooner than two seconds after the handshake, and keeps the order behind it', () => {
    const lost = disconnect(sent(chat(), entry(1, start('t'))));
    const queued = enqueue(lost, [entry(2, act.pendingMessageSet('queued', 'p', message('next')))]);
    const back = adoptReplay(queued, [], ME).next;

    const early = sendable(back, NOW + 1_000, NOW);
    expect(early.send).to.deep.equal([]);
    expect(early.waitUntil).to.equal(NOW + 2_000);
    expect(seqs(sendable(back, NOW + 2_000, NOW).send)).to.deep.equal([1, 2]);
    // The host was still reading what the dead socket had left it.
    const late = receive(back, echo(11, start('t'), 1), ME).next;
    expect(seqs(sendable(late, NOW + 2_000, NOW).send)).to.deep.equal([2]);
  });

  it('remembers the newest turn of the first time', () => {
    const first = markSent(enqueue(live(chat({ turns: turns(2) })), [entry(1, clear)]), [1], NOW);
    expect(first.pending[0]).to.include({ sends: 1, sentAfter: 't1' });

    const moved = receive(disconnect(first), foreign(11, start('t9')), ME).next;
    expect(markSent(moved, [1], NOW + 1).pending[0]).to.include({ sends: 2, sentAfter: 't1' });
  });
});

describe('a replay', () => {
  it('NET-03: reaches the state with every action, once and in order', () => {
    const before = disconnect(live(busyChat([markdown('m')])));
    const missed = [11, 12, 13, 14, 15].map((seq) => foreign(seq, delta(String(seq % 10))));

    const { next } = adoptReplay(before, [...missed.slice(0, 3), ...missed], ME);

    expect(next.optimistic?.activeTurn?.responseParts).to.deep.equal([markdown('m', '12345')]);
    expect(next.appliedSeq).to.equal(15);
    expect(next.isCurrent).to.equal(true);
  });

  it('settles and rejects what it contains', () => {
    const asked = [entry(1, start('t')), entry(2, act.isReadChanged(true))];
    const before = disconnect(sent(chat(), ...asked));

    const after = adoptReplay(before, [echo(11, start('t'), 1), rejection(12, act.isReadChanged(true), 2)], ME);

    expect(fate(after)).to.deep.equal({ settled: [1, 2], pending: [], unconfirmed: [] });
    expect(after.rejections.map(({ actions }) => actions)).to.deep.equal([[act.isReadChanged(true)]]);
  });

  it('is not the answer to an intent when it is about something else under the same number', () => {
    const before = disconnect(sent(chat(), entry(1, start('t'))));

    for (const other of [act.isReadChanged(true), start('u')]) {
      const after = adoptReplay(before, [echo(11, other, 1)], ME);

      expect(after.settled, other.type).to.deep.equal([]);
      expect(
        after.next.pending.map(({ clientSeq }) => clientSeq),
        other.type,
      ).to.deep.equal([1]);
    }
  });

  it('sends an intent that had been given up once more, now that the host is proven not to have it', () => {
    const given = expire(sent(chat(), entry(1, start('t'))), NOW + 10_000).next;

    const after = adoptReplay(disconnect(given), [], ME);

    expect(fate(after)).to.deep.equal({ settled: [], pending: [1], unconfirmed: [] });
    expect(seqs(sendable(after.next, NOW + 20_000, NOW + 15_000).send)).to.deep.equal([1]);
  });
});

describe('a snapshot', () => {
  it('NET-04: takes the place of what was there before anything else is shown', () => {
    const before = disconnect(sent(busyChat([markdown('m', 'old')]), entry(1, start('mine'))));
    const state = freeze(chat({ turns: [turn('a')], title: 'New' }));

    const after = adoptSnapshot(before, { state, fromSeq: 40 }, [], ME);

    expect(after.next.confirmed).to.deep.equal(state);
    expect(after.next.appliedSeq).to.equal(40);
    expect(after.next.optimistic?.title).to.equal('New');
    expect(after.next.optimistic?.activeTurn?.id, 'what is pending is shown over it').to.equal('mine');
  });

  it('takes buffered envelopes above its number and settles by those below it', () => {
    const before = sent(busyChat([markdown('m')]), entry(1, act.isReadChanged(true)));
    const state = busyChat([markdown('m', 'x')]);
    const buffered = [foreign(20, delta('x')), echo(20, act.isReadChanged(true), 1), foreign(21, delta('y'))];

    const after = adoptSnapshot(before, { state, fromSeq: 20 }, buffered, ME);

    expect(after.next.confirmed?.activeTurn?.responseParts).to.deep.equal([markdown('m', 'xy')]);
    expect(fate(after).settled).to.deep.equal([1]);
  });

  it('AHP-05: ends a turn that would have stayed active for ever', () => {
    const before = disconnect(live(busyChat([], { status: 8 })));

    const { next } = adoptSnapshot(before, { state: chat(), fromSeq: 11 }, [], ME);

    expect(next.optimistic).not.to.have.property('activeTurn');
    expect(next.optimistic?.status).to.equal(1);
  });

  it('of a host that counts anew is right with its smaller number', () => {
    const { next } = adoptSnapshot(
      disconnect(live(busyChat([markdown('m')]))),
      { state: busyChat([markdown('m')]), fromSeq: 2 },
      [],
      ME,
    );

    expect(receive(next, foreign(3, delta('x')), ME).next.confirmed?.activeTurn?.responseParts).to.deep.equal([
      markdown('m', 'x'),
    ]);
  });

  it('on the living connection leaves alone what is under way', () => {
    const set = act.pendingMessageSet('queued', 'p', message('x'));
    const state = sent(chat(), entry(1, set));

    const after = adoptSnapshot(state, { state: chat({ turns: [turn('new')] }), fromSeq: 12 }, [], ME);

    expect(fate(after)).to.deep.equal({ settled: [], pending: [1], unconfirmed: [] });
    expect(sendable(after.next, NOW, NOW).send).to.deep.equal([]);
  });

  it('AHP-08: names the messages a host had accepted and has lost', () => {
    const sets = ['p', 'q', 'r'].map((id) => act.pendingMessageSet('queued', id, message(`say ${id}`)));
    let state = sent(busyChat(), ...sets.map((set, index) => entry(index + 1, set)));
    sets.forEach((set, index) => (state = receive(state, echo(11 + index, set, index + 1), ME).next));
    expect(state.pending).to.deep.equal([]);

    const after = adoptSnapshot(disconnect(state), { state: chat(), fromSeq: 1 }, [], ME);

    expect(after.lost.map((lost) => lost.message.text)).to.deep.equal(['say p', 'say q', 'say r']);
  });

  it('AHP-08: does not take a turn without words for the lost message, which had none either', () => {
    const file = { type: 'resource' as const, label: 'notes', uri: 'file:///a' };
    const { message: waited } = act.pendingMessageSet('queued', 'p', { ...message(''), attachments: [file] });
    const before = live(chat({ queuedMessages: [{ id: 'p', message: waited }] }));
    const lost = (attachments: readonly MessageAttachment[]) => {
      const state = chat({ turns: [turn('x', { message: { ...message(''), attachments } })] });
      return adoptSnapshot(disconnect(before), { state, fromSeq: 20 }, [], ME).lost.map(({ id }) => id);
    };

    expect(lost([{ ...file, uri: 'file:///b' }])).to.deep.equal(['p']);
    expect(lost([file])).to.deep.equal([]);
  });

  it('does not count as lost what is still waiting, became a turn, was removed here, or is not ours', () => {
    const waiting = (id: string) => ({ id, message: act.pendingMessageSet('queued', id, message(id)).message });
    const theirs = { id: 'theirs', message: message('theirs') };
    const before = live(
      chat({
        queuedMessages: [...['kept', 'taken', 'unmarked', 'removed'].map(waiting), theirs],
        steeringMessage: waiting('slot'),
      }),
    );
    const removed = enqueue(before, [entry(1, act.pendingMessageRemoved('queued', 'removed'))]);
    const state = chat({
      queuedMessages: [waiting('kept')],
      turns: [turn('x', { message: waiting('taken').message }), turn('y', { message: message('unmarked') })],
      steeringMessages: [waiting('slot')],
    });

    expect(adoptSnapshot(removed, { state, fromSeq: 20 }, [], ME).lost).to.deep.equal([]);
  });
});

describe('what a device remembers', () => {
  it('is shown before the host is asked, with its outbox on top', () => {
    const state = createReconciled({
      confirmed: chat({ turns: turns(2) }),
      appliedSeq: 7,
      outbox: [entry(2, clear, { sentAt: 5, sends: 1 }), entry(1, start('t'), { sentAt: 5, sends: 1 })],
    });

    expect(state.optimistic?.activeTurn?.id).to.equal('t');
    expect(seqs(state.pending)).to.deep.equal([1, 2]);
    expect(state.pending.some((item) => 'sentAt' in item)).to.equal(false);
  });

  it('keeps what waits for the person apart, over a reload and a reconnect', () => {
    const held = entry(1, start('t'), { sends: 1, isHeld: true });

    const state = createReconciled({ confirmed: chat(), outbox: [held] });
    expect(state.optimistic).to.equal(state.confirmed);
    expect(fate(adoptSnapshot(state, { state: chat(), fromSeq: 1 }, [], ME)).unconfirmed).to.deep.equal([1]);
    expect(
      fate(adoptSnapshot(state, { state: chat({ turns: [turn('t')] }), fromSeq: 1 }, [], ME)).settled,
    ).to.deep.equal([1]);
  });

  it('knows whether the chat begins with the first turn it holds', () => {
    const mirrored = createReconciled({ confirmed: chat({ turns: turns(4) }) });
    const page = (turnsNextCursor?: string) => ({
      state: chat({ turns: turns(4).slice(2), ...(turnsNextCursor && { turnsNextCursor }) }),
      fromSeq: 1,
    });
    expect(mirrored.isComplete).to.equal(false);

    const open = adoptSnapshot(mirrored, page('c'), [], ME).next;
    expect(open).to.include({ isComplete: false });
    expect(open.confirmed?.turns).to.have.length(4);
    const loaded = receive(open, foreign(2, { type: 'chat/turnsLoaded', turns: [turn('first')] }), ME).next;
    expect(loaded.isComplete).to.equal(true);

    const back = adoptSnapshot(disconnect(loaded), page('c'), [], ME).next;
    expect(back.confirmed?.turns).to.have.length(5);
    expect(back.confirmed, 'nothing is left to fetch').not.to.have.property('turnsNextCursor');
    expect(back.isComplete).to.equal(true);
    expect(adoptSnapshot(mirrored, page(), [], ME).next.isComplete).to.equal(true);
    expect(receive(open, foreign(2, { type: 'chat/truncated' }), ME).next.isComplete).to.equal(true);
  });
});
