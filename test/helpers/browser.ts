/**
 * A browser in one process: tabs with documents that can be left, brought back, reloaded, duplicated and killed, one disk,
 * one clock, and a scripted host they talk to. Nothing waits: time is advanced.
 */

import type { Chat } from '../../src/client/chat.js';
import type { Lease } from '../../src/client/counted.js';
import type { Diagnostic } from '../../src/client/dialogue.js';
import type { Cancel } from '../../src/client/environment.js';
import { HostClient, type HostClientOptions } from '../../src/client/host-client.js';
import type { Rejection } from '../../src/chat/store.js';
import type { AhpTransport, Link } from '../../src/protocol/link.js';
import type { ChatState, Message, URI } from '../../src/protocol/state.js';
import { DiskMirror } from './disk-mirror.js';
import {
  ManualEnvironment,
  ManualLocks,
  ManualStore,
  settle,
  type ManualEnvironmentOptions,
} from './manual-environment.js';
import { CHAT, ScriptedHost, SESSION, userMessage, type ScriptedHostOptions } from './scripted-host.js';

/** A document whose timers and locks end with it. */
export class DocumentEnvironment extends ManualEnvironment {
  #isDead = false;
  readonly #locks = new Set<Cancel>();

  constructor(options: ManualEnvironmentOptions) {
    super(options);
    const { locks } = this;
    if (!locks) return;
    const track = (unlock: Cancel) => {
      if (this.#isDead) unlock();
      this.#locks.add(unlock);
      return unlock;
    };
    const [acquire, tryAcquire] = [locks.acquire.bind(locks), locks.tryAcquire.bind(locks)];
    const own = Object.create(locks) as ManualLocks;
    own.acquire = async (name, signal) => track(await acquire(name, signal));
    own.tryAcquire = async (name) => {
      const unlock = await tryAcquire(name);
      return unlock && track(unlock);
    };
    Object.defineProperty(this, 'locks', { value: own });
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  override schedule(delayMs: number, run: () => void): Cancel {
    return super.schedule(delayMs, () => {
      if (!this.#isDead) run();
    });
  }

  /** Ends the document without a word, as a crash does. */
  kill(): void {
    this.#isDead = true;
    this.loseLocks();
  }

  /** As WebKit does to a page in the back/forward cache: whoever held a lock hears nothing of it. */
  loseLocks(): void {
    for (const unlock of this.#locks) unlock();
    this.#locks.clear();
  }
}

export interface BrowserOptions extends Omit<ScriptedHostOptions, 'environment'> {
  /** As on plain http. */
  readonly hasLocks?: boolean;
  /** `false`: the network matters. */
  readonly isLocal?: boolean;
}

export class Browser {
  readonly host: ScriptedHost;
  readonly environment: ManualEnvironment;
  readonly locks: ManualLocks | 'none';
  readonly local = new ManualStore();
  readonly disk = new DiskMirror();
  readonly transport: AhpTransport;
  #seed = 100;

  constructor(options: BrowserOptions = {}) {
    const { hasLocks, isLocal = true, ...host } = options;
    this.environment = new ManualEnvironment();
    this.host = new ScriptedHost({ ...host, environment: this.environment });
    this.locks = hasLocks === false ? 'none' : new ManualLocks();
    this.transport = { isLocal, connect: (signal) => this.host.transport.connect(signal) };
  }

  /** A tab with one document; `session` is what the tab's storage holds. */
  openTab(session = new ManualStore(), options: Partial<HostClientOptions> = {}): Tab {
    const environment = new DocumentEnvironment({
      clock: this.environment.clock,
      locks: this.locks,
      local: this.local,
      session,
      seed: this.#seed++,
    });
    return new Tab(this, environment, session, options);
  }

  /** A tab that shows the chat, with everything come to rest. */
  async openChat(session?: ManualStore, options?: Partial<HostClientOptions>): Promise<Tab> {
    const tab = this.openTab(session, options);
    tab.show();
    await this.advance(0);
    return tab;
  }

  /** Lets `milliseconds` pass and everything come to rest. */
  async advance(milliseconds: number): Promise<void> {
    await this.environment.advanceAsync(milliseconds);
    await settle();
  }
}

export class Tab {
  readonly browser: Browser;
  readonly environment: DocumentEnvironment;
  readonly session: ManualStore;
  readonly client: HostClient;
  readonly rejections: Rejection[] = [];
  readonly diagnostics: Diagnostic[] = [];
  /** How often the store told of a change. */
  changes = 0;
  #lease: Lease<Chat> | undefined;
  readonly #links: Link[] = [];

  constructor(
    browser: Browser,
    environment: DocumentEnvironment,
    session: ManualStore,
    options: Partial<HostClientOptions>,
  ) {
    this.browser = browser;
    this.environment = environment;
    this.session = session;
    this.client = new HostClient({
      key: 'host',
      environment,
      mirror: browser.disk,
      transport: {
        isLocal: browser.transport.isLocal === true,
        connect: async (signal) => {
          const link = await browser.transport.connect(signal);
          this.#links.push(link);
          return link;
        },
      },
      onDiagnostic: (diagnostic) => this.diagnostics.push(diagnostic),
      ...options,
    });
  }

  show(chat: URI = CHAT, options: { session?: URI; turns?: number } = { session: SESSION }): Chat {
    this.#lease = this.client.acquireChat(chat, options);
    const { store } = this.#lease.value;
    store.onRejected((rejection) => this.rejections.push(rejection));
    store.subscribe(() => this.changes++);
    return this.#lease.value;
  }

  get chat(): Chat {
    return this.#lease!.value;
  }

  get store(): Chat['store'] {
    return this.chat.store;
  }

  get draft(): Chat['draft'] {
    return this.chat.draft;
  }

  get state(): ChatState {
    return this.store.state!;
  }

  get clientId(): string {
    return this.client.identity.clientId;
  }

  /** Types into the composer. */
  type(text: string, more: Partial<Message> = {}): void {
    this.draft.change(userMessage(text, more));
  }

  /** Sends what stands in the composer; the id of the turn or pending message. */
  send(text?: string, options?: { steers?: boolean }): string {
    if (text !== undefined) this.type(text);
    const takesSteeringList = this.store.session?.takesSteeringList === true;
    const group = this.draft.takeForSend(this.store.state, { ...options, takesSteeringList });
    this.store.dispatch(...group);
    const [action] = group;
    switch (action?.type) {
      case 'chat/turnStarted':
        return action.turnId;
      case 'chat/pendingMessageSet':
        return action.id;
      case 'chat/steeringMessageSet':
        return action.steeringMessage.id;
      default:
        return '';
    }
  }

  /** Shows the chat no longer; the client stays. */
  hide(): void {
    this.#lease?.release();
  }

  /** Ends the chat and the client as a removed element does. */
  async close(): Promise<void> {
    this.hide();
    await this.browser.advance(0);
    this.client.close();
  }

  /** Leaves the page; `comeBack` brings it back from the cache. */
  leave(): void {
    this.environment.emit('pagehide');
  }

  async comeBack(): Promise<void> {
    this.environment.emit('pageshow');
    await this.browser.advance(200);
  }

  /** Loads the page anew in the same tab, and shows the chat. */
  async reload(): Promise<Tab> {
    this.leave();
    this.environment.kill();
    return this.browser.openChat(this.session);
  }

  /** Ends the document without a word. */
  async kill(): Promise<void> {
    this.environment.kill();
    for (const link of this.#links) link.close();
    await settle();
  }
}
