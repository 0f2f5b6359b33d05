import { expect } from '@open-wc/testing';
import { AhpError, RpcCode } from '../../src/protocol/errors.js';
import { rpcError } from '../../src/host/hooks.js';
import { Browser, type Tab } from '../helpers/browser.js';
import { CHAT, SESSION, testAgent, userMessage } from '../helpers/scripted-host.js';
import { turnStarted } from '../../src/chat/actions.js';
import type { ChatTarget, TargetOptions } from '../../src/client/open-target.js';

const never = new AbortController().signal;

/** Looks for a chat and lets everything come to rest. */
async function find(browser: Browser, tab: Tab, options: TargetOptions = {}, signal = never) {
  const found = tab.client.findChat(options, signal).then(
    (target) => target,
    (error: unknown) => error as AhpError,
  );
  await browser.advance(1_100);
  return found;
}

describe('the chat to show', () => {
  it('is the one that is named, without a connection', async () => {
    const browser = new Browser();
    browser.host.isReachable = false;

    const target = await find(browser, browser.openTab(), { chat: CHAT, session: SESSION });

    expect(target).to.deep.equal({ chat: CHAT, session: SESSION });
    expect(browser.host.received).to.deep.equal([]);
  });

  it('is the one used last on this device, without a connection', async () => {
    const browser = new Browser();
    const before = await browser.openChat();
    browser.host.say('text');
    await browser.advance(600);
    browser.host.isReachable = false;

    const target = await find(browser, await before.reload());

    expect(target).to.deep.equal({ chat: CHAT, session: SESSION });
  });

  it('is the default chat of the session used last, where this device knows none', async () => {
    const browser = new Browser();
    browser.environment.advance(1_000);
    const newer = browser.host.host.createSession({ provider: 'test', title: 'Two' });
    browser.environment.advance(1_000);
    const archived = browser.host.host.createSession({ provider: 'test', title: 'Archived' });
    browser.host.dispatch({ type: 'session/isArchivedChanged', isArchived: true }, archived);

    const target = await find(browser, browser.openTab());

    expect(target).to.deep.equal({ chat: browser.host.host.getSession(newer)!.defaultChat, session: newer });
  });

  it('is the default chat of the session that is named', async () => {
    const browser = new Browser();
    browser.host.host.createSession({ provider: 'test' });

    expect(await find(browser, browser.openTab(), { session: SESSION })).to.deep.equal({
      chat: CHAT,
      session: SESSION,
    });
  });

  it('is made with a session where the host has none', async () => {
    const browser = new Browser({ hasSession: false });

    const target = await find(browser, browser.openTab());

    expect(browser.host.sent('createSession')[0]).to.include({ provider: 'test' });
    expect(browser.host.sent('createChat')).to.deep.equal([]);
    const session = browser.host.sent('createSession')[0]!.channel as string;
    expect(target).to.deep.equal({ chat: browser.host.host.getSession(session)!.defaultChat, session });
  });

  it('stays the one that was made when the host goes away and comes back', async () => {
    const browser = new Browser({ hasSession: false });
    const tab = browser.openTab();
    const { chat, session } = (await find(browser, tab)) as ChatTarget;
    const { store } = tab.client.acquireChat(chat, { session: session! }).value;
    await browser.advance(0);
    const send = (id: string) => store.dispatch(turnStarted(id, userMessage(id), '2026-01-01T00:00:00.000Z'));
    send('one');
    await browser.advance(0);
    browser.host.host.dispatch(chat, { type: 'chat/turnComplete', turnId: 'one', duration: 1 });
    browser.host.drop();
    await browser.advance(5_000);

    send('two');
    await browser.advance(3_000);

    expect(browser.host.host.getChat(chat)!.turns.map(({ id }) => id)).to.deep.equal(['one']);
    expect(browser.host.host.getChat(chat)!.activeTurn!.id).to.equal('two');
    expect(browser.host.sent('createSession')).to.have.length(1);
    expect(browser.host.host.listSessions()).to.have.length(1);
  });

  it('is made in a session that is ready and has none', async () => {
    const browser = new Browser({ hasSession: false });
    const session = browser.host.host.createSession({ provider: 'test', defaultChat: null });

    const target = await find(browser, browser.openTab());

    expect(browser.host.sent('createChat')).to.have.length(1);
    expect(target).to.deep.equal({ chat: browser.host.host.getSession(session)!.chats[0]!.resource, session });
  });

  it('waits for a session that is being made', async () => {
    const browser = new Browser({ hasSession: false });
    let ready: () => void = () => undefined;
    const promise = new Promise<void>((resolve) => (ready = resolve));
    const session = browser.host.host.createSession({ provider: 'test', defaultChat: null, ready: promise });
    const tab = browser.openTab();
    const found = tab.client.findChat({ session }, never);
    await browser.advance(5_000);

    ready();
    await browser.advance(2_000);

    expect((await found).session).to.equal(session);
  });

  it('is looked for again when the one from this device is gone', async () => {
    const browser = new Browser();
    const before = await browser.openChat();
    browser.host.say('text');
    await browser.advance(600);

    const target = await find(browser, await before.reload(), { except: CHAT });

    expect(target).not.to.have.property('chat', CHAT);
    expect(browser.host.sent('createSession')).to.have.length(1);
  });

  it('waits for a token where the host wants one for a session', async () => {
    let isSignedIn = false;
    const browser = new Browser({
      hasSession: false,
      agents: [{ ...testAgent, protectedResources: [{ resource: 'https://api.example' }] }],
      hooks: {
        authenticate: () => {
          isSignedIn = true;
        },
        createSession: () => {
          if (isSignedIn) return {};
          throw rpcError(RpcCode.AuthRequired, 'Sign in.', { resources: [{ resource: 'https://api.example' }] });
        },
      },
    });
    const tab = browser.openTab();
    const resources: string[] = [];
    tab.client.client.onAuthRequired(({ resource }) => resources.push(resource.resource));
    const found = tab.client.findChat({}, never);
    await browser.advance(1_000);
    expect(resources).to.deep.equal(['https://api.example']);

    await Promise.all([tab.client.client.authenticate('https://api.example', 'secret'), browser.advance(0)]);

    await browser.advance(1_100);
    expect((await found).session).to.be.a('string');
    expect(browser.host.sent('createSession')).to.have.length(2);
  });

  it('is found after a connection that was lost on the way', async () => {
    const browser = new Browser();
    const tab = browser.openTab();
    const found = tab.client.findChat({}, never);
    browser.host.hold();
    await browser.advance(100);
    browser.host.drop();

    await browser.advance(5_000);

    expect(await found).to.deep.equal({ chat: CHAT, session: SESSION });
  });

  it('is not looked for when there will be no connection', async () => {
    const browser = new Browser({ supportedVersions: ['9.0.0'] });

    const error = await find(browser, browser.openTab());

    expect(error).to.be.instanceOf(AhpError).with.property('code', 'version-mismatch');
  });

  it('is not looked for when the search was given up', async () => {
    const browser = new Browser();
    browser.host.isReachable = false;
    const abort = new AbortController();
    const tab = browser.openTab();
    const found = tab.client.findChat({}, abort.signal).catch((error: unknown) => error);
    await browser.advance(500);

    abort.abort(new Error('left'));

    expect(await found).to.have.property('message', 'left');
  });

  it('of a session the host does not have is a refusal', async () => {
    const browser = new Browser();

    const error = await find(browser, browser.openTab(), { session: 'ahp-session:/none' });

    expect((error as AhpError).rpc?.code).to.be.oneOf([RpcCode.SessionNotFound, RpcCode.NotFound]);
  });
});
