import { expect } from '@open-wc/testing';
import { Browser } from '../helpers/browser.js';
import { SESSION, testAgent } from '../helpers/scripted-host.js';

describe('a token the page has before it is asked', () => {
  const resource = 'https://api.example';
  const sentTo = ({ host }: Browser) => host.sent('authenticate').map((params) => params.resource);

  it('goes out when the root says that an agent needs it, before the chat is asked for', async () => {
    const agents = [{ ...testAgent, protectedResources: [{ resource }] }];
    const browser = new Browser({ agents, hooks: { authenticate: () => undefined } });
    const tab = browser.openTab();
    await tab.client.client.authenticate(resource, 'secret');
    await tab.client.client.authenticate('https://other.example', 'secret');

    tab.show();
    await browser.advance(0);

    expect(sentTo(browser)).to.deep.equal([resource]);
    const methods = browser.host.received.map(({ method }) => method);
    expect(methods.indexOf('authenticate')).to.be.below(methods.indexOf('subscribe'));
  });

  it('goes out when a server of the session waits for it', async () => {
    const browser = new Browser({ hooks: { authenticate: () => undefined } });
    const tab = await browser.openChat();
    await tab.client.client.authenticate(resource, 'secret');
    expect(sentTo(browser)).to.deep.equal([]);

    const state = { kind: 'authRequired', reason: 'required', resource: { resource } };
    const customizations = [{ type: 'mcpServer', id: 'm', name: 'M', state }];
    browser.host.dispatch({ type: 'session/customizationsChanged', customizations }, SESSION);
    await browser.advance(50);

    expect(sentTo(browser)).to.deep.equal([resource]);
  });
});
