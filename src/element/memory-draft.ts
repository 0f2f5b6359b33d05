/** The composer's model for a page's own store: it keeps the text while the element lives, and nothing beyond. */

import { isBlank, joinMessages } from '../chat/joined-message.js';
import { emptyMessage, toNextDraft } from '../client/draft-message.js';
import type { DraftSession } from '../client/draft-session.js';
import type { Environment } from '../client/environment.js';
import { toSendGroup, type Steering } from '../client/send-group.js';
import type { ClientChatAction } from '../protocol/actions.js';
import type { ChatState, Message } from '../protocol/state.js';

/** The composer's model, as far as the element uses it. */
export type Draft = Pick<
  DraftSession,
  | 'message'
  | 'revision'
  | 'offer'
  | 'subscribe'
  | 'change'
  | 'setFocused'
  | 'acceptOffer'
  | 'dismissOffer'
  | 'takeForSend'
  | 'giveBack'
>;

export class MemoryDraft implements Draft {
  message = emptyMessage;
  revision = 0;
  readonly offer = undefined;
  readonly #listeners = new Set<() => void>();

  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  change(message: Message): void {
    this.message = message;
    this.revision += 1;
    for (const listener of [...this.#listeners]) listener();
  }

  takeForSend(state: ChatState | undefined, options: Steering = {}): readonly ClientChatAction[] {
    const { message } = this;
    if (isBlank(message)) return [];
    this.change(toNextDraft(message));
    return toSendGroup(message, { environment: this.#environment, state, ...options, isDraft: true });
  }

  giveBack(message: Message): void {
    this.change(joinMessages(message, this.message));
  }

  /** Nobody else writes here, so there is nothing to offer, or to protect from the caret. */
  setFocused(): void {}
  acceptOffer(): void {}
  dismissOffer(): void {}
}
