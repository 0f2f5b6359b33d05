import { expect } from '@open-wc/testing';
import { Edits, isChanged, toPendingKey, toTurnKey, type MessageEdit } from '../../src/chat/edits.js';

const edit = (text: string, more: Partial<MessageEdit> = {}): MessageEdit => ({
  was: 'as it was',
  message: { text, origin: { kind: 'user' } },
  ...more,
});

describe('the edits of a chat', () => {
  it('tell a turn from a waiting message of the same id', () => {
    const edits = new Edits();

    edits.set(toTurnKey('x'), edit('of the turn'));
    edits.set(toPendingKey('x'), edit('of the row'));

    expect(edits.find(toTurnKey('x'))?.message.text).to.equal('of the turn');
    expect(edits.list().map(([key]) => key)).to.deep.equal(['turn x', 'pending x']);
  });

  it('tell when one begins, is put aside or ends, and not for every letter', () => {
    const edits = new Edits();
    let told = 0;
    edits.subscribe(() => (told += 1));
    const counts = [edit('a'), edit('ab'), edit('ab', { isClosed: true }), edit('ab'), undefined, undefined].map(
      (next) => {
        edits.set('turn t', next);
        return told;
      },
    );

    expect(counts).to.deep.equal([1, 1, 2, 3, 4, 4]);
  });

  it('know which text was changed', () => {
    expect(isChanged(edit('as it was'))).to.equal(false);
    expect(isChanged(edit('as it is'))).to.equal(true);
  });
});
