/**
 * Markdown as data. This folder turns untrusted text into the closed set of tokens below and nothing else: raw HTML is
 * text, an unknown construct is text, nesting is bounded, and a link carries a target that was judged safe. It makes no
 * nodes and no HTML strings; `views/parts` does the former and nobody does the latter.
 *
 * Tokens are immutable. The same object means the same content, so a view may skip what it has already shown.
 */

/** Where a link leads: the browser may go to a `web` address; a `resource` is the page's to open. */
export type LinkTarget =
  { readonly kind: 'web'; readonly url: string } | { readonly kind: 'resource'; readonly uri: string };

export interface TextToken {
  readonly type: 'text';
  readonly text: string;
}
export interface StyledToken {
  readonly type: 'strong' | 'emphasis' | 'strike';
  readonly content: readonly Inline[];
}
export interface CodeSpanToken {
  readonly type: 'code-span';
  readonly text: string;
}
export interface BreakToken {
  readonly type: 'break';
}
export interface LinkToken {
  readonly type: 'link';
  readonly target: LinkTarget;
  readonly title: string | undefined;
  /** An address found in running text, with nothing around it. */
  readonly bare: boolean;
  readonly content: readonly Inline[];
}
export interface ImageToken {
  readonly type: 'image';
  /** Absent when the address is none that could be loaded or opened. */
  readonly target: LinkTarget | undefined;
  readonly alt: string;
  readonly title: string | undefined;
}
/** A formula as it was written, delimiters included: `\(…\)`, `\[…\]` or `$$…$$`. */
export interface MathToken {
  readonly type: 'math';
  readonly source: string;
  readonly display: boolean;
}

export type Inline = TextToken | StyledToken | CodeSpanToken | BreakToken | LinkToken | ImageToken | MathToken;

export interface HeadingBlock {
  readonly type: 'heading';
  readonly level: 1 | 2 | 3 | 4 | 5 | 6;
  readonly content: readonly Inline[];
}
export interface ParagraphBlock {
  readonly type: 'paragraph';
  readonly content: readonly Inline[];
}
export interface CodeBlock {
  readonly type: 'code';
  /** First word of the info string, or empty. */
  readonly language: string;
  /** Without the last line break. */
  readonly text: string;
  /** The fence has not been closed, and more may come. */
  readonly open: boolean;
}
export interface QuoteBlock {
  readonly type: 'quote';
  readonly blocks: readonly Block[];
}
export interface ListItem {
  /** A task when defined. */
  readonly checked: boolean | undefined;
  readonly blocks: readonly Block[];
}
export interface ListBlock {
  readonly type: 'list';
  readonly ordered: boolean;
  /** Number of the first item; 1 where that has no meaning. */
  readonly start: number;
  /** Blank lines stand between the items. Text of a tight list is held by paragraphs, too. */
  readonly loose: boolean;
  readonly items: readonly ListItem[];
}
export type Alignment = 'start' | 'center' | 'end' | undefined;
export type Cell = readonly Inline[];
export interface TableBlock {
  readonly type: 'table';
  /** One for each column. */
  readonly align: readonly Alignment[];
  readonly head: readonly Cell[];
  /** Rows may be shorter than the head. */
  readonly rows: readonly (readonly Cell[])[];
}
export interface RuleBlock {
  readonly type: 'rule';
}
/** Text shown as it is, line breaks included: raw HTML, and what is too large or too deep to be lexed. */
export interface LiteralBlock {
  readonly type: 'literal';
  readonly text: string;
}

export type Block =
  HeadingBlock | ParagraphBlock | CodeBlock | QuoteBlock | ListBlock | TableBlock | RuleBlock | LiteralBlock;
