import { expect } from '@open-wc/testing';
import { turnStarted } from '../../src/chat/actions.js';
import { DiskMirror } from '../helpers/disk-mirror.js';
import { Browser, type Tab } from '../helpers/browser.js';
import { settle } from '../helpers/manual-environment.js';
import { CHAT, SESSION, createTurns, userMessage } from '../helpers/scripted-host.js';

const outboxOf = async (tab: Tab) =>
  (await tab.browser.disk.loadChat(CHAT, { clientId: tab.clientId, turns: 0, now: 0 })).outbox;
const messages = (browser: Browser) => {
  const { turns, activeTurn } = browser.host.chat;
  return [...turns, ...(activeTurn ? [activeTurn] : [])].map(({ message }) => message.text);
};
const start = (id: string) => turnStarted(id, userMessage(id), '2026-01-01T00:00:00.000Z');

describe('a reload', () => {
  it('shows the transcript from this device while the host is down, and takes up where it was', async () => {
    const browser = new Browser({ turns: createTurns(3) });
    const before = await browser.openChat();
    browser.host.isReachable = false;
    const tab = await before.reload();
    expect(tab.store.status.phase).to.equal('offline');
    expect(tab.state.turns.map(({ id }) => id)).to.deep.equal(['t1', 't2', 't3']);
    const turnId = tab.send('offline');
    expect(tab.state.activeTurn!.id).to.equal(turnId);

    browser.host.isReachable = true;
    tab.store.reconnectNow();
    await browser.advance(3_000);

    expect(tab.clientId).to.equal(before.clientId);
    expect(browser.host.sent('reconnect')).to.have.length(1);
    expect(browser.host.sent('initialize')).to.have.length(1);
    expect(browser.host.sent('reconnect')[0]).to.include({ clientId: before.clientId });
    expect(messages(browser).at(-1)).to.equal('offline');
    expect(tab.store.status).to.include({ phase: 'live', pending: 0 });
    expect(tab.store.session).to.include({ title: 'One' });
  });

  it('claims no more than the oldest state it has', async () => {
    const browser = new Browser();
    const before = await browser.openChat();
    browser.host.say('one');
    await browser.advance(600);
    const applied = before.store.current()!.fromSeq;

    await before.reload();

    expect(browser.host.sent('reconnect')[0]).to.have.property('lastSeenServerSeq', applied);
  });

  it('goes on from nothing that another tab has written of a host that counted otherwise', async () => {
    const browser = new Browser();
    let isCutOff = false;
    const connect = (signal: AbortSignal) =>
      isCutOff ? new Promise<never>(() => undefined) : browser.transport.connect(signal);
    await browser.openChat(undefined, { transport: { isLocal: true, connect } });
    browser.host.say('one');
    await browser.advance(1_000);
    isCutOff = true;
    browser.host.restart({ serverSeq: 'anew' });
    const tab = await browser.openChat();
    browser.host.say('two');
    browser.host.say('three');
    await browser.advance(1_000);

    const next = await tab.reload();
    await browser.advance(1_000);

    expect(next.state.turns).to.deep.equal(browser.host.chat.turns);
    expect(next.store.status.phase).to.equal('live');
  });

  it('that follows another at once keeps what was typed in both', async () => {
    const browser = new Browser();
    const first = await browser.openChat();
    first.type('typed first');
    first.leave();
    first.environment.kill();
    const second = browser.openTab(first.session);
    second.show();
    second.type('typed second');
    second.leave();
    second.environment.kill();

    const tab = await browser.openChat(first.session);
    await browser.advance(1_000);

    const texts = [tab.draft.message, ...tab.draft.offers].map(({ text }) => text).join('\n');
    expect(texts).to.include('typed first');
    expect(texts).to.include('typed second');
  });

  it('sends a message typed offline exactly once, over any number of reloads', async () => {
    const browser = new Browser();
    let tab = await browser.openChat();
    browser.host.isReachable = false;
    browser.host.drop();
    await browser.advance(0);
    tab.send('typed offline');
    await browser.advance(0);
    for (let count = 0; count < 3; count++) tab = await tab.reload();
    expect(tab.store.status.pending).to.equal(1);
    expect(tab.draft.message.text).to.equal('');

    browser.host.isReachable = true;
    tab.store.reconnectNow();
    await browser.advance(5_000);

    expect(messages(browser)).to.deep.equal(['typed offline']);
    expect(browser.host.chat.queuedMessages).to.equal(undefined);
    expect(await outboxOf(tab)).to.deep.equal([]);
  });

  it('in the middle of a send neither loses nor doubles it', async () => {
    const browser = new Browser();
    const before = await browser.openChat();
    browser.host.hold();
    before.send('on its way');
    await browser.advance(0);
    expect(messages(browser)).to.deep.equal(['on its way']);

    const tab = await before.reload();
    await browser.advance(5_000);

    expect(messages(browser)).to.deep.equal(['on its way']);
    expect(browser.host.dispatched('chat/turnStarted')).to.have.length(1);
    expect(tab.store.status).to.include({ phase: 'live', pending: 0 });
    expect(tab.draft.message.text).to.equal('');
  });

  it('never uses a number twice, drafts included', async () => {
    const browser = new Browser();
    let tab = await browser.openChat();
    for (let count = 0; count < 3; count++) {
      tab.type(`text ${count}`);
      await browser.advance(1_100);
      tab.send();
      await browser.advance(100);
      tab = await tab.reload();
    }

    const seqs = browser.host.sent('dispatchAction').map(({ clientSeq }) => clientSeq as number);
    expect(new Set(seqs).size).to.equal(seqs.length);
    expect(seqs).to.deep.equal([...seqs].sort((a, b) => a - b));
  });

  it('during a running turn keeps text, model and attachments', async () => {
    const browser = new Browser();
    const before = await browser.openChat();
    before.send('go');
    await browser.advance(0);
    const attachments = [{ type: 'resource' as const, label: 'a', uri: 'file:///a' }];
    before.type('next', { model: { id: 'model-a' }, attachments });

    const tab = await before.reload();

    expect(tab.draft.message).to.deep.equal(userMessage('next', { model: { id: 'model-a' }, attachments }));
  });

  it('goes on without the disk when that does not answer', async () => {
    const browser = new Browser();
    const disk = browser.disk;
    let answer: () => void = () => undefined;
    const loadChat = disk.loadChat.bind(disk);
    disk.loadChat = async (...args) => {
      await new Promise<void>((resolve) => (answer = resolve));
      return loadChat(...args);
    };
    const tab = await browser.openChat();
    expect(tab.store.status.phase).to.equal('loading');

    await browser.advance(1_000);
    expect(tab.store.status.phase).to.equal('live');
    tab.send('works');
    await browser.advance(300);
    expect(messages(browser)).to.deep.equal(['works']);
    answer();
    await browser.advance(0);
    expect(tab.store.status).to.include({ phase: 'live', pending: 0 });
  });

  it('keeps what was sent before the client knew who it is', async () => {
    const browser = new Browser();
    const tab = browser.openTab();
    tab.show();
    tab.store.dispatch(start('early'));
    expect(tab.store.status.pending).to.equal(1);

    await browser.advance(0);

    expect(messages(browser)).to.deep.equal(['early']);
  });
});

describe('a chat that nobody shows any more', () => {
  it('goes on until the host is proven to have what was sent in it, and no longer', async () => {
    const browser = new Browser();
    const before = await browser.openChat();
    browser.host.isReachable = false;
    const tab = await before.reload();
    tab.send('and off to another');
    tab.hide();
    await browser.advance(60_000);

    browser.host.isReachable = true;
    tab.client.client.reconnectNow();
    await browser.advance(3_000);

    expect(messages(browser)).to.deep.equal(['and off to another']);
    expect(browser.host.sent('unsubscribe').map(({ channel }) => channel)).to.include(CHAT);
  });
});

describe('two tabs', () => {
  it('have an id each, also when one is a duplicate of the other, which has nothing pending', async () => {
    const browser = new Browser();
    const first = await browser.openChat();
    browser.host.isReachable = false;
    browser.host.drop();
    await browser.advance(0);
    first.send('mine');
    await browser.advance(0);

    const second = browser.openTab(first.session.copy());
    second.show();
    await browser.advance(300);

    expect(second.clientId).not.to.equal(first.clientId);
    expect(second.store.status.pending).to.equal(0);
    expect(first.store.status.pending).to.equal(1);
    browser.host.isReachable = true;
    await browser.advance(60_000);
    expect(messages(browser)).to.deep.equal(['mine']);
  });

  it('see each other’s messages, and one of them writes the transcript', async () => {
    const browser = new Browser();
    const [first, second] = [await browser.openChat(), await browser.openChat()];
    let writes = 0;
    const saveChat = browser.disk.saveChat.bind(browser.disk);
    browser.disk.saveChat = (...args) => {
      writes++;
      return saveChat(...args);
    };

    first.send('hello');
    await browser.advance(50);
    browser.host.say('answer', browser.host.chat.activeTurn!.id);
    await browser.advance(50);

    expect(second.state).to.deep.equal(first.state);
    // Only the running turn, then the finished one: not once per tab.
    expect(writes).to.be.at.most(2);
  });

  it('hand the transcript over when the one that writes is closed', async () => {
    const browser = new Browser();
    const [first, second] = [await browser.openChat(), await browser.openChat()];
    await first.close();
    await browser.advance(0);
    browser.host.say('later');
    await browser.advance(50);
    await second.close();

    browser.host.isReachable = false;
    const tab = await browser.openChat();
    expect(tab.state.turns.at(-1)!.message.text).to.equal('about later');
  });

  it('do not fight over a draft', async () => {
    const browser = new Browser();
    const [first, second] = [await browser.openChat(), await browser.openChat()];
    first.type('from the first');
    second.type('from the second');
    await browser.advance(30_000);

    expect(first.draft.message.text).to.equal('from the first');
    expect(second.draft.message.text).to.equal('from the second');
    expect(browser.host.dispatched('chat/draftChanged').length).to.be.at.most(2);
  });
});

describe('what a tab that is gone has left', () => {
  /** A tab killed with a message that never went out. */
  async function leaveBehind(browser: Browser, text = 'left behind') {
    const gone = await browser.openChat();
    browser.host.isReachable = false;
    browser.host.drop();
    await browser.advance(0);
    gone.send(text);
    await browser.advance(0);
    await gone.kill();
    browser.host.isReachable = true;
    return gone;
  }

  const never = () => new Promise<never>(() => undefined);

  /** A tab that shows the chat and never gets as far as opening it. */
  function showUnopened(browser: Browser) {
    const early = browser.openTab(undefined, { mirror: Object.assign(new DiskMirror(), { openClient: never }) });
    early.show();
    return early;
  }

  it('is taken over by the next tab, under numbers of its own, and sent once', async () => {
    const browser = new Browser();
    const gone = await leaveBehind(browser);

    const tab = await browser.openChat();
    await browser.advance(5_000);

    expect(messages(browser)).to.deep.equal(['left behind']);
    expect(tab.store.status.pending).to.equal(0);
    expect((await browser.disk.listClients()).map(({ clientId }) => clientId)).to.deep.equal([tab.clientId]);
    expect(gone.clientId).not.to.equal(tab.clientId);
  });

  it('is not sent again when the host has it', async () => {
    const browser = new Browser();
    const gone = await browser.openChat();
    browser.host.hold();
    gone.send('heard');
    await browser.advance(0);
    await gone.kill();

    const tab = await browser.openChat();
    await browser.advance(5_000);

    expect(messages(browser)).to.deep.equal(['heard']);
    expect(browser.host.dispatched('chat/turnStarted')).to.have.length(1);
    expect(tab.store.status.pending).to.equal(0);
  });

  it('is taken over by a tab that is open already, after a look', async () => {
    const browser = new Browser();
    const open = await browser.openChat();
    await leaveBehind(browser);
    open.store.reconnectNow();
    await browser.advance(30_000);

    expect(messages(browser)).to.deep.equal(['left behind']);
    expect(open.store.status.pending).to.equal(0);
  });

  it('is taken over by one of two, never by both', async () => {
    const browser = new Browser();
    await leaveBehind(browser);
    const tabs = [browser.openTab(), browser.openTab()];
    for (const tab of tabs) tab.show();
    await browser.advance(40_000);

    expect(messages(browser)).to.deep.equal(['left behind']);
    expect(browser.host.chat.queuedMessages).to.equal(undefined);
    expect(browser.host.dispatched('chat/turnStarted')).to.have.length(1);
  });

  it('includes the draft, from the disk or from where the page left it', async () => {
    const browser = new Browser();
    browser.host.isReachable = false;
    const first = await browser.openChat();
    first.type('half a thought');
    first.leave();
    first.environment.kill();

    const tab = await browser.openChat();

    expect(tab.draft.message.text).to.equal('half a thought');
    expect(browser.local.keys()).to.deep.equal([]);
  });

  it('includes the drafts of several, one after the other, beside what stands in the composer, over a reload', async () => {
    const browser = new Browser();
    browser.host.isReachable = false;
    const both = [await browser.openChat(), await browser.openChat()];
    for (const [index, gone] of both.entries()) gone.type(['of one', 'of another'][index]!);
    await browser.advance(300);
    for (const gone of both) await gone.kill();
    const adopter = browser.openTab();
    adopter.show();
    adopter.type('mine');
    await browser.advance(1_000);

    const tab = await adopter.reload();

    const texts = [tab.draft.message, ...tab.draft.offers].map(({ text }) => text);
    expect(texts[0]).to.contain('mine');
    expect(texts.join(' ')).to.contain('of one').and.to.contain('of another');
    const [first] = tab.draft.offers;
    tab.draft.acceptOffer();
    expect(tab.draft.message).to.deep.equal(first);
  });

  it('includes what the host refused a moment before', async () => {
    const browser = new Browser();
    const gone = await browser.openChat();
    browser.host.refuseNext('chat/turnStarted');
    gone.send('refused');
    await browser.advance(0);
    await gone.kill();

    const tab = await browser.openChat();

    expect(tab.draft.message.text).to.equal('refused');
  });

  it('includes the draft of before a reload when something else was sent before that was read', async () => {
    const browser = new Browser();
    const first = await browser.openChat();
    first.type('half a thought');
    await browser.advance(300);
    first.leave();
    first.environment.kill();
    const second = browser.openTab(first.session);
    second.show();
    second.send('sent at once');
    await browser.advance(50);
    await second.kill();

    const tab = await browser.openChat();
    await browser.advance(1_000);

    expect([tab.draft.message, ...tab.draft.offers].map(({ text }) => text)).to.include('half a thought');
  });

  it('includes what was typed and sent before the tab had opened', async () => {
    const browser = new Browser();
    const early = showUnopened(browser);
    early.send('sent at once');
    early.type('typed at once');
    early.leave();
    early.environment.kill();

    const tab = await browser.openChat();
    await browser.advance(5_000);
    expect(messages(browser)).to.deep.equal(['sent at once']);
    expect(tab.draft.message.text).to.equal('typed at once');
    expect(browser.local.keys()).to.deep.equal([]);
  });

  it('is there once, however often its page was left before it had opened', async () => {
    const browser = new Browser();
    const early = showUnopened(browser);
    early.send('sent at once');
    early.leave();
    early.environment.emit('pageshow');
    early.leave();
    early.environment.kill();

    await browser.openChat();
    await browser.advance(5_000);

    expect(browser.host.dispatched('chat/turnStarted')).to.have.length(1);
    expect(browser.local.keys()).to.deep.equal([]);
  });

  it('is found again when the page that was taking it over is left', async () => {
    const browser = new Browser();
    const early = showUnopened(browser);
    early.type('typed at once');
    early.leave();
    early.environment.kill();
    const { disk } = browser;
    const adopt = disk.adopt.bind(disk);
    disk.adopt = never;
    const second = await browser.openChat();
    await second.kill();
    disk.adopt = adopt;
    expect(browser.local.keys()).to.deep.equal([]);

    const tab = await browser.openChat();
    await browser.advance(1_000);

    expect(tab.draft.message.text).to.equal('typed at once');
  });

  it('is left by a page on its way back under no name that somebody else has', async () => {
    const browser = new Browser();
    const cached = await browser.openChat();
    cached.leave();
    const other = await browser.openChat(cached.session.copy());
    expect(other.clientId).to.equal(cached.clientId);

    cached.environment.emit('pageshow');
    cached.type('typed on the way back');
    cached.leave();
    cached.environment.kill();
    await browser.advance(25_000);

    expect(other.draft.message.text).to.equal('typed on the way back');
  });

  it('waits for the person here as it did there', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    const first = await browser.openChat();
    browser.host.ignoreNext('chat/turnStarted');
    first.send('not heard');
    await browser.advance(13_000);
    browser.host.host.startTurn(CHAT, userMessage('theirs'));
    await browser.advance(0);
    const reloaded = await first.reload();
    await browser.advance(3_000);
    expect(reloaded.store.status.unconfirmed).to.have.length(1);
    await reloaded.kill();
    browser.host.dispatch({ type: 'chat/turnComplete', turnId: browser.host.chat.activeTurn!.id, duration: 1 });

    await browser.advance(25_000);

    expect(tab.store.status.unconfirmed.map(({ actions }) => JSON.stringify(actions))[0]).to.include('not heard');
    expect(browser.host.dispatched('chat/turnStarted')).to.have.length(1);
  });

  it('stays with a tab that lives, whatever it is doing', async () => {
    const browser = new Browser();
    const first = await browser.openChat();
    browser.host.isReachable = false;
    browser.host.drop();
    await browser.advance(0);
    first.send('mine');
    await browser.advance(0);

    const second = await browser.openChat();
    await browser.advance(120_000);

    expect(second.store.status.pending).to.equal(0);
    expect(first.store.status.pending).to.equal(1);
  });

  it('is free without locks when its tab has been silent for a minute', async () => {
    const browser = new Browser({ hasLocks: false });
    await leaveBehind(browser);
    const tab = await browser.openChat();
    await browser.advance(30_000);
    expect(messages(browser)).to.deep.equal([]);

    await browser.advance(60_000);

    expect(messages(browser)).to.deep.equal(['left behind']);
    expect(tab.store.status.pending).to.equal(0);
  });
});

describe('a page that is left', () => {
  it('closes its socket, lets its locks go, and comes back with one socket and everything it had', async () => {
    const browser = new Browser({ turns: createTurns(1) });
    const tab = await browser.openChat();
    tab.type('typed');
    tab.leave();
    await browser.advance(0);
    expect(browser.host.links).to.equal(0);
    browser.host.say('meanwhile');
    await browser.advance(600_000);

    await tab.comeBack();

    expect(browser.host.links).to.equal(1);
    expect(tab.store.status.phase).to.equal('live');
    expect(tab.state.turns.at(-1)!.message.text).to.equal('about meanwhile');
    expect(tab.draft.message.text).to.equal('typed');
    expect(browser.local.keys()).to.deep.equal([]);
  });

  it('gives its pending message to nobody while it is only reloaded, and finds it again', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    browser.host.isReachable = false;
    browser.host.drop();
    await browser.advance(0);
    tab.send('mine');
    await browser.advance(0);
    tab.leave();
    await tab.comeBack();

    expect(tab.store.status.pending).to.equal(1);
    browser.host.isReachable = true;
    tab.store.reconnectNow();
    await browser.advance(5_000);
    expect(messages(browser)).to.deep.equal(['mine']);
  });

  it('comes back without what another tab has taken over meanwhile', async () => {
    const browser = new Browser();
    const cached = await browser.openChat();
    browser.host.isReachable = false;
    browser.host.drop();
    await browser.advance(0);
    cached.send('mine');
    await browser.advance(0);
    cached.leave();
    browser.host.isReachable = true;
    const other = await browser.openChat();
    await browser.advance(5_000);
    expect(messages(browser)).to.deep.equal(['mine']);

    await cached.comeBack();
    await browser.advance(5_000);

    expect(cached.store.status.pending).to.equal(0);
    expect(messages(browser)).to.deep.equal(['mine']);
    expect(other.clientId).not.to.equal(cached.clientId);
    expect(browser.host.dispatched('chat/turnStarted')).to.have.length(1);
  });

  it('still sends what it has in memory where all that was kept was deleted meanwhile', async () => {
    const browser = new Browser();
    const cached = await browser.openChat();
    browser.host.isReachable = false;
    browser.host.drop();
    await browser.advance(0);
    cached.send('mine');
    cached.type('half');
    await browser.advance(300);
    cached.leave();
    await browser.disk.clear();
    browser.disk.setNotKept('cleared');

    await cached.comeBack();
    await browser.advance(300);

    expect(cached.store.status.pending).to.equal(1);
    browser.host.isReachable = true;
    cached.store.reconnectNow();
    await browser.advance(5_000);
    expect(messages(browser)).to.deep.equal(['mine']);
    expect(cached.draft.message.text).to.equal('half');
  });

  it('sends nothing again that another tab has taken over before it was on disk', async () => {
    const browser = new Browser();
    const cached = await browser.openChat();
    cached.send('runs');
    await browser.advance(0);
    browser.disk.isLost = true;
    cached.send('waits');
    cached.leave();
    browser.disk.isLost = false;
    await browser.openChat();
    await browser.advance(3_000);
    const [waiting] = browser.host.chat.queuedMessages!;
    expect(waiting?.message.text).to.equal('waits');
    browser.host.dispatch({ type: 'chat/pendingMessageRemoved', kind: 'queued', id: waiting!.id });

    await cached.comeBack();
    await browser.advance(5_000);

    expect(browser.host.dispatched('chat/pendingMessageSet')).to.have.length(1);
    expect(browser.host.chat.queuedMessages ?? []).to.deep.equal([]);
    expect(cached.store.status).to.deep.include({ pending: 0, unconfirmed: [] });
  });

  it('keeps what was sent while it came back', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    tab.leave();
    await browser.advance(1_000);

    browser.disk.hold();
    tab.environment.emit('pageshow');
    tab.send('in between');
    await browser.advance(300);
    browser.disk.release();
    await browser.advance(5_000);

    expect(messages(browser)).to.deep.equal(['in between']);
    expect(tab.store.status.pending).to.equal(0);
  });

  it('sends what was written while it came back under the name that it gets', async () => {
    const browser = new Browser();
    const cached = await browser.openChat();
    cached.leave();
    const thief = browser.openTab(cached.session.copy());
    thief.show();
    await browser.advance(300);
    expect(thief.clientId).to.equal(cached.clientId);

    cached.environment.emit('pageshow');
    cached.send('in between');
    await browser.advance(5_000);

    expect(messages(browser)).to.deep.equal(['in between']);
    expect(cached.store.status.pending).to.equal(0);
    expect(cached.clientId).not.to.equal(thief.clientId);
  });

  it('sends what is written then, also where numbers of its former name are still unheard of', async () => {
    const browser = new Browser();
    const cached = await browser.openChat();
    browser.host.hold();
    cached.send('one');
    await browser.advance(0);
    browser.host.loseHeld();
    cached.leave();
    const thief = await browser.openChat(cached.session.copy());
    expect(thief.clientId).to.equal(cached.clientId);

    cached.environment.emit('pageshow');
    cached.send('two');
    await browser.advance(15_000);

    const { queuedMessages = [] } = browser.host.chat;
    const all = [...messages(browser), ...queuedMessages.map(({ message }) => message.text)];
    expect(all.toSorted()).to.deep.equal(['one', 'two']);
    expect(cached.store.status).to.deep.include({ pending: 0, unconfirmed: [] });
  });

  it('finds what a duplicate that had its name meanwhile has typed', async () => {
    const browser = new Browser();
    const cached = await browser.openChat();
    cached.leave();
    const duplicate = await browser.openChat(cached.session.copy());
    expect(duplicate.clientId).to.equal(cached.clientId);
    browser.host.isReachable = false;
    browser.host.drop();
    duplicate.type('typed in the duplicate');
    await browser.advance(300);
    await duplicate.kill();

    await cached.comeBack();
    await browser.advance(300);

    expect(cached.draft.message.text).to.equal('typed in the duplicate');
  });

  it('leaves numbers that a duplicate of it does not use again', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    const copy = tab.session.copy();
    browser.disk.isLost = true;
    browser.host.isReachable = false;
    browser.host.drop();
    tab.send('left at the origin');
    tab.leave();
    tab.environment.kill();
    browser.disk.isLost = false;

    const duplicate = await browser.openChat(copy);
    expect(duplicate.clientId).to.equal(tab.clientId);
    duplicate.send('its own');
    browser.host.isReachable = true;
    duplicate.store.reconnectNow();
    await browser.advance(10_000);

    const numbers = browser.host.sent('dispatchAction').map(({ clientSeq }) => clientSeq);
    expect(new Set(numbers).size).to.equal(numbers.length);
    expect([
      ...messages(browser),
      ...(browser.host.chat.queuedMessages ?? []).map(({ message }) => message.text),
    ]).to.have.members(['left at the origin', 'its own']);
  });

  it('takes a fresh id, with nothing pending, when somebody has its name', async () => {
    const browser = new Browser();
    const cached = await browser.openChat();
    const before = cached.clientId;
    cached.leave();
    await browser.environment.locks!.tryAcquire('unrelated');
    const thief = browser.openTab(cached.session.copy());
    thief.show();
    await browser.advance(300);
    expect(thief.clientId).to.equal(before);

    await cached.comeBack();
    await browser.advance(300);

    expect(cached.clientId).not.to.equal(before);
    expect(cached.store.status.phase).to.equal('live');
    expect(browser.host.sent('initialize').at(-1)).to.include({ clientId: cached.clientId });
  });

  it('keeps what never reached the disk, under the fresh id', async () => {
    const browser = new Browser();
    const cached = await browser.openChat();
    browser.host.isReachable = false;
    browser.host.drop();
    browser.disk.isBroken = true;
    cached.send('only in memory');
    await browser.advance(300);
    browser.disk.isBroken = false;
    cached.leave();
    const thief = browser.openTab(cached.session.copy());
    thief.show();
    await browser.advance(300);

    await cached.comeBack();
    browser.host.isReachable = true;
    cached.store.reconnectNow();
    await browser.advance(5_000);

    expect(messages(browser)).to.deep.equal(['only in memory']);
    expect(cached.store.status.pending).to.equal(0);
  });

  it('is in step with the host when it was left before it had opened', async () => {
    const browser = new Browser();
    const tab = browser.openTab();
    tab.show();
    tab.type('typed at once');
    tab.leave();
    await browser.advance(1_000);

    await tab.comeBack();
    await browser.advance(5_000);

    expect(tab.store.status.phase).to.equal('live');
    tab.send();
    await browser.advance(1_000);
    expect(messages(browser)).to.deep.equal(['typed at once']);
    expect(tab.store.status.pending).to.equal(0);
    expect(browser.host.links).to.equal(1);
  });

  it('writes its draft when it is only hidden', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    tab.type('typed');

    tab.environment.emit('hidden');
    await settle();

    const { draft } = await browser.disk.loadChat(CHAT, { clientId: tab.clientId, turns: 0, now: 0 });
    expect(draft!.message.text).to.equal('typed');
    expect(browser.host.chat.draft!.text).to.equal('typed');
  });
});

describe('leaving for good', () => {
  it('leaves no link, no timer and no listener', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    tab.send('hello');
    await browser.advance(50);

    await tab.close();
    await browser.advance(0);
    // The host has timers of its own for a client it has lost.
    browser.host.close();

    expect(browser.host.links).to.equal(0);
    expect(tab.environment.listeners).to.equal(0);
    expect(browser.environment.clock.pendingTimers).to.equal(0);
    expect((browser.locks as { isHeld(name: string): boolean }).isHeld(`ahp-chat:client:${tab.clientId}`)).to.equal(
      false,
    );
  });

  it('clears everything on request', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    tab.type('typed');
    tab.draft.flush();
    browser.host.say('text');
    await browser.advance(600);

    await tab.client.clearMirror();

    expect(await browser.disk.findLastChat()).to.equal(undefined);
    expect(browser.local.keys()).to.deep.equal([]);
  });

  it('writes nothing again of what was cleared, until something new is written', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    const kept = async () => (await browser.disk.loadChat(CHAT, { clientId: tab.clientId, turns: 0, now: 0 })).draft;
    tab.type('a secret');
    await browser.advance(100);

    await tab.client.clearMirror();
    // The text goes to the host, whose echo is no reason to keep it here.
    await browser.advance(2_000);
    expect(browser.host.chat.draft?.text).to.equal('a secret');
    expect(await kept()).to.equal(undefined);
    tab.type('something else');
    await browser.advance(200);

    expect((await kept())?.message.text).to.equal('something else');
  });

  it('leaves nothing behind of what was cleared when it is left', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    tab.type('a secret');

    await tab.client.clearMirror();
    tab.leave();
    await browser.advance(1_000);

    expect(browser.local.keys()).to.deep.equal([]);
    expect(browser.host.chat.draft).to.equal(undefined);
  });

  it('tells the host nothing of what stays between two documents of the page', async () => {
    const browser = new Browser();
    const tab = browser.openTab();
    tab.show('ahp-chat:/one', {});
    await browser.advance(0);

    // The page named only the chat: the host is asked which session lists it.
    expect(browser.host.sent('listSessions')).to.have.length(1);
    expect(tab.store.session?.resource).to.equal(SESSION);
  });
});
