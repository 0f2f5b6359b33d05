/** The rules of optimistic state over real losses: a store, a client and a host on one clock. */
import { expect } from '@open-wc/testing';
import { editAndResend, toolCallApproved, turnStarted } from '../../src/chat/actions.js';
import { RpcCode } from '../../src/protocol/errors.js';
import { Browser, type Tab } from '../helpers/browser.js';
import { CHAT, createTurns, userMessage } from '../helpers/scripted-host.js';

const start = (id: string) => turnStarted(id, userMessage(`message of ${id}`), '2026-01-01T00:00:00.000Z');

/** The host is down until `comeUp`. */
async function goDown(browser: Browser): Promise<void> {
  browser.host.isReachable = false;
  browser.host.drop();
  await browser.advance(0);
}

async function comeUp(tab: Tab): Promise<void> {
  tab.browser.host.isReachable = true;
  tab.store.reconnectNow();
  await tab.browser.advance(0);
}

/** What the host runs or has run, by text of the message. */
const messages = (browser: Browser) => {
  const { turns, activeTurn } = browser.host.chat;
  return [...turns, ...(activeTurn ? [activeTurn] : [])].map(({ message }) => message.text);
};

describe('while the host is away', () => {
  it('what is known stays on screen, the composer works, and a send is shown as pending', async () => {
    const browser = new Browser({ turns: createTurns(2) });
    const tab = await browser.openChat();
    await goDown(browser);

    const turnId = tab.send('offline');

    expect(tab.store.status).to.include({ phase: 'offline', pending: 1 });
    expect(tab.store.status.retryAt).to.be.a('number');
    expect(tab.state.turns).to.have.length(2);
    expect(tab.state.activeTurn!.id).to.equal(turnId);
  });

  it('several messages go out in order when it is back, each once', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    await goDown(browser);
    tab.send('one');
    tab.send('two');
    tab.send('three');

    await comeUp(tab);
    await browser.advance(3_000);

    expect(messages(browser)).to.deep.equal(['one']);
    expect(browser.host.chat.queuedMessages!.map(({ message }) => message.text)).to.deep.equal(['two', 'three']);
    expect(tab.store.status).to.include({ phase: 'live', pending: 0 });
    expect(browser.host.dispatched('chat/turnStarted')).to.have.length(1);
  });

  it('nothing expires', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    await goDown(browser);
    tab.send('offline');

    await browser.advance(120_000);

    expect(tab.store.status).to.include({ pending: 1 });
    expect(tab.store.status.unconfirmed).to.deep.equal([]);
  });
});

describe('a replay', () => {
  it('brings what was missed into the state once and in order', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    await goDown(browser);
    for (const text of ['a', 'b', 'c', 'd', 'e']) browser.host.say(text);

    await comeUp(tab);

    expect(tab.state.turns.map(({ message }) => message.text)).to.deep.equal(
      ['a', 'b', 'c', 'd', 'e'].map((t) => `about ${t}`),
    );
    expect(tab.state).to.deep.equal(browser.host.chat);
    expect(browser.host.sent('subscribe').filter(({ channel }) => channel === CHAT)).to.have.length(1);
  });

  it('settles a send whose echo was lost, without sending it again', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    browser.host.hold();
    const turnId = tab.send('heard');
    await browser.advance(0);
    expect(browser.host.chat.activeTurn!.id).to.equal(turnId);

    browser.host.drop();
    await browser.advance(5_000);

    expect(tab.store.status).to.include({ phase: 'live', pending: 0 });
    expect(browser.host.dispatched('chat/turnStarted')).to.have.length(1);
    expect(tab.state.activeTurn!.id).to.equal(turnId);
  });

  it('names what is missing: the store fails, the transcript stays', async () => {
    const browser = new Browser({ turns: createTurns(2) });
    const tab = await browser.openChat();
    await goDown(browser);
    browser.host.restart({ state: 'lost' });

    await comeUp(tab);
    await browser.advance(1_000);

    expect(tab.store.status.phase).to.equal('failed');
    expect(tab.state.turns).to.have.length(2);
  });
});

describe('a snapshot', () => {
  it('replaces the state and proves what it holds', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    browser.host.hold();
    const turnId = tab.send('heard');
    await browser.advance(0);
    browser.host.onReconnect = 'snapshot';

    browser.host.drop();
    await browser.advance(5_000);

    expect(tab.store.status).to.include({ phase: 'live', pending: 0 });
    expect(tab.state.activeTurn!.id).to.equal(turnId);
    expect(browser.host.dispatched('chat/turnStarted')).to.have.length(1);
  });

  it('keeps older turns that are here, and their objects', async () => {
    const browser = new Browser({ turns: createTurns(120) });
    const tab = await browser.openChat();
    await Promise.all([tab.store.loadOlderTurns(), browser.advance(0)]);
    const before = tab.state.turns;
    browser.host.onReconnect = 'snapshot';

    browser.host.drop();
    await browser.advance(1_000);

    expect(tab.state.turns).to.have.length(100);
    expect(tab.state.turns[60]).to.equal(before[60]);
  });

  it('after a host that counts anew is trusted', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    for (let count = 0; count < 5; count++) browser.host.say(`text ${count}`);
    await browser.advance(50);
    browser.host.restart({ serverSeq: 'anew' });
    await browser.advance(1_000);

    browser.host.say('after');
    await browser.advance(50);

    expect(tab.store.status.phase).to.equal('live');
    expect(tab.state).to.deep.equal(browser.host.chat);
  });
});

describe('a send that never arrived', () => {
  /** The frame is lost on a socket that still says it is open. */
  async function loseSend(browser: Browser, tab: Tab): Promise<string> {
    browser.host.isHalfOpen = true;
    const turnId = tab.send('lost on the way');
    await browser.advance(0);
    browser.host.isHalfOpen = false;
    return turnId;
  }

  it('goes out again under the same id when a replay lacks it, not within 2 s of the handshake', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    const turnId = await loseSend(browser, tab);
    browser.host.drop();
    await browser.advance(400);
    expect(tab.store.status.phase).to.equal('live');
    expect(browser.host.dispatched('chat/turnStarted')).to.have.length(1);

    await browser.advance(2_000);

    expect(browser.host.chat.activeTurn!.id).to.equal(turnId);
    expect(messages(browser)).to.deep.equal(['lost on the way']);
    expect(tab.store.status.pending).to.equal(0);
    const seqs = browser.host.sent('dispatchAction').map(({ clientSeq }) => clientSeq);
    expect(seqs[0]).to.equal(seqs[2]);
  });

  it('is found by a ping, and then sent once', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    browser.host.isHalfOpen = true;
    const turnId = tab.send('into the void');
    await browser.advance(36_000);
    browser.host.isHalfOpen = false;
    await browser.advance(40_000);

    expect(tab.store.status).to.include({ phase: 'live', pending: 0 });
    expect(browser.host.chat.activeTurn!.id).to.equal(turnId);
    expect(messages(browser)).to.deep.equal(['into the void']);
  });

  it('goes out again after a fresh start, with tokens and channels before it', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    await loseSend(browser, tab);
    browser.host.restart();
    await browser.advance(5_000);

    const methods = browser.host.received.flatMap(({ method }) => method ?? []);
    const fresh = methods.slice(methods.lastIndexOf('initialize'));
    expect(fresh.indexOf('subscribe')).to.be.below(fresh.indexOf('dispatchAction'));
    expect(messages(browser)).to.deep.equal(['lost on the way']);
    expect(tab.store.status.pending).to.equal(0);
  });

  it('waits for the person when another turn runs by then', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    await loseSend(browser, tab);
    await goDown(browser);
    browser.host.host.startTurn(CHAT, userMessage('from the phone'));

    await comeUp(tab);
    await browser.advance(5_000);

    expect(browser.host.chat.activeTurn!.message.text).to.equal('from the phone');
    expect(tab.state.activeTurn!.message.text).to.equal('from the phone');
    expect(tab.store.status.unconfirmed.map(({ canRetry }) => canRetry)).to.deep.equal([true]);
    expect(browser.host.dispatched('chat/turnStarted')).to.have.length(1);
  });

  it('never hides the host’s running turn', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    browser.host.ignoreNext('chat/turnStarted');
    tab.store.dispatch(start('mine'));
    await browser.advance(0);
    expect(tab.state.activeTurn!.id).to.equal('mine');

    browser.host.host.startTurn(CHAT, userMessage('theirs'));
    await browser.advance(50);

    expect(tab.state.activeTurn!.message.text).to.equal('theirs');
  });

  it('is one intent with the truncation before it: both or none', async () => {
    const browser = new Browser({ turns: createTurns(3) });
    const tab = await browser.openChat();
    browser.host.refuseNext('chat/truncated');

    tab.store.dispatch(...editAndResend('t1', start('edited')));
    expect(tab.state.turns).to.have.length(1);
    await browser.advance(0);

    expect(tab.rejections[0]!.actions.map(({ type }) => type)).to.deep.equal(['chat/truncated', 'chat/turnStarted']);
    expect(tab.store.status.pending).to.equal(0);
  });
});

describe('the queue over a reconnect', () => {
  it('is not sent twice when the connection breaks as the first turn ends', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    tab.send('first');
    await browser.advance(0);
    tab.send('second');
    tab.send('third');
    await browser.advance(0);
    const running = browser.host.chat.activeTurn!.id;
    browser.host.dropAfter(1);
    browser.host.say('done', running);
    await browser.advance(5_000);

    expect(browser.host.dispatched('chat/pendingMessageSet')).to.have.length(2);
    expect(messages(browser)).to.deep.equal(['first', 'second']);
    expect(tab.state.queuedMessages!.map(({ message }) => message.text)).to.deep.equal(['third']);
    expect(tab.store.status.pending).to.equal(0);
  });

  it('is offered back when the host has lost it', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    tab.send('first');
    await browser.advance(0);
    for (const text of ['a', 'b', 'c']) tab.send(text);
    await browser.advance(0);
    const saved = browser.host.host.exportState();
    expect(saved.chats[0]!.state.queuedMessages).to.have.length(3);
    await goDown(browser);
    for (const { id } of browser.host.chat.queuedMessages!) {
      browser.host.dispatch({ type: 'chat/pendingMessageRemoved', kind: 'queued', id });
    }
    browser.host.onReconnect = 'snapshot';

    await comeUp(tab);

    const texts = tab.store.status.unconfirmed.map(({ actions: [action] }) =>
      'message' in action! ? action.message.text : '',
    );
    expect(texts).to.deep.equal(['a', 'b', 'c']);
    tab.store.retry(tab.store.status.unconfirmed[0]!.id);
    await browser.advance(0);
    expect(browser.host.chat.queuedMessages!.map(({ message }) => message.text)).to.deep.equal(['a']);
  });
});

describe('an answer over a reconnect', () => {
  async function ask(browser: Browser, tab: Tab, more: object = {}) {
    const turnId = tab.send('go');
    await browser.advance(0);
    const call = { turnId, toolCallId: 'c' };
    browser.host.dispatch({ type: 'chat/toolCallStart', ...call, toolName: 't', displayName: 'T' });
    browser.host.dispatch({ type: 'chat/toolCallReady', ...call, invocationMessage: 'T', toolInput: 'ls', ...more });
    await browser.advance(50);
    return call;
  }

  it('goes out once more when the same question is still open', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    const call = await ask(browser, tab);
    browser.host.isHalfOpen = true;
    tab.store.dispatch(toolCallApproved(call));
    await browser.advance(0);
    browser.host.isHalfOpen = false;
    browser.host.drop();
    await browser.advance(5_000);

    expect(browser.host.dispatched('chat/toolCallConfirmed')).to.have.length(2);
    expect(tab.store.status.pending).to.equal(0);
  });

  it('waits for the person when the question has become another one', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    const call = await ask(browser, tab);
    browser.host.isHalfOpen = true;
    tab.store.dispatch(toolCallApproved(call));
    await browser.advance(0);
    browser.host.isHalfOpen = false;
    await goDown(browser);
    browser.host.dispatch({ type: 'chat/toolCallReady', ...call, invocationMessage: 'T', toolInput: 'rm -rf /' });

    await comeUp(tab);
    await browser.advance(5_000);

    expect(browser.host.dispatched('chat/toolCallConfirmed')).to.have.length(1);
    expect(tab.store.status.unconfirmed).to.have.length(1);
  });

  it('given elsewhere while this page was closed shows as given, once the host is heard', async () => {
    const browser = new Browser();
    const before = await browser.openChat();
    const call = await ask(browser, before);
    await browser.advance(500);
    before.leave();
    browser.host.dispatch({ type: 'chat/toolCallConfirmed', ...call, approved: true, confirmed: 'user-action' });
    browser.host.isReachable = false;
    const tab = await before.reload();
    const status = () => {
      const [part] = tab.state.activeTurn!.responseParts;
      return part!.kind === 'toolCall' ? part!.toolCall.status : part!.kind;
    };
    expect(tab.store.status.phase).to.equal('offline');
    expect(status()).to.equal('pending-confirmation');

    await comeUp(tab);

    expect(status()).to.equal('running');
  });
});

describe('a draft over a reconnect', () => {
  it('goes out when the host’s is the one last seen there', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    tab.type('hel');
    await browser.advance(1_000);
    await goDown(browser);
    tab.type('hello');
    await browser.advance(5_000);

    await comeUp(tab);

    expect(browser.host.chat.draft!.text).to.equal('hello');
    expect(tab.draft.offer).to.equal(undefined);
  });

  it('is offered the other one when somebody else wrote meanwhile', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    await goDown(browser);
    tab.type('mine');
    browser.host.dispatch({ type: 'chat/draftChanged', draft: userMessage('from the phone') });

    await comeUp(tab);
    await browser.advance(5_000);

    expect(browser.host.chat.draft!.text).to.equal('from the phone');
    expect(tab.draft.message.text).to.equal('mine');
    expect(tab.draft.offer!.text).to.equal('from the phone');
  });

  it('stays empty when the clearing was lost with the connection', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    tab.type('hello');
    await browser.advance(1_000);
    browser.host.isHalfOpen = true;
    tab.send();
    await browser.advance(0);
    browser.host.isHalfOpen = false;
    browser.host.drop();
    await browser.advance(5_000);

    expect(tab.draft.message.text).to.equal('');
    expect(tab.draft.offer).to.equal(undefined);
    expect(browser.host.chat.draft).to.equal(undefined);
    expect(messages(browser)).to.deep.equal(['hello']);
  });
});

describe('reconnect refused', () => {
  for (const code of [RpcCode.NotFound, RpcCode.MethodNotFound, RpcCode.InternalError]) {
    it(`with ${code}, everything is asked for anew and nothing is sent twice`, async () => {
      const browser = new Browser();
      const tab = await browser.openChat();
      browser.host.onReconnect = { code };
      browser.host.hold();
      const turnId = tab.send('heard');
      await browser.advance(0);
      browser.host.drop();
      await browser.advance(5_000);

      expect(tab.store.status).to.include({ phase: 'live', pending: 0 });
      expect(tab.state.activeTurn!.id).to.equal(turnId);
      expect(browser.host.dispatched('chat/turnStarted')).to.have.length(1);
    });
  }
});
