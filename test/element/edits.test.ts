/** What is half written in place of messages, in the whole element: it survives, or it is given back. */

import { expect } from '@open-wc/testing';
import { pendingMessageRemoved, pendingMessageSet, truncated } from '../../src/chat/actions.js';
import type { AhpChat } from '../../src/element/ahp-chat.js';
import { comeToRest, composerOf, fixtureOf, transcriptOf, turnsOf, writtenIn } from '../helpers/chat-element.js';
import { turn } from '../helpers/chat-states.js';
import { CHAT, PageHost } from '../helpers/page-host.js';
import { waitUntil } from '../helpers/until.js';
import { find, findAll, findButton, textOf, type } from '../helpers/views.js';

const said = (text: string) => ({ text, origin: { kind: 'user' } }) as const;
const waitingHost = () => new PageHost({ hooks: { runTurn: (running) => running.until(() => undefined) } });
const rowFieldOf = (chat: AhpChat) => composerOf(chat)!.shadowRoot!.querySelector<HTMLTextAreaElement>('li textarea');
const noticeOf = (chat: AhpChat) => findAll(composerOf(chat)!, '.rows .row').map(textOf).join();

/** A turn runs, and a message waits behind it. */
function busyHost(): PageHost {
  const host = waitingHost();
  host.host.startTurn(CHAT, said('go'));
  host.host.dispatch(CHAT, pendingMessageSet('queued', 'q', said('first')));
  return host;
}

async function editRow(chat: AhpChat): Promise<void> {
  await waitUntil(() => composerOf(chat)!.shadowRoot!.querySelector('[data-control=edit]'), 'the tools are there');
  findButton(composerOf(chat)!, 'Edit first').click();
  await comeToRest(chat);
  await type(', better');
}

async function editTurn(chat: AhpChat, place: number): Promise<void> {
  await waitUntil(() => findAll(transcriptOf(chat), '.actions').length > 0, 'the footers are there');
  findButton(turnsOf(chat)[place]!, 'Edit message').click();
  await comeToRest(chat);
  await type(', better');
}

/** As if the tab had been closed and opened again: another element, the same disk. */
async function leaveAndReturn(chat: AhpChat, host: PageHost): Promise<AhpChat> {
  chat.remove();
  await waitUntil(() => host.links === 0, 'the link is closed');
  return fixtureOf(host);
}

describe('a half-edited message in <ahp-chat>', () => {
  it('stays in its row when the chat is left and opened again', async () => {
    const host = busyHost();
    const chat = await fixtureOf(host);
    await editRow(chat);

    const again = await leaveAndReturn(chat, host);
    await waitUntil(() => rowFieldOf(again), 'the row is edited');

    expect(rowFieldOf(again)!.value).to.equal('first, better');
    expect(writtenIn(again)).to.equal('');
  });

  it('stays in its turn when the chat is left and opened again', async () => {
    const host = new PageHost({ turns: [turn('a'), turn('b')] });
    const chat = await fixtureOf(host);
    await editTurn(chat, 0);

    const again = await leaveAndReturn(chat, host);
    await waitUntil(() => findAll(transcriptOf(again), 'ahp-message-editor').length > 0, 'the turn is edited');

    expect(find<HTMLTextAreaElement>(transcriptOf(again), 'ahp-message-editor textarea').value).to.match(/, better$/);
  });

  it('moves to the composer when the host takes it out of the queue, and the person is told', async () => {
    const host = busyHost();
    const chat = await fixtureOf(host);
    await editRow(chat);

    host.host.dispatch(CHAT, pendingMessageRemoved('queued', 'q'));
    await waitUntil(() => writtenIn(chat) !== '', 'the text is back');
    await comeToRest(chat);

    expect(writtenIn(chat)).to.equal('first, better');
    expect(noticeOf(chat)).to.contain('The host took this message before your change arrived.');
  });

  it('moves to the composer when the host took it while nobody was there', async () => {
    const host = busyHost();
    const chat = await fixtureOf(host);
    await editRow(chat);
    chat.remove();
    await waitUntil(() => host.links === 0, 'the link is closed');

    host.host.dispatch(CHAT, pendingMessageRemoved('queued', 'q'));
    const again = await fixtureOf(host);
    await waitUntil(() => writtenIn(again) !== '', 'the text is back');

    expect(writtenIn(again)).to.equal('first, better');
  });

  it('moves to the composer when another client cuts its turn off, above what stands there', async () => {
    const host = new PageHost({ turns: [turn('a'), turn('b')] });
    const chat = await fixtureOf(host);
    chat.focus();
    await type('something else');
    await editTurn(chat, 1);

    host.host.dispatch(CHAT, truncated('a'));
    await waitUntil(() => writtenIn(chat) !== 'something else', 'the text is back');
    await comeToRest(chat);

    expect(writtenIn(chat)).to.match(/, better\n\nsomething else$/);
    expect(noticeOf(chat)).to.contain('The message you were changing is gone from the chat.');
    expect(findAll(transcriptOf(chat), 'ahp-message-editor')).to.be.empty;
  });

  it('stays while its turn is merely not loaded', async () => {
    const at = (minute: number) => `2026-01-01T00:0${minute}:00.000Z`;
    const turns = [1, 2, 3].map((minute) => turn(`t${minute}`, { startedAt: at(minute) }));
    const host = new PageHost({ turns });
    const chat = await fixtureOf(host, { turns: 3 });
    await editTurn(chat, 0);
    chat.remove();
    await waitUntil(() => host.links === 0, 'the link is closed');

    const again = await fixtureOf(host, { turns: 1, storage: 'indexeddb' });
    await comeToRest(again);
    const before = writtenIn(again);
    await again.loadOlderTurns();
    await again.loadOlderTurns();
    await waitUntil(() => findAll(transcriptOf(again), 'ahp-message-editor').length > 0, 'the turn is edited');

    expect(before).to.equal('');
  });

  it('is forgotten without a word when nothing was written into it', async () => {
    const host = new PageHost({ turns: [turn('a'), turn('b')] });
    const chat = await fixtureOf(host);
    await waitUntil(() => findAll(transcriptOf(chat), '.actions').length > 0, 'the footers are there');
    findButton(turnsOf(chat)[1]!, 'Edit message').click();
    await comeToRest(chat);

    host.host.dispatch(CHAT, truncated('a'));
    await waitUntil(() => turnsOf(chat).length === 1, 'the turn is gone');
    await comeToRest(chat);

    expect([writtenIn(chat), noticeOf(chat)]).to.deep.equal(['', '']);
  });
});
