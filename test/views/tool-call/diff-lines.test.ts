import { expect } from '@open-wc/testing';
import { array, assert, asyncProperty, boolean, constantFrom } from 'fast-check';
import { compareLines, toLines, type LineChange } from '../../../src/views/tool-call/diff-lines.js';

const atOnce = () => Promise.resolve();
const compare = (before: string, after: string) => compareLines(toLines(before), toLines(after), atOnce);

/** The text after, made of the text before and the changes alone. */
function apply(before: readonly string[], after: readonly string[], changes: readonly LineChange[]): string[] {
  const lines: string[] = [];
  let at = 0;
  for (const { oldFrom, oldTo, newFrom, newTo } of changes) {
    lines.push(...before.slice(at, oldFrom), ...after.slice(newFrom, newTo));
    at = oldTo;
  }
  return [...lines, ...before.slice(at)];
}

/** `count` lines, some of them the same; every `step`th is another in the second text. */
function pair(count: number, step: number): readonly [string, string] {
  const lines = Array.from({ length: count }, (_, i) => (i % 7 === 0 ? '}' : `line ${i}`));
  return [lines.join('\n'), lines.map((line, i) => (i % step === 0 ? `other ${i}` : line)).join('\n')];
}

describe('toLines', () => {
  const texts: readonly [string, string, object][] = [
    ['nothing', '', { lines: [], ending: 'none', endsOpen: false }],
    ['one line without an end', 'a', { lines: ['a'], ending: 'none', endsOpen: true }],
    ['ended lines', 'a\nb\n', { lines: ['a', 'b'], ending: 'lf', endsOpen: false }],
    ['a last line without an end', 'a\nb', { lines: ['a', 'b'], ending: 'lf', endsOpen: true }],
    ['lines of Windows', 'a\r\nb\r\n', { lines: ['a', 'b'], ending: 'crlf', endsOpen: false }],
    ['lines that end in both ways', 'a\r\nb\n', { lines: ['a\r', 'b'], ending: 'mixed', endsOpen: false }],
    ['an empty last line', 'a\n\n', { lines: ['a', ''], ending: 'lf', endsOpen: false }],
  ];
  for (const [name, text, lines] of texts)
    it(`reads ${name}`, () => {
      expect(toLines(text)).to.deep.equal(lines);
    });
});

describe('compareLines', () => {
  it('finds nothing in equal texts, also when their lines end differently', async () => {
    expect(await compare('a\nb\n', 'a\nb\n')).to.deep.equal([]);
    expect(await compare('a\r\nb\r\n', 'a\nb\n')).to.deep.equal([]);
  });

  it('finds what came and what went, as one change where they touch', async () => {
    expect(await compare('a\nb\nc\nd\n', 'a\nB\nc\nd\ne\n')).to.deep.equal([
      { oldFrom: 1, oldTo: 2, newFrom: 1, newTo: 2 },
      { oldFrom: 4, oldTo: 4, newFrom: 4, newTo: 5 },
    ]);
  });

  it('takes a created and a deleted file as one change', async () => {
    expect(await compare('', 'a\nb\n')).to.deep.equal([{ oldFrom: 0, oldTo: 0, newFrom: 0, newTo: 2 }]);
    expect(await compare('a\nb\n', '')).to.deep.equal([{ oldFrom: 0, oldTo: 2, newFrom: 0, newTo: 0 }]);
  });

  it('counts a line that loses its end as changed', async () => {
    expect(await compare('a\nb\n', 'a\nb')).to.deep.equal([{ oldFrom: 1, oldTo: 2, newFrom: 1, newTo: 2 }]);
  });

  it('describes every pair of texts so that one can be made of the other', async () => {
    const line = constantFrom('', 'a', 'b', 'c', 'a longer line');
    const text = array(line, { maxLength: 30 });
    await assert(
      asyncProperty(text, text, boolean(), async (before, after, ends) => {
        const end = ends ? '\n' : '';
        const [old, now] = [toLines(before.join('\n') + end), toLines(after.join('\n') + end)];

        const changes = await compareLines(old, now, atOnce);

        expect(apply(old.lines, now.lines, changes)).to.deep.equal(now.lines);
      }),
    );
  });

  for (const [name, step] of [
    ['few', 2_000],
    ['many', 3],
    ['all', 1],
  ] as const)
    it(`compares 10,000 lines of which ${name} changed, with pauses, and misses nothing`, async () => {
      const [before, after] = pair(10_000, step).map(toLines) as [
        ReturnType<typeof toLines>,
        ReturnType<typeof toLines>,
      ];
      let pauses = 0;

      const changes = await compareLines(before, after, () => Promise.resolve(void (pauses += 1)));

      expect(apply(before.lines, after.lines, changes)).to.deep.equal(after.lines);
      if (step > 1) expect(changes.every(({ oldFrom, oldTo }) => oldTo - oldFrom <= 3)).to.equal(true);
      if (step === 3) expect(pauses).to.be.above(1);
    });

  it('ends when a pause says so', async () => {
    const [before, after] = pair(10_000, 2);
    const error = await compareLines(toLines(before), toLines(after), () => Promise.reject(new Error('left'))).catch(
      (caught: unknown) => caught,
    );

    expect(error).to.be.an('error').with.property('message', 'left');
  });
});
