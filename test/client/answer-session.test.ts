import { expect } from '@open-wc/testing';
import { inputCompleted } from '../../src/chat/actions.js';
import type { ChatInputRequest, InputAnswer } from '../../src/protocol/state.js';
import { Browser, type Tab } from '../helpers/browser.js';
import { CHAT, userMessage } from '../helpers/scripted-host.js';

const request: ChatInputRequest = {
  id: 'r',
  questions: [
    { id: 'branch', kind: 'text', message: 'Which branch?' },
    { id: 'name', kind: 'text', message: 'Which name?' },
  ],
};
const text = (value: string, state: 'draft' | 'submitted' = 'draft'): InputAnswer => ({
  state,
  value: { kind: 'text', value },
});

/** A host that asks, and a tab that shows the question. */
async function asking(): Promise<{ browser: Browser; tab: Tab }> {
  const browser = new Browser();
  browser.host.host.startTurn(CHAT, userMessage('go'));
  ask(browser);
  const tab = await browser.openChat();
  return { browser, tab };
}

const ask = ({ host }: Browser) => host.dispatch({ type: 'chat/inputRequested', request });
const enter = (tab: Tab, value: string, questionId = 'branch') =>
  tab.chat.answers.change('r', questionId, value === '' ? undefined : text(value));
const entered = (tab: Tab, questionId = 'branch') => tab.chat.answers.find('r')?.answers.get(questionId);
const sent = ({ host }: Browser) => host.dispatched('chat/inputAnswerChanged');
const theirs = ({ host }: Browser) => {
  const part = host.chat.activeTurn?.responseParts.find(({ kind }) => kind === 'inputRequest');
  return part?.kind === 'inputRequest' ? part.request.answers : undefined;
};
const foreign = ({ host }: Browser, value: string, questionId = 'branch') =>
  host.dispatch({ type: 'chat/inputAnswerChanged', requestId: 'r', questionId, answer: text(value) });
const goAway = ({ host }: Browser) => {
  host.isReachable = false;
  host.drop();
};
const accept = (tab: Tab, value: string) => {
  const answers = { branch: text(value, 'submitted') };
  tab.chat.answers.complete('r', answers);
  tab.store.dispatch(inputCompleted('r', 'accept', answers));
};

describe('what is entered into a form', () => {
  it('reaches the host a second after it was begun, once, as it is then', async () => {
    const { browser, tab } = await asking();

    enter(tab, 'm');
    await browser.advance(900);
    enter(tab, 'main');
    const before = sent(browser).length;
    await browser.advance(100);

    expect(before).to.equal(0);
    expect(sent(browser)).to.have.length(1);
    expect(theirs(browser)).to.deep.equal({ branch: text('main') });
  });

  it('is sent and kept at once when the field or the page is left', async () => {
    const { browser, tab } = await asking();

    enter(tab, 'main');
    tab.chat.answers.flush();
    await browser.advance(0);

    expect(sent(browser)).to.have.length(1);
  });

  it('is taken away at the host when it is taken away here', async () => {
    const { browser, tab } = await asking();
    enter(tab, 'main');
    await browser.advance(1_000);

    enter(tab, '');
    await browser.advance(1_000);

    expect(theirs(browser)).to.equal(undefined);
  });

  it('sends nothing for what comes to the same', async () => {
    const { browser, tab } = await asking();
    enter(tab, 'main');
    await browser.advance(1_000);

    enter(tab, 'other');
    enter(tab, 'main');
    await browser.advance(1_000);

    expect(sent(browser)).to.have.length(1);
  });

  it('never goes through the outbox', async () => {
    const { browser, tab } = await asking();

    enter(tab, 'main');
    tab.chat.answers.flush();

    expect(tab.store.status.pending).to.equal(0);
    await browser.advance(20_000);
    expect(tab.store.status.unconfirmed).to.be.empty;
  });

  it('is there after a reload while the host is away, and goes out when it is back', async () => {
    const { browser, tab } = await asking();
    goAway(browser);
    await browser.advance(0);
    enter(tab, 'main');
    await browser.advance(200);

    tab.environment.kill();
    const again = await browser.openChat(tab.session);
    const kept = entered(again);
    browser.host.isReachable = true;
    await browser.advance(60_000);

    expect(kept).to.deep.equal(text('main'));
    expect(theirs(browser)).to.deep.equal({ branch: text('main') });
  });

  it('is there after a page that left in the middle of a word', async () => {
    const { browser, tab } = await asking();
    enter(tab, 'ma');

    tab.leave();
    tab.environment.kill();
    const again = await browser.openChat(tab.session);
    await browser.advance(1_000);

    expect(theirs(browser)).to.deep.equal({ branch: text('ma') });
    expect(again.store.status.pending).to.equal(0);
  });

  it('is taken over by a new tab when the old one is gone', async () => {
    const { browser, tab } = await asking();
    goAway(browser);
    await browser.advance(0);
    enter(tab, 'main');
    await browser.advance(200);

    tab.environment.kill();
    const other = await browser.openChat();

    expect(entered(other)).to.deep.equal(text('main'));
  });

  it('leaves nothing behind when the host has it', async () => {
    const { browser, tab } = await asking();

    enter(tab, 'main');
    await browser.advance(2_000);
    await browser.advance(2_000);

    expect(tab.chat.answers.find('r')?.answers.size).to.equal(0);
    const { draft } = await browser.disk.loadChat(`${CHAT}#answers`, { clientId: tab.clientId, turns: 0, now: 0 });
    expect(draft).to.equal(undefined);
  });

  describe('beside what others enter', () => {
    it('is merged question by question', async () => {
      const { browser, tab } = await asking();

      enter(tab, 'main');
      foreign(browser, 'Ada', 'name');
      await browser.advance(1_000);

      expect(theirs(browser)).to.deep.equal({ branch: text('main'), name: text('Ada') });
    });

    it('stands back where somebody wrote later', async () => {
      const { browser, tab } = await asking();
      enter(tab, 'main');
      await browser.advance(1_000);

      foreign(browser, 'theirs');
      await browser.advance(0);

      expect(entered(tab)).to.equal(undefined);
    });

    it('wins over what came while it was being written', async () => {
      const { browser, tab } = await asking();
      enter(tab, 'mai');

      foreign(browser, 'theirs');
      await browser.advance(0);
      enter(tab, 'main');
      await browser.advance(1_000);

      expect(theirs(browser)).to.deep.equal({ branch: text('main') });
    });

    it('is kept, and not sent by itself, where others wrote while this device was away', async () => {
      const { browser, tab } = await asking();
      goAway(browser);
      await browser.advance(0);
      enter(tab, 'mine');
      foreign(browser, 'theirs');

      browser.host.isReachable = true;
      await browser.advance(60_000);

      expect(theirs(browser)).to.deep.equal({ branch: text('theirs') });
      expect(entered(tab)).to.deep.equal(text('mine'));
    });
  });

  describe('at the end of the request', () => {
    it('is forgotten with the answer that took it, of which no draft goes out later', async () => {
      const { browser, tab } = await asking();
      enter(tab, 'main');

      accept(tab, 'main');
      await browser.advance(5_000);

      expect(sent(browser)).to.be.empty;
      expect(browser.host.dispatched('chat/inputCompleted')).to.have.length(1);
      expect(tab.chat.answers.find('r')).to.equal(undefined);
    });

    it('is back when the host refuses the answer, with the reason', async () => {
      const { browser, tab } = await asking();
      browser.host.refuseNext('chat/inputCompleted', 'not today');

      accept(tab, 'main');
      await browser.advance(0);

      expect(tab.chat.answers.find('r')?.refusal).to.contain('not today');
      expect(entered(tab)).to.deep.equal(text('main', 'submitted'));
      expect(tab.store.isOpen('r')).to.equal(true);
    });

    for (const by of ['other', 'host'] as const)
      it(`stays readable when the request is closed by the ${by}`, async () => {
        const { browser, tab } = await asking();
        enter(tab, 'main');
        if (by === 'host') browser.host.dispatch(inputCompleted('r', 'accept', { branch: text('theirs') }));
        else accept(await browser.openChat(), 'theirs');
        await browser.advance(2_000);

        const { answers, closedBy } = tab.chat.answers.find('r')!;
        expect(answers.get('branch')).to.deep.equal(text('main'));
        expect(closedBy).to.equal(by);
        expect(sent(browser)).to.be.empty;
      });

    it('stays readable when the turn has ended before the answer reached the host', async () => {
      const { browser, tab } = await asking();
      goAway(browser);
      accept(tab, 'main');
      await browser.advance(100);

      browser.host.dispatch({ type: 'chat/turnComplete', turnId: browser.host.chat.activeTurn!.id, duration: 1 });
      browser.host.isReachable = true;
      await browser.advance(60_000);

      expect([tab.store.status.phase, tab.store.status.pending]).to.deep.equal(['live', 0]);
      expect(entered(tab)).to.deep.equal(text('main', 'submitted'));
    });

    it('stays readable when the turn ends without an answer', async () => {
      const { browser, tab } = await asking();
      enter(tab, 'main');

      const { id } = browser.host.chat.activeTurn!;
      browser.host.dispatch({ type: 'chat/turnComplete', turnId: id, duration: 1 });
      await browser.advance(2_000);

      expect(entered(tab)).to.deep.equal(text('main'));
      expect(sent(browser)).to.be.empty;
    });
  });
});
