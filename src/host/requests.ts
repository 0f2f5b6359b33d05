/**
 * The requests of an initialized client: one function each. What only a real host can supply comes from its hooks; a
 * method nobody answers is *method not found*. Source: AHP, commands.
 */

import type {
  AuthenticateParams,
  CompletionsParams,
  CreateSessionParams,
  ListSessionsResult,
  ResolveSessionConfigParams,
  ResourceReadParams,
  ResourceRequestParams,
} from '../protocol/commands.js';
import { RpcCode } from '../protocol/errors.js';
import { isRecord } from '../protocol/record.js';
import type { URI } from '../protocol/state.js';
import { ROOT } from '../protocol/uri.js';
import type { ChatChannel } from './channels.js';
import type { Client } from './clients.js';
import type { Connection } from './connection.js';
import { createChat } from './create-chat.js';
import { readSubscription, subscribeTo } from './handshake.js';
import { rpcError } from './hooks.js';
import type { HostCore } from './host-core.js';
import {
  expectRoot,
  findAmount,
  findRecord,
  findString,
  findStrings,
  readChannel,
  readString,
  type Params,
} from './read.js';
import { toPage } from './listing.js';
import { findCursor } from './window.js';

type Handler = (host: HostCore, connection: Connection, client: Client, params: Params) => unknown;

const handlers: Readonly<Record<string, Handler>> = {
  subscribe(host, _connection, client, params) {
    const { uri, options } = readSubscription(host, params);
    const channel = host.find(uri);
    if (!channel) throw rpcError(RpcCode.NotFound, 'There is no such channel.');
    return { snapshot: subscribeTo(host, client, channel, options) };
  },

  fetchTurns(host, _connection, client, params) {
    const channel = getChat(host, readChannel(params));
    const cursor = findString(params, 'cursor');
    const subscription = client.subscriptions.get(channel.uri);
    if (!subscription) throw rpcError(RpcCode.InvalidParams, 'Subscribe to the chat before asking for its turns.');
    const end = cursor === undefined ? subscription.start : findCursor(channel.state, cursor);
    if (end === undefined) throw rpcError(RpcCode.InvalidParams, 'The cursor is not one of this chat.');
    const pageSize = subscription.turns || host.options.pageSize;
    host.loadTurns(subscription, channel, Math.max(0, end - pageSize), end);
    return {};
  },

  listSessions(host, _connection, _client, params): ListSessionsResult {
    expectRoot(params);
    const limit = findAmount(params, 'limit');
    const cursor = findString(params, 'cursor');
    const page = toPage(host.directory.listSessions(), limit, cursor);
    if (!page) throw rpcError(RpcCode.InvalidParams, 'The cursor is not one of this list.');
    return page;
  },

  async createSession(host, connection, _client, params) {
    const resource = readChannel(params);
    const provider = findString(params, 'provider') ?? host.root.agents[0]?.provider;
    findStrings(params, 'workingDirectories');
    findRecord(params, 'config');
    if (provider === undefined || !host.root.agents.some((agent) => agent.provider === provider)) {
      throw rpcError(RpcCode.ProviderNotFound, `This host has no agent "${provider}".`);
    }
    expectFreeSession(host, resource);
    // Checked above, as far as the core relies on it.
    const given = { ...params, provider } as unknown as CreateSessionParams;
    const seed = (await host.hooks.createSession?.(given, connection)) ?? {};
    // Somebody else may have taken the URI in the meantime.
    expectFreeSession(host, resource);
    const workingDirectories = seed.workingDirectories ?? given.workingDirectories;
    host.directory.createSession({ ...seed, resource, provider, ...(workingDirectories && { workingDirectories }) });
    const session = host.find(resource);
    if (session && isRecord(given.activeClient) && Array.isArray(given.activeClient.tools)) {
      const activeClient = { ...given.activeClient, clientId: connection.clientId };
      host.commit(session, { type: 'session/activeClientSet', activeClient });
    }
    return null;
  },

  disposeSession(host, _connection, _client, params) {
    if (!host.directory.disposeSession(readChannel(params)))
      throw rpcError(RpcCode.SessionNotFound, 'There is no such session.');
    return null;
  },

  createChat,

  disposeChat(host, _connection, _client, params) {
    if (!host.directory.disposeChat(readChannel(params))) throw rpcError(RpcCode.NotFound, 'There is no such chat.');
    return null;
  },

  async authenticate(host, connection, _client, params) {
    expectRoot(params);
    const resource = readString(params, 'resource');
    readString(params, 'token');
    if (!host.auth.isAdvertised(resource)) {
      throw rpcError(RpcCode.InvalidParams, 'This host never asked for a token for that resource.');
    }
    await host.hooks.authenticate?.(params as unknown as AuthenticateParams, connection);
    host.auth.resolve(resource);
    return {};
  },

  async completions(host, connection, client, params) {
    readChannel(params);
    const text = findString(params, 'text');
    const offset = findAmount(params, 'offset');
    if (text === undefined || offset === undefined || offset > text.length || !Number.isInteger(offset)) {
      throw rpcError(RpcCode.InvalidParams, '"offset" must lie in "text".');
    }
    const result = await host.hooks.completions?.(params as unknown as CompletionsParams, connection);
    const items = result?.items ?? [];
    const takesCollections = Boolean(client.capabilities.attachmentCollections);
    return { items: items.filter(({ attachment }) => takesCollections || attachment.type !== 'collection') };
  },

  resolveSessionConfig(host, connection, _client, params) {
    expectRoot(params);
    return supplied(host.hooks.resolveSessionConfig)(params as unknown as ResolveSessionConfigParams, connection);
  },

  resourceRead: (host, connection, _client, params) =>
    supplied(host.hooks.resourceRead)(withUri<ResourceReadParams>(params), connection),
  resourceList: (host, connection, _client, params) =>
    supplied(host.hooks.resourceList)(withUri<ResourceReadParams>(params), connection),
  resourceResolve: (host, connection, _client, params) =>
    supplied(host.hooks.resourceResolve)(withUri<ResourceReadParams>(params), connection),
  async resourceRequest(host, connection, _client, params) {
    await supplied(host.hooks.resourceRequest)(withUri<ResourceRequestParams>(params), connection);
    return {};
  },
};

/** Answers one request of an initialized client. */
export function answerRequest(
  host: HostCore,
  connection: Connection,
  client: Client,
  method: string,
  params: Params,
): unknown {
  // Own keys only: a method may be called "constructor".
  const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
  if (handler) return handler(host, connection, client, params);
  return answerByHook(host, connection, method, params);
}

async function answerByHook(host: HostCore, connection: Connection, method: string, params: Params): Promise<unknown> {
  const result = await host.hooks.request?.(method, params, connection);
  if (result === undefined) throw methodNotFound();
  return result;
}

const methodNotFound = () => rpcError(RpcCode.MethodNotFound, 'This host does not know the method.');

function supplied<Hook>(hook: Hook | undefined): Hook {
  if (!hook) throw methodNotFound();
  return hook;
}

function withUri<P extends { readonly uri: URI }>(params: Params): P {
  readString(params, 'uri');
  // The hook reads the rest, which is optional.
  return params as unknown as P;
}

export function getChat(host: HostCore, uri: URI): ChatChannel {
  const channel = host.find(uri);
  if (channel?.kind !== 'chat') throw rpcError(RpcCode.NotFound, 'There is no such chat.');
  return channel;
}

function expectFreeSession(host: HostCore, resource: URI): void {
  if (resource === ROOT || host.find(resource)) {
    throw rpcError(RpcCode.SessionAlreadyExists, 'There is something at this URI already.');
  }
}
