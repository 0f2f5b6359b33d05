import { expect } from '@open-wc/testing';
import { createChat, type CreateChatOptions } from '../../src/client/create-chat.js';
import { rpcError } from '../../src/host/hooks.js';
import { AhpError, RpcCode } from '../../src/protocol/errors.js';
import { Browser, type BrowserOptions } from '../helpers/browser.js';
import { CHAT, SESSION, createTurns } from '../helpers/scripted-host.js';

/** Makes a chat in the session; `end` is what that ended with so far. */
async function make(options: CreateChatOptions = {}, browserOptions: BrowserOptions = {}, session = SESSION) {
  const browser = new Browser(browserOptions);
  const tab = await browser.openChat();
  const state: { end?: unknown } = {};
  void createChat(tab.client, session, options).then(
    (chat) => (state.end = chat),
    (error: unknown) => (state.end = error),
  );
  await browser.advance(0);
  return { browser, tab, state };
}

const chatsOf = (browser: Browser) => browser.host.session.chats.map(({ resource }) => resource);

describe('making a chat', () => {
  it('asks for an empty one under a name of its own', async () => {
    const { browser, state } = await make();
    const [params] = browser.host.sent('createChat');

    expect(params).to.have.all.keys('channel', 'chat');
    expect(params!.channel).to.equal(SESSION);
    expect(state.end).to.equal(params!.chat);
    expect(chatsOf(browser)).to.deep.equal([CHAT, state.end]);
  });

  it('goes by the catalogue where the host gives the chat another name', async () => {
    const { state } = await make({}, { hooks: { createChat: () => ({ resource: 'other-scheme:/made' }) } });

    expect(state.end).to.equal('other-scheme:/made');
  });

  const sources: readonly [string, CreateChatOptions, unknown][] = [
    [
      'a fork',
      { source: CHAT, from: { kind: 'fork', turnId: 'turn-1' } },
      { kind: 'fork', chat: CHAT, turnId: 'turn-1' },
    ],
    [
      'a side chat',
      { source: CHAT, from: { kind: 'sideChat', turnId: 'turn-1' } },
      { kind: 'sideChat', chat: CHAT, turnId: 'turn-1' },
    ],
    [
      'a side chat about something selected',
      {
        source: CHAT,
        from: { kind: 'sideChat', turnId: 'turn-1', selection: { text: 'these words', responsePartId: 'p' } },
      },
      { kind: 'sideChat', chat: CHAT, turnId: 'turn-1', selection: { text: 'these words', responsePartId: 'p' } },
    ],
  ];
  for (const [name, options, source] of sources)
    it(`says where ${name} comes from`, async () => {
      const turns = [{ ...createTurns(1)[0]!, id: 'turn-1' }];
      const { browser, state } = await make(options, { turns });

      expect(browser.host.sent('createChat')[0]).to.have.deep.property('source', source);
      expect(chatsOf(browser)).to.include(state.end);
    });

  it('leaves the session again, whatever the end', async () => {
    const { browser, tab, state } = await make({}, { hasSession: true });
    const session = browser.host.host.createSession({ provider: 'test', title: 'Other' });
    const making = createChat(tab.client, session, {});
    await browser.advance(0);
    await making;
    await browser.advance(100);

    expect(state.end).to.be.a('string');
    expect(browser.host.sent('unsubscribe').map(({ channel }) => channel)).to.include(session);
  });

  it('ends with the word of a host that refuses', async () => {
    const { browser, state } = await make(
      {},
      {
        hooks: {
          createChat: () => {
            throw rpcError(RpcCode.InternalError, 'No room.');
          },
        },
      },
    );

    expect(state.end).to.be.instanceOf(AhpError).with.nested.property('rpc.message', 'No room.');
    expect(chatsOf(browser)).to.deep.equal([CHAT]);
  });

  it('is given up when the host lists nothing new for ten seconds', async () => {
    const { browser, state } = await make({}, { hooks: { createChat: () => new Promise(() => undefined) } });
    const { id } = browser.host.received.findLast(({ method }) => method === 'createChat')!;
    browser.host.inject({ id, result: null });
    await browser.advance(9_000);
    expect(state).to.deep.equal({});

    await browser.advance(1_500);

    expect(state.end).to.be.instanceOf(AhpError).with.property('code', 'timeout');
    expect((state.end as AhpError).message).to.contain('entry for the new chat');
  });

  it('is not tried where nobody knows the session', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();

    const error = await createChat(tab.client, undefined, {}).catch((reason: unknown) => reason);

    expect(error).to.be.instanceOf(AhpError).with.property('code', 'misuse');
    expect(browser.host.sent('createChat')).to.deep.equal([]);
  });
});
