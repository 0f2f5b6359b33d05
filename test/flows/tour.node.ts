/** A person takes the tour: real Chromium, the real page, the real host, and every part seen on the screen. */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DemoPage, startStage } from './demo-page.js';

describe('the tour', () => {
  let stage: Awaited<ReturnType<typeof startStage>>;
  let tab: DemoPage;

  before(async () => {
    stage = await startStage();
    tab = await DemoPage.open(stage.browser, stage.demo.address);
    await tab.untilLive();
    await tab.send('Take the tour');
  });

  after(() => stage?.close());

  /** Presses what has this role and exactly this name, once it is there and stands still. */
  async function press(name: string, role = 'button'): Promise<void> {
    await tab.page.locator(`::-p-aria([name="${name}"][role="${role}"])`).click();
  }

  /** Waits until a part of the element, wherever it is nested, has text that matches. */
  async function untilPart(part: string, text: RegExp): Promise<void> {
    await tab.page
      .waitForFunction(
        (name, source) => {
          const roots: ParentNode[] = [document];
          for (let root = roots.shift(); root; root = roots.shift()) {
            for (const element of root.querySelectorAll('*')) {
              if (element.shadowRoot) roots.push(element.shadowRoot);
              const isPart = element.getAttribute('part')?.split(/\s+/).includes(name);
              if (isPart && new RegExp(source, 'i').test((element as HTMLElement).innerText)) return true;
            }
          }
          return false;
        },
        {},
        part,
        text.source,
      )
      .catch((cause: unknown) => {
        throw new Error(`Waited in vain for the part "${part}" with ${String(text)}. ${tab.errors.join(' ')}`, {
          cause,
        });
      });
  }

  it('shows thoughts, text, content that is read when wanted, and news', async () => {
    await untilPart('reasoning', /./);
    await untilPart('markdown', /const tablespoon = 3/);
    await untilPart('content-ref', /./);
    await untilPart('turn', /The tour has begun/);
  });

  it('shows tools that look, with a picture, and one that failed', async () => {
    await untilPart('turn', /It failed, and the turn goes on/);
    await untilPart('turn', /no-such-file\.md/);
  });

  it('shows what is to be written and how risky that is, before it is allowed', async () => {
    await untilPart('confirmation', /Create tour\.md\?[\s\S]*Low risk/);
    await untilPart('diff', /This file comes and goes/);
    await untilPart('confirmation', /Allow once[\s\S]*Allow edits of tour\.md for this session[\s\S]*Deny/);
    await press('Allow once');
    await untilPart('turn', /I created tour\.md/);
  });

  it('shows a change as a diff, and a move', async () => {
    await untilPart('confirmation', /Edit tour\.md\?/);
    await untilPart('diff', /has been changed/);
    await press('Allow once');
    await untilPart('confirmation', /Move tour\.md to docs\/tour\.md\?/);
    await press('Allow once');
    await untilPart('turn', /I moved tour\.md to docs\/tour\.md/);
  });

  it('takes a no with a suggestion', async () => {
    await untilPart('confirmation', /Delete docs\/tour\.md\?[\s\S]*Some risk/);
    await press('Tell it what to do instead');
    await tab.page.locator('::-p-aria([name="Tell it what to do instead"][role="textbox"])').fill('keep it');
    await press('Deny and say this');
    await untilPart('turn', /You said instead: keep it/);
  });

  it('runs a command on a terminal', async () => {
    await untilPart('confirmation', /Run this command\?/);
    await press('Allow once');
    await untilPart('turn', /It ended with exit code 0/);
  });

  it('goes on while something runs in the background, and tells when that ends', async () => {
    await untilPart('confirmation', /Run this command\?[\s\S]*sleep 1/);
    await press('Allow once');
    await untilPart('turn', /In the background, sleep 1; echo done ended with exit code 0/);
  });

  it('asks questions of each kind, and uses the answers', async () => {
    await untilPart('input-request', /What shall I call you\?/);
    await tab.page.locator('ahp-chat >>> ahp-input-form input[type=text]').fill('Ada');
    await press('Submit');
    await untilPart('turn', /You said:[\s\S]*Ada/);
  });

  it('shows where an address leads, and opens nothing by itself', async () => {
    const pages = (await stage.browser.pages()).length;
    await untilPart('input-request', /microsoft\.github\.io/);
    assert.equal((await stage.browser.pages()).length, pages);
    await press('Decline');
    await untilPart('turn', /Another time, then/);
  });

  it('waits for a sign-in, shows the terms, and lets the person look at the result', async () => {
    await untilPart('confirmation', /Market prices \(simulated\)[\s\S]*prices:read/);
    await press('Not now');
    await press('Sign in');
    await press('Sign in to the demo');
    await untilPart('input-request', /The market wants you to read its terms/);
    await press('Accept');
    await untilPart('confirmation', /2 of 2 foods have a price/);
    await press('Use result');
    await untilPart('turn', /Used: \{"milk":1\.2/);
  });

  it('hands a task to a worker, whose chat is named', async () => {
    await untilPart('turn', /The worker has counted/);
    await untilPart('tool-call', /Delegated Counter/);
  });

  it('has a tool of the page run by the page', async () => {
    await untilPart('tool-call', /Look at the page/);
    await untilPart('turn', /Look at the page was run by the page/);
  });

  it('fails, is resumed, and comes to its end', async () => {
    await untilPart('error', /The turn was asked to fail/);
    await press('Resume');
    await untilPart('turn', /The end[\s\S]*A failure that can be resumed/);
    await tab.untilIdle();

    const calls = await tab.page.evaluate(() => {
      const [turn] = document.querySelector('ahp-chat')?.state?.turns ?? [];
      return turn?.responseParts.flatMap((part) => (part.kind === 'toolCall' ? [part.toolCall.status] : []));
    });
    assert.deepEqual([...new Set(calls)].sort(), ['cancelled', 'completed']);
  });

  it('has thrown nothing at the page', () => {
    assert.deepEqual(tab.errors, []);
  });
});
