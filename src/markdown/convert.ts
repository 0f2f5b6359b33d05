/** The lexer's block tokens as our own. What has no counterpart is shown as the text it was written with. Pure. */

import type { MarkedToken, Tokens } from 'marked';
import { decodeEntities } from './entities.js';
import type { Amended, InlineLexer } from './inline.js';
import type { BlockToken, Lexed, RawTable } from './lexer.js';
import { splitCells } from './table-row.js';
import type { Block, Cell, CodeBlock, HeadingBlock, Inline, ListItem, ParagraphBlock, TableBlock } from './tokens.js';

/** Changes the source at the end of a text that still grows. */
export type Amend = (piece: string) => Amended;

type Known = MarkedToken | RawTable;

/** Converts the tokens of one run of the block lexer. */
export class Converter {
  readonly #lexed: Lexed;
  readonly #inline: InlineLexer;

  constructor(lexed: Lexed, inline: InlineLexer) {
    this.#lexed = lexed;
    this.#inline = inline;
  }

  /** The block of `token`, or nothing for what shows nothing. With `amend` the text may still grow at the token's end. */
  toBlock(token: BlockToken, amend?: Amend): Block | undefined {
    const known = token as Known;
    switch (known.type) {
      case 'space':
      case 'def':
      case 'checkbox':
        return undefined;
      case 'heading':
        return {
          type: 'heading',
          level: known.depth as HeadingBlock['level'],
          content: this.#toInlines(known, amend),
        };
      case 'paragraph':
      case 'text':
        return this.#toParagraph(known, amend);
      case 'code':
        return toCode(known);
      case 'hr':
        return { type: 'rule' };
      case 'blockquote':
        return { type: 'quote', blocks: this.toBlocks(known.tokens, amend) };
      case 'list':
        return {
          type: 'list',
          ordered: known.ordered,
          start: known.start === '' ? 1 : known.start,
          loose: known.loose,
          items: known.items.map((item, i) => this.#toItem(item, i === known.items.length - 1 ? amend : undefined)),
        };
      case 'raw-table':
        return this.toTable(known);
      default:
        return { type: 'literal', text: token.raw.replace(/\n+$/, '') };
    }
  }

  toBlocks(tokens: readonly BlockToken[], amend?: Amend): readonly Block[] {
    const last = tokens.findLastIndex((token) => token.type !== 'space');
    const blocks: Block[] = [];
    tokens.forEach((token, i) => {
      const block = this.toBlock(token, i === last ? amend : undefined);
      if (block) blocks.push(block);
    });
    return blocks;
  }

  toTable({ align, head, lines }: RawTable): TableBlock {
    return {
      type: 'table',
      align,
      head: head.map((cell) => this.#inline.lex(cell)),
      rows: lines.map((line) => toRow(line, head.length, this.#inline)),
    };
  }

  #toParagraph(token: { readonly tokens?: unknown; readonly text: string }, amend?: Amend): ParagraphBlock {
    return { type: 'paragraph', content: this.#toInlines(token, amend) };
  }

  #toInlines({ tokens, text }: { readonly tokens?: unknown; readonly text: string }, amend?: Amend): readonly Inline[] {
    // A task's box has been taken out of the leaf, but put back into the token's text.
    return this.#inline.lex(this.#lexed.leaves.get(tokens) ?? text, amend);
  }

  #toItem(item: Tokens.ListItem, amend?: Amend): ListItem {
    return { checked: item.task ? item.checked === true : undefined, blocks: this.toBlocks(item.tokens, amend) };
  }
}

/** The cells of one line, at most `columns`. */
export const toRow = (line: string, columns: number, inline: InlineLexer): readonly Cell[] =>
  splitCells(line)
    .slice(0, columns)
    .map((cell) => inline.lex(cell));

function toCode({ codeBlockStyle, lang, raw, text }: Tokens.Code): CodeBlock {
  const language = codeBlockStyle === 'indented' ? '' : toLanguage(lang ?? '');
  // The lexer takes the fence's own indentation off its lines if the fence is of backticks only.
  const indent = /^ {1,3}(?=~)/.exec(raw)?.[0].length;
  const code = text.replace(/\n$/, '');
  const unindented = indent === undefined ? code : code.replace(new RegExp(`^[ \\t]{1,${indent}}`, 'gm'), '');
  return { type: 'code', language, text: unindented, open: false };
}

/** The language an info string names. */
export const toLanguage = (info: string): string => decodeEntities(info).trim().split(/\s/, 1)[0]?.slice(0, 40) ?? '';

/** An info string as it stands in the source, its backslash escapes resolved as the lexer does. */
export const unescapeInfo = (info: string): string => info.trim().replace(/\\([\p{P}\p{S}])/gu, '$1');
