/**
 * Colours for code, painted over its text nodes as CSS Custom Highlights: no element is added and no text is touched, so
 * selection, find and copying stay as they are, and a change of theme is a change of style alone. A lazy chunk. Where the
 * engine has no such highlights, code stays plain.
 */

import { tokenize, type PrismToken } from './grammars.js';

/** Longer code is not worth the time of the main thread, and some rules are slow for odd long lines. */
const MAX_LENGTH = 60_000;
const MAX_LINE = 3_000;

/** What is told apart. A page sets the colours as `--ahp-code-<category>`. */
type Category =
  'keyword' | 'string' | 'comment' | 'number' | 'function' | 'type' | 'property' | 'tag' | 'inserted' | 'deleted';

/** Prism's names by category. */
const names: Readonly<Record<Category, string>> = {
  comment: 'comment prolog doctype cdata shebang coord',
  string: 'string char attr-value regex template-string triple-quoted-string raw-string heredoc-string url',
  number: 'number boolean constant symbol null nil unit hexcode entity',
  keyword: 'keyword atrule rule important directive',
  function: 'function function-definition function-name decorator annotation builtin macro',
  type: 'class-name namespace type type-definition maybe-class-name',
  property: 'property attr-name key atom variable literal-property assign-left environment field-name header-name',
  tag: 'tag selector doctype-tag title',
  inserted: 'inserted inserted-sign',
  deleted: 'deleted deleted-sign',
};
const categories = new Map<string, Category | undefined>(
  Object.entries(names).flatMap(([category, types]) => types.split(' ').map((type) => [type, category as Category])),
);
/** Code within a string is code again. */
for (const type of ['interpolation', 'template-punctuation', 'language-javascript', 'language-css'])
  categories.set(type, undefined);

/** A stretch of one category; half-open, in UTF-16 units. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly category: Category;
}

/** What of `text` has which category, in order. Nothing for a language nobody knows, or if it is too much. */
export async function findStretches(text: string, language: string): Promise<readonly Stretch[]> {
  if (text.length > MAX_LENGTH || hasLongLine(text)) return [];
  return toStretches((await tokenize(text, language)) ?? []);
}

function hasLongLine(text: string): boolean {
  for (let from = 0; ;) {
    const end = text.indexOf('\n', from);
    if ((end < 0 ? text.length : end) - from > MAX_LINE) return true;
    if (end < 0) return false;
    from = end + 1;
  }
}

function toStretches(tokens: readonly PrismToken[]): Stretch[] {
  const stretches: Stretch[] = [];
  let at = 0;
  const read = (token: PrismToken | readonly PrismToken[], category: Category | undefined): void => {
    if (typeof token === 'string') {
      if (category && token.trim() !== '') stretches.push({ from: at, to: at + token.length, category });
      at += token.length;
    } else if (isList(token)) {
      for (const part of token) read(part, category);
    } else {
      read(token.content, categories.has(token.type) ? categories.get(token.type) : category);
    }
  };
  read(tokens, undefined);
  return stretches;
}

const isList = (token: PrismToken | readonly PrismToken[]): token is readonly PrismToken[] => Array.isArray(token);

/** Paints `stretches` over `nodes`, which together hold the text. Returns the end of it. */
export function paint(nodes: readonly Text[], stretches: readonly Stretch[]): () => void {
  // Forced colours paint every highlight as if it were selected.
  if (!('highlights' in CSS) || matchMedia('(forced-colors: active)').matches) return () => undefined;
  const painted: { readonly highlight: Highlight; readonly range: StaticRange }[] = [];
  let i = 0;
  let start = 0;
  for (const { from, to, category } of stretches) {
    const highlight = getHighlight(category);
    for (let at = from; at < to;) {
      while (i < nodes.length - 1 && start + (nodes[i] as Text).length <= at) start += (nodes[i++] as Text).length;
      const node = nodes[i] as Text;
      const end = Math.min(to, start + node.length);
      if (end <= at) break;
      const place = { startContainer: node, startOffset: at - start, endContainer: node, endOffset: end - start };
      const range = new StaticRange(place);
      highlight.add(range);
      painted.push({ highlight, range });
      at = end;
    }
  }
  return () => {
    for (const { highlight, range } of painted) highlight.delete(range);
  };
}

function getHighlight(category: Category): Highlight {
  const name = `ahp-code-${category}`;
  let highlight = CSS.highlights.get(name);
  if (!highlight) CSS.highlights.set(name, (highlight = new Highlight()));
  return highlight;
}
