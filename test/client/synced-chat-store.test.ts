import { expect } from '@open-wc/testing';
import {
  isReadChanged,
  toolCallApproved,
  turnCancelled,
  turnStarted,
  workingDirectorySet,
} from '../../src/chat/actions.js';
import { RpcCode } from '../../src/protocol/errors.js';
import type { McpAuthRequirement } from '../../src/protocol/state.js';
import { Browser } from '../helpers/browser.js';
import { CHAT, SESSION, createTurns, userMessage, testAgent } from '../helpers/scripted-host.js';

const startedAt = '2026-01-01T00:00:00.000Z';

describe('a chat store', () => {
  it('is loading, then live with the chat and its session', async () => {
    const browser = new Browser({ turns: createTurns(3) });
    const tab = browser.openTab();
    tab.show();
    expect(tab.store.status.phase).to.equal('loading');
    expect(tab.store.state).to.equal(undefined);

    await browser.advance(0);

    expect(tab.store.status).to.include({ phase: 'live', pending: 0 });
    expect(tab.state.turns.map(({ id }) => id)).to.deep.equal(['t1', 't2', 't3']);
    expect(tab.store.session).to.include({ resource: SESSION, title: 'One', providerName: 'Test agent' });
    expect(tab.store.session!.models.map(({ id }) => id)).to.deep.equal(['model-a']);
    expect(tab.store.session!.capabilities).to.have.property('multipleChats');
  });

  it('asks for a window of turns and for coalesced updates', async () => {
    const browser = new Browser({ turns: createTurns(80) });
    const tab = browser.openTab();
    tab.show(CHAT, { turns: 20 });
    await browser.advance(0);

    expect(browser.host.sent('subscribe')).to.deep.include({
      channel: CHAT,
      view: { turns: 20 },
      delivery: { maxLatencyMs: 50 },
    });
    expect(tab.state.turns).to.have.length(20);
    expect(tab.state.turnsNextCursor).to.be.a('string');
  });

  it('follows a stream, and tells of nothing that did not change', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    const before = tab.changes;

    browser.host.dispatch({ type: 'x-vendor/unknown' });
    await browser.advance(50);
    expect(tab.changes).to.equal(before);
    browser.host.say('one\ntwo');
    await browser.advance(50);

    expect(tab.state.turns.at(-1)!.responseParts).to.deep.equal([
      { kind: 'markdown', id: `${tab.state.turns.at(-1)!.id}-text`, content: 'one\ntwo' },
    ]);
  });

  it('shows a message at once and the host’s version of it when that comes', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    browser.host.hold();

    const turnId = tab.send('hello');
    expect(tab.state.activeTurn).to.deep.include({ id: turnId, message: userMessage('hello') });
    expect(tab.store.status.pending).to.equal(1);
    expect([...tab.store.status.pendingIds!]).to.deep.equal([turnId]);
    await browser.advance(0);
    browser.host.release();
    await browser.advance(0);

    expect(tab.state.activeTurn!.id).to.equal(turnId);
    expect(tab.store.status.pending).to.equal(0);
    expect(browser.host.dispatched('chat/turnStarted')).to.have.length(1);
  });

  it('takes what the host made of a message, not what was sent', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    const altered = { ...turnStarted('t', userMessage('rewritten', { _meta: { by: 'host' } }), startedAt) };
    browser.host.alterNext(altered);

    tab.store.dispatch(turnStarted('t', userMessage('original'), startedAt));
    await browser.advance(0);

    expect(tab.state.activeTurn!.message).to.deep.equal(altered.message);
    expect(tab.store.status.pending).to.equal(0);
  });

  it('shows one bubble while a queued message becomes a turn', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    tab.send('first');
    await browser.advance(0);
    const queued = tab.send('second');
    await browser.advance(0);
    expect(tab.state.queuedMessages!.map(({ id }) => id)).to.deep.equal([queued]);

    browser.host.say('done', tab.state.activeTurn!.id);
    await browser.advance(50);

    expect(tab.state.queuedMessages).to.equal(undefined);
    expect(tab.state.activeTurn!.message.text).to.equal('second');
    expect(tab.store.status.pending).to.equal(0);
  });

  it('gives a refused message back to the composer, above what was typed meanwhile', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    browser.host.refuseNext('chat/turnStarted', 'No quota.');

    tab.send('refused');
    tab.type('typed since');
    await browser.advance(0);

    expect(tab.state.activeTurn).to.equal(undefined);
    expect(tab.rejections.map(({ reason }) => reason)).to.deep.equal(['No quota.']);
    expect(tab.rejections[0]!.actions.map(({ type }) => type)).to.include('chat/turnStarted');
    expect(tab.draft.message.text).to.equal('refused\n\ntyped since');
    expect(tab.store.status.unconfirmed).to.deep.equal([]);
  });

  it('sets an intent aside that is not proven in ten seconds, with a retry', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    browser.host.ignoreNext('chat/turnStarted');
    const turnId = 'mine';
    tab.store.dispatch(turnStarted(turnId, userMessage('lost'), startedAt));

    await browser.advance(9_000);
    expect(tab.state.activeTurn?.id).to.equal(turnId);
    await browser.advance(1_100);

    expect(tab.state.activeTurn).to.equal(undefined);
    expect(tab.store.status.pending).to.equal(0);
    const [intent] = tab.store.status.unconfirmed;
    expect(intent!.canRetry).to.equal(true);
    // Nothing is sent again by a timer alone.
    await browser.advance(60_000);
    expect(browser.host.dispatched('chat/turnStarted')).to.have.length(1);

    tab.store.retry(intent!.id);
    await browser.advance(0);
    expect(browser.host.chat.activeTurn?.id).to.equal(turnId);
    expect(tab.store.status.unconfirmed).to.deep.equal([]);
  });

  it('asks the host before it calls an intent not confirmed, since the echo may be all that was lost', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    browser.host.hold();
    tab.store.dispatch(turnStarted('mine', userMessage('arrived'), startedAt));
    await browser.advance(1_000);
    browser.host.loseHeld();

    await browser.advance(9_100);

    expect(browser.host.dispatched('chat/turnStarted')).to.have.length(1);
    expect(tab.state.activeTurn?.id).to.equal('mine');
    expect([tab.store.status.pending, tab.store.status.unconfirmed.length]).to.deep.equal([0, 0]);
  });

  it('gives an intent up when the person says so', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    browser.host.ignoreNext('chat/turnStarted');
    tab.send('lost');
    await browser.advance(11_000);

    tab.store.discard(tab.store.status.unconfirmed[0]!.id);
    await browser.advance(0);

    expect(tab.store.status.unconfirmed).to.deep.equal([]);
    expect((await browser.disk.loadChat(CHAT, { clientId: tab.clientId, turns: 0, now: 0 })).outbox).to.deep.equal([]);
  });

  it('keeps an unconfirmed message that is queued on retry, also when the page dies that moment', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    browser.host.ignoreNext('chat/turnStarted');
    tab.send('mine');
    await browser.advance(13_000);
    browser.host.host.startTurn(CHAT, userMessage('theirs'));
    await browser.advance(0);

    browser.disk.isLost = true;
    tab.store.retry(tab.store.status.unconfirmed[0]!.id);
    await tab.kill();
    browser.disk.isLost = false;

    const next = await browser.openChat(tab.session);
    await browser.advance(3_000);
    expect(JSON.stringify([browser.host.chat.queuedMessages, next.store.status.unconfirmed])).to.include('mine');
  });

  it('queues an unconfirmed message on retry when another turn runs by then', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    browser.host.ignoreNext('chat/turnStarted');
    tab.send('lost');
    await browser.advance(11_000);
    browser.host.host.startTurn(CHAT, userMessage('from the phone'));
    await browser.advance(50);

    tab.store.retry(tab.store.status.unconfirmed[0]!.id);
    await browser.advance(0);

    expect(browser.host.chat.activeTurn!.message.text).to.equal('from the phone');
    expect(browser.host.chat.queuedMessages!.map(({ message }) => message.text)).to.deep.equal(['lost']);
    expect(tab.store.status.unconfirmed).to.deep.equal([]);
  });

  it('marks a turn as stopping until the host ends it', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    const turnId = tab.send('go');
    await browser.advance(0);
    browser.host.hold();

    tab.store.dispatch(turnCancelled(turnId, 5));
    await browser.advance(0);
    expect(tab.state.activeTurn?.id).to.equal(turnId);
    expect(tab.store.status.stoppingTurnId).to.equal(turnId);
    browser.host.release();
    await browser.advance(0);

    expect(tab.state.activeTurn).to.equal(undefined);
    expect(tab.state.turns.at(-1)!.state).to.equal('cancelled');
    expect(tab.store.status.stoppingTurnId).to.equal(undefined);
  });

  it('hints at a turn nothing is heard of for a minute, until something is', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    tab.send('go');
    await browser.advance(59_000);
    expect(tab.store.status.stalled).to.equal(undefined);

    await browser.advance(1_500);
    expect(tab.store.status.stalled).to.equal(true);

    browser.host.dispatch({ type: 'chat/activityChanged', activity: 'thinking' });
    await browser.advance(50);
    expect(tab.store.status.stalled).to.equal(undefined);
  });

  it('does not call a turn stalled that waits for the person, and leaves the active state with a snapshot', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    tab.send('go');
    await browser.advance(0);
    browser.host.dispatch({ type: 'chat/inputRequested', request: { id: 'q', message: 'Which?' } });
    await browser.advance(120_000);
    expect(tab.store.status.stalled).to.equal(undefined);

    browser.host.onReconnect = 'snapshot';
    browser.host.hold();
    browser.host.dispatch({ type: 'chat/turnComplete', turnId: browser.host.chat.activeTurn!.id, duration: 1 });
    browser.host.drop();
    await browser.advance(500);

    expect(tab.store.status.phase).to.equal('live');
    expect(tab.state.activeTurn).to.equal(undefined);
  });

  it('refuses by itself what the host’s agent cannot do', async () => {
    const browser = new Browser({ agents: [{ ...testAgent, capabilities: {} }] });
    const tab = await browser.openChat();

    tab.store.dispatch(workingDirectorySet('file:///other'));
    await browser.advance(0);

    expect(browser.host.dispatched()).to.deep.equal([]);
    expect(tab.rejections).to.have.length(1);
    expect(tab.store.status.pending).to.equal(0);
  });

  it('says nothing of a mark as read that the host’s version does not know', async () => {
    const browser = new Browser({ supportedVersions: ['0.8.0'] });
    const tab = await browser.openChat();

    tab.store.dispatch(isReadChanged(true));
    await browser.advance(0);

    expect(browser.host.dispatched()).to.deep.equal([]);
    expect(tab.rejections).to.deep.equal([]);
    expect(tab.store.status.pending).to.equal(0);
  });

  it('keeps a message back while the session is being made', async () => {
    const browser = new Browser();
    let isReady: () => void = () => undefined;
    const session = browser.host.host.createSession({
      provider: 'test',
      ready: new Promise<void>((resolve) => (isReady = resolve)),
    });
    const chat = browser.host.host.getSession(session)!.defaultChat!;
    const tab = browser.openTab();
    tab.show(chat, { session });
    await browser.advance(0);
    expect(tab.store.session!.lifecycle).to.equal('creating');

    tab.send('early');
    await browser.advance(0);
    expect(browser.host.dispatched('chat/turnStarted')).to.have.length(0);
    expect(tab.store.status.pending).to.equal(1);
    isReady();
    await browser.advance(50);

    expect(browser.host.dispatched('chat/turnStarted')).to.have.length(1);
  });

  it('fails visibly when the host does not have the chat, keeps the draft, and asks again on demand', async () => {
    const browser = new Browser();
    const tab = browser.openTab();
    tab.show('ahp-chat:/none');
    await browser.advance(0);

    expect(tab.store.status.phase).to.equal('failed');
    expect(tab.store.status.error!.rpc?.code).to.be.oneOf([RpcCode.NotFound, RpcCode.SessionNotFound]);
    tab.type('still here');
    const before = browser.host.sent('subscribe').length;
    tab.store.reconnectNow();
    await browser.advance(0);

    expect(browser.host.sent('subscribe')).to.have.length(before + 1);
    expect(tab.draft.message.text).to.equal('still here');
  });

  it('asks the page for the token a tool call waits for, once', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    const required: (readonly [McpAuthRequirement, string | undefined])[] = [];
    tab.store.onAuthRequired((requirement, toolCallId) => required.push([requirement, toolCallId]));
    const turnId = tab.send('go');
    await browser.advance(0);
    const call = { turnId, toolCallId: 'c' };
    const contributor = { kind: 'mcp' as const, customizationId: 'm' };
    const auth = { reason: 'required' as const, resource: { resource: 'https://api.example' } };
    browser.host.dispatch({ type: 'chat/toolCallStart', ...call, toolName: 't', displayName: 'T', contributor });
    browser.host.dispatch({ type: 'chat/toolCallReady', ...call, invocationMessage: 'T', confirmed: 'not-needed' });
    browser.host.dispatch({ type: 'chat/toolCallAuthRequired', ...call, auth });
    browser.host.dispatch({ type: 'chat/activityChanged', activity: 'waiting' });
    await browser.advance(50);
    expect(required).to.deep.equal([[auth, 'c']]);

    browser.host.drop();
    await browser.advance(5_000);
    expect(tab.store.status.phase).to.equal('live');
    expect(required).to.have.length(1);

    browser.host.dispatch({ type: 'chat/toolCallAuthResolved', ...call });
    browser.host.dispatch({ type: 'chat/toolCallAuthRequired', ...call, auth });
    await browser.advance(50);
    expect(required).to.have.length(2);
  });

  it('sends an approval once, however often the connection breaks after it was acknowledged', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    const turnId = tab.send('go');
    await browser.advance(0);
    const call = { turnId, toolCallId: 'c' };
    browser.host.dispatch({ type: 'chat/toolCallStart', ...call, toolName: 't', displayName: 'T' });
    browser.host.dispatch({ type: 'chat/toolCallReady', ...call, invocationMessage: 'T' });
    await browser.advance(50);
    tab.store.dispatch(toolCallApproved(call));
    await browser.advance(50);

    for (let count = 0; count < 3; count++) {
      browser.host.drop();
      await browser.advance(3_000);
    }

    expect(browser.host.dispatched('chat/toolCallConfirmed')).to.have.length(1);
  });

  it('is told that the chat was removed from its session', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();

    browser.host.dispatch({ type: 'session/chatRemoved', chat: CHAT }, SESSION);
    await browser.advance(50);

    expect(tab.store.status).to.include({ phase: 'failed' });
    expect(tab.store.status.error!.code).to.equal('gone');
  });
});

describe('older turns', () => {
  const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `t${from + index}`);

  it('come page by page from the host, one load at a time', async () => {
    const browser = new Browser({ turns: createTurns(120) });
    const tab = await browser.openChat();
    expect(tab.state.turns).to.have.length(50);

    await Promise.all([tab.store.loadOlderTurns(), tab.store.loadOlderTurns(), browser.advance(0)]);
    expect(browser.host.sent('fetchTurns')).to.have.length(1);
    while (tab.state.turnsNextCursor !== undefined) await Promise.all([tab.store.loadOlderTurns(), browser.advance(0)]);

    expect(tab.state.turns.map(({ id }) => id)).to.deep.equal(ids(1, 120));
    await tab.store.loadOlderTurns();
  });

  it('are not offered any more by a host that answers without turns', async () => {
    const browser = new Browser({ turns: createTurns(120) });
    const tab = await browser.openChat();
    browser.host.ignoresFetchTurns = true;

    await Promise.all([tab.store.loadOlderTurns(), browser.advance(0)]);

    expect(tab.state.turnsNextCursor).to.equal(undefined);
    expect(tab.state.turns).to.have.length(50);
  });

  it('come from this device first, also offline', async () => {
    const browser = new Browser({ turns: createTurns(120) });
    const first = await browser.openChat();
    while (first.state.turnsNextCursor !== undefined) {
      await Promise.all([first.store.loadOlderTurns(), browser.advance(0)]);
    }
    browser.host.isReachable = false;
    const tab = await first.reload();
    expect(tab.state.turns).to.have.length(50);
    expect(tab.state.turnsNextCursor).to.be.a('string');
    const fetched = browser.host.sent('fetchTurns').length;

    await tab.store.loadOlderTurns();
    await tab.store.loadOlderTurns();

    expect(tab.state.turns.map(({ id }) => id)).to.deep.equal(ids(1, 120));
    expect(tab.state.turnsNextCursor).to.equal(undefined);
    expect(browser.host.sent('fetchTurns')).to.have.length(fetched);
  });

  it('take a new cursor after a reconnect, since cursors die with the connection', async () => {
    const browser = new Browser({ turns: createTurns(120) });
    const tab = await browser.openChat();
    browser.host.drop();
    await browser.advance(3_000);
    expect(tab.state.turnsNextCursor).to.be.a('string');

    await Promise.all([tab.store.loadOlderTurns(), browser.advance(0)]);

    expect(tab.state.turns.map(({ id }) => id)).to.deep.equal(ids(21, 120));
    expect(tab.store.status.phase).to.equal('live');
  });

  it('go on from the host where this device has no more', async () => {
    const browser = new Browser({ turns: createTurns(200) });
    const first = await browser.openChat();
    await Promise.all([first.store.loadOlderTurns(), browser.advance(0)]);
    const tab = await first.reload();

    while (tab.state.turnsNextCursor !== undefined) await Promise.all([tab.store.loadOlderTurns(), browser.advance(0)]);

    expect(tab.state.turns.map(({ id }) => id)).to.deep.equal(ids(1, 200));
  });
});
