/**
 * Block tokens as nodes, one element for each block, changed in place as the blocks change. A block that is the same
 * object is not looked at. Direction is found for each block at the top; what is inside one follows it.
 */

import type { BlockChange } from '../../markdown/stream.js';
import type { Alignment, Block, Cell, ListBlock, ListItem, TableBlock } from '../../markdown/tokens.js';
import { GrowingText } from '../growing-text.js';
import { CodeView } from './code-view.js';
import { createElement, type MarkdownContext } from './markdown-context.js';
import { createInlines, patchInlines } from './markdown-inlines.js';

/** What keeps more than its element. */
const codes = new WeakMap<Element, CodeView>();
const literals = new WeakMap<Element, GrowingText>();

/** What holds blocks, and what holds text or, as long as it is empty, could. */
const containers = new Set(['blockquote', 'ul', 'ol', 'li']);
const ends = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'li']);

/** Empty cells that fill up short rows of one table; a row costs two characters, a filled one as many cells as the head. */
const MAX_FILLERS = 2000;

/** The nodes of one text. Owns all children of its root. */
export class BlocksView {
  readonly #root: HTMLElement;
  readonly #context: MarkdownContext;
  #blocks: readonly Block[] = [];

  constructor(root: HTMLElement, context: MarkdownContext) {
    this.#root = root;
    this.#context = context;
  }

  get blocks(): readonly Block[] {
    return this.#blocks;
  }

  update({ blocks, from }: BlockChange): void {
    patchBlocks(this.#root, this.#blocks, blocks, { context: this.#context, isTop: true, from });
    this.#blocks = blocks;
  }

  /** The element that holds the last text, unless that is a cell: a caret would widen its column. */
  findEnd(): Element | undefined {
    let element = this.#root.lastElementChild;
    while (element?.lastElementChild && containers.has(element.localName)) element = element.lastElementChild;
    if (!element) return undefined;
    return codes.get(element)?.code ?? (ends.has(element.localName) ? element : undefined);
  }

  /** All blocks of code, at any depth. */
  findCodes(): readonly CodeView[] {
    return [...this.#root.querySelectorAll('.md-code')].flatMap((element) => codes.get(element) ?? []);
  }

  /** Makes all nodes anew. */
  rebuild(): void {
    this.#root.replaceChildren(...this.#blocks.map((block) => createBlock(block, this.#context, true)));
  }

  clear(): void {
    this.#root.replaceChildren();
    this.#blocks = [];
  }
}

interface Place {
  readonly context: MarkdownContext;
  readonly isTop: boolean;
  /** Blocks before this one are the same. */
  readonly from?: number;
  /** Children of the parent in front of the first block. */
  readonly offset?: number;
}

function patchBlocks(
  parent: Element,
  before: readonly Block[],
  after: readonly Block[],
  { context, isTop, from = 0, offset = 0 }: Place,
): void {
  let i = Math.min(from, before.length);
  while (i < before.length && before[i] === after[i]) i += 1;
  let node = parent.children[i + offset] ?? null;
  for (; i < before.length || i < after.length; i += 1) {
    const old = before[i];
    const block = after[i];
    const next = node?.nextElementSibling ?? null;
    if (!block) node?.remove();
    else if (!old || !node) parent.append(createBlock(block, context, isTop));
    else if (!patchBlock(node, old, block, context)) node.replaceWith(createBlock(block, context, isTop));
    node = next;
  }
}

/** Changes `node` from `before` to `after`; false if it has to be another element. */
function patchBlock(node: Element, before: Block, after: Block, context: MarkdownContext): boolean {
  if (before === after) return true;
  switch (after.type) {
    case 'heading':
      if (before.type !== 'heading' || before.level !== after.level) return false;
      patchInlines(node, before.content, after.content, context);
      return true;
    case 'paragraph':
      if (before.type !== 'paragraph') return false;
      patchInlines(node, before.content, after.content, context);
      return true;
    case 'code':
      if (before.type !== 'code') return false;
      codes.get(node)?.set(after);
      return true;
    case 'quote':
      if (before.type !== 'quote') return false;
      patchBlocks(node, before.blocks, after.blocks, { context, isTop: false });
      return true;
    case 'list':
      return before.type === 'list' && patchList(node as HTMLElement, before, after, context);
    case 'table':
      return before.type === 'table' && patchTable(node, before, after, context);
    case 'literal':
      if (before.type !== 'literal') return false;
      literals.get(node)?.set(after.text);
      return true;
    case 'rule':
      return before.type === 'rule';
  }
}

function createBlock(block: Block, context: MarkdownContext, isTop: boolean): HTMLElement {
  const element = createBlockElement(block, context);
  if (isTop && !element.dir) element.dir = 'auto';
  return element;
}

function createBlockElement(block: Block, context: MarkdownContext): HTMLElement {
  switch (block.type) {
    case 'heading':
      return createElement(`h${block.level}`, '', ...createInlines(block.content, context));
    case 'paragraph':
      return createElement('p', '', ...createInlines(block.content, context));
    case 'code': {
      const view = new CodeView(block, context);
      codes.set(view.element, view);
      return view.element;
    }
    case 'quote':
      return createElement('blockquote', '', ...block.blocks.map((inner) => createBlock(inner, context, false)));
    case 'list':
      return createList(block, context);
    case 'table':
      return createTable(block, context);
    case 'literal': {
      const element = createElement('p', 'md-literal');
      const text = new GrowingText((node) => element.append(node));
      text.set(block.text);
      literals.set(element, text);
      return element;
    }
    case 'rule':
      return createElement('hr');
  }
}

/* ---------------------------------------------------------------- lists */

function createList(block: ListBlock, context: MarkdownContext): HTMLElement {
  const list = createElement(block.ordered ? 'ol' : 'ul', '', ...block.items.map((item) => createItem(item, context)));
  styleList(list, block);
  return list;
}

function styleList(list: HTMLElement, { ordered, start, loose, items }: ListBlock): void {
  list.classList.toggle('md-loose', loose);
  list.classList.toggle('md-tasks', items.length > 0 && items.every(({ checked }) => checked !== undefined));
  if (!(list instanceof HTMLOListElement) || !ordered) return;
  if (list.start !== start) list.start = start;
  // Room for the longest number, whichever side it is on.
  const digits = String(Math.max(2, String(start).length, String(start + items.length - 1).length));
  if (list.style.getPropertyValue('--_digits') !== digits) list.style.setProperty('--_digits', digits);
}

function patchList(list: HTMLElement, before: ListBlock, after: ListBlock, context: MarkdownContext): boolean {
  if (before.ordered !== after.ordered) return false;
  let i = 0;
  while (i < before.items.length && before.items[i] === after.items[i]) i += 1;
  let node = list.children[i] ?? null;
  for (; i < before.items.length || i < after.items.length; i += 1) {
    const old = before.items[i];
    const item = after.items[i];
    const next = node?.nextElementSibling ?? null;
    if (!item) node?.remove();
    else if (!old || !node) list.append(createItem(item, context));
    else if (!patchItem(node, old, item, context)) node.replaceWith(createItem(item, context));
    node = next;
  }
  styleList(list, after);
  return true;
}

function createItem({ checked, blocks }: ListItem, context: MarkdownContext): HTMLLIElement {
  const item = createElement('li');
  if (checked !== undefined) {
    const box = createElement('input');
    box.type = 'checkbox';
    box.disabled = true;
    box.checked = checked;
    box.setAttribute('aria-label', checked ? context.strings.taskDone : context.strings.taskOpen);
    item.className = 'md-task';
    item.append(box);
  }
  item.append(...blocks.map((block) => createBlock(block, context, false)));
  return item;
}

function patchItem(item: Element, before: ListItem, after: ListItem, context: MarkdownContext): boolean {
  if (before.checked !== after.checked) return false;
  const offset = after.checked === undefined ? 0 : 1;
  patchBlocks(item, before.blocks, after.blocks, { context, isTop: false, offset });
  return true;
}

/* ---------------------------------------------------------------- tables */

function createTable(block: TableBlock, context: MarkdownContext): HTMLElement {
  const head = createElement('tr', '', ...block.head.map((cell, i) => createCell('th', cell, block.align[i], context)));
  const table = createElement('table', '', createElement('thead', '', head));
  table.dir = 'auto';
  const box = createElement('div', 'md-scroll md-table', table);
  box.setAttribute('role', 'group');
  box.setAttribute('aria-label', context.strings.table);
  appendRows(table, block, 0, context);
  context.onScrollBox(box);
  return box;
}

function patchTable(box: Element, before: TableBlock, after: TableBlock, context: MarkdownContext): boolean {
  const table = box.firstElementChild;
  const isGrown =
    before.head === after.head && before.align === after.align && before.rows.every((row, i) => row === after.rows[i]);
  if (!isGrown || !(table instanceof HTMLTableElement)) return false;
  appendRows(table, after, before.rows.length, context);
  return true;
}

function appendRows(
  table: HTMLTableElement,
  { head, rows, align }: TableBlock,
  from: number,
  context: MarkdownContext,
): void {
  if (rows.length <= from) return;
  const body = table.tBodies[0] ?? table.appendChild(createElement('tbody'));
  let fillers = rows.slice(0, from).reduce((sum, row) => sum + head.length - row.length, 0);
  for (const row of rows.slice(from)) {
    const cells = row.map((cell, i) => createCell('td', cell, align[i], context));
    fillers += head.length - row.length;
    if (fillers <= MAX_FILLERS) while (cells.length < head.length) cells.push(createElement('td'));
    body.append(createElement('tr', '', ...cells));
  }
}

function createCell(tag: 'th' | 'td', cell: Cell, align: Alignment, context: MarkdownContext): HTMLTableCellElement {
  const element = createElement(tag, align ? `md-${align}` : '', ...createInlines(cell, context));
  if (tag === 'th') element.scope = 'col';
  return element;
}
