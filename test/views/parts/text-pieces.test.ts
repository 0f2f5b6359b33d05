import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { findPieces } from '../../../src/views/parts/text-pieces.js';

const cut = (text: string) => {
  const starts = findPieces(text);
  return starts.map((start, at) => text.slice(start, starts[at + 1]));
};

describe('the pieces of a long text', () => {
  it('end after a line where they can', () => {
    const pieces = cut(`${'a'.repeat(99)}\n`.repeat(2_000));

    expect(pieces.slice(0, -1).every((piece) => piece.endsWith('\n') && piece.length === 65_500)).to.equal(true);
  });

  it('cut no character apart where a line is longer than a piece', () => {
    const pieces = cut(`a${'😀'.repeat(100_000)}`);

    expect(pieces.length).to.be.above(1);
    expect(pieces.every((piece) => !/^[\udc00-\udfff]|[\ud800-\udbff]$/.test(piece))).to.equal(true);
  });

  it('are the whole text, and stay where they are when it grows', () => {
    const text = fc
      .array(fc.record({ line: fc.constantFrom('x', '😀 ', 'words '), times: fc.nat(30_000), end: fc.boolean() }))
      .map((parts) => parts.map(({ line, times, end }) => line.repeat(times) + (end ? '\n' : '')).join(''));

    fc.assert(
      fc.property(text, text, (before, added) => {
        const [old, now] = [findPieces(before), findPieces(before + added)];

        expect(cut(before).join('') === before).to.equal(true);
        expect(now.slice(0, old.length)).to.deep.equal(old);
      }),
      { numRuns: 40 },
    );
  });
});
