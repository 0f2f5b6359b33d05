/** A frame that never arrives on a connection that goes on: what it changed is missed by nobody until the host is asked. */
import { expect } from '@open-wc/testing';
import { pendingMessageRemoved, toolCallDenied } from '../../src/chat/actions.js';
import { Browser, type Tab } from '../helpers/browser.js';
import { CHAT, SESSION } from '../helpers/scripted-host.js';

/** Does `act` while every frame to the clients is lost, then lets time pass in which the host says other things. */
async function loseEchoOf(browser: Browser, act: () => void): Promise<void> {
  browser.host.hold();
  act();
  await browser.advance(0);
  browser.host.loseHeld();
  browser.host.dispatch({ type: 'chat/activityChanged', activity: 'something else' });
  await browser.advance(3_000);
  browser.host.dispatch({ type: 'chat/activityChanged', activity: 'something newer' });
  await browser.advance(0);
}

/** A turn runs and two messages wait, of which the first is taken out; the echo of that is lost. */
async function loseRemoval(browser: Browser, tab: Tab): Promise<void> {
  tab.send('runs');
  await browser.advance(0);
  const waiting = tab.send('waits');
  tab.send('waits longer');
  await browser.advance(0);
  await loseEchoOf(browser, () => tab.store.dispatch(pendingMessageRemoved('queued', waiting)));
}

function expectTruth(browser: Browser, tab: Tab): void {
  const { turns, activeTurn, queuedMessages } = browser.host.chat;
  expect(tab.state.turns).to.deep.equal(turns);
  expect(tab.state.activeTurn).to.deep.equal(activeTurn);
  expect(tab.state.queuedMessages).to.deep.equal(queuedMessages);
  expect(tab.store.status).to.deep.include({ phase: 'live', pending: 0, unconfirmed: [] });
}

describe('an echo that is lost', () => {
  it('is missed after ten seconds, and the host is asked instead of the person', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    await loseRemoval(browser, tab);

    await browser.advance(10_000);

    expectTruth(browser, tab);
  });

  it('is in no replay, so the chat is asked for whole after one', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    await loseRemoval(browser, tab);

    browser.host.drop();
    await browser.advance(1_000);

    expectTruth(browser, tab);
    expect(browser.host.sent('reconnect')).to.have.length(1);
    expect(browser.host.dispatched('chat/pendingMessageRemoved')).to.have.length(1);
  });

  it('is made good by the next connection when the host was asked on a dead one', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    await loseRemoval(browser, tab);
    browser.host.isHalfOpen = true;
    await browser.advance(9_500);

    browser.host.isHalfOpen = false;
    browser.host.drop();
    await browser.advance(2_000);

    expectTruth(browser, tab);
  });

  it('is made good over a reload', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    await loseRemoval(browser, tab);

    const next = await tab.reload();
    await browser.advance(2_000);

    expectTruth(browser, next);
  });

  it('is missed when it comes with a number that other things have overtaken', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    browser.host.hold();
    tab.send('runs');
    await browser.advance(0);
    browser.host.loseHeld();
    browser.host.dispatch({ type: 'chat/activityChanged', activity: 'something else' });
    await browser.advance(0);

    // Within the time for which the host may have held things back, so that its replay has the echo as well.
    browser.host.drop();
    await browser.advance(1_000);

    expectTruth(browser, tab);
    expect(tab.state.activeTurn?.message.text).to.equal('runs');
  });
});

describe('what an echo that is lost has changed', () => {
  it('is not kept in turns that the host’s window no longer has', async () => {
    const browser = new Browser();
    const tab = browser.openTab();
    tab.show(CHAT, { session: SESSION, turns: 2 });
    await browser.advance(0);
    tab.send('denied');
    await browser.advance(0);
    const { activeTurn } = browser.host.chat;
    const call = { turnId: activeTurn!.id, toolCallId: 'call' };
    browser.host.dispatch({ type: 'chat/toolCallStart', ...call, toolName: 'write', displayName: 'Write' });
    browser.host.dispatch({ type: 'chat/toolCallReady', ...call, invocationMessage: 'Write it' });
    await browser.advance(0);
    await loseEchoOf(browser, () => tab.store.dispatch(toolCallDenied(call)));
    browser.host.dispatch({ type: 'chat/turnComplete', turnId: call.turnId, duration: 1 });
    for (const text of ['two', 'three', 'four']) browser.host.say(text);
    await browser.advance(10_000);

    const { turns } = browser.host.chat;
    expect(tab.state.turns).to.deep.equal(turns.slice(-tab.state.turns.length));
    expect(tab.state.turns.length).to.be.greaterThan(1);
  });

  it('is made good for a page back from the cache, whose intent another tab has taken over', async () => {
    const browser = new Browser();
    const cached = await browser.openChat();
    browser.host.hold();
    cached.send('runs');
    await browser.advance(0);
    browser.host.loseHeld();
    browser.host.dispatch({ type: 'chat/activityChanged', activity: 'something else' });
    await browser.advance(0);
    cached.leave();
    await browser.openChat();
    await browser.advance(1_000);

    await cached.comeBack();
    await browser.advance(5_000);

    expectTruth(browser, cached);
  });
});

describe('a frame that cannot be read', () => {
  it('leaves no turn in place that it may have cut off', async () => {
    const browser = new Browser();
    const tab = browser.openTab();
    tab.show(CHAT, { session: SESSION, turns: 2 });
    await browser.advance(0);
    for (const text of ['one', 'two', 'cut off']) browser.host.say(text);
    await browser.advance(1_000);
    browser.host.inject('{"torn');
    await browser.advance(100);
    browser.host.hold();
    browser.host.dispatch({ type: 'chat/truncated', turnId: browser.host.chat.turns.at(-2)!.id });
    await browser.advance(0);
    browser.host.loseHeld();
    browser.host.inject('{"torn');
    for (const text of ['three', 'four']) browser.host.say(text);
    await browser.advance(15_000);

    const { turns } = browser.host.chat;
    expect(tab.state.turns).to.deep.equal(turns.slice(-tab.state.turns.length));
  });

  it('is made good over a reload, whatever was read after it', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    browser.host.say('one');
    await browser.advance(1_000);
    browser.host.inject('{"torn');
    await browser.advance(0);
    // The host has just been asked; another torn frame has to wait for its turn.
    browser.host.hold();
    browser.host.say('lost');
    await browser.advance(0);
    browser.host.loseHeld();
    browser.host.inject('{"torn');
    browser.host.say('two');
    await browser.advance(1_000);

    const next = await tab.reload();
    await browser.advance(1_000);

    expectTruth(browser, next);
    expect(next.state.turns).to.have.length(3);
  });
});
