/**
 * What a tool is, for both agents: it says what it takes, what it will do before it does it, and gives its result twice,
 * as data for the program that called it and as text for people and models. How a call travels is `tool-call.ts`.
 */

import type { Host } from '../../../src/host/create-host.js';
import type { TurnHandle } from '../../../src/host/turn-handle.js';
import type { FileEdit, StringOrMarkdown, ToolContributor, ToolResultContent } from '../../../src/protocol/state.js';
import type { ContentStore } from '../workspace/content.js';
import type { Workspace } from '../workspace/workspace.js';
import type { Background } from './background.js';
import type { Judgement } from './judge.js';
import type { Market } from './market.js';
import type { Scope } from './permissions.js';
import type { Terminals } from './terminals.js';
import { readValues, toSchema, type Fields, type JsonObject, type ValuesOf } from './tool-input.js';
import type { Pace } from './voice.js';

/** What every session of an agent shares. */
export interface AgentParts {
  readonly workspace: Workspace;
  readonly contents: ContentStore;
  readonly terminals: Terminals;
  readonly background: Background;
  readonly market: Market;
  readonly pace: Pace;
  readonly createId: () => string;
}

/** Whoever calls tools: one turn of one agent. */
export interface ToolCaller extends AgentParts {
  readonly turn: TurnHandle;
  readonly host: Host;
}

/** A call that may run now. */
export interface RunningCall {
  readonly caller: ToolCaller;
  readonly toolCallId: string;
  readonly signal: AbortSignal;
  /** Shows content while the call runs; each time all of it. */
  show(content: readonly ToolResultContent[]): void;
}

/** A call that has been worked out and waits to be carried out. */
export interface PreparedCall<Data> {
  /** "Reading `a.md`" */
  readonly doing: StringOrMarkdown;
  /** "Read `a.md`" */
  readonly done: StringOrMarkdown;
  /** Present: a person must allow it. */
  readonly confirmation?: {
    readonly title: string;
    /** What may be allowed for the session instead of this call only, the narrowest first. */
    readonly scopes: readonly Scope[];
    readonly edits?: readonly FileEdit[];
    /** Whether the person may change the input. */
    readonly editable?: boolean;
    /** How safe the call looks. */
    judge(): Promise<Judgement>;
  };
  /** It only looks: doing it twice does no harm. */
  readonly isRepeatable?: true;
  /** The result comes from outside: a person looks at it before it is used. */
  readonly reviewsResult?: boolean;
  run(call: RunningCall): Promise<ToolOutput<Data>>;
}

export interface ToolOutput<Data> {
  readonly data: Data;
  /** For models, and for people where there is no `content`. */
  readonly text: string;
  readonly content?: readonly ToolResultContent[];
  /** Present: the tool did run, and what it ran failed. */
  readonly failure?: string;
}

export interface Tool<Data = unknown> {
  readonly name: string;
  readonly displayName: string;
  /** For a model. */
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** Absent: a tool of the host. */
  readonly contributor?: ToolContributor;
  /** Throws `WorkspaceError`. `input` is untrusted. */
  prepare(input: JsonObject, caller: ToolCaller): Promise<PreparedCall<Data>>;
}

export function defineTool<F extends Fields, Data>(tool: {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly contributor?: ToolContributor;
  readonly fields: F;
  prepare(values: ValuesOf<F>, caller: ToolCaller): Promise<PreparedCall<Data>>;
}): Tool<Data> {
  const { fields, prepare, ...words } = tool;
  return {
    ...words,
    inputSchema: toSchema(fields),
    prepare: async (input, caller) => prepare(readValues(fields, input), caller),
  };
}

export const code = (words: string): string => `\`${words.replaceAll('`', "'")}\``;

/** "Reading `a.md`" and "Read `a.md`" */
export const says = (doing: string, done: string, what: string): Pick<PreparedCall<unknown>, 'doing' | 'done'> => ({
  doing: { markdown: `${doing} ${what}` },
  done: { markdown: `${done} ${what}` },
});
