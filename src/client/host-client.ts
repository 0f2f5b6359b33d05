/**
 * Everything a page has of one host and account: one connection, one identity, one mirror, and in them the chats, each with
 * one store and one draft however many elements show it. It ties them to the life of the page. Source: architecture,
 * folders (hub) and IndexedDB mirror.
 */

import { listProtectedResources } from '../channels/protected-resources.js';
import { rootReducer } from '../channels/root.js';
import { sessionReducer } from '../channels/session.js';
import type { Mirror, MirroredChat } from '../mirror/mirror.js';
import { AhpError } from '../protocol/errors.js';
import { parseNotification } from '../protocol/parse.js';
import type { RootState, SessionState, URI } from '../protocol/state.js';
import { ROOT } from '../protocol/uri.js';
import { AhpClient, type AhpClientOptions } from './ahp-client.js';
import { Chat, findSessionOf, type ChatHost } from './chat.js';
import { createResourceReader } from './chat-services.js';
import { Counted, type Lease } from './counted.js';
import { EarlyDraft, toEarlyChannel } from './early-draft.js';
import type { Cancel, Environment, LifecycleEvent } from './environment.js';
import { parseHandshake } from './handshake.js';

import { Identity } from './identity.js';
import { leftoverKinds, listLeftovers, type LeftoverKind } from './leftovers.js';
import { findTarget, type ChatTarget, type TargetHost, type TargetOptions } from './open-target.js';
import { adoptOrphans, takeLeftovers, type Estate } from './orphans.js';
import { Replica } from './replica.js';
import { waitFor, within } from './wait.js';

export interface HostClientOptions extends Omit<AhpClientOptions, 'identity' | 'resume'> {
  /** Names host, account and kind of storage within the tab and the origin. */
  readonly key: string;
  /** Belongs to the host client from now on, which closes it. */
  readonly mirror: Mirror;
}

/** How long the disk may take before the client goes on without it. */
const diskPatienceMs = 1000;
/** How often this client says that it lives, and looks whether others have gone. */
const beatMs = 20_000;

export class HostClient implements ChatHost, TargetHost {
  readonly key: string;
  readonly environment: Environment;
  readonly mirror: Mirror;
  readonly identity: Identity;
  readonly client: AhpClient;
  readonly root: Replica<RootState>;
  readonly #chats: Counted<Chat>;
  readonly #early: Counted<EarlyDraft>;
  /** Chats in which something is under way. */
  readonly #sending = new Map<Chat, Lease<Chat>>();
  readonly #sessions: Counted<Replica<SessionState>>;
  readonly #handshakeKey: string;
  readonly #ends: readonly Cancel[];
  /** Who this client is, is settled: at the start and after each return. */
  #ready: Promise<void>;
  /** Chats that are read from the disk now. */
  readonly #opening = new Set<Promise<void>>();
  readonly reader: ChatHost['reader'];
  #cancelBeat: Cancel | undefined;
  /** Counts departures of the page, so that a return that was overtaken by one does nothing. */
  #departures = 0;
  /** From the moment the page is left until everything is as it was before. */
  #isAway = false;
  #isClosed = false;
  /** There is a chat to connect for. */
  #isWanted = false;

  constructor(options: HostClientOptions) {
    const { key, environment, mirror, ...rest } = options;
    this.key = key;
    this.environment = environment;
    this.mirror = mirror;
    this.#handshakeKey = `ahp-chat:handshake:${key}`;
    this.identity = new Identity(environment, key);
    const resume = parseHandshake(environment.session.get(this.#handshakeKey));
    this.client = new AhpClient({ ...rest, environment, identity: this.identity, ...(resume && { resume }) });
    this.reader = createResourceReader(this.client);
    this.root = new Replica(this.client, ROOT, rootReducer, { kind: 'root' });
    this.#chats = new Counted(environment, (chat) => chat.close());
    this.#early = new Counted(environment, (draft) => draft.close());
    this.#sessions = new Counted(environment, (session) => session.close());
    this.#ends = [
      environment.onLifecycle((event) => this.#onLifecycle(event)),
      this.client.onState(() => this.#onConnectionState()),
      this.client.onNotification(({ method, params }) => this.#onNotification(method, params)),
      this.root.subscribe(() => {
        this.client.advertise(listProtectedResources(this.root.state?.agents));
        this.#onSessionChange();
      }),
    ];
    this.#ready = this.#start();
  }

  /**
   * Finds the chat to show; see `findTarget`. With a chat, or one that this device remembers, it needs no connection.
   * Rejects with `AhpError` where the host refuses or is not tried again, or with the signal's reason.
   */
  async findChat(options: TargetOptions, signal: AbortSignal): Promise<ChatTarget> {
    await this.#ready;
    return findTarget(this, options, signal);
  }

  /** The chat's store and draft, shared with everybody who asks for the same. It is shown as soon as the disk answers. */
  acquireChat(uri: URI, options: { readonly session?: URI; readonly turns?: number } = {}): Lease<Chat> {
    const lease = this.#chats.acquire(uri, () => {
      const chat = new Chat(this, uri, options);
      chat.store.subscribe(() => this.#stayWhileSending(chat));
      const opening = this.#open(chat).finally(() => this.#opening.delete(opening));
      this.#opening.add(opening);
      return chat;
    });
    if (options.session !== undefined) lease.value.setSession(options.session);
    return lease;
  }

  /** What is written while a chat is looked for, in a session or anywhere; shared by all who look for the same. */
  acquireEarlyDraft(session: URI | undefined): Lease<EarlyDraft> {
    const { environment, mirror, key, identity } = this;
    const channel = toEarlyChannel(session);
    return this.#early.acquire(
      channel,
      () => new EarlyDraft({ environment, mirror, key, identity, channel }, (draft) => this.#loadEarly(draft)),
    );
  }

  /** Forgets everything on this device, in the origin's storage too. What is in memory stays until it is left. */
  async clearMirror(): Promise<void> {
    for (const part of this.#written) part.onCleared();
    const { local, session } = this.environment;
    const left = leftoverKinds.flatMap((kind) => listLeftovers(local, kind, this.key));
    for (const { localKey } of left) local.delete(localKey);
    session.delete(this.#handshakeKey);
    await this.mirror.clear();
  }

  /** Ends everything; the host client must not be used afterwards. */
  close(): void {
    this.#isClosed = true;
    for (const end of this.#ends) end();
    this.#cancelBeat?.();
    this.#chats.endAll();
    this.#early.endAll();
    this.#sessions.endAll();
    this.root.close();
    this.client.dispose();
    this.identity.release();
    void this.mirror.close().catch(toldByMirror);
  }

  /* -------------------------------------------------------------- for chats and the search */

  openSession(session: URI): Lease<Replica<SessionState>> {
    return this.#sessions.acquire(session, () => {
      const replica = new Replica<SessionState>(this.client, session, sessionReducer, { kind: 'session' });
      let before: SessionState | undefined;
      replica.subscribe(() => {
        this.client.advertise(listProtectedResources([], replica.state?.customizations));
        this.#failRemoved(before, replica.state);
        before = replica.state;
        this.#onSessionChange();
      });
      return replica;
    });
  }

  findLastTurn(chat: URI): string | undefined {
    return this.#chats.get(chat)?.store.state?.turns.at(-1)?.id;
  }

  async withSession<T>(session: URI, use: (replica: Replica<SessionState>) => Promise<T>): Promise<T> {
    const lease = this.openSession(session);
    try {
      if (lease.value.error) await lease.value.refresh();
      return await use(lease.value);
    } finally {
      lease.release();
    }
  }

  /** Connects, and resolves when that is done. Rejects where no further attempt is made by itself. */
  async connected(signal: AbortSignal): Promise<void> {
    this.client.connect();
    const find = () => {
      const { phase, error } = this.client.state;
      if (phase === 'failed') throw error ?? new AhpError('disconnected', 'There is no connection to the host.');
      return phase === 'connected' || undefined;
    };
    await waitFor(find, { subscribe: (look) => this.client.onState(look), signal });
  }

  /* -------------------------------------------------------------- starting */

  async #start(): Promise<void> {
    await this.identity.acquire();
    if (this.identity.isFresh) this.client.startAnew();
    // A page that was left meanwhile must not keep its name from others, nor take anything over in it.
    if (this.#isAway) return this.identity.release();
    await this.#withDisk(this.#openClient());
    this.#beat();
  }

  async #openClient(): Promise<void> {
    const { nextClientSeq } = await this.mirror.openClient(this.identity.clientId, this.environment.now());
    this.identity.raise(nextClientSeq);
    await this.#takeOver(leftoverKinds);
  }

  /** What stands at the origin under this client's own name, then what all who are gone have left. */
  async #takeOver(kinds: readonly LeftoverKind[]): Promise<void> {
    this.#handOut(await takeLeftovers(this, kinds));
    await this.#adoptOrphans();
  }

  /** Reads what the mirror has of a chat, then connects, so that the host can go on from there. */
  async #open(chat: Chat): Promise<void> {
    await this.#ready;
    const now = this.environment.now();
    const { clientId } = this.identity;
    const loading = this.mirror.loadChat(chat.uri, { clientId, turns: chat.turns, now });
    let isOpen = false;
    let mirrored: MirroredChat | undefined;
    const loaded = loading.then((found) => {
      mirrored = found;
      if (isOpen) chat.openLate(found);
    });
    for (const { channel, session } of chat.besides) {
      const beside = this.mirror.loadChat(channel, { clientId, turns: 0, now });
      void this.#withDisk(beside).then((found) => chat.loadBeside(session, found?.draft));
    }
    await this.#withDisk(loaded);
    isOpen = true;
    chat.open(mirrored);
    this.#isWanted = true;
    if (this.#isClosed || this.#isAway) return;
    this.client.connect();
    if (chat.session === undefined && this.client.state.phase === 'connected') void this.#findSession(chat);
  }

  /** A chat that nobody shows any more goes on until the host is proven to have what was sent in it. */
  #stayWhileSending(chat: Chat): void {
    const { pending, unconfirmed } = chat.store.status;
    const isSending = !this.#isClosed && (pending > 0 || unconfirmed.length > 0);
    const stay = this.#sending.get(chat);
    if (isSending && !stay) {
      const lease = this.#chats.acquire(chat.uri, () => chat);
      this.#sending.set(chat, lease);
    }
    if (isSending || !stay) return;
    this.#sending.delete(chat);
    stay.release();
  }

  async #loadEarly(draft: EarlyDraft): Promise<void> {
    await this.#ready;
    const options = { clientId: this.identity.clientId, turns: 0, now: this.environment.now() };
    const loading = this.mirror.loadChat(draft.channel, options);
    await this.#withDisk(loading.then((found) => draft.load(found.draft)));
  }

  /** The disk may fail, which the mirror tells, or hang: neither keeps anybody from the host. */
  async #withDisk<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      return await within(work, this.environment, diskPatienceMs);
    } catch (error) {
      return toldByMirror(error);
    }
  }

  /* -------------------------------------------------------------- other documents */

  #beat(): void {
    if (this.#isAway || this.#isClosed) return;
    this.#cancelBeat = this.environment.schedule(beatMs, () => {
      // With locks nobody has to say that he lives. A full disk may have room by now; drafts are written again by themselves.
      const work = this.environment.locks ? this.#takeOver(['outbox']) : this.#openClient();
      void this.#withDisk(work).then(() => this.#beat());
    });
  }

  async #adoptOrphans(): Promise<void> {
    const early = this.#early.values().map(({ channel }) => channel);
    this.#handOut(await adoptOrphans(this, [...this.#chats.values().flatMap(toChannels), ...early]));
  }

  /** Gives each chat what was found of it on this device. */
  #handOut({ entries, drafts }: Estate): void {
    for (const chat of this.#chats.values()) {
      const own = toChannels(chat);
      chat.adopt(
        entries,
        drafts.filter(({ channel }) => own.includes(channel)).map(({ draft }) => draft),
      );
    }
    for (const { channel, draft } of drafts) this.#early.get(channel)?.adopt(draft);
  }

  /* -------------------------------------------------------------- the page */

  #onLifecycle(event: LifecycleEvent): void {
    if (event === 'pagehide') this.#leave();
    else if (event === 'pageshow') this.#ready = this.#comeBack(this.#ready);
    else if (event === 'hidden') this.#flush();
  }

  /** All that a person writes here. */
  get #written(): readonly (Chat | EarlyDraft)[] {
    return [...this.#chats.values(), ...this.#early.values()];
  }

  #flush(): void {
    for (const part of this.#written) part.flush();
  }

  /** Synchronous: nothing else is carried out any more. */
  #leave(): void {
    this.#departures++;
    this.#isAway = true;
    this.#cancelBeat?.();
    for (const part of this.#written) part.suspend();
    this.client.suspend();
    this.mirror.suspend();
    this.identity.release();
  }

  /** Goes on where the page was left, after whatever was still under way then. */
  async #comeBack(before: Promise<void>): Promise<void> {
    const departure = this.#departures;
    const isOver = () => departure !== this.#departures;
    this.mirror.resume();
    this.identity.comeBack();
    await before;
    await Promise.all(this.#opening);
    if (isOver()) return;
    const { clientId } = this.identity;
    await this.identity.acquire();
    if (isOver()) return this.identity.release();
    for (const chat of this.#chats.values()) chat.store.noteReturn();
    await this.#withDisk(this.#openClient());
    const isSameClient = this.identity.clientId === clientId;
    for (const chat of this.#chats.values()) {
      const options = { clientId: this.identity.clientId, turns: 0, now: this.environment.now() };
      const mirrored = await this.#withDisk(this.mirror.loadChat(chat.uri, options));
      if (isOver()) return;
      chat.resume(mirrored?.outbox, isSameClient);
      // A copy of the tab may have had the name meanwhile, and have written in it.
      if (mirrored?.draft) chat.adopt([], [mirrored.draft]);
    }
    if (isOver()) return;
    for (const draft of this.#early.values()) draft.resume();
    this.#isAway = false;
    this.client.resume(this.identity);
    if (this.#isWanted) this.client.connect();
    this.#beat();
  }

  /* -------------------------------------------------------------- the host */

  #onConnectionState(): void {
    if (this.client.state.phase !== 'connected') return;
    // Without it a reload could not go on from where it was: only `initialize` tells these things.
    this.environment.session.set(this.#handshakeKey, JSON.stringify(this.client.handshake));
    this.#onSessionChange();
    for (const chat of this.#chats.values()) if (chat.session === undefined) void this.#findSession(chat);
  }

  async #findSession(chat: Chat): Promise<void> {
    const session = await findSessionOf(this.client, chat.uri);
    if (session !== undefined && chat.session === undefined) chat.setSession(session);
  }

  #onNotification(method: string, params: Readonly<Record<string, unknown>>): void {
    if (method !== 'root/sessionRemoved') return;
    const news = parseNotification(method, params);
    const removed = news && this.#sessions.get(news.session);
    if (!removed) return;
    const ended = new AhpError('gone', 'The session has ended.');
    for (const chat of this.#chats.values()) if (chat.session === news.session) this.client.markGone(chat.uri, ended);
    this.client.markGone(news.session, ended);
  }

  /** A chat that its session no longer lists is gone. */
  #failRemoved(before: SessionState | undefined, now: SessionState | undefined): void {
    if (!before || !now || before.chats === now.chats) return;
    const listed = new Set(now.chats.map(({ resource }) => resource));
    for (const { resource } of before.chats) {
      if (!listed.has(resource)) this.client.markGone(resource, new AhpError('gone', 'The chat was removed.'));
    }
  }

  #onSessionChange(): void {
    for (const chat of this.#chats.values()) chat.store.onSession();
  }
}

/** The names under which the mirror keeps a chat and what is half written in it. */
const toChannels = ({ uri, besides }: Chat): readonly URI[] => [uri, ...besides.map(({ channel }) => channel)];

/** The mirror shows by `notKept` that it failed, and the host has or gets everything all the same. */
function toldByMirror(error: unknown): undefined {
  if (!(error instanceof AhpError)) throw error;
  return undefined;
}
