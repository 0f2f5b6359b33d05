import { expect } from '@open-wc/testing';
import type { Report } from './strict-csp.page.js';

describe('terminals and file edits on a page that forbids what it can', () => {
  it('are in colour, run nothing and break no rule', async () => {
    const frame = document.createElement('iframe');
    frame.style.cssText = 'inline-size: 700px; block-size: 700px';
    const reported = new Promise<Report>((resolve) =>
      addEventListener('message', ({ source, data }: MessageEvent<Report>) => {
        if (source === frame.contentWindow) resolve(data);
      }),
    );
    frame.src = new URL('./strict-csp.html', import.meta.url).href;
    document.body.append(frame);

    const report = await reported;

    expect(report.problems).to.deep.equal([]);
    expect(report.ran).to.equal(undefined);
    expect(report.terminal).to.deep.equal(['<img src=x onerror="window.__ran=1">', 'red own paper \u4e2d', 'link']);
    expect(report.ink).to.equal('#090807');
    expect(report.paper).to.equal('rgb(1, 2, 3)');
    expect(report.diff).to.contain('const a = 2;');
    frame.remove();
  }).timeout(40_000);
});
