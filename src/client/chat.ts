/** One chat of a host client: its store, its draft and what else is half written in it, and what they share. */

import type { SessionInfo } from '../chat/store.js';
import type { Mirror, MirroredChat, OutboxEntry, StoredDraft } from '../mirror/mirror.js';
import { AhpError } from '../protocol/errors.js';
import type { RootState, SessionState, URI } from '../protocol/state.js';
import { ROOT } from '../protocol/uri.js';
import type { AhpClient, ClientIdentity } from './ahp-client.js';
import { AnswerSession, toAnswersChannel } from './answer-session.js';
import { createChatServices } from './chat-services.js';
import { createChat } from './create-chat.js';
import type { Lease } from './counted.js';
import { DraftSession } from './draft-session.js';
import { EditSession, toEditsChannel } from './edit-session.js';
import type { Environment } from './environment.js';
import type { Replica } from './replica.js';
import type { ResourceReader } from './resource-reader.js';
import { toSessionInfo } from './session-info.js';
import { SyncedChatStore } from './synced-chat-store.js';

/** What a chat needs of its host client. */
export interface ChatHost {
  readonly key: string;
  readonly environment: Environment;
  readonly mirror: Mirror;
  readonly identity: ClientIdentity;
  readonly client: AhpClient;
  readonly root: Replica<RootState>;
  readonly reader: ResourceReader;
  openSession(session: URI): Lease<Replica<SessionState>>;
  findLastTurn(chat: URI): string | undefined;
}

const defaultTurns = 50;

export class Chat {
  readonly uri: URI;
  readonly turns: number;
  readonly store: SyncedChatStore;
  readonly draft: DraftSession;
  readonly answers: AnswerSession;
  readonly edits: EditSession;
  readonly #host: ChatHost;
  #session: Lease<Replica<SessionState>> | undefined;
  /** Taken over before the chat was opened; what the disk has of it by then is the same. */
  #early: { readonly entries: readonly OutboxEntry[]; readonly drafts: readonly StoredDraft[] }[] | undefined = [];
  #info: { readonly of: readonly unknown[]; readonly info: SessionInfo } | undefined;
  #isClosed = false;

  constructor(host: ChatHost, uri: URI, options: { readonly turns?: number }) {
    const { client, environment, mirror, key, identity } = host;
    this.#host = host;
    this.uri = uri;
    this.turns = options.turns ?? defaultTurns;
    this.store = new SyncedChatStore({
      client,
      environment,
      mirror,
      key,
      channel: uri,
      turns: this.turns,
      services: {
        ...createChatServices(client, host.reader, uri),
        createChat: (options) => createChat(host, this.session, { ...options, source: uri }),
      },
      findSession: () => this.#findInfo(),
      findSessionUri: () => this.session,
      findLastTurn: (chat) => host.findLastTurn(chat),
    });
    const kept = { environment, mirror, key, channel: uri, identity, wire: this.store };
    this.draft = new DraftSession(kept);
    this.answers = new AnswerSession(kept);
    this.edits = new EditSession(kept, (message) => this.draft.giveBack(message));
    this.store.observeDrafts(this.draft);
    this.store.observeAnswers(this.answers);
  }

  /** The session that lists the chat, where it is known. */
  get session(): URI | undefined {
    return this.#session?.value.uri;
  }

  setSession(session: URI): void {
    if (this.#isClosed || this.session === session) return;
    this.#session?.release();
    this.#session = this.#host.openSession(session);
    this.store.onSession();
  }

  open(mirrored: MirroredChat | undefined): void {
    if (this.#isClosed) return;
    const session = mirrored?.record?.session;
    if (session !== undefined && this.session === undefined) this.setSession(session);
    this.draft.load(mirrored?.draft);
    this.store.open(mirrored);
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const { entries, drafts } of early) this.adopt(entries, drafts);
  }

  /** Takes over what a client that is gone has left for this chat. */
  adopt(entries: readonly OutboxEntry[], drafts: readonly StoredDraft[]): void {
    if (this.#early) {
      this.#early.push({ entries, drafts });
      return;
    }
    this.store.adopt(entries);
    for (const draft of drafts) {
      if (draft.answers) this.answers.adopt(draft.answers);
      else if (draft.edits) this.edits.adopt(draft.edits);
      else this.draft.adopt(draft);
    }
  }

  /** Under which names the mirror keeps what is half written beside the draft, and who takes it back. */
  get besides(): readonly { readonly channel: URI; readonly session: AnswerSession | EditSession }[] {
    return [
      { channel: toAnswersChannel(this.uri), session: this.answers },
      { channel: toEditsChannel(this.uri), session: this.edits },
    ];
  }

  /** What stands beside the draft, which the disk gives by itself. */
  loadBeside(session: AnswerSession | EditSession, stored: StoredDraft | undefined): void {
    if (!this.#isClosed) session.load(stored);
  }

  /** Writes what waits. */
  flush(): void {
    for (const session of this.#written) session.flush();
  }

  /** The mirror answered after the chat was opened without it. */
  openLate(mirrored: MirroredChat): void {
    if (this.#isClosed) return;
    this.draft.load(mirrored.draft);
    this.store.openLate(mirrored);
  }

  /** All that is kept on this device was deleted: nothing is written again but what comes from now on. */
  onCleared(): void {
    for (const session of this.#written) session.onCleared();
    this.store.onCleared();
  }

  suspend(): void {
    for (const session of this.#written) session.suspend();
    this.store.suspend();
  }

  /** `outbox` is what the disk has, or `undefined` where it does not answer. */
  resume(outbox: readonly OutboxEntry[] | undefined, isSameClient: boolean): void {
    this.store.resume(outbox, isSameClient);
    for (const session of this.#written) session.resume();
  }

  close(): void {
    this.#isClosed = true;
    for (const session of this.#written) session.close();
    this.store.close();
    this.#session?.release();
  }

  /** All that a person writes here. */
  get #written(): readonly (DraftSession | AnswerSession | EditSession)[] {
    return [this.draft, this.answers, this.edits];
  }

  /** The same object while nothing it is made of has changed. */
  #findInfo(): SessionInfo | undefined {
    const replica = this.#session?.value;
    if (!replica?.state) return undefined;
    const { handshake } = this.#host.client;
    const of = [replica.uri, replica.state, this.#host.root.state, handshake];
    if (!this.#info?.of.every((part, index) => part === of[index])) {
      this.#info = { of, info: toSessionInfo(replica.uri, replica.state, this.#host.root.state, handshake) };
    }
    return this.#info.info;
  }
}

/**
 * The session that lists a chat, for a page that names only the chat. Hosts before 1.0 do not tell which chats a session
 * has without its being opened; there the answer is that nobody knows.
 */
export async function findSessionOf(client: AhpClient, chat: URI): Promise<URI | undefined> {
  try {
    const { items } = await client.request('listSessions', { channel: ROOT });
    const lists = items.find(
      ({ chats, defaultChat }) => defaultChat === chat || chats?.some(({ resource }) => resource === chat),
    );
    return lists?.resource;
  } catch (error) {
    // What is shown of the session is an extra; the chat itself says what is wrong.
    if (error instanceof AhpError) return undefined;
    throw error;
  }
}
