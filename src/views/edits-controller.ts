/** Has an element look again when a change of a message begins, is put aside or ends, whoever did it. */

import type { ReactiveController, ReactiveElement } from 'lit';
import type { Edits } from '../chat/edits.js';

export class EditsController implements ReactiveController {
  readonly #host: ReactiveElement;
  readonly #find: () => Edits | undefined;
  #followed: Edits | undefined;
  #end: (() => void) | undefined;

  constructor(host: ReactiveElement, find: () => Edits | undefined) {
    this.#host = host;
    this.#find = find;
    host.addController(this);
  }

  hostConnected(): void {
    this.hostUpdate();
  }

  hostUpdate(): void {
    const edits = this.#find();
    if (edits === this.#followed) return;
    this.#end?.();
    this.#followed = edits;
    this.#end = edits?.subscribe(() => this.#host.requestUpdate());
  }

  hostDisconnected(): void {
    this.#end?.();
    this.#end = this.#followed = undefined;
  }
}
