/** WebKitGTK's MiniBrowser, over WebDriver. One browser whose windows take turns: a command goes to the chosen one. */

import { KEYS, startWebKit } from '../../../scripts/webkit-driver.mjs';
import type { Hands } from '../page/hands.js';
import { cannot, poll, type Answer, type Engine, type Profile, type Tab } from './engine.js';
import { whileStopped } from './processes.js';

/** Sends one WebDriver command. */
type Command = (method: string, path: string, body?: unknown) => Promise<unknown>;

class Windows {
  readonly #command: Command;
  /** The first one, which stays: without a window that is there no other can be opened. */
  readonly #home: string;
  #last: Promise<unknown> = Promise.resolve();

  constructor(command: Command, home: string) {
    this.#command = command;
    this.#home = home;
  }

  /** Does `work` with the window of `handle` chosen, and nothing else meanwhile. */
  in<T>(handle: string, work: (command: Command) => Promise<T>): Promise<T> {
    const done = this.#last.then(async () => {
      await this.#command('POST', '/window', { handle });
      return work(this.#command);
    });
    this.#last = done.catch(() => undefined);
    return done;
  }

  async open(): Promise<Tab> {
    const opened = await this.in(this.#home, (command) => command('POST', '/window/new', { type: 'window' }));
    return new WebKitTab(this, (opened as { handle: string }).handle);
  }

  list(): Promise<readonly string[]> {
    return this.in(this.#home, (command) => command('GET', '/window/handles')) as Promise<readonly string[]>;
  }
}

class WebKitTab implements Tab {
  readonly #windows: Windows;
  readonly #handle: string;

  constructor(windows: Windows, handle: string) {
    this.#windows = windows;
    this.#handle = handle;
  }

  async goto(url: string): Promise<void> {
    await this.#do('POST', '/url', { url });
  }

  async reload(): Promise<void> {
    await this.#do('POST', '/refresh', {});
  }

  async back(): Promise<void> {
    await this.#do('POST', '/back', {});
  }

  async forward(): Promise<void> {
    await this.#do('POST', '/forward', {});
  }

  async close(): Promise<void> {
    await this.#do('DELETE', '/window');
  }

  async type(text: string): Promise<void> {
    await this.#keys([...text]);
  }

  async press(key: 'Enter' | 'Backspace'): Promise<void> {
    await this.#keys([KEYS[key]]);
  }

  async call<Name extends keyof Hands>(name: Name, ...args: Parameters<Hands[Name]>): Promise<Answer<Name>> {
    const script = `
      const [name, args, done] = arguments;
      Promise.resolve().then(() => globalThis.hands[name](...args)).then(
        (value) => done({ value: JSON.stringify(value) ?? null }),
        (error) => done({ error: String(error) }));`;
    const answer = (await this.#do('POST', '/execute/async', { script, args: [name, args] })) as {
      readonly value?: string | null;
      readonly error?: string;
    };
    if (answer.error !== undefined) throw new Error(answer.error);
    return (answer.value == null ? undefined : JSON.parse(answer.value)) as Answer<Name>;
  }

  async duplicate(): Promise<Tab> {
    const before = await this.#windows.list();
    await this.call('duplicate');
    const handle = await poll(
      async () => (await this.#windows.list()).find((one) => !before.includes(one)),
      () => 'another window opens',
    );
    return new WebKitTab(this.#windows, handle);
  }

  crash(): Promise<void> {
    return cannot();
  }

  freeze(): Promise<void> {
    return cannot();
  }

  wake(): Promise<void> {
    return cannot();
  }

  setOnline(_isOnline: boolean): Promise<void> {
    return cannot();
  }

  setQuota(_bytes: number | undefined): Promise<void> {
    return cannot();
  }

  clearSiteData(): Promise<void> {
    return cannot();
  }

  #do(method: string, path: string, body?: unknown): Promise<unknown> {
    return this.#windows.in(this.#handle, (command) => command(method, path, body));
  }

  async #keys(values: readonly string[]): Promise<void> {
    const actions = values.flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await this.#do('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  }
}

async function start() {
  const { command, stop, pid } = await startWebKit();
  return { windows: new Windows(command, (await command('GET', '/window')) as string), stop, pid };
}

/** Under WebDriver every window is a private one: its session is ephemeral. */
async function openProfile(): Promise<Profile> {
  let browser = await start();
  return {
    open: () => browser.windows.open(),
    async restart() {
      await browser.stop();
      browser = await start();
    },
    sleep: (night) => whileStopped(browser.pid, night),
    close: () => browser.stop(),
  };
}

export async function startEngine(): Promise<Engine> {
  const { windows, stop } = await start();
  return {
    name: 'WebKit',
    lanes: 1,
    lacks: {
      crash: 'WebDriver loses its session with the process of a page',
      freeze: 'WebKitGTK has no page lifecycle that could be set',
      'network switch': 'WebDriver cannot take the network away',
      quota: 'the share of an origin cannot be set',
      'clearing of site data': 'WebDriver cannot, and ends its session with the process that holds the databases',
      'plain http': 'no other name leads to this machine',
      restart: 'a profile under WebDriver ends with its browser',
    },
    open: () => windows.open(),
    openProfile,
    close: stop,
  };
}
