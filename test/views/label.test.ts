import { expect } from '@open-wc/testing';
import { shortenEnd, shortenMiddle, showHidden, toLabel, toResourceName } from '../../src/views/label.js';

describe('labels', () => {
  it('shows a right-to-left override instead of obeying it', () => {
    expect(toLabel('invoice\u202Egpj.exe')).to.equal('invoice[U+202E]gpj.exe');
    expect(toLabel('a\u2066b\u2069c\u0007d')).to.equal('a[U+2066]b[U+2069]c[U+0007]d');
  });

  it('keeps joiners, which scripts and emoji need', () => {
    expect(toLabel('می‌خواهم 👩‍💻')).to.equal('می‌خواهم 👩‍💻');
  });

  it('puts a name on one line and leaves longer text its lines', () => {
    expect(toLabel(' a\r\n\tb ')).to.equal('a b');
    expect(showHidden('a\r\n\tb\u0000')).to.equal('a\n\tb[U+0000]');
  });

  it('leaves out the middle and keeps the end, where the type is', () => {
    expect(shortenMiddle('a-very-long-file-name-indeed.tar.gz', 16)).to.equal('a-very-l….tar.gz');
    expect(shortenMiddle('short.txt', 16)).to.equal('short.txt');
  });

  it('cuts no character apart', () => {
    for (let max = 3; max < 14; max += 1) {
      const short = shortenMiddle('Emoji-😊👩‍💻é.png'.repeat(2), max);
      expect(encodeURIComponent(short), short).to.be.a('string'); // throws on half a character
      expect([...new Intl.Segmenter().segment(short)].length).to.equal(max);
    }
  });

  it('is the beginning of a very long name, without half a character at its end', () => {
    expect(toLabel('x'.repeat(2_000))).to.equal('x'.repeat(2_000));
    expect(toLabel('x'.repeat(10_000_000))).to.equal(`${'x'.repeat(2_000)}…`);
    expect(toLabel(`${'x'.repeat(1_999)}😀${'x'.repeat(9)}`)).to.equal(`${'x'.repeat(1_999)}…`);
  });

  it('is quick with a name of a megabyte', () => {
    expect(shortenMiddle(`${'x'.repeat(1_000_000)}.txt`, 12)).to.equal('xxxxxx…x.txt');
  });

  it('takes the first words of a text', () => {
    expect(shortenEnd('  one\ntwo three', 7)).to.equal('one two…');
    expect(shortenEnd('one', 7)).to.equal('one');
    expect(shortenEnd('👩‍💻'.repeat(9), 2)).to.equal('👩‍💻👩‍💻…');
  });

  const names = [
    ['file:///x/Q1%.pdf', 'Q1%.pdf'],
    ['file:///x/100%25.png', '100%.png'],
    ['file:///x/a%20b.txt?v=1#top', 'a b.txt'],
    ['file:///x/folder/', 'folder'],
    ['Rapport: 12:30 é!.pdf', 'Rapport: 12:30 é!.pdf'],
    ['ahp-chat:/1', '1'],
    ['', ''],
  ] as const;
  for (const [uri, name] of names)
    it(`names ${uri || 'an empty URI'} ${name}`, () => {
      expect(toResourceName(uri)).to.equal(name);
    });
});
