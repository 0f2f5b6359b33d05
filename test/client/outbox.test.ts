import { expect } from '@open-wc/testing';
import { turnStarted } from '../../src/chat/actions.js';
import { Browser, type Tab } from '../helpers/browser.js';
import { CHAT, userMessage } from '../helpers/scripted-host.js';

const stored = async (tab: Tab) =>
  (await tab.browser.disk.loadChat(CHAT, { clientId: tab.clientId, turns: 0, now: 0 })).outbox;
const start = (id: string) => turnStarted(id, userMessage(id), '2026-01-01T00:00:00.000Z');
/** The ids of the turns whose start has reached the host, in order. */
const startedOn = (browser: Browser) =>
  browser.host.dispatched().flatMap((action) => (action.type === 'chat/turnStarted' ? [action.turnId] : []));
/** Sends `text` from a page that is left before the disk has it. The id of the turn. */
function leaveUnwritten(tab: Tab, text: string): string {
  const { disk } = tab.browser;
  disk.isLost = true;
  const turnId = tab.send(text);
  tab.leave();
  disk.isLost = false;
  return turnId;
}

describe('writing ahead', () => {
  it('puts an intent on disk, as sent, before it leaves, and takes it away when it is proven', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    browser.disk.hold();

    tab.send('hello');
    await browser.advance(100);
    expect(browser.host.dispatched()).to.deep.equal([]);
    expect((await stored(tab)).map(({ action, sends }) => [action.type, sends])).to.deep.equal([
      ['chat/turnStarted', 1],
      ['chat/draftChanged', 1],
    ]);

    browser.disk.release();
    await browser.advance(0);
    expect(browser.host.dispatched().map(({ type }) => type)).to.deep.equal(['chat/turnStarted', 'chat/draftChanged']);
    expect(await stored(tab)).to.deep.equal([]);
  });

  it('lets a message go after 250 ms when the disk has not answered, and says that it is not kept', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    browser.disk.hold();
    browser.host.hold();

    tab.store.dispatch(start('slow'));
    await browser.advance(249);
    expect(browser.host.dispatched()).to.have.length(0);
    await browser.advance(1);
    expect(browser.host.dispatched()).to.have.length(1);
    expect(tab.store.status.notKept).to.equal('storage-failed');

    // The disk answers after all.
    browser.disk.release();
    await browser.advance(0);
    expect(tab.store.status.notKept).to.equal(undefined);
  });

  it('sends from memory when the disk is broken', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    browser.disk.isBroken = true;
    browser.host.hold();

    const turnId = tab.send('hello');
    await browser.advance(0);
    expect(tab.store.status.notKept).to.equal('storage-failed');
    browser.host.release();
    await browser.advance(0);

    expect(browser.host.chat.activeTurn!.id).to.equal(turnId);
    expect(tab.store.status.notKept).to.equal(undefined);
  });

  it('says why nothing is kept where the mirror knows', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();

    browser.disk.setNotKept('quota');

    expect(tab.store.status.notKept).to.equal('quota');
  });

  it('keeps the order of intents, whichever the disk answers first', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    browser.disk.hold();
    const first = tab.send('first');
    const second = tab.send('second');

    await browser.advance(300);

    const sent = browser.host.dispatched().filter(({ type }) => type !== 'chat/draftChanged');
    expect(sent.map((action) => ('turnId' in action ? action.turnId : 'id' in action ? action.id : ''))).to.deep.equal([
      first,
      second,
    ]);
  });

  it('ends the draft on disk in the same step', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    tab.type('hello');
    tab.draft.flush();
    await browser.advance(0);

    tab.send();
    await browser.advance(0);

    const { draft } = await browser.disk.loadChat(CHAT, { clientId: tab.clientId, turns: 0, now: 0 });
    expect(draft?.message.text).to.equal('');
  });

  it('keeps what others have left beside the draft, in the same step', async () => {
    const browser = new Browser();
    const gone = await browser.openChat();
    gone.type('left by a tab that is gone');
    const tab = await browser.openChat();
    tab.type('mine');
    await browser.advance(300);
    await gone.kill();
    await browser.advance(21_000);
    const before = tab.draft.offers.map(({ text }) => text);

    tab.send();
    await tab.kill();

    const next = await browser.openChat(tab.session);
    await browser.advance(1_000);
    expect(before).to.deep.equal(['left by a tab that is gone']);
    expect([next.draft.message, ...next.draft.offers].map(({ text }) => text)).to.include(before[0]);
  });

  it('writes that an intent from offline goes out, before it does', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    browser.host.isReachable = false;
    browser.host.drop();
    await browser.advance(0);
    tab.store.dispatch(start('offline'));
    await browser.advance(300);
    expect((await stored(tab)).map(({ sends }) => sends)).to.deep.equal([0]);

    browser.disk.hold();
    browser.host.isReachable = true;
    tab.store.reconnectNow();
    await browser.advance(100);
    expect((await stored(tab)).map(({ sends }) => sends)).to.deep.equal([1]);
    expect(browser.host.dispatched()).to.have.length(0);
    browser.disk.release();
    await browser.advance(0);

    expect(browser.host.dispatched()).to.have.length(1);
  });

  it('keeps a message whose write was lost with the page, and sends it once', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    const turnId = leaveUnwritten(tab, 'hello');
    const next = await tab.reload();
    await browser.advance(3000);

    expect(startedOn(browser)).to.deep.equal([turnId]);
    expect(next.draft.message.text).to.equal('');
    expect(browser.local.keys()).to.deep.equal([]);
    expect(await stored(next)).to.deep.equal([]);
  });

  it('sends it once also where the page comes back from the cache', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    const turnId = leaveUnwritten(tab, 'hello');
    await tab.comeBack();
    await browser.advance(3000);

    expect(startedOn(browser)).to.deep.equal([turnId]);
    expect(browser.local.keys()).to.deep.equal([]);
  });

  it('gives it to another tab when its own is gone for good', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    const turnId = leaveUnwritten(tab, 'hello');
    await tab.kill();

    await browser.openChat();
    await browser.advance(3000);

    expect(startedOn(browser)).to.deep.equal([turnId]);
    expect(browser.local.keys()).to.deep.equal([]);
  });

  it('sends what a full disk could not take over as soon as there is room', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    const turnId = leaveUnwritten(tab, 'hello');
    browser.disk.isBroken = true;
    await tab.reload();
    await browser.advance(3000);
    expect(startedOn(browser)).to.deep.equal([]);

    browser.disk.isBroken = false;
    await browser.advance(25_000);

    expect(startedOn(browser)).to.deep.equal([turnId]);
    expect(browser.local.keys()).to.deep.equal([]);
  });

  it('leaves what a full disk could not take over beside what is unwritten when its page is left as well', async () => {
    const browser = new Browser();
    const first = await browser.openChat();
    const turnId = leaveUnwritten(first, 'hello');
    browser.disk.isBroken = true;
    const second = await first.reload();
    browser.disk.isBroken = false;
    const other = leaveUnwritten(second, 'and this');

    await second.reload();
    await browser.advance(3000);

    expect(startedOn(browser)).to.deep.equal([turnId, other]);
  });

  it('leaves nothing at the origin of what the disk has, or where somebody signed out', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    browser.host.hold();
    tab.send('hello');
    await browser.advance(0);

    tab.leave();
    expect(browser.local.keys().filter((key) => key.startsWith('ahp-chat:outbox:'))).to.deep.equal([]);

    const other = await new Browser().openChat();
    other.browser.disk.isLost = true;
    other.send('secret');
    other.browser.disk.setNotKept('cleared');
    other.leave();
    expect(other.browser.local.keys()).to.deep.equal([]);
  });

  it('ignores what somebody else wrote under its key', async () => {
    const browser = new Browser();
    const first = await browser.openChat();
    browser.local.set(`ahp-chat:outbox:host:${first.clientId}:${CHAT}`, '[{"clientSeq":1},7,{]');
    const next = await first.reload();
    browser.local.set(`ahp-chat:outbox:host:${first.clientId}:${CHAT}`, '[{"clientSeq":1},7]');

    const last = await next.reload();

    expect(last.store.status.pending).to.equal(0);
    expect(browser.host.dispatched()).to.deep.equal([]);
  });

  it('holds nothing of what was given up', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    browser.host.refuseNext('chat/turnStarted');
    tab.send('refused');
    await browser.advance(0);

    expect(await stored(tab)).to.deep.equal([]);
  });
});
