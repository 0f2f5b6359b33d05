/**
 * The host's end of a transport, driven frame by frame: for tests of handshakes and of what goes wrong on a wire. It
 * answers nothing that it was not told to answer. Hosts that behave are `scripted-host.ts`.
 */

import { createLinkPair } from '../../src/host/link-pair.js';
import { AhpError } from '../../src/protocol/errors.js';
import type { AhpTransport, Link } from '../../src/protocol/link.js';
import { settle } from './manual-environment.js';

interface Frame {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

type Answer = (params: Record<string, unknown>) => unknown;

/** What an answer throws to refuse. */
export const refusal = (code: number, message = 'No.', data?: unknown) => new Refusal(code, message, data);

class Refusal extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export class WirePeer implements AhpTransport {
  isLocal = false;
  /** Everything every client sent, oldest first. */
  readonly frames: Frame[] = [];
  /** The host's ends, one per connection. */
  readonly links: Link[] = [];
  /** Connections that were opened and are not closed by the client. */
  open = 0;
  /** `false` refuses connections, as when nothing listens. */
  isListening = true;
  readonly #answers = new Map<string, Answer>();

  connect(signal: AbortSignal): Promise<Link> {
    if (!this.isListening || signal.aborted) return Promise.reject(new AhpError('disconnected', 'Nobody listens.'));
    const [client, host] = createLinkPair();
    this.links.push(host);
    this.open++;
    host.onmessage = (text) => this.#receive(host, text);
    host.onclose = () => this.open--;
    return Promise.resolve(client);
  }

  /** Answers every request of `method` from now on; a thrown `refusal` becomes the error. */
  answer(method: string, answer: Answer): this {
    this.#answers.set(method, answer);
    return this;
  }

  /** Does not answer `method` any more. */
  ignore(method: string): this {
    this.#answers.delete(method);
    return this;
  }

  /** Params of all requests and notifications of `method`. */
  sent(method: string): Record<string, unknown>[] {
    return this.frames.filter((frame) => frame.method === method).map((frame) => frame.params ?? {});
  }

  get methods(): string[] {
    return this.frames.flatMap((frame) => frame.method ?? []);
  }

  notify(method: string, params: object): void {
    this.raw(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  request(id: number | string, method: string, params: object = {}): void {
    this.raw(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  }

  action(channel: string, serverSeq: number, action: object, more: object = {}): void {
    this.notify('action', { channel, serverSeq, action, ...more });
  }

  /** Sends `text` on the newest connection as it is. */
  raw(text: string): void {
    this.links.at(-1)?.send(text);
  }

  /** Ends the newest connection. */
  async drop(): Promise<void> {
    this.links.at(-1)?.close();
    this.open--;
    await settle();
  }

  #receive(link: Link, text: string): void {
    const frame = JSON.parse(text) as Frame;
    this.frames.push(frame);
    const { id, method } = frame;
    const answer = method === undefined || id === undefined ? undefined : this.#answers.get(method);
    if (!answer) return;
    try {
      link.send(JSON.stringify({ jsonrpc: '2.0', id, result: answer(frame.params ?? {}) ?? null }));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, message, data } = error;
      link.send(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } }));
    }
  }
}
