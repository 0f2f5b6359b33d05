/**
 * Hands the language to the views. The nearest `lang` attribute wins, through every shadow root up to the document; what
 * it resolves to travels by context, so an element inside another asks once and is told of changes. Browser only.
 */

import { ContextConsumer, ContextEvent, ContextProvider, createContext } from '@lit/context';
import type { ReactiveController, ReactiveElement } from 'lit';
import { en } from './en.js';
import { Format } from './format.js';
import { loadStrings, readStrings } from './registry.js';
import type { Strings } from './strings.js';

export interface Localization {
  /** The page's language, which numbers and dates follow. */
  readonly lang: string;
  readonly strings: Strings;
  readonly format: Format;
}

export const localizationContext = createContext<Localization>(Symbol.for('ahp-chat/localization'));

const english: Localization = { lang: 'en', strings: en, format: new Format('en') };

/** For an element inside a surface: reads what the surface provides. */
export class Localized {
  readonly #consumer: ContextConsumer<typeof localizationContext, ReactiveElement>;

  constructor(host: ReactiveElement) {
    this.#consumer = new ContextConsumer(host, { context: localizationContext, subscribe: true });
  }

  get value(): Localization {
    return this.#consumer.value ?? english;
  }
}

/** A surface is there before what it shows, so nobody inside has asked another; a call for them would render them all. */
class Provider extends ContextProvider<typeof localizationContext, ReactiveElement> {
  override hostConnected(): void {}
}

/**
 * For a surface (an element with a shadow root): takes the language of the surface around it or, on top, finds it in the
 * document; provides it to everything inside.
 */
export class LanguageProvider implements ReactiveController {
  readonly #host: ReactiveElement;
  readonly #provider: ContextProvider<typeof localizationContext, ReactiveElement>;
  #outer: Localization | undefined;
  #overrides: Partial<Strings> | undefined;
  #observer: MutationObserver | undefined;
  #leave: (() => void) | undefined;

  constructor(host: ReactiveElement) {
    this.#host = host;
    this.#provider = new Provider(host, { context: localizationContext, initialValue: english });
    host.addController(this);
  }

  get value(): Localization {
    return this.#provider.value;
  }

  /** The page's own wording; what it leaves out comes from the language. */
  set overrides(strings: Partial<Strings> | undefined) {
    if (strings === this.#overrides) return;
    this.#overrides = strings;
    this.#refresh();
  }

  hostConnected(): void {
    // A context request is answered synchronously by a provider above, or by nobody. The answer may be kept up to date
    // by a provider that has moved on: only the last one counts.
    let answered = false;
    const onAnswer = (outer: Localization, unsubscribe?: () => void) => {
      answered = true;
      if (this.#leave !== unsubscribe) this.#leave?.();
      this.#leave = unsubscribe;
      this.#outer = outer;
      this.#refresh();
    };
    this.#host.dispatchEvent(new ContextEvent(localizationContext, this.#host, onAnswer, true));
    if (answered) return;
    this.#outer = undefined;
    this.#watch();
    this.#refresh();
  }

  hostDisconnected(): void {
    this.#leave?.();
    this.#leave = undefined;
    this.#observer?.disconnect();
    this.#observer = undefined;
  }

  #watch(): void {
    this.#observer = new MutationObserver(() => this.#refresh());
    for (let root = this.#host.getRootNode(); ; root = root.host.getRootNode()) {
      this.#observer.observe(root, { attributes: true, attributeFilter: ['lang'], subtree: true });
      if (!(root instanceof ShadowRoot)) break;
    }
  }

  #refresh(): void {
    const next = this.#overridden(this.#outer ?? this.#resolve());
    const { value } = this.#provider;
    if (next.lang === value.lang && next.strings === value.strings) return;
    this.#provider.setValue(next);
    this.#host.requestUpdate();
  }

  #resolve(): Localization {
    const lang = findLanguage(this.#host);
    const strings = readStrings(lang);
    void loadStrings(lang).then((isNew) => {
      if (isNew && this.#host.isConnected) this.#refresh();
    });
    return { lang, strings, format: this.value.lang === lang ? this.value.format : createFormat(lang) };
  }

  #overridden(found: Localization): Localization {
    return this.#overrides ? { ...found, strings: { ...found.strings, ...this.#overrides } } : found;
  }
}

/** The `lang` that applies to `element`: its own or the nearest above it, across shadow roots. */
export function findLanguage(element: Element): string {
  let at: Element | null = element;
  while (at) {
    const found: Element | null = at.closest('[lang]');
    if (found) return found.getAttribute('lang') || 'en';
    const root: Node = at.getRootNode();
    at = root instanceof ShadowRoot ? root.host : null;
  }
  return 'en';
}

/** `Intl` refuses what is no language tag; a page's `lang` may be anything. */
function createFormat(lang: string): Format {
  try {
    return new Format(Intl.getCanonicalLocales(lang)[0] ?? 'en');
  } catch {
    return english.format;
  }
}
