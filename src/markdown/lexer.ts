/**
 * The one place that knows the lexer, marked. Block structure and inline structure are asked for separately, so that a
 * stream can decide what of the text they are asked about. marked is right for what people write and slow for what an
 * attacker writes: several of its rules are quadratic and its recursion has no limit. The bounds are here: nesting stops
 * at a fixed depth, long and lazy quotes are cut, tables have a widest row, and a long run of inline text is lexed in pieces.
 */

import { Lexer, Tokenizer, type Token, type Tokens } from 'marked';
import { splitCells, toAlignments } from './table-row.js';

/** Reference definitions by normalized label, as the lexer keeps them. */
export type Definitions = Record<string, { readonly href: string | null; readonly title: string | null }>;

export const createDefinitions = (): Definitions => Object.create(null) as Definitions;

/** A table whose rows have not been cut into cells yet. */
export interface RawTable {
  readonly type: 'raw-table';
  readonly raw: string;
  readonly align: ReturnType<typeof toAlignments>;
  readonly head: readonly string[];
  readonly lines: readonly string[];
}

/** A formula, found where an escape or a text would start. */
export interface RawMath {
  readonly type: 'math';
  readonly raw: string;
}

export type BlockToken = Token | RawTable;

export interface Lexed {
  readonly tokens: readonly BlockToken[];
  /** The source of each leaf, by the (still empty) list that its token keeps. */
  readonly leaves: ReadonlyMap<unknown, string>;
  /** Those passed in and those found; the caller's own. */
  readonly definitions: Definitions;
}

/** Quotes and lists in each other; emphasis and links in each other. */
const MAX_DEPTH = 24;
const MAX_QUOTE = 64 * 1024;
/** Runs of lazy lines in a quote: for each the block before it is lexed again. */
const MAX_LAZY_RUNS = 8;
/** A row of two characters is filled up to the head's width, so the width multiplies. */
const MAX_COLUMNS = 128;

/** A whole formula at the start. Not over a blank line, which ends every paragraph. */
const dollars = /^\$\$(?!\$)[^$]+\$\$/;

class BoundedTokenizer extends Tokenizer {
  #depth = 0;

  /** Runs `rule` one level deeper, or not at all: what is no quote, list or emphasis is text. */
  #nested<T>(rule: () => T | undefined): T | undefined {
    if (this.#depth >= MAX_DEPTH) return undefined;
    this.#depth += 1;
    try {
      return rule();
    } finally {
      this.#depth -= 1;
    }
  }

  override blockquote(src: string): Tokens.Blockquote | undefined {
    return this.#nested(() => super.blockquote(cutQuote(src)));
  }

  // Most lines are none of these. WebKit looks for some of the rules, which hold at the start only, in all of `src`.

  override fences(src: string): Tokens.Code | undefined {
    return beginsWith(src, '`~') ? super.fences(src) : undefined;
  }

  override heading(src: string): Tokens.Heading | undefined {
    return beginsWith(src, '#') ? super.heading(src) : undefined;
  }

  override hr(src: string): Tokens.Hr | undefined {
    return beginsWith(src, '-_*') ? super.hr(src) : undefined;
  }

  override html(src: string): Tokens.HTML | undefined {
    return beginsWith(src, '<') ? super.html(src) : undefined;
  }

  override def(src: string): Tokens.Def | undefined {
    return beginsWith(src, '[') ? super.def(src) : undefined;
  }

  override list(src: string): Tokens.List | undefined {
    return this.#nested(() => super.list(src));
  }

  override emStrong(src: string, masked: string, before?: string): Tokens.Em | Tokens.Strong | undefined {
    return this.#nested(() => super.emStrong(src, masked, before));
  }

  override del(src: string, masked: string, before?: string): Tokens.Del | undefined {
    return this.#nested(() => super.del(src, masked, before));
  }

  override link(src: string): Tokens.Link | Tokens.Image | undefined {
    return this.#nested(() => super.link(src));
  }

  override reflink(src: string, links: Lexer['tokens']['links']): ReturnType<Tokenizer['reflink']> {
    // Without brackets the caller goes on with text, which is what a label without a definition is, too.
    return this.#nested(() => super.reflink(src, links));
  }

  override table(src: string): Tokens.Table | undefined {
    // The rule reads all rows before it looks at the delimiter row, so a setext heading is looked at first.
    const headEnd = src.indexOf('\n');
    if (headEnd < 0) return undefined;
    const lineEnd = src.indexOf('\n', headEnd + 1);
    const delimiters = src.slice(headEnd + 1, lineEnd < 0 ? src.length : lineEnd);
    if (!/[|:]/.test(delimiters)) return undefined;
    const found = this.rules.block.table.exec(src);
    if (!found) return undefined;
    const head = splitCells(found[1] ?? '');
    const align = toAlignments(found[2] ?? '');
    if (head.length !== align.length || head.length > MAX_COLUMNS) return undefined;
    const rows = found[3] ?? '';
    const token: RawTable = {
      type: 'raw-table',
      raw: found[0].replace(/\n+$/, ''),
      align,
      head,
      lines: rows.trim() ? rows.replace(/\n[ \t]*$/, '').split('\n') : [],
    };
    // The block lexer only looks at `raw`; the token comes back out as what it is.
    return token as unknown as Tokens.Table;
  }

  override lheading(src: string): Tokens.Heading | undefined {
    // The rule goes through the paragraph character by character to find that it has no underline.
    const found = /\n(?:[ \t]*(\n)| {0,3}[=-])/.exec(src);
    return found && found[1] === undefined ? super.lheading(src) : undefined;
  }

  /** Tried first wherever a token may begin, so formulas are looked for here. */
  override escape(src: string): Tokens.Escape | undefined {
    const formula = findFormula(src);
    // The inline lexer only looks at `raw`; the token comes back out as what it is.
    return formula === undefined ? super.escape(src) : (toMath(formula) as unknown as Tokens.Escape);
  }

  override inlineText(src: string): Tokens.Text | undefined {
    const at = src.indexOf('$$');
    if (at < 0) return super.inlineText(src);
    if (at > 0) return super.inlineText(src.slice(0, at));
    // They open no formula. Both are taken, lest the second be looked at again.
    return { type: 'text', raw: '$$', text: '$$', escaped: false };
  }
}

function findFormula(src: string): string | undefined {
  const first = src.charCodeAt(0);
  const second = src.charCodeAt(1);
  if (first === 36) return second === 36 ? dollars.exec(src)?.[0] : undefined;
  if (first !== 92) return undefined;
  if (second === 40) return endingIn(src, '\\)');
  return second === 91 ? endingIn(src, '\\]') : undefined;
}

/** `src` to the end of the first `close`, if there is something between that and the two characters at the start. */
function endingIn(src: string, close: string): string | undefined {
  const at = src.indexOf(close, 2);
  return at > 2 ? src.slice(0, at + close.length) : undefined;
}

/** Whether one of `marks` is the first character behind the up to three spaces that may stand in front of a block. */
function beginsWith(src: string, marks: string): boolean {
  let at = 0;
  while (at < 3 && src.charCodeAt(at) === 32) at += 1;
  return at < src.length && marks.includes(src.charAt(at));
}

const toMath = (raw: string): RawMath => ({ type: 'math', raw });

/** `src` up to where the quote at its start becomes too long or too lazy; all of it for any other. */
function cutQuote(src: string): string {
  if (!isQuoted(src, 0)) return src;
  let lazyRuns = 0;
  let wasQuoted = true;
  for (let at = 0; at < src.length;) {
    const isNowQuoted = isQuoted(src, at);
    if (isNowQuoted && (at > MAX_QUOTE || (!wasQuoted && lazyRuns >= MAX_LAZY_RUNS))) return src.slice(0, at);
    if (!isNowQuoted && isBlank(src, at)) return src;
    if (!isNowQuoted && wasQuoted) lazyRuns += 1;
    wasQuoted = isNowQuoted;
    const end = src.indexOf('\n', at);
    if (end < 0) return src;
    at = end + 1;
  }
  return src;
}

const quoted = / {0,3}>/y;
const blank = /[ \t]*(?:\n|$)/y;

function isQuoted(src: string, at: number): boolean {
  quoted.lastIndex = at;
  return quoted.test(src);
}

function isBlank(src: string, at: number): boolean {
  blank.lastIndex = at;
  return blank.test(src);
}

/**
 * Only what is given: `marked.use()` of a page that shares the module changes the defaults, not us. A lexer for each run,
 * because one that has thrown is left in the middle of something.
 */
function createLexer(definitions: Definitions): Lexer {
  const lexer = new Lexer({ gfm: true, tokenizer: new BoundedTokenizer() });
  lexer.tokens.links = definitions as Lexer['tokens']['links'];
  return lexer;
}

/** Cuts `src` (line breaks already `\n`) into blocks. May throw, like every recursive rule over untrusted text. */
export function lexBlocks(src: string, definitions: Definitions): Lexed {
  const own = Object.assign(createDefinitions(), definitions);
  const lexer = createLexer(own);
  const tokens = lexer.blockTokens(src);
  const leaves = new Map<unknown, string>();
  for (const leaf of lexer.inlineQueue) leaves.set(leaf.tokens, leaf.src);
  return { tokens, leaves, definitions: own };
}

/** The beginning of `lines` that are rows of a table: all of it, or up to the blank line or the block that ends it. */
export function matchRows(lines: string): string {
  return Lexer.rules.block.gfm.table.exec(`|a|\n|-|\n${lines}`)?.[3] ?? '';
}

/** The inline tokens of one piece of a leaf. */
export function lexInline(src: string, definitions: Definitions): readonly (Token | RawMath)[] {
  return createLexer(definitions).inlineTokens(src);
}
