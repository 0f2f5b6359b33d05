import { expect } from '@open-wc/testing';
import { spliceTurns } from '../../src/chat/snapshot.js';
import { active, chat, markdown, turn, turns } from '../helpers/chat-states.js';

const ids = (state: { turns: readonly { id: string }[] }) => state.turns.map(({ id }) => id).join(' ');
const copy = <T>(value: T): T => structuredClone(value);

describe('a snapshot and the run of turns that is known', () => {
  const known = chat({ turns: turns(6) });

  it('join where the snapshot’s first turn is known: what is older stays, the rest is the host’s', () => {
    const snapshot = chat({ turns: [...copy(known.turns.slice(3, 5)), turn('new')], turnsNextCursor: 'c' });

    const spliced = spliceTurns(known, snapshot, false);

    expect(ids(spliced)).to.equal('t0 t1 t2 t3 t4 new');
    expect(spliced.turnsNextCursor).to.equal('c');
    for (const index of [0, 2, 3, 4]) expect(spliced.turns[index]).to.equal(known.turns[index]);
  });

  it('do not join across a gap', () => {
    const snapshot = chat({ turns: [turn('t8'), turn('t9')], turnsNextCursor: 'c' });

    expect(ids(spliceTurns(known, snapshot, true))).to.equal('t8 t9');
    expect(spliceTurns(known, snapshot, true).turnsNextCursor).to.equal('c');
    expect(ids(spliceTurns(known, chat({ turnsNextCursor: 'c' }), true))).to.equal('');
  });

  it('do not join if the snapshot is everything there is', () => {
    expect(ids(spliceTurns(known, chat({ turns: copy(known.turns.slice(3)) }), true))).to.equal('t3 t4 t5');
    expect(ids(spliceTurns(undefined, known, true))).to.equal(ids(known));
  });

  it('have nothing left to fetch if the run was complete', () => {
    const snapshot = chat({ turns: copy(known.turns.slice(3)), turnsNextCursor: 'c' });

    expect(spliceTurns(known, snapshot, true)).not.to.have.property('turnsNextCursor');
  });

  it('share what is equal, so that nothing is drawn or stored again', () => {
    const before = chat({ turns: turns(3), activeTurn: active([markdown('m', 'x')]), turnsNextCursor: 'c' });

    const same = spliceTurns(before, copy(before), false);
    expect(same.turns).to.equal(before.turns);
    expect(same.activeTurn).to.equal(before.activeTurn);

    const changed = { ...turn('t1'), state: 'cancelled' as const };
    const other = spliceTurns(
      before,
      { ...copy(before), turns: copy([before.turns[0]!, changed, before.turns[2]!]) },
      false,
    );
    expect(other.turns[0]).to.equal(before.turns[0]);
    expect(other.turns[1]).to.deep.equal(changed);
    const { activeTurn: _, ...idle } = copy(before);
    expect(spliceTurns(before, idle, false)).not.to.have.property('activeTurn');
  });
});
