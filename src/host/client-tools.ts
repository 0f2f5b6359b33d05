/**
 * Tools that clients contribute to sessions. When their owner is gone for good, its open calls fail and it leaves the
 * session; a short absence is forgiven. Source: AHP, tools contributed by a client.
 */

import type { URI } from '../protocol/state.js';
import type { SessionChannel } from './channels.js';
import type { HostCore } from './host-core.js';

export class ClientTools {
  readonly #host: HostCore;
  /** Per client and session, what ends the time of grace. */
  readonly #absences = new Map<string, () => void>();

  constructor(host: HostCore) {
    this.#host = host;
  }

  /** The client's connection has ended. */
  hasLeft(clientId: string): void {
    for (const session of this.#host.sessions()) {
      const key = toKey(session.uri, clientId);
      if (!isActive(session, clientId) || this.#absences.has(key)) continue;
      const cancel = this.#host.environment.schedule(this.#host.options.clientGraceMs, () => {
        this.#absences.delete(key);
        this.remove(session.uri, clientId);
      });
      this.#absences.set(key, cancel);
    }
  }

  /** The client takes part in the session again. */
  hasReturned(session: URI, clientId: string): void {
    const key = toKey(session, clientId);
    this.#absences.get(key)?.();
    this.#absences.delete(key);
  }

  /** The client is back with these channels; from sessions it no longer names it is gone at once. */
  hasReconnected(clientId: string, channels: ReadonlySet<URI>): void {
    for (const session of this.#host.sessions()) {
      this.hasReturned(session.uri, clientId);
      if (!channels.has(session.uri)) this.remove(session.uri, clientId);
    }
  }

  /** Takes the client out of a session. */
  remove(uri: URI, clientId: string): void {
    this.hasReturned(uri, clientId);
    const session = this.#host.find(uri);
    if (session?.kind !== 'session' || !isActive(session, clientId)) return;
    this.#host.commit(session, { type: 'session/activeClientRemoved', clientId });
  }

  /** Fails every open call of the client in the session. There is no other way to cancel one. */
  failCalls(session: SessionChannel, clientId: string): void {
    for (const { resource } of session.state.chats) {
      const chat = this.#host.find(resource);
      if (chat?.kind !== 'chat' || !chat.state.activeTurn) continue;
      const turnId = chat.state.activeTurn.id;
      for (const part of chat.state.activeTurn.responseParts) {
        if (part.kind !== 'toolCall') continue;
        const { toolCallId, contributor, status, displayName } = part.toolCall;
        if (contributor?.kind !== 'client' || contributor.clientId !== clientId) continue;
        if (status !== 'running' && status !== 'pending-confirmation') continue;
        const error = { code: 'client-gone', message: 'The client that runs this tool has left.' };
        const result = { success: false, pastTenseMessage: `${displayName} failed`, error };
        this.#host.commit(chat, { type: 'chat/toolCallComplete', turnId, toolCallId, result });
      }
    }
  }

  /** Ends all waiting. */
  close(): void {
    for (const cancel of this.#absences.values()) cancel();
    this.#absences.clear();
  }
}

const toKey = (session: URI, clientId: string) => JSON.stringify([session, clientId]);

const isActive = ({ state }: SessionChannel, clientId: string): boolean =>
  state.activeClients.some((client) => client.clientId === clientId);
