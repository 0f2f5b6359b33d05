/** What holds at the end of every run, once the network is quiet. Each function gives what is wrong, in words. */

import { isEqual } from '../../src/protocol/record.js';
import type { ChatState, Message } from '../../src/protocol/state.js';
import type { ScriptedHost } from '../helpers/scripted-host.js';
import type { StateAction } from '../../src/protocol/actions.js';
import type { Agent } from './agent.js';
import { toMarks, type Ledger } from './ledger.js';
import type { SimTab, World } from './world.js';

export interface Findings {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly untrue: readonly string[];
}

/** What the checks of words need to know, whatever the documents are made of. */
export interface Facts {
  readonly host: ScriptedHost;
  readonly agent: Agent;
  readonly ledger: Ledger;
}

/** Everything that is on some screen and not at the host: drafts, offers, and what was not confirmed. */
function onScreen({ tab }: SimTab): string {
  const { message, offers } = tab.draft;
  return JSON.stringify([message, offers, tab.store.status.unconfirmed]);
}

/**
 * What the host has taken: a turn may have been cut off since, and of two changes of one message the later one stays. A
 * message that waits is not through before it runs.
 */
const takenMarks = ({ host, ledger }: Facts): readonly string[] =>
  host.journal.flatMap((entry) => {
    if (entry.kind !== 'action') return [];
    const marks = toMarks(JSON.stringify(entry.action));
    if (entry.action.type === 'chat/turnStarted' || entry.action.type === 'chat/inputCompleted') return marks;
    return entry.action.type === 'chat/pendingMessageSet' ? marks.filter((mark) => ledger.isChange(mark)) : [];
  });

/** Every mark that stands in a turn, waits at the host, or was read by the agent, as often as it does. */
function listAccepted({ host, agent }: Facts): readonly string[] {
  const { turns, activeTurn, queuedMessages = [], steeringMessage } = host.chat;
  const messages = [...turns, ...(activeTurn ? [activeTurn] : []), ...queuedMessages].map(({ message }) => message);
  const all = [...messages, ...(steeringMessage ? [steeringMessage.message] : [])];
  return [...all, ...agent.steered.map(({ message }) => message)].flatMap((message) =>
    toMarks(JSON.stringify(message)),
  );
}

/** Messages that were sent with a model or an agent, and arrived without it. */
function findOtherChoices({ host, ledger }: Facts): readonly string[] {
  const sent = new Map(ledger.intents.map(({ id, message }) => [id, message]));
  return host.journal.flatMap((entry) => {
    const arrived = entry.kind === 'action' ? toSent(entry.action) : undefined;
    const chosen = arrived && sent.get(arrived.id);
    if (!chosen) return [];
    const isSame = isEqual(chosen.model, arrived.message.model) && isEqual(chosen.agent, arrived.message.agent);
    return isSame ? [] : [`choice of ${arrived.id}`];
  });
}

/** A message under the id it was sent with; one that steers may go along with another one. */
function toSent(action: StateAction): { readonly id: string; readonly message: Message } | undefined {
  if (action.type === 'chat/turnStarted') return { id: action.turnId, message: action.message };
  return action.type === 'chat/pendingMessageSet' && action.kind === 'queued' ? action : undefined;
}

/** What the host has in its hands, or has had. What it has refused or passed over it has not. */
export const findAtHost = (facts: Facts): ReadonlySet<string> =>
  new Set([...listAccepted(facts), ...takenMarks(facts), ...toMarks(facts.host.chat.draft?.text ?? '')]);

/** `screens` is all that stands on some screen, in any form. */
export function findLost(facts: Facts, screens: readonly string[]): readonly string[] {
  const accepted = new Set([...listAccepted(facts), ...takenMarks(facts)]);
  const shown = new Set(screens.flatMap(toMarks));
  const lost = facts.ledger.owed.filter((mark) => !accepted.has(mark) && !shown.has(mark));
  return [...lost, ...findOtherChoices(facts)];
}

export function findDoubled(facts: Facts): readonly string[] {
  const { ledger, host, agent } = facts;
  const counts = new Map<string, number>();
  for (const mark of listAccepted(facts)) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  const marks = [...counts].filter(([mark, count]) => count > Math.max(1, ledger.sendings(mark))).map(([mark]) => mark);
  const calls = [...agent.decisions].filter(([, count]) => count > 1).map(([id]) => `decision on ${id}`);
  const runs = [...agent.runs].filter(([, count]) => count > 1).map(([id]) => `run of ${id}`);
  const answers = new Map<string, number>();
  for (const entry of host.journal) {
    if (entry.kind !== 'action') continue;
    const { type, toolCallId, requestId } = entry.action as { type: string; toolCallId?: string; requestId?: string };
    if (!answerTypes.includes(type)) continue;
    const id = `${type} ${toolCallId ?? requestId ?? ''}`;
    answers.set(id, (answers.get(id) ?? 0) + 1);
  }
  return [...marks, ...calls, ...runs, ...[...answers].filter(([, count]) => count > 1).map(([id]) => `answer ${id}`)];
}

const answerTypes = ['chat/toolCallConfirmed', 'chat/toolCallResultConfirmed', 'chat/inputCompleted'];

/** Where a screen does not show what the host has. */
export function findUntrue(world: World): readonly string[] {
  return world.alive.flatMap((sim, index) => {
    const { state, status } = sim.tab.store;
    if (status.phase !== 'live') return [`tab ${index} is ${status.phase}: ${status.error?.message ?? 'no reason'}`];
    if (status.pending > 0) return [`tab ${index} still waits for ${status.pending} proofs`];
    return difference(state, world.host.chat).map((what) => `tab ${index} shows other ${what} than the host has`);
  });
}

function difference(shown: ChatState | undefined, real: ChatState): readonly string[] {
  if (!shown) return ['state (none)'];
  const tail = shown.turns.length === 0 ? [] : real.turns.slice(-shown.turns.length);
  const parts: readonly (readonly [string, unknown, unknown])[] = [
    ['turns', shown.turns, tail],
    ['running turn', shown.activeTurn, real.activeTurn],
    ['queue', shown.queuedMessages ?? [], real.queuedMessages ?? []],
    ['steering message', shown.steeringMessage, real.steeringMessage],
    ['status', shown.status, real.status],
  ];
  return parts.filter(([, ours, theirs]) => !isEqual(ours, theirs)).map(([what]) => what);
}

export const examine = (world: World): Findings => ({
  lost: findLost(world, world.alive.map(onScreen)),
  doubled: findDoubled(world),
  untrue: [...findUntrue(world), ...world.neglected.map((id) => `no page has run ${id}`)],
});

/** What is still open after everything was closed. */
export function findOpen(world: World): readonly string[] {
  const { environment, network, sim, tabs } = world;
  const counted: readonly (readonly [string, number])[] = [
    ['connections', network.openLinks],
    ['timers', environment.clock.pendingTimers],
    ['transactions', sim.pending],
    ['listeners of pages', tabs.reduce((sum, { document }) => sum + (document.isDead ? 0 : document.listeners), 0)],
    [
      'listeners of mirrors',
      tabs.reduce((sum, { document, mirror }) => sum + (document.isDead ? 0 : mirror.listeners), 0),
    ],
    ['open mirrors', tabs.filter(({ document, mirror }) => !document.isDead && !mirror.isClosed).length],
    ['locks', world.locks === 'none' ? 0 : world.locks.held],
  ];
  return counted.filter(([, count]) => count > 0).map(([what, count]) => `${count} ${what}`);
}
