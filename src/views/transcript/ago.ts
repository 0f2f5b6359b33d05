/** A time as people say it, kept true while it is shown. */

import { noChange } from 'lit';
import { AsyncDirective, directive } from 'lit/async-directive.js';
import type { Localization } from '../../i18n/localize.js';
import type { Clock } from '../clock.js';

const MINUTE_MS = 60_000;

class AgoDirective extends AsyncDirective {
  #time = 0;
  #localization: Localization | undefined;
  #clock: Clock | undefined;
  #cancel: (() => void) | undefined;

  override render(time: number, localization: Localization, clock: Clock): unknown {
    this.#time = time;
    this.#localization = localization;
    this.#clock = clock;
    return this.isConnected ? this.#say() : noChange;
  }

  protected override disconnected(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  protected override reconnected(): void {
    this.setValue(this.#say());
  }

  #say(): string {
    this.#cancel ??= this.#clock?.schedule(MINUTE_MS, () => {
      this.#cancel = undefined;
      this.setValue(this.#say());
    });
    return this.#localization && this.#clock ? this.#localization.format.ago(this.#time, this.#clock.now()) : '';
  }
}

/** `time` in milliseconds since the epoch. */
export const ago = directive(AgoDirective);
