/**
 * The edits of a chat on this device: they go to the mirror as the composer's draft does, and to nobody else. One per chat
 * and client.
 */

import { Edits, isChanged, type EditKey, type MessageEdit } from '../chat/edits.js';
import { isEqual } from '../protocol/record.js';
import type { KeptEdit, StoredDraft } from '../mirror/mirror.js';
import type { Message, URI } from '../protocol/state.js';
import type { DraftKeeperOptions } from './draft-keeper.js';
import { emptyMessage } from './draft-message.js';
import { DraftPace } from './draft-pace.js';
import type { Environment } from './environment.js';

/** Under which name the mirror keeps the edits of a chat, beside its draft. */
export const toEditsChannel = (chat: URI): URI => `${chat}#edits`;

export class EditSession extends Edits {
  readonly #environment: Environment;
  readonly #pace: DraftPace;
  readonly #giveBack: (message: Message) => void;
  #revision = 0;

  /** `giveBack` takes a text that has no other place. */
  constructor(options: DraftKeeperOptions, giveBack: (message: Message) => void) {
    super();
    this.#environment = options.environment;
    this.#giveBack = giveBack;
    this.#pace = new DraftPace(
      { ...options, channel: toEditsChannel(options.channel) },
      { toStored: () => this.#toStored() },
    );
  }

  override set(key: EditKey, edit: MessageEdit | undefined): void {
    this.#revision += 1;
    this.#pace.keepLater();
    super.set(key, edit);
  }

  /** Takes what this client left on disk. */
  load(stored: StoredDraft | undefined): void {
    const kept = this.#pace.recover(stored);
    if (!kept) return;
    this.#revision = Math.max(this.#revision, kept.revision);
    this.adopt(kept.edits ?? []);
  }

  /** Takes over what was written on this device. Two texts for one message have one place: the other goes back. */
  adopt(edits: readonly KeptEdit[]): void {
    for (const { key, ...edit } of edits) {
      const own = this.find(key);
      if (!own) this.set(key, edit);
      else if (isChanged(edit) && !isEqual(own.message, edit.message)) this.#giveBack(edit.message);
    }
  }

  /** Writes what waits. */
  flush(): void {
    this.#pace.flush();
  }

  /** All that is kept on this device was deleted: nothing is written again but what comes from now on. */
  onCleared(): void {
    this.#pace.onCleared();
  }

  suspend(): void {
    this.#pace.suspend();
  }

  resume(): void {
    this.#pace.resume();
  }

  close(): void {
    this.#pace.close();
  }

  #toStored(): StoredDraft {
    const edits = this.list().map(([key, edit]): KeptEdit => ({ key, ...edit }));
    const draft = { message: emptyMessage, revision: this.#revision, updatedAt: this.#environment.now() };
    return edits.length > 0 ? { ...draft, edits } : draft;
  }
}
