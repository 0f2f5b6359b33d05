/**
 * The reducer and reconciliation: CPU time per action, beside the obvious ways to write a reducer. `npm run bench -- reducer`,
 * or this file alone with tsx.
 */

import { fileURLToPath } from 'node:url';
import type { ChatAction } from '../../src/protocol/actions.js';
import type { ChatState, Turn } from '../../src/protocol/state.js';
import { isReadChanged } from '../../src/chat/actions.js';
import { adoptSnapshot, createReconciled, enqueue, receive } from '../../src/chat/reconcile.js';
import { chatReducer } from '../../src/chat/reducer.js';
import type { Bench, BenchTools, Figures } from './bench.js';
import { copyEverything, mapOverAll } from './reducer/baselines.js';
import { chatOf, pagesOf, priorTurns, turnActions } from './reducer/workload.js';

type Reducer = (state: ChatState, action: ChatAction) => ChatState;

interface Case {
  readonly reducer: Reducer;
  readonly state: () => ChatState;
  readonly actions: () => readonly ChatAction[];
  /** The baseline that copies everything is measured by the few actions it has. */
  readonly isSlow?: boolean;
}

/** A collection throws optimised code away with the object shapes it was made for: so much it takes to be back. */
const WARM_UP_ACTIONS = 30_000;
const MEASURED_ACTIONS = 60_000;

const PRIOR = [0, 1_000, 10_000] as const;
const TOOLS = [10, 100, 1_000] as const;
const PAGE = 50;

const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => (made ??= make());
};

const turnsOf = new Map<number, () => readonly Turn[]>(PRIOR.map((count) => [count, once(() => priorTurns(count))]));
const prior = (count: number): readonly Turn[] => turnsOf.get(count)?.() ?? [];
const fiveTurns = once(() => Array.from({ length: 5 }, (_, index) => turnActions(`turn-${index}`)).flat());
/** Copying ten thousand turns takes so long that a few actions must do. */
const aFew = (count: number): readonly ChatAction[] => fiveTurns().slice(0, count);
const bigTurns = new Map(
  TOOLS.map((tools) => [tools, once(() => turnActions('t', { deltas: 2_200, tools, toolDeltas: 2 }))]),
);
const bigTurn = (tools: number): readonly ChatAction[] => bigTurns.get(tools as 10)?.() ?? [];

const cases = new Map<string, Case>();
for (const count of PRIOR) {
  const state = (): ChatState => chatOf(prior(count));
  const name = `after ${count.toLocaleString('en-US')} turns`;
  cases.set(`ours, ${name}`, { reducer: chatReducer, state, actions: fiveTurns });
  cases.set(`map, ${name}`, { reducer: mapOverAll, state, actions: fiveTurns });
  const few = count === 0 ? 400 : count === 1_000 ? 20 : 3;
  cases.set(`copy, ${name}`, { reducer: copyEverything, state, actions: () => aFew(few), isSlow: true });
}
for (const tools of TOOLS) {
  const shared = { state: () => chatOf([]), actions: () => bigTurn(tools) };
  const name = `${tools.toLocaleString('en-US')} calls in a turn`;
  cases.set(`ours, ${name}`, { reducer: chatReducer, ...shared });
  cases.set(`map, ${name}`, { reducer: mapOverAll, ...shared });
}
const pages = { state: () => chatOf([]), actions: once(() => pagesOf(prior(10_000), PAGE)), isSlow: true };
cases.set('ours, 10,000 turns in pages of 50', { reducer: chatReducer, ...pages });
cases.set('map, 10,000 turns in pages of 50', { reducer: mapOverAll, ...pages });

const PENDING = [0, 20] as const;
const pendingName = (count: number): string => `receive, ${count} pending`;

function measureReducer({ reducer, state, actions, isSlow = false }: Case, tools: BenchTools): Figures {
  const initial = state();
  const list = actions();
  return measureRuns(() => list.reduce(reducer, initial), list.length, isSlow, tools);
}

function measureRuns(run: () => unknown, actions: number, isSlow: boolean, tools: BenchTools): Figures {
  const repeat = isSlow ? 1 : Math.ceil(MEASURED_ACTIONS / actions);
  tools.collectGarbage();
  for (let done = 0; !isSlow && done < WARM_UP_ACTIONS; done += actions) run();
  const ms = tools.cpuMs(() => {
    for (let round = 0; round < repeat; round++) run();
  });
  return toFigures(ms, actions * repeat);
}

/** A stream from the host with this many own actions on top of it. */
function measureReceive(pending: number, tools: BenchTools): Figures {
  const entries = Array.from({ length: pending }, (_, index) => ({
    clientSeq: index,
    group: String(index),
    action: isReadChanged(true),
    sends: 1,
  }));
  const snapshot = { state: chatOf(prior(1_000)), fromSeq: 0 };
  const initial = enqueue(adoptSnapshot(createReconciled(), snapshot, [], 'me').next, entries);
  const list = fiveTurns().map((action, index) => ({ channel: 'ahp-chat:/bench', action, serverSeq: index + 1 }));
  const run = (): unknown => list.reduce((client, envelope) => receive(client, envelope, 'me').next, initial);
  return measureRuns(run, list.length, false, tools);
}

const toFigures = (ms: number, actions: number): Figures => ({
  actions,
  microsecondsPerAction: (ms / actions) * 1_000,
  actionsPerSecond: Math.round((actions / ms) * 1_000),
});

const bench: Bench = {
  title:
    'CPU time for one action: this reducer, a map over all parts, a copy of everything; and what is pending on top.',
  cases: [...cases.keys(), ...PENDING.map(pendingName)],
  columns: { microsecondsPerAction: 'µs per action', actionsPerSecond: 'actions per second', actions: 'actions' },
  ratio: { figure: 'microsecondsPerAction', to: 'ours, after 0 turns' },
  rounds: 9,
  measure(name, tools) {
    const item = cases.get(name);
    return item ? measureReducer(item, tools) : measureReceive(name === pendingName(0) ? 0 : 20, tools);
  },
  targets(result) {
    const ratio = (name: string, to: string): number => result.ratio('microsecondsPerAction', name, to);
    const spread = PRIOR.map((count) =>
      result.median(`ours, after ${count.toLocaleString('en-US')} turns`, 'microsecondsPerAction'),
    );
    return [
      {
        what: 'R1: a map over all parts, after 1,000 turns, against this reducer',
        value: ratio('map, after 1,000 turns', 'ours, after 1,000 turns'),
        bound: { atLeast: 1 },
      },
      {
        what: 'R1: slowest against fastest of 0, 1,000 and 10,000 turns before',
        value: Math.max(...spread) / Math.min(...spread),
        bound: { atMost: 1.15 },
      },
      {
        what: 'R2: a map over all parts, 1,000 calls in a turn, against this reducer',
        value: ratio('map, 1,000 calls in a turn', 'ours, 1,000 calls in a turn'),
        bound: { atLeast: 5 },
      },
      {
        what: 'R3: a page of 50 at 10,000 turns against indexing the turns for each page',
        value: ratio('ours, 10,000 turns in pages of 50', 'map, 10,000 turns in pages of 50'),
        bound: { atMost: 0.3 },
      },
    ];
  },
};

export default bench;

// The runner imports this module, so it is not waited for.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.argv.splice(2, 0, 'reducer');
  void import('./run.js');
}
