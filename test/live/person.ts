/** What a person does to a document of a run: real text into real fields, and presses of what can be seen. */

import type { LivePage } from './page.js';
import { Screen, toText } from './screen.js';

export class Person {
  readonly page: LivePage;
  readonly screen: Screen;

  constructor(page: LivePage) {
    this.page = page;
    this.screen = new Screen(page);
  }

  /** Presses the first button in `root` that is called so and can be pressed. Returns whether there was one. */
  press(root: ParentNode | null | undefined, name: string | RegExp): boolean {
    const buttons = [...(root?.querySelectorAll<HTMLElement>('button') ?? [])];
    const isCalled = (text: string) => (typeof name === 'string' ? text === name : name.test(text));
    return this.#click(buttons.find((button) => isCalled(nameOf(button)) && canBePressed(button)));
  }

  /** The same for what `selector` finds. */
  pressThe(root: ParentNode | null | undefined, selector: string): boolean {
    const found = [...(root?.querySelectorAll<HTMLElement>(selector) ?? [])];
    return this.#click(found.find(canBePressed));
  }

  #click(button: HTMLElement | undefined): boolean {
    button?.click();
    return button !== undefined;
  }

  /** Enters `text` where the caret stands after all other text; `replacing` takes that text away. */
  enter(field: HTMLTextAreaElement | HTMLInputElement, text: string, { replacing = false } = {}): void {
    const { window } = this.page;
    field.focus();
    field.setSelectionRange(replacing ? 0 : field.value.length, field.value.length);
    const before = field.value;
    window.document.execCommand('insertText', false, text);
    if (field.value !== before) return;
    // A document that has not the focus has no commands in some engines.
    field.setRangeText(text, field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end');
    const about = { bubbles: true, composed: true, inputType: 'insertText', data: text };
    field.dispatchEvent(new window.InputEvent('input', about));
  }

  /** Waits until what came of a press is there. */
  look(): Promise<void> {
    return this.page.painted();
  }
}

const nameOf = (element: Element): string => element.getAttribute('aria-label') ?? toText(element);

const canBePressed = (element: HTMLElement): boolean =>
  element.closest('[hidden]') === null && element.getAttribute('aria-disabled') !== 'true';
