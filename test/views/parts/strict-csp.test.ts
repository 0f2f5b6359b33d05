import { expect } from '@open-wc/testing';
import { openFramed } from '../../helpers/framed-test.js';
import type { Report } from './strict-csp.page.js';

describe('hostile Markdown on a page that forbids what it can', () => {
  it('runs nothing, breaks no rule and shows all of it, code in colours', async () => {
    const report = await openFramed<Report>(new URL('./strict-csp.page.ts', import.meta.url));

    expect(report.problems).to.deep.equal([]);
    expect(report.ran).to.equal(undefined);
    expect(report.text)
      .to.contain('<script>window.__ran=2</script>')
      .and.to.contain('<iframe srcdoc=')
      .and.to.match(/END$/);
    expect(report.paintedCode).to.equal(true);
    expect(report.digits).to.equal('3');
  }).timeout(30_000);
});
