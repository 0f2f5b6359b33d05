/** Starts WebKitGTK's MiniBrowser and speaks plain W3C WebDriver with it. Node built-ins only. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { findWebKit } from './browser.mjs';

/** WebDriver's code points for the keys that have no character. */
export const KEYS = {
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

/**
 * Starts Xvfb if there is no display, WebKitWebDriver and one MiniBrowser window. `command` sends one command of the
 * session and gives its value; `pid` is the driver's, whose child the browser is.
 *
 * @returns {Promise<{
 *   pid: number,
 *   command(method: string, path: string, body?: unknown): Promise<unknown>,
 *   stop(): Promise<void>,
 * }>}
 */
export async function startWebKit() {
  const programs = findWebKit();
  if (!programs) throw new Error('WebKit needs the packages webkit2gtk-driver and xvfb.');
  const children = [];
  const kill = () => {
    for (const child of children.splice(0).reverse()) child.kill();
  };
  process.once('exit', kill);
  try {
    const display = process.env.DISPLAY || (await startDisplay(children));
    const { request, pid } = await startWebDriver(programs, display, children);
    const { sessionId } = await request('POST', '/session', {
      capabilities: {
        alwaysMatch: {
          browserName: 'MiniBrowser',
          'webkitgtk:browserOptions': {
            binary: programs.browser,
            args: ['--automation', '--javascript-can-open-windows-automatically=true'],
          },
        },
      },
    });
    const command = (method, path, body) => request(method, `/session/${sessionId}${path}`, body);
    return {
      pid,
      command,
      async stop() {
        // The processes end in any case, so a session that can no longer be closed is none to wait for.
        await command('DELETE', '').catch(() => undefined);
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

/** The process, and a function that sends one WebDriver command. */
async function startWebDriver(programs, display, children) {
  const port = await findFreePort();
  const driver = spawn(programs.driver, [`--port=${port}`], {
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
  });
  children.push(driver);

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
      return { request, pid: driver.pid };
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
