/**
 * Who decided about a call, and what. The state tells what was decided and whether a person did it; that it was this
 * person, or somebody else while this one looked on, is known only where it happened. Pure but for the memory it is given.
 */

import type { Strings } from '../../i18n/strings.js';
import type { ToolCallState } from '../../protocol/state.js';
import { toLabel } from '../label.js';
import type { ViewMemory } from '../transcript/view-memory.js';

type Stage = 'call' | 'result';

/** What a call waits to be told, if it does. */
export const stageOf = (call: ToolCallState | undefined): Stage | undefined =>
  call?.status === 'pending-confirmation'
    ? 'call'
    : call?.status === 'pending-result-confirmation'
      ? 'result'
      : undefined;

/** To be called when an answer was given here. */
export function noteAnswer({ decisions }: ViewMemory, key: string, stage: Stage, approved: boolean): void {
  decisions.set(`${key} ${stage}`, { by: 'here', approved });
}

/** To be called when `call` is shown where `before` was. `isAnswered`: an answer of this person is under way. */
export function noteChange(
  memory: ViewMemory,
  key: string,
  call: ToolCallState,
  before: ToolCallState | undefined,
  isAnswered: boolean,
): void {
  const { decisions, texts } = memory;
  const stage = stageOf(call);
  // Asked still, or again: what was decided before has been refused, or is about an earlier question.
  if (stage && !isAnswered) decisions.delete(`${key} ${stage}`);
  if (stage !== 'call' && !isAnswered) for (const field of fields) texts.delete(`${key} ${field}`);
  const asked = stageOf(before);
  if (!asked || asked === stage || before?.toolCallId !== call.toolCallId) return;
  const approved = isApproved(call, asked);
  if (approved === undefined) return;
  const mine = decisions.get(`${key} ${asked}`);
  // One that says the opposite was not the one that counted.
  if (mine?.approved !== approved) decisions.set(`${key} ${asked}`, { by: 'elsewhere', approved });
}

/** The fields of a confirmation that keep their text in the memory. */
export const fields = ['input', 'suggestion'] as const;

/** Nothing where nobody has decided: the turn ended, or no answer was needed. */
function isApproved(call: ToolCallState, asked: Stage): boolean | undefined {
  if (call.status === 'cancelled') return call.reason === 'skipped' ? undefined : false;
  if (asked === 'result') return call.status === 'completed' ? true : undefined;
  return 'confirmed' in call && call.confirmed === 'user-action' ? true : undefined;
}

/** Who let it run, where somebody had to; empty where nobody had. */
export function toApproval(call: ToolCallState, memory: ViewMemory, key: string, strings: Strings): string {
  if (!('confirmed' in call)) return '';
  const { confirmed, selectedOption } = call;
  if (confirmed === 'not-needed' && !selectedOption) return '';
  const by = find(memory, `${key} call`, true);
  const word =
    confirmed === 'setting'
      ? strings.confirmedBySetting
      : by === 'here'
        ? strings.confirmedByYou
        : by === 'elsewhere'
          ? strings.confirmedElsewhere
          : confirmed === 'user-action'
            ? strings.confirmedByUser
            : strings.confirmed;
  return withOption(word, selectedOption?.label, strings);
}

/** Who ended it: this person, somebody else, or nobody because the turn was over. */
export function toRefusal(
  { reason, selectedOption }: Extract<ToolCallState, { status: 'cancelled' }>,
  memory: ViewMemory,
  key: string,
  strings: Strings,
): string {
  if (reason === 'skipped') return strings.toolSkipped;
  if (reason === 'result-denied') {
    const by = find(memory, `${key} result`, false);
    if (by === 'here') return strings.toolResultDeniedByYou;
    return by === 'elsewhere' ? strings.toolResultDeniedElsewhere : strings.toolResultDenied;
  }
  if (reason !== 'denied') return strings.toolCancelled;
  const by = find(memory, `${key} call`, false);
  const word =
    by === 'here' ? strings.toolDeniedByYou : by === 'elsewhere' ? strings.toolDeniedElsewhere : strings.toolDenied;
  return withOption(word, selectedOption?.label, strings);
}

function find({ decisions }: ViewMemory, key: string, approved: boolean): 'here' | 'elsewhere' | undefined {
  const decision = decisions.get(key);
  return decision?.approved === approved ? decision.by : undefined;
}

const withOption = (word: string, label: string | undefined, strings: Strings): string =>
  label ? strings.decidedWith(word, toLabel(label)) : word;
