import { expect } from '@open-wc/testing';
import type { Report } from './strict-csp.page.js';

describe('hostile Markdown on a page that forbids what it can', () => {
  it('runs nothing, breaks no rule and shows all of it, code in colours', async () => {
    const frame = document.createElement('iframe');
    frame.style.cssText = 'inline-size: 600px; block-size: 600px';
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
    expect(report.text)
      .to.contain('<script>window.__ran=2</script>')
      .and.to.contain('<iframe srcdoc=')
      .and.to.match(/END$/);
    expect(report.paintedCode).to.equal(true);
    expect(report.digits).to.equal('3');
    frame.remove();
  }).timeout(30_000);
});
