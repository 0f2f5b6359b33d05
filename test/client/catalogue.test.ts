import { expect } from '@open-wc/testing';
import { HostCatalogue } from '../../src/client/catalogue.js';
import { Browser } from '../helpers/browser.js';
import { SESSION, testAgent } from '../helpers/scripted-host.js';

async function listOf(browser: Browser, session?: string) {
  const tab = await browser.openChat();
  const list = new HostCatalogue(tab.client, session);
  await browser.advance(0);
  return list;
}

describe('the list of a host', () => {
  it('takes from news of a session what has changed, but not who it is', async () => {
    const browser = new Browser();
    const list = await listOf(browser);
    const changes = { title: 'Renamed', resource: 'ahp-session:/other', provider: 'other', createdAt: '1999' };

    browser.host.inject({
      method: 'root/sessionSummaryChanged',
      params: { channel: 'ahp-root://', session: SESSION, changes },
    });
    await browser.advance(0);

    expect(list.catalogue.sessions.map(({ resource, title }) => [resource, title])).to.deep.equal([
      [SESSION, 'Renamed'],
    ]);
    // Known by its provider, whose agent takes more chats.
    expect(list.catalogue.sessions[0]!.canCreateChat).to.equal(true);
    list.close();
  });

  it('passes over news of a session it does not know', async () => {
    const browser = new Browser();
    const list = await listOf(browser);

    browser.host.inject({
      method: 'root/sessionSummaryChanged',
      params: { channel: 'ahp-root://', session: 'ahp-session:/unknown', changes: { title: 'Who?' } },
    });
    await browser.advance(0);

    expect(list.catalogue.sessions.map(({ resource }) => resource)).to.deep.equal([SESSION]);
    list.close();
  });

  it('is asked for again on each connection, since what happens meanwhile is not replayed', async () => {
    const browser = new Browser();
    const list = await listOf(browser);
    const before = browser.host.sent('listSessions').length;

    browser.host.drop();
    const made = browser.host.host.createSession({ provider: 'test', title: 'Meanwhile' });
    await browser.advance(1_000);

    expect(browser.host.sent('listSessions')).to.have.length(before + 1);
    expect(list.catalogue.sessions.map(({ resource }) => resource)).to.include(made);
    list.close();
  });

  for (const session of [SESSION, undefined]) {
    it(`offers another chat only where the agent can have several (${session ? 'one session' : 'all'})`, async () => {
      const several = await listOf(new Browser(), session);
      const single = await listOf(new Browser({ agents: [{ ...testAgent, capabilities: {} }] }), session);

      expect(several.catalogue.sessions[0]!.canCreateChat).to.equal(true);
      expect(single.catalogue.sessions[0]!.canCreateChat).to.equal(false);
      several.close();
      single.close();
    });
  }
});
