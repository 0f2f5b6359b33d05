/**
 * The `workspace` agent: no model, no key, no network. It reads a request by rules, does what it says with the same tools
 * the `model` agent has, and answers with what came out. A tool that fails or is denied ends its step, in words; only
 * what should not happen fails the turn.
 */

import type { ResponsePart } from '../../../../src/protocol/state.js';
import type { TurnHandle } from '../../../../src/host/turn-handle.js';
import type { ToolCaller } from '../tool.js';
import { Replay } from '../replay.js';
import { Voice } from '../voice.js';
import { handlers } from './handlers.js';
import { parseRequest, type Intent } from './intents.js';
import { mannerOf } from './manner.js';
import { plain } from './markdown.js';
import { Setback, Work } from './work.js';

/** A chain of suggestions ends here. */
const maxSteps = 24;

export async function runWorkspaceTurn(caller: ToolCaller): Promise<void> {
  const { turn } = caller;
  const replay = new Replay(turn);
  const voice = new Voice(turn, caller.pace, caller.createId, replay);
  const work = new Work(caller, voice, replay);
  const steps = parseRequest(turn.message.text);
  if (turn.message.origin.kind === 'systemNotification') {
    await voice.say(`I was told: ${turn.message.text}`);
    return;
  }
  if (steps.length === 0) steps.push({ kind: 'unknown', text: turn.message.text });
  if (turn.state.turns.length === 0) await sayOrigin(work, turn);
  for (let done = 0; steps.length > 0 && done < maxSteps; done++) {
    const step = steps.shift();
    if (step) steps.unshift(...(await takeStep(work, step)));
    const steering = takeSteering(turn);
    if (steering !== undefined) {
      await voice.say(`You added: ${plain(steering)}`);
      steps.unshift(...parseRequest(steering));
    }
    reportUsage(caller, done + 1);
  }
}

/** A side chat begins with what it is about. */
async function sayOrigin({ voice }: Work, { state: { origin } }: TurnHandle): Promise<void> {
  if (origin?.kind !== 'sideChat' || !origin.selection) return;
  await voice.say(`You ask about “${plain(origin.selection.text)}”.`);
}

/** Returns what to do next because of what happened. */
async function takeStep(work: Work, step: Intent): Promise<Intent[]> {
  try {
    await handle(work, step);
    return [];
  } catch (error) {
    if (!(error instanceof Setback)) throw error;
    await work.voice.say(error.message);
    if (error.suggestion === undefined) return [];
    await work.voice.say(`You said instead: ${plain(error.suggestion)}`);
    return parseRequest(error.suggestion);
  }
}

function handle<Kind extends Intent['kind']>(work: Work, step: Intent & { kind: Kind }): Promise<void> {
  // The table's type says that each kind has the handler of that kind; the compiler cannot follow it through the index.
  const handler = handlers[step.kind] as (work: Work, step: Intent & { kind: Kind }) => Promise<void>;
  return handler(work, step);
}

/** Rules count no tokens; four characters to one is the usual guess, and is said to be one. */
function reportUsage({ turn }: ToolCaller, steps: number): void {
  const lengthOf = (part: ResponsePart): number =>
    part.kind === 'markdown' || part.kind === 'reasoning' ? part.content.length : 0;
  const written = turn.turn?.responseParts.reduce((sum, part) => sum + lengthOf(part), 0) ?? 0;
  const inputTokens = Math.ceil(turn.message.text.length / 4);
  const usage = {
    model: mannerOf(turn.message).model,
    inputTokens,
    outputTokens: Math.ceil(written / 4),
    _meta: { 'ahp-chat-demo/steps': steps },
  };
  turn.dispatch({ type: 'chat/usage', usage });
}

function takeSteering(turn: TurnHandle): string | undefined {
  return turn.takeSteering()?.message.text;
}
