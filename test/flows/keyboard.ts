/** A person without a mouse: presses keys, and sees at every stop where the focus is. */

import assert from 'node:assert/strict';
import type { KeyInput, Page } from 'puppeteer-core';

interface Stop {
  readonly name: string;
  readonly role: string;
  /** Whether something around it shows that it has the focus. */
  readonly isVisible: boolean;
}

const MOST_STOPS = 120;

export class Keyboard {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** What has the focus, through shadow roots; a stop that nobody can see, or none at all, fails. */
  async look(): Promise<Stop> {
    const stop = await this.#read();
    assert.notEqual(stop.role, 'body', 'the focus is lost');
    assert.ok(stop.isVisible, `the focus on ${stop.role} "${stop.name}" is not to be seen`);
    return stop;
  }

  /** Presses a key, with `Shift+`, `Control+` or `Alt+` before it. */
  async press(keys: string): Promise<Stop> {
    await this.#send(keys);
    return this.look();
  }

  /** From the last stop of the page the focus goes to the browser's own, and comes back with the next key. */
  async #step(key: string): Promise<Stop> {
    await this.#send(key);
    return (await this.#read()).role === 'body' ? this.press(key) : this.look();
  }

  async #send(keys: string): Promise<void> {
    const names = keys.split('+') as KeyInput[];
    const last = names.pop()!;
    for (const name of names) await this.#page.keyboard.down(name);
    await this.#page.keyboard.press(last);
    for (const name of names.reverse()) await this.#page.keyboard.up(name);
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
    await this.look();
  }

  /** Goes on with `key` until what has the focus is called so. */
  async goTo(name: RegExp, key = 'Tab'): Promise<Stop> {
    const passed: string[] = [];
    for (let stops = 0; stops < MOST_STOPS; stops++) {
      const stop = await this.#step(key);
      if (name.test(stop.name)) return stop;
      passed.push(stop.name);
    }
    throw new Error(`${key} never came to ${String(name)}, but to: ${[...new Set(passed)].join(' | ')}`);
  }

  /** Goes there once it is on the screen, and presses Enter. */
  async choose(name: RegExp, key = 'Tab'): Promise<Stop> {
    await this.untilNamed(name);
    await this.goTo(name, key);
    return this.press('Enter');
  }

  /** Waits until something that takes the focus is called so. */
  async untilNamed(name: RegExp): Promise<void> {
    await this.#page
      .waitForFunction(
        (source, flags) => inPage.controls().some((control) => new RegExp(source, flags).test(inPage.wordsOf(control))),
        {},
        name.source,
        name.flags,
      )
      .catch((cause: unknown) => {
        throw new Error(`Waited in vain for a control called ${String(name)}.`, { cause });
      });
  }

  /** Waits until the first of the suggestions is called so. */
  async untilOffered(name: RegExp): Promise<void> {
    await this.#page.waitForFunction(
      (source) => {
        const first = inPage.controls().find((control) => control.role === 'option');
        return first && new RegExp(source).test(inPage.wordsOf(first));
      },
      {},
      name.source,
    );
  }

  /** Goes down through the options of the menu that has the focus, from the first, until the one called so is chosen. */
  async take(option: RegExp): Promise<void> {
    await this.press('Home');
    for (let stops = 0; stops < MOST_STOPS; stops++) {
      const chosen = await this.#page.evaluate(() => (inPage.focused() as HTMLSelectElement).selectedOptions[0]?.text);
      if (chosen !== undefined && option.test(chosen.trim())) return;
      await this.press('ArrowDown');
    }
    throw new Error(`The menu has no ${String(option)}.`);
  }

  /** Waits until nothing that takes the focus is called so. */
  async untilGone(name: RegExp): Promise<void> {
    await this.#page.waitForFunction(
      (source, flags) => !inPage.controls().some((control) => new RegExp(source, flags).test(inPage.wordsOf(control))),
      {},
      name.source,
      name.flags,
    );
  }

  /** Waits until the focus is on what is called so, and has this role where one is given. */
  async untilOn(name: RegExp, role?: string): Promise<void> {
    await this.#page
      .waitForFunction(
        (source, flags, wanted) => {
          const focused = inPage.focused();
          const isRole = wanted === undefined || inPage.roleOf(focused) === wanted;
          return isRole && new RegExp(source, flags).test(inPage.wordsOf(focused));
        },
        {},
        name.source,
        name.flags,
        role,
      )
      .catch(async (cause: unknown) => {
        const { name: where } = await this.#read();
        throw new Error(`The focus is on "${where}" and not on ${String(name)}.`, { cause });
      });
    await this.look();
  }

  #read(): Promise<Stop> {
    return this.#page.evaluate(async () => {
      // What is drawn anew in answer to a key is there in the next frame.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const focused = inPage.focused();
      const isVisible = [focused, ...inPage.around(focused).slice(0, 4)].some((element) => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
        return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
      });
      return { name: inPage.wordsOf(focused), role: inPage.roleOf(focused), isVisible };
    });
  }
}
