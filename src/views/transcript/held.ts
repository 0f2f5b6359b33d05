/** Which turns may not leave the document although they are far away: somebody is in the middle of something there. */

import { findSelection } from './selection.js';

/** What the person holds at the moment, to be asked about several turns. */
export class Held {
  readonly #nodes: readonly (Node | null | undefined)[];

  constructor(root: ShadowRoot) {
    this.#nodes = [root.activeElement, ...selectedNodes(root)];
  }

  has(turn: Element): boolean {
    if (this.#nodes.some((node) => node && turn.contains(node))) return true;
    if (turn.querySelector(':popover-open, dialog[open], [data-keep]')) return true;
    for (const media of turn.querySelectorAll<HTMLMediaElement>('audio, video')) if (!media.paused) return true;
    for (const field of turn.querySelectorAll<HTMLInputElement>('textarea, input[type=text]'))
      if (field.value !== field.defaultValue) return true;
    return false;
  }
}

/** Both ends of the selection as far as they are inside `root`. */
function selectedNodes(root: ShadowRoot): readonly Node[] {
  const selected = findSelection(root);
  return selected ? [selected.startContainer, selected.endContainer] : [];
}
