/** What the whole element says to screen readers, with a host in the page and in real time. */

import { expect } from '@open-wc/testing';
import type { AhpChat } from '../../src/element/ahp-chat.js';
import type { TurnHandle } from '../../src/host/turn-handle.js';
import { en } from '../../src/i18n/en.js';
import { fixtureOf, untilQuiet } from '../helpers/chat-element.js';
import { PageHost } from '../helpers/page-host.js';
import { waitUntil } from '../helpers/until.js';
import { find, findAll, frame, press, type } from '../helpers/views.js';

/** Every text that a live region of the element has held, with its politeness, in order. */
function listen(chat: AhpChat) {
  const spoken: (readonly [politeness: string, text: string])[] = [];
  for (const region of findAll(find(chat, 'ahp-announcer'), '[aria-live]')) {
    new MutationObserver(() => {
      const text = region.textContent.trim();
      if (text) spoken.push([region.getAttribute('aria-live')!, text]);
    }).observe(region, { childList: true, characterData: true, subtree: true });
  }
  return spoken;
}

const regionsOf = (root: ParentNode): Element[] =>
  [...root.querySelectorAll('*')].flatMap((element) => [
    ...(element.matches('[aria-live]:not([aria-live=off]), [role=log], [role=alert], [role=status]') ? [element] : []),
    ...(element.shadowRoot ? regionsOf(element.shadowRoot) : []),
  ]);

async function ask(chat: AhpChat, text: string): Promise<void> {
  chat.focus();
  await type(text);
  await press('Enter');
}

describe('<ahp-chat> to a screen reader', () => {
  it('says the answer once when it is there, and nothing of it while it streams', async () => {
    const host = new PageHost({
      hooks: {
        async runTurn(turn: TurnHandle) {
          turn.dispatch({ type: 'chat/responsePart', part: { kind: 'markdown', id: 'm', content: '' } });
          for (let i = 0; i < 200; i++) {
            turn.dispatch({ type: 'chat/delta', partId: 'm', content: `word${i} ` });
            await frame();
          }
        },
      },
    });
    const chat = await fixtureOf(host);
    const spoken = listen(chat);

    await ask(chat, 'go');
    await waitUntil(() => host.chat.turns.length === 1, 'the turn is over');
    await untilQuiet(chat);
    await waitUntil(() => spoken.some(([, text]) => text.startsWith('Answer: ')), 'the answer is said');

    expect(spoken.filter(([, text]) => text.includes('word'))).to.have.length(1);
    expect(spoken.length).to.be.at.most(4);
    expect(spoken.every(([politeness]) => politeness === 'polite')).to.equal(true);
  });

  it('has no live region but its own two around what streams', async () => {
    const chat = await fixtureOf(new PageHost());
    await ask(chat, 'go');
    await untilQuiet(chat);

    const around = regionsOf(chat.renderRoot).filter((region) => region.textContent.includes('You said'));

    const others = around.filter((region) => (region.getRootNode() as ShadowRoot).host.localName !== 'ahp-announcer');
    expect(others).to.be.empty;
  });

  it('says that a message went, that an answer is needed, what failed, and how the connection is', async () => {
    let goOn = (): void => undefined;
    const host = new PageHost({
      hooks: {
        async runTurn(turn: TurnHandle) {
          turn.dispatch({
            type: 'chat/inputRequested',
            request: { id: 'r', message: 'Which branch?', questions: [{ id: 'q', kind: 'text', message: 'Branch' }] },
          });
          await turn.answer('r');
          await new Promise<void>((resolve) => (goOn = resolve));
          turn.fail({ errorType: 'x', message: 'The disk is full.' });
        },
      },
    });
    const chat = await fixtureOf(host);
    const spoken = listen(chat);
    const untilSaid = (politeness: string, text: string) =>
      waitUntil(() => spoken.some(([how, said]) => how === politeness && said.includes(text)), `it says ${text}`);

    await ask(chat, 'go');
    await untilSaid('polite', en.announceSent);
    await untilSaid('assertive', en.announceQuestion('Which branch?'));
    host.host.dispatch(host.chat.resource, { type: 'chat/inputCompleted', requestId: 'r', response: 'decline' });
    await untilSaid('polite', en.announceDeclined);
    goOn();
    await untilSaid('assertive', en.announceFailed('The disk is full.'));
    host.goAway();
    await untilSaid('polite', en.announceOffline);
    host.isReachable = true;
    chat.connect();
    await untilSaid('polite', en.announceOnline);
  });
});
