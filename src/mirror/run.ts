/**
 * How a saved window of turns changes the run that is stored: which positions go, which turns are written. Pure. The run
 * of a chat is unbroken; a window continues it where its first turn stands in it, and replaces it otherwise.
 *
 * What is known to be on disk, turn object by turn object, makes the difference between writing one turn and writing
 * all. Where the known part does not answer, the caller looks up the position of the window's first turn.
 */

import type { Turn } from '../protocol/state.js';

/** The tail of the stored run, from position `base` to its end. What is older is not known here. */
export interface KnownRun {
  readonly base: number;
  readonly turns: readonly Turn[];
  /** Nothing is older than the first turn of the whole stored run. */
  readonly isComplete: boolean;
}

export interface RunPlan {
  /** Positions to delete, `from` and `to` included, before anything is put. */
  readonly deletes: readonly { readonly from: number; readonly to: number }[];
  readonly puts: readonly { readonly position: number; readonly turn: Turn }[];
  /** What is on disk once the plan is carried out. */
  readonly known: KnownRun;
}

export interface Window {
  readonly turns: readonly Turn[];
  readonly isComplete: boolean;
}

const NOTHING_KNOWN = { base: Infinity, turns: [] };
const EVERYTHING = { from: -Infinity, to: Infinity };

/** Each id once; of two turns with one id the later stays. The same array if nothing is to be done. */
export function withoutRepeatedIds(turns: readonly Turn[]): readonly Turn[] {
  const last = new Map(turns.map((turn, index) => [turn.id, index]));
  return last.size === turns.length ? turns : turns.filter((turn, index) => last.get(turn.id) === index);
}

/** The plan that needs nothing but what is known, or `undefined` if the window's first turn has to be looked up. */
export function planFromKnown(known: KnownRun, window: Window): RunPlan | undefined {
  const first = window.turns[0];
  if (!first) return replaceRun(window);
  const index = known.turns.findIndex((turn) => turn.id === first.id);
  return index < 0 ? undefined : continueRun(known, window, known.base + index);
}

/**
 * The plan after looking up: `position` is where the window's first turn stands on disk, if it does. `known` is as at the
 * moment of the look, or `undefined` when nothing is known.
 */
export function planFromDisk(
  position: number | undefined,
  isComplete: boolean,
  known: KnownRun | undefined,
  window: Window,
): RunPlan {
  if (!window.turns[0]) return replaceRun(window);
  if (position !== undefined) {
    return continueRun({ ...(known ?? NOTHING_KNOWN), isComplete }, window, position);
  }
  const firstKnown = known?.turns[0];
  const index = firstKnown ? window.turns.findIndex((turn) => turn.id === firstKnown.id) : -1;
  if (!known || index < 0) return replaceRun(window);
  // A page the host gave stands before what is known. The run is replaced, but what is known need not be written again.
  const plan = continueRun({ ...known, isComplete: false }, window, known.base - index);
  const older = { from: -Infinity, to: known.base - 1 };
  return { ...plan, deletes: [older, ...plan.deletes.filter(({ to }) => to === Infinity)] };
}

/** Nothing of the stored run stays. */
export function replaceRun(window: Window): RunPlan {
  return {
    deletes: [EVERYTHING],
    puts: window.turns.map((turn, position) => ({ position, turn })),
    known: { base: 0, turns: window.turns, isComplete: window.isComplete },
  };
}

/** The window's first turn stands at `start`; what is older stays unless the window says that nothing is. */
function continueRun(known: KnownRun, window: Window, start: number): RunPlan {
  const { turns } = window;
  const deletes: { from: number; to: number }[] = [];
  if (window.isComplete) deletes.push({ from: -Infinity, to: start - 1 });
  // What stands between the window's start and the known part goes first: an id of ours may stand elsewhere in it.
  if (start < known.base) deletes.push({ from: start, to: known.base - 1 });

  const at = (index: number): Turn | undefined => known.turns[start + index - known.base];
  const unknown = Math.min(Math.max(known.base - start, 0), turns.length);
  let same = unknown;
  while (same < turns.length && at(same)?.id === turns[same]?.id) same += 1;
  // From the first other id on, ids may have moved, so the old ones go before the new ones come.
  if (start + same < known.base + known.turns.length) {
    deletes.push({ from: Math.max(start + same, known.base), to: Infinity });
  }

  const puts = turns
    .map((turn, index) => ({ position: start + index, turn }))
    .filter(({ turn }, index) => index < unknown || index >= same || at(index) !== turn);
  return { deletes, puts, known: { base: start, turns, isComplete: window.isComplete || known.isComplete } };
}
