/**
 * What a person sees of a scripted host: `<ahp-chat>` on the store of a tab whose client and host share one clock. Nothing
 * waits: time is advanced; keys and clicks are real.
 */

import type { AhpChat } from '../../src/element/ahp-chat.js';
import type { StateAction } from '../../src/protocol/actions.js';
import { loadInputRequest } from '../../src/views/parts/lazy.js';
import { Browser, type BrowserOptions, type Tab } from './browser.js';
import { comeToRest, composerOf, fieldOf, fixtureWith, transcriptOf } from './chat-element.js';
import { CHAT } from './scripted-host.js';
import { waitUntil } from './until.js';
import { find, findAll, findButton, frame, nameOf, press, textOf, type } from './views.js';

// What is on its way has tests of its own.
await loadInputRequest();

export class Screen {
  readonly browser: Browser;
  readonly tab: Tab;
  readonly chat: AhpChat;

  constructor(browser: Browser, tab: Tab, chat: AhpChat) {
    this.browser = browser;
    this.tab = tab;
    this.chat = chat;
  }

  get host() {
    return this.browser.host;
  }

  /** The conversation as it reads, white space folded. */
  get text(): string {
    return [...findAll(transcriptOf(this.chat), 'ahp-turn')].map(textOf).join(' ');
  }

  /** The strip about connection and unconfirmed messages. */
  get strip(): string {
    return textOf(find(this.chat, 'ahp-status').shadowRoot as unknown as Element);
  }

  get composer() {
    return composerOf(this.chat)!;
  }

  /** What stands in the message field. */
  get written(): string {
    return fieldOf(this.chat).value;
  }

  /** The waiting messages. */
  get queue(): readonly string[] {
    return findAll(this.composer, '.queue-text').map(textOf);
  }

  /** Names of the buttons that can be seen, in the conversation and the composer. */
  get buttons(): readonly string[] {
    return [transcriptOf(this.chat), this.composer]
      .flatMap((place) => findAll(place, 'button'))
      .filter((button) => button.checkVisibility({ visibilityProperty: true }))
      .map(nameOf);
  }

  /** Lets so much time pass at both ends, and everything be drawn. */
  async pass(milliseconds = 60): Promise<void> {
    await this.browser.advance(milliseconds);
    await waitUntil(() => this.#isDrawn, 'all that is known is drawn');
    for (let frames = 0; frames < 2; frames += 1) {
      await frame();
      await comeToRest(this.chat);
    }
  }

  /** The element draws at its own pace, in real time. */
  get #isDrawn(): boolean {
    const { turns, activeTurn, status } = transcriptOf(this.chat);
    const { state } = this.tab.store;
    return turns === state?.turns && activeTurn === state.activeTurn && status === this.tab.store.status;
  }

  async say(text: string): Promise<void> {
    this.chat.focus();
    await type(text);
    await press('Enter');
    await this.pass();
  }

  /** Presses the button with this name, wherever it stands. */
  async press(name: string | RegExp): Promise<void> {
    const places = [transcriptOf(this.chat), this.composer, find(this.chat, 'ahp-status')];
    const isIt = (button: Element) => (typeof name === 'string' ? nameOf(button) === name : name.test(nameOf(button)));
    const place = places.find((each) => findAll(each, 'button').some(isIt));
    const button = findButton(place ?? transcriptOf(this.chat), name);
    // Wherever it is scrolled to.
    button.focus();
    await press('Enter');
    await this.pass();
  }

  /** Actions of the host about the running turn, each with the turn's id. */
  async act(...actions: readonly object[]): Promise<void> {
    const turnId = this.host.chat.activeTurn?.id ?? '';
    for (const action of actions) this.host.dispatch({ turnId, ...action } as StateAction);
    await this.pass();
  }
}

/** One tab with the chat open and drawn. */
export async function openScreen(options: BrowserOptions = {}): Promise<Screen> {
  const browser = new Browser(options);
  const tab = browser.openTab();
  tab.show(CHAT);
  await browser.advance(100);
  const screen = new Screen(browser, tab, await fixtureWith(tab.store));
  await screen.pass();
  return screen;
}
