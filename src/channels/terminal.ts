/**
 * A terminal as it is watched: text that grows, in commands where the host can tell them apart. Nothing here is ever
 * written to one. Pure and total; no effect, same object. Source: AHP, terminal channel parts.
 */

import type { TerminalAction, UnknownAction } from '../protocol/actions.js';
import { compose, isRecord, withField } from '../protocol/record.js';
import type { TerminalPart, TerminalState } from '../protocol/state.js';

export function terminalReducer(state: TerminalState, unknownAction: TerminalAction | UnknownAction): TerminalState {
  // An action of a later version falls through to `default`.
  const action = unknownAction as TerminalAction;
  switch (action?.type) {
    case 'terminal/data':
      return typeof action.data === 'string' && action.data !== '' ? appendData(state, action.data) : state;
    case 'terminal/commandExecuted': {
      const { commandId, commandLine, timestamp } = action;
      if (typeof commandId !== 'string') return state;
      const command = { type: 'command' as const, commandId, commandLine, output: '', timestamp, isComplete: false };
      return { ...state, content: [...state.content, command], supportsCommandDetection: true };
    }
    case 'terminal/commandFinished':
      return finishCommand(state, action);
    case 'terminal/commandDetectionAvailable':
      return withField(state, 'supportsCommandDetection', true);
    case 'terminal/exited': {
      const { exitCode } = action;
      // One form up to 0.8, the other from 0.9 on: whoever reads either finds it.
      const exited = compose({ status: 'exited' as const }, { exitCode });
      return withField(withField(state, 'lifecycle', exited), 'exitCode', exitCode ?? state.exitCode);
    }
    case 'terminal/cleared':
      return state.content.length === 0 ? state : { ...state, content: [] };
    case 'terminal/titleChanged':
      return typeof action.title === 'string' ? withField(state, 'title', action.title) : state;
    case 'terminal/cwdChanged':
      return typeof action.cwd === 'string' ? withField(state, 'cwd', action.cwd) : state;
    case 'terminal/resized':
      return Number.isFinite(action.cols) && Number.isFinite(action.rows)
        ? withField(withField(state, 'cols', action.cols), 'rows', action.rows)
        : state;
    case 'terminal/claimed':
      return isRecord(action.claim) ? withField(state, 'claim', action.claim) : state;
    default:
      action satisfies never;
      return state;
  }
}

function appendData(state: TerminalState, data: string): TerminalState {
  const last = state.content.at(-1);
  const grown = last && grow(last, data);
  const content = grown
    ? state.content.with(-1, grown)
    : [...state.content, { type: 'unclassified' as const, value: data }];
  return { ...state, content };
}

/** The part with more at its end; `undefined` for one that takes no more. */
function grow(part: TerminalPart, data: string): TerminalPart | undefined {
  if (part.type === 'unclassified') return { ...part, value: part.value + data };
  return part.type === 'command' && !part.isComplete ? { ...part, output: part.output + data } : undefined;
}

function finishCommand(
  state: TerminalState,
  action: Extract<TerminalAction, { type: 'terminal/commandFinished' }>,
): TerminalState {
  const { commandId, exitCode, durationMs } = action;
  const content = state.content.map((part) =>
    part.type === 'command' && part.commandId === commandId && !part.isComplete
      ? compose(part, { isComplete: true, exitCode, durationMs })
      : part,
  );
  return content.every((part, index) => part === state.content[index]) ? state : { ...state, content };
}

/** What the terminal printed, escape sequences and all. */
export const terminalText = (state: TerminalState): string => state.content.map(textOf).join('');

/** Parts of later versions have no text. */
const textOf = (part: TerminalPart): string =>
  (part.type === 'command' ? part.output : part.type === 'unclassified' ? part.value : '') ?? '';

/** Whether the terminal has ended, in either version's words. */
export const hasExited = (state: TerminalState): boolean =>
  state.lifecycle ? state.lifecycle.status === 'exited' : state.exitCode !== undefined;

export const exitCodeOf = (state: TerminalState): number | undefined =>
  (state.lifecycle?.status === 'exited' ? state.lifecycle.exitCode : undefined) ?? state.exitCode;

/** In UTF-16 units: what a reader keeps of a terminal that never ends. */
export const MAX_TERMINAL_TEXT = 1024 * 1024;

/** A terminal as a reader keeps it. */
export interface WatchedTerminal extends TerminalState {
  /** UTF-16 units that stood before `content` and were let go. */
  readonly droppedText?: number;
}

/**
 * The terminal without the oldest of its text, once it holds clearly more than `limit`: a cut now and then instead of one
 * for each piece. For readers; a host keeps what it keeps.
 */
export function capText(state: WatchedTerminal, limit = MAX_TERMINAL_TEXT): WatchedTerminal {
  const total = state.content.reduce((sum, part) => sum + textOf(part).length, 0);
  if (total <= limit * 1.25) return state;
  const kept: TerminalPart[] = [];
  let left = 0;
  for (let at = state.content.length - 1, rest = limit; at >= 0 && rest > 0; at--) {
    const part = state.content[at] as TerminalPart;
    const text = textOf(part);
    // Never through a surrogate pair.
    const end = text.length <= rest ? text : text.slice(-rest).replace(/^[\uDC00-\uDFFF]/, '');
    kept.push(end === text ? part : withText(part, end));
    left += end.length;
    rest -= text.length;
  }
  return { ...state, content: kept.reverse(), droppedText: (state.droppedText ?? 0) + total - left };
}

const withText = (part: TerminalPart, text: string): TerminalPart =>
  part.type === 'command' ? { ...part, output: text } : { ...part, value: text };

/** What `terminalReducer` makes of it, bounded. */
export const watchTerminal = (state: WatchedTerminal, action: TerminalAction | UnknownAction): WatchedTerminal =>
  capText(terminalReducer(state, action));

/** A command where the host can tell where one begins and ends. */
export interface CommandMark {
  readonly id: string;
  readonly line: string;
  /** In UTF-16 units from the beginning of the terminal's text, what was let go included. */
  readonly offset: number;
  readonly isComplete: boolean;
  readonly exitCode?: number;
  readonly durationMs?: number;
}

/** None where the host does not say that it can tell commands apart. */
export function findCommands(state: WatchedTerminal): readonly CommandMark[] {
  if (state.supportsCommandDetection !== true) return [];
  let offset = state.droppedText ?? 0;
  return state.content.flatMap((part) => {
    const start = offset;
    offset += textOf(part).length;
    if (part.type !== 'command') return [];
    const { commandId, commandLine, isComplete, exitCode, durationMs } = part;
    return compose({ id: commandId, line: commandLine ?? '', offset: start, isComplete }, { exitCode, durationMs });
  });
}
