/** Small things that tests of views do again and again. */

import { expect } from '@open-wc/testing';
import { sendKeys, sendMouse } from '@web/test-runner-commands';
import type { LitElement } from 'lit';
import type { AhpEventMap } from '../../src/views/events.js';
import {
  loadContentRef,
  loadSurplus,
  loadTerminal,
  loadToolCards,
  loadWorkerChat,
} from '../../src/views/parts/lazy.js';
import { loadEngine } from '../../src/views/parts/markdown-engine.js';

// Text without its lexer, and content that is still to be loaded, have tests of their own; all others begin with them.
await Promise.all([loadEngine(), loadToolCards(), loadContentRef(), loadSurplus(), loadTerminal(), loadWorkerChat()]);
// The footers of turns are the same; a bare import of what `loadTurnTools` brings.
await import('../../src/views/transcript/turn-tools.js');

/** The element inside `root`, through its shadow root; fails with the selector's name. */
export function find<E extends Element = HTMLElement>(root: Element, selector: string): E {
  const found = (root.shadowRoot ?? root).querySelector<E>(selector);
  if (!found) throw new Error(`nothing matches ${selector} in ${root.localName}`);
  return found;
}

export const findAll = <E extends Element = HTMLElement>(root: Element, selector: string): E[] => [
  ...(root.shadowRoot ?? root).querySelectorAll<E>(selector),
];

/** The button with this accessible name, as far as `aria-label` and text make it. */
export function findButton(root: Element, name: string | RegExp): HTMLButtonElement {
  const isIt = (text: string) => (typeof name === 'string' ? text === name : name.test(text));
  const buttons = findAll<HTMLButtonElement>(root, 'button');
  const found = buttons.find((button) => isIt(nameOf(button)));
  if (!found) throw new Error(`no button ${name}; there are: ${buttons.map(nameOf).join(' | ')}`);
  return found;
}

export const nameOf = (element: Element): string =>
  element.getAttribute('aria-label') ?? element.textContent.trim().replace(/\s+/g, ' ');

/** The text as a person reads it, white space folded. */
export const textOf = (element: Element): string => element.textContent.trim().replace(/\s+/g, ' ');

/** Collects the events of one type. */
export function collect<Type extends keyof AhpEventMap>(target: EventTarget, type: Type): AhpEventMap[Type][] {
  const events: AhpEventMap[Type][] = [];
  target.addEventListener(type, (event) => events.push(event as AhpEventMap[Type]));
  return events;
}

/** The focused element, through shadow roots. */
export function deepFocus(): Element | null {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused;
}

export const press = (key: string) => sendKeys({ press: key });
export const type = (text: string) => sendKeys({ type: text });

/** The field's own undo or redo; WebKit's driver has no menu, and with it no such keys. */
export async function undo(field: HTMLTextAreaElement, command: 'undo' | 'redo' = 'undo'): Promise<void> {
  const before = field.value;
  await sendKeys({ down: 'Control' });
  if (command === 'redo') await sendKeys({ down: 'Shift' });
  await press('z');
  if (command === 'redo') await sendKeys({ up: 'Shift' });
  await sendKeys({ up: 'Control' });
  if (field.value === before) document.execCommand(command);
}

/** WebKit's driver takes a click within five pixels of one a second ago, in another test maybe, for a double click. */
let aside = 3;

/** A real click near the middle of an element, once what came before is laid out and painted. */
export async function click(element: Element): Promise<void> {
  await frame();
  await frame();
  aside = -aside;
  const { x, y, width, height } = element.getBoundingClientRect();
  await sendMouse({ type: 'click', position: [Math.round(x + width / 2 + aside), Math.round(y + height / 2)] });
}

/** Selects text with the mouse, from the start of one element's text to the end of another's. */
export async function drag(from: Element, to: Element): Promise<void> {
  const [start, end] = [from, to].map((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect();
  }) as [DOMRect, DOMRect];
  await sendMouse({ type: 'move', position: [Math.round(start.left) + 1, Math.round(start.top + 8)] });
  await sendMouse({ type: 'down' });
  await sendMouse({ type: 'move', position: [Math.round(end.right) + 8, Math.round(end.bottom - 8)] });
  await sendMouse({ type: 'up' });
}

/** Lets an element and the elements inside it come to rest. */
export async function rendered(element: LitElement): Promise<void> {
  await element.updateComplete;
  for (const inner of findAll<LitElement>(element, '*')) await inner.updateComplete;
}

export const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));

/** Colours differ from page to page; contrast is judged on a page that has the element's own surface. */
export async function expectAccessible(element: Element): Promise<void> {
  await expect(element).to.be.accessible();
}
