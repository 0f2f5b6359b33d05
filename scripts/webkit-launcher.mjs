/**
 * Drives WebKitGTK's MiniBrowser for the test runner, over plain W3C WebDriver and with Node built-ins only. One window,
 * one page at a time. It answers as a Playwright browser because the runner's own command plugins know those; what
 * WebKitGTK cannot do (emulated media, accessibility snapshots) rejects with a sentence, and tests skip it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { KEYS, startWebKit } from './webkit-driver.mjs';

const BUTTONS = { left: 0, middle: 1, right: 2 };

/** A launcher for `@web/test-runner`. Takes the first viewport, in CSS pixels; 447 is the narrowest possible. */
export function webkitLauncher({ width, height }) {
  let driver;
  let starting;
  let active;

  const getDriver = () => (starting ??= openWindow());
  const stopDriver = async () => {
    starting = undefined;
    await driver?.stop();
    driver = undefined;
  };

  async function open(url) {
    driver = await getDriver();
    await driver.setViewport(width, height);
    await driver.navigate(url);
  }

  return {
    name: 'WebKit',
    type: 'playwright',
    concurrency: 1,
    async startSession(id, url) {
      active = { id, url };
      try {
        await open(url);
      } catch {
        // A crashed browser must not take the remaining test files with it: once more, with a new one.
        await stopDriver();
        await open(url);
      }
    },
    isActive: (id) => active?.id === id,
    getBrowserUrl: () => active?.url,
    async stopSession() {
      active = undefined;
      await driver?.renewWindow().catch(stopDriver);
      return {};
    },
    async startDebugSession() {
      throw new Error('WebKit under WebDriver has no debug session.');
    },
    stop: stopDriver,
    getPage: () => driver.page,
  };
}

async function openWindow() {
  const { command, stop } = await startWebKit();
  const setViewport = (width, height) => resizeUntil(command, width, height);
  return {
    navigate: (url) => command('POST', '/url', { url }),
    /** A page must not see the viewport, the `sessionStorage` and the history of the one before. */
    async renewWindow() {
      const { handle } = await command('POST', '/window/new', { type: 'window' });
      await command('DELETE', '/window');
      await command('POST', '/window', { handle });
    },
    setViewport,
    page: toPlaywrightPage(command, setViewport),
    stop,
  };
}

/** WebDriver sizes the window; the tests want the viewport. The window manager may take a moment over either. */
async function resizeUntil(command, width, height) {
  const measure = () => command('POST', '/execute/sync', { script: 'return [innerWidth, innerHeight]', args: [] });
  let inner;
  for (let attempt = 0; attempt < 20; attempt++) {
    inner = await measure();
    if (inner[0] === width && inner[1] === height) return;
    if (attempt % 5 === 0) {
      const outer = await command('GET', '/window/rect');
      await command('POST', '/window/rect', {
        width: outer.width + width - inner[0],
        height: outer.height + height - inner[1],
      });
    }
    await delay(50);
  }
  throw new Error(`WebKit's viewport stays at ${inner.join(' × ')}; ${width} × ${height} was asked for.`);
}

/** What the runner's `sendKeys`, `sendMouse` and `setViewport` use of a Playwright page. */
function toPlaywrightPage(command, setViewport) {
  const act = (source) => command('POST', '/actions', { actions: [source] });
  const keys = (actions) => act({ type: 'key', id: 'keyboard', actions });
  const mouse = (actions) => act({ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions });

  const keyDown = (key) => ({ type: 'keyDown', value: KEYS[key] ?? key });
  const keyUp = (key) => ({ type: 'keyUp', value: KEYS[key] ?? key });
  const moveTo = (x, y) => ({ type: 'pointerMove', duration: 0, x, y });
  const buttonDown = (options) => ({ type: 'pointerDown', button: BUTTONS[options?.button ?? 'left'] });
  const buttonUp = (options) => ({ type: 'pointerUp', button: BUTTONS[options?.button ?? 'left'] });

  return {
    setViewportSize: ({ width, height }) => setViewport(width, height),
    async emulateMedia() {
      throw new Error('WebKitGTK cannot emulate media features.');
    },
    accessibility: {
      async snapshot() {
        throw new Error('WebKitGTK gives no accessibility snapshot.');
      },
    },
    keyboard: {
      type: (text) => keys([...text].flatMap((character) => [keyDown(character), keyUp(character)])),
      press(chord) {
        const parts = chord.length === 1 ? [chord] : chord.split('+');
        return keys([...parts.map(keyDown), ...parts.reverse().map(keyUp)]);
      },
      down: (key) => keys([keyDown(key)]),
      up: (key) => keys([keyUp(key)]),
    },
    mouse: {
      move: (x, y) => mouse([moveTo(x, y)]),
      click: (x, y, options) => mouse([moveTo(x, y), buttonDown(options), buttonUp(options)]),
      down: (options) => mouse([buttonDown(options)]),
      up: (options) => mouse([buttonUp(options)]),
    },
  };
}
