/** Tools of the page, in real tabs: a reload in the middle of a call, and two tabs that offer the same tool. */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'puppeteer-core';
import type { ClientTool } from '../../src/client/client-tools.js';
import type { ListSessionsResult } from '../../src/protocol/commands.js';
import type { ActiveClient } from '../../src/protocol/state.js';
import { connectRaw } from '../demo/running-host.js';
import { DemoPage, startStage } from './demo-page.js';

interface Run {
  readonly tab: string;
  readonly input: unknown;
}

declare global {
  interface Window {
    /** Ends the run that was begun last in this document. */
    endRun?: (text: string) => void;
  }
}

/** Adds a tool to those of every document of the tab; each run is noted for the whole browser, and waits to be ended. */
async function offerTool(page: Page, tab: string): Promise<void> {
  // The loader of these files names functions through a helper, also those that are sent to the page.
  await page.evaluateOnNewDocument('globalThis.__name = (named) => named');
  await page.evaluateOnNewDocument((name) => {
    const tool: ClientTool = {
      name: 'wait_here',
      title: 'Wait here',
      annotations: { readOnlyHint: true },
      run: (input) => {
        const runs = JSON.parse(localStorage.getItem('runs') ?? '[]') as unknown[];
        localStorage.setItem('runs', JSON.stringify([...runs, { tab: name, input }]));
        return new Promise((resolve) => (window.endRun = resolve));
      },
    };
    const add = () => {
      const chat = document.querySelector('ahp-chat')!;
      // The page has its own to set first.
      if (chat.tools.length === 0) setTimeout(add);
      else chat.tools = [...chat.tools, tool];
    };
    void customElements.whenDefined('ahp-chat').then(add);
  }, tab);
}

describe('tools of the page', () => {
  let stage: Awaited<ReturnType<typeof startStage>>;
  let first: DemoPage;

  before(async () => {
    stage = await startStage();
    const page = await stage.browser.newPage();
    await offerTool(page, 'first');
    first = await DemoPage.adopt(page, stage.demo.address);
    await first.untilLive();
  });

  after(() => stage?.close());

  const readRuns = (): Promise<readonly Run[]> =>
    first.page.evaluate(() => JSON.parse(localStorage.getItem('runs') ?? '[]') as Run[]);

  const untilRuns = (count: number): Promise<unknown> =>
    first.page.waitForFunction(
      (wanted) => (JSON.parse(localStorage.getItem('runs') ?? '[]') as unknown[]).length === wanted,
      { polling: 50 },
      count,
    );

  /** How the newest call of the tool has ended, as the page knows it. */
  const readCall = (tab: DemoPage) =>
    tab.page.evaluate(() => {
      const calls = document
        .querySelector('ahp-chat')!
        .state!.turns.flatMap(({ responseParts }) => responseParts)
        .flatMap((part) => (part.kind === 'toolCall' ? [part.toolCall] : []));
      const call = calls.at(-1)!;
      return call.status === 'completed'
        ? { success: call.success, code: call.error?.code ?? 'none' }
        : { status: call.status };
    });

  /** Waits until so many clients offer the tool to the session. */
  async function untilOffered(count: number): Promise<void> {
    const client = await connectRaw(stage.demo.hostUrl, stage.demo.token);
    const { items } = await client.request<ListSessionsResult>('listSessions', { channel: 'ahp-root://' });
    await client.openSession(items[0]!.resource);
    const isOffer = ({ tools }: ActiveClient) => tools.some(({ name }) => name === 'wait_here');
    await client.when(() => client.session().activeClients.filter(isOffer).length === count || undefined);
    client.close();
  }

  it('run once when the page is loaded anew in the middle, and the call ends with what is true', async () => {
    await untilOffered(1);
    await first.send('use the tool wait_here with {"call":"one"}');
    await untilRuns(1);

    await first.reload();
    await first.untilIdle();

    assert.deepEqual(await readCall(first), { success: false, code: 'interrupted' });
    await first.untilShown(/left before it had ended/);
    assert.deepEqual(await readRuns(), [{ tab: 'first', input: { call: 'one' } }]);
  });

  it('run in one of two tabs that offer the same, and the other says that it runs elsewhere', async () => {
    const page = await stage.browser.newPage();
    await offerTool(page, 'second');
    const second = await DemoPage.adopt(page, stage.demo.address);
    await second.untilLive();
    await untilOffered(2);
    await second.send('use the tool wait_here with {"call":"two"}');
    await untilRuns(2);
    const { tab } = (await readRuns()).at(-1)!;
    const [owner, other] = tab === 'first' ? [first, second] : [second, first];

    await other.page.bringToFront();
    await other.untilShown(/Running in another page/);
    await owner.page.evaluate(() => window.endRun?.('waited'));
    await other.untilIdle();
    await other.untilShown(/The page answers:\s*waited/);
    await owner.page.bringToFront();
    await owner.untilShown(/The page answers:\s*waited/);

    assert.deepEqual([await readCall(owner), await readCall(other)], Array(2).fill({ success: true, code: 'none' }));
    assert.deepEqual((await readRuns()).slice(1), [{ tab, input: { call: 'two' } }]);
    assert.deepEqual([...first.errors, ...second.errors], []);
  });
});
