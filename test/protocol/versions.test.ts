import { expect } from '@open-wc/testing';
import { chooseVersion, compareVersions, isVersion, offeredVersions, satisfies } from '../../src/protocol/versions.js';

describe('the versions offered', () => {
  it('reach from the newest back to 0.6, the preferred first, each once', () => {
    expect([...offeredVersions]).to.deep.equal([...offeredVersions].toSorted((a, b) => compareVersions(b, a)));
    expect(new Set(offeredVersions).size).to.equal(offeredVersions.length);
    for (const minor of ['1.0', '0.10', '0.9', '0.8', '0.7', '0.6']) expect(offeredVersions).to.include(`${minor}.0`);
  });

  const hosts: readonly [name: string, ranges: readonly string[], chosen: string | undefined][] = [
    ['of today', ['>=1.0.0 <2.0.0', '>=0.9.0 <0.10.0'], '1.0.0'],
    ['that shipped before 1.0', ['>=0.9.0 <0.10.0'], '0.9.0'],
    ['that calls itself 0.10', ['0.10.0'], '0.10.0'],
    ['of 0.8', ['>=0.8.0 <0.9.0'], '0.8.0'],
    ['of 0.7', ['>=0.7.0 <0.8.0'], '0.7.0'],
    ['of 0.6', ['>=0.6.0 <0.7.0'], '0.6.0'],
    ['of a later age', ['>=2.0.0 <3.0.0'], undefined],
  ];
  for (const [name, ranges, chosen] of hosts) {
    it(`${chosen ? `meet at ${chosen} with` : 'do not meet'} a host ${name}`, () => {
      expect(chooseVersion(offeredVersions, ranges)).to.equal(chosen);
    });
  }
});

describe('a version', () => {
  it('is three plain numbers', () => {
    for (const version of ['1.0.0', '0.10.0', '10.20.30']) expect(isVersion(version), version).to.equal(true);
    for (const other of ['v1.0.0', '1.0', '1.0.0-rc.1', '1.0.0+a', '01.0.0', '', 1]) {
      expect(isVersion(other), String(other)).to.equal(false);
    }
  });

  it('is compared by number, and above everything malformed', () => {
    expect(['0.9.0', '1.0.0', 'latest', '0.10.0', '0.9.10', '0.9.2'].toSorted(compareVersions)).to.deep.equal([
      'latest',
      '0.9.0',
      '0.9.2',
      '0.9.10',
      '0.10.0',
      '1.0.0',
    ]);
  });

  it('lies in a range whose every comparator it meets', () => {
    const cases: readonly [version: string, range: string, isIn: boolean][] = [
      ['1.2.3', '1.2.3', true],
      ['1.2.3', '=1.2.3', true],
      ['1.2.3', '>=1.0.0 <2.0.0', true],
      ['2.0.0', '>=1.0.0 <2.0.0', false],
      ['1.2.3', '>1.2.3', false],
      ['1.2.3', '<=1.2.3', true],
      ['1.2.3', '^1.0.0', false],
      ['1.2.3', '', false],
      ['1.2.3', '>=1.0', false],
    ];
    for (const [version, range, isIn] of cases) expect(satisfies(version, range), range).to.equal(isIn);
  });
});
