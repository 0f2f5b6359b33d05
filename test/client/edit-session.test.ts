import { expect } from '@open-wc/testing';
import type { EditKey } from '../../src/chat/edits.js';
import { Browser, type Tab } from '../helpers/browser.js';
import { CHAT, userMessage } from '../helpers/scripted-host.js';

const write = (tab: Tab, text: string, key: EditKey = 'pending p') =>
  tab.chat.edits.set(key, { was: 'as it was', message: userMessage(text) });
const written = (tab: Tab, key: EditKey = 'pending p') => tab.chat.edits.find(key)?.message.text;

describe('what is half written in place of a message', () => {
  it('is there after a reload, and after a page that left in the middle of a word', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    write(tab, 'half', 'turn t');
    await browser.advance(200);
    write(tab, 'ha');

    const again = await tab.reload();

    expect([written(again), written(again, 'turn t')]).to.deep.equal(['ha', 'half']);
  });

  it('is there when its chat was left and is opened again', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    write(tab, 'half');

    await tab.close();
    const again = await browser.openChat(tab.session);

    expect(written(again)).to.equal('half');
  });

  it('is taken over by a new tab when the old one is gone', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    write(tab, 'half');
    await browser.advance(200);

    await tab.kill();
    const other = await browser.openChat();

    expect(written(other)).to.equal('half');
  });

  it('is taken over beside what is half written there, of which none is lost', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    const other = await browser.openChat();
    write(tab, 'mine');
    write(tab, 'mine alone', 'turn t');
    write(other, 'theirs');
    await browser.advance(200);

    await other.kill();
    await browser.advance(60_000);

    expect([written(tab), written(tab, 'turn t')]).to.deep.equal(['mine', 'mine alone']);
    expect(tab.draft.message.text).to.equal('theirs');
  });

  it('leaves nothing behind when it is sent or given up', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();
    write(tab, 'half');
    await browser.advance(200);

    tab.chat.edits.set('pending p', undefined);
    await browser.advance(200);

    const { draft } = await browser.disk.loadChat(`${CHAT}#edits`, { clientId: tab.clientId, turns: 0, now: 0 });
    expect(draft).to.equal(undefined);
    expect(browser.local.keys()).to.deep.equal([]);
  });

  it('goes to nobody else', async () => {
    const browser = new Browser();
    const tab = await browser.openChat();

    write(tab, 'a secret');
    tab.chat.flush();
    await browser.advance(60_000);

    expect(JSON.stringify(browser.host.received)).to.not.contain('a secret');
  });
});
