/**
 * Tokens for the resources a host protects. They live in this object and in requests to the host, nowhere else: not on
 * disk, not in a message, not in an error. Where a token is missing or refused, the page is asked. Source: AHP,
 * authentication.
 */

import type { AuthenticateParams } from '../protocol/commands.js';
import { AhpError, isRpcError, RpcCode } from '../protocol/errors.js';
import { parseAuthResources } from '../protocol/parse.js';
import { compose } from '../protocol/record.js';
import type { McpAuthRequirement, ProtectedResource } from '../protocol/state.js';
import { ROOT } from '../protocol/uri.js';
import { compareVersions } from '../protocol/versions.js';
import { toRpcError } from './connection.js';
import type { Cancel } from './environment.js';
import { Listeners } from './listeners.js';

export interface TokenOptions {
  readonly scopes?: readonly string[];
  /** Seconds. */
  readonly expiresIn?: number;
}

interface Token extends TokenOptions {
  readonly token: string;
}

/** The way to the host, while a handshake stands. */
export interface AuthenticateWire {
  readonly protocolVersion: string;
  send(params: AuthenticateParams): Promise<unknown>;
}

export class Authenticator {
  readonly #onTokenRefused: (error: AhpError) => void;
  readonly #tokens = new Map<string, Token>();
  readonly #requirements = new Listeners<[McpAuthRequirement]>();
  readonly #successes = new Listeners<[resource: string]>();
  /** Resources whose token went out on this connection. A host that asks again wants another one. */
  readonly #pushed = new Set<string>();
  /** Resources the host has named anywhere. It is sent a token for no other. */
  readonly #advertised = new Set<string>();
  #wire: AuthenticateWire | undefined;

  constructor(onTokenRefused: (error: AhpError) => void) {
    this.#onTokenRefused = onTokenRefused;
  }

  onRequired(listener: (requirement: McpAuthRequirement) => void): Cancel {
    return this.#requirements.add(listener);
  }

  /** Called when the host has taken a token for a resource: what it refused before may be asked for again. */
  onAuthenticated(listener: (resource: string) => void): Cancel {
    return this.#successes.add(listener);
  }

  attach(wire: AuthenticateWire): void {
    this.#wire = wire;
    this.#pushed.clear();
  }

  detach(): void {
    this.#wire = undefined;
  }

  /** The host protects these; see `AhpClient.advertise`. */
  advertise(resources: Iterable<string>): void {
    for (const resource of resources) {
      if (this.#advertised.has(resource)) continue;
      this.#advertised.add(resource);
      void this.satisfy({ reason: 'required', resource: { resource } });
    }
  }

  /** See `AhpClient.authenticate`. */
  async authenticate(resource: string, token: string, options: TokenOptions): Promise<void> {
    this.#tokens.set(resource, { token, ...options });
    if (!this.#wire || !this.#advertised.has(resource)) return;
    await this.#push(this.#wire, resource);
    this.#successes.call(resource);
  }

  /** The host wants a token: sends the one that is known, else asks the page. */
  async require(requirement: McpAuthRequirement): Promise<void> {
    if (!(await this.satisfy(requirement))) this.#requirements.call(requirement);
  }

  /** Sends the token that is known, if it has not gone out on this connection. Whether the host took it. */
  async satisfy({ reason, resource: { resource } }: McpAuthRequirement): Promise<boolean> {
    this.#advertised.add(resource);
    const isUsable = reason === 'required' && !this.#pushed.has(resource) && this.#tokens.has(resource);
    if (!isUsable || !this.#wire) return false;
    try {
      await this.#push(this.#wire, resource);
    } catch (error) {
      if (!(error instanceof AhpError)) throw error;
      this.#onTokenRefused(error);
      return false;
    }
    this.#successes.call(resource);
    return true;
  }

  /** A fresh connection has no tokens: sends all that are known and wanted. Resolves when each is answered. */
  async pushAll(): Promise<void> {
    const wire = this.#wire;
    if (!wire) return;
    const push = async (resource: string) => {
      try {
        await this.#push(wire, resource);
      } catch (error) {
        if (!(error instanceof AhpError)) throw error;
        // The next handshake sends the token again.
        if (error.code === 'disconnected') return;
        this.#onTokenRefused(error);
        // A resource the host does not know any more is nothing to sign in to.
        if (isRpcError(error, RpcCode.InvalidParams)) return;
        this.#requirements.call({ reason: 'expired', resource: { resource } });
      }
    };
    const wanted = [...this.#tokens.keys()].filter((resource) => this.#advertised.has(resource));
    await Promise.all(wanted.map(push));
  }

  async #push(wire: AuthenticateWire, resource: string): Promise<void> {
    const known = this.#tokens.get(resource);
    if (!known) return;
    this.#pushed.add(resource);
    const { token, scopes, expiresIn } = known;
    const takesExpiry = expiresIn !== undefined && compareVersions(wire.protocolVersion, '1.0.0') >= 0;
    try {
      await wire.send(
        compose({ channel: ROOT, resource, token }, { scopes, expiresIn: takesExpiry ? expiresIn : undefined }),
      );
    } catch (error) {
      // A newer token may stand there by now.
      if (error instanceof AhpError && error.rpc && this.#tokens.get(resource) === known) this.#tokens.delete(resource);
      throw error instanceof AhpError ? withoutToken(error, token) : error;
    }
  }
}

/** A host may quote the token it refuses, and its words go to screens and into events. */
function withoutToken(error: AhpError, token: string): AhpError {
  if (!error.rpc || token === '' || !JSON.stringify(error.rpc).includes(JSON.stringify(token).slice(1, -1)))
    return error;
  const { code, message } = error.rpc;
  return toRpcError('authenticate', { code, message: message.replaceAll(token, '…') });
}

/** What a page is asked for; `resource` is a string up to 0.7 and metadata from 0.8 on. */
export const toRequirement = (resource: string | ProtectedResource, reason = 'required'): McpAuthRequirement => ({
  reason,
  resource: typeof resource === 'string' ? { resource } : resource,
});

/** The requirements in a refusal with `-32007`. */
export const listChallenges = (error: AhpError): readonly McpAuthRequirement[] =>
  parseAuthResources(error.rpc?.data).map((resource) => toRequirement(resource));
