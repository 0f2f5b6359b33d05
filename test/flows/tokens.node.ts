/** Where tokens are found after a day with them: in memory and in requests to the host, nowhere else. */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'puppeteer-core';
import { poll } from '../scenes/engines/engine.js';
import { DemoPage, startStage } from './demo-page.js';

const market = 'https://market.example/mcp';
const good = 'gxxd-t0ken-of-the-market';
const refused = 'bad-t0ken-of-the-market';
const wrong = 'wr0ng-token-of-the-host';

/** To be evaluated on every new document: writes down all that the page hears of. */
function listen(): void {
  const heard: string[] = [];
  const toText = (value: unknown, depth = 0): string => {
    if (typeof value !== 'object' || value === null || depth > 6 || value instanceof Node) return String(value);
    const names = [...Object.getOwnPropertyNames(value), ...(value instanceof Error ? ['message', 'stack'] : [])];
    return names.map((name) => `${name}: ${toText((value as Record<string, unknown>)[name], depth + 1)}`).join(', ');
  };
  Object.assign(window, { heard, toText });
  const names = [
    'ahp-auth-request',
    'ahp-diagnostic',
    'ahp-error',
    'ahp-status-change',
    'ahp-rejected',
    'ahp-turn-start',
    'ahp-turn-end',
    'ahp-send',
    'ahp-draft-change',
    'ahp-tool-confirm',
    'ahp-input-complete',
  ];
  for (const name of names) addEventListener(name, (event) => heard.push(`${name} ${toText(event)}`), true);
  addEventListener('error', ({ message, error }) => heard.push(`error ${message} ${toText(error)}`));
  addEventListener('unhandledrejection', ({ reason }) => heard.push(`rejection ${toText(reason)}`));
}

/** Evaluated in the page: everything of it that lasts or shows. */
async function readPage(): Promise<Readonly<Record<string, string>>> {
  const shown = (root: ParentNode): string =>
    [...root.querySelectorAll('*')]
      .map((element) => {
        const attributes = [...element.attributes].map(({ name, value }) => `${name}=${value}`).join(' ');
        const { value } = element as { readonly value?: unknown };
        const text = [...element.childNodes].map((node) => (node instanceof Element ? '' : node.nodeValue)).join('');
        return `${attributes} ${text} ${String(value)} ${element.shadowRoot ? shown(element.shadowRoot) : ''}`;
      })
      .join('\n');
  const stored: string[] = [];
  for (const { name } of await indexedDB.databases()) {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name!);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(new Error(`The database ${name} cannot be read.`));
    });
    for (const store of database.objectStoreNames) {
      const objects = database.transaction(store).objectStore(store);
      for (const request of [objects.getAll(), objects.getAllKeys()]) {
        await new Promise((resolve) => (request.onsuccess = resolve));
        stored.push(`${name} ${store} ${JSON.stringify(request.result)}`);
      }
    }
    database.close();
  }
  const chat = document.querySelector('ahp-chat')!;
  const { heard, toText } = window as unknown as { heard: string[]; toText: (value: unknown) => string };
  return {
    document: shown(document),
    address: location.href,
    local: JSON.stringify({ ...localStorage }),
    session: JSON.stringify({ ...sessionStorage }),
    databases: stored.join('\n'),
    resources: performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .join('\n'),
    events: heard.join('\n'),
    status: toText(chat.status),
    state: JSON.stringify(chat.state),
  };
}

describe('tokens', () => {
  let stage: Awaited<ReturnType<typeof startStage>>;
  let tab: DemoPage;
  const console: string[] = [];

  before(async () => {
    stage = await startStage();
    const page = await stage.browser.newPage();
    page.on('console', (message) => console.push(message.text()));
    // The loader of these files names functions through a helper, also those that are sent to the page.
    await page.evaluateOnNewDocument('globalThis.__name = (named) => named');
    await page.evaluateOnNewDocument(listen);
    tab = await DemoPage.adopt(page, stage.demo.address);
    await tab.untilLive();
  });

  after(() => stage?.close());

  const tokens = () => [stage.demo.token, good, refused, wrong];

  /** Nothing the page holds, shows or was told has a token in it. */
  async function expectNoToken(page: Page = tab.page): Promise<void> {
    const places = {
      ...(await page.evaluate(readPage)),
      console: console.filter((text) => !isBrowsers(text)).join('\n'),
    };
    for (const [place, text] of Object.entries(places)) {
      for (const token of tokens()) {
        const at = text.indexOf(token);
        assert.equal(at, -1, `A token is in ${place}: …${text.slice(Math.max(0, at - 80), at + 20)}`);
      }
    }
  }

  const authenticate = (token: string) =>
    tab.page.evaluate(
      async (resource, given) => {
        const chat = document.querySelector('ahp-chat')!;
        const { toText } = window as unknown as { toText: (value: unknown) => string };
        return chat.authenticate(resource, given, { scopes: ['prices:read'] }).then(
          () => 'taken',
          (error: unknown) => toText(error),
        );
      },
      market,
      token,
    );

  it('of the host leave the address, and are nowhere else', async () => {
    assert.equal(tab.page.url(), stage.demo.pageUrl);
    await expectNoToken();
  });

  it('that a tool waits for are asked of the page, and one that is refused is in no error', async () => {
    await tab.send('prices of milk');
    await tab.page.waitForSelector('dialog');
    await tab.page.locator('dialog button').click();

    const outcome = await authenticate(refused);

    assert.match(outcome, /does not know this token/);
    assert.ok(!outcome.includes(refused));
    await expectNoToken();
  });

  it('that are taken go to the host alone', async () => {
    assert.equal(await authenticate(good), 'taken');
    await tab.until(
      (chat) => !JSON.stringify(chat.state?.activeTurn ?? {}).includes('auth-required'),
      'the call goes on',
    );

    await expectNoToken();
  });

  it('are in nothing that is kept over a reload', async () => {
    await tab.reload();
    await tab.untilLive();

    await expectNoToken();
  });

  it('of a connection that fails are in no word about it, and a new one counts at the next connection', async () => {
    const setToken = (token: string) =>
      tab.page.evaluate((given) => {
        const chat = document.querySelector('ahp-chat')!;
        chat.token = given;
        chat.connect();
      }, token);
    await stage.demo.stopHost();
    await setToken(wrong);
    await stage.demo.startHost();
    await setToken(wrong);
    // The browser's own words say that it was tried, with the new token.
    await poll(
      async () => console.some((text) => isBrowsers(text) && text.includes(wrong)) || undefined,
      () => 'the new token was tried',
    );
    await tab.until((chat) => chat.status?.phase === 'offline' && chat.status.retryAt !== undefined, 'it is refused');
    await expectNoToken();
    await setToken(stage.demo.token);
    await tab.untilLive();

    await stage.demo.stopHost();
    await tab.until((chat) => chat.status?.retryAt !== undefined, 'it waits for the next attempt');
    await expectNoToken();
  });
});

/** Chromium itself names the address of a socket that fails, and no page can keep it from that. */
const isBrowsers = (text: string): boolean => text.startsWith('WebSocket connection to ');
