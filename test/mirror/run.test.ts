import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { planFromDisk, planFromKnown, withoutRepeatedIds, type KnownRun, type RunPlan } from '../../src/mirror/run.js';
import type { Turn } from '../../src/protocol/state.js';
import { ids, turn, turns } from './samples.js';

/** A store of turns by position that refuses an id it has elsewhere, as the unique index does. */
class Disk {
  readonly rows = new Map<number, Turn>();

  carryOut({ deletes, puts }: RunPlan): void {
    for (const { from, to } of deletes) {
      for (const position of [...this.rows.keys()]) if (position >= from && position <= to) this.rows.delete(position);
    }
    for (const { position, turn: put } of puts) {
      for (const [other, row] of this.rows) {
        if (row.id === put.id && other !== position) throw new Error(`${put.id} stands at ${other} already`);
      }
      this.rows.set(position, put);
    }
  }

  find(id: string | undefined): number | undefined {
    return [...this.rows].find(([, row]) => row.id === id)?.[0];
  }

  get run(): Turn[] {
    return [...this.rows].sort(([a], [b]) => a - b).map(([, row]) => row);
  }

  get isUnbroken(): boolean {
    const positions = [...this.rows.keys()].sort((a, b) => a - b);
    return positions.every((position, index) => position === positions[0]! + index);
  }
}

describe('the plan for a window of turns', () => {
  const all = turns(1, 6);
  const known = (from: number, to: number, parts: Partial<KnownRun> = {}): KnownRun => ({
    base: from,
    turns: all.slice(from - 1, to),
    isComplete: false,
    ...parts,
  });

  it('is empty when nothing has changed', () => {
    const plan = planFromKnown(known(1, 6), { turns: all, isComplete: false });

    expect(plan).to.deep.include({ deletes: [], puts: [] });
  });

  it('asks for a look when the window starts before what is known', () => {
    expect(planFromKnown(known(3, 6), { turns: all, isComplete: false })).to.equal(undefined);
  });

  it('gives older turns lower positions, below zero if need be', () => {
    const plan = planFromDisk(undefined, false, known(3, 6, { base: 0 }), { turns: all, isComplete: true });

    expect(plan.puts.map(({ position, turn: put }) => [position, put.id])).to.deep.equal([
      [-2, 't1'],
      [-1, 't2'],
    ]);
    expect(plan.known).to.deep.equal({ base: -2, turns: all, isComplete: true });
  });

  it('writes all of the window when nothing is known of what stands there', () => {
    const plan = planFromDisk(4, true, undefined, { turns: all.slice(3), isComplete: false });

    expect(plan.puts.map(({ position }) => position)).to.deep.equal([4, 5, 6]);
    expect(plan.known.isComplete).to.equal(true);
  });

  it('keeps each id once, the later one', () => {
    const [first, second] = [turn('a', 'old'), turn('a', 'new')];

    expect(withoutRepeatedIds([first, turn('b'), second])).to.deep.equal([turn('b'), second]);
    expect(withoutRepeatedIds([first, first])).to.deep.equal([first]);
    expect(withoutRepeatedIds(all)).to.equal(all);
  });

  it('leaves on disk what it says, whatever the windows and however much is forgotten', () => {
    const pool = Array.from({ length: 12 }, (_, index) => [turn(`p${index}`, 'a'), turn(`p${index}`, 'b')]).flat();
    const windows = fc.array(
      fc.record({
        turns: fc.uniqueArray(fc.constantFrom(...pool), { maxLength: 8, selector: (item) => item.id }),
        isComplete: fc.boolean(),
        forgets: fc.boolean(),
      }),
      { minLength: 1, maxLength: 12 },
    );

    fc.assert(
      fc.property(windows, (steps) => {
        const disk = new Disk();
        let state: KnownRun | undefined;
        for (const { forgets, ...window } of steps) {
          if (forgets) state = undefined;
          const before = disk.run;
          const position = disk.find(window.turns[0]?.id);
          const start = before.findIndex((item) => item.id === window.turns[0]?.id);
          const older = start > 0 && !window.isComplete ? before.slice(0, start) : [];
          // A turn of the older part that stands in the window is the writer's to answer: it replaces the run.
          if (older.some((item) => window.turns.some(({ id }) => id === item.id))) continue;

          const plan = (state && planFromKnown(state, window)) ?? planFromDisk(position, false, state, window);
          disk.carryOut(plan);
          state = plan.known;

          expect(ids(disk.run)).to.deep.equal(ids([...older, ...window.turns]));
          expect(disk.run.slice(older.length)).to.deep.equal(window.turns);
          expect(disk.isUnbroken).to.equal(true);
          expect(disk.run.slice(disk.run.length - plan.known.turns.length)).to.deep.equal(plan.known.turns);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
