/** When a chat counts as read: only what somebody can have seen. The page and its clock are the test's, the layout is real. */

import { expect, fixture, html } from '@open-wc/testing';
import { LitElement } from 'lit';
import { MemoryChatStore } from '../../src/chat/memory-store.js';
import { ReadMarker } from '../../src/element/read-marker.js';
import type { ChatState } from '../../src/protocol/state.js';
import type { AhpTranscript } from '../../src/views/transcript/ahp-transcript.js';
import { active, chat } from '../helpers/chat-states.js';
import { ManualEnvironment } from '../helpers/manual-environment.js';
import { settled, transcriptFixture } from '../helpers/transcript.js';
import { turns } from '../helpers/turns.js';
import { find, frame } from '../helpers/views.js';

/** What the marker belongs to: an element around the transcript. */
class Marked extends LitElement {
  readOnly = false;
}
customElements.define('test-marked', Marked);

/** A long chat, unread, at its end. */
async function setup(state: Partial<ChatState> = {}) {
  const environment = new ManualEnvironment();
  const store = new MemoryChatStore(chat({ turns: turns(40), ...state }));
  const transcript: AhpTranscript = await transcriptFixture({ turns: turns(40) });
  const element = new Marked();
  element.style.cssText = 'display: block; block-size: 100px; inline-size: 100px;';
  await fixture(html`${element}`);
  new ReadMarker(element, environment, () => ({ store, transcript }));
  const update = async () => {
    element.requestUpdate();
    await element.updateComplete;
  };
  await update();
  return {
    environment,
    element,
    transcript,
    store,
    update,
    setVisible: (isVisible: boolean) => environment.emit(isVisible ? 'visible' : 'hidden'),
    marks: () => store.dispatched.flat().filter(({ type }) => type === 'chat/isReadChanged').length,
  };
}

/** Scrolls as a person does; the view hears of it a frame later. */
async function scrollTo(transcript: AhpTranscript, top: number): Promise<void> {
  const scroller = find(transcript, '.scroller');
  scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: top === 0 ? -1 : 1, bubbles: true }));
  scroller.scrollTop = top;
  await frame();
  await frame();
  await settled();
}

describe('a chat is marked as read', () => {
  it('once its end has been in view for a moment', async () => {
    const { environment, marks } = await setup();

    environment.advance(999);
    const early = marks();
    environment.advance(1);

    expect([early, marks()]).to.deep.equal([0, 1]);
  });

  it('not while the page is hidden, but when it is looked at again', async () => {
    const { environment, marks, update, setVisible } = await setup();
    setVisible(false);
    await update();

    environment.advance(60_000);
    const whileHidden = marks();
    setVisible(true);
    environment.advance(1_000);

    expect([whileHidden, marks()]).to.deep.equal([0, 1]);
  });

  it('not when the page is hidden before the moment is over', async () => {
    const { environment, marks, setVisible } = await setup();
    environment.advance(500);

    setVisible(false);
    environment.advance(60_000);

    expect(marks()).to.equal(0);
  });

  it('not while its end is scrolled out of view, but when it comes back', async () => {
    const { environment, marks, transcript, update } = await setup();
    await scrollTo(transcript, 0);
    await update();

    environment.advance(60_000);
    const away = marks();
    await scrollTo(transcript, find(transcript, '.scroller').scrollHeight);
    environment.advance(1_000);

    expect([away, marks()]).to.deep.equal([0, 1]);
  });

  it('not while the element itself is out of the window', async () => {
    const { environment, marks, element, update } = await setup();
    element.style.cssText += 'position: absolute; inset-block-start: 300vh;';
    await update();

    environment.advance(60_000);

    expect(marks()).to.equal(0);
  });

  it('not while a turn runs, nor in a chat that is only read', async () => {
    const running = await setup({ activeTurn: active() });
    const readOnly = await setup({ interactivity: 'read-only' });
    const locked = await setup();
    locked.element.readOnly = true;

    for (const { environment } of [running, readOnly, locked]) environment.advance(60_000);

    expect([running, readOnly, locked].map(({ marks }) => marks())).to.deep.equal([0, 0, 0]);
  });
});
