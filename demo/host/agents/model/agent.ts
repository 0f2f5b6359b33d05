/**
 * The `model` agent: asks a model, carries out the tools it calls, tells it what came out, and so on until it has nothing
 * more to call. What goes wrong with the endpoint fails the turn in plain words and lets the person resume it.
 */

import OpenAI, { APIConnectionError, APIError } from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { ErrorInfo, Turn, UsageInfo } from '../../../../src/protocol/state.js';
import type { Tool, ToolCaller } from '../tool.js';
import { carryOut, goOnWith, type ToolOutcome } from '../tool-call.js';
import { toolsFor } from '../toolbox.js';
import { Voice } from '../voice.js';
import type { ModelConfig } from './config.js';
import { denied, systemPrompt, toHistory, toMessages, toUserMessage } from './conversation.js';
import { streamReply, type Reply, type ReplyCall } from './reply.js';

/** Rounds of one turn: a model that goes round in circles is stopped. */
const maxRounds = 24;

export interface ModelAgent {
  run(caller: ToolCaller): Promise<void>;
}

/** An end of the turn that people may read. */
class ModelFailure extends Error {
  readonly errorType: string;

  constructor(errorType: string, message: string) {
    super(message);
    this.errorType = errorType;
  }
}

export function createModelAgent(config: ModelConfig): ModelAgent {
  const client = new OpenAI({
    baseURL: config.baseUrl,
    apiKey: config.key ?? 'none',
    organization: null,
    project: null,
    maxRetries: 2,
    timeout: 60_000,
    // Its log lines hold requests.
    logLevel: 'off',
  });
  return {
    async run(caller) {
      try {
        await converse(client, config, caller);
      } catch (error) {
        caller.turn.signal.throwIfAborted();
        const info = describeError(error, config.key);
        if (!info) throw error;
        caller.turn.fail(info, { resumable: true });
      }
    },
  };
}

async function converse(client: OpenAI, config: ModelConfig, caller: ToolCaller): Promise<void> {
  const { turn } = caller;
  const voice = new Voice(turn, caller.pace, caller.createId);
  const wanted = turn.message.model?.id;
  const model = wanted !== undefined && config.models.includes(wanted) ? wanted : config.models[0];
  if (turn.isResumed) await goOnWithCalls(caller);
  const messages: ChatCompletionMessageParam[] = [
    { role: 'system', content: systemPrompt(caller.workspace.title) },
    ...toHistory([...contextOf(caller), ...turn.state.turns]),
    ...selectionOf(caller),
    ...(turn.turn ? toMessages(turn.turn) : [toUserMessage(turn.message)]),
  ];
  if (turn.isResumed) messages.push({ role: 'user', content: 'Go on where you were interrupted.' });
  let usage: UsageInfo = { model };
  for (let round = 0; round < maxRounds; round++) {
    const reply = await streamReply(client, caller, voice, { model, messages });
    usage = addUsage(usage, reply);
    if (reply.usage) turn.dispatch({ type: 'chat/usage', usage });
    checkFinish(reply);
    if (reply.calls.length === 0) return;
    messages.push(toAssistantMessage(reply));
    for (const call of reply.calls) {
      const content = await carryOutCall(caller, call);
      messages.push({ role: 'tool', tool_call_id: call.toolCallId, content });
    }
    const steering = turn.takeSteering();
    if (steering) messages.push(toUserMessage(steering.message));
  }
  throw new ModelFailure('model-rounds', `The model called tools ${maxRounds} times without an end, and was stopped.`);
}

/** Calls that were waiting for a person when the host went away are answered before the model hears of them. */
async function goOnWithCalls(caller: ToolCaller): Promise<void> {
  for (const part of caller.turn.turn?.responseParts ?? []) {
    if (part.kind !== 'toolCall' || !part.toolCall.status.startsWith('pending-')) continue;
    const tool = toolsFor(caller).find(({ name }) => name === part.toolCall.toolName);
    if (tool) await goOnWith(caller, tool, part.toolCall);
  }
}

/** A side chat knows the chat it stands beside, up to the turn it began at. */
function contextOf({ host, turn }: ToolCaller): readonly Turn[] {
  const { origin } = turn.state;
  if (origin?.kind !== 'sideChat') return [];
  const turns = host.getChat(origin.chat)?.turns ?? [];
  const index = turns.findIndex(({ id }) => id === origin.turnId);
  return index < 0 ? turns : turns.slice(0, index + 1);
}

function selectionOf({ turn }: ToolCaller): readonly ChatCompletionMessageParam[] {
  const { origin } = turn.state;
  const text = origin?.kind === 'sideChat' ? origin.selection?.text : undefined;
  return text === undefined ? [] : [{ role: 'user', content: `This is about the following piece:\n\n${text}` }];
}

function toAssistantMessage(reply: Reply): ChatCompletionMessageParam {
  return {
    role: 'assistant',
    content: reply.text === '' ? null : reply.text,
    tool_calls: reply.calls.map((call) => ({
      id: call.toolCallId,
      type: 'function',
      function: { name: call.name, arguments: call.input || '{}' },
    })),
  };
}

async function carryOutCall(caller: ToolCaller, call: ReplyCall): Promise<string> {
  const tool = toolsFor(caller).find((known) => known.name === call.name) ?? unknownTool(call.name);
  return toModelText(await carryOut(caller, tool, call, call.input));
}

function toModelText(outcome: ToolOutcome<unknown>): string {
  switch (outcome.kind) {
    case 'done':
      return outcome.text || 'Done.';
    case 'failed':
      return `Failed: ${outcome.message}\n${outcome.text}`;
    case 'denied':
      return denied(outcome.suggestion);
  }
}

/** Models make up tools now and then. */
function unknownTool(name: string): Tool {
  return {
    name,
    displayName: name,
    description: '',
    inputSchema: {},
    prepare: async () => ({
      doing: 'Looking for this tool',
      done: 'Looked for this tool',
      run: async () => ({ data: undefined, text: '', failure: 'There is no tool of this name.' }),
    }),
  };
}

function checkFinish({ finish }: Reply): void {
  switch (finish) {
    case undefined:
      throw new ModelFailure('model-interrupted', 'The model’s answer broke off. Resume to go on.');
    case 'length':
      throw new ModelFailure('model-length', 'The model reached its limit of output. Resume to go on.');
    case 'content_filter':
      throw new ModelFailure('model-filter', 'The endpoint withheld the rest of the answer.');
    default:
  }
}

function addUsage(sum: UsageInfo, { usage }: Reply): UsageInfo {
  if (!usage) return sum;
  const cached = usage.prompt_tokens_details?.cached_tokens;
  return {
    ...sum,
    inputTokens: (sum.inputTokens ?? 0) + usage.prompt_tokens,
    outputTokens: (sum.outputTokens ?? 0) + usage.completion_tokens,
    ...(cached !== undefined && { cacheReadTokens: (sum.cacheReadTokens ?? 0) + cached }),
  };
}

/** `undefined` for what has nothing to do with the endpoint. The key is in none of the texts, whatever the endpoint says. */
function describeError(error: unknown, key: string | undefined): ErrorInfo | undefined {
  if (error instanceof ModelFailure) return { errorType: error.errorType, message: error.message };
  if (error instanceof APIConnectionError) {
    return {
      errorType: 'model-unreachable',
      message: 'The model endpoint cannot be reached. Check AHP_MODEL_URL, then resume.',
    };
  }
  if (!(error instanceof APIError)) return undefined;
  const status = Number(error.status ?? 0);
  if (status === 401 || status === 403) {
    return { errorType: 'model-auth', message: `The model endpoint refused the key (${status}). Check AHP_MODEL_KEY.` };
  }
  if (status === 429) {
    return {
      errorType: 'model-rate-limit',
      message: 'The model endpoint takes no more requests for now (429). Wait a little, then resume.',
    };
  }
  const said = error.message.slice(0, 500);
  const message = key === undefined ? said : said.replaceAll(key, '…');
  return { errorType: 'model-error', message: `The model endpoint failed: ${message}` };
}
