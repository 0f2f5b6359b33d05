import { expect } from '@open-wc/testing';
import {
  compose,
  isEqual,
  isRecord,
  pick,
  putMember,
  upsert,
  withField,
  withList,
  without,
  withoutItems,
} from '../../src/protocol/record.js';
import { hasStatus, withActivity, withFlag } from '../../src/protocol/status.js';

const parse = (text: string) => JSON.parse(text) as Record<string, unknown>;

describe('two JSON values', () => {
  const equal: [unknown, unknown][] = [
    [
      { a: 1, b: [1, { c: null }] },
      { b: [1, { c: null }], a: 1 },
    ],
    [{ a: 1, b: undefined }, { a: 1 }],
    [Number.NaN, Number.NaN],
    [parse('{"__proto__":{"a":1}}'), parse('{"__proto__":{"a":1}}')],
    [[], []],
  ];
  const different: [unknown, unknown][] = [
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: null }, {}],
    [{ a: null }, { a: undefined }],
    [
      [1, 2],
      [2, 1],
    ],
    [[], {}],
    [{ 0: 1 }, [1]],
    [null, {}],
    ['1', 1],
    [parse('{"__proto__":{"a":1}}'), {}],
    [{}, parse('{"__proto__":{"a":1}}')],
    [{ toString: 1 }, {}],
    [{}, { toString: 1 }],
  ];
  for (const [a, b] of equal)
    it(`${JSON.stringify(a)} and ${JSON.stringify(b)} are equal`, () => void expect(isEqual(a, b)).to.equal(true));
  for (const [a, b] of different)
    it(`${JSON.stringify(a)} and ${JSON.stringify(b)} differ`, () => void expect(isEqual(a, b)).to.equal(false));

  it('nested without end are told apart rather than followed', () => {
    const circle = (): unknown => {
      const a: unknown[] = [];
      a.push(a);
      return a;
    };
    expect(isEqual(circle(), circle())).to.equal(false);
  });
});

describe('a record', () => {
  it('is an object with members', () => {
    expect([{}, [], null, 'x', undefined, 5].map(isRecord)).to.deep.equal([true, false, false, false, false, false]);
  });

  it('loses and gains members without touching the old one, and is the same where nothing changes', () => {
    const old = Object.freeze({ a: 1, b: [2] as readonly number[], c: undefined });

    expect(without(old, 'a')).to.deep.equal({ b: [2], c: undefined });
    expect(without(old, 'c')).to.equal(old);
    expect(without<{ a: number; z?: number }, 'z'>({ a: 1 }, 'z')).to.deep.equal({ a: 1 });
    expect(withField(old, 'b', [2])).to.equal(old);
    expect(withField(old, 'b', [3])).to.deep.equal({ a: 1, b: [3], c: undefined });
    expect(withField<{ a?: number }, 'a'>({ a: 1 }, 'a', undefined)).to.deep.equal({});
    expect(withList<{ l?: readonly number[] }, 'l'>({ l: [1] }, 'l', [])).to.deep.equal({});
    expect(withList<{ l?: readonly number[] }, 'l'>({}, 'l', [1])).to.deep.equal({ l: [1] });
  });

  it('is composed of several, the later winning, without what is undefined', () => {
    expect(compose({ a: 1, b: 2 }, { b: 3, c: undefined }, { d: 4 })).to.deep.equal({ a: 1, b: 3, d: 4 });
    expect(pick({ a: 1, b: undefined, c: 3 }, ['a', 'b'])).to.deep.equal({ a: 1 });
  });

  it('never gets another prototype, whatever its members are called', () => {
    const evil = parse('{"__proto__":{"polluted":true},"constructor":1}');
    const put = {};
    putMember(put, '__proto__', { polluted: true });

    for (const made of [compose(evil, {}), compose({}, evil), without({ ...evil, x: 1 }, 'x'), put]) {
      expect(Object.getPrototypeOf(made)).to.equal(Object.prototype);
      expect(Object.hasOwn(made, '__proto__')).to.equal(true);
      expect((made as { polluted?: unknown }).polluted).to.equal(undefined);
    }
  });
});

describe('a list', () => {
  const list = Object.freeze([
    { id: 'a', n: 1 },
    { id: 'b', n: 2 },
  ]);

  it('takes a new version of an item in place, a new item at its end', () => {
    expect(upsert(list, { id: 'a', n: 3 }, (other) => other.id === 'a')).to.deep.equal([{ id: 'a', n: 3 }, list[1]]);
    expect(upsert(list, { id: 'c', n: 3 }, (other) => other.id === 'c')).to.have.length(3);
    expect(upsert(list, { id: 'a', n: 1 }, (other) => other.id === 'a')).to.equal(list);
  });

  it('loses what matches', () => {
    expect(withoutItems(list, ({ id }) => id === 'a')).to.deep.equal([list[1]]);
    expect(withoutItems(list, ({ id }) => id === 'x')).to.equal(list);
  });
});

describe('status bits', () => {
  const high = 2 ** 31;

  it('are unsigned to the last one', () => {
    expect(withActivity(high + 64 + 8, 24)).to.equal(high + 64 + 24);
    expect(withFlag(high + 1, 32, true)).to.equal(high + 33);
    expect(withFlag(high + 33, 32, false)).to.equal(high + 1);
    expect(hasStatus(high + 1, high)).to.equal(true);
    expect(hasStatus(8, 24)).to.equal(false);
    expect(hasStatus(24, 8)).to.equal(true);
  });
});
