import { expect } from '@open-wc/testing';
import { countLines, openGap, toRows, type DiffRow } from '../../../src/views/tool-call/diff-rows.js';

/** One letter a row: `=` the same, `-`, `+`, and how many lines a gap hides. */
const draw = (rows: readonly DiffRow[]) =>
  rows
    .map((row) => (row.kind === 'gap' ? `(${row.count})` : { same: '=', removed: '-', added: '+' }[row.kind]))
    .join('');

const middle = [{ oldFrom: 50, oldTo: 51, newFrom: 50, newTo: 52 }];

describe('the rows of a comparison', () => {
  it('are the changes with three lines around them', () => {
    expect(draw(toRows(middle, 100, 101, new Map()))).to.equal('(47)===-++===(46)');
  });

  it('need no lines before the first and behind the last one', () => {
    expect(draw(toRows([{ oldFrom: 0, oldTo: 0, newFrom: 0, newTo: 2 }], 9, 11, new Map()))).to.equal('++===(6)');
  });

  it('show a gap of one line as the line', () => {
    const changes = [
      { oldFrom: 0, oldTo: 1, newFrom: 0, newTo: 0 },
      { oldFrom: 8, oldTo: 9, newFrom: 7, newTo: 7 },
    ];

    expect(draw(toRows(changes, 9, 7, new Map()))).to.equal('-=======-');
  });

  it('show more of a gap with each press, from both sides', () => {
    const changes = [
      { oldFrom: 0, oldTo: 1, newFrom: 0, newTo: 0 },
      { oldFrom: 400, oldTo: 401, newFrom: 399, newTo: 399 },
    ];
    const once = openGap(new Map(), 1);
    const rows = toRows(changes, 401, 399, once);

    expect(rows.find(({ kind }) => kind === 'gap')).to.deep.equal({ kind: 'gap', key: 1, count: 193 });
    expect(rows.filter(({ kind }) => kind === 'same')).to.have.length(206);
    expect(draw(toRows(changes, 401, 399, openGap(once, 1)))).to.equal(`-${'='.repeat(399)}-`);
  });

  it('know the lines of both texts', () => {
    expect(toRows(middle, 52, 53, new Map()).slice(3, 8)).to.deep.equal([
      { kind: 'same', oldLine: 49, newLine: 49 },
      { kind: 'removed', oldLine: 50, pair: 50 },
      { kind: 'added', newLine: 50, pair: 50 },
      { kind: 'added', newLine: 51 },
      { kind: 'same', oldLine: 51, newLine: 52 },
    ]);
  });

  it('are counted', () => {
    expect(countLines(middle)).to.deep.equal({ added: 2, removed: 1 });
  });
});
