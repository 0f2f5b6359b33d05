/**
 * Which languages there are and how each is loaded. English is always there; every other one is a chunk that is fetched
 * when an element in that language appears. A language that cannot be fetched leaves English in place and is tried again
 * the next time it is asked for.
 */

import { en } from './en.js';
import type { Strings } from './strings.js';

interface Entry {
  readonly load: () => Promise<Strings>;
  loaded?: Strings;
  loading?: Promise<Strings | undefined>;
}

const entries = new Map<string, Entry>();

/** Makes a language known by its BCP 47 tag (`de`, `zh-hant`). `load` is called once, when it is first needed. */
export function registerLanguage(tag: string, load: () => Promise<Strings>): void {
  entries.set(tag.toLowerCase(), { load });
}

/** What is there at once for `lang`: the language itself if it has been loaded, else English. */
export function readStrings(lang: string): Strings {
  return entries.get(matchLanguage(lang) ?? '')?.loaded ?? en;
}

/** Fetches the language for `lang` if it is known and not there yet. Resolves with whether anything new is there. */
export async function loadStrings(lang: string): Promise<boolean> {
  const entry = entries.get(matchLanguage(lang) ?? '');
  if (!entry || entry.loaded) return false;
  entry.loading ??= entry.load().then(
    (strings) => (entry.loaded = strings),
    () => (entry.loading = undefined),
  );
  return (await entry.loading) !== undefined;
}

/** The registered tag that fits best: the same, then the same script, then the same language. */
function matchLanguage(lang: string): string | undefined {
  for (const tag of fallbacks(lang)) if (tag === 'en' || entries.has(tag)) return tag;
  return undefined;
}

function fallbacks(lang: string): readonly string[] {
  try {
    const { language, script } = new Intl.Locale(lang).maximize();
    return [lang.toLowerCase(), `${language}-${script}`.toLowerCase(), language];
  } catch {
    // `lang` attributes hold anything; what is no tag at all has no language.
    return [];
  }
}
