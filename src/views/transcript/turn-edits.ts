/** Which turns' messages are being changed in place, and how that begins. */

import type { ReactiveElement } from 'lit';
import { toTurnKey, type Edits } from '../../chat/edits.js';
import type { Turn } from '../../protocol/state.js';
import { EditsController } from '../edits-controller.js';
import type { ViewMemory } from './view-memory.js';

export class TurnEdits {
  readonly #find: () => Edits | undefined;
  readonly #memory: ViewMemory;

  constructor(host: ReactiveElement, memory: ViewMemory, find: () => Edits | undefined) {
    this.#memory = memory;
    this.#find = find;
    new EditsController(host, find);
  }

  /** Opens the editor of a turn's message, with what was half written in it before. */
  readonly begin = ({ id, message, startedAt }: Turn): void => {
    const edits = this.#find();
    const key = toTurnKey(id);
    const { isClosed: _, ...kept } = edits?.find(key) ?? { was: message.text, message };
    this.#memory.freshEdit = id;
    edits?.set(key, { ...kept, ...(startedAt && { startedAt }) });
  };

  isOpen(turnId: string): boolean {
    const edit = this.#find()?.find(toTurnKey(turnId));
    return edit !== undefined && !edit.isClosed;
  }
}
