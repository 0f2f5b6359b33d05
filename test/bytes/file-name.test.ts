import { expect } from '@open-wc/testing';
import { toFileName } from '../../src/bytes/file-name.js';

describe('the name of a file that is saved', () => {
  const names: readonly (readonly [name: string, contentType: string, expected: string])[] = [
    ['report.pdf', 'application/pdf', 'report.pdf'],
    ['content', 'image/png; q=1', 'content.png'],
    ['content', 'application/x-unknown', 'content'],
    ['../../etc/passwd', '', '_.._etc_passwd'],
    ['C:\\windows\\system.ini', '', 'C__windows_system.ini'],
    ['.bashrc', '', 'bashrc'],
    ['..', 'text/plain', 'download.txt'],
    ['', '', 'download'],
    ['  name.txt. ', '', 'name.txt'],
    ['con.txt', '', '_con.txt'],
    ['COM1', '', '_COM1'],
    ['concert.txt', '', 'concert.txt'],
    ['photo\u202egnp.exe', '', 'photo_gnp.exe'],
    ['a\nb\u0000c', '', 'a_b_c'],
    ['r\u00e9sum\u00e9 \u4e2d\u6587.md', '', 'r\u00e9sum\u00e9 \u4e2d\u6587.md'],
  ];
  for (const [name, contentType, expected] of names)
    it(`is ${JSON.stringify(expected)} for ${JSON.stringify(name)}`, () => {
      expect(toFileName(name, contentType)).to.equal(expected);
    });

  it('is cut before its ending, and never through a character', () => {
    const name = toFileName(`${'\u{1f600}'.repeat(60)}.tar`);

    expect(name).to.match(/\.tar$/);
    expect(name.length).to.be.at.most(80);
    expect(encodeURIComponent(name)).to.contain('%F0');
  });
});
