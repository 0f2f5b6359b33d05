/** What a scene plays with: a real host on disk, a site with the wire to it, tabs, and the truth as the host has it. */

import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { ChatState, Turn } from '../../src/protocol/state.js';
import { toDatabaseName } from '../../src/mirror/schema.js';
import { connectRaw, runHost, type RunningHost } from '../demo/running-host.js';
import { poll, type Ability, type Engine, type Profile, type ProfileKind, type Tab } from './engines/engine.js';
import type { Screen } from './page/hands.js';
import type { Site } from './site.js';

export interface Scene {
  readonly name: string;
  readonly needs?: readonly Ability[];
  /** Why some engine cannot play it although it has the abilities. */
  readonly exceptIn?: Readonly<Record<string, string>>;
  play(world: World): Promise<void>;
}

export interface OpenOptions {
  readonly chat?: string;
  /** The page names no chat: the host's newest is looked for. */
  readonly isUnnamed?: boolean;
  readonly storage?: 'memory';
  readonly storageKey?: string;
  readonly without?: 'indexeddb' | 'access to indexeddb' | 'answers of indexeddb' | 'locks';
  readonly token?: string;
  /** At an address that is no secure context. */
  readonly isPlain?: boolean;
}

export class World {
  readonly engine: Engine;
  readonly site: Site;
  readonly #running: RunningHost;
  readonly #chats: ChatTab[] = [];
  readonly #others: Tab[] = [];
  #profile: Profile | undefined;
  #chat = '';

  private constructor(engine: Engine, running: RunningHost, site: Site) {
    this.engine = engine;
    this.site = site;
    this.#running = running;
  }

  static async create(engine: Engine, running: RunningHost, site: Site): Promise<World> {
    const world = new World(engine, running, site);
    await world.startHost();
    world.#chat = await world.newChat();
    return world;
  }

  get wire(): Site['wire'] {
    return this.site.wire;
  }

  get token(): string {
    return this.#running.token;
  }

  /** Of the mirror of every chat opened here, without a storage key. */
  get database(): string {
    return toDatabaseName(`http://127.0.0.1:${this.site.port}/ahp`);
  }

  address(options: OpenOptions = {}): string {
    const { chat = this.#chat, isUnnamed, storage, storageKey, without, token = this.token, isPlain } = options;
    const host = isPlain ? this.engine.plainName : '127.0.0.1';
    const url = new URL(`http://${host}:${this.site.port}/chat.html`);
    if (!isUnnamed) url.searchParams.set('chat', chat);
    if (storage) url.searchParams.set('storage', storage);
    if (storageKey) url.searchParams.set('storage-key', storageKey);
    if (without) url.searchParams.set('without', without);
    url.hash = token;
    return url.href;
  }

  /** A tab with the chat in it. */
  async open(options: OpenOptions = {}): Promise<ChatTab> {
    const tab = await (this.#profile ?? this.engine).open();
    const chat = this.watch(tab);
    await tab.goto(this.address(options));
    await chat.untilShown();
    return chat;
  }

  /** The same, once it is in step with the host. */
  async openLive(options: OpenOptions = {}): Promise<ChatTab> {
    const chat = await this.open(options);
    await chat.untilQuiet();
    return chat;
  }

  watch(tab: Tab): ChatTab {
    const chat = new ChatTab(tab);
    this.#chats.push(chat);
    return chat;
  }

  /** A tab with another page of the same origin. */
  async openOther(isPlain = false): Promise<Tab> {
    const tab = await (this.#profile ?? this.engine).open();
    this.#others.push(tab);
    const host = isPlain ? this.engine.plainName : '127.0.0.1';
    await tab.goto(`http://${host}:${this.site.port}/other.html`);
    await poll(
      async () => (await tab.call('returns')) && true,
      () => 'the other page is there',
    );
    return tab;
  }

  /** From here on tabs are of a browser of their own. */
  async useProfile(kind: ProfileKind = 'kept'): Promise<Profile> {
    this.#profile = await this.engine.openProfile(kind);
    return this.#profile;
  }

  /* -------------------------------------------------------------- the host */

  async newChat(): Promise<string> {
    const client = await this.#connect();
    const chat = await client.openChat();
    client.close();
    return chat;
  }

  /** With SIGKILL. */
  killHost(): Promise<void> {
    return this.#running.host.kill();
  }

  /** The same, and the chat knows. */
  async loseHost(chat: ChatTab): Promise<void> {
    await this.killHost();
    await chat.until('it knows that the host is gone', ({ phase }) => phase === 'offline');
  }

  startHost(): Promise<void> {
    return this.#running.host.start();
  }

  /** Kills the host; one that speaks these versions, or its own where there are none, comes in its place. */
  async updateHost(versions: readonly string[]): Promise<void> {
    await this.killHost();
    this.#running.host.versions = versions;
    await this.startHost();
  }

  /** Somebody else writes in the chat, and is answered. */
  async say(text: string): Promise<void> {
    const client = await this.#connect();
    await client.subscribe(this.#chat);
    await client.turnEnd(this.#chat, client.ask(this.#chat, text));
    client.close();
  }

  /** The chat as the host has it. */
  async truth(chat = this.#chat): Promise<ChatState> {
    const client = await this.#connect();
    const state = await client.subscribe(chat);
    client.close();
    return state;
  }

  async until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
    await poll(
      async () => (await holds()) || undefined,
      () => what,
    );
  }

  /** Until a store of the mirror holds a text, as another page of the origin reads it. */
  async untilStored(other: Tab, store: string, text: string): Promise<void> {
    await this.until(`"${text}" is on disk`, async () =>
      JSON.stringify(await other.call('read', this.database, store)).includes(text),
    );
  }

  async untilHost(what: string, holds: (state: ChatState) => boolean, sender?: ChatTab): Promise<void> {
    let screen: Screen | undefined;
    await poll(
      async () => {
        screen = await sender?.look();
        return holds(await this.truth()) || undefined;
      },
      () => `at the host ${what}; the screen: ${screen && describe(screen)}`,
    );
  }

  async #connect() {
    return connectRaw(this.#running.host.url, this.token);
  }

  /* -------------------------------------------------------------- the end */

  /**
   * The truth at the end: the host has these messages and no others, in this order, and every tab that is still there is
   * at rest and shows what the host has. Nothing waits, nothing is unconfirmed, nothing was thrown.
   */
  async ends(prompts: readonly string[]): Promise<void> {
    const tabs = this.#chats.filter(({ isGone }) => !isGone);
    for (const tab of tabs) await tab.untilQuiet();
    let screens: readonly Screen[] = [];
    await poll(
      async () => {
        screens = await Promise.all(tabs.map((tab) => tab.look()));
        return (await this.truth()).turns.length >= prompts.length || undefined;
      },
      () => `the host has ${prompts.join(', ')}; the screens: ${screens.map(describe).join('; ')}`,
    );
    for (const tab of tabs) await tab.untilQuiet();
    const truth = await this.truth();
    assert.deepEqual(promptsOf(truth), prompts, 'what the host has');
    for (const tab of tabs) {
      await tab.until(
        `it shows ${prompts.join(', ')}, all of them ended`,
        ({ prompts: shown, state }) => isDeepStrictEqual(shown, prompts) && state?.turns.length === truth.turns.length,
      );
      const screen = await tab.look();
      assert.deepEqual(screen.waiting, [], 'what is in the queue on screen');
      assert.equal(screen.unconfirmed, 0);
      assert.deepEqual(plain(screen.state?.turns), plain(truth.turns), 'the turns on screen');
    }
    assert.deepEqual(this.site.troubles, []);
  }

  async close(): Promise<void> {
    // A tab that has crashed, or whose browser has, is gone by itself.
    for (const { tab, isGone } of this.#chats) if (!isGone) await tab.close().catch(() => undefined);
    for (const tab of this.#others) await tab.close().catch(() => undefined);
    await this.#profile?.close();
    this.wire.cut();
    if (this.#running.host.versions.length > 0) await this.updateHost([]);
  }
}

const promptsOf = ({ turns, activeTurn }: ChatState) =>
  [...turns, ...(activeTurn ? [activeTurn] : [])].map(({ message }) => message.text);

/** As it is on the wire: without what is not there. */
const plain = (turns: readonly Turn[] | undefined): unknown => JSON.parse(JSON.stringify(turns ?? [])) as unknown;

/** A tab with a chat in it, used as a person does. */
export class ChatTab {
  readonly tab: Tab;
  isGone = false;

  constructor(tab: Tab) {
    this.tab = tab;
  }

  async look(): Promise<Screen> {
    const screen = await this.tab.call('look');
    if (!screen) throw new Error('There is no chat to look at.');
    return screen;
  }

  async until(what: string, holds: (screen: Screen) => boolean, limitMs?: number): Promise<void> {
    let last: Screen | undefined;
    await poll(
      async () => {
        last = await this.tab.call('look');
        return (last && holds(last)) || undefined;
      },
      () => `${what}; the screen: ${last && describe(last)}`,
      limitMs,
    );
  }

  untilShown(): Promise<void> {
    return this.until('the chat is there', () => true);
  }

  untilLive(): Promise<void> {
    return this.until('it is live', ({ phase }) => phase === 'live');
  }

  untilQuiet(): Promise<void> {
    return this.until(
      'it is live and at rest',
      ({ phase, pending, state }) =>
        phase === 'live' && pending === 0 && !state?.activeTurn && !state?.queuedMessages?.length,
    );
  }

  untilRunning(): Promise<void> {
    return this.until('the answer is streaming', ({ state }) => textOf(state?.activeTurn).length > 20);
  }

  /** Whether the disk has it already is not said. */
  untilSending(text: string): Promise<void> {
    return this.until(`"${text}" is being sent`, ({ pending, prompts }) => pending > 0 && prompts.includes(text));
  }

  /** Until it is known here that another tab has sent this; until then it may stand in the composer here too. */
  untilTold(text: string): Promise<void> {
    return this.until(
      `it is known that "${text}" was sent`,
      ({ prompts, waiting, composer }) =>
        composer === '' && [...prompts, ...waiting].some((words) => words.includes(text)),
    );
  }

  untilComposer(text: string): Promise<void> {
    return this.until(`the composer holds "${text}"`, ({ composer }) => composer === text);
  }

  async type(text: string): Promise<void> {
    await this.#focus();
    await this.tab.type(text);
  }

  async enter(): Promise<void> {
    await this.#focus();
    await this.tab.press('Enter');
  }

  async send(text: string): Promise<void> {
    await this.type(text);
    await this.enter();
  }

  async #focus(): Promise<void> {
    await this.tab.call('focus');
    await this.until('the composer has the focus', ({ isFocused }) => isFocused);
  }

  async press(words: string): Promise<void> {
    await poll(
      async () => (await this.tab.call('press', words)) || undefined,
      () => `there is a button "${words}"`,
    );
  }

  async fill(label: string, text: string): Promise<void> {
    await poll(
      async () => (await this.tab.call('fill', label, text)) || undefined,
      () => `there is a field called "${label}"`,
    );
  }

  async reload(): Promise<void> {
    await this.tab.reload();
    await this.untilShown();
  }

  async close(): Promise<void> {
    this.isGone = true;
    await this.tab.close();
  }

  /** To another page of the same origin. */
  async leave(): Promise<void> {
    await this.tab.call('leave');
    await poll(
      async () => ((await this.tab.call('look')) ? undefined : true),
      () => 'the other page is there',
    );
  }

  async back(): Promise<void> {
    await this.tab.back();
    await this.untilShown();
  }
}

/** A screen in a message: without what is too long to be read there. */
const describe = ({ state, transcript, ...screen }: Screen): string =>
  JSON.stringify({ ...screen, transcript: transcript.slice(0, 200), turns: state?.turns.length });

const textOf = (turn: ChatState['activeTurn']): string =>
  (turn?.responseParts ?? []).map((part) => (part.kind === 'markdown' ? part.content : '')).join('');

/** Hosts that scenes take turns with; each is a process of its own. */
export class Hosts {
  readonly #all: RunningHost[] = [];
  readonly #free: RunningHost[] = [];

  async take(): Promise<RunningHost> {
    const free = this.#free.pop();
    if (free) return free;
    const started = await runHost({ paceMs: 4 });
    this.#all.push(started);
    return started;
  }

  give(host: RunningHost): void {
    this.#free.push(host);
  }

  async end(): Promise<void> {
    for (const host of this.#all) await host.end();
  }
}
