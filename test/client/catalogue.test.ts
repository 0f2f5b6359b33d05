import { expect } from '@open-wc/testing';
import { isArchivedEntry } from '../../src/chat/catalogue.js';
import { isArchived } from '../../src/chat/selectors.js';
import { HostCatalogue } from '../../src/client/catalogue.js';
import { Browser } from '../helpers/browser.js';
import { AhpError, RpcCode } from '../../src/protocol/errors.js';
import { CHAT, SESSION, testAgent } from '../helpers/scripted-host.js';

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

  it('says what it waits for, what it has, and why it has nothing', async () => {
    const browser = new Browser({ supportedVersions: ['9.0.0'] });
    const failing = new HostCatalogue(browser.openTab().client);
    expect(failing.catalogue).to.deep.equal({ phase: 'loading', sessions: [] });
    await browser.advance(0);
    expect(failing.catalogue).to.have.property('phase', 'failed');
    expect(failing.catalogue.error?.code).to.equal('version-mismatch');

    const world = new Browser();
    const list = await listOf(world);
    expect(list.catalogue.phase).to.equal('live');
    world.host.isReachable = false;
    world.host.drop();
    await world.advance(0);
    expect(list.catalogue.phase).to.equal('offline');
    expect(list.catalogue.sessions).to.have.length(1);
    failing.close();
    list.close();
  });

  it('is read in pages, as many as the host has', async () => {
    const browser = new Browser();
    for (let i = 0; i < 120; i += 1) browser.host.host.createSession({ provider: 'test', title: `Session ${i}` });
    const list = await listOf(browser);
    const asked = browser.host.sent('listSessions').filter(({ limit }) => limit === 50);

    expect(asked.map(({ cursor }) => cursor !== undefined)).to.deep.equal([false, true, true]);
    expect(list.catalogue.sessions).to.have.length(121);
    list.close();
  });

  it('takes sessions in and out as the host tells, until it is closed', async () => {
    const browser = new Browser();
    const list = await listOf(browser);
    const resources = () => list.catalogue.sessions.map(({ resource }) => resource);
    const made = browser.host.host.createSession({ provider: 'test', title: 'New' });
    await browser.advance(0);
    expect(resources()).to.have.members([SESSION, made]);

    browser.host.host.disposeSession(made);
    await browser.advance(0);
    expect(resources()).to.deep.equal([SESSION]);

    let changes = 0;
    list.subscribe(() => (changes += 1));
    list.close();
    browser.host.host.createSession({ provider: 'test', title: 'After' });
    await browser.advance(0);
    expect([changes, ...resources()]).to.deep.equal([0, SESSION]);
  });
});

describe('what is done from a list', () => {
  /** What a promise ends with, once everything has come to rest. */
  async function ending<T>(browser: Browser, work: Promise<T>): Promise<T | AhpError> {
    const end = work.catch((error: unknown) => error as AhpError);
    await browser.advance(1_100);
    return end;
  }

  it('makes a session with its chat', async () => {
    const browser = new Browser();
    const list = await listOf(browser);

    const made = await ending(browser, list.create());

    const [{ channel }] = browser.host.sent('createSession') as [{ channel: string }];
    expect(made).to.have.property('session', channel);
    expect(browser.host.host.getChat((made as { chat: string }).chat)).not.to.equal(undefined);
    list.close();
  });

  for (const only of [SESSION, undefined]) {
    const where = only ? 'one session' : 'all sessions';

    it(`makes another chat in a session (${where})`, async () => {
      const browser = new Browser();
      const list = await listOf(browser, only);

      const made = (await ending(browser, list.create(SESSION))) as { session: string; chat: string };

      expect(made.session).to.equal(SESSION);
      expect(browser.host.session.chats.map(({ resource }) => resource)).to.deep.equal([CHAT, made.chat]);
      list.close();
    });

    it(`asks for no other chat where the agent has one only (${where})`, async () => {
      const browser = new Browser({ agents: [{ ...testAgent, capabilities: {} }] });
      const list = await listOf(browser, only);

      const refused = await ending(browser, list.create(SESSION));

      expect(refused).to.be.instanceOf(AhpError).with.property('code', 'misuse');
      expect((refused as AhpError).message).to.equal(
        'The agent of "One" has one chat in a session. No other was made; make a new session.',
      );
      expect(browser.host.sent('createChat')).to.deep.equal([]);
      list.close();
    });
  }

  it('asks for no chat in a session it does not list', async () => {
    const browser = new Browser();
    const list = await listOf(browser);

    const refused = await ending(browser, list.create('ahp-session:/elsewhere'));

    expect(refused).to.be.instanceOf(AhpError);
    expect((refused as AhpError).message).to.contain('"ahp-session:/elsewhere" is not in this list');
    expect(browser.host.sent('createChat')).to.deep.equal([]);
    list.close();
  });

  it('renames, puts away and deletes, and says when the host refuses', async () => {
    const browser = new Browser();
    const list = await listOf(browser);

    expect(await ending(browser, list.rename(SESSION, 'Other'))).to.equal(undefined);
    expect(browser.host.session.title).to.equal('Other');
    await ending(browser, list.setArchived({ session: SESSION }, true));
    expect(isArchivedEntry(browser.host.session)).to.equal(true);
    await ending(browser, list.setArchived({ session: SESSION, chat: CHAT }, true));
    expect(isArchived(browser.host.chat)).to.equal(true);

    browser.host.refuseNext('session/titleChanged', 'not yours');
    expect(await ending(browser, list.rename(SESSION, 'Again'))).to.have.property('message', 'not yours');

    await ending(browser, list.remove({ session: SESSION, chat: CHAT }));
    expect(browser.host.host.getChat(CHAT)).to.equal(undefined);
    await ending(browser, list.remove({ session: SESSION }));
    expect(list.catalogue.sessions).to.deep.equal([]);
    expect(await ending(browser, list.remove({ session: SESSION }))).to.have.nested.property(
      'rpc.code',
      RpcCode.SessionNotFound,
    );
    list.close();
  });
});
