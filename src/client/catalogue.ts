/**
 * The list of a host's sessions, or of one session's chats, kept in step with the host, and what can be done with it.
 * Notifications about sessions are not replayed, so the list is asked for again on each connection. Source: AHP, root
 * and session channel parts; client checklist 12, 46, 49, 50.
 */

import { isArchivedChanged } from '../chat/actions.js';
import {
  newestFirst,
  toListedChats,
  toListedSession,
  type Catalogue,
  type CatalogueStore,
  type CatalogueTarget,
  type ListedSession,
} from '../chat/catalogue.js';
import { AhpError } from '../protocol/errors.js';
import { parseNotification } from '../protocol/parse.js';
import { compose } from '../protocol/record.js';
import type { SessionState, SessionSummary, URI } from '../protocol/state.js';
import { ROOT } from '../protocol/uri.js';
import { dispatchProven } from './channel-intent.js';
import type { Lease } from './counted.js';
import { createChat } from './create-chat.js';
import type { Cancel } from './environment.js';
import type { HostClient } from './host-client.js';
import { Listeners } from './listeners.js';
import { createSession } from './open-target.js';
import type { Replica } from './replica.js';

/** A host with more sessions than fit into so many pages shows the newest. */
const maxPages = 5;
const pageSize = 50;

export class HostCatalogue implements CatalogueStore {
  readonly #host: HostClient;
  readonly #listeners = new Listeners<[]>();
  readonly #leaving = new AbortController();
  readonly #ends: Cancel[] = [];
  /** The one session that is listed; without it, all of them. */
  readonly #only: Lease<Replica<SessionState>> | undefined;
  #summaries: ReadonlyMap<URI, SessionSummary> | undefined;
  #error: AhpError | undefined;
  #catalogue: Catalogue = { phase: 'loading', sessions: [] };
  /** Tells one fetch from the one before. */
  #fetches = 0;

  /** Lists the chats of `session`, or all sessions of the host. Connects. */
  constructor(host: HostClient, session?: URI) {
    this.#host = host;
    const { client, root } = host;
    this.#ends.push(
      client.onState(() => this.#onConnection()),
      root.subscribe(() => this.#publish()),
    );
    if (session !== undefined) {
      this.#only = host.openSession(session);
      this.#ends.push(this.#only.value.subscribe(() => this.#publish()));
    } else {
      this.#ends.push(client.onNotification(({ method, params }) => this.#onNotification(method, params)));
    }
    void host.connected(this.#leaving.signal).catch(shownByPhase);
    this.#onConnection();
  }

  get catalogue(): Catalogue {
    return this.#catalogue;
  }

  subscribe(listener: () => void): Cancel {
    return this.#listeners.add(listener);
  }

  /** Rejects with `AhpError`, without asking the host, where nobody says that the session can have another chat. */
  async create(session?: URI): Promise<Required<CatalogueTarget>> {
    if (session !== undefined) {
      this.#expectMoreChats(session);
      return { session, chat: await createChat(this.#host, session, {}) };
    }
    const made = await createSession(this.#host, this.#leaving.signal);
    const { chat } = await this.#host.findChat({ session: made }, this.#leaving.signal);
    return { session: made, chat };
  }

  rename(session: URI, title: string): Promise<void> {
    const action = { type: 'session/titleChanged' as const, title };
    return this.#dispatch({ channel: session, kind: 'session', action });
  }

  setArchived({ session, chat }: CatalogueTarget, isArchived: boolean): Promise<void> {
    if (chat !== undefined)
      return this.#dispatch({ channel: chat, kind: 'chat', action: isArchivedChanged(isArchived) });
    const action = { type: 'session/isArchivedChanged' as const, isArchived };
    return this.#dispatch({ channel: session, kind: 'session', action });
  }

  async remove({ session, chat }: CatalogueTarget): Promise<void> {
    if (chat === undefined) await this.#host.client.request('disposeSession', { channel: session });
    else await this.#host.client.request('disposeChat', { channel: chat });
  }

  close(): void {
    for (const end of this.#ends.splice(0)) end();
    this.#leaving.abort(new AhpError('disconnected', 'The list has left the host.'));
    this.#only?.release();
  }

  #dispatch(intent: Parameters<typeof dispatchProven>[2]): Promise<void> {
    return dispatchProven(this.#host.client, this.#host.environment, intent);
  }

  /* -------------------------------------------------------------- the host */

  #onConnection(): void {
    const isConnected = this.#host.client.state.phase === 'connected';
    if (isConnected && !this.#only) void this.#fetch();
    this.#publish();
  }

  async #fetch(): Promise<void> {
    const fetch = (this.#fetches += 1);
    try {
      const summaries = await this.#readPages();
      if (fetch !== this.#fetches || this.#leaving.signal.aborted) return;
      this.#summaries = new Map(summaries.map((summary) => [summary.resource, summary]));
      this.#error = undefined;
    } catch (error) {
      if (!(error instanceof AhpError)) throw error;
      // A connection that was lost fetches again when it is back.
      if (fetch === this.#fetches && error.code !== 'disconnected') this.#error = error;
    }
    this.#publish();
  }

  async #readPages(): Promise<readonly SessionSummary[]> {
    const found: SessionSummary[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page += 1) {
      const params = compose({ channel: ROOT, limit: pageSize }, { cursor });
      const { items, nextCursor } = await this.#host.client.request('listSessions', params);
      found.push(...items);
      if (nextCursor === undefined) break;
      cursor = nextCursor;
    }
    return found;
  }

  #onNotification(method: string, params: Readonly<Record<string, unknown>>): void {
    const known = this.#summaries;
    if (!known) return;
    const next = new Map(known);
    if (method === 'root/sessionAdded') {
      const summary = parseNotification(method, params)?.summary;
      if (summary) next.set(summary.resource, summary);
    } else if (method === 'root/sessionRemoved') {
      const session = parseNotification(method, params)?.session;
      if (session !== undefined) next.delete(session);
    } else if (method === 'root/sessionSummaryChanged') {
      const news = parseNotification(method, params);
      const old = news && known.get(news.session);
      // Who a session is does not change, whatever a partial update says.
      if (old) next.set(old.resource, { ...old, ...news.changes, ...identityOf(old) });
    } else return;
    this.#summaries = next;
    this.#publish();
  }

  /* -------------------------------------------------------------- what is shown */

  #publish(): void {
    const { phase, error } = this.#host.client.state;
    const failure = this.#only?.value.error ?? this.#error ?? (phase === 'failed' ? error : undefined);
    const sessions = this.#only ? this.#listOne(this.#only.value) : this.#listAll();
    this.#catalogue = compose(
      { phase: toPhase(phase === 'connected', sessions !== undefined, failure), sessions: sessions ?? [] },
      { error: failure },
    );
    this.#listeners.call();
  }

  #listAll(): readonly ListedSession[] | undefined {
    if (!this.#summaries) return undefined;
    const sessions = [...this.#summaries.values()];
    return newestFirst(sessions.map((summary) => toListedSession(summary, this.#canCreate(summary.provider))));
  }

  #listOne({ uri, state }: Replica<SessionState>): readonly ListedSession[] | undefined {
    if (!state) return undefined;
    const { title, status, activity, defaultChat, chats, provider, modifiedAt } = state;
    const canCreateChat = this.#canCreate(provider) || chats.length === 0;
    return [
      {
        resource: uri,
        title,
        status,
        modifiedAt,
        activity,
        defaultChat,
        chats: newestFirst(toListedChats(chats)),
        canCreateChat,
      },
    ];
  }

  #expectMoreChats(session: URI): void {
    const listed = this.#catalogue.sessions.find(({ resource }) => resource === session);
    if (!listed) {
      throw new AhpError('misuse', `The session "${session}" is not in this list. No chat was made in it.`);
    }
    if (listed.canCreateChat) return;
    const message = `The agent of "${listed.title}" has one chat in a session. No other was made; make a new session.`;
    throw new AhpError('misuse', message);
  }

  #canCreate(provider: string): boolean {
    const agent = this.#host.root.state?.agents.find((one) => one.provider === provider);
    return agent?.capabilities?.multipleChats !== undefined;
  }
}

const identityOf = ({ resource, provider, createdAt }: SessionSummary) =>
  compose({ resource, provider }, { createdAt });

function toPhase(isConnected: boolean, isKnown: boolean, failure: AhpError | undefined): Catalogue['phase'] {
  if (failure) return 'failed';
  if (isConnected) return isKnown ? 'live' : 'loading';
  return isKnown ? 'offline' : 'loading';
}

/** The phase of the list says it. */
function shownByPhase(error: unknown): void {
  if (!(error instanceof AhpError)) throw error;
}
