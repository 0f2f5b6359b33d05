/** How Markdown looks. For the sheet of the surface that holds `<ahp-markdown>`, which has no root of its own. */

import { css } from 'lit';

/** The colours of code. A page sets the public `--ahp-code-*`; every default has 4.5 : 1 on the colour behind code. */
const colors = css`
  :host {
    --_code-keyword: var(--ahp-code-keyword, light-dark(#8b2c85, #dba3ef));
    --_code-string: var(--ahp-code-string, light-dark(#146c3b, #79d49e));
    --_code-comment: var(--ahp-code-comment, light-dark(#596170, #a3abb8));
    --_code-number: var(--ahp-code-number, light-dark(#8a5300, #f0bd62));
    --_code-function: var(--ahp-code-function, light-dark(#2b5bd7, #8cb0ff));
    --_code-type: var(--ahp-code-type, light-dark(#0b6675, #6fd0e0));
    --_code-property: var(--ahp-code-property, light-dark(#7a3b10, #e8b08f));
    --_code-tag: var(--ahp-code-tag, light-dark(#b42318, #ff9d92));
    --_code-inserted: var(--ahp-code-inserted, light-dark(#146c3b, #79d49e));
    --_code-deleted: var(--ahp-code-deleted, light-dark(#b42318, #ff9d92));
  }
  ::highlight(ahp-code-keyword) {
    color: var(--_code-keyword);
  }
  ::highlight(ahp-code-string) {
    color: var(--_code-string);
  }
  ::highlight(ahp-code-comment) {
    color: var(--_code-comment);
  }
  ::highlight(ahp-code-number) {
    color: var(--_code-number);
  }
  ::highlight(ahp-code-function) {
    color: var(--_code-function);
  }
  ::highlight(ahp-code-type) {
    color: var(--_code-type);
  }
  ::highlight(ahp-code-property) {
    color: var(--_code-property);
  }
  ::highlight(ahp-code-tag) {
    color: var(--_code-tag);
  }
  ::highlight(ahp-code-inserted) {
    color: var(--_code-inserted);
  }
  ::highlight(ahp-code-deleted) {
    color: var(--_code-deleted);
  }
`;

const blocks = css`
  /* While the lexer is on its way. */
  ahp-markdown.md-plain {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  ahp-markdown {
    display: block;
    overflow-wrap: anywhere;
  }
  ahp-markdown > *,
  ahp-markdown :where(p, blockquote, ul, ol, pre, table) {
    margin: 0;
  }
  ahp-markdown > * + *,
  ahp-markdown :is(li, blockquote) > * + * {
    margin-block-start: calc(var(--_space) * 3);
  }
  ahp-markdown :is(h1, h2, h3, h4, h5, h6) {
    margin-block-end: 0;
    font-size: 1em;
    font-weight: 600;
    line-height: 1.35;
  }
  ahp-markdown h1 {
    font-size: 1.25em;
  }
  ahp-markdown h2 {
    font-size: 1.12em;
  }
  ahp-markdown > * + :is(h1, h2, h3) {
    margin-block-start: calc(var(--_space) * 5);
  }
  /* The direction of the block is found once; a paragraph in another language inside it still reads its own way. */
  ahp-markdown :is(li, blockquote) > p,
  ahp-markdown :is(td, th) {
    unicode-bidi: plaintext;
  }
  ahp-markdown blockquote {
    padding-inline-start: calc(var(--_space) * 3);
    border-inline-start: 3px solid var(--_border);
    color: var(--_quiet);
  }
  ahp-markdown hr {
    block-size: 0;
    border: 0;
    border-block-start: 1px solid var(--_border);
  }
  ahp-markdown :is(ul, ol) {
    padding-inline-start: 1.6em;
    list-style-position: outside;
  }
  ahp-markdown ol {
    padding-inline-start: calc(var(--_digits, 2) * 1ch + 1.2em);
    font-variant-numeric: tabular-nums;
  }
  ahp-markdown li > * + *,
  ahp-markdown li + li {
    margin-block-start: var(--_space);
  }
  ahp-markdown .md-loose > li + li,
  ahp-markdown .md-loose > li > * + * {
    margin-block-start: calc(var(--_space) * 2);
  }
  ahp-markdown .md-task {
    list-style-type: none;
  }
  ahp-markdown .md-task > input {
    float: inline-start;
    margin-block: 0.3em 0;
    margin-inline: -1.5em 0;
  }
  ahp-markdown .md-task > input + * {
    margin-block-start: 0;
  }
  ahp-markdown .md-literal {
    white-space: pre-wrap;
  }
  ahp-markdown .md-scroll {
    max-inline-size: 100%;
    overflow-x: auto;
    overscroll-behavior-inline: contain;
  }
  ahp-markdown table {
    border-collapse: collapse;
    font-size: 0.95em;
    overflow-wrap: normal;
  }
  ahp-markdown :is(th, td) {
    padding-block: var(--_space);
    padding-inline: calc(var(--_space) * 2.5);
    border: 1px solid var(--_border);
    text-align: start;
    vertical-align: top;
  }
  ahp-markdown th {
    background: var(--_raised);
    font-weight: 600;
  }
  ahp-markdown .md-center {
    text-align: center;
  }
  ahp-markdown .md-end {
    text-align: end;
  }
  ahp-markdown .md-picture {
    max-inline-size: 100%;
    block-size: auto;
    border-radius: 8px;
  }
  ahp-markdown .md-load {
    display: inline;
    padding: 0;
    border: 0;
    background: none;
    color: var(--_accent);
    font: inherit;
    text-align: start;
    text-decoration: underline;
    text-underline-offset: 2px;
    cursor: pointer;
  }
  ahp-markdown .md-resource {
    text-decoration-line: underline;
    text-decoration-style: dotted;
    text-underline-offset: 2px;
    cursor: pointer;
  }
  ahp-markdown a:focus-visible,
  ahp-markdown button:focus-visible,
  ahp-markdown .md-scroll:focus-visible {
    outline: var(--_focus);
    outline-offset: 2px;
  }
`;

const code = css`
  ahp-markdown :is(code, .md-math) {
    font-family: var(--_font-code);
    font-size: 0.92em;
  }
  ahp-markdown :not(pre) > code {
    padding: 0.1em 0.3em;
    border-radius: 4px;
    background: var(--_sunken);
  }
  ahp-markdown .md-display {
    white-space: pre-wrap;
  }
  ahp-markdown .md-code {
    border: 1px solid var(--_border);
    border-radius: 8px;
    background: var(--_sunken);
    overflow: clip;
  }
  ahp-markdown .md-code-head {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: calc(var(--_space) * 2);
    padding-block: var(--_space);
    padding-inline: calc(var(--_space) * 3) var(--_space);
    color: var(--_quiet);
    font-size: 0.85em;
    user-select: none;
    -webkit-user-select: none;
  }
  ahp-markdown .md-copy {
    padding-block: 2px;
    padding-inline: calc(var(--_space) * 2);
    border: 0;
    border-radius: 6px;
    background: none;
    color: inherit;
    font: inherit;
    cursor: pointer;
  }
  ahp-markdown .md-copy:hover {
    background: color-mix(in srgb, var(--_text) 9%, transparent);
    color: var(--_text);
  }
  ahp-markdown pre {
    padding-block: 0 calc(var(--_space) * 2.5);
    padding-inline: calc(var(--_space) * 3);
    line-height: 1.5;
    tab-size: 4;
    white-space: pre;
    overflow-wrap: normal;
  }
  ahp-markdown pre > code {
    display: block;
    inline-size: max-content;
    min-inline-size: 100%;
  }
  /* An empty first line keeps the box from jumping when the first character comes. */
  ahp-markdown pre > code:empty::before {
    content: ' ';
  }
  @media (pointer: coarse) {
    ahp-markdown .md-copy {
      min-block-size: 44px;
    }
  }
`;

const caret = css`
  /* One class that moves, because selectors that find the end make every new node a change for all that are there. */
  ahp-markdown:state(streaming):empty::after,
  ahp-markdown .md-caret::after {
    content: '';
    display: inline-block;
    inline-size: 2px;
    block-size: 1.1em;
    margin-inline: 2px -4px;
    vertical-align: text-bottom;
    background: var(--_accent);
    animation: ahp-caret 1.1s steps(2, jump-none) infinite;
  }
  @keyframes ahp-caret {
    to {
      opacity: 0;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    ahp-markdown:state(streaming):empty::after,
    ahp-markdown .md-caret::after {
      animation: none;
    }
  }
  @media (forced-colors: active) {
    ahp-markdown .md-code,
    ahp-markdown :not(pre) > code {
      border: 1px solid CanvasText;
    }
  }
  @media print {
    ahp-markdown .md-copy {
      display: none;
    }
    ahp-markdown .md-scroll {
      overflow: visible;
    }
    ahp-markdown pre {
      white-space: pre-wrap;
    }
  }
`;

/** Everything `<ahp-markdown>` needs, for a surface whose sheets define the design's tokens. */
export const markdownStyles = [colors, blocks, code, caret];
