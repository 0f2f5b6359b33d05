/**
 * What of a host outlives its process: sessions, chats with what their turns have read, and the counter. An export plus the journal that was written after
 * it give the same host again, through the same reducers. Clients, terminals and running agents are not durable.
 */

import { isRecord } from '../protocol/record.js';
import type { ChatState, Config, PendingMessage, SessionState, Timestamp, URI } from '../protocol/state.js';
import { reduceChannel, type Channel, type ChatChannel, type RootChannel, type SessionChannel } from './channels.js';
import type { JournalEntry } from './hooks.js';
import { noteRead } from './read-messages.js';
import { ROOT } from '../protocol/uri.js';

/** Plain JSON. The states are the host's own objects: not to be changed. */
export interface HostExport {
  readonly version: 1;
  readonly serverSeq: number;
  readonly config?: Config;
  readonly sessions: readonly {
    readonly resource: URI;
    readonly createdAt: Timestamp;
    readonly state: SessionState;
  }[];
  readonly chats: readonly {
    readonly resource: URI;
    readonly session: URI;
    readonly state: ChatState;
    /** See `ChatChannel`. */
    readonly read?: readonly PendingMessage[];
  }[];
}

export interface RestoreOptions {
  readonly saved?: HostExport;
  /** In the order in which it was written. Entries the export holds already are skipped, broken ones ignored. */
  readonly journal?: Iterable<JournalEntry>;
  /**
   * What becomes of turns that ran when the host died: `fail` ends them with an error that can be resumed; `resume` does,
   * except for turns that only waited for a person, which are handed to the hook again; `keep` leaves all to whoever
   * goes on with them.
   */
  readonly activeTurns?: 'fail' | 'resume' | 'keep';
}

export function toExport(serverSeq: number, config: Config | undefined, channels: Iterable<Channel>): HostExport {
  const sessions: HostExport['sessions'][number][] = [];
  const chats: HostExport['chats'][number][] = [];
  for (const channel of channels) {
    if (channel.kind === 'session') {
      sessions.push({ resource: channel.uri, createdAt: channel.createdAt, state: channel.state });
    } else if (channel.kind === 'chat') {
      const { uri, session, state, read } = channel;
      chats.push({ resource: uri, session, state, ...(read && { read }) });
    }
  }
  return { version: 1, serverSeq, ...(config && { config }), sessions, chats };
}

/** Whether an action on this channel is worth a journal entry. */
export function isDurable(channel: Channel, action: { readonly type: string }): boolean {
  if (channel.kind === 'root') return action.type === 'root/configChanged';
  return channel.kind !== 'terminal';
}

/** Builds the channels of an export and its journal. `root` takes the settings. */
export function readSaved(
  { saved, journal = [] }: RestoreOptions,
  root: RootChannel,
): { readonly serverSeq: number; readonly channels: readonly (SessionChannel | ChatChannel)[] } {
  const channels = new Map<URI, SessionChannel | ChatChannel>();
  for (const { resource, createdAt, state } of saved?.sessions ?? []) {
    channels.set(resource, { kind: 'session', uri: resource, createdAt, state });
  }
  for (const { resource, session, state, read } of saved?.chats ?? []) {
    channels.set(resource, { kind: 'chat', uri: resource, session, state, ...(read && { read }) });
  }
  if (saved?.config) root.state = { ...root.state, config: saved.config };
  let serverSeq = saved?.serverSeq ?? 0;
  for (const entry of journal) {
    if (!isEntry(entry) || entry.serverSeq <= serverSeq) continue;
    serverSeq = entry.serverSeq;
    replay(entry, channels, root);
  }
  return { serverSeq, channels: withoutOrphans(channels) };
}

/** A journal comes from a disk, and its last line may be torn. */
const isEntry = (entry: unknown): boolean =>
  isRecord(entry) && typeof entry.channel === 'string' && Number.isSafeInteger(entry.serverSeq);

function replay(entry: JournalEntry, channels: Map<URI, SessionChannel | ChatChannel>, root: RootChannel): void {
  const uri = entry.channel;
  switch (entry.kind) {
    case 'session':
      if (isRecord(entry.state)) {
        channels.set(uri, { kind: 'session', uri, createdAt: entry.createdAt, state: entry.state });
      }
      break;
    case 'chat':
      if (isRecord(entry.state)) channels.set(uri, { kind: 'chat', uri, session: entry.session, state: entry.state });
      break;
    case 'removed':
      channels.delete(uri);
      break;
    case 'read': {
      const channel = channels.get(uri);
      if (channel?.kind === 'chat' && isRecord(entry.message)) noteRead(channel, entry.message);
      break;
    }
    case 'action': {
      const channel = uri === ROOT ? root : channels.get(uri);
      if (channel && isRecord(entry.action)) reduceChannel(channel, entry.action);
      break;
    }
  }
}

/** A chat whose session is gone can be reached by nobody. */
const withoutOrphans = (channels: ReadonlyMap<URI, SessionChannel | ChatChannel>) =>
  [...channels.values()].filter((channel) => channel.kind === 'session' || channels.has(channel.session));
