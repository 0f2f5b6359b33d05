/** Firefox, over WebDriver BiDi. */

import puppeteer, { type Browser } from 'puppeteer-core';
import { findFirefox } from '../../../scripts/browser.mjs';
import type { Engine, Tab } from './engine.js';
import { openProfile, PuppetTab } from './puppet.js';

const plainName = 'chat.test';

const launch = (userDataDir?: string): Promise<Browser> =>
  puppeteer.launch({
    browser: 'firefox',
    executablePath: findFirefox() ?? '',
    headless: true,
    ...(userDataDir !== undefined && { userDataDir }),
    extraPrefsFirefox: { 'network.dns.localDomains': plainName },
  });

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
    },
    plainName,
    open: () => open(browser),
    openProfile: () => openProfile(launch, open),
    close: () => browser.close(),
  };
}
