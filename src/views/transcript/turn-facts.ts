/** What the transcript asks about one turn. Pure. */

import type { ToolCallState, Turn } from '../../protocol/state.js';

/** The host offers to go on with it. */
export function isResumable(turn: Turn): boolean {
  const last = turn.responseParts?.at(-1);
  return turn.state === 'error' && last?.kind === 'error' && last.resumable === true;
}

/**
 * Whether its message may be sent once more without a second thought: the turn did not come to its end, and no tool has run
 * in it whose effect a second run would have again.
 */
export function isRetryable(turn: Turn): boolean {
  if (turn.state === 'complete' || isResumable(turn)) return false;
  // What was under way when the turn ended counts as skipped, and may have done half of its work.
  const isHarmless = (call: ToolCallState) => call?.status === 'cancelled' && call.reason === 'denied';
  return !turn.responseParts?.some((part) => part?.kind === 'toolCall' && !isHarmless(part.toolCall));
}
