/** A question that comes while its form cannot be loaded: real Chromium, the real page and host, and every request cut off. */

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { CDPSession } from 'puppeteer-core';
import { DemoPage, startStage } from './demo-page.js';
import { putInPage } from './in-page.js';

const WITHOUT_FORM = /A recipe needs a few facts[\s\S]*Decline[\s\S]*Cancel/;

describe('a question that comes while the network is cut', () => {
  let stage: Awaited<ReturnType<typeof startStage>>;
  let tab: DemoPage;
  let network: CDPSession;

  // A chat that has had a question would load the form before the network is cut.
  beforeEach(async () => {
    stage = await startStage();
    const page = await stage.browser.newPage();
    await page.evaluateOnNewDocument('globalThis.__name = (named) => named');
    await page.evaluateOnNewDocument(putInPage);
    tab = await DemoPage.adopt(page, stage.demo.address);
    await tab.untilLive();
    // What else a first question needs is here: only its form is missing.
    await tab.send('list docs');
    await tab.untilIdle();
    await tab.page.waitForNetworkIdle();
    network = await tab.page.createCDPSession();
    await network.send('Network.enable');
    await cut(true);
    await tab.send('add a recipe');
    await tab.untilShown(/Try again/);
    await tab.untilShown(WITHOUT_FORM);
  });
  afterEach(async () => {
    assert.deepEqual(tab.errors, []);
    await stage.close();
  });

  /** The socket that is open stays open: what the host says still comes. */
  const cut = (isCut: boolean) =>
    network.send('Network.setBlockedURLs', { urls: isCut ? ['http://*', 'https://*'] : [] });

  async function press(name: string): Promise<void> {
    await tab.page.locator(`::-p-aria([name="${name}"][role="button"])`).click();
  }

  const untilAnswer = (text: RegExp) => tab.untilShown(text).then(() => tab.untilIdle());

  it('shows its form when the network is back and it is asked to try again, not before', async () => {
    const failed = new Promise((resolve) => tab.page.once('requestfailed', resolve));
    await press('Try again');
    await failed;
    await tab.untilShown(/Could not be loaded/);
    assert.equal(await tab.page.$('ahp-chat >>> form'), null);

    await cut(false);
    await press('Try again');
    await tab.untilShown(/Submit/);
    assert.equal(await tab.page.evaluate(() => inPage.focused().matches('ahp-chat, body')), false);
    await press('Decline');

    await untilAnswer(/Then I add no recipe/);
  });

  for (const name of ['Decline', 'Cancel']) {
    it(`is answered with ${name} all the same`, async () => {
      await press(name);

      await untilAnswer(/Then I add no recipe/);
    });
  }
});
