/**
 * Blocks that are read line by line once they have begun, because they may become long: what was read is not lexed again.
 * A fence only appends; a table's whole rows are final. Pure but for what a reader has read.
 */

import type { InlineLexer } from './inline.js';
import { matchRows, type RawTable } from './lexer.js';
import { toLanguage, toRow, unescapeInfo } from './convert.js';
import type { Block, Cell, CodeBlock, TableBlock } from './tokens.js';

/** Reads one open block of a source that grows. */
export interface Reader {
  readonly type: 'code' | 'raw-table';
  /** Where the block begins in the source. */
  readonly start: number;
  /** As far as it has come; the same object if nothing has. */
  readonly block: Block;
  /** Takes what is new. Returns where the block has ended, or nothing while it may go on. */
  read(source: string, isWhole: boolean): number | undefined;
}

const opening = /( {0,3})(`{3,}|~{3,})([^\n]*)\n/y;

export class FenceReader implements Reader {
  readonly type = 'code';
  readonly start: number;
  readonly #indent: number;
  readonly #mark: number;
  readonly #length: number;
  /** Where the first line of code begins, and the first line that has not been read. */
  readonly #from: number;
  #line: number;
  /** What an indented fence holds; that of any other is the source itself. */
  #unindented = '';
  #block: CodeBlock;

  private constructor(start: number, [whole, indent, marks, info]: readonly string[]) {
    this.start = start;
    this.#indent = (indent as string).length;
    this.#mark = (marks as string).charCodeAt(0);
    this.#length = (marks as string).length;
    this.#from = this.#line = start + (whole as string).length;
    this.#block = { type: 'code', language: toLanguage(unescapeInfo(info as string)), text: '', open: true };
  }

  /** A reader for the fence at `start`, or nothing if there is none. */
  static at(source: string, start: number): FenceReader | undefined {
    opening.lastIndex = start;
    const found = opening.exec(source);
    return found ? new FenceReader(start, found) : undefined;
  }

  get block(): CodeBlock {
    return this.#block;
  }

  read(source: string, isWhole: boolean): number | undefined {
    for (let end = source.indexOf('\n', this.#line); end >= 0; end = source.indexOf('\n', this.#line)) {
      if (this.#isClosing(source, this.#line, end)) return this.#close(source, this.#line, end);
      if (this.#indent > 0) this.#unindented += `${this.#unindent(source.slice(this.#line, end))}\n`;
      this.#line = end + 1;
    }
    if (isWhole && this.#isClosing(source, this.#line, source.length))
      return this.#close(source, this.#line, source.length);
    const isShown = isWhole || !this.#mayClose(source, this.#line);
    this.#show(this.#textUpTo(source, isShown ? source.length : this.#line), !isWhole);
    return isWhole ? source.length : undefined;
  }

  #close(source: string, line: number, end: number): number {
    this.#show(this.#textUpTo(source, line), false);
    return end;
  }

  #show(text: string, open: boolean): void {
    if (text !== this.#block.text || open !== this.#block.open) this.#block = { ...this.#block, text, open };
  }

  /** The code up to `end`, which is in the first unread line or at its start. */
  #textUpTo(source: string, end: number): string {
    const text =
      this.#indent > 0
        ? this.#unindented + this.#unindent(source.slice(this.#line, end))
        : source.slice(this.#from, end);
    // The last line break is the fence's. An unread line of nothing but indentation has none of its own.
    return end === this.#line && text.endsWith('\n') ? text.slice(0, -1) : text;
  }

  #unindent(line: string): string {
    let count = 0;
    while (count < this.#indent && (line[count] === ' ' || line[count] === '\t')) count += 1;
    return line.slice(count);
  }

  #isClosing(source: string, from: number, to: number): boolean {
    let at = from;
    while (at < from + 3 && source.charCodeAt(at) === 32) at += 1;
    const marks = at;
    while (at < to && source.charCodeAt(at) === this.#mark) at += 1;
    if (at - marks < this.#length) return false;
    while (at < to && source.charCodeAt(at) === 32) at += 1;
    return at === to;
  }

  /** Whether the line from `from` to the end of the source is the beginning of a closing fence. */
  #mayClose(source: string, from: number): boolean {
    let at = from;
    while (at < from + 3 && source.charCodeAt(at) === 32) at += 1;
    while (source.charCodeAt(at) === this.#mark) at += 1;
    while (source.charCodeAt(at) === 32) at += 1;
    return at === source.length && at > from;
  }
}

export class TableReader implements Reader {
  readonly type = 'raw-table';
  readonly start: number;
  readonly #inline: InlineLexer;
  #rows: readonly (readonly Cell[])[] = [];
  #line: number;
  #block: TableBlock;

  /** `head` is the table without its rows, which begin at `line`. */
  constructor(start: number, line: number, head: TableBlock, inline: InlineLexer) {
    this.start = start;
    this.#line = line;
    this.#block = head;
    this.#inline = inline;
  }

  /** A reader for the table that `token` begins at `start`, or nothing while its delimiter row is not complete. */
  static at(source: string, start: number, { align, head }: RawTable, inline: InlineLexer): TableReader | undefined {
    const line = source.indexOf('\n', source.indexOf('\n', start) + 1) + 1;
    if (line === 0) return undefined;
    const cells = head.map((cell) => inline.lex(cell));
    return new TableReader(start, line, { type: 'table', align, head: cells, rows: [] }, inline);
  }

  get block(): TableBlock {
    return this.#block;
  }

  read(source: string, isWhole: boolean): number | undefined {
    // A row is shown when it is whole: its cells set the width of the columns.
    const until = isWhole ? source.length : source.lastIndexOf('\n') + 1;
    if (until > this.#line) {
      const lines = source.slice(this.#line, until);
      const rows = matchRows(lines);
      this.#append(rows);
      this.#line += rows.length;
      if (rows.length < lines.length) return this.#line;
    }
    return isWhole ? source.length : undefined;
  }

  #append(text: string): void {
    const lines = text.split('\n');
    if (lines.at(-1)?.trim() === '') lines.pop();
    if (lines.length === 0) return;
    const columns = this.#block.head.length;
    this.#rows = [...this.#rows, ...lines.map((line) => toRow(line, columns, this.#inline))];
    this.#block = { ...this.#block, rows: this.#rows };
  }
}
