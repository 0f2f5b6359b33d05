/** A terminal channel: its output in parts, and how it ended. Pure. Source: AHP, terminal channel. */

import type { TerminalAction, UnknownAction } from '../protocol/actions.js';
import { withField } from '../protocol/record.js';
import type { TerminalCommand, TerminalPart, TerminalState } from '../protocol/state.js';

/** Total: an action without effect, or of another channel, gives the very same object back. */
export function terminalReducer(state: TerminalState, unknownAction: TerminalAction | UnknownAction): TerminalState {
  // An action of a later version falls through to `default`.
  const action = unknownAction as TerminalAction;
  switch (action.type) {
    case 'terminal/data':
      return typeof action.data === 'string' && action.data !== '' ? appendData(state, action.data) : state;
    case 'terminal/commandExecuted': {
      const { commandId, commandLine, timestamp } = action;
      const command: TerminalCommand = {
        type: 'command',
        commandId,
        commandLine,
        output: '',
        timestamp,
        isComplete: false,
      };
      return { ...state, content: [...state.content, command], supportsCommandDetection: true };
    }
    case 'terminal/commandFinished':
      return finishCommand(state, action);
    case 'terminal/commandDetectionAvailable':
      return withField(state, 'supportsCommandDetection', true);
    case 'terminal/exited': {
      const { exitCode } = action;
      const lifecycle = { status: 'exited', ...(exitCode !== undefined && { exitCode }) } as const;
      return withField(withField(state, 'exitCode', exitCode), 'lifecycle', lifecycle);
    }
    case 'terminal/cleared':
      return withField(state, 'content', []);
    case 'terminal/titleChanged':
      return withField(state, 'title', action.title);
    case 'terminal/cwdChanged':
      return withField(state, 'cwd', action.cwd);
    case 'terminal/resized':
      return withField(withField(state, 'cols', action.cols), 'rows', action.rows);
    case 'terminal/claimed':
      return withField(state, 'claim', action.claim);
    default:
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

/** The part with more output, if it is one that still takes some. */
function grow(part: TerminalPart, data: string): TerminalPart | undefined {
  if (part.type === 'unclassified') return { ...part, value: part.value + data };
  return part.type === 'command' && !part.isComplete ? { ...part, output: part.output + data } : undefined;
}

function finishCommand(
  state: TerminalState,
  { commandId, exitCode, durationMs }: Extract<TerminalAction, { type: 'terminal/commandFinished' }>,
): TerminalState {
  const content = state.content.map((part) =>
    part.type === 'command' && part.commandId === commandId
      ? {
          ...part,
          isComplete: true,
          ...(exitCode !== undefined && { exitCode }),
          ...(durationMs !== undefined && { durationMs }),
        }
      : part,
  );
  return withField(state, 'content', content);
}
