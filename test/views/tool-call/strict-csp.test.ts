import { expect } from '@open-wc/testing';
import { openFramed } from '../../helpers/framed-test.js';
import type { Report } from './strict-csp.page.js';

describe('terminals and file edits on a page that forbids what it can', () => {
  it('are in colour, run nothing and break no rule', async () => {
    const report = await openFramed<Report>(new URL('./strict-csp.page.ts', import.meta.url));

    expect(report.problems).to.deep.equal([]);
    expect(report.ran).to.equal(undefined);
    expect(report.terminal).to.deep.equal(['<img src=x onerror="window.__ran=1">', 'red own paper \u4e2d', 'link']);
    expect(report.ink).to.equal('#090807');
    expect(report.paper).to.equal('rgb(1, 2, 3)');
    expect(report.diff).to.contain('const a = 2;');
  }).timeout(40_000);
});
