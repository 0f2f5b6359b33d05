/** A failure on purpose, once in a turn: when it is resumed it goes on. */

import type { ToolCaller } from '../tool.js';

/** Fails the turn, unless it has failed before. */
export function failOnce({ turn }: ToolCaller): void {
  if (turn.turn?.responseParts.some(({ kind }) => kind === 'error')) return;
  turn.fail({ errorType: 'asked-to-fail', message: 'The turn was asked to fail, and did.' }, { resumable: true });
  turn.signal.throwIfAborted();
}
