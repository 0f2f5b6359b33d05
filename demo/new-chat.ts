/** Makes a session through a headless client of its own, as an application would that lists agents beside the chat. */

import { rootReducer } from '../src/channels/root.js';
import { AhpClient } from '../src/client/ahp-client.js';
import { createBrowserEnvironment } from '../src/client/browser-environment.js';
import { Replica } from '../src/client/replica.js';
import { waitFor } from '../src/client/wait.js';
import type { AhpTransport } from '../src/protocol/link.js';
import type { AgentInfo, RootState, URI } from '../src/protocol/state.js';
import { ROOT, toSessionUri } from '../src/protocol/uri.js';

const environment = createBrowserEnvironment();

async function withHost<T>(
  transport: AhpTransport,
  use: (client: AhpClient, root: RootState) => Promise<T>,
): Promise<T> {
  let seq = 0;
  const identity = { clientId: environment.createId(), nextClientSeq: () => (seq += 1) };
  const client = new AhpClient({ transport, environment, identity });
  const root = new Replica<RootState>(client, ROOT, rootReducer, { kind: 'root' });
  try {
    client.connect();
    const { signal } = new AbortController();
    const state = await waitFor(() => root.state, {
      subscribe: (look) => root.subscribe(look),
      signal,
      environment,
      timeoutMs: 10_000,
      subject: 'list of agents',
    });
    return await use(client, state);
  } finally {
    root.close();
    client.dispose();
  }
}

export const listAgents = (transport: AhpTransport): Promise<readonly AgentInfo[]> =>
  withHost(transport, (_client, { agents }) => Promise.resolve(agents));

/** Resolves with the session, which has a chat. */
export const createSession = (transport: AhpTransport, provider: string): Promise<URI> =>
  withHost(transport, async (client) => {
    const session = toSessionUri(environment.createId());
    await client.request('createSession', { channel: session, provider });
    return session;
  });
