/** Opens the gallery of views: real Chromium, one section alone in the window, at rest before anything is looked at. */

import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import puppeteer, { type Browser, type Page, type Viewport } from 'puppeteer-core';
import { createServer } from 'vite';
import { chromeArgs, getChrome } from './browser.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What the address says of the page around a section. */
export interface SectionOptions {
  readonly theme?: 'light' | 'dark';
  readonly dir?: 'ltr' | 'rtl';
  readonly lang?: string;
}

/** The gallery on a free port. For pictures, and for tests. */
export class Gallery {
  readonly browser: Browser;
  readonly page: Page;
  /** Uncaught errors, and what Lit's development build complains about, so far. */
  readonly faults: string[] = [];
  readonly #address: string;
  readonly #stop: () => Promise<void>;

  private constructor(browser: Browser, page: Page, address: string, stop: () => Promise<void>) {
    this.browser = browser;
    this.page = page;
    this.#address = address;
    this.#stop = stop;
    page.on('pageerror', (error) => this.faults.push(String(error)));
    page.on('console', (message) => {
      const text = message.text();
      if (message.type() === 'warn' && !text.includes('Lit is in dev mode')) this.faults.push(text);
    });
  }

  /** `helpers` is evaluated in each page before anything else. */
  static async start(helpers?: () => void): Promise<Gallery> {
    const server = await createServer({
      root: path.join(root, 'demo'),
      configFile: path.join(root, 'vite.config.ts'),
      logLevel: 'warn',
      server: { port: 0, hmr: false },
    });
    await server.listen();
    const browser = await puppeteer.launch({ executablePath: getChrome(), headless: true, args: chromeArgs() });
    const address = `http://127.0.0.1:${(server.httpServer?.address() as AddressInfo).port}/gallery.html`;
    const gallery = new Gallery(browser, await browser.newPage(), address, () => server.close());
    // The compiler that runs tests and scripts gives functions their names with this.
    await gallery.page.evaluateOnNewDocument('globalThis.__name = (named) => named');
    if (helpers) await gallery.page.evaluateOnNewDocument(helpers);
    await gallery.resize({ width: 720, height: 1_400 });
    return gallery;
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.#stop();
  }

  /** The names of all sections. */
  async listSections(): Promise<readonly string[]> {
    await this.#go('');
    return this.page.$$eval('section h2', (titles) => titles.map((title) => title.textContent));
  }

  /** Shows one section alone and waits until it has come to rest. */
  async open(section: string, options: SectionOptions = {}): Promise<void> {
    await this.#go(`?${new URLSearchParams({ only: section, ...options }).toString()}`);
  }

  /** A window of this size. A change from or to a phone loads the page anew, and what that breaks off is waited for in vain. */
  async resize(viewport: Viewport): Promise<void> {
    await this.page.goto('about:blank');
    await this.page.setViewport(viewport);
  }

  /** What the person's settings are, in the names and values of media features. */
  async emulate(features: Readonly<Record<string, string>>): Promise<void> {
    const session = await this.page.createCDPSession();
    const list = Object.entries(features).map(([name, value]) => ({ name, value }));
    await session.send('Emulation.setEmulatedMedia', { features: list });
  }

  async #go(query: string): Promise<void> {
    await this.page.goto(this.#address + query);
    // Lazy modules and what they draw have come when nothing is loaded and two frames are past.
    await this.page.waitForNetworkIdle({ idleTime: 300, timeout: 15_000 });
    await this.page.evaluate(async () => {
      await document.fonts.ready;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    });
  }
}
