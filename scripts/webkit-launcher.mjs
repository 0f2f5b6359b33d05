// Drives WebKitGTK's MiniBrowser over plain W3C WebDriver. Node built-ins only.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { existsSync, readdirSync } from 'node:fs';

const K = {
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
const key = (k) => K[k] ?? k;
const freePort = () =>
  new Promise((ok) => {
    const s = createServer().listen(0, '127.0.0.1', () => {
      const { port } = s.address();
      s.close(() => ok(port));
    });
  });
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
function miniBrowser() {
  for (const lib of ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/libexec'])
    if (existsSync(lib))
      for (const d of readdirSync(lib))
        if (/^webkit(2)?gtk-/.test(d) && existsSync(`${lib}/${d}/MiniBrowser`)) return `${lib}/${d}/MiniBrowser`;
  throw new Error('MiniBrowser not found: apt-get install webkit2gtk-driver');
}

export function webkitLauncher({ env = {}, size = [1000, 700] } = {}) {
  let base,
    sid,
    procs = [],
    active,
    starting;
  const call = async (method, path, body) => {
    const r = await fetch(base + path, {
      method,
      body: body && JSON.stringify(body),
      headers: body ? { 'content-type': 'application/json' } : {},
    });
    const { value } = await r.json();
    if (!r.ok) throw new Error(`${path}: ${value?.error} ${value?.message}`);
    return value;
  };
  const s = (method, path, body) => call(method, `/session/${sid}${path}`, body);
  const exec = (script, args = []) => s('POST', '/execute/sync', { script, args });
  async function boot() {
    let display = process.env.DISPLAY;
    if (!display) {
      const x = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
        stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      });
      procs.push(x);
      display =
        ':' +
        (await new Promise((ok, no) => {
          x.on('error', no);
          x.stdio[3].once('data', (d) => ok(String(d).trim()));
          x.on('exit', () => no(new Error('Xvfb ended')));
        }));
    }
    const port = await freePort();
    procs.push(
      spawn('WebKitWebDriver', [`--port=${port}`], {
        stdio: 'ignore',
        env: {
          ...process.env,
          DISPLAY: display,
          GDK_BACKEND: 'x11',
          NO_AT_BRIDGE: '1',
          LIBGL_ALWAYS_SOFTWARE: '1',
          WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
          ...env,
        },
      }),
    );
    base = `http://127.0.0.1:${port}`;
    for (let i = 0; ; i++) {
      try {
        await call('GET', '/status');
        break;
      } catch (e) {
        if (i > 100) throw e;
        await sleep(100);
      }
    }
    sid = (
      await call('POST', '/session', {
        capabilities: {
          alwaysMatch: {
            browserName: 'MiniBrowser',
            'webkitgtk:browserOptions': { binary: miniBrowser(), args: ['--automation'] },
          },
        },
      })
    ).sessionId;
    await viewport(...size);
  }
  async function viewport(w, h) {
    await s('POST', '/window/rect', { width: w, height: h });
    for (let i = 0; i < 20; i++) {
      const [iw, ih, r] = [...(await exec('return [innerWidth, innerHeight]')), await s('GET', '/window/rect')];
      if (iw === w && ih === h) return;
      if (i % 5 === 0) await s('POST', '/window/rect', { width: r.width + w - iw, height: r.height + h - ih });
      await sleep(50);
    }
    throw new Error(
      'viewport not reached: ' +
        JSON.stringify([
          await exec('return [innerWidth, innerHeight, outerWidth, outerHeight]'),
          await s('GET', '/window/rect'),
        ]),
    );
  }
  const keys = (actions) => s('POST', '/actions', { actions: [{ type: 'key', id: 'k', actions }] });
  const mouse = (actions) =>
    s('POST', '/actions', { actions: [{ type: 'pointer', id: 'm', parameters: { pointerType: 'mouse' }, actions }] });
  const dn = (k) => ({ type: 'keyDown', value: key(k) }),
    up = (k) => ({ type: 'keyUp', value: key(k) });
  const to = (x, y) => ({ type: 'pointerMove', duration: 0, x, y }),
    B = { left: 0, middle: 1, right: 2 };
  const stopAll = () => {
    for (const p of procs.splice(0).reverse()) p.kill();
  };
  process.on('exit', stopAll);
  return {
    name: 'WebKit',
    type: 'playwright',
    concurrency: 1,
    async startSession(id, url) {
      await (starting ??= boot());
      active = { id, url };
      await s('POST', '/url', { url });
    },
    isActive: (id) => active?.id === id,
    getBrowserUrl: () => active?.url,
    async stopSession() {
      active = undefined;
      await s('POST', '/url', { url: 'about:blank' });
      return {};
    },
    async startDebugSession() {
      throw new Error('no debug session');
    },
    async stop() {
      try {
        if (sid) await s('DELETE', '');
      } catch {}
      stopAll();
      starting = undefined;
    },
    // The built-in command plugins know 'playwright' pages, so give them that shape.
    getPage: () => ({
      setViewportSize: ({ width, height }) => viewport(width, height),
      emulateMedia: () => {
        throw new Error('emulateMedia is not supported in WebKitGTK');
      },
      keyboard: {
        type: (t) => keys([...t].flatMap((c) => [dn(c), up(c)])),
        press: (k) => {
          const ks = k.split('+');
          return keys([...ks.map(dn), ...ks.reverse().map(up)]);
        },
        down: (k) => keys([dn(k)]),
        up: (k) => keys([up(k)]),
      },
      mouse: {
        move: (x, y) => mouse([to(x, y)]),
        click: (x, y, o) =>
          mouse([
            to(x, y),
            { type: 'pointerDown', button: B[o?.button ?? 'left'] },
            { type: 'pointerUp', button: B[o?.button ?? 'left'] },
          ]),
        down: (o) => mouse([{ type: 'pointerDown', button: B[o?.button ?? 'left'] }]),
        up: (o) => mouse([{ type: 'pointerUp', button: B[o?.button ?? 'left'] }]),
      },
    }),
  };
}
