/**
 * One action to a channel that nobody may be looking at: sends it and waits for the host's word. For what is done from a
 * list, where no outbox follows the intent. Source: AHP, actions on the wire.
 */

import type { ActionEnvelope, ClientChatAction, StateAction } from '../protocol/actions.js';
import type { Snapshot } from '../protocol/commands.js';
import { AhpError } from '../protocol/errors.js';
import type { URI } from '../protocol/state.js';
import type { AhpClient } from './ahp-client.js';
import type { ChannelListener, ChannelOptions } from './channels.js';
import type { Environment } from './environment.js';
import { toWire } from './to-wire.js';

/** How long the host may take to echo an action. */
const patienceMs = 10_000;

/**
 * Resolves when the host has taken the action. Rejects with `AhpError`: the host refuses it, has no such channel or action,
 * says nothing, or the connection is lost, after which nobody knows.
 */
export function dispatchProven(
  client: AhpClient,
  environment: Environment,
  {
    channel,
    kind,
    action,
  }: { readonly channel: URI; readonly kind: ChannelOptions['kind']; readonly action: StateAction },
): Promise<void> {
  const wire = kind === 'chat' ? toWireAction(client, action as ClientChatAction) : action;
  if (!wire) return Promise.reject(new AhpError('rpc', 'This host has no such action.'));
  return new Promise((resolve, reject) => {
    let clientSeq: number | undefined;
    const end = (error?: AhpError) => {
      cancelTimeout();
      subscription.release();
      if (error) reject(error);
      else resolve();
    };
    const send = () => {
      if (clientSeq !== undefined) return;
      clientSeq = client.nextClientSeq();
      if (!client.dispatch(channel, clientSeq, wire))
        fail(new AhpError('not-connected', 'There is no connection to the host.'));
    };
    /** The subscription may not have returned yet. */
    const fail = (error: AhpError) => queueMicrotask(() => end(error));
    const listener: ChannelListener = {
      current: (): Snapshot | undefined => undefined,
      onSnapshot: send,
      onReplay: send,
      onEnvelope: ({ origin, rejectionReason }: ActionEnvelope) => {
        if (clientSeq === undefined || origin?.clientId !== client.clientId || origin.clientSeq !== clientSeq) return;
        end(rejectionReason === undefined ? undefined : new AhpError('rpc', rejectionReason));
      },
      onLost: () => fail(new AhpError('disconnected', 'The connection was lost before the host had answered.')),
      onFailed: fail,
    };
    const cancelTimeout = environment.schedule(patienceMs, () =>
      end(new AhpError('timeout', 'The host has not confirmed it.')),
    );
    const subscription = client.subscribe(channel, listener, kind === 'chat' ? { kind, view: { turns: 1 } } : { kind });
  });
}

/** Only what the negotiated version knows. */
const toWireAction = (client: AhpClient, action: ClientChatAction): ClientChatAction | undefined =>
  toWire(action, {
    protocolVersion: client.handshake?.protocolVersion ?? '',
    takesCollections: false,
    takesSteeringList: false,
    capabilities: {},
    findLastTurn: () => undefined,
  });
