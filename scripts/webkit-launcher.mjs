/**
 * Drives WebKitGTK's MiniBrowser for the test runner, over plain W3C WebDriver and with Node built-ins only. One window,
 * one page at a time. It answers as a Playwright browser because the runner's own command plugins know those; what
 * WebKitGTK cannot do (emulated media, accessibility snapshots) rejects with a sentence, and tests skip it.
 */
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { findWebKit } from './browser.mjs';

/** WebDriver's code points for the keys that have no character. */
const KEYS = {
  Enter: '\uE007',
  Tab: '\uE004',
  Shift: '\uE008',
  Control: '\uE009',
  Alt: '\uE00A',
  Meta: '\uE03D',
  Escape: '\uE00C',
  Backspace: '\uE003',
  Delete: '\uE017',
  Space: ' ',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Home: '\uE011',
  End: '\uE010',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
};
const BUTTONS = { left: 0, middle: 1, right: 2 };

/** A launcher for `@web/test-runner`. Takes the first viewport, in CSS pixels; 447 is the narrowest possible. */
export function webkitLauncher({ width, height }) {
  let driver;
  let starting;
  let active;

  const getDriver = () => (starting ??= startDriver());
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

/** Starts Xvfb if there is no display, WebKitWebDriver and one MiniBrowser window. */
async function startDriver() {
  const programs = findWebKit();
  if (!programs) throw new Error('WebKit needs the packages webkit2gtk-driver and xvfb.');
  const children = [];
  const kill = () => {
    for (const child of children.splice(0).reverse()) child.kill();
  };
  process.once('exit', kill);
  try {
    const display = process.env.DISPLAY || (await startDisplay(children));
    const request = await startWebDriver(programs, display, children);
    const session = await openWindow(programs, request);
    return {
      ...session,
      async stop() {
        // The processes end in any case, so a session that can no longer be closed is none to wait for.
        await session.close().catch(() => undefined);
        process.off('exit', kill);
        kill();
      },
    };
  } catch (error) {
    kill();
    throw error;
  }
}

/**
 * Without a window manager the keyboard focus follows the pointer, and that rests in the middle of the screen: the screen
 * is small, so that every window lies under it. Windows may be larger than the screen.
 */
function startDisplay(children) {
  const xvfb = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '320x240x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  children.push(xvfb);
  return new Promise((resolve, reject) => {
    xvfb.once('error', reject);
    xvfb.once('exit', () => reject(new Error('Xvfb ended before it had a display.')));
    xvfb.stdio[3].once('data', (number) => resolve(`:${String(number).trim()}`));
  });
}

/** Returns a function that sends one WebDriver command. */
async function startWebDriver(programs, display, children) {
  const port = await findFreePort();
  children.push(
    spawn(programs.driver, [`--port=${port}`], {
      stdio: 'ignore',
      env: {
        ...process.env,
        DISPLAY: display,
        GDK_BACKEND: 'x11',
        NO_AT_BRIDGE: '1',
        LIBGL_ALWAYS_SOFTWARE: '1',
        // Its sandbox needs user namespaces, which containers forbid; it opens nothing but our own test pages.
        WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      },
    }),
  );

  async function request(method, path, body) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`WebKitWebDriver refused ${path}: ${value?.error} ${value?.message}`);
    return value;
  }

  for (let attempt = 0; ; attempt++) {
    try {
      await request('GET', '/status');
      return request;
    } catch (error) {
      if (attempt === 100) throw new Error('WebKitWebDriver does not answer.', { cause: error });
      await delay(100);
    }
  }
}

function findFreePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function openWindow(programs, request) {
  const { sessionId } = await request('POST', '/session', {
    capabilities: {
      alwaysMatch: {
        browserName: 'MiniBrowser',
        'webkitgtk:browserOptions': { binary: programs.browser, args: ['--automation'] },
      },
    },
  });
  const command = (method, path, body) => request(method, `/session/${sessionId}${path}`, body);
  const setViewport = (width, height) => resizeUntil(command, width, height);
  return {
    navigate: (url) => command('POST', '/url', { url }),
    /** A page must not see the viewport, the `sessionStorage` and the history of the one before. */
    async renewWindow() {
      const { handle } = await command('POST', '/window/new', { type: 'window' });
      await command('DELETE', '/window');
      await command('POST', '/window', { handle });
    },
    close: () => command('DELETE', ''),
    setViewport,
    page: toPlaywrightPage(command, setViewport),
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
