/**
 * Which turns are in the document: one unbroken run of what is in memory, the end of it at first. It moves with the
 * reader and stays put while older turns arrive above or new ones below. Pure bookkeeping; who holds a turn back, and
 * when nodes go, is the transcript's business.
 */

import type { ActiveTurn, Turn } from '../../protocol/state.js';

export type AnyTurn = Turn | ActiveTurn;

/** Turns that come in at once. */
export const PAGE = 30;
/** Turns in the document before the far ones go. */
export const MOST = 150;

export class TurnWindow {
  #turns: readonly Turn[] = [];
  #active: ActiveTurn | undefined;
  #first = 0;
  #end = 0;

  /** Place of the first turn in the document. */
  get first(): number {
    return this.#first;
  }

  /** Place after the last turn in the document. */
  get end(): number {
    return this.#end;
  }

  /** How many turns there are in memory. */
  get count(): number {
    return this.#turns.length + (this.#active ? 1 : 0);
  }

  get isAtEnd(): boolean {
    return this.#end === this.count;
  }

  at(place: number): AnyTurn | undefined {
    return place < this.#turns.length ? this.#turns[place] : place === this.#turns.length ? this.#active : undefined;
  }

  /** The turns in the document, oldest first. */
  shown(): AnyTurn[] {
    const shown: AnyTurn[] = this.#turns.slice(this.#first, this.#end);
    if (this.#active && this.isAtEnd) shown.push(this.#active);
    return shown;
  }

  /** Takes the next state; the turns in the document stay the same ones as far as they still exist. */
  set(turns: readonly Turn[], active: ActiveTurn | undefined): void {
    const before = this.count;
    const wasAtEnd = this.isAtEnd;
    const firstId = this.at(this.#first)?.id;
    const lastId = this.at(this.#end - 1)?.id;
    this.#turns = turns;
    this.#active = active;
    const grown = this.count - before;
    const first = before === 0 ? -1 : this.find(firstId, this.#first, grown);
    if (first < 0) return this.showEnd();
    const last = this.find(lastId, this.#end - 1, grown);
    this.#first = first;
    // The last one may have been cut off.
    this.#end = wasAtEnd ? this.count : last < first ? Math.min(this.#end, this.count) : last + 1;
  }

  /** Where the turn with this id is, or -1. `place` and `grown` say where it was and how many turns came since. */
  find(id: string | undefined, place = 0, grown = 0): number {
    if (id === undefined) return -1;
    for (const guess of [place, place + grown]) if (this.at(guess)?.id === id) return guess;
    if (this.#active?.id === id) return this.#turns.length;
    return this.#turns.findIndex((turn) => turn.id === id);
  }

  showEnd(): void {
    this.#end = this.count;
    this.#first = Math.max(0, this.#end - PAGE);
  }

  /** Everything in memory, for print. */
  showAll(): void {
    this.#first = 0;
    this.#end = this.count;
  }

  /** Moves to a page with this place in its middle, unless it is shown already. */
  showAround(place: number): void {
    if (place >= this.#first && place < this.#end) return;
    this.#first = Math.max(0, place - PAGE / 2);
    this.#end = Math.min(this.count, place + PAGE / 2);
  }

  growUp(): void {
    this.#first = Math.max(0, this.#first - PAGE);
  }

  growDown(): void {
    this.#end = Math.min(this.count, this.#end + PAGE);
  }

  /** How many turns there are too many. */
  get surplus(): number {
    return Math.max(0, this.#end - this.#first - MOST);
  }

  dropFromTop(turns: number): void {
    this.#first = Math.min(this.#first + turns, this.#end);
  }

  dropFromBottom(turns: number): void {
    this.#end = Math.max(this.#end - turns, this.#first);
  }
}
