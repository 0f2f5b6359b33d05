/** What the handlers of the `workspace` agent work with: a voice, the tools, and the files by the names people use. */

import type {
  ChatInputRequest,
  InputRequestPart,
  ResponsePart,
  ToolCallPart,
  ToolCallState,
} from '../../../../src/protocol/state.js';
import { readText } from '../../workspace/files.js';
import { normalisePath, WorkspaceError, type Entry } from '../../workspace/workspace.js';
import { answersTo, ask, type Answers } from '../ask.js';
import type { Replay } from '../replay.js';
import type { Tool, ToolCaller } from '../tool.js';
import { carryOut, goOnWith, openCall, type ToolOutcome } from '../tool-call.js';
import { pause, toPieces, type Voice } from '../voice.js';
import type { FileText } from './answers.js';

/** A tool could not do its work, or was not allowed to; the turn goes on with what can be said about it. */
export class Setback extends Error {
  /** What the person wants instead. */
  readonly suggestion: string | undefined;

  constructor(message: string, suggestion?: string) {
    super(message);
    this.suggestion = suggestion;
  }
}

export class Work {
  readonly caller: ToolCaller;
  readonly voice: Voice;
  readonly #replay: Replay;

  constructor(caller: ToolCaller, voice: Voice, replay: Replay) {
    this.#replay = replay;
    this.caller = caller;
    this.voice = voice;
  }

  /** Calls a tool, its input appearing piece by piece as if it were written. */
  async attempt<Data>(
    tool: Tool<Data>,
    input: Readonly<Record<string, unknown>>,
    intention?: string,
  ): Promise<ToolOutcome<Data>> {
    for (let old = this.#takeCall(tool); old; old = this.#takeCall(tool)) {
      const outcome = await goOnWith(this.caller, tool, old);
      if (outcome) return outcome;
    }
    const call = openCall(this.caller, tool, intention);
    const text = JSON.stringify(input);
    for (const piece of toPieces(text, Math.max(16, Math.ceil(text.length / 40)))) {
      call.write(piece);
      await pause(this.caller.pace.delayMs, this.caller.turn.signal);
    }
    return carryOut(this.caller, tool, call, text);
  }

  #takeCall({ name }: Pick<Tool, 'name'>): ToolCallState | undefined {
    const isCall = (part: ResponsePart): part is ToolCallPart =>
      part.kind === 'toolCall' && part.toolCall.toolName === name;
    return this.#replay.take(isCall)?.toolCall;
  }

  /** Shows a part of its own, once. */
  show(part: Extract<ResponsePart, { kind: 'contentRef' | 'systemNotification' }>): void {
    const isSame = (old: ResponsePart): old is typeof part => old.kind === part.kind;
    if (!this.#replay.take(isSame)) this.caller.turn.dispatch({ type: 'chat/responsePart', part });
  }

  /** Calls a tool whose failure ends the step. Throws `Setback`. */
  async call<Data>(tool: Tool<Data>, input: Readonly<Record<string, unknown>>, intention?: string): Promise<Data> {
    const outcome = await this.attempt(tool, input, intention);
    if (outcome.kind === 'done') return outcome.data;
    if (outcome.kind === 'failed') throw new Setback(outcome.message);
    throw new Setback('You did not allow it, so nothing was done.', outcome.suggestion);
  }

  /** Every file below a folder. */
  async files(path = '.'): Promise<readonly Entry[]> {
    const { entries } = await this.caller.workspace.list(path, Infinity);
    return entries.filter((entry) => entry.type === 'file');
  }

  /**
   * The path people mean: as given, in other letters, or the one file or folder of that name. Where several fit the
   * person is asked; a path that fits nothing is returned as it is, and the tool will say what is wrong with it.
   */
  async findPath(name: string): Promise<string> {
    let clean: string;
    try {
      // A completion puts an at sign before the path.
      clean = normalisePath(name.replace(/^@/, ''));
    } catch {
      return name;
    }
    const { entries } = await this.caller.workspace.list('.', Infinity);
    const paths = entries.map((entry) => entry.path);
    if (clean === '.' || paths.includes(clean)) return clean;
    const wanted = clean.toLowerCase();
    const same = (path: string): boolean => {
      const own = path.toLowerCase();
      const last = own.split('/').at(-1) ?? '';
      return own === wanted || own.endsWith(`/${wanted}`) || last.replace(/\.\w+$/, '') === wanted;
    };
    const found = paths.filter(same);
    return found.length > 1 ? this.#choosePath(name, found) : (found[0] ?? clean);
  }

  /** Several paths fit: whoever asked knows which. Throws `Setback` when no answer is given. */
  async #choosePath(name: string, paths: readonly string[]): Promise<string> {
    const options = paths.map((path) => ({ id: path, label: path }));
    const message = `Which one is "${name}"?`;
    const { values } = await this.ask({
      questions: [{ id: 'path', kind: 'single-select', message, options, required: true }],
    });
    const chosen = paths.find((path) => path === values.path);
    if (chosen === undefined) throw new Setback('Then I leave it.');
    return chosen;
  }

  /** Asks the person; see `ask.ts`. */
  ask(request: Omit<ChatInputRequest, 'id'>): Promise<Answers> {
    const isRequest = (part: ResponsePart): part is InputRequestPart => part.kind === 'inputRequest';
    const old = this.#replay.take(isRequest);
    return old
      ? answersTo(this.caller.turn, old.request.id)
      : ask(this.caller.turn, { ...request, id: this.caller.createId() });
  }

  /** The texts of some files; what is not text is left out. */
  async texts(paths: readonly string[]): Promise<FileText[]> {
    const texts: FileText[] = [];
    for (const path of paths) {
      this.caller.turn.signal.throwIfAborted();
      try {
        texts.push({ path, text: await readText(this.caller.workspace, path) });
      } catch (error) {
        if (!(error instanceof WorkspaceError)) throw error;
      }
    }
    return texts;
  }
}
