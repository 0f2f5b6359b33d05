import { expect } from '@open-wc/testing';
import * as fc from 'fast-check';
import type { Message, MessageAttachment } from '../../../src/protocol/state.js';
import { findEdit, followEdit, Ties, toRange, toSpan, type Span } from '../../../src/views/composer/ties.js';

const tied = (text: string, label: string): MessageAttachment => {
  const start = text.indexOf(label);
  return { type: 'simple', label, range: toRange(text, { start, end: start + label.length }) };
};
const free: MessageAttachment = { type: 'simple', label: 'free' };
const message = (text: string, ...attachments: MessageAttachment[]): Message => ({
  text,
  origin: { kind: 'user' },
  attachments,
});
const words = (text: string, attachments: readonly MessageAttachment[] = []) =>
  attachments.map(({ range }) => {
    const span = range && toSpan(text, range);
    return span ? text.slice(span.start, span.end) : undefined;
  });

describe('ranges of attachments', () => {
  it('count UTF-16 units within a line, half-open', () => {
    const text = 'a\n😀 @b.ts';

    expect(toRange(text, { start: 5, end: 10 })).to.deep.equal({
      start: { line: 1, character: 3 },
      end: { line: 1, character: 8 },
    });
    expect(toSpan(text, toRange(text, { start: 5, end: 10 }))).to.deep.equal({ start: 5, end: 10 });
  });

  it('are nowhere when they leave their line, the text, or nothing between them', () => {
    const range = (line: number, from: number, to: number) => ({
      start: { line, character: from },
      end: { line, character: to },
    });

    for (const lost of [range(0, 1, 3), range(2, 0, 1), range(0, 1, 1), range(0, -1, 1), range(1, 2, 1)]) {
      expect(toSpan('ab\ncd', lost), JSON.stringify(lost)).to.equal(undefined);
    }
  });

  it('know what was typed among equal letters by the caret', () => {
    expect(findEdit('aa', 'aaa', 1)).to.deep.equal({ start: 0, end: 0, inserted: 1 });
    expect(findEdit('aa', 'aaa', 2)).to.deep.equal({ start: 1, end: 1, inserted: 1 });
    expect(findEdit('aa', 'aaa', 3)).to.deep.equal({ start: 2, end: 2, inserted: 1 });
    expect(findEdit('aaa', 'aa', 1)).to.deep.equal({ start: 1, end: 2, inserted: 0 });
    expect(findEdit('abc', 'abc', 0)).to.include({ inserted: 0 });
  });

  const edits: readonly [name: string, after: string, caret: number, left: readonly (string | undefined)[]][] = [
    ['typing before', 'so see @a and @b', 3, ['@a', '@b']],
    ['typing between', 'see @a, and @b', 7, ['@a', '@b']],
    ['typing right before one', 'see x@a and @b', 5, ['@a', '@b']],
    ['typing right behind one', 'see @ax and @b', 7, ['@a', '@b']],
    ['a new line before', '\nsee @a and @b', 1, ['@a', '@b']],
    ['typing into one', 'see @xa and @b', 6, ['@b']],
    ['deleting the end of one', 'see @ and @b', 5, ['@b']],
    ['deleting all', '', 0, []],
    ['replacing all', 'other', 5, []],
  ];
  for (const [name, after, caret, left] of edits)
    it(`follow ${name}`, () => {
      const text = 'see @a and @b';

      const next = followEdit([tied(text, '@a'), tied(text, '@b'), free], text, after, caret);

      expect(words(after, next)).to.deep.equal([...left, undefined]);
    });

  it('leave attachments without one alone, as the same list', () => {
    const list = [free];

    expect(followEdit(list, 'a', 'b', 1)).to.equal(list);
  });

  it('that point nowhere are given up, and the attachment stays', () => {
    const lost = { ...free, range: { start: { line: 9, character: 0 }, end: { line: 9, character: 1 } } };

    expect(followEdit([lost], 'a', 'ab', 2)).to.deep.equal([free]);
  });

  it('stand, after any edits, where the marked letters are', () => {
    const edit = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), remove: fc.nat(4), insert: text(4) });
    fc.assert(
      fc.property(text(30), fc.nat(30), fc.integer({ min: 1, max: 8 }), fc.array(edit), (start, from, size, steps) => {
        const span: Span = { start: Math.min(from, start.length), end: Math.min(from + size, start.length) };
        if (span.start === span.end) return;
        // The model: every unit carries whether it belongs to the mention.
        let units = [...start.split('')].map((unit, at) => ({ unit, isOwn: at >= span.start && at < span.end }));
        let list: readonly MessageAttachment[] = [{ ...free, range: toRange(start, span) }];
        let isWhole = true;

        for (const { at, remove, insert } of steps) {
          const before = units.map(({ unit }) => unit).join('');
          const place = Math.floor(at * (units.length + 1));
          const end = Math.min(place + remove, units.length);
          const isTouched =
            units.slice(place, end).some(({ isOwn }) => isOwn) ||
            (insert !== '' && units[place - 1]?.isOwn === true && units[end]?.isOwn === true);
          const added = insert.split('').map((unit) => ({ unit, isOwn: false }));
          units = [...units.slice(0, place), ...added, ...units.slice(end)];
          const after = units.map(({ unit }) => unit).join('');
          list = followEdit(list, before, after, place + insert.length);
          // Removing letters and typing the same ones again is no edit at all for whoever sees only the text.
          isWhole &&= !isTouched || before === after;
          if (before === after) units = remark(units, list, after);
          if (!isWhole || list.length === 0) return;
          const expected = units.flatMap(({ isOwn }, index) => (isOwn ? [index] : []));
          const found = toSpan(after, list[0]!.range!)!;
          expect(found.end - found.start).to.equal(span.end - span.start);
          expect(after.slice(found.start, found.end)).to.equal(start.slice(span.start, span.end));
          if (new Set(after).size === after.length) expect(found.start).to.equal(expected[0]);
        }
      }),
    );

    function text(maxLength: number) {
      return fc
        .array(fc.constantFrom('a', 'b', ' ', '\n', '😀', 'é'), { maxLength })
        .map((letters) => letters.join(''));
    }
    function remark(units: { unit: string; isOwn: boolean }[], left: readonly MessageAttachment[], after: string) {
      const range = left[0]?.range && toSpan(after, left[0].range);
      return units.map(({ unit }, at) => ({ unit, isOwn: !!range && at >= range.start && at < range.end }));
    }
  });

  it('come back with undo and redo, with what was attached since, but not what was removed by hand', () => {
    const ties = new Ties();
    const start = message('see @a', tied('see @a', '@a'));
    const cut = ties.follow(start, 'see @', 5, 'deleteContentBackward');
    expect(cut.attachments).to.deep.equal([]);

    const undone = ties.follow({ ...cut, attachments: [free] }, 'see @a', 6, 'historyUndo');
    expect(words('see @a', undone.attachments)).to.deep.equal(['@a', undefined]);
    const redone = ties.follow(undone, 'see @', 5, 'historyRedo');
    expect(redone.attachments).to.deep.equal([free]);

    ties.forget(undone.attachments![0]!);
    expect(ties.follow(redone, 'see @a', 6, 'historyUndo').attachments).to.deep.equal([free]);
  });
});
