/** Everything the chat can do, with the keys alone: real Chromium, the real page, the real host, and no mouse. */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DemoPage, startStage } from './demo-page.js';
import { putInPage } from './in-page.js';
import { Keyboard } from './keyboard.js';

const BACK = 'Shift+Tab';

describe('with the keyboard alone', () => {
  let stage: Awaited<ReturnType<typeof startStage>>;
  let tab: DemoPage;
  let keys: Keyboard;

  before(async () => {
    stage = await startStage();
    await stage.browser
      .defaultBrowserContext()
      .overridePermissions(new URL(stage.demo.address).origin, ['clipboard-read', 'clipboard-sanitized-write']);
    const page = await stage.browser.newPage();
    await page.evaluateOnNewDocument('globalThis.__name = (named) => named');
    await page.evaluateOnNewDocument(putInPage);
    tab = await DemoPage.adopt(page, stage.demo.address);
    await page.setViewport({ width: 1_100, height: 800 });
    await tab.untilLive();
    keys = new Keyboard(page);
  });

  after(() => stage?.close());

  const toMessage = () => keys.goTo(/^Message$/);

  it('writes lines and sends them', async () => {
    await toMessage();
    await keys.type('What is in');
    await keys.press('Shift+Enter');
    await keys.type('this workspace?');
    await keys.press('Enter');
    await tab.untilIdle();

    assert.equal((await tab.readTurns())[0]?.prompt, 'What is in\nthis workspace?');
    assert.equal((await keys.look()).name, 'Message');
  });

  for (const [sign, typed, taken, listed] of [
    ['@', 'look at @READ', '@README.md', /@README/],
    ['#', 'look at #', '#', /^Symbol/],
    ['/', '/to', '/tour', /tour/],
  ] as const) {
    it(`takes a suggestion for ${sign}`, async () => {
      await keys.type(typed);
      await keys.untilOffered(listed);
      await keys.press('ArrowDown');
      await keys.press('ArrowUp');
      await keys.press('Enter');

      const written = await tab.readComposer();
      assert.ok(written.includes(taken) && written.length > typed.length, written);
      await keys.press('Control+a');
      await keys.press('Backspace');
      assert.equal(await tab.readComposer(), '');
    });
  }

  it('chooses a model and its settings, and the agent answers so', async () => {
    const chosen = () =>
      tab.page.evaluate(() => {
        const { model, agent } = document.querySelector('ahp-chat')!.draft ?? {};
        return [model, agent?.uri ?? 'no agent'];
      });
    await keys.goTo(/^Model$/);
    await keys.take(/^Brief$/);
    await keys.choose(/^Settings of Brief/);
    await keys.untilOn(/^Lines of a list/);
    await keys.press('Control+a');
    await keys.type('1');
    await keys.goTo(/^Speed/);
    await keys.take(/^At once$/);
    await keys.press('Escape');
    await keys.untilOn(/^Settings of Brief/);
    assert.deepEqual(await chosen(), [{ id: 'brief', config: { lines: 1, speed: 'fast' } }, 'no agent']);

    await keys.goTo(/^Message$/, BACK);
    await keys.type('list the files');
    await keys.press('Enter');
    await tab.untilIdle();
    const turn = await tab.readTurns().then((turns) => turns.at(-1)!);
    assert.match(turn.answer, /(\n\|.*){3}\n\n… and \d+ more\s*$/);
    await tab.untilShown(/… and \d+ more/);

    await keys.goTo(/^Model$/);
    await keys.take(/^Thorough$/);
  });

  it('chooses an agent that changes nothing, and then none', async () => {
    await keys.goTo(/^Agent$/);
    await keys.take(/^Reader$/);
    await keys.goTo(/^Message$/, BACK);
    await keys.type('create keys.txt with "x"');
    await keys.press('Enter');
    await tab.untilShown(/Reader changes nothing/);
    await tab.untilIdle();
    await keys.goTo(/^Agent$/);
    await keys.press('Home');
    await keys.goTo(/^Message$/, BACK);
  });

  it('begins the tour, and allows once what it asks', async () => {
    await keys.type('Take the tour');
    await keys.press('Enter');
    await keys.choose(/^Allow once$/, BACK);
    await tab.untilShown(/I created tour\.md/);
  });

  it('reads the diff of a change and chooses another option', async () => {
    await tab.untilShown(/Edit tour\.md\?/);
    assert.equal((await keys.goTo(/^Changes in /, BACK)).role, 'group');
    await keys.choose(/^Allow edits of tour\.md/);
    await tab.untilShown(/Move tour\.md to docs\/tour\.md\?/);
    await keys.choose(/^Allow once$/);
  });

  it('denies, and says what to do instead', async () => {
    await tab.untilShown(/Delete docs\/tour\.md\?/);
    await keys.choose(/^Tell it what to do instead$/);
    await keys.untilOn(/^Tell it what to do instead$/, 'textarea');
    await keys.type('keep it');
    await keys.press('Enter');
    await tab.untilShown(/You said instead: keep it/);
  });

  it('edits an input before it allows it', async () => {
    await tab.untilShown(/Run this command\?/);
    await keys.choose(/^Edit$/);
    await keys.untilOn(/^Input$/);
    await keys.press('Control+a');
    await keys.type('{"command": "echo with keys"}');
    await keys.choose(/^Allow once/);
    await tab.untilShown(/It ended with exit code 0/);
    await keys.choose(/^Allow once$/);
  });

  it('answers a form with fields of every kind, and passes one over', async () => {
    await keys.untilNamed(/What shall I call you/);
    await keys.goTo(/What shall I call you/);
    await keys.type('Ada');
    await keys.goTo(/How often have you seen/);
    await keys.press('ArrowUp');
    await keys.choose(/^Skip/);
    await keys.goTo(/The diff|The terminal/);
    await keys.press('ArrowDown');
    await keys.goTo(/^Tools/);
    await keys.press('Space');
    await keys.choose(/^Submit$/);
    await tab.untilShown(/You said:[\s\S]*Ada[\s\S]*tools/i);
  });

  it('declines to open an address', async () => {
    await keys.choose(/^Decline$/);
    await tab.untilShown(/Another time, then/);
  });

  it('signs in, accepts terms, and uses a result', async () => {
    await keys.choose(/^Not now$/);
    await keys.choose(/^Sign in$/);
    await keys.choose(/^Sign in to the demo$/);
    await keys.choose(/^Accept$/);
    await keys.choose(/^Use result$/);
    await tab.untilShown(/Used: \{"milk":1\.2/);
  });

  it('resumes a turn that failed', async () => {
    await tab.untilShown(/The turn was asked to fail/);
    await keys.choose(/^Resume$/);
    await tab.untilShown(/The end[\s\S]*A failure that can be resumed/);
    await tab.untilIdle();
  });

  it('opens the card of a worker, goes into its chat, and leaves it', async () => {
    await keys.choose(/Delegated Counter/, BACK);
    await keys.goTo(/^Counter/);
    assert.match((await keys.press('Enter')).name, /^Counter/);
    await tab.untilShown(/Conversation|count the lines/);
    await keys.goTo(/^Message$/);
  });

  it('opens a finished command and its output', async () => {
    await keys.choose(/Ran .*with keys/, BACK);
    await tab.untilShown(/with keys/);
    await keys.goTo(/^Output$/);
    await keys.goTo(/^Message$/);
  });

  it('queues, edits, moves and removes what waits', async () => {
    await keys.type('delete README.md');
    await keys.press('Enter');
    await keys.untilNamed(/^Allow once$/);
    for (const text of ['list src', 'list docs', 'help']) {
      await keys.type(text);
      await keys.press('Enter');
    }
    const waiting = () =>
      tab.page.evaluate(() =>
        document.querySelector('ahp-chat')!.state!.queuedMessages?.map(({ message }) => message.text),
      );
    await keys.goTo(/^Edit list docs/, BACK);
    await keys.press('Enter');
    await keys.type('!');
    await keys.press('Enter');
    await tab.until((chat) => chat.state?.queuedMessages?.[1]?.message.text === 'list docs!', 'the row is edited');
    await keys.goTo(/^Move list docs!/, BACK);
    await keys.press('ArrowUp');
    assert.deepEqual(await waiting(), ['list docs!', 'list src', 'help']);
    await keys.press('Alt+ArrowDown');
    assert.deepEqual(await waiting(), ['list src', 'list docs!', 'help']);
    for (const rest of [2, 1, 0]) {
      await keys.goTo(/^Remove /);
      await keys.press('Enter');
      assert.equal((await waiting())?.length ?? 0, rest);
    }
  });

  it('steers the running turn, and stops it', async () => {
    await keys.goTo(/^Message$/);
    await keys.type('be careful');
    await keys.press('Control+Enter');
    await tab.until((chat) => chat.state?.steeringMessage?.message.text === 'be careful', 'it steers');
    await keys.choose(/^Stop$/);
    await tab.untilIdle();
    await keys.look();
  });

  it('copies a turn, sends it again with other words, and forks from it', async () => {
    await keys.goTo(/^Copy as Markdown|^Copy with question/, BACK);
    await keys.goTo(/^Copy with question/, 'ArrowRight');
    await keys.press('Enter');
    await keys.untilOn(/^Copied$/);
    assert.match(await tab.page.evaluate(() => navigator.clipboard.readText()), /delete README\.md/);
    await keys.goTo(/^Edit message$/, 'ArrowRight');
    await keys.press('Enter');
    await keys.press('Control+a');
    await keys.type('list src');
    await keys.press('Enter');
    await tab.until((chat) => chat.state?.turns.at(-1)?.message.text === 'list src', 'it is sent again');
    await tab.untilIdle();
    await keys.look();
    const before = await tab.page.evaluate(() => document.querySelector('ahp-chat')!.state!.resource);
    await keys.goTo(/^Copy as Markdown/, BACK);
    await keys.goTo(/^Fork from here$/, 'ArrowRight');
    await keys.press('Enter');
    await tab.page.waitForFunction(
      (old) => document.querySelector('ahp-chat')?.state && document.querySelector('ahp-chat')!.state!.resource !== old,
      {},
      before,
    );
  });

  it('makes, renames, archives, deletes and opens chats in the list', async () => {
    await keys.goTo(/^New chat$/);
    await keys.press('Enter');
    await tab.until((chat) => chat.state?.turns.length === 0, 'another chat is shown');
    // The list has a button of the same name; the line that had the focus last follows it.
    await keys.goTo(/^New chat$/);
    await keys.press('Tab');
    await keys.goTo(/^Rename/, 'ArrowRight');
    await keys.press('Enter');
    await keys.untilOn(/^Title of/);
    await keys.press('Control+a');
    await keys.type('Named with keys');
    await keys.press('Enter');
    await keys.untilOn(/Named with keys/);
    await keys.goTo(/^Archive/, 'ArrowRight');
    await keys.press('Enter');
    await keys.choose(/archived$/);
    await keys.goTo(/^Named with keys/);
    await keys.press('Enter');
    await tab.until((chat) => chat.state?.turns[0]?.message.text.startsWith('What is in') === true, 'it is opened');
    await keys.goTo(/^Unarchive/, 'ArrowRight');
    await keys.press('Enter');
    await keys.untilGone(/archived$/);
    assert.match((await keys.look()).name, /Named with keys/);
    await keys.goTo(/^Delete/, 'ArrowRight');
    await keys.press('Enter');
    await keys.untilOn(/^Keep$/);
    await keys.goTo(/^Delete$/, BACK);
    await keys.press('Enter');
    await keys.untilOn(/^(?!Named|Delete|Keep)./);
  });

  it('has thrown nothing at the page', () => {
    assert.deepEqual(tab.errors, []);
  });
});
