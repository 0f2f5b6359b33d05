/** A host with one agent, one session and one chat, and clients for it. Builds what the tests of `src/host` start from. */

import { createHost, type Host } from '../../src/host/create-host.js';
import { createLinkPair } from '../../src/host/link-pair.js';
import type { HostOptions } from '../../src/host/options.js';
import type { ChatAction } from '../../src/protocol/actions.js';
import type { AgentCapabilities, ChatState, Turn, URI } from '../../src/protocol/state.js';
import { ManualEnvironment } from './manual-environment.js';
import { RawClient } from './raw-client.js';
import { CHAT, createTurns, SESSION, userMessage } from './scripted-host.js';

export interface HostFixture {
  readonly environment: ManualEnvironment;
  readonly host: Host;
  /** An initialized client that is subscribed to `channels`. */
  client(clientId?: string, channels?: readonly URI[], options?: ClientOptions): Promise<RawClient>;
  /** A client that has not said a word yet. */
  stranger(clientId?: string): RawClient;
  /** Gives `client` another link, not initialized. */
  relink(client: RawClient): void;
  readonly chat: ChatState;
}

export interface ClientOptions {
  readonly turns?: number;
  readonly maxLatencyMs?: number;
  readonly protocolVersions?: readonly string[];
  readonly capabilities?: RawClient['capabilities'];
}

export interface FixtureOptions extends Partial<HostOptions> {
  readonly capabilities?: AgentCapabilities;
  readonly turns?: readonly Turn[];
  readonly seed?: number;
}

export const everything: AgentCapabilities = {
  multipleChats: { fork: true, sideChat: true },
  multipleWorkingDirectories: {},
};

export function createFixture({
  capabilities = everything,
  turns,
  seed,
  ...options
}: FixtureOptions = {}): HostFixture {
  const environment = new ManualEnvironment(seed === undefined ? {} : { seed });
  const agents = [{ provider: 'test', displayName: 'Test', description: '', models: [], capabilities }];
  const host = createHost({ environment, agents, ...options });
  host.createSession({ resource: SESSION, provider: 'test', title: 'One', defaultChat: null });
  host.createChat(SESSION, { resource: CHAT, ...(turns && { turns }) });
  host.dispatch(SESSION, { type: 'session/defaultChatChanged', defaultChat: CHAT });
  const stranger = (clientId = 'client-a') => {
    const [end, other] = createLinkPair();
    host.connect(other);
    return new RawClient(clientId, end);
  };
  return {
    environment,
    host,
    stranger,
    relink(client) {
      const [end, other] = createLinkPair();
      host.connect(other);
      client.attach(end);
    },
    async client(
      clientId,
      channels = [CHAT],
      { turns: window, maxLatencyMs, protocolVersions, capabilities: has } = {},
    ) {
      const client = stranger(clientId);
      if (has) client.capabilities = has;
      await client.initialize(protocolVersions ? { protocolVersions } : {});
      for (const channel of channels) {
        await client.subscribe(channel, {
          ...(window !== undefined && { view: { turns: window } }),
          ...(maxLatencyMs !== undefined && { delivery: { maxLatencyMs } }),
        });
      }
      return client;
    },
    get chat() {
      return host.getChat(CHAT)!;
    },
  };
}

export const turnStarted = (turnId: string, more: Partial<Extract<ChatAction, { type: 'chat/turnStarted' }>> = {}) => ({
  type: 'chat/turnStarted' as const,
  turnId,
  startedAt: '2026-01-01T00:00:00.000Z',
  message: userMessage(`message of ${turnId}`),
  ...more,
});

/** One finished turn, a short exchange. */
export const finishedTurn = (id: string, more: Partial<Turn> = {}): Turn => ({ ...createTurns(1)[0]!, id, ...more });

export { CHAT, SESSION, userMessage as message, createTurns as finishedTurns };
