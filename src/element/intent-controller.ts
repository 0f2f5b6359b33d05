/**
 * Takes what the views report: lets the page have its say, then has it carried out. Nothing of an intent leaves the
 * element but the event that the page may prevent.
 */

import type { ReactiveController, ReactiveElement } from 'lit';
import type { Message, URI } from '../protocol/state.js';
import { AhpDraftChangeEvent, AhpOpenChatEvent, type AhpEventMap } from '../views/events.js';
import type { HostController } from './host-controller.js';
import { intentNames, isPublic, perform, type IntentName, type IntentTarget } from './intents.js';
import type { Outcomes } from './outcomes.js';
import { environment } from './page-environment.js';

/** What an intent may change of the element itself. */
interface IntentElement extends ReactiveElement {
  session: URI | undefined;
  chat: URI | undefined;
}

export class IntentController implements ReactiveController {
  readonly #element: IntentElement;
  readonly #host: HostController;
  readonly #outcomes: Outcomes;
  /** The text the composer reported last; any other text of the draft was written elsewhere. */
  #typed: Message | undefined;
  #draftRevision = 0;
  #isLoadingOlder = false;
  /** The running turn and when it was first seen, by the monotonic clock. */
  #running: { readonly id: string; readonly since: number } | undefined;

  constructor(element: IntentElement, host: HostController, outcomes: Outcomes) {
    this.#element = element;
    this.#host = host;
    this.#outcomes = outcomes;
    element.addController(this);
  }

  /** Counts changes of the draft that the composer did not report: it shows those. */
  get draftRevision(): number {
    return this.#draftRevision;
  }

  /** Whether older turns are on their way. */
  get isLoadingOlder(): boolean {
    return this.#isLoadingOlder;
  }

  /** What is added again is not added twice, and the root goes with the element. */
  hostConnected(): void {
    const root = this.#element.renderRoot;
    for (const name of intentNames) root.addEventListener(name, this.#onIntent);
    root.addEventListener('focusin', this.#onFocusMove);
    root.addEventListener('focusout', this.#onFocusMove);
  }

  hostUpdate(): void {
    const { draft, store } = this.#host;
    if (draft && draft.message !== this.#typed) {
      this.#typed = draft.message;
      this.#draftRevision += 1;
    }
    const id = store?.state?.activeTurn?.id;
    if (id !== this.#running?.id) this.#running = id === undefined ? id : { id, since: environment.monotonic() };
  }

  /** Lets the page have its say, then carries the intent out. Returns whether it was. */
  intend(intent: AhpEventMap[IntentName]): boolean {
    const { store, draft, answers } = this.#host;
    if (!store || !draft || !answers) {
      if (intent instanceof AhpDraftChangeEvent) this.#host.keepEarly(intent.message);
      // There may be a connection before there is a chat.
      if (intent.type === 'ahp-reconnect') store?.reconnectNow?.();
      return intent.type === 'ahp-reconnect';
    }
    if (isPublic(intent.type as IntentName) && !this.#element.dispatchEvent(intent.clone())) return false;
    perform(intent, { store, draft, answers, environment, outcomes: this.#outcomes, ...this.#deeds });
    return true;
  }

  /** Resolves when a page of older turns is there, or when there is none. */
  async loadOlder(): Promise<void> {
    this.#setLoadingOlder(true);
    try {
      await this.#host.store?.loadOlderTurns();
    } finally {
      this.#setLoadingOlder(false);
    }
  }

  #setLoadingOlder(isLoading: boolean): void {
    this.#isLoadingOlder = isLoading;
    this.#element.requestUpdate();
  }

  readonly #deeds: Pick<IntentTarget, 'turnAge' | 'onSent' | 'openChat' | 'showChat' | 'loadOlder'> = {
    turnAge: (id) => (this.#running?.id === id ? environment.monotonic() - this.#running.since : 0),
    onSent: (fact) => {
      this.#outcomes.tellSent(fact);
      this.#element.renderRoot.querySelector('ahp-transcript')?.scrollToEnd();
    },
    openChat: (chat, session) => this.intend(new AhpOpenChatEvent(chat, session)),
    showChat: (chat, session) => {
      // A page's own store is one chat; another one is the page's to show.
      if (this.#host.ownStore) return;
      this.#element.chat = chat;
      if (session !== undefined) this.#element.session = session;
    },
    loadOlder: () => void this.loadOlder(),
  };

  readonly #onIntent = (event: Event): void => {
    event.stopPropagation();
    // Registered for these names only.
    const intent = event as AhpEventMap[IntentName];
    if (intent instanceof AhpDraftChangeEvent) this.#typed = intent.message;
    if (!this.intend(intent)) event.preventDefault();
  };

  readonly #onFocusMove = (event: Event): void => {
    const isComposer = (event.target as Element).localName === 'ahp-composer';
    this.#host.draft?.setFocused(this.#element, isComposer && event.type === 'focusin');
    if (event.type === 'focusout') this.#host.answers?.flush();
  };
}
