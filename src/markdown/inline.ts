/**
 * Inline text to tokens. What was lexed is remembered by its source, so that the leaves of an open block that did not
 * change come back as the same objects. Pure but for that memory.
 */

import type { MarkedToken, Token, Tokens } from 'marked';
import { decodeEntities } from './entities.js';
import { lexInline, type Definitions, type RawMath } from './lexer.js';
import { isOnlyMarks, toPieces, type Pieces } from './pieces.js';
import { toLinkTarget } from './safe-url.js';
import type { Inline, LinkTarget } from './tokens.js';

/** Lexes leaves with one set of definitions. */
export class InlineLexer {
  readonly definitions: Definitions;
  /** Of the run before this one; what is not asked for again is forgotten with it. */
  #previous = new Map<string, readonly Inline[]>();
  #current = new Map<string, readonly Inline[]>();
  /** The last leaf that was more than one piece: if it grows, it is cut only where it is new. */
  #long: { readonly src: string; readonly pieces: Pieces } | undefined;

  constructor(definitions: Definitions) {
    this.definitions = definitions;
  }

  /** Starts a run: what the last run used is still known, what only older ones used is not. */
  startRun(): void {
    this.#previous = this.#current;
    this.#current = new Map();
  }

  /** The tokens of a whole leaf. `amend` changes the source of its last piece, the end of a text that still grows. */
  lex(src: string, amend?: (piece: string) => Amended): readonly Inline[] {
    if (src === '') return nothing;
    const pieces = this.#toPieces(src);
    if (pieces.length === 1) return this.#lexLast(src, amend);
    const last = pieces.length - 1;
    return pieces.flatMap((piece, i) => (i === last ? this.#lexLast(piece, amend) : this.#lexPiece(piece)));
  }

  #toPieces(src: string): Pieces {
    const pieces = toPieces(src, this.#long && src.startsWith(this.#long.src) ? this.#long.pieces : []);
    if (pieces.length > 1) this.#long = { src, pieces };
    return pieces;
  }

  #lexLast(piece: string, amend?: (piece: string) => Amended): readonly Inline[] {
    if (!amend) return this.#lexPiece(piece);
    const { src, endsInWord } = amend(piece);
    const tokens = this.#lexPiece(src);
    return endsInWord ? withoutLastAddress(tokens) : tokens;
  }

  #lexPiece(src: string): readonly Inline[] {
    if (src === '') return nothing;
    let tokens = this.#current.get(src) ?? this.#previous.get(src);
    tokens ??= isOnlyMarks(src) ? [{ type: 'text', text: src }] : toInlines(lexSafely(src, this.definitions));
    this.#current.set(src, tokens);
    return tokens;
  }
}

/** The source to lex in place of a piece that still grows. */
export interface Amended {
  readonly src: string;
  /** The last word may go on. */
  readonly endsInWord: boolean;
}

const nothing: readonly Inline[] = [];

function lexSafely(src: string, definitions: Definitions): readonly (Token | RawMath)[] {
  try {
    return lexInline(src, definitions);
  } catch {
    // The rules are bounded, so this is a defect of one of them. The text is shown as it is rather than not at all.
    return [{ type: 'text', raw: src, text: src }];
  }
}

function toInlines(tokens: readonly (Token | RawMath)[]): readonly Inline[] {
  const inlines: Inline[] = [];
  let text = '';
  const flush = () => {
    if (text !== '') inlines.push({ type: 'text', text });
    text = '';
  };
  for (const token of tokens) {
    const found = toInline(token as MarkedToken | RawMath);
    if (typeof found === 'string') {
      text += found;
    } else {
      flush();
      if (Array.isArray(found)) inlines.push(...(found as readonly Inline[]));
      else inlines.push(found as Inline);
    }
  }
  flush();
  return inlines;
}

/** A string is text and joins its neighbours. */
function toInline(token: MarkedToken | RawMath): Inline | readonly Inline[] | string {
  switch (token.type) {
    case 'escape':
      return token.text;
    case 'strong':
      return { type: 'strong', content: toInlines(token.tokens) };
    case 'em':
      return { type: 'emphasis', content: toInlines(token.tokens) };
    case 'del':
      return { type: 'strike', content: toInlines(token.tokens) };
    case 'codespan':
      return { type: 'code-span', text: token.text };
    case 'br':
      return { type: 'break' };
    case 'math':
      return { type: 'math', source: token.raw, display: !token.raw.startsWith('\\(') };
    case 'link':
      return toLink(token);
    case 'image':
      return {
        type: 'image',
        target: toTarget(token.href),
        alt: decodeEntities(token.text),
        title: toTitle(token.title),
      };
    case 'checkbox':
      // Shown by the list item.
      return '';
    case 'html':
      return token.raw;
    default:
      return decodeEntities(token.raw);
  }
}

function toLink(token: Tokens.Link): Inline | readonly Inline[] | string {
  // The text of an address that names itself is the address: no entities, no escapes.
  const content: readonly Inline[] = token.autolink ? [{ type: 'text', text: token.text }] : toInlines(token.tokens);
  const target = token.autolink ? toLinkTarget(token.href) : toTarget(token.href);
  const bare = token.autolink === true && !token.raw.startsWith('<');
  if (target) return { type: 'link', target, title: toTitle(token.title), bare, content };
  return token.autolink ? token.raw : content;
}

const toTarget = (href: string): LinkTarget | undefined => toLinkTarget(decodeEntities(href));

const toTitle = (title: string | null | undefined): string | undefined => (title ? decodeEntities(title) : undefined);

/** The same tokens, but an address in the last word is text: the rest of it may be under way. */
function withoutLastAddress(tokens: readonly Inline[]): readonly Inline[] {
  for (let i = tokens.length - 1; i >= 0; i -= 1) {
    const token = tokens[i] as Inline;
    if (token.type === 'text' && !/\s/.test(token.text)) continue;
    if (token.type === 'link' && token.bare) return tokens.toSpliced(i, 1, ...token.content);
    if ('content' in token && token.type !== 'link') {
      return tokens.toSpliced(i, 1, { ...token, content: withoutLastAddress(token.content) });
    }
    return tokens;
  }
  return tokens;
}
