/** What a host is made with, and the values it takes where nothing is said. */

import type { InitializeResult, Implementation } from '../protocol/commands.js';
import type { AgentInfo, Config, URI } from '../protocol/state.js';
import type { HostEnvironment } from './environment.js';
import type { HostHooks } from './hooks.js';

export interface HostOptions {
  readonly environment: HostEnvironment;
  readonly hooks?: HostHooks;
  readonly agents?: readonly AgentInfo[];
  /** Settings of the host itself. */
  readonly config?: Config;
  readonly serverInfo?: Implementation;
  /** Versions or ranges such as `>=1.0.0 <2.0.0`. */
  readonly supportedVersions?: readonly string[];
  readonly defaultDirectory?: URI;
  readonly completionTriggerCharacters?: readonly string[];
  readonly terminalCommandPrefix?: string;
  /** Whether collections are announced and taken; on by default. */
  readonly attachmentCollections?: boolean;
  /** Whether the list form of steering is announced and taken; off by default, since no release has it. */
  readonly steeringMessages?: boolean;
  /** Envelopes kept for clients that come back. */
  readonly ringSize?: number;
  /** How long a client that provides tools may be away, in milliseconds. */
  readonly clientGraceMs?: number;
  /** Bound on the buffering a client may ask for, in milliseconds. */
  readonly latencyLimitMs?: number;
  /** Turns of a page where the client asked for no window. */
  readonly pageSize?: number;
  /** Clients remembered while they are away. */
  readonly maxAwayClients?: number;
  /** Where the counter starts. */
  readonly serverSeq?: number;
}

/** What every `initialize` answers besides version, counter and snapshots. */
export type Announced = Omit<InitializeResult, 'protocolVersion' | 'serverSeq' | 'snapshots'>;

export interface ResolvedOptions {
  readonly supportedVersions: readonly string[];
  readonly announced: Announced;
  readonly ringSize: number;
  readonly clientGraceMs: number;
  readonly latencyLimitMs: number;
  readonly pageSize: number;
  readonly maxAwayClients: number;
}

/** Every version from 0.6.0 on whose shapes this host can speak. */
export const defaultSupportedVersions = ['>=1.0.0 <2.0.0', '>=0.6.0 <0.11.0'] as const;

export function resolveOptions(options: HostOptions): ResolvedOptions {
  const { serverInfo, defaultDirectory, completionTriggerCharacters, terminalCommandPrefix } = options;
  return {
    supportedVersions: options.supportedVersions ?? defaultSupportedVersions,
    announced: {
      ...(serverInfo && { serverInfo }),
      ...(defaultDirectory !== undefined && { defaultDirectory }),
      ...(completionTriggerCharacters && { completionTriggerCharacters }),
      ...(terminalCommandPrefix !== undefined && { terminalCommandPrefix }),
      ...(options.steeringMessages && { steeringMessages: {} }),
      ...(options.attachmentCollections !== false && { attachmentCollections: {} }),
    },
    ringSize: options.ringSize ?? 2000,
    clientGraceMs: options.clientGraceMs ?? 30_000,
    latencyLimitMs: options.latencyLimitMs ?? 1000,
    pageSize: options.pageSize ?? 50,
    maxAwayClients: options.maxAwayClients ?? 200,
  };
}
