/** Chromium, over the DevTools protocol. */

import puppeteer, { type Browser, type BrowserContext, type CDPSession, type Page } from 'puppeteer-core';
import { chromeArgs, getChrome } from '../../../scripts/browser.mjs';
import { cannot, type Engine, type Profile, type Tab } from './engine.js';
import { openProfile, PuppetTab } from './puppet.js';

const plainName = 'chat.test';

const launch = (userDataDir?: string): Promise<Browser> =>
  puppeteer.launch({
    executablePath: getChrome(),
    headless: true,
    ...(userDataDir !== undefined && { userDataDir }),
    args: [...chromeArgs(), `--host-resolver-rules=MAP ${plainName} 127.0.0.1`],
  });

class ChromeTab extends PuppetTab {
  #quota: CDPSession | undefined;

  static async of(page: Page): Promise<ChromeTab> {
    // Every window is as if it were the one in front: hidden ones get no animation frames.
    await page.emulateFocusedPage(true);
    return new ChromeTab(page);
  }

  protected override adopt(page: Page): Promise<Tab> {
    return ChromeTab.of(page);
  }

  override async crash(): Promise<void> {
    const crashed = new Promise<void>((resolve) => this.page.once('error', () => resolve()));
    const session = await this.page.createCDPSession();
    // Nobody is there any more to answer.
    session.send('Page.crash').catch(() => undefined);
    await crashed;
  }

  override async freeze(): Promise<void> {
    // What is seen is never frozen.
    await this.page.emulateFocusedPage(false);
    await this.#setLifecycle('frozen');
  }

  override async wake(): Promise<void> {
    await this.#setLifecycle('active');
    await this.page.emulateFocusedPage(true);
  }

  override setOnline(isOnline: boolean): Promise<void> {
    return this.page.setOfflineMode(!isOnline);
  }

  override async setQuota(bytes: number | undefined): Promise<void> {
    // It lasts as long as its session.
    this.#quota ??= await this.page.createCDPSession();
    const { origin } = new URL(this.page.url());
    await this.#quota.send('Storage.overrideQuotaForOrigin', {
      origin,
      ...(bytes !== undefined && { quotaSize: bytes }),
    });
  }

  override async clearSiteData(): Promise<void> {
    const session = await this.page.createCDPSession();
    const { origin } = new URL(this.page.url());
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
    await session.detach();
  }

  async #setLifecycle(state: 'frozen' | 'active'): Promise<void> {
    const session = await this.page.createCDPSession();
    await session.send('Page.setWebLifecycleState', { state });
    await session.detach();
  }
}

const open = async (browser: Browser | BrowserContext): Promise<Tab> =>
  ChromeTab.of(await browser.newPage({ type: 'window' }));

/** An incognito window: the profile it is opened from has nothing of it. */
async function openPrivate(browser: Browser): Promise<Profile> {
  let context = await browser.createBrowserContext();
  return {
    open: () => open(context),
    async restart() {
      await context.close();
      context = await browser.createBrowserContext();
    },
    sleep: cannot,
    close: () => context.close(),
  };
}

export async function startEngine(): Promise<Engine> {
  const browser = await launch();
  return {
    name: 'Chromium',
    lanes: 3,
    lacks: {},
    plainName,
    open: () => open(browser),
    openProfile: (kind) => (kind === 'private' ? openPrivate(browser) : openProfile(launch, open)),
    close: () => browser.close(),
  };
}
