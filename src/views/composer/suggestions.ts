/**
 * What the host suggests for the text before the caret: when to ask, which answer counts, and what is chosen. Knows no
 * DOM. One stretch lasts from a trigger character to the end of what was begun with it. Source: AHP, completions.
 */

import type { ChatServices } from '../../chat/store.js';
import type { CompletionItem } from '../../protocol/commands.js';
import type { Clock } from '../clock.js';
import type { Span } from './ties.js';

type Complete = NonNullable<ChatServices['complete']>;

/** A text and the place in it, in UTF-16 units. */
export interface Place {
  readonly text: string;
  readonly caret: number;
}

export interface SuggestionsHost {
  /** How the host is asked; absent while there is nobody to ask. */
  readonly complete: Complete | undefined;
  readonly triggers: readonly string[];
  readonly clock: Clock | undefined;
  /** The text as it is now; an answer to any other comes too late. */
  readonly place: Place;
  onChange(): void;
}

/** Between two questions while somebody types on. */
const pauseMs = 120;
/** UTF-16 units from the trigger on; nobody names a thing at such length. */
const longest = 200;
const mostItems = 50;

interface Stretch {
  readonly trigger: string;
  readonly start: number;
}

export class Suggestions {
  readonly #host: SuggestionsHost;
  #stretch: Stretch | undefined;
  #items: readonly CompletionItem[] = [];
  /** What the items are an answer to. */
  #answered: Place | undefined;
  #active = 0;
  #isFailed = false;
  #asking: AbortController | undefined;
  #cancelPause: (() => void) | undefined;

  constructor(host: SuggestionsHost) {
    this.#host = host;
  }

  get items(): readonly CompletionItem[] {
    return this.#items;
  }

  /** The place of the chosen item in `items`. */
  get active(): number {
    return this.#active;
  }

  get isOpen(): boolean {
    return this.#items.length > 0;
  }

  /** The host was asked and could not answer. */
  get isFailed(): boolean {
    return this.#isFailed;
  }

  /** Where the stretch begins. */
  get start(): number {
    return this.#stretch?.start ?? 0;
  }

  /** The text has changed; `isTyped` when something was put in. */
  onInput(isTyped: boolean): void {
    const { place, triggers, complete } = this.#host;
    const trigger = isTyped ? endsWithTrigger(place, triggers) : undefined;
    if (trigger !== undefined) this.#stretch = { trigger, start: place.caret - trigger.length };
    if (!complete || !this.#stretch || !isWithin(this.#stretch, place)) return this.end();
    this.#ask(complete, trigger !== undefined);
  }

  /** A trigger was typed before `caret` when nobody listened yet; the text may have gone on since. */
  begin(caret: number): void {
    const { place, triggers } = this.#host;
    const trigger = endsWithTrigger({ text: place.text, caret }, triggers);
    if (trigger !== undefined) this.#stretch = { trigger, start: caret - trigger.length };
    this.onInput(true);
  }

  /** Moves the choice; `to` is a step, or one of the ends. */
  choose(to: 1 | -1 | 'first' | 'last'): void {
    const count = this.#items.length;
    const next = to === 'first' ? 0 : to === 'last' ? count - 1 : (this.#active + to + count) % count;
    if (next === this.#active) return;
    this.#active = next;
    this.#host.onChange();
  }

  /** Ends the stretch; what was typed stays. */
  end(): void {
    this.#stop();
    const isShown = this.isOpen || this.#isFailed;
    this.#stretch = this.#answered = undefined;
    this.#items = [];
    this.#isFailed = false;
    if (isShown) this.#host.onChange();
  }

  /**
   * What the item replaces in the text as it is now, which may have been typed on since the answer. Without a range it is
   * put in at the caret. `undefined` if the text has changed elsewhere.
   */
  findTarget({ rangeStart, rangeEnd }: CompletionItem): Span | undefined {
    const { text, caret } = this.#host.place;
    const before = this.#answered;
    if (!before || text.slice(caret) !== before.text.slice(before.caret)) return undefined;
    const shared = Math.min(caret, before.caret);
    if (text.slice(0, shared) !== before.text.slice(0, shared)) return undefined;
    if (rangeStart === undefined || rangeEnd === undefined) return { start: caret, end: caret };
    const shift = caret - before.caret;
    const move = (at: number) => (at >= before.caret ? at + shift : at);
    const span = { start: rangeStart === before.caret ? shared : move(rangeStart), end: move(rangeEnd) };
    const isValid = 0 <= span.start && span.start <= span.end && span.end <= text.length;
    return isValid ? span : { start: caret, end: caret };
  }

  #ask(complete: Complete, isUrgent: boolean): void {
    this.#stop();
    const { clock, place } = this.#host;
    if (isUrgent || !clock) void this.#request(complete, place);
    else this.#cancelPause = clock.schedule(pauseMs, () => void this.#request(complete, place));
  }

  async #request(complete: Complete, place: Place): Promise<void> {
    const asking = new AbortController();
    this.#asking = asking;
    const answer = await complete(place.text, place.caret, asking.signal).catch(() => undefined);
    if (asking.signal.aborted) return;
    const { text, caret } = this.#host.place;
    if (text !== place.text || caret !== place.caret) return;
    this.#items = answer?.slice(0, mostItems) ?? [];
    this.#isFailed = answer === undefined;
    this.#answered = place;
    this.#active = 0;
    // Nothing is called so, and no name goes on behind a space for ever.
    if (answer?.length === 0 && /\s/.test(text.slice(this.start, caret))) this.#stretch = undefined;
    this.#host.onChange();
  }

  #stop(): void {
    this.#cancelPause?.();
    this.#cancelPause = undefined;
    this.#asking?.abort();
    this.#asking = undefined;
  }
}

export const endsWithTrigger = ({ text, caret }: Place, triggers: readonly string[]): string | undefined =>
  triggers.find((trigger) => trigger !== '' && text.slice(0, caret).endsWith(trigger));

function isWithin({ trigger, start }: Stretch, { text, caret }: Place): boolean {
  const typed = text.slice(start, caret);
  return typed.startsWith(trigger) && typed.length <= longest && !typed.includes('\n');
}
