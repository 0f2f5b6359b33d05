import { expect } from '@open-wc/testing';
import { Format, plural } from '../../src/i18n/format.js';

describe('Format', () => {
  const english = new Format('en');

  const durations = [
    [0, '0s'],
    [420, '0.4s'],
    [9_940, '9.9s'],
    [12_400, '12s'],
    [59_600, '1m'],
    [65_000, '1m 5s'],
    [3_600_000, '1h'],
    [7_380_000, '2h 3m'],
    [-5, '0s'],
  ] as const;
  for (const [ms, text] of durations)
    it(`words ${ms} ms as ${text}`, () => {
      expect(english.duration(ms)).to.equal(text);
    });

  it('words sizes in decimal units', () => {
    expect([0, 999, 1_200, 2_000_000, 3_400_000_000].map((size) => english.bytes(size))).to.deep.equal([
      '0 byte',
      '999 byte',
      '1.2 kB',
      '2 MB',
      '3.4 GB',
    ]);
  });

  it('is relative up to a day and absolute after it', () => {
    const now = Date.UTC(2026, 6, 31, 12);

    expect(english.ago(now - 20_000, now)).to.equal('now');
    expect(english.ago(now - 5 * 60_000, now)).to.equal('5m ago');
    expect(english.ago(now - 3 * 3_600_000, now)).to.equal('3h ago');
    expect(english.ago(now - 49 * 3_600_000, now)).to.equal('Jul 29, 2026');
  });

  it('follows the language', () => {
    expect(new Format('de').number(12_345.5)).to.equal('12.345,5');
    expect(new Format('fr').duration(12_000)).to.equal('12s');
    expect(english.list(['a', 'b', 'c'])).to.equal('a, b, and c');
  });
});

describe('plural', () => {
  it('takes the form the language asks for and puts the number in its words', () => {
    const files = plural('en', { one: '# file', other: '# files' });

    expect([1, 0, 2, 1_200].map(files)).to.deep.equal(['1 file', '0 files', '2 files', '1,200 files']);
  });

  it('knows languages with more than two forms', () => {
    const days = plural('ar', { zero: 'Z', one: 'A', two: 'B', few: 'C', many: 'D', other: 'E' });

    expect([0, 1, 2, 3, 11, 100].map(days).join('')).to.equal('ZABCDE');
  });

  it('falls back to the general form', () => {
    expect(plural('pl', { one: '# plik', other: '# pliku' })(3)).to.equal('3 pliku');
  });
});
