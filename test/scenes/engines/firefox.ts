/** Firefox, over WebDriver BiDi. */

import puppeteer, { type Browser } from 'puppeteer-core';
import { findFirefox } from '../../../scripts/browser.mjs';
import type { Engine, Tab } from './engine.js';
import { openProfile, PuppetTab } from './puppet.js';

const plainName = 'chat.test';

const launch = (userDataDir?: string, preferences: Readonly<Record<string, unknown>> = {}): Promise<Browser> =>
  puppeteer.launch({
    browser: 'firefox',
    executablePath: findFirefox() ?? '',
    headless: true,
    ...(userDataDir !== undefined && { userDataDir }),
    extraPrefsFirefox: { 'network.dns.localDomains': plainName, ...preferences },
  });

/** Every window is a private one. */
const launchPrivate = (userDataDir: string) => launch(userDataDir, { 'browser.privatebrowsing.autostart': true });

const open = async (browser: Browser): Promise<Tab> => new PuppetTab(await browser.newPage({ type: 'window' }));

export async function startEngine(): Promise<Engine> {
  const browser = await launch();
  return {
    name: 'Firefox',
    lanes: 1,
    lacks: {
      crash: 'WebDriver BiDi cannot end the process of one tab',
      freeze: 'Firefox has no page lifecycle that could be set',
      'network switch': 'WebDriver BiDi cannot take the network away',
      quota: 'the share of an origin cannot be set',
      'clearing of site data': 'WebDriver BiDi cannot clear what an origin keeps',
    },
    plainName,
    open: () => open(browser),
    openProfile: (kind) => openProfile(kind === 'private' ? launchPrivate : launch, open),
    close: () => browser.close(),
  };
}
