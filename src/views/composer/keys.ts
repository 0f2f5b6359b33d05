/**
 * The one guard between an input method and what keys do, used by every text field of ours. A key that confirms a
 * composition must never send, in any engine's order of events:
 *
 * - Chromium, Firefox: keydown (`isComposing`, key code 229) → compositionend → keyup;
 * - Safari: compositionend → keydown (key code 229, `isComposing` false) → keyup;
 * - some input methods on Safari: the same with the key's own code, within the same moment.
 */

/** How long after `compositionend` the very next key still belongs to it. People are slower, machines are not. */
const SAME_MOMENT_MS = 30;
const COMPOSING_KEY = 229;

export class CompositionGuard {
  #isComposing = false;
  /** Set from `compositionend` to the next key, up or down. */
  #endedAt: number | undefined;

  /** To be called for `compositionstart`, `compositionend` and `keyup` of the field. */
  readonly handleEvent = (event: Event): void => {
    this.#isComposing = event.type === 'compositionstart';
    this.#endedAt = event.type === 'compositionend' ? event.timeStamp : undefined;
  };

  get isComposing(): boolean {
    return this.#isComposing;
  }

  /** Whether this `keydown` belongs to the input method. To be asked exactly once for each `keydown`. */
  owns(event: KeyboardEvent): boolean {
    const endedAt = this.#endedAt;
    this.#endedAt = undefined;
    // `keyCode` is deprecated everywhere and the only sign Safari gives.
    if (event.isComposing || event.keyCode === COMPOSING_KEY || this.#isComposing) return true;
    return endedAt !== undefined && event.timeStamp - endedAt < SAME_MOMENT_MS;
  }
}

/**
 * Keeps what is typed into a field of ours from the page: outside our shadow root its target is the element, so a page's
 * single-letter shortcuts would take it for a key pressed nowhere. Keys with Ctrl, Alt or Meta, and Escape, go on.
 */
export function keepTyping(event: KeyboardEvent): void {
  const isShortcut = event.ctrlKey || event.metaKey || event.altKey || event.key === 'Escape' || event.key === 'Tab';
  if (!isShortcut) event.stopPropagation();
}
