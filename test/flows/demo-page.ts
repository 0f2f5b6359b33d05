/** Drives the demo as a person would: real Chromium, the real page, the real host on a socket and on disk. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import puppeteer, { type Browser, type BrowserContext, type Page } from 'puppeteer-core';
import { startDemo, type Demo } from '../../demo/host/supervisor.js';
import { chromeArgs, findChrome } from '../../scripts/browser.mjs';

/** A limit for hangs, not for slow machines. */
const WAIT_MS = 60_000;

/** Page and host on free ports and a data folder of their own. */
export async function startStage(): Promise<{ demo: Demo; browser: Browser; close(): Promise<void> }> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'ahp-flow-'));
  const demo = await startDemo({ dataDir, paceMs: 5, log: () => undefined });
  const browser = await puppeteer.launch({ executablePath: findChrome(), headless: true, args: chromeArgs() });
  return {
    demo,
    browser,
    async close() {
      await browser.close();
      await demo.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export interface ShownTurn {
  readonly prompt: string;
  readonly answer: string;
}

/** One tab with the demo in it. */
export class DemoPage {
  readonly page: Page;
  readonly #errors: string[] = [];

  private constructor(page: Page) {
    this.page = page;
    page.on('pageerror', (error) => this.#errors.push(String(error)));
    page.setDefaultTimeout(WAIT_MS);
  }

  static async open(context: Browser | BrowserContext, address: string): Promise<DemoPage> {
    return DemoPage.adopt(await context.newPage(), address);
  }

  static async adopt(page: Page, address: string): Promise<DemoPage> {
    const tab = new DemoPage(page);
    await tab.page.setViewport({ width: 900, height: 800 });
    await tab.page.goto(address);
    await tab.page.waitForSelector('ahp-chat >>> textarea');
    return tab;
  }

  /** Uncaught errors and unhandled rejections of the page so far. */
  get errors(): readonly string[] {
    return this.#errors;
  }

  async type(text: string): Promise<void> {
    await this.page.locator('ahp-chat >>> textarea').click();
    await this.page.keyboard.type(text);
  }

  async send(text: string): Promise<void> {
    await this.type(text);
    await this.page.keyboard.press('Enter');
  }

  async clearComposer(): Promise<void> {
    await this.page.click('ahp-chat >>> textarea', { count: 3 });
    await this.page.keyboard.press('Backspace');
  }

  async untilComposer(text: string): Promise<void> {
    await this.page.waitForFunction(
      (wanted) =>
        document
          .querySelector('ahp-chat')
          ?.shadowRoot?.querySelector('ahp-composer')
          ?.shadowRoot?.querySelector('textarea')?.value === wanted,
      {},
      text,
    );
  }

  readComposer(): Promise<string> {
    return this.page.$eval('ahp-chat >>> textarea', (field) => field.value);
  }

  /** The optimistic state's turns, running one included. */
  readTurns(): Promise<readonly ShownTurn[]> {
    return this.page.evaluate(() => {
      const { state } = document.querySelector('ahp-chat')!;
      return [...(state?.turns ?? []), ...(state?.activeTurn ? [state.activeTurn] : [])].map((turn) => ({
        prompt: turn.message.text,
        answer: turn.responseParts.map((part) => (part.kind === 'markdown' ? part.content : '')).join(''),
      }));
    });
  }

  /** Waits until the transcript shows a text. */
  async untilShown(text: RegExp): Promise<void> {
    await this.page.waitForFunction(
      (source, flags) =>
        [
          ...document
            .querySelector('ahp-chat')!
            .shadowRoot!.querySelector('ahp-transcript')!
            .shadowRoot!.querySelectorAll('ahp-turn'),
        ]
          .map((turn) => (turn as HTMLElement).innerText)
          .some((shown) => new RegExp(source, flags).test(shown)),
      {},
      text.source,
      text.flags,
    );
  }

  /** Waits until `condition`, which runs in the page on its element, holds. */
  async until(condition: (chat: HTMLElementTagNameMap['ahp-chat']) => boolean, what: string): Promise<void> {
    await this.page
      .waitForFunction(`(${condition.toString()})(document.querySelector('ahp-chat'))`)
      .catch(async (error: Error) => {
        const status = await this.page.evaluate(() => JSON.stringify(document.querySelector('ahp-chat')?.status));
        throw new Error(`Waited in vain until ${what}. Status: ${status}. ${this.#errors.join(' ')}`, { cause: error });
      });
  }

  untilLive(): Promise<void> {
    return this.until((chat) => chat.status?.phase === 'live', 'the chat is live');
  }

  untilIdle(): Promise<void> {
    return this.until(
      (chat) => chat.status?.phase === 'live' && !!chat.state && !chat.state.activeTurn && chat.status.pending === 0,
      'the chat is live and no turn runs',
    );
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.page.waitForSelector('ahp-chat >>> textarea');
  }
}
