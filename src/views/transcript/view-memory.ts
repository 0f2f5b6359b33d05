/**
 * What a person has opened, by turn and part: it outlives the nodes, which leave the document when they scroll far away.
 * Owned by the transcript, in memory only.
 */

export class ViewMemory {
  readonly #open = new Set<string>();

  isOpen(key: string): boolean {
    return this.#open.has(key);
  }

  setOpen(key: string, isOpen: boolean): void {
    if (isOpen) this.#open.add(key);
    else this.#open.delete(key);
  }
}
