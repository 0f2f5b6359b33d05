import { expect } from '@open-wc/testing';
import {
  capText,
  exitCodeOf,
  findCommands,
  hasExited,
  terminalReducer,
  terminalText,
} from '../../src/channels/terminal.js';
import type { TerminalAction } from '../../src/protocol/actions.js';
import type { TerminalPart, TerminalState } from '../../src/protocol/state.js';
import { freeze } from '../helpers/chat-states.js';

const terminal = (content: readonly TerminalPart[] = [], members: Partial<TerminalState> = {}): TerminalState =>
  freeze({ title: 'T', content, claim: { kind: 'client', clientId: 'c' }, ...members });
const reduce = (state: TerminalState, ...actions: readonly object[]): TerminalState =>
  actions.reduce<TerminalState>(
    (before, action) => freeze(terminalReducer(before, freeze(action) as TerminalAction)),
    state,
  );

const data = (text: string) => ({ type: 'terminal/data', data: text });
const executed = (commandId: string) => ({
  type: 'terminal/commandExecuted',
  commandId,
  commandLine: `run ${commandId}`,
  timestamp: 5,
});
const text = (value: string): TerminalPart => ({ type: 'unclassified', value });

describe('a terminal', () => {
  it('grows where text belongs: loose text, the running command, loose text again', () => {
    const state = reduce(
      terminal(),
      data('$ '),
      data('run'),
      executed('1'),
      data('out'),
      data('put'),
      { type: 'terminal/commandFinished', commandId: '1', exitCode: 2, durationMs: 7 },
      data('$ '),
    );

    expect(state.content).to.deep.equal([
      text('$ run'),
      {
        type: 'command',
        commandId: '1',
        commandLine: 'run 1',
        output: 'output',
        timestamp: 5,
        isComplete: true,
        exitCode: 2,
        durationMs: 7,
      },
      text('$ '),
    ]);
    expect(state.supportsCommandDetection).to.equal(true);
    expect(terminalText(state)).to.equal('$ runoutput$ ');
  });

  it('keeps text out of parts of later versions, and those in the state', () => {
    const later = { type: 'picture', pixels: 3 } as unknown as TerminalPart;

    const state = reduce(terminal([later]), data('x'));

    expect(state.content).to.deep.equal([later, text('x')]);
    expect(terminalText(state)).to.equal('x');
  });

  it('tells its end in both versions’ words', () => {
    const ended = reduce(terminal([], { lifecycle: { status: 'running' } }), { type: 'terminal/exited', exitCode: 3 });

    expect(ended).to.deep.include({ lifecycle: { status: 'exited', exitCode: 3 }, exitCode: 3 });
    expect([hasExited(ended), exitCodeOf(ended)]).to.deep.equal([true, 3]);
    expect([hasExited(terminal()), exitCodeOf(terminal())]).to.deep.equal([false, undefined]);
    expect(hasExited(terminal([], { exitCode: 0 })), 'up to 0.8').to.equal(true);
    expect(hasExited(terminal([], { lifecycle: { status: 'running' }, exitCode: 0 }))).to.equal(false);
    const silent = reduce(terminal(), { type: 'terminal/exited' });
    expect([hasExited(silent), exitCodeOf(silent)]).to.deep.equal([true, undefined]);
  });

  it('sets what it is told, and is cleared', () => {
    const state = reduce(
      terminal([text('x')]),
      { type: 'terminal/titleChanged', title: 'New' },
      { type: 'terminal/cwdChanged', cwd: 'file:///w' },
      { type: 'terminal/resized', cols: 80, rows: 25 },
      { type: 'terminal/claimed', claim: { kind: 'session', session: 's' } },
      { type: 'terminal/commandDetectionAvailable' },
      { type: 'terminal/cleared' },
    );

    expect(state).to.deep.equal({
      title: 'New',
      cwd: 'file:///w',
      cols: 80,
      rows: 25,
      claim: { kind: 'session', session: 's' },
      supportsCommandDetection: true,
      content: [],
    });
  });

  it('is the same object for what changes nothing', () => {
    const state = terminal([], { title: 'T', supportsCommandDetection: true });

    for (const action of [
      data(''),
      { type: 'terminal/data' },
      { type: 'terminal/input', data: 'x' },
      { type: 'terminal/cleared' },
      { type: 'terminal/titleChanged', title: 'T' },
      { type: 'terminal/commandFinished', commandId: 'none' },
      { type: 'terminal/commandExecuted' },
      { type: 'terminal/commandDetectionAvailable' },
      { type: 'terminal/resized', cols: 80 },
      { type: 'terminal/claimed' },
      { type: 'terminal/later' },
    ]) {
      expect(reduce(state, action), action.type).to.equal(state);
    }
    expect(terminalReducer(state, undefined as never)).to.equal(state);
  });

  it('keeps the newest of its text once there is clearly too much', () => {
    const full = terminal([text('a'.repeat(60)), text('b'.repeat(40))]);
    expect(capText(full, 100)).to.equal(full);
    expect(capText(full, 80)).to.equal(full);

    expect(terminalText(capText(full, 50))).to.equal('a'.repeat(10) + 'b'.repeat(40));
    expect(capText(full, 40).content).to.deep.equal([full.content[1]]);
    const emoji = terminal([text('😊'.repeat(10))]);
    expect(terminalText(capText(emoji, 5))).to.equal('😊😊');
  });

  it('counts what it let go of, so that whoever follows the text knows where it is', () => {
    const once = capText(terminal([text('a'.repeat(100))]), 40);
    const twice = capText(freeze({ ...once, content: [...once.content, text('b'.repeat(30))] }), 40);

    expect([once.droppedText, twice.droppedText]).to.deep.equal([60, 90]);
    expect(terminalText(twice)).to.equal('a'.repeat(10) + 'b'.repeat(30));
    expect(reduce(twice, data('c'))).to.have.property('droppedText', 90);
  });

  it('tells commands and where they begin, where the host says that it can', () => {
    const state = reduce(terminal([text('$ run\n')]), executed('1'), data('out'), executed('2'));

    expect(findCommands({ ...state, droppedText: 10 })).to.deep.equal([
      { id: '1', line: 'run 1', offset: 16, isComplete: false },
      { id: '2', line: 'run 2', offset: 19, isComplete: false },
    ]);
    expect(findCommands({ ...state, supportsCommandDetection: false })).to.deep.equal([]);
  });
});
