/**
 * One document of a run: a frame of this page, in which the element runs as it does anywhere. It is really loaded,
 * reloaded and removed; what a frame cannot do by itself – be frozen, go offline, come back – is played to it.
 */

import type { AhpTransport } from '../../src/protocol/link.js';
import type { AhpChat } from '../../src/element/ahp-chat.js';
import { createPortLink } from '../../src/protocol/port-link.js';
import type { NetDocument } from '../simulation/network.js';
import { CHAT, SESSION } from '../helpers/scripted-host.js';
import type { Around } from './frame.js';
import { Holdings, instrument, type FrameWindow } from './instruments.js';
import type { LiveWorld } from './world.js';

const LOAD_MS = 60_000;
/** A document that is not shown gets no frames. */
const PAINT_MS = 3_000;

/** What a tab keeps over its documents. */
export class TabStorage {
  readonly #values: Map<string, string>;

  constructor(values: Iterable<readonly [string, string]> = []) {
    this.#values = new Map(values);
  }

  /** What a duplicated tab starts with. */
  copy(): TabStorage {
    return new TabStorage(this.#values);
  }

  get length(): number {
    return this.#values.size;
  }

  key(index: number): string | null {
    return [...this.#values.keys()][index] ?? null;
  }

  getItem(key: string): string | null {
    return this.#values.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    this.#values.set(key, value);
  }

  removeItem(key: string): void {
    this.#values.delete(key);
  }
}

/** By frame, the document that is on its way and the one that is there. */
const coming = new WeakMap<Element, LivePage>();
const present = new WeakMap<Element, LivePage>();

const around: Around = {
  enter(window) {
    const frame = window.frameElement!;
    present.get(frame)?.die();
    const page = coming.get(frame)!;
    present.set(frame, page);
    page.enter(window as FrameWindow);
  },
  begin: (window, transport) => present.get(window.frameElement!)!.showChat(transport),
  open: (window, signal) => present.get(window.frameElement!)!.openPort(signal),
};
Object.assign(globalThis, { live: around });

export class LivePage implements NetDocument {
  readonly world: LiveWorld;
  readonly frame: HTMLIFrameElement;
  readonly session: TabStorage;
  readonly holdings = new Holdings();
  /** How many timers wait. */
  countTimers: () => number = () => 0;
  isDead = false;
  /** Ended without a word. */
  isKilled = false;
  isHidden = false;
  /** Left, and possibly to come back. */
  isAway = false;
  /** What it has kept was deleted; from then on it keeps nothing, and says so. */
  isDiskGone = false;
  #window: FrameWindow | undefined;
  #chat: AhpChat | undefined;
  #isOffline = false;
  /** What waits for the document to wake. */
  #held: (() => void)[] | undefined;
  readonly #work = new Set<() => void>();
  #onLoaded: (error?: Error) => void = () => undefined;
  /** Listeners before the element was there. */
  #before = new Map<string, number>();

  private constructor(world: LiveWorld, frame: HTMLIFrameElement, session: TabStorage) {
    this.world = world;
    this.frame = frame;
    this.session = session;
  }

  /** Loads a document into `frame`, by `navigate`. Resolves when the element is in it. */
  static async load(
    world: LiveWorld,
    session: TabStorage,
    { frame, navigate }: { readonly frame: HTMLIFrameElement; readonly navigate: () => void },
  ): Promise<LivePage> {
    const page = new LivePage(world, frame, session);
    coming.set(frame, page);
    await new Promise<void>((resolve, reject) => {
      const limit = setTimeout(() => reject(new Error('A document was not loaded.')), LOAD_MS);
      page.#onLoaded = (error?: Error) => {
        clearTimeout(limit);
        if (error) reject(error);
        else resolve();
      };
      navigate();
    });
    return page;
  }

  get window(): FrameWindow {
    return this.#window!;
  }

  get chat(): AhpChat {
    return this.#chat!;
  }

  get isFrozen(): boolean {
    return this.#held !== undefined;
  }

  /** Whether a person can do something here. */
  get isUsable(): boolean {
    return !this.isDead && !this.isAway && !this.isFrozen && this.#chat !== undefined;
  }

  isOnline(): boolean {
    return !this.#isOffline;
  }

  /* -------------------------------------------------------------- what the document calls */

  enter(window: FrameWindow): void {
    this.#window = window;
    try {
      instrument(window, this);
    } catch (error) {
      this.#onLoaded(error as Error);
    }
  }

  showChat(transport: AhpTransport): void {
    this.#before = new Map(this.holdings.listeners);
    const chat = this.window.document.createElement('ahp-chat');
    Object.assign(chat, { transport, storageKey: this.world.key, chat: CHAT, session: SESSION, turns: 3 });
    chat.style.blockSize = '100%';
    this.window.document.body.append(chat);
    this.#chat = chat;
    this.#onLoaded();
  }

  /** A channel to the host, with the network of this run between. */
  async openPort(signal: AbortSignal): Promise<MessagePort> {
    const far = await this.world.network.transport(this).connect(signal);
    const { port1, port2 } = new MessageChannel();
    const near = createPortLink(port1);
    near.onmessage = (text) => far.send(text);
    near.onclose = () => far.close();
    far.onmessage = (text) => near.send(text);
    far.onclose = () => near.close();
    return port2;
  }

  noteError(text: string): void {
    this.world.errors.push(text);
  }

  /** Something real is under way. */
  begin(patienceMs?: number): () => void {
    const stop = this.world.clock.begin(patienceMs);
    const end = () => {
      stop();
      this.#work.delete(end);
    };
    this.#work.add(end);
    return end;
  }

  /* -------------------------------------------------------------- what happens to it */

  run(work: () => void): void {
    if (this.isDead) return;
    if (this.#held) this.#held.push(work);
    else work();
  }

  freeze(): void {
    this.#held ??= [];
  }

  wake(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const work of held) this.run(work);
  }

  setOnline(isOnline: boolean): void {
    if (this.isDead) return;
    this.#isOffline = !isOnline;
    this.run(() => this.window.dispatchEvent(new this.window.Event(isOnline ? 'online' : 'offline')));
  }

  setHidden(isHidden: boolean): void {
    if (this.isDead) return;
    this.isHidden = isHidden;
    this.run(() => this.window.document.dispatchEvent(new this.window.Event('visibilitychange')));
  }

  /** Into the back/forward cache. */
  leave(): void {
    this.window.dispatchEvent(new this.window.PageTransitionEvent('pagehide', { persisted: true }));
    this.isAway = true;
    this.freeze();
  }

  comeBack(): void {
    if (this.isDead || !this.isAway) return;
    this.isAway = false;
    this.wake();
    this.window.dispatchEvent(new this.window.PageTransitionEvent('pageshow', { persisted: true }));
  }

  loseConnections(): void {
    for (const database of this.holdings.databases) {
      database.close();
      database.dispatchEvent(new this.window.Event('close'));
    }
  }

  /** The document is gone: nothing of it runs any more. */
  die(): void {
    if (this.isDead) return;
    this.isDead = true;
    for (const end of [...this.#work]) end();
    for (const link of this.world.network.linksOf(this)) link.cut();
  }

  /** Takes the frame away; `isKilled`: without a word to the document. */
  close({ isKilled = false } = {}): void {
    this.isKilled = isKilled;
    this.frame.remove();
    this.die();
  }

  /** Resolves when what has changed can be seen. */
  async painted(): Promise<void> {
    const { window } = this;
    if (this.isDead) return;
    await new Promise<void>((resolve) => {
      const limit = setTimeout(resolve, PAINT_MS);
      window.requestAnimationFrame(() =>
        window.requestAnimationFrame(() => {
          clearTimeout(limit);
          resolve();
        }),
      );
    });
  }

  /** What is still open once the element is gone. */
  findOpen(): readonly string[] {
    const { holdings, world } = this;
    const counted: readonly (readonly [string, number])[] = [
      ['connections', world.network.linksOf(this).length],
      ['timers', this.countTimers()],
      ['databases', holdings.openDatabases],
      ['locks', holdings.locks],
      ['workers', holdings.workers],
      ...[...holdings.listeners].map(
        ([type, count]) => [`listeners for ${type}`, count - (this.#before.get(type) ?? 0)] as const,
      ),
    ];
    return counted.filter(([, count]) => count > 0).map(([what, count]) => `${count} ${what}`);
  }
}
