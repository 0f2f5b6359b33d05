/**
 * One answer of the model, read as it streams: text and reasoning go into the turn at once, tool calls are opened as soon
 * as they have a name, and their input is shown while it is written. Endpoints differ; what is missing is made up for.
 */

import type OpenAI from 'openai';
import type {
  ChatCompletionChunk,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from 'openai/resources/chat/completions';
import type { Tool, ToolCaller } from '../tool.js';
import { openCall, type OpenCall } from '../tool-call.js';
import { toolsFor } from '../toolbox.js';
import type { Voice } from '../voice.js';

export interface ReplyCall extends OpenCall {
  readonly name: string;
  /** JSON text, as far as the model wrote it. */
  input: string;
}

export interface Reply {
  readonly text: string;
  readonly calls: readonly ReplyCall[];
  readonly usage: ChatCompletionChunk['usage'];
  /** `undefined`: the stream broke off. */
  readonly finish: string | undefined;
}

/** What some endpoints add to a delta. */
type Delta = ChatCompletionChunk.Choice.Delta & { readonly reasoning_content?: unknown; readonly reasoning?: unknown };

/** Silence of the model after which it is given up. */
const maxSilenceMs = 120_000;

const toFunction = (tool: Tool): ChatCompletionTool => ({
  type: 'function',
  function: { name: tool.name, description: tool.description, parameters: { ...tool.inputSchema } },
});

export async function streamReply(
  client: OpenAI,
  caller: ToolCaller,
  voice: Voice,
  request: { readonly model: string; readonly messages: ChatCompletionMessageParam[] },
): Promise<Reply> {
  const silence = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const listen = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(new Error('The model fell silent.')), maxSilenceMs);
  };
  const reader = new ReplyReader(caller, voice);
  listen();
  try {
    const stream = await client.chat.completions.create(
      { ...request, stream: true, stream_options: { include_usage: true }, tools: toolsFor(caller).map(toFunction) },
      { signal: AbortSignal.any([caller.turn.signal, silence.signal]) },
    );
    for await (const chunk of stream) {
      listen();
      reader.read(chunk);
    }
    caller.turn.signal.throwIfAborted();
    silence.signal.throwIfAborted();
    return reader.reply;
  } catch (error) {
    // The library has its own words for an abort; the turn's are the ones that say why.
    caller.turn.signal.throwIfAborted();
    silence.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

class ReplyReader {
  readonly #caller: ToolCaller;
  readonly #voice: Voice;
  readonly #calls = new Map<number, ReplyCall>();
  /** Pieces of input that came before the name. */
  readonly #early = new Map<number, string>();
  #say: ((content: string) => void) | undefined;
  #think: ((content: string) => void) | undefined;
  #text = '';
  #usage: Reply['usage'];
  #finish: string | undefined;

  constructor(caller: ToolCaller, voice: Voice) {
    this.#caller = caller;
    this.#voice = voice;
  }

  get reply(): Reply {
    return { text: this.#text, calls: [...this.#calls.values()], usage: this.#usage, finish: this.#finish };
  }

  read(chunk: ChatCompletionChunk): void {
    this.#usage = chunk.usage ?? this.#usage;
    // The last chunk has usage and no choice.
    const choice = chunk.choices?.[0];
    if (!choice) return;
    this.#finish = choice.finish_reason ?? this.#finish;
    const delta: Delta | undefined = choice.delta;
    const reasoning = delta?.reasoning_content ?? delta?.reasoning;
    if (typeof reasoning === 'string' && reasoning !== '') {
      this.#think ??= this.#voice.open('reasoning');
      this.#think(reasoning);
    }
    if (delta?.content) {
      this.#say ??= this.#voice.open('markdown');
      this.#say(delta.content);
      this.#text += delta.content;
    }
    for (const piece of delta?.tool_calls ?? []) this.#readCall(piece);
  }

  #readCall(piece: ChatCompletionChunk.Choice.Delta.ToolCall): void {
    // Some endpoints send whole calls and no index.
    const index = piece.index ?? this.#calls.size;
    const content = piece.function?.arguments ?? '';
    let call = this.#calls.get(index);
    const name = piece.function?.name;
    if (!call && !name) {
      this.#early.set(index, (this.#early.get(index) ?? '') + content);
      return;
    }
    if (!call && name) {
      const tool = toolsFor(this.#caller).find((known) => known.name === name);
      const opened = openCall(this.#caller, tool ?? { name, displayName: name });
      call = { ...opened, name, input: '' };
      this.#calls.set(index, call);
    }
    if (!call) return;
    const whole = (this.#early.get(index) ?? '') + content;
    this.#early.delete(index);
    if (whole === '') return;
    call.input += whole;
    call.write(whole);
  }
}
