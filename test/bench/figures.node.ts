import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Bench } from './bench.js';
import { type Measurement, describeTarget, median, percentile, summarize, toTable } from './lib/figures.js';

const measured = (name: string, round: number, ms: number): Measurement => ({ name, round, figures: { ms }, idle: 1 });

describe('the figures of a bench', () => {
  it('takes the middle of what was measured, and nothing of nothing', () => {
    assert.equal(median([3, 1, 2]), 2);
    assert.equal(median([4, 1, 2, 3]), 2.5);
    assert.equal(median([1, NaN]), 1);
    assert.ok(Number.isNaN(median([])));
    assert.equal(percentile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.95), 10);
  });

  it('divides within a round, so that a slow round distorts no ratio', () => {
    const result = summarize([
      ...[measured('a', 0, 10), measured('b', 0, 20)],
      ...[measured('a', 1, 100), measured('b', 1, 200)],
      ...[measured('a', 2, 10), measured('b', 2, 20)],
    ]);

    assert.equal(result.ratio('ms', 'b', 'a'), 2);
    assert.equal(result.median('b', 'ms'), 20);
  });

  it('leaves a round out in which one side is missing', () => {
    const result = summarize([measured('a', 0, 10), measured('b', 0, 30), measured('b', 1, 1)]);

    assert.equal(result.ratio('ms', 'b', 'a'), 3);
  });

  it('prints one row for each case, also for one that was never measured', () => {
    const bench: Bench = {
      title: 'a bench',
      cases: ['a', 'bb'],
      columns: { ms: 'time' },
      ratio: { figure: 'ms', to: 'a' },
      measure: () => ({}),
    };

    const table = toTable(bench, summarize([measured('a', 0, 1234.5)]));

    assert.deepEqual(table.split('\n'), [
      '|    |  time | × a |',
      '|----|------:|----:|',
      '| a  | 1,235 |   1 |',
      '| bb |     – |   – |',
    ]);
  });

  it('says of a target whether it is met, and by what', () => {
    assert.equal(describeTarget({ what: 'growth', value: 1.4, bound: { atMost: 1.5 } }), '✓ growth: 1.40 (≤ 1.5)');
    assert.equal(describeTarget({ what: 'share', value: 0.25, bound: { atLeast: 0.5 } }), '✖ share: 0.25 (≥ 0.5)');
  });
});
