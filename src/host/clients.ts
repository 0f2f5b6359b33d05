/**
 * The clients a host remembers, connected or not, and what each of them is subscribed to. A client that is away keeps its
 * subscriptions and windows for a while, so that it can come back with what it missed. Source: AHP, reconnect.
 */

import type { ActionEnvelope, StateAction } from '../protocol/actions.js';
import type { ClientCapabilities, SubscribeParams } from '../protocol/commands.js';
import type { URI } from '../protocol/state.js';

/** How much of a channel a client wants, and how soon. */
export interface SubscriptionOptions {
  /** The window asked for; absent for all turns. */
  readonly turns?: number;
  readonly maxLatencyMs: number;
}

export interface Subscription extends SubscriptionOptions {
  readonly client: Client;
  readonly channel: URI;
  /** The index of the first turn the client holds. */
  start: number;
}

/** What sends to a connected client. */
export interface ClientConnection {
  deliver(envelope: ActionEnvelope<StateAction>, maxLatencyMs: number): void;
  notify(method: string, params: Readonly<Record<string, unknown>>): void;
  close(): void;
}

export interface Client {
  readonly id: string;
  readonly protocolVersion: string;
  readonly capabilities: ClientCapabilities;
  readonly subscriptions: Map<URI, Subscription>;
  /** Absent while the client is away. */
  connection: ClientConnection | undefined;
}

export class ClientRegistry {
  readonly #maxAway: number;
  /** In the order in which they were last here. */
  readonly #clients = new Map<string, Client>();
  readonly #byChannel = new Map<URI, Set<Subscription>>();

  constructor(maxAway: number) {
    this.#maxAway = maxAway;
  }

  find(clientId: string): Client | undefined {
    return this.#clients.get(clientId);
  }

  add(client: Client): void {
    this.#clients.set(client.id, client);
  }

  /** Lets the client be away. Those away the longest are forgotten. */
  detach(client: Client): void {
    client.connection = undefined;
    if (this.#clients.get(client.id) !== client) return;
    this.#clients.delete(client.id);
    this.#clients.set(client.id, client);
    const away = [...this.#clients.values()].filter((each) => !each.connection);
    for (const each of away.slice(0, Math.max(0, away.length - this.#maxAway))) this.forget(each.id);
  }

  forget(clientId: string): void {
    const client = this.#clients.get(clientId);
    if (!client) return;
    for (const channel of [...client.subscriptions.keys()]) this.unsubscribe(client, channel);
    this.#clients.delete(clientId);
  }

  subscribe(client: Client, channel: URI, options: SubscriptionOptions, start: number): Subscription {
    this.unsubscribe(client, channel);
    const subscription: Subscription = { ...options, client, channel, start };
    client.subscriptions.set(channel, subscription);
    const subscribers = this.#byChannel.get(channel) ?? new Set();
    this.#byChannel.set(channel, subscribers.add(subscription));
    return subscription;
  }

  unsubscribe(client: Client, channel: URI): boolean {
    const subscription = client.subscriptions.get(channel);
    if (!subscription) return false;
    client.subscriptions.delete(channel);
    const subscribers = this.#byChannel.get(channel);
    subscribers?.delete(subscription);
    if (subscribers?.size === 0) this.#byChannel.delete(channel);
    return true;
  }

  /** The channel is gone. */
  dropChannel(channel: URI): void {
    for (const { client } of this.subscribers(channel)) this.unsubscribe(client, channel);
  }

  /** Also of clients that are away. The list does not change while it is walked. */
  subscribers(channel: URI): readonly Subscription[] {
    const subscribers = this.#byChannel.get(channel);
    return subscribers ? [...subscribers] : [];
  }
}

/** The wishes of a `subscribe`, with the host's own bound on buffering. */
export function toSubscriptionOptions(params: SubscribeParams, latencyLimitMs: number): SubscriptionOptions {
  const maxLatencyMs = Math.min(params.delivery?.maxLatencyMs ?? 0, latencyLimitMs);
  const turns = params.view?.turns;
  return turns === undefined ? { maxLatencyMs } : { maxLatencyMs, turns: Math.floor(turns) };
}
