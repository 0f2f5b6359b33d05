/**
 * JSON-RPC over one link: answers find their requests, requests of the host find an answer, notifications go on. It knows
 * neither channels nor state, and its life ends with the link. Source: AHP, transport.
 */

import type { ClientNotifications, ClientRequestMethod, ClientRequests } from '../protocol/commands.js';
import { AhpError, RpcCode } from '../protocol/errors.js';
import type { Link, LinkClose } from '../protocol/link.js';
import type { RequestId, RpcErrorObject, RpcMessage } from '../protocol/messages.js';
import { parseFrame } from '../protocol/parse.js';
import { toReason } from '../protocol/reason.js';
import type { Cancel, Environment } from './environment.js';

export interface ConnectionHandlers {
  onNotification(method: string, params: Readonly<Record<string, unknown>>): void;
  /** Answers the host; what it throws becomes the error object. */
  onRequest(method: string, params: Readonly<Record<string, unknown>>): unknown;
  /** The link ended, or was ended here because its frames make no sense. Not called after `close()`. */
  onClose(close: LinkClose): void;
  /** A frame could not be read; `reason` does not quote it. */
  onBadFrame(reason: string): void;
}

export interface RequestOptions {
  readonly timeoutMs?: number;
  /** Ends the wait; the promise rejects with the signal's reason. The host is not told. */
  readonly signal?: AbortSignal;
}

interface PendingRequest {
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

const defaultTimeoutMs = 30_000;
/** After so many unreadable frames in a row the stream is taken for garbage. */
const maxBadFrames = 5;

export class Connection {
  readonly #link: Link;
  readonly #environment: Pick<Environment, 'monotonic' | 'schedule'>;
  readonly #handlers: ConnectionHandlers;
  readonly #pending = new Map<RequestId, PendingRequest>();
  #nextId = 1;
  #badFrames = 0;
  #isOpen = true;
  #lastHeardAt: number;

  constructor(link: Link, environment: Pick<Environment, 'monotonic' | 'schedule'>, handlers: ConnectionHandlers) {
    this.#link = link;
    this.#environment = environment;
    this.#handlers = handlers;
    this.#lastHeardAt = environment.monotonic();
    link.onmessage = (text) => this.#receive(text);
    link.onclose = (close) => this.#end(close);
  }

  /** When the last frame came, by the monotonic clock. */
  get lastHeardAt(): number {
    return this.#lastHeardAt;
  }

  /**
   * Sends a request. Rejects with `AhpError`: `rpc` when the host refuses, `timeout` when it is silent, `disconnected`
   * when the link ends first.
   */
  request<M extends ClientRequestMethod>(
    method: M,
    params: ClientRequests[M]['params'],
    options: RequestOptions = {},
  ): Promise<unknown> {
    if (!this.#isOpen) return Promise.reject(toDisconnected(method));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const ends: Cancel[] = [];
      const settle = (finish: () => void) => {
        this.#pending.delete(id);
        for (const end of ends) end();
        finish();
      };
      const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
      ends.push(
        this.#environment.schedule(timeoutMs, () =>
          settle(() => reject(new AhpError('timeout', `The host did not answer ${method} within ${timeoutMs} ms.`))),
        ),
      );
      const { signal } = options;
      if (signal) {
        const onAbort = () => settle(() => reject(signal.reason as Error));
        if (signal.aborted) return onAbort();
        signal.addEventListener('abort', onAbort);
        ends.push(() => signal.removeEventListener('abort', onAbort));
      }
      this.#pending.set(id, {
        method,
        resolve: (result) => settle(() => resolve(result)),
        reject: (error) => settle(() => reject(error)),
      });
      this.#send({ jsonrpc: '2.0', id, method, params: { ...params } });
    });
  }

  notify<M extends keyof ClientNotifications>(method: M, params: ClientNotifications[M]): void {
    this.#send({ jsonrpc: '2.0', method, params: { ...params } });
  }

  /** Ends the link; nothing comes out of this connection any more, and what waits for an answer is rejected. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#link.close();
    this.#rejectAll();
  }

  #send(message: RpcMessage): void {
    if (this.#isOpen) this.#link.send(JSON.stringify(message));
  }

  #receive(text: string): void {
    if (!this.#isOpen) return;
    this.#lastHeardAt = this.#environment.monotonic();
    // The transport has bounded the frame, by a limit that the page may have raised.
    const message = parseFrame(text, Infinity);
    if ('refused' in message) return this.#refuseFrame(message.reason);
    this.#badFrames = 0;
    if ('method' in message) {
      if ('id' in message) void this.#answer(message.id, message.method, message.params);
      else this.#handlers.onNotification(message.method, message.params);
      return;
    }
    // An id nobody waits for belongs to a request that timed out or was aborted, or is the host's mistake.
    const pending = message.id === null ? undefined : this.#pending.get(message.id);
    if (!pending) return;
    if ('error' in message) pending.reject(toRpcError(pending.method, message.error));
    else pending.resolve(message.result);
  }

  #refuseFrame(reason: string): void {
    this.#badFrames++;
    this.#handlers.onBadFrame(reason);
    if (this.#badFrames < maxBadFrames || !this.#isOpen) return;
    this.#link.close();
    this.#end({
      reason: `${maxBadFrames} frames in a row could not be read.`,
      retry: true,
      code: 'bad-frame',
    });
  }

  async #answer(id: RequestId, method: string, params: Readonly<Record<string, unknown>>): Promise<void> {
    try {
      const result = await this.#handlers.onRequest(method, params);
      this.#send({ jsonrpc: '2.0', id, result: result ?? null });
    } catch (error) {
      this.#send({ jsonrpc: '2.0', id, error: toErrorObject(error) });
    }
  }

  #end(close: LinkClose): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#rejectAll();
    this.#handlers.onClose(close);
  }

  #rejectAll(): void {
    for (const pending of [...this.#pending.values()]) pending.reject(toDisconnected(pending.method));
  }
}

const toDisconnected = (method: string) =>
  new AhpError('disconnected', `The connection ended before the host answered ${method}.`);

/** One line of the host's words; a stack or a token in them stays in `rpc.message`, out of the default view. */
export function toRpcError(method: string, rpc: RpcErrorObject): AhpError {
  const line = (toReason(rpc.message).split('\n', 1)[0] ?? '').slice(0, 300);
  return new AhpError('rpc', `The host refused ${method}: ${line} (${rpc.code})`, { rpc });
}

function toErrorObject(error: unknown): RpcErrorObject {
  if (error instanceof AhpError && error.rpc) return error.rpc;
  // What went wrong inside the page is none of the host's business.
  return { code: RpcCode.InternalError, message: 'The client failed to answer.' };
}
