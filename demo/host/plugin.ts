/**
 * What a plug-in of the demo host brings. Plug-ins are loaded by the name of their folder and do not know each other; each
 * answers for its own providers, URIs and routes. Types only.
 */

import type {
  AuthenticateParams,
  CompletionItem,
  CompletionsParams,
  CreateSessionParams,
  ResourceListResult,
  ResourceReadParams,
  ResourceReadResult,
  ResourceResolveResult,
} from '../../src/protocol/commands.js';
import type { AgentInfo, URI } from '../../src/protocol/state.js';
import type { Host } from '../../src/host/create-host.js';
import type { HostEnvironment } from '../../src/host/environment.js';
import type { SessionSeed } from '../../src/host/hooks.js';
import type { TurnHandle } from '../../src/host/turn-handle.js';
import type { Pace } from './agents/voice.js';
import type { Secrets } from './secrets.js';

export interface Agent {
  readonly info: AgentInfo;
  createSession?(params: Pick<CreateSessionParams, 'config'>): SessionSeed;
  /** The turn is complete when this resolves and failed when it rejects, unless it was ended before. */
  runTurn(turn: TurnHandle, host: Host): Promise<void>;
}

/** Answers for the URIs that begin with `prefix`. Throws `rpcError(…)` to refuse. */
export interface ResourceProvider {
  readonly prefix: string;
  read(uri: URI, encoding: ResourceReadParams['encoding']): Promise<ResourceReadResult>;
  list?(uri: URI): Promise<ResourceListResult>;
  resolve?(uri: URI): Promise<ResourceResolveResult>;
}

export interface Contribution<Route = unknown> {
  readonly agents?: readonly Agent[];
  readonly resources?: readonly ResourceProvider[];
  readonly routes?: readonly Route[];
  complete?(params: CompletionsParams): Promise<readonly CompletionItem[]>;
  /** Takes a token for a resource of its own. Returns whether it was one; throws to refuse it. */
  authenticate?(params: AuthenticateParams, host: Host): boolean;
  chatEnded?(chat: URI): void;
  sessionEnded?(session: URI, host: Host): void;
}

/** What a plug-in on disk is given. */
export interface PluginContext {
  /** The folder of everything the host keeps; a plug-in makes its own below it. */
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly environment: HostEnvironment;
  readonly pace: Pace;
  /** What must be in no text that leaves; a plug-in adds its own. */
  readonly secrets: Secrets;
  /** One line for the person at the terminal. */
  readonly log: (line: string) => void;
}

/** A plug-in's folder has a `plugin.ts` that exports this as `plugin`. */
export type Plugin<Route = unknown> = (context: PluginContext) => Promise<Contribution<Route>>;
