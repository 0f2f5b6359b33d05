import { expect } from '@open-wc/testing';
import type { AhpError } from '../../src/protocol/errors.js';
import { RpcCode } from '../../src/protocol/errors.js';
import { rpcError } from '../../src/host/hooks.js';
import { Browser } from '../helpers/browser.js';
import { CHAT, SESSION, createTurns } from '../helpers/scripted-host.js';

describe('what a view asks of a host', () => {
  it('reads content, and again after access was granted', async () => {
    let isGranted = false;
    const browser = new Browser({
      hooks: {
        resourceRead: ({ uri }) => {
          if (!isGranted) throw rpcError(RpcCode.PermissionDenied, 'No.', { request: { uri, read: true } });
          return { data: 'text', encoding: 'utf-8' };
        },
        resourceRequest: () => {
          isGranted = true;
          return {};
        },
      },
    });
    const { store } = await browser.openChat();
    const read = async () => {
      const reading = store.services!.readResource!({ uri: 'file:///a', contentType: 'text/plain' }).catch(
        (error: unknown) => error as AhpError,
      );
      await browser.advance(0);
      return reading;
    };
    const refused = await read();
    const { request } = (refused as AhpError).rpc!.data as { request: { uri: string; read: boolean } };

    await Promise.all([store.services!.requestResource!(request), browser.advance(0)]);

    expect(await read()).to.deep.equal({ data: 'text', encoding: 'utf-8' });
  });

  it('completes what is typed, and offers nothing where the host cannot', async () => {
    const items = [
      { insertText: '@a.ts', attachment: { type: 'resource' as const, label: 'a.ts', uri: 'file:///a.ts' } },
    ];
    const browser = new Browser({ hooks: { completions: () => ({ items }) } });
    const plain = new Browser();
    const [{ store }, other] = [await browser.openChat(), await plain.openChat()];

    const completing = store.services!.complete!('@a', 2);
    const nothing = other.store.services!.complete!('@a', 2);
    await browser.advance(0);
    await plain.advance(0);

    expect(await completing).to.deep.equal(items);
    expect(await nothing).to.deep.equal([]);
    expect(browser.host.sent('completions')[0]).to.deep.include({ kind: 'userMessage', text: '@a', offset: 2 });
  });

  it('ends a completion nobody waits for any more', async () => {
    const browser = new Browser({ hooks: { completions: () => new Promise(() => undefined) } });
    const { store } = await browser.openChat();
    const abort = new AbortController();

    const completing = store.services!.complete!('@a', 2, abort.signal).catch((error: unknown) => error);
    abort.abort(new Error('typed on'));

    expect(await completing).to.have.property('message', 'typed on');
  });

  it('opens another chat while somebody looks at it', async () => {
    const browser = new Browser();
    const worker = browser.host.host.createChat(SESSION, { turns: createTurns(1) });
    const { store } = await browser.openChat();

    const opened = store.services!.openChat!(worker);
    let changes = 0;
    opened.subscribe(() => changes++);
    await browser.advance(0);
    expect(opened.state!.turns).to.have.length(1);
    browser.host.dispatch({ type: 'chat/activityChanged', activity: 'busy' }, worker);
    await browser.advance(50);
    expect(opened.state!.activity).to.equal('busy');
    const before = changes;
    opened.close();
    browser.host.dispatch({ type: 'chat/activityChanged', activity: 'done' }, worker);
    await browser.advance(50);

    expect(changes).to.equal(before);
    expect(browser.host.sent('unsubscribe')).to.deep.include({ channel: worker });
  });

  it('shares the subscription of a chat that is on screen anyway', async () => {
    const browser = new Browser({ turns: createTurns(2) });
    const { store } = await browser.openChat();

    const opened = store.services!.openChat!(CHAT);
    expect(opened.state!.turns).to.have.length(2);
    opened.close();
    await browser.advance(0);
    browser.host.say('more');
    await browser.advance(50);

    expect(browser.host.sent('subscribe').filter(({ channel }) => channel === CHAT)).to.have.length(1);
    expect(store.state!.turns).to.have.length(3);
  });

  it('opens a terminal and keeps up with it, also over a loss', async () => {
    const browser = new Browser();
    const terminal = 'ahp-terminal:/t';
    const claim = { kind: 'session' as const, session: SESSION, chat: CHAT };
    browser.host.host.createTerminal(terminal, { title: 'sh', content: [], claim });
    const { store } = await browser.openChat();

    const opened = store.services!.openTerminal!(terminal);
    browser.host.dispatch({ type: 'terminal/data', data: 'one ' }, terminal);
    await browser.advance(50);
    browser.host.drop();
    browser.host.dispatch({ type: 'terminal/data', data: 'two' }, terminal);
    await browser.advance(1_000);

    expect(opened.state!.content).to.deep.equal([{ type: 'unclassified', value: 'one two' }]);
    opened.close();
  });
});
