/** What Chromium and Firefox have in common: tabs through puppeteer. */

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'puppeteer-core';
import type { Hands } from '../page/hands.js';
import { cannot, poll, type Answer, type Profile, type Tab } from './engine.js';
import { whileStopped } from './processes.js';

export class PuppetTab implements Tab {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
    page.setDefaultTimeout(30_000);
  }

  async goto(address: string): Promise<void> {
    await this.page.goto(address, { waitUntil: 'domcontentloaded' });
  }

  async reload(): Promise<void> {
    await this.page.reload({ waitUntil: 'domcontentloaded' });
  }

  async back(): Promise<void> {
    await this.page.goBack({ waitUntil: 'domcontentloaded' });
  }

  async forward(): Promise<void> {
    await this.page.goForward({ waitUntil: 'domcontentloaded' });
  }

  async close(): Promise<void> {
    await this.page.close();
  }

  type(text: string): Promise<void> {
    return this.page.keyboard.type(text);
  }

  press(key: 'Enter' | 'Backspace'): Promise<void> {
    return this.page.keyboard.press(key);
  }

  async call<Name extends keyof Hands>(name: Name, ...args: Parameters<Hands[Name]>): Promise<Answer<Name>> {
    const source = `globalThis.hands[${JSON.stringify(name)}](...${JSON.stringify(args)})`;
    return (await this.page.evaluate(source)) as Answer<Name>;
  }

  async duplicate(): Promise<Tab> {
    const opened = new Promise<Page | null>((resolve) => this.page.once('popup', resolve));
    await this.call('duplicate');
    const page = await opened;
    if (!page) throw new Error('The other tab did not open.');
    return this.adopt(page);
  }

  protected async adopt(page: Page): Promise<Tab> {
    return new PuppetTab(page);
  }

  crash(): Promise<void> {
    return cannot();
  }

  freeze(): Promise<void> {
    return cannot();
  }

  wake(): Promise<void> {
    return cannot();
  }

  setOnline(_isOnline: boolean): Promise<void> {
    return cannot();
  }

  setQuota(_bytes: number | undefined): Promise<void> {
    return cannot();
  }

  clearSiteData(): Promise<void> {
    return cannot();
  }
}

/** Kills a browser and waits until its processes are gone. */
async function killBrowser(browser: Browser): Promise<void> {
  const child = toProcess(browser);
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
  await poll(
    async () => !browser.connected || undefined,
    () => 'the browser is gone',
  );
}

/** A browser of its own; `launch` starts it, each time on the same folder. */
export async function openProfile(
  launch: (userDataDir: string) => Promise<Browser>,
  open: (browser: Browser) => Promise<Tab>,
): Promise<Profile> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ahp-profile-'));
  let browser = await launch(folder);
  return {
    open: () => open(browser),
    async restart() {
      await killBrowser(browser);
      browser = await launch(folder);
    },
    sleep: (night) => whileStopped(toProcess(browser).pid!, night),
    async close() {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function toProcess(browser: Browser): ChildProcess {
  const child = browser.process();
  if (!child) throw new Error('The browser was not started here.');
  return child;
}
