/** `initialize` and `reconnect`: who the client is, which version is spoken, and what it missed. Source: AHP, lifecycle. */

import type {
  ClientCapabilities,
  InitializeResult,
  ReconnectResult,
  Snapshot,
  SubscribeParams,
} from '../protocol/commands.js';
import type { ActionEnvelope } from '../protocol/actions.js';
import { AhpError, RpcCode } from '../protocol/errors.js';
import type { URI } from '../protocol/state.js';
import { chooseVersion, isVersion } from '../protocol/versions.js';
import type { Channel } from './channels.js';
import { toSubscriptionOptions, type Client, type SubscriptionOptions } from './clients.js';
import type { Connection } from './connection.js';
import { rpcError } from './hooks.js';
import type { HostCore } from './host-core.js';
import { expectRoot, findAmount, findRecord, findStrings, readChannel, readString, type Params } from './read.js';
import { windowOf, windowStart } from './window.js';

export function initialize(host: HostCore, connection: Connection, params: Params): InitializeResult {
  expectFresh(connection);
  expectRoot(params);
  const clientId = readString(params, 'clientId');
  const subscriptions = new Set(findStrings(params, 'initialSubscriptions'));
  const capabilities = (findRecord(params, 'capabilities') ?? {}) as ClientCapabilities;
  const protocolVersion = negotiate(host, params);

  // Whoever had this id before is the same client on a socket it has given up, with nothing to go on from.
  host.clients.find(clientId)?.connection?.close();
  host.clients.forget(clientId);
  const client: Client = { id: clientId, protocolVersion, capabilities, subscriptions: new Map(), connection };
  host.clients.add(client);
  connection.client = client;

  const snapshots = [...subscriptions].flatMap((uri) => {
    const channel = host.find(uri);
    return channel ? [subscribeTo(host, client, channel, { maxLatencyMs: 0 })] : [];
  });
  const { announced } = host.options;
  return { protocolVersion, serverSeq: host.serverSeq, snapshots, ...announced };
}

function negotiate(host: HostCore, params: Params): string {
  const offered = findStrings(params, 'protocolVersions');
  if (!offered || offered.length === 0) {
    throw rpcError(RpcCode.InvalidParams, '"protocolVersions" must list at least one version.');
  }
  const malformed = offered.find((version) => !isVersion(version));
  if (malformed !== undefined) {
    throw rpcError(RpcCode.InvalidParams, `"${malformed}" is not a version of the form MAJOR.MINOR.PATCH.`);
  }
  const supportedVersions = host.options.supportedVersions;
  const chosen = chooseVersion(offered, supportedVersions);
  if (chosen !== undefined) return chosen;
  const message = `The client speaks ${offered.join(', ')}; this host speaks ${supportedVersions.join(', ')}.`;
  // The connection closes when it has sent this one.
  throw new AhpError('version-mismatch', message, {
    rpc: { code: RpcCode.UnsupportedProtocolVersion, message, data: { supportedVersions } },
  });
}

export function reconnect(host: HostCore, connection: Connection, params: Params): ReconnectResult {
  expectFresh(connection);
  expectRoot(params);
  const clientId = readString(params, 'clientId');
  const lastSeen = findAmount(params, 'lastSeenServerSeq');
  const wanted = findStrings(params, 'subscriptions');
  if (lastSeen === undefined || !wanted) {
    throw rpcError(RpcCode.InvalidParams, '"lastSeenServerSeq" and "subscriptions" are required.');
  }
  const known = host.clients.find(clientId);
  if (!known) throw rpcError(RpcCode.NotFound, 'This host does not know the client; initialize.');

  const before = new Map(known.subscriptions);
  // The old socket may not have noticed that it is dead.
  known.connection?.close();
  const client: Client = { ...known, subscriptions: new Map(), connection };
  host.clients.forget(clientId);
  host.clients.add(client);
  connection.client = client;

  const uris = [...new Set(wanted)];
  const channels = uris.flatMap((uri) => host.find(uri) ?? []);
  const missing = uris.filter((uri) => !host.find(uri));
  // Of a channel this client never had here, or that is another one by now, it may not have the state to go on from.
  const isReplayable =
    lastSeen <= host.serverSeq &&
    host.ring.covers(lastSeen) &&
    channels.every((channel) => channel.kind === 'root' || before.has(channel.uri));
  const optionsOf = (channel: Channel): SubscriptionOptions => before.get(channel.uri) ?? { maxLatencyMs: 0 };
  if (!isReplayable) {
    const snapshots = channels.map((channel) => subscribeTo(host, client, channel, optionsOf(channel)));
    return { type: 'snapshot', snapshots };
  }
  for (const channel of channels) {
    const options = optionsOf(channel);
    host.clients.subscribe(
      client,
      channel.uri,
      options,
      resumedStart(channel, options, before.get(channel.uri)?.start),
    );
  }
  return { type: 'replay', actions: missedBy(host, client, lastSeen), missing };
}

/**
 * Where the window of a client that comes back surely starts. It may have come from its mirror with less than it once
 * held; turns it has after all do it no harm.
 */
function resumedStart(channel: Channel, options: SubscriptionOptions, start = 0): number {
  if (channel.kind !== 'chat' || options.turns === undefined) return 0;
  return Math.max(start, windowStart(channel.state, options.turns));
}

/** Never merged: the client may know some of it, and tells by the number of each envelope. */
function missedBy(host: HostCore, client: Client, lastSeen: number): readonly ActionEnvelope[] {
  const missed: ActionEnvelope[] = [];
  for (const { envelope, only } of host.ring.after(lastSeen)) {
    if (only !== undefined && only !== client.id) continue;
    // A refusal is told to its sender even where it does not look.
    if (envelope.rejectionReason === undefined && !client.subscriptions.has(envelope.channel)) continue;
    missed.push(host.adapt(client, envelope));
  }
  return missed;
}

/** Subscribes `client` and gives what it starts from. */
export function subscribeTo(host: HostCore, client: Client, channel: Channel, options: SubscriptionOptions): Snapshot {
  const isWindowed = channel.kind === 'chat' && options.turns !== undefined;
  const start = isWindowed ? windowStart(channel.state, options.turns ?? 0) : 0;
  host.clients.subscribe(client, channel.uri, options, start);
  if (channel.kind === 'session') host.clientTools.hasReturned(channel.uri, client.id);
  const state = channel.kind === 'chat' ? windowOf(channel.state, start) : host.present(channel);
  return { resource: channel.uri, state: host.adaptState(client, state), fromSeq: host.serverSeq };
}

/** The `subscribe` request. */
export function readSubscription(host: HostCore, params: Params): { uri: URI; options: SubscriptionOptions } {
  const delivery = findRecord(params, 'delivery');
  const view = findRecord(params, 'view');
  const maxLatencyMs = delivery && findAmount(delivery, 'maxLatencyMs');
  const turns = view && findAmount(view, 'turns');
  const subscribe: SubscribeParams = {
    channel: readChannel(params),
    ...(maxLatencyMs !== undefined && { delivery: { maxLatencyMs } }),
    ...(turns !== undefined && { view: { turns } }),
  };
  return { uri: subscribe.channel, options: toSubscriptionOptions(subscribe, host.options.latencyLimitMs) };
}

function expectFresh(connection: Connection): void {
  if (connection.client) throw rpcError(RpcCode.InvalidRequest, 'The connection is initialized already.');
}
