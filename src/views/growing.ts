/** Plain text that grows, in a template: `<pre>${growing(text)}</pre>`. */

import { noChange, nothing } from 'lit';
import { Directive, directive, PartType, type ChildPart, type PartInfo } from 'lit/directive.js';
import { GrowingText } from './growing-text.js';

class GrowingDirective extends Directive {
  readonly #pending = document.createDocumentFragment();
  #part: ChildPart | undefined;
  #isPlaced = false;
  readonly #text = new GrowingText((node) => this.#place(node));

  constructor(info: PartInfo) {
    super(info);
    if (info.type !== PartType.CHILD) throw new Error('growing() stands where a child stands, not in an attribute.');
  }

  override render(text: string): unknown {
    return text;
  }

  override update(part: ChildPart, [text]: [string]): unknown {
    this.#part = part;
    this.#text.set(text);
    if (this.#isPlaced) return noChange;
    if (text === '') return nothing;
    // The first nodes go in by Lit's hand, so that it takes all of them out again when something else stands here.
    this.#isPlaced = true;
    return this.#pending;
  }

  #place(node: Text): void {
    if (this.#isPlaced) this.#part?.parentNode.insertBefore(node, this.#part.endNode);
    else this.#pending.append(node);
  }
}

/**
 * Shows `text` in text nodes of at most 8 KiB. Longer text of the same beginning is appended, so that a selection in it
 * survives; any other replaces it.
 */
export const growing = directive(GrowingDirective);
