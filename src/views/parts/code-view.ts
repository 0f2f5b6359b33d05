/**
 * A block of code: its language, a button that copies it, and the code. The nodes are made once and stay while the code
 * grows and after it is complete, so that a press on the button is never lost. Code reads from left to right.
 */

import type { CodeBlock } from '../../markdown/tokens.js';
import { copyText } from '../clipboard.js';
import { GrowingText } from '../growing-text.js';
import { createElement, type MarkdownContext } from './markdown-context.js';

export class CodeView {
  readonly element: HTMLDivElement;
  readonly code: HTMLElement;
  readonly #context: MarkdownContext;
  readonly #name: HTMLSpanElement;
  readonly #copy: HTMLButtonElement;
  readonly #box: HTMLPreElement;
  readonly #text: GrowingText;
  #block: CodeBlock | undefined;

  constructor(block: CodeBlock, context: MarkdownContext) {
    this.#context = context;
    this.#name = createElement('span', 'md-code-name');
    this.#copy = createElement('button', 'md-copy', context.strings.copy);
    this.#copy.type = 'button';
    this.#copy.addEventListener('click', () => void this.#onCopy());
    this.#copy.addEventListener('blur', this.#resetCopy);
    this.#copy.addEventListener('pointerleave', this.#resetCopy);
    this.code = createElement('code');
    this.#box = createElement('pre', 'md-scroll', this.code);
    this.#box.setAttribute('role', 'group');
    const head = createElement('div', 'md-code-head', this.#name, this.#copy);
    this.element = createElement('div', 'md-code', head, this.#box);
    this.element.dir = 'ltr';
    this.#text = new GrowingText((node) => this.code.append(node));
    this.set(block);
    context.onScrollBox(this.#box);
  }

  get block(): CodeBlock {
    return this.#block as CodeBlock;
  }

  /** The text nodes of the code, in order. */
  get nodes(): readonly Text[] {
    return this.#text.nodes;
  }

  set(block: CodeBlock): void {
    const before = this.#block;
    this.#block = block;
    if (block.language !== before?.language) this.#setLanguage(block.language);
    this.#text.set(block.text);
    if (!block.open || before?.open === false) this.#context.onCode(this);
  }

  #setLanguage(language: string): void {
    const { strings } = this.#context;
    this.#name.textContent = language;
    this.#box.setAttribute('aria-label', language ? strings.codeIn(language) : strings.code);
  }

  async #onCopy(): Promise<void> {
    const { strings } = this.#context;
    const isCopied = await copyText(this.block.text, this.#copy);
    this.#copy.textContent = isCopied ? strings.copied : strings.copyFailed;
  }

  /** What happened is said until the person moves on; no clock is needed to know when that is. */
  readonly #resetCopy = (): void => {
    this.#copy.textContent = this.#context.strings.copy;
  };
}
