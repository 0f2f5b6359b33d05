/** A chat-completions endpoint that says what a test wants, over real HTTP, split wherever the test likes. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StubRequest {
  readonly authorization: string | undefined;
  readonly body: {
    readonly model: string;
    readonly stream: boolean;
    readonly messages: readonly {
      readonly role: string;
      readonly content: string | null;
      readonly tool_calls?: readonly { readonly id: string; readonly function: { name: string; arguments: string } }[];
      readonly tool_call_id?: string;
    }[];
    readonly tools: readonly { readonly function: { readonly name: string } }[];
  };
}

export type Answer = (response: ServerResponse, request: StubRequest) => void | Promise<void>;

export interface ModelStub {
  readonly url: string;
  readonly requests: StubRequest[];
  /** One for each request to come. */
  answers: Answer[];
  close(): Promise<void>;
}

export async function startModelStub(): Promise<ModelStub> {
  const requests: StubRequest[] = [];
  const stub = { answers: [] as Answer[] };
  const server = createServer((request, response) => {
    void readBody(request).then(async (text) => {
      const read = { authorization: request.headers.authorization, body: JSON.parse(text) as StubRequest['body'] };
      requests.push(read);
      const answer = stub.answers.shift();
      if (request.url !== '/v1/chat/completions' || !answer) response.writeHead(404).end();
      else await answer(response, read);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(stub, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk as string;
  return text;
}

export interface Delta {
  readonly content?: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly {
    readonly index?: number;
    readonly id?: string;
    readonly function?: { readonly name?: string; readonly arguments?: string };
  }[];
}

const event = (data: unknown): string => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

export const chunk = (delta: Delta, finish: string | null = null): string =>
  event({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'stub',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });

/** Streams deltas, the end, usage and `[DONE]`, in pieces of `size` bytes. */
export function stream(deltas: readonly Delta[], finish: string, size = Infinity): Answer {
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 20,
    total_tokens: 120,
    prompt_tokens_details: { cached_tokens: 40 },
  };
  const text =
    deltas.map((delta) => chunk(delta)).join('') +
    chunk({}, finish) +
    event({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'stub', choices: [], usage }) +
    event('[DONE]');
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const bytes = Buffer.from(text);
    for (let start = 0; start < bytes.length; start += size) {
      response.write(bytes.subarray(start, Math.min(bytes.length, start + size)));
      if (size < Infinity) await new Promise(setImmediate);
    }
    response.end();
  };
}

/** A tool call whose input is split into `pieces`. */
export function callTool(name: string, input: unknown, pieces = 1, index = 0): Delta[] {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  const size = Math.ceil(text.length / pieces);
  const deltas: Delta[] = [{ tool_calls: [{ index, id: `call-${index}`, function: { name, arguments: '' } }] }];
  for (let start = 0; start < text.length; start += size) {
    deltas.push({ tool_calls: [{ index, function: { arguments: text.slice(start, start + size) } }] });
  }
  return deltas;
}

export const failWith =
  (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { message, type: 'stub', code: null } }));
  };
