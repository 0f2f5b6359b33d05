/** Whatever a host, a network or a disk does: a clear state, and nothing that was written is lost. */
import { expect } from '@open-wc/testing';
import { limitFrames } from '../../src/client/frame-bound.js';
import { MemoryMirror } from '../../src/mirror/memory-mirror.js';
import { Browser, type Tab } from '../helpers/browser.js';
import { CHAT, SESSION, createTurns } from '../helpers/scripted-host.js';

/** What was written before the trouble is still there after it, and gets through in the end. */
async function expectNothingLost(browser: Browser, tab: Tab): Promise<void> {
  expect(tab.draft.message.text).to.equal('half a thought');
  await browser.advance(5_000);
  const { turns, activeTurn } = browser.host.chat;
  const said = [...turns, ...(activeTurn ? [activeTurn] : [])].map(({ message }) => message.text);
  expect(said.filter((text) => text === 'written')).to.have.length(1);
}

describe('a frame that makes no sense', () => {
  const frames: readonly (string | object)[] = [
    '{',
    '',
    'null',
    '[1,2]',
    '"text"',
    `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
    { method: 7 },
    { method: 'action', params: 7 },
    { method: 'action', params: { channel: CHAT } },
    { method: 'action', params: { channel: CHAT, serverSeq: 'x', action: { type: 'chat/delta' } } },
    { method: 'action', params: { channel: CHAT, serverSeq: 1e308, action: null } },
    { method: 'action', params: { channel: 'ahp-chat:/nobody', serverSeq: 9, action: { type: 'chat/delta' } } },
    { method: 'action', params: { channel: CHAT, serverSeq: -1, action: { type: 'chat/turnStarted' } } },
    { method: 'action', params: { channel: CHAT, serverSeq: 2, action: { type: '__proto__' } } },
    { id: 4711, result: {} },
    { id: null, error: 'text' },
    { method: 'auth/required', params: { resource: 7 } },
    { method: 'root/sessionRemoved', params: {} },
    { method: 'constructor', params: { __proto__: null } },
  ];
  for (const frame of frames) {
    const name = (typeof frame === 'string' ? frame : JSON.stringify(frame)).slice(0, 80);
    it(`is passed over: ${name || 'nothing'}`, async () => {
      const browser = new Browser({ turns: createTurns(1) });
      const tab = await browser.openChat();
      tab.send('written');
      tab.type('half a thought');

      browser.host.inject(frame);
      await browser.advance(0);

      expect(tab.store.status.phase).to.equal('live');
      expect(browser.host.sent('initialize')).to.have.length(1);
      await expectNothingLost(browser, tab);
    });
  }

  it('may have been a change: the state is asked for anew, at most every ten seconds', async () => {
    const browser = new Browser({ turns: createTurns(1) });
    const tab = await browser.openChat();
    browser.host.hold();
    browser.host.say('unheard');
    browser.host.loseHeld();
    const asked = () => browser.host.sent('subscribe').length;
    const before = asked();

    browser.host.inject('half a fra');
    browser.host.inject('half a fra');
    await browser.advance(0);

    expect(tab.state.turns.at(-1)!.message.text).to.equal('about unheard');
    const once = asked() - before;
    await browser.advance(9_900);
    expect(asked() - before).to.equal(once);
    await browser.advance(100);
    expect(asked() - before).to.equal(2 * once);
    await browser.advance(60_000);
    expect(asked() - before).to.equal(2 * once);
  });

  it('is not left out by a replay, when the connection is lost before the state has come', async () => {
    const browser = new Browser({ turns: createTurns(1) });
    const tab = await browser.openChat();
    browser.host.hold();
    browser.host.say('unheard');
    browser.host.loseHeld();
    browser.host.dispatch({ type: 'chat/draftChanged' });
    await browser.advance(100);
    browser.host.inject('half a fra');
    browser.host.drop();

    await browser.advance(1_000);

    expect(tab.state.turns.at(-1)!.message.text).to.equal('about unheard');
  });

  it('five times in a row means a new connection', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    tab.send('written');
    tab.type('half a thought');
    for (let count = 0; count < 5; count++) browser.host.inject('garbage');
    await browser.advance(0);
    expect(tab.store.status).to.include({ phase: 'offline' });
    expect(tab.store.status.error!.code).to.equal('bad-frame');

    await browser.advance(1_000);

    expect(tab.store.status.phase).to.equal('live');
    expect(tab.diagnostics.map(({ code }) => code)).to.deep.equal(Array(5).fill('bad-frame'));
    await expectNothingLost(browser, tab);
  });

  it('that is a request is answered, so that the host does not hang', async () => {
    const browser = new Browser();
    await browser.openChat();

    browser.host.inject({ id: 'r1', method: 'x-vendor/what', params: {} });
    browser.host.inject({ id: 'r2', method: 'resourceRead', params: { uri: 'file:///etc/passwd' } });
    await browser.advance(0);

    const answers = browser.host.received.filter(({ error }) => error !== undefined);
    expect(answers.map(({ id, error }) => [id, (error as { code: number }).code])).to.deep.equal([
      ['r1', -32601],
      ['r2', -32009],
    ]);
  });
});

describe('trouble with the connection', () => {
  it('a frame over the bound ends it once, with both numbers, until the person asks again', async () => {
    const browser = new Browser();
    let limit = 4_000;
    const connect = async (signal: AbortSignal) => limitFrames(await browser.transport.connect(signal), limit);
    const tab = await browser.openChat(undefined, { transport: { isLocal: true, connect } });
    tab.send('written');
    tab.type('half a thought');
    await browser.advance(0);

    browser.host.inject({ method: 'action', params: { text: 'x'.repeat(5_000) } });
    await browser.advance(600_000);

    expect(tab.store.status.phase).to.equal('failed');
    expect(tab.store.status.error!.code).to.equal('frame-too-large');
    expect(tab.store.status.error!.message).to.include('limit is 4000');
    expect(browser.host.links).to.equal(0);
    limit = 1_000_000;
    tab.store.reconnectNow();
    await browser.advance(0);
    expect(tab.store.status.phase).to.equal('live');
    await expectNothingLost(browser, tab);
  });

  it('no common version is said with both lists, and not tried in a loop', async () => {
    const browser = new Browser({ supportedVersions: ['7.0.0'] });
    const tab = await browser.openChat();
    tab.type('half a thought');
    await browser.advance(600_000);

    expect(tab.store.status.phase).to.equal('failed');
    expect(tab.store.status.error!.message).to.include('7.0.0').and.to.include('0.6.0');
    expect(browser.host.sent('initialize')).to.have.length(1);
    expect(tab.draft.message.text).to.equal('half a thought');
  });

  it('a dead socket that says it is open is found, and what went into it is sent again', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    browser.host.isHalfOpen = true;
    tab.send('written');
    tab.type('half a thought');
    await browser.advance(40_000);
    expect(tab.store.status.phase).to.equal('offline');

    browser.host.isHalfOpen = false;
    await browser.advance(40_000);

    expect(tab.store.status.phase).to.equal('live');
    await expectNothingLost(browser, tab);
  });

  it('a wrong address is said, and not tried again', async () => {
    const browser = new Browser();
    const { createWebSocketTransport } = await import('../../src/client/websocket-transport.js');
    const tab = browser.openTab();
    const transport = createWebSocketTransport({ url: 'https://h.example/', environment: tab.environment });
    const wrong = await browser.openChat(undefined, { transport });
    await browser.advance(60_000);

    expect(wrong.store.status.phase).to.equal('failed');
    expect(wrong.store.status.error!.code).to.equal('bad-url');
  });

  it('duplicated envelopes change nothing', async () => {
    const browser = new Browser();
    browser.host.duplicatesEnvelopes = true;
    const tab = await browser.openChat();
    tab.send('written');
    await browser.advance(0);
    browser.host.say('one\ntwo', browser.host.chat.activeTurn!.id);
    await browser.advance(50);

    expect(tab.state).to.deep.equal(browser.host.chat);
  });

  it('a handshake without the snapshots that were asked for is made good', async () => {
    const browser = new Browser();
    browser.host.withholdsSnapshots = true;
    const tab = await browser.openChat();

    expect(tab.store.status.phase).to.equal('live');
    expect(tab.store.session?.title).to.equal('One');
  });

  it('a half of a reload lost to a dying connection is made up for', async () => {
    const browser = new Browser();
    const tab = browser.openTab();
    tab.show();
    browser.host.dropAfter(2);
    await browser.advance(3_000);

    expect(tab.store.status.phase).to.equal('live');
  });
});

describe('trouble with the disk', () => {
  it('no storage at all: the chat works, and says that nothing is kept', async () => {
    const browser = new Browser();
    const tab = await browser.openChat(undefined, { mirror: new MemoryMirror('no-storage') });
    tab.send('written');
    tab.type('half a thought');

    expect(tab.store.status).to.include({ phase: 'live', notKept: 'no-storage' });
    await expectNothingLost(browser, tab);
    tab.leave();
    expect(browser.local.keys()).to.deep.equal([]);
  });

  it('a disk that hangs: a send with an attachment goes out from memory', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    browser.disk.hold();
    const attachments = [
      { type: 'embeddedResource' as const, label: 'p.png', data: 'AAAA'.repeat(256), contentType: 'image/png' },
    ];
    tab.type('look', { attachments });

    tab.send();
    await browser.advance(250);

    expect(browser.host.chat.activeTurn!.message.attachments).to.deep.equal(attachments);
  });

  it('a disk that was cleared elsewhere gets nothing any more, not even on leaving', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    browser.disk.setNotKept('cleared');
    tab.type('half a thought');

    tab.leave();

    expect(browser.local.keys()).to.deep.equal([]);
    expect(tab.store.status.notKept).to.equal('cleared');
  });
});

describe('what is only listed', () => {
  it('is not subscribed to: no chats of the session, no workers', async () => {
    const browser = new Browser();
    for (let count = 0; count < 5; count++) browser.host.host.createChat(SESSION, {});
    await browser.openChat();

    const channels = browser.host.sent('subscribe').map(({ channel }) => channel);
    const initial = browser.host.sent('initialize')[0]!.initialSubscriptions as string[];
    expect([...channels, ...initial].sort()).to.deep.equal([CHAT, 'ahp-root://', SESSION].sort());
  });
});
