/** The whole thing, end to end: a person, a page, a host that dies and comes back. */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DemoPage, startStage } from './demo-page.js';

describe('first light', () => {
  let stage: Awaited<ReturnType<typeof startStage>>;
  let tab: DemoPage;

  before(async () => {
    stage = await startStage();
    tab = await DemoPage.open(stage.browser, stage.demo.address);
    await tab.untilLive();
  });

  after(() => stage?.close());

  it('takes the token out of the address', () => {
    assert.equal(tab.page.url(), stage.demo.pageUrl);
  });

  it('streams an answer built from the real files', async () => {
    await tab.send('What is in this workspace?');
    await tab.until((chat) => !!chat.state?.activeTurn, 'the turn runs');
    await tab.untilIdle();

    const [turn] = await tab.readTurns();
    assert.equal(turn?.prompt, 'What is in this workspace?');
    assert.match(turn?.answer ?? '', /README\.md/);
    await tab.untilShown(/README\.md/);
    assert.equal(await tab.readComposer(), '');
  });

  it('stops a running turn at once and says so', async () => {
    await tab.send('Write a long report about the workspace');
    await tab.until((chat) => (chat.state?.activeTurn?.responseParts.length ?? 0) > 0, 'the answer begins');
    await tab.page.click('ahp-chat >>> [part~=stop]');
    await tab.untilIdle();

    const state = await tab.page.evaluate(() => document.querySelector('ahp-chat')?.state?.turns.at(-1)?.state);
    assert.equal(state, 'cancelled');
  });

  it('shows the same transcript after a reload', async () => {
    const before = await tab.readTurns();

    await tab.reload();
    await tab.untilIdle();

    assert.deepEqual(await tab.readTurns(), before);
  });

  it('brings the half-written message back after a reload', async () => {
    await tab.type('half a thought');
    await tab.reload();

    await tab.untilComposer('half a thought');
  });

  it('shows transcript and draft after a reload while the host is down', async () => {
    const before = await tab.readTurns();
    await stage.demo.stopHost();
    await tab.reload();
    await tab.until((chat) => (chat.state?.turns.length ?? 0) > 1, 'the mirror is shown');

    assert.deepEqual(await tab.readTurns(), before);
    await tab.untilComposer('half a thought');
  });

  it('delivers what was sent while the host was down exactly once', async () => {
    await tab.clearComposer();
    await tab.send('Read README.md');
    await tab.until((chat) => (chat.status?.pending ?? 0) > 0, 'the message waits');

    await tab.reload();
    await tab.until((chat) => (chat.status?.pending ?? 0) > 0, 'the message still waits after a reload');
    await stage.demo.startHost();
    await tab.untilIdle();
    await tab.until((chat) => chat.state?.turns.at(-1)?.message.text === 'Read README.md', 'the message was answered');

    assert.equal((await promptsOnHost()).filter((prompt) => prompt === 'Read README.md').length, 1);
    assert.equal(await tab.readComposer(), '');
  });

  it('delivers a message exactly once when the host dies before it answers', async () => {
    await tab.send('Show package.json');
    await stage.demo.stopHost();
    await stage.demo.startHost();
    await tab.until(
      (chat) => chat.status?.phase === 'live' && chat.status.pending === 0 && !chat.state?.activeTurn,
      'nothing is pending any more',
    );

    assert.equal((await promptsOnHost()).filter((prompt) => prompt === 'Show package.json').length, 1);
  });

  it('starts a new chat, which is the one that opens next time', async () => {
    await tab.page.click('#new-chat');
    await tab.until((chat) => chat.status?.phase === 'live' && chat.state?.turns.length === 0, 'the new chat is open');
    await tab.send('help');
    await tab.until((chat) => chat.state?.turns.length === 1, 'it was answered');
    await tab.untilIdle();

    await tab.page.goto(stage.demo.address);
    await tab.untilLive();

    assert.deepEqual(
      (await tab.readTurns()).map(({ prompt }) => prompt),
      ['help'],
    );
  });

  it('shows the text as it came where the Markdown lexer cannot be loaded', async () => {
    const context = await stage.browser.createBrowserContext();
    const page = await context.newPage();
    await page.setRequestInterception(true);
    page.on('request', (request) =>
      request.url().includes('/markdown/stream') ? void request.abort() : void request.continue(),
    );
    const other = await DemoPage.adopt(page, stage.demo.address);
    await other.untilShown(/\*\*|\| --- \||`/);
    await context.close();

    assert.deepEqual(other.errors, []);
  });

  it('has thrown nothing at the page', () => {
    assert.deepEqual(tab.errors, []);
  });

  /** What the host itself holds, seen by a browser that has never been here. */
  async function promptsOnHost(): Promise<readonly string[]> {
    const context = await stage.browser.createBrowserContext();
    const other = await DemoPage.open(context, stage.demo.address);
    await other.untilLive();
    await other.until((chat) => (chat.state?.turns.length ?? 0) > 0, 'the other browser has the turns');
    const turns = await other.readTurns();
    await context.close();
    return turns.map(({ prompt }) => prompt);
  }
});
