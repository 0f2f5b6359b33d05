import { expect } from '@open-wc/testing';
import { pendingMessageEdited, pendingMessageRemoved, queuedMessagesReordered } from '../../src/chat/actions.js';
import { toSendGroup } from '../../src/client/send-group.js';
import type { ChatState, Message } from '../../src/protocol/state.js';
import { Browser, type Tab } from '../helpers/browser.js';
import { CHAT, userMessage } from '../helpers/scripted-host.js';

/** A tab beside a running turn. */
async function busyTab(browser: Browser): Promise<Tab> {
  const tab = await browser.openChat();
  tab.send('run');
  await browser.advance(100);
  return tab;
}

const queuedTexts = ({ queuedMessages = [] }: ChatState) => queuedMessages.map(({ message }) => message.text);
const turnTexts = ({ turns, activeTurn }: ChatState) =>
  [...turns, ...(activeTurn ? [activeTurn] : [])].map(({ message }) => message.text);

/** Changes what waits under `id`. */
function edit(tab: Tab, id: string, text: string, kind: 'queued' | 'steering' = 'queued'): void {
  const all = [...(tab.state.queuedMessages ?? []), ...(tab.state.steeringMessage ? [tab.state.steeringMessage] : [])];
  const message: Message = { ...all.find((entry) => entry.id === id)!.message, text };
  tab.store.dispatch(pendingMessageEdited(kind, id, message));
}

function endTurn(browser: Browser): void {
  const turnId = browser.host.chat.activeTurn!.id;
  browser.host.dispatch({ type: 'chat/turnComplete', turnId, duration: 1 });
}

describe('a message that waits', () => {
  it('is changed in place, for everybody', async () => {
    const browser = new Browser();
    const tab = await busyTab(browser);
    const other = await browser.openChat();
    tab.send('first');
    const second = tab.send('second');
    tab.send('third');
    await browser.advance(100);

    edit(tab, second, 'second, better');
    await browser.advance(100);

    expect(queuedTexts(other.state)).to.deep.equal(['first', 'second, better', 'third']);
    expect(browser.host.chat.queuedMessages![1]!.message._meta).to.deep.equal({ 'ahp-chat/pending': { id: second } });
    expect(tab.rejections).to.be.empty;
  });

  it('comes back as a draft when the host has taken it before the change arrives, and runs once', async () => {
    const browser = new Browser();
    const tab = await busyTab(browser);
    const id = tab.send('first');
    await browser.advance(100);

    browser.host.hold();
    edit(tab, id, 'first, better');
    endTurn(browser);
    await browser.advance(100);
    browser.host.release();
    await browser.advance(100);

    expect(turnTexts(browser.host.chat)).to.deep.equal(['run', 'first']);
    expect(browser.host.chat.queuedMessages).to.equal(undefined);
    expect(tab.draft.message.text).to.equal('first, better');
    expect(tab.rejections.map(({ code }) => code)).to.deep.equal(['taken']);
  });

  it('is taken out again where the host queues a change that came too late', async () => {
    const browser = new Browser();
    const tab = await busyTab(browser);
    const id = tab.send('go left', { steers: true });
    await browser.advance(100);

    // The host reads it into the turn, which leaves no trace but the empty slot.
    browser.host.hold();
    edit(tab, id, 'go right', 'steering');
    browser.host.dispatch({ type: 'chat/pendingMessageRemoved', kind: 'steering', id });
    browser.host.release();
    await browser.advance(100);

    expect(browser.host.chat.steeringMessage).to.equal(undefined);
    expect(tab.state.steeringMessage).to.equal(undefined);
    expect(tab.draft.message.text).to.equal('go right');
    expect(tab.rejections.map(({ code }) => code)).to.deep.equal(['taken']);
  });

  it('comes back as a draft also when all of that is heard only after a reconnect', async () => {
    const browser = new Browser();
    const tab = await busyTab(browser);
    const id = tab.send('go left', { steers: true });
    await browser.advance(100);

    browser.host.dispatch({ type: 'chat/pendingMessageRemoved', kind: 'steering', id });
    edit(tab, id, 'go right', 'steering');
    browser.host.drop();
    await browser.advance(5_000);

    expect(browser.host.chat.steeringMessage).to.equal(undefined);
    const offered = [
      tab.draft.message.text,
      ...tab.store.status.unconfirmed.flatMap(({ actions }) => textsOf(actions)),
    ];
    expect(offered.filter((text) => text === 'go right')).to.have.length(1);
  });

  it('is changed after a reconnect when the change was lost', async () => {
    const browser = new Browser();
    const tab = await busyTab(browser);
    const id = tab.send('first');
    await browser.advance(100);

    browser.host.ignoreNext('chat/pendingMessageSet');
    edit(tab, id, 'first, better');
    await browser.advance(10);
    browser.host.drop();
    await browser.advance(5_000);

    expect(queuedTexts(browser.host.chat)).to.deep.equal(['first, better']);
    expect(tab.store.status.unconfirmed).to.be.empty;
  });

  it('keeps the last order when two tabs move messages at once, and both tabs show the same', async () => {
    const browser = new Browser();
    const tab = await busyTab(browser);
    const other = await browser.openChat();
    const [a, b, c] = ['a', 'b', 'c'].map((text) => tab.send(text));
    await browser.advance(100);

    tab.store.dispatch(queuedMessagesReordered([b!, a!, c!]));
    other.store.dispatch(queuedMessagesReordered([c!, a!, b!]));
    await browser.advance(100);

    expect(queuedTexts(tab.state)).to.deep.equal(queuedTexts(browser.host.chat));
    expect(queuedTexts(other.state)).to.deep.equal(queuedTexts(browser.host.chat));
    expect(queuedTexts(browser.host.chat)).to.have.members(['a', 'b', 'c']);
  });

  it('is not lost by an order that was made without it', async () => {
    const browser = new Browser();
    const tab = await busyTab(browser);
    const other = await browser.openChat();
    const [a, b] = ['a', 'b'].map((text) => tab.send(text));
    await browser.advance(100);

    other.send('c');
    tab.store.dispatch(queuedMessagesReordered([b!, a!]));
    await browser.advance(100);

    expect(queuedTexts(tab.state)).to.deep.equal(['b', 'a', 'c']);
  });

  it('stands where it stood when the host refuses to move or remove it', async () => {
    const browser = new Browser();
    const tab = await busyTab(browser);
    const [a, b] = ['a', 'b'].map((text) => tab.send(text));
    await browser.advance(100);

    browser.host.refuseNext('chat/queuedMessagesReordered');
    tab.store.dispatch(queuedMessagesReordered([b!, a!]));
    expect(queuedTexts(tab.state)).to.deep.equal(['b', 'a']);
    await browser.advance(100);
    expect(queuedTexts(tab.state)).to.deep.equal(['a', 'b']);

    browser.host.refuseNext('chat/pendingMessageRemoved');
    tab.store.dispatch(pendingMessageRemoved('queued', a!));
    expect(queuedTexts(tab.state)).to.deep.equal(['b']);
    await browser.advance(100);
    expect(queuedTexts(tab.state)).to.deep.equal(['a', 'b']);
    expect(tab.rejections).to.have.length(2);
    expect(tab.draft.message.text).to.equal('');
  });
});

describe('a second steering message', () => {
  it('AHP-07: goes out behind the first, which is never replaced without a trace', async () => {
    const browser = new Browser();
    const tab = await busyTab(browser);
    tab.send('go left', { steers: true });
    await browser.advance(100);

    tab.type('mind the step', { attachments: [{ type: 'simple', label: 'step', modelRepresentation: 'step' }] });
    tab.send(undefined, { steers: true });
    await browser.advance(100);

    expect(browser.host.chat.steeringMessage!.message).to.deep.include({
      text: 'go left\n\nmind the step',
      origin: { kind: 'user' },
      attachments: [{ type: 'simple', label: 'step', modelRepresentation: 'step' }],
    });
  });

  it('does the same while both are on their way, and where both were lost and the person sends them again', async () => {
    const browser = new Browser();
    const tab = await busyTab(browser);

    const steer = (text: string) =>
      tab.store.dispatch(
        ...toSendGroup(userMessage(text), { environment: tab.environment, state: tab.state, steers: true }),
      );
    browser.host.ignoreNext('chat/pendingMessageSet');
    browser.host.ignoreNext('chat/pendingMessageSet');
    steer('one');
    steer('two');
    expect(tab.state.steeringMessage!.message.text).to.equal('one\n\ntwo');
    await browser.advance(10);
    browser.host.drop();
    await browser.advance(5_000);
    expect(browser.host.chat.steeringMessage).to.equal(undefined);
    for (const { id } of tab.store.status.unconfirmed) tab.store.retry(id);
    await browser.advance(100);

    expect(browser.host.chat.steeringMessage!.message.text).to.equal('one\n\ntwo');
    expect(tab.store.status.unconfirmed).to.be.empty;
  });

  it('is not replaced by the first one, which is sent again without need after a lost echo', async () => {
    const browser = new Browser();
    const tab = await busyTab(browser);

    tab.send('one', { steers: true });
    tab.send('two', { steers: true });
    browser.host.dropAfter(0);
    await browser.advance(5_000);

    expect(browser.host.chat.steeringMessage!.message.text).to.equal('one\n\ntwo');
    expect(tab.store.status.unconfirmed).to.be.empty;
  });

  it('starts afresh once the host has taken the first', async () => {
    const browser = new Browser();
    const tab = await busyTab(browser);
    const id = tab.send('one', { steers: true });
    await browser.advance(100);
    browser.host.dispatch({ type: 'chat/pendingMessageRemoved', kind: 'steering', id });
    await browser.advance(100);

    tab.send('two', { steers: true });
    await browser.advance(100);

    expect(browser.host.chat.steeringMessage!.message.text).to.equal('two');
  });

  it('gives back only itself when it is refused: the first one still waits', async () => {
    const browser = new Browser();
    const tab = await busyTab(browser);
    tab.send('one', { steers: true });
    await browser.advance(100);

    browser.host.refuseNext('chat/pendingMessageSet');
    tab.send('two', { steers: true });
    await browser.advance(100);

    expect(tab.draft.message.text).to.equal('two');
    expect(tab.state.steeringMessage!.message.text).to.equal('one');
  });

  it('goes out as the person’s own message, whoever wrote the first', async () => {
    const browser = new Browser();
    const tab = await busyTab(browser);
    const message: Message = { ...userMessage('from the host'), origin: { kind: 'automation' } };
    browser.host.dispatch({ type: 'chat/pendingMessageSet', kind: 'steering', id: 'h', message });
    await browser.advance(100);

    tab.send('mine', { steers: true });
    await browser.advance(100);

    expect(browser.host.chat.steeringMessage!.message).to.deep.include({
      text: 'from the host\n\nmine',
      origin: { kind: 'user' },
    });
  });
});

describe('steering messages where both sides know the list', () => {
  const listed = ({ steeringMessages = [] }: ChatState) => steeringMessages.map(({ message }) => message.text);
  const withList = () => new Browser({ steeringMessages: true });

  it('stand beside each other, each as it was written', async () => {
    const browser = withList();
    const tab = await busyTab(browser);
    const other = await browser.openChat();

    tab.send('go left', { steers: true });
    tab.send('mind the step', { steers: true });
    const soon = listed(tab.state);
    await browser.advance(100);

    expect(soon).to.deep.equal(['go left', 'mind the step']);
    expect(listed(browser.host.chat)).to.deep.equal(['go left', 'mind the step']);
    expect(listed(other.state)).to.deep.equal(['go left', 'mind the step']);
    expect(browser.host.chat.steeringMessage).to.equal(undefined);
    expect(tab.store.status.pending).to.equal(0);
  });

  it('stand beside the slot, which takes what is written before it is known that there is a list', async () => {
    const browser = withList();
    const tab = await busyTab(browser);
    tab.send('go left', { steers: true });
    await browser.advance(1_000);

    browser.host.isReachable = false;
    const again = await tab.reload();
    again.send('mind the step', { steers: true });
    browser.host.isReachable = true;
    await browser.advance(60_000);

    expect(listed(browser.host.chat)).to.deep.equal(['go left']);
    expect(browser.host.chat.steeringMessage?.message.text).to.equal('mind the step');
  });

  it('are each read once, also where their echo was lost', async () => {
    const browser = withList();
    const tab = await busyTab(browser);

    tab.send('go left', { steers: true });
    tab.send('mind the step', { steers: true });
    browser.host.dropAfter(0);
    await browser.advance(5_000);
    const read = [browser.host.turn!.takeSteering(), browser.host.turn!.takeSteering()];
    await browser.advance(100);

    expect(read.map((entry) => entry?.message.text)).to.deep.equal(['go left', 'mind the step']);
    expect(browser.host.turn!.takeSteering()).to.equal(undefined);
    expect(listed(tab.state)).to.deep.equal([]);
    expect(tab.store.status.unconfirmed).to.be.empty;
  });

  it('comes back as a draft when the host refuses one, and the others still wait', async () => {
    const browser = withList();
    const tab = await busyTab(browser);
    tab.send('go left', { steers: true });
    await browser.advance(100);

    browser.host.refuseNext('chat/steeringMessageSet');
    tab.send('mind the step', { steers: true });
    await browser.advance(100);

    expect(tab.draft.message.text).to.equal('mind the step');
    expect(listed(tab.state)).to.deep.equal(['go left']);
  });

  it('wait behind the turn where the next host has no list, and replace nothing in its slot', async () => {
    const browser = withList();
    const tab = await busyTab(browser);
    browser.host.isReachable = false;
    browser.host.drop();
    tab.send('go left', { steers: true });

    browser.host.restart({ steeringMessages: false });
    browser.host.isReachable = true;
    browser.host.host.startTurn(CHAT, userMessage('go on'));
    browser.host.dispatch({
      type: 'chat/pendingMessageSet',
      kind: 'steering',
      id: 'theirs',
      message: userMessage('theirs'),
    });
    await browser.advance(60_000);

    const { chat } = browser.host;
    expect(chat.steeringMessage?.message.text).to.equal('theirs');
    expect(queuedTexts(chat)).to.deep.equal(['go left']);
  });
});

const textsOf = (actions: readonly object[]): readonly string[] =>
  actions.flatMap((action) => ('message' in action ? [(action.message as Message).text] : []));
