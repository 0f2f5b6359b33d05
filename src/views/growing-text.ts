/**
 * Text that grows at its end, written by hand. A template binding sets a node's data, and that drops a selection in every
 * engine; `appendData` does not. The text is spread over nodes of limited size, because a node is laid out as a whole
 * each time something is appended to it.
 */

/** UTF-16 units in one text node. */
const MAX_NODE = 8 * 1024;

export class GrowingText {
  readonly #place: (node: Text) => void;
  #text = '';
  #last: Text | undefined;
  readonly #nodes: Text[] = [];

  /** `place` puts a new node behind the last one. */
  constructor(place: (node: Text) => void) {
    this.#place = place;
  }

  get text(): string {
    return this.#text;
  }

  /** The nodes, in order; together they hold the text. */
  get nodes(): readonly Text[] {
    return this.#nodes;
  }

  /** Shows `text`. What continues the text before is appended; anything else replaces it. */
  set(text: string): void {
    if (text === this.#text) return;
    if (text.startsWith(this.#text)) {
      this.#append(text.slice(this.#text.length));
    } else {
      this.clear();
      this.#append(text);
    }
    this.#text = text;
  }

  clear(): void {
    for (const node of this.#nodes) node.remove();
    this.#nodes.length = 0;
    this.#last = undefined;
    this.#text = '';
  }

  #append(text: string): void {
    let rest = text;
    while (rest !== '') {
      const room = MAX_NODE - (this.#last?.length ?? MAX_NODE);
      const count = rest.length <= room ? rest.length : findCut(rest, room);
      if (count > 0) this.#last?.appendData(rest.slice(0, count));
      rest = rest.slice(count);
      if (rest !== '') this.#start();
    }
  }

  #start(): void {
    this.#last = document.createTextNode('');
    this.#nodes.push(this.#last);
    this.#place(this.#last);
  }
}

/** How much of `text` still goes into a node with this much room: up to a space, where no character is cut apart. */
function findCut(text: string, room: number): number {
  if (room <= 0) return 0;
  const space = Math.max(text.lastIndexOf('\n', room - 1), text.lastIndexOf(' ', room - 1)) + 1;
  if (space > 0 || room < MAX_NODE) return space;
  // A word that fills a node: between two characters, at least.
  const last = text.charCodeAt(room - 1);
  return last >= 0xd800 && last < 0xdc00 ? room - 1 : room;
}
