/** Brings what turns a turn into Markdown, once there is a turn: nobody copies from an empty chat. */

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { ChatState } from '../protocol/state.js';
import type { TurnToMarkdown } from '../views/transcript/part-scope.js';

/** One for the page. */
let loaded: TurnToMarkdown | undefined;

export class TurnExport implements ReactiveController {
  readonly #element: ReactiveControllerHost & { readonly state: ChatState | undefined };
  /** How many turns there were when it was last asked for. */
  #askedAt = 0;

  constructor(element: ReactiveControllerHost & { readonly state: ChatState | undefined }) {
    this.#element = element;
    element.addController(this);
  }

  get toMarkdown(): TurnToMarkdown | undefined {
    return loaded;
  }

  hostUpdated(): void {
    const count = this.#element.state?.turns.length ?? 0;
    if (loaded || count === 0 || count === this.#askedAt) return;
    this.#askedAt = count;
    import('../transcript/turn-markdown.js').then(
      ({ turnToMarkdown }) => {
        loaded = turnToMarkdown;
        this.#element.requestUpdate();
      },
      // The network, or a page that has been deployed anew: the answer alone can be copied until the next turn.
      () => undefined,
    );
  }
}
