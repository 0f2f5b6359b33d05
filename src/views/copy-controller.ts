/** Copies a text and remembers for a moment how it went, for the button that was pressed. */

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { copyText } from './clipboard.js';
import type { Clock } from './clock.js';

const SHOWN_MS = 2_000;

export class CopyController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #cancel: (() => void) | undefined;
  /** What was copied last, as long as that is worth saying. */
  #result: { readonly key: string; readonly isCopied: boolean } | undefined;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** How copying `key` went a moment ago. */
  outcome(key: string): 'copied' | 'failed' | undefined {
    if (this.#result?.key !== key) return undefined;
    return this.#result.isCopied ? 'copied' : 'failed';
  }

  /** Resolves when it is done; a refusal of the browser is an outcome, not an error. `near` is the pressed button. */
  async copy(key: string, text: string, near: Element, clock: Clock | undefined): Promise<void> {
    const isCopied = await copyText(text, near);
    this.#cancel?.();
    this.#result = { key, isCopied };
    this.#host.requestUpdate();
    this.#cancel = clock?.schedule(SHOWN_MS, () => {
      this.#result = undefined;
      this.#host.requestUpdate();
    });
  }

  hostDisconnected(): void {
    this.#cancel?.();
    this.#result = undefined;
  }
}
