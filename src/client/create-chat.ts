/**
 * Another chat in a session: empty, forked from a turn, or beside one. The host chooses the final name of the chat; its
 * catalogue is what tells it. Source: AHP, `createChat`.
 */

import type { NewChat } from '../chat/store.js';
import type { ChatSource } from '../protocol/commands.js';
import { AhpError } from '../protocol/errors.js';
import { compose } from '../protocol/record.js';
import type { SessionState, URI } from '../protocol/state.js';
import { toChatUri } from '../protocol/uri.js';
import type { AhpClient } from './ahp-client.js';
import type { Lease } from './counted.js';
import type { Environment } from './environment.js';
import type { Replica } from './replica.js';
import { waitFor } from './wait.js';

/** What making a chat needs of a host client. */
export interface ChatMaker {
  readonly client: AhpClient;
  readonly environment: Environment;
  openSession(session: URI): Lease<Replica<SessionState>>;
}

export interface CreateChatOptions extends NewChat {
  /** The chat that `from` speaks of. */
  readonly source?: URI;
}

/** How long the catalogue may take to show a chat that was made. */
const patienceMs = 10_000;

/** Resolves with the chat's URI. Rejects with `AhpError`: the host refuses, or never lists it. */
export async function createChat(maker: ChatMaker, session: URI | undefined, options: CreateChatOptions): Promise<URI> {
  if (session === undefined) throw new AhpError('misuse', 'Nobody knows the session of this chat yet.');
  const { client, environment } = maker;
  const lease = maker.openSession(session);
  try {
    const { value: replica } = lease;
    const { signal } = new AbortController();
    const wait = {
      subscribe: (look: () => void) => replica.subscribe(look),
      signal,
      environment,
      timeoutMs: patienceMs,
    };
    const listed = await waitFor(() => replica.state?.chats, { ...wait, subject: 'list of chats' });
    const before = new Set(listed.map(({ resource }) => resource));
    const chat = toChatUri(environment.createId());
    await client.request('createChat', compose({ channel: session, chat }, { source: toSource(options) }));
    const find = () => {
      const chats = replica.state?.chats ?? [];
      const made =
        chats.find(({ resource }) => resource === chat) ?? chats.find(({ resource }) => !before.has(resource));
      return made?.resource;
    };
    return await waitFor(find, { ...wait, subject: 'entry for the new chat' });
  } finally {
    lease.release();
  }
}

function toSource({ from, source }: CreateChatOptions): ChatSource | undefined {
  if (!from || source === undefined) return undefined;
  const { kind, turnId, selection } = from;
  if (kind === 'fork') return { kind, chat: source, turnId };
  return compose({ kind, chat: source, turnId }, { selection });
}
