/**
 * Markdown that arrives in pieces. Only the open end of the text is lexed again: a block that no further text can change
 * is frozen and keeps its identity, the items of an open list are frozen one by one, an open fence only appends, and an
 * open table takes whole rows. At the end `reconcile` compares with one run of the lexer over all of it, which finds what
 * only the whole text can tell, a link definition behind the link for one. Knows neither nodes nor time.
 */

import { Converter } from './convert.js';
import { countFinished, toPlaced, type Placed } from './finished.js';
import { InlineLexer } from './inline.js';
import { createDefinitions, lexBlocks, type BlockToken, type Definitions, type Lexed, type RawTable } from './lexer.js';
import { FenceReader, TableReader, type Reader } from './readers.js';
import { amend, holdBack } from './tail.js';
import type { Block, ListBlock, ListItem } from './tokens.js';
import type { Tokens } from 'marked';

export interface BlockChange {
  readonly blocks: readonly Block[];
  /** The blocks before this index are the objects they were in the change before. */
  readonly from: number;
}

/** UTF-16 units that are lexed; text behind them is shown as it is. */
const MAX_SOURCE = 1024 * 1024;
/** Items at the end of an open list that may still change: the last, and the one half a marker could fall back to. */
const OPEN_ITEMS = 2;

/** Where a frozen block stands, and what the lexer called it. */
interface Frozen {
  readonly start: number;
  readonly end: number;
  readonly type: string;
  readonly block: Block;
}

/** The frozen items of the list the tail goes on with. */
interface ListHead {
  readonly start: number;
  readonly first: Tokens.List;
  readonly items: readonly ListItem[];
  readonly loose: boolean;
}

/** An open block that has not been amended, by the text it came from. */
type Reusable = ReadonlyMap<string, Block>;

export class MarkdownStream {
  #text = '';
  /** `#text` with its line breaks normalized. */
  #source = '';
  #hasReturns = false;
  #frozen: Frozen[] = [];
  #open: readonly Block[] = [];
  #reusable: Reusable = new Map();
  /** Where the tail begins: what is not frozen. */
  #tail = 0;
  #definitions: Definitions = createDefinitions();
  #inline = new InlineLexer(this.#definitions);
  /** Some block has been lexed with definitions. */
  #hadDefinitions = false;
  #reader: Reader | undefined;
  #list: ListHead | undefined;
  #isFinished = false;
  /** The lexer has seen all of the text in one run. */
  #isReconciled = false;
  #blocks: readonly Block[] = [];

  /** The blocks of `text` as far as it goes. Cheap if it continues the text before; any other starts anew. */
  update(text: string): BlockChange {
    if (text === this.#text && !this.#isFinished) return this.#publish();
    this.#take(text, false);
    this.#advance(false);
    return this.#publish();
  }

  /** The blocks of `text`, which is whole. A later `update` with more text starts anew. */
  finish(text: string): BlockChange {
    if (text === this.#text && this.#isFinished) return this.#publish();
    this.#take(text, true);
    this.#isReconciled = this.#tail === 0 && !this.#reader && !this.#list;
    this.#advance(true);
    this.#isFinished = true;
    return this.#publish();
  }

  /**
   * Puts right what could not be known while the text grew. Only after `finish`. Costs one run of the block lexer over the
   * whole text, so it is for idle time; blocks that were right keep their identity.
   */
  reconcile(): BlockChange {
    if (this.#isReconciled || !this.#isFinished) return this.#publish();
    this.#isReconciled = true;
    const lexed = lexSafely(this.#lexable, createDefinitions());
    if (lexed) this.#replaceFrozen(lexed);
    return this.#publish();
  }

  /** Whether `reconcile` has anything to do. */
  get needsReconcile(): boolean {
    return this.#isFinished && !this.#isReconciled;
  }

  get #lexable(): string {
    return this.#source.length > MAX_SOURCE ? this.#source.slice(0, MAX_SOURCE) : this.#source;
  }

  #take(text: string, isWhole: boolean): void {
    if (this.#isFinished || !text.startsWith(this.#text)) this.#reset();
    // A carriage return may be half a line break.
    const taken = !isWhole && text.endsWith('\r') ? text.slice(0, -1) : text;
    const added = taken.slice(this.#text.length);
    // As long as there is nothing to normalize, both are one string, which is flattened once.
    this.#hasReturns ||= added.includes('\r');
    this.#source = this.#hasReturns ? this.#source + added.replace(/\r\n?/g, '\n') : taken;
    this.#text = taken;
  }

  #reset(): void {
    this.#text = this.#source = '';
    this.#hasReturns = false;
    this.#frozen = [];
    this.#open = [];
    this.#reusable = new Map();
    this.#tail = 0;
    this.#definitions = createDefinitions();
    this.#inline = new InlineLexer(this.#definitions);
    this.#reader = this.#list = undefined;
    this.#hadDefinitions = this.#isFinished = this.#isReconciled = false;
  }

  /** Hands out the blocks as they are, and from where they differ from those handed out last. */
  #publish(): BlockChange {
    const blocks = [...this.#frozen.map(({ block }) => block), ...this.#open];
    if (this.#source.length > MAX_SOURCE) blocks.push({ type: 'literal', text: this.#source.slice(MAX_SOURCE) });
    const before = this.#blocks;
    let from = 0;
    while (from < blocks.length && blocks[from] === before[from]) from += 1;
    this.#blocks = blocks;
    return { blocks, from };
  }

  #advance(isWhole: boolean): void {
    const source = this.#lexable;
    do {
      if (this.#reader && !this.#readOn(this.#reader, source, isWhole)) return;
    } while (this.#lexTail(source, isWhole));
  }

  /** Lets the reader take what is new. True when its block has ended and the text goes on behind it. */
  #readOn(reader: Reader, source: string, isWhole: boolean): boolean {
    const end = reader.read(source, isWhole);
    if (end === undefined) {
      this.#open = [reader.block];
      return false;
    }
    this.#freeze(
      reader.start,
      reader.start + source.slice(reader.start, end).trimEnd().length,
      reader.type,
      reader.block,
    );
    this.#reader = undefined;
    this.#tail = end;
    return true;
  }

  #freeze(start: number, end: number, type: string, block: Block): void {
    this.#frozen.push({ start, end, type, block });
  }

  /** Lexes the tail and freezes what is finished. True when a reader has taken over. */
  #lexTail(source: string, isWhole: boolean): boolean {
    const tail = source.slice(this.#tail);
    const shown = isWhole ? tail : holdBack(tail);
    const lexed = lexSafely(shown, this.#definitions);
    if (!lexed) {
      this.#open = [{ type: 'literal', text: shown }];
      return false;
    }
    const placed = toPlaced(lexed.tokens, shown);
    if (this.#list && !continues(this.#list, placed[0]?.token)) return this.#forgetList(source, isWhole);
    const finished = isWhole ? placed.length : countFinished(placed, shown);
    this.#useDefinitions(lexed, placed.slice(finished));
    const converter = new Converter(lexed, this.#inline);
    this.#freezeFinished(placed.slice(0, finished), converter);
    const open = placed.slice(finished);
    const offset = this.#tail;
    const last = open[0];
    this.#tail += last?.start ?? shown.length;
    if (last && open.length === 1 && this.#startReader(last, offset, source)) return true;
    this.#convertOpen(open, converter);
    if (last && open.length === 1) this.#freezeItems(last, offset);
    return false;
  }

  /** Takes over what has been defined, but for what may still be half an address. */
  #useDefinitions({ definitions }: Lexed, open: readonly Placed[]): void {
    for (const { token } of open) {
      if (token.type !== 'def') continue;
      const { tag } = token as Tokens.Def;
      if (!(tag in this.#definitions)) delete definitions[tag];
    }
    const isSame = Object.keys(definitions).length === Object.keys(this.#inline.definitions).length;
    if (isSame) this.#inline.startRun();
    else this.#inline = new InlineLexer(definitions);
    this.#hadDefinitions ||= !isSame;
  }

  #freezeFinished(placed: readonly Placed[], converter: Converter): void {
    const offset = this.#tail;
    for (const { token, start, end } of placed) {
      if (token.type === 'def') this.#define(token as Tokens.Def);
      const list = this.#list;
      const block = list ? this.#joinList(list, converter.toBlock(token)) : this.#toBlock(token, converter);
      this.#list = undefined;
      if (block) this.#freeze(list?.start ?? offset + start, offset + end, token.type, block);
    }
  }

  #toBlock(token: BlockToken, converter: Converter): Block | undefined {
    return this.#reusable.get(token.raw) ?? converter.toBlock(token);
  }

  #define({ tag, href, title }: Tokens.Def): void {
    // The first definition of a label wins.
    this.#definitions[tag] ??= { href, title };
  }

  #startReader({ token, start }: Placed, offset: number, source: string): boolean {
    if (token.type === 'code' && (token as Tokens.Code).codeBlockStyle !== 'indented') {
      this.#reader = FenceReader.at(source, offset + start);
    } else if (token.type === 'raw-table') {
      this.#reader = TableReader.at(source, offset + start, token as RawTable, this.#inline);
    }
    return this.#reader !== undefined;
  }

  /** Shows what may still change. What is the same as before stays the same object. */
  #convertOpen(open: readonly Placed[], converter: Converter): void {
    const reusable = new Map<string, Block>();
    const blocks: Block[] = [];
    open.forEach(({ token }, i) => {
      const isLast = i === open.length - 1;
      const converted = isLast ? converter.toBlock(token, amend) : this.#toBlock(token, converter);
      const block = i === 0 && this.#list ? this.#joinList(this.#list, converted) : converted;
      if (!block) return;
      blocks.push(block);
      if (!isLast && !this.#list) reusable.set(token.raw, block);
    });
    this.#open = blocks;
    this.#reusable = reusable;
  }

  /** The list that the tail goes on with, and its head. */
  #joinList({ first, items, loose }: ListHead, rest: Block | undefined): ListBlock {
    const list = rest as ListBlock;
    return {
      type: 'list',
      ordered: list.ordered,
      start: first.start === '' ? 1 : first.start,
      loose: loose || list.loose,
      items: [...items, ...list.items],
    };
  }

  /** Freezes the items of the open list that are behind the last two. The tail then begins at the first of those. */
  #freezeItems({ token, start }: Placed, offset: number): void {
    if (token.type !== 'list') return;
    const list = token as Tokens.List;
    const count = list.items.length - OPEN_ITEMS;
    if (count < 1) return;
    const block = this.#open[0] as ListBlock;
    const frozen = list.items.slice(0, count);
    const isLoose = frozen.some(({ raw }) => /\n[ \t]*\n[ \t]*$/.test(raw));
    this.#list = {
      start: this.#list?.start ?? offset + start,
      first: this.#list?.first ?? list,
      items: block.items.slice(0, -OPEN_ITEMS),
      loose: isLoose || block.loose,
    };
    this.#tail += frozen.reduce((sum, { raw }) => sum + raw.length, 0);
  }

  /** What follows the frozen items is no list after all: the whole of it is lexed again. */
  #forgetList(source: string, isWhole: boolean): boolean {
    this.#tail = (this.#list as ListHead).start;
    this.#list = undefined;
    return this.#lexTail(source, isWhole);
  }

  #replaceFrozen(lexed: Lexed): void {
    const inline = new InlineLexer(lexed.definitions);
    const converter = new Converter(lexed, inline);
    const known = new Map(this.#frozen.map((frozen) => [frozen.start, frozen]));
    const hasDefinitions = this.#hadDefinitions || Object.keys(lexed.definitions).length > 0;
    const frozen: Frozen[] = [];
    for (const { token, start, end } of toPlaced(lexed.tokens, this.#lexable)) {
      const before = known.get(start);
      const isSame = before?.end === end && before.type === token.type;
      const isFinal = isSame && !(hasDefinitions && token.raw.includes('['));
      const block = isFinal ? before.block : converter.toBlock(token);
      if (block) frozen.push({ start, end, type: token.type, block: keepEqual(before?.block, block) });
    }
    this.#frozen = frozen;
  }
}

/** `before` if it says what `block` says. */
function keepEqual(before: Block | undefined, block: Block): Block {
  return before && before !== block && JSON.stringify(before) === JSON.stringify(block) ? before : block;
}

function continues({ first }: ListHead, token: BlockToken | undefined): boolean {
  return token?.type === 'list' && markerOf(token as Tokens.List) === markerOf(first);
}

/** The character that all items of a list share. */
const markerOf = ({ raw }: Tokens.List) => /[-*+.)]/.exec(raw)?.[0];

function lexSafely(src: string, definitions: Definitions): Lexed | undefined {
  try {
    return lexBlocks(src, definitions);
  } catch {
    // A defect of a rule on input nobody has tried: the caller shows the text as it is, which loses nothing.
    return undefined;
  }
}
