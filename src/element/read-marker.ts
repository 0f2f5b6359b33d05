/**
 * Says that a chat was read: its last turn is over, its end is in view, and somebody has had a moment to look. A chat whose
 * turn still runs is not read yet, whatever was seen of it. Source: AHP, status bits; `chat/isReadChanged`.
 */

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { isReadChanged } from '../chat/actions.js';
import { canWrite, isRead } from '../chat/selectors.js';
import type { ChatStore } from '../chat/store.js';
import type { Environment } from '../client/environment.js';
import type { AhpTranscript } from '../views/transcript/ahp-transcript.js';

/** A glance; what merely flits by was not read. */
const GLANCE_MS = 1_000;

type Find = () => { readonly store: ChatStore | undefined; readonly transcript: AhpTranscript | null };

interface Marked extends ReactiveControllerHost, HTMLElement {
  readonly readOnly: boolean;
}

export class ReadMarker implements ReactiveController {
  readonly #element: Marked;
  readonly #environment: Environment;
  readonly #find: Find;
  #cancel: (() => void) | undefined;
  #endVisibility: (() => void) | undefined;
  #watched: Element | undefined;
  /** The turn up to which it was said; a host that does not take it is not asked again and again. */
  #said: string | undefined;

  /** `find` gives the store of a host; a page's own store keeps its marks itself. */
  constructor(element: Marked, environment: Environment, find: Find) {
    this.#element = element;
    this.#environment = environment;
    this.#find = find;
    element.addController(this);
  }

  hostConnected(): void {
    this.#endVisibility = this.#environment.onLifecycle((event) => event === 'visible' && this.#look());
  }

  hostDisconnected(): void {
    this.#cancel?.();
    this.#endVisibility?.();
    this.#cancel = undefined;
  }

  hostUpdated(): void {
    const { transcript } = this.#find();
    if (transcript?.shadowRoot && transcript !== this.#watched) {
      this.#watched = transcript;
      // It does not leave the shadow root of what scrolls.
      transcript.shadowRoot.addEventListener('scroll', this.#look, { capture: true, passive: true });
    }
    this.#look();
  }

  readonly #look = (): void => {
    if (this.#cancel || this.#toSay() === undefined) return;
    this.#cancel = this.#environment.schedule(GLANCE_MS, () => {
      this.#cancel = undefined;
      const turn = this.#toSay();
      if (turn === undefined) return;
      this.#said = turn;
      this.#find().store?.dispatch(isReadChanged(true));
    });
  };

  /** Names what was read; `undefined` where there is nothing new to say, or nobody sees it. */
  #toSay(): string | undefined {
    const { store, transcript } = this.#find();
    const { state, status } = store ?? {};
    if (!state || status?.phase !== 'live' || state.activeTurn || this.#element.readOnly || !canWrite(state))
      return undefined;
    const read = `${state.resource} ${state.turns.at(-1)?.id}`;
    if (isRead(state)) {
      if (this.#said === read) this.#said = undefined;
      return undefined;
    }
    if (this.#said === read || !transcript?.isEndInView() || !this.#isSeen()) return undefined;
    return read;
  }

  #isSeen(): boolean {
    if (!this.#environment.isVisible()) return false;
    const { top, bottom, width } = this.#element.getBoundingClientRect();
    return width > 0 && bottom > 0 && top < window.innerHeight;
  }
}
