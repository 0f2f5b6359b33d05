import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { compareWords, type Stretch } from '../../../src/views/tool-call/diff-words.js';

/** Changed stretches in brackets. */
const draw = (stretches: readonly Stretch[]) =>
  stretches.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('');
const drawBoth = (old: string, now: string) => {
  const marks = compareWords(old, now);
  return marks && [draw(marks.old), draw(marks.now)];
};

describe('the words of a changed line', () => {
  const lines: readonly [what: string, old: string, now: string, marks: readonly [string, string] | undefined][] = [
    ['one word', 'let a = old;', 'let a = new;', ['let a = [old];', 'let a = [new];']],
    ['a word more', 'say hello', 'say hello again', ['say hello', 'say hello[ again]']],
    ['white space', '  return x;', '    return x;', ['[  ]return x;', '[    ]return x;']],
    ['a character beyond the first plane', 'with 😀 here', 'with 🎉 here', ['with [😀] here', 'with [🎉] here']],
    ['a line that shares next to nothing', 'return null;', 'while (true) {}', undefined],
    ['two lines that share white space only', 'one two', 'three four', undefined],
    ['a line that was empty', '', 'something', undefined],
  ];
  for (const [what, old, now, marks] of lines)
    it(`are found: ${what}`, () => {
      expect(drawBoth(old, now)).to.deep.equal(marks);
    });

  it('are not looked for in a line of a thousand characters and more', () => {
    const line = 'word '.repeat(200);

    expect(compareWords(line, line.replace('word', 'other'))).to.equal(undefined);
    expect(compareWords(line.slice(10), line.slice(10).replace('word', 'other'))).not.to.equal(undefined);
  });

  it('are not looked for to the end where nearly every word differs', () => {
    const line = (word: string) => Array.from({ length: 100 }, (_, index) => `${word}${index} same`).join(' ');

    expect(compareWords(line('a'), line('b'))).to.equal(undefined);
  });

  it('make up both lines as they are', () => {
    const line = fc.array(fc.constantFrom('a', 'b', ' ', '\t', '(', '😀', '\u202e', 'word'), { maxLength: 30 });
    fc.assert(
      fc.property(line, line, (first, second) => {
        const [old, now] = [first.join(''), second.join('')];
        const marks = compareWords(old, now);
        if (!marks) return;

        expect(marks.old.map(({ text }) => text).join('')).to.equal(old);
        expect(marks.now.map(({ text }) => text).join('')).to.equal(now);
      }),
    );
  });
});
