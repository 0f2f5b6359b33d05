import { expect, fixture, html } from '@open-wc/testing';
import { en } from '../../../src/i18n/en.js';
import { renderUrlBox } from '../../../src/views/input-request/url-box.js';
import { find, findAll, textOf } from '../../helpers/views.js';

const box = async (address: string) => fixture<HTMLElement>(html`<div>${renderUrlBox(address, en)}</div>`);

describe('an address a host asks to open', () => {
  it('shows its whole origin and opens in a tab that knows nothing of this one', async () => {
    const shown = await box('https://sign.example.com:8443/licence?id=42');

    const link = find<HTMLAnchorElement>(shown, 'a');
    expect(textOf(find(shown, '.url-place'))).to.equal('Opens https://sign.example.com:8443');
    expect(textOf(find(shown, 'code'))).to.equal('https://sign.example.com:8443/licence?id=42');
    expect([link.href, link.target, link.rel]).to.deep.equal([
      'https://sign.example.com:8443/licence?id=42',
      '_blank',
      'noopener noreferrer',
    ]);
    expect(textOf(link)).to.contain('https://sign.example.com:8443');
  });

  it('tells a user name from the site', async () => {
    const shown = await box('https://accounts.example.com@evil.example/login');

    expect(textOf(find(shown, '.url-place'))).to.equal('Opens https://evil.example');
    expect(textOf(find(shown, '.warning'))).to.contain('“accounts.example.com” before the @ is a user name');
  });

  it('writes letters that look like others as what they are', async () => {
    const shown = await box('https://аррӏе.com/');

    expect(textOf(find(shown, '.url-place'))).to.equal('Opens https://xn--80ak6aa92e.com');
    expect(findAll(shown, '.warning')).to.have.length(1);
  });

  it('may be a mail', async () => {
    const shown = await box('mailto:ada@example.com');

    expect(find<HTMLAnchorElement>(shown, 'a').href).to.equal('mailto:ada@example.com');
    expect(textOf(find(shown, '.url-place'))).to.equal('Opens mailto:ada@example.com');
  });

  for (const address of ['javascript:alert(1)', 'data:text/html,x', 'vscode://x', '/relative', 'java\nscript:alert(1)'])
    it(`is text that cannot be pressed: ${JSON.stringify(address)}`, async () => {
      const shown = await box(address);

      expect(findAll(shown, 'a')).to.be.empty;
      expect(textOf(shown)).to.contain('does not open addresses of this kind');
    });

  it('is accessible', async () => {
    await expect(await box('https://accounts.example.com@evil.example/login')).to.be.accessible();
  });
});
