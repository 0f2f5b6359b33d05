/** An `AhpClient` on a wire peer, with a holder of state for each channel: what the tests of a connection start from. */

import { AhpClient, type AhpClientOptions } from '../../src/client/ahp-client.js';
import type { ChannelListener, ChannelOptions } from '../../src/client/channels.js';
import type { Diagnostic } from '../../src/client/dialogue.js';
import type { ActionEnvelope } from '../../src/protocol/actions.js';
import type { Snapshot } from '../../src/protocol/commands.js';
import type { AhpError } from '../../src/protocol/errors.js';
import { ManualEnvironment, settle } from './manual-environment.js';
import { WirePeer } from './wire-peer.js';

export const root = 'ahp-root://';
export const chat = 'ahp-chat:/c';
export const chatOptions: ChannelOptions = { kind: 'chat', view: { turns: 50 }, delivery: { maxLatencyMs: 50 } };

export const chatSnapshot = (fromSeq: number, title = ''): Snapshot => ({
  resource: chat,
  fromSeq,
  state: { resource: chat, title, status: 1, modifiedAt: '2026-01-01T00:00:00.000Z', turns: [] },
});
export const rootSnapshot = (fromSeq: number): Snapshot => ({ resource: root, fromSeq, state: { agents: [] } });
export const delta = { type: 'chat/delta', turnId: 't', partId: 'p', content: 'x' };

/** Keeps what it is told, and the number of the last envelope as a real holder does. */
export class Holder implements ChannelListener {
  readonly events: string[] = [];
  readonly seen: number[] = [];
  snapshot: Snapshot | undefined;
  error: AhpError | undefined;

  current() {
    return this.snapshot;
  }
  onSnapshot(snapshot: Snapshot, early: readonly ActionEnvelope[]) {
    this.events.push(`snapshot ${snapshot.fromSeq}`);
    this.snapshot = snapshot;
    for (const envelope of early) this.#apply(envelope);
  }
  onReplay(envelopes: readonly ActionEnvelope[]) {
    this.events.push(`replay ${envelopes.map(({ serverSeq }) => serverSeq).join(' ')}`.trim());
    for (const envelope of envelopes) this.#apply(envelope);
  }
  onEnvelope(envelope: ActionEnvelope) {
    this.#apply(envelope);
  }
  onLost() {
    this.events.push('lost');
  }
  onFailed(error: AhpError) {
    this.events.push('failed');
    this.error = error;
  }
  #apply({ serverSeq }: ActionEnvelope) {
    this.seen.push(serverSeq);
    if (this.snapshot) this.snapshot = { ...this.snapshot, fromSeq: Math.max(this.snapshot.fromSeq, serverSeq) };
  }
}

export function setup(options: Partial<AhpClientOptions> = {}) {
  const environment = new ManualEnvironment();
  const peer = new WirePeer();
  peer
    .answer('initialize', () => ({ protocolVersion: '1.0.0', serverSeq: 10, snapshots: [rootSnapshot(10)] }))
    .answer('subscribe', ({ channel }) => ({ snapshot: channel === root ? rootSnapshot(10) : chatSnapshot(10) }))
    .answer('reconnect', () => ({ type: 'replay', actions: [], missing: [] }))
    .answer('ping', () => ({}));
  const diagnostics: Diagnostic[] = [];
  let seq = 1;
  const client = new AhpClient({
    transport: peer,
    environment,
    identity: { clientId: 'me', nextClientSeq: () => seq++ },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...options,
  });
  return { environment, peer, client, diagnostics };
}

/** Connected, with the root and one chat subscribed. */
export async function connect(options: Partial<AhpClientOptions> = {}) {
  const world = setup(options);
  const [rootHolder, holder] = [new Holder(), new Holder()];
  world.client.subscribe(root, rootHolder, { kind: 'root' });
  const subscription = world.client.subscribe(chat, holder, chatOptions);
  world.client.connect();
  await settle();
  return { ...world, rootHolder, holder, subscription };
}

/** Ends the connection and lets the client make the next one. */
export async function reconnect({ environment, peer }: { environment: ManualEnvironment; peer: WirePeer }) {
  await peer.drop();
  await environment.advanceAsync(400);
}
