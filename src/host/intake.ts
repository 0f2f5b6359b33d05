/**
 * What becomes of a client's action: read, judged by the protocol's rules, decided by the host's hook, then applied and
 * echoed, or refused, or passed over in silence. Actions for one channel are taken one after the other, also where a
 * decision takes its time. Source: AHP, actions on the wire.
 */

import type { ChatAction, RootAction, SessionAction, StateAction } from '../protocol/actions.js';
import type { URI } from '../protocol/state.js';
import { parseAction } from '../protocol/parse.js';
import { isRecord } from '../protocol/record.js';
import { readClientAction, type ClientAction, type ClientTerminalAction } from './action-shapes.js';
import type { Channel } from './channels.js';
import type { Connection } from './connection.js';
import type { Decision } from './hooks.js';
import type { HostCore } from './host-core.js';
import { pinTranscripts } from './messages.js';
import type { Params } from './read.js';
import { withoutRead } from './read-messages.js';
import { findRefusal } from './refusals.js';
import { indexOfTurn } from './window.js';
import { findRootRefusal, findSessionRefusal } from './session-refusals.js';

/** One action on its way in. */
interface Incoming {
  readonly channel: Channel;
  readonly clientId: string;
  readonly protocolVersion: string;
  readonly hasSteeringList: boolean;
  readonly clientSeq: number;
  readonly raw: Params;
}

export class Intake {
  readonly #host: HostCore;
  /** Per channel, the actions behind one whose decision is still open. */
  readonly #queues = new Map<URI, Incoming[]>();

  constructor(host: HostCore) {
    this.#host = host;
  }

  /** Takes a `dispatchAction`. What cannot even be answered, for want of a number or a channel, is passed over. */
  receive(connection: Connection, uri: unknown, clientSeq: unknown, raw: unknown): void {
    const channel = typeof uri === 'string' ? this.#host.find(uri) : undefined;
    const { client } = connection;
    if (!channel || !client || !Number.isSafeInteger(clientSeq)) return;
    if (!isRecord(raw) || typeof raw.type !== 'string') return;
    const { announced } = this.#host.options;
    const incoming: Incoming = {
      channel,
      clientId: client.id,
      protocolVersion: client.protocolVersion,
      hasSteeringList: Boolean(client.capabilities.steeringMessages && announced.steeringMessages),
      // Checked above.
      clientSeq: clientSeq as number,
      raw,
    };
    const queue = this.#queues.get(channel.uri);
    if (queue) queue.push(incoming);
    else this.#take(incoming);
  }

  #take(incoming: Incoming): void {
    const read = readClientAction(incoming.channel.kind, incoming.raw);
    if ('reason' in read) {
      this.#refuse(incoming, read.reason);
      return;
    }
    const refusal = this.#findRefusal(incoming, read.action);
    if (refusal !== undefined) {
      this.#refuse(incoming, refusal);
      return;
    }
    // The rules have seen the action as it came; what they do not look at is brought into form now.
    const action = this.#pin(incoming.channel, (parseAction(read.action) ?? read.action) as ClientAction);
    const decision = isKnownStart(incoming.channel, action) ? undefined : this.#decide(incoming, action);
    if (decision instanceof Promise) this.#wait(incoming, action, decision);
    else this.#settle(incoming, action, decision);
  }

  #findRefusal(incoming: Incoming, action: ClientAction): string | undefined {
    const { channel, clientId, protocolVersion, hasSteeringList } = incoming;
    // The shape table has let only actions of the channel's own kind pass.
    switch (channel.kind) {
      case 'chat': {
        const session = this.#host.sessionOf(channel)?.state;
        const capabilities = this.#host.root.agents.find((agent) => agent.provider === session?.provider)?.capabilities;
        const chat = channel.state;
        const { rules } = this.#host;
        return findRefusal(action as ChatAction, {
          chat,
          session,
          clientId,
          protocolVersion,
          capabilities,
          hasSteeringList,
          rules,
        });
      }
      case 'session':
        return findSessionRefusal(action as SessionAction, channel.state, clientId);
      case 'root':
        return findRootRefusal(action as RootAction, channel.state);
      case 'terminal':
        return undefined;
    }
  }

  /** A draft stays open: its transcript is pinned when it is sent. */
  #pin(channel: Channel, action: ClientAction): ClientAction {
    switch (action.type) {
      case 'chat/turnStarted':
      case 'chat/pendingMessageSet': {
        const isBehind = action.type === 'chat/pendingMessageSet' && channel.kind === 'chat';
        const fresh = isBehind ? withoutRead(action.message, channel) : action.message;
        const message = pinTranscripts(fresh, this.#host.rules.findChat);
        return message === action.message ? action : { ...action, message };
      }
      case 'chat/steeringMessageSet': {
        const message = pinTranscripts(action.steeringMessage.message, this.#host.rules.findChat);
        return { ...action, steeringMessage: { ...action.steeringMessage, message } };
      }
      default:
        return action;
    }
  }

  #decide(incoming: Incoming, action: ClientAction): Decision | undefined | Promise<Decision | undefined> {
    const { channel, clientId, clientSeq } = incoming;
    const session = channel.kind === 'chat' ? this.#host.sessionOf(channel)?.state : undefined;
    try {
      return this.#host.hooks.decide?.(action as StateAction, {
        channel: channel.uri,
        clientId,
        clientSeq,
        ...(channel.kind === 'chat' && { chat: channel.state }),
        ...(session && { session }),
        ...(channel.kind === 'session' && { session: channel.state }),
      });
    } catch (error) {
      return this.#failed(error);
    }
  }

  #failed(error: unknown): Decision {
    this.#host.diagnose('decide-failed', error);
    return { kind: 'refuse', reason: 'host-failed: the host could not decide.' };
  }

  #wait(incoming: Incoming, action: ClientAction, decision: Promise<Decision | undefined>): void {
    const { uri } = incoming.channel;
    const queue: Incoming[] = [];
    this.#queues.set(uri, queue);
    const proceed = (decided: Decision | undefined) => {
      this.#queues.delete(uri);
      // The channel may have gone, or changed so that the rules no longer let the action pass.
      if (this.#host.isLive(incoming.channel)) {
        const refusal = this.#findRefusal(incoming, action);
        this.#settle(incoming, action, refusal === undefined ? decided : { kind: 'refuse', reason: refusal });
      }
      this.#resume(uri, queue);
    };
    decision.then(proceed, (error: unknown) => {
      proceed(this.#failed(error));
    });
  }

  /** Takes what has waited, until one of them waits itself. */
  #resume(uri: URI, waiting: readonly Incoming[]): void {
    for (const incoming of waiting) {
      if (!this.#host.isLive(incoming.channel)) continue;
      const queue = this.#queues.get(uri);
      if (queue) queue.push(incoming);
      else this.#take(incoming);
    }
  }

  #settle(incoming: Incoming, action: ClientAction, decision: Decision | undefined): void {
    switch (decision?.kind) {
      case 'silent':
        return;
      case 'refuse':
        this.#refuse(incoming, decision.reason);
        return;
      default: {
        const { channel, clientId, clientSeq } = incoming;
        // `terminal/input` changes no state, and every reducer leaves what it does not know alone.
        const accepted = decision?.action ?? (action as StateAction);
        this.#host.commit(channel, accepted, { clientId, clientSeq });
        if (channel.kind === 'terminal') {
          this.#host.guard('hook-failed', () =>
            this.#host.hooks.onTerminalAction?.(channel.uri, accepted as ClientTerminalAction),
          );
        }
      }
    }
  }

  /** Tells the sender, and nobody else, that its action is not applied. */
  #refuse(incoming: Incoming, rejectionReason: string): void {
    const { channel, clientId, clientSeq, raw } = incoming;
    // Echoed as it came: only its sender reads it.
    const action = raw as unknown as StateAction;
    this.#host.sendTo(clientId, { channel: channel.uri, action, origin: { clientId, clientSeq }, rejectionReason });
  }
}

/** A start that is known was decided about when it came first; it has no effect any more. */
function isKnownStart(channel: Channel, action: ClientAction): boolean {
  if (channel.kind !== 'chat' || action.type !== 'chat/turnStarted') return false;
  return channel.state.activeTurn?.id === action.turnId || indexOfTurn(channel.state, action.turnId) >= 0;
}
