/** What goes wrong outside the documents: on the way to the host, and at the host. Knows no clock and no documents. */

import type { StateAction } from '../../src/protocol/actions.js';
import { RpcCode } from '../../src/protocol/errors.js';
import type { ReconnectMode, ScriptedHost } from '../helpers/scripted-host.js';
import type { Ledger } from './ledger.js';
import type { Network, SimLink } from './network.js';
import type { Step } from './steps.js';

export interface Outside {
  readonly host: ScriptedHost;
  readonly network: Network;
  readonly ledger: Ledger;
  readonly random: () => number;
  readonly schedule: (delayMs: number, run: () => void) => unknown;
  readonly noteFault: (kind: string) => void;
}

/** Faults of the network; those that last are over after `ms`. `links` are those of one document. */
export function disturb(
  outside: Outside,
  links: readonly SimLink[],
  { fault, ms }: Extract<Step, { does: 'network' }>,
): void {
  const { network, schedule, noteFault } = outside;
  switch (fault) {
    case 'cut':
      for (const link of links) link.cut();
      break;
    case 'half-open':
      for (const link of links) link.isHalfOpen = true;
      break;
    case 'delay':
      network.delayMs = 2000;
      break;
    case 'throttle':
      network.gapMs = 100;
      break;
    case 'duplicate':
      network.repeats = true;
      break;
    case 'corrupt':
      network.tears = 1;
      return;
    case 'drop echo':
      network.dropsEchoes = 1;
      return;
  }
  if (links.length > 0 || ms > 0) noteFault(fault);
  schedule(ms, () => network.heal());
}

/** Every second host runs what it is sent twice, as the first ones did: only there does it show who sends anything twice. */
export const runsRepeats = (seed: number): boolean => seed % 2 === 0;

export function strike(outside: Outside, blow: Extract<Step, { does: 'host' }>['blow']): void {
  const { host, ledger, random, noteFault } = outside;
  noteFault(`host: ${blow}`);
  switch (blow) {
    case 'restart':
      return host.restart();
    case 'restart, counting anew':
      return host.restart({ serverSeq: 'anew' });
    case 'forget clients':
      return host.forgetClients();
    case 'answer reconnect with snapshots':
      return answerReconnect(outside, 'snapshot');
    case 'answer reconnect with -32008':
      return answerReconnect(outside, { code: RpcCode.NotFound });
    case 'answer reconnect with -32601':
      return answerReconnect(outside, { code: RpcCode.MethodNotFound });
    case 'do not answer reconnect':
      return answerReconnect(outside, 'silence');
    case 'ignore':
      return host.ignoreNext(anyType(random));
    case 'refuse':
      return host.refuseNext(anyType(random));
    case 'clear its draft':
      // Words that are nowhere else by now are the host's to throw away.
      ledger.giveUp(JSON.stringify(host.chat.draft ?? ''));
      host.dispatch({ type: 'chat/draftChanged' });
      return;
    case 'cut turns off': {
      const { turns } = host.chat;
      if (turns.length > 1) host.dispatch({ type: 'chat/truncated', turnId: turns.at(-2)!.id });
      return;
    }
  }
}

function answerReconnect({ host, schedule }: Outside, mode: ReconnectMode): void {
  host.onReconnect = mode;
  schedule(20_000, () => (host.onReconnect = 'host'));
}

function anyType(random: () => number): StateAction['type'] {
  const types = ['chat/turnStarted', 'chat/pendingMessageSet', 'chat/toolCallConfirmed', 'chat/truncated'] as const;
  return types[Math.floor(random() * types.length)]!;
}
