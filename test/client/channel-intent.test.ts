import { expect } from '@open-wc/testing';
import { isArchivedChanged } from '../../src/chat/actions.js';
import { dispatchProven } from '../../src/client/channel-intent.js';
import { AhpError, RpcCode } from '../../src/protocol/errors.js';
import type { URI } from '../../src/protocol/state.js';
import { Browser, type BrowserOptions } from '../helpers/browser.js';
import { CHAT, SESSION } from '../helpers/scripted-host.js';

const titled = (title: string, channel: URI = SESSION) => ({
  channel,
  kind: 'session' as const,
  action: { type: 'session/titleChanged' as const, title },
});

/** A tab that shows nothing, connected. */
async function open(options: BrowserOptions = {}) {
  const browser = new Browser(options);
  const { client } = browser.openTab();
  void client.connected(new AbortController().signal).catch(() => undefined);
  await browser.advance(0);
  const dispatch = (intent: Parameters<typeof dispatchProven>[2]) => {
    const state: { end?: 'taken' | AhpError } = {};
    void dispatchProven(client.client, client.environment, intent).then(
      () => (state.end = 'taken'),
      (error: unknown) => (state.end = error as AhpError),
    );
    return state;
  };
  return { browser, client, dispatch };
}

describe('an action to a channel that nobody looks at', () => {
  it('is over when the host has echoed it, and the channel is left again', async () => {
    const { browser, dispatch } = await open();

    const state = dispatch(titled('Other'));
    await browser.advance(0);

    expect(state.end).to.equal('taken');
    expect(browser.host.session.title).to.equal('Other');
    expect(browser.host.dispatched()).to.have.length(1);
    await browser.advance(100);
    expect(browser.host.sent('unsubscribe').map(({ channel }) => channel)).to.include(SESSION);
  });

  it('is not taken for another’s that says the same', async () => {
    const { browser, dispatch } = await open();
    browser.host.ignoreNext('session/titleChanged');

    const state = dispatch(titled('Other'));
    await browser.advance(0);
    browser.host.dispatch({ type: 'session/titleChanged', title: 'Other' }, SESSION);
    await browser.advance(0);

    expect(state).to.deep.equal({});
  });

  it('ends with the reason of a host that refuses it', async () => {
    const { browser, dispatch } = await open();
    browser.host.refuseNext('session/titleChanged', 'not yours');

    const state = dispatch(titled('Other'));
    await browser.advance(0);

    expect(state.end).to.be.instanceOf(AhpError).with.property('message', 'not yours');
    expect(browser.host.session.title).to.equal('One');
  });

  it('goes to a chat in the words of the version that is spoken, or not at all', async () => {
    const archive = { channel: CHAT, kind: 'chat' as const, action: isArchivedChanged(true) };
    const now = await open();
    const taken = now.dispatch(archive);
    await now.browser.advance(0);
    const before = await open({ supportedVersions: ['0.8.0'] });
    const refused = before.dispatch(archive);
    await before.browser.advance(0);

    expect(taken.end).to.equal('taken');
    expect(refused.end).to.be.instanceOf(AhpError).with.property('message', 'This host has no such action.');
    expect(before.browser.host.dispatched()).to.deep.equal([]);
  });

  it('is refused where the host has no such channel', async () => {
    const { browser, dispatch } = await open();

    const state = dispatch(titled('Other', 'ahp-session:/none'));
    await browser.advance(0);

    expect((state.end as AhpError).rpc?.code).to.be.oneOf([RpcCode.SessionNotFound, RpcCode.NotFound]);
    expect(browser.host.dispatched()).to.deep.equal([]);
  });

  it('is given up after ten seconds without a word', async () => {
    const { browser, dispatch } = await open();
    browser.host.ignoreNext('session/titleChanged');
    const state = dispatch(titled('Other'));
    await browser.advance(9_900);
    expect(state).to.deep.equal({});

    await browser.advance(200);

    expect(state.end).to.be.instanceOf(AhpError).with.property('code', 'timeout');
  });

  it('is not sent again when the connection is lost before the host has answered', async () => {
    const { browser, dispatch } = await open();
    browser.host.ignoreNext('session/titleChanged');
    const state = dispatch(titled('Other'));
    await browser.advance(0);

    browser.host.drop();
    await browser.advance(5_000);

    expect(state.end).to.be.instanceOf(AhpError).with.property('code', 'disconnected');
    expect(browser.host.dispatched()).to.have.length(1);
  });

  it('goes out once, also on a channel that is open already', async () => {
    const { browser, client, dispatch } = await open();
    const lease = client.openSession(SESSION);
    await browser.advance(0);

    const state = dispatch(titled('Other'));
    await browser.advance(0);

    expect(state.end).to.equal('taken');
    expect(browser.host.dispatched()).to.have.length(1);
    expect(lease.value.state?.title).to.equal('Other');
    lease.release();
  });
});
