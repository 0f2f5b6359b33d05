/**
 * Finds the chat to show: the one that is named, else the one used last on this device, else what the host has, else a
 * session that is made. Source: architecture, public API; AHP, session channel parts.
 */

import type { Mirror } from '../mirror/mirror.js';
import { AhpError, isRpcError, RpcCode } from '../protocol/errors.js';
import { toReason } from '../protocol/reason.js';
import { compose } from '../protocol/record.js';
import type { RootState, SessionState, URI } from '../protocol/state.js';
import { ROOT, toChatUri, toSessionUri } from '../protocol/uri.js';
import type { AhpClient } from './ahp-client.js';
import { chooseChat, orderSessions } from './choose-chat.js';
import type { Environment } from './environment.js';
import type { Replica } from './replica.js';
import { waitFor, within } from './wait.js';

export interface ChatTarget {
  readonly chat: URI;
  /** Unknown where only the chat was named and this device has not seen it. */
  readonly session?: URI;
}

export interface TargetOptions {
  readonly session?: URI;
  readonly chat?: URI;
  /** A chat that is known to be gone: not this one again. */
  readonly except?: URI;
}

/** What the search needs of a host client. */
export interface TargetHost {
  readonly client: AhpClient;
  readonly environment: Environment;
  readonly mirror: Mirror;
  readonly root: Replica<RootState>;
  /** Calls `use` with the session's channel open. */
  withSession<T>(session: URI, use: (replica: Replica<SessionState>) => Promise<T>): Promise<T>;
  /** Resolves when the client is connected; rejects when it never will be by itself. */
  connected(signal: AbortSignal): Promise<void>;
}

/** How long a host may take to show what was asked for. */
const patienceMs = 60_000;
/** How long a session without a chat is given to get its default one. */
const defaultChatMs = 1000;
/** How long the disk may take to say which chat was used last. */
const diskPatienceMs = 1000;

/** Rejects with `AhpError` where the host refuses or will not be tried again, or with the signal's reason. */
export async function findTarget(host: TargetHost, options: TargetOptions, signal: AbortSignal): Promise<ChatTarget> {
  const { chat, session, except } = options;
  if (chat !== undefined) return compose({ chat }, { session });
  const last = await findLast(host);
  signal.throwIfAborted();
  if (last && last.chat !== except && (session === undefined || last.session === session)) return last;
  for (;;) {
    await host.connected(signal);
    try {
      return await askHost(host, options, signal);
    } catch (error) {
      // A connection that was lost meanwhile is made again, and the search with it.
      if (!(error instanceof AhpError) || (error.code !== 'disconnected' && error.code !== 'not-connected'))
        throw error;
    }
  }
}

async function askHost(host: TargetHost, { session, except }: TargetOptions, signal: AbortSignal): Promise<ChatTarget> {
  if (session !== undefined) return openSession(host, session, signal);
  for (const resource of await listSessions(host.client, signal)) {
    const target = await tryOpenSession(host, resource, signal);
    if (target && target.chat !== except) return target;
  }
  return openSession(host, await createSession(host, signal), signal);
}

/** A disk that fails or hangs only means that the host is asked. */
async function findLast({ mirror, environment }: TargetHost): Promise<ChatTarget | undefined> {
  try {
    return await within(mirror.findLastChat(), environment, diskPatienceMs);
  } catch (error) {
    if (error instanceof AhpError) return undefined;
    throw error;
  }
}

/** The host's sessions, the one used last first. A host without a list has none to offer. */
async function listSessions(client: AhpClient, signal: AbortSignal): Promise<readonly URI[]> {
  try {
    const { items } = await client.request('listSessions', { channel: ROOT, limit: 20 }, { signal });
    return orderSessions(items).map(({ resource }) => resource);
  } catch (error) {
    if (isRpcError(error, RpcCode.MethodNotFound)) return [];
    throw error;
  }
}

/** A session that is listed and cannot be opened is passed over. */
async function tryOpenSession(host: TargetHost, session: URI, signal: AbortSignal): Promise<ChatTarget | undefined> {
  try {
    return await openSession(host, session, signal);
  } catch (error) {
    if (error instanceof AhpError && (error.rpc || error.code === 'gone')) return undefined;
    throw error;
  }
}

/** The chat of a session; the first one is made where a session that is ready has none. */
function openSession(host: TargetHost, session: URI, signal: AbortSignal): Promise<ChatTarget> {
  const { client, environment } = host;
  return host.withSession(session, async (replica) => {
    const find = () => findChat(replica);
    const findOrReady = () => find() ?? (replica.state?.lifecycle === 'ready' ? 'none' : undefined);
    const options = { subscribe: (look: () => void) => replica.subscribe(look), signal, environment, subject: 'chat' };
    await waitFor(findOrReady, { ...options, timeoutMs: patienceMs });
    let chat = await within(waitFor(find, options), environment, defaultChatMs);
    if (chat === undefined) {
      await client.request('createChat', { channel: session, chat: toChatUri(environment.createId()) }, { signal });
      // The catalogue names the chat, which may have another URI than the one asked for.
      chat = await waitFor(find, { ...options, timeoutMs: patienceMs });
    }
    return { chat, session };
  });
}

function findChat({ state, error }: Replica<SessionState>): URI | undefined {
  if (error) throw error;
  const chat = state && chooseChat(state);
  if (chat !== undefined || !state?.creationError) return chat;
  throw new AhpError('gone', `The session could not be made: ${toReason(state.creationError.message)}`);
}

/** Makes a session with the host's first agent. Waits for a token where the host wants one. */
export async function createSession(host: TargetHost, signal: AbortSignal): Promise<URI> {
  const { client, environment, root } = host;
  const subscribe = (look: () => void) => root.subscribe(look);
  const find = () => root.state;
  const state = await waitFor(find, {
    subscribe,
    signal,
    environment,
    timeoutMs: patienceMs,
    subject: 'list of agents',
  });
  const provider = state.agents[0]?.provider;
  for (;;) {
    const session = toSessionUri(environment.createId());
    try {
      await client.request('createSession', compose({ channel: session }, { provider }), { signal });
      return session;
    } catch (error) {
      if (isRpcError(error, RpcCode.AuthRequired)) await client.authenticated(signal);
      else if (!isRpcError(error, RpcCode.SessionAlreadyExists)) throw error;
    }
  }
}
