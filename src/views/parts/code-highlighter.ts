/**
 * When code gets its colours: once its fence is closed, when it is seen, and in idle time. One observer serves all code
 * of a page; what is taken out of the document is let go of.
 */

import { whenIdle } from '../idle.js';
import type { CodeView } from './code-view.js';
import { loadHighlight } from './lazy.js';

interface State {
  readonly view: CodeView;
  /** Of the code that is painted or being painted. */
  text: string | undefined;
  clear: (() => void) | undefined;
}

const states = new WeakMap<Element, State>();
const waiting = new Set<State>();
let observer: IntersectionObserver | undefined;
let isPlanned = false;

/** Colours `view` when its time comes; takes colours away that fit its code no longer. Asking again is cheap. */
export function requestHighlight(view: CodeView): void {
  const { open, language, text } = view.block;
  const state = states.get(view.element);
  if (state && (open || (state.text !== undefined && state.text !== text))) forget(state);
  if (open || language === '' || state?.text === text) return;
  if (!state) states.set(view.element, { view, text: undefined, clear: undefined });
  observer ??= new IntersectionObserver(onSeen);
  // Anew, because only a new target is reported as it stands.
  observer.unobserve(view.element);
  observer.observe(view.element);
}

function onSeen(entries: readonly IntersectionObserverEntry[]): void {
  for (const { target, isIntersecting } of entries) {
    const state = states.get(target);
    if (!state) continue;
    // An element that was taken out is reported once; its ranges would hold it in memory.
    if (!target.isConnected) release(state);
    else if (isIntersecting && state.text === undefined) plan(state);
  }
}

function release(state: State): void {
  observer?.unobserve(state.view.element);
  forget(state);
}

function forget(state: State): void {
  waiting.delete(state);
  state.clear?.();
  state.clear = undefined;
  state.text = undefined;
}

function plan(state: State): void {
  waiting.add(state);
  if (isPlanned) return;
  isPlanned = true;
  whenIdle(() => void highlightNext());
}

/** One block for each idle moment. */
async function highlightNext(): Promise<void> {
  const [state] = waiting;
  if (state) {
    waiting.delete(state);
    await highlight(state);
  }
  isPlanned = waiting.size > 0;
  if (isPlanned) whenIdle(() => void highlightNext());
}

async function highlight(state: State): Promise<void> {
  const { text, language } = state.view.block;
  const module = await loadHighlight();
  if (!module) return;
  state.text = text;
  try {
    const stretches = await module.findStretches(text, language);
    // Meanwhile it may have been changed, or taken out.
    if (state.text !== text || !state.view.element.isConnected) return;
    state.clear = module.paint(state.view.nodes, stretches);
  } catch {
    // The grammar did not come. The code stays plain, and the next look at it tries again.
    state.text = undefined;
  }
}
