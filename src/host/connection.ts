/**
 * One connection: frames in, frames out. It lets nothing but `ping` pass before the handshake, answers every request, and
 * knows nothing of chats. Source: AHP, transport and connection lifecycle.
 */

import type { ActionEnvelope, StateAction } from '../protocol/actions.js';
import { AhpError, RpcCode } from '../protocol/errors.js';
import type { Link } from '../protocol/link.js';
import type { RequestId, RpcErrorObject } from '../protocol/messages.js';
import type { Client, ClientConnection } from './clients.js';
import { Delivery } from './delivery.js';
import type { HostEnvironment } from './environment.js';
import type { Asker } from './hooks.js';
import { readFrame, type Params } from './read.js';

/** What a connection asks of its host. */
export interface ConnectionOwner {
  readonly environment: HostEnvironment;
  /** Answers by returning or throwing, now or later. */
  answer(connection: Connection, method: string, params: Params): unknown;
  hear(connection: Connection, method: string, params: Params): void;
  /** Makes an envelope fit what the client can read. */
  adapt(client: Client, envelope: ActionEnvelope<StateAction>): ActionEnvelope;
  closed(connection: Connection): void;
  /** A request is about to be answered with this error. */
  refusing(error: RpcErrorObject): void;
  diagnose(errorType: string, error: unknown): void;
}

/** What the owner of a host sees of a connection. */
export interface HostConnection {
  /** Empty before the handshake, as is the version. */
  readonly clientId: string;
  readonly protocolVersion: string;
  readonly isOpen: boolean;
  /** Sends a request to the client; rejects with `AhpError` when it refuses, stays silent or goes. */
  request(method: string, params: Params): Promise<unknown>;
  notify(method: string, params: Params): void;
  close(): void;
}

/** A client that is there answers at once; what it reads from is on its own device. */
const REQUEST_TIMEOUT_MS = 30_000;

interface Waiting {
  readonly cancel: () => void;
  resolve(result: unknown): void;
  reject(error: AhpError): void;
}

export class Connection implements HostConnection, ClientConnection, Asker {
  /** Set by the handshake. */
  client: Client | undefined;
  readonly #owner: ConnectionOwner;
  readonly #link: Link;
  readonly #delivery: Delivery;
  readonly #waiting = new Map<RequestId, Waiting>();
  #nextId = 1;
  #isOpen = true;

  constructor(owner: ConnectionOwner, link: Link) {
    this.#owner = owner;
    this.#link = link;
    this.#delivery = new Delivery(owner.environment, (envelope) => {
      this.#sendAction(envelope);
    });
    link.onmessage = (text) => {
      this.#receive(text);
    };
    link.onclose = () => {
      this.#end();
    };
  }

  get clientId(): string {
    return this.client?.id ?? '';
  }

  get protocolVersion(): string {
    return this.client?.protocolVersion ?? '';
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  deliver(envelope: ActionEnvelope<StateAction>, maxLatencyMs: number): void {
    if (this.#isOpen) this.#delivery.push(envelope, maxLatencyMs);
  }

  notify(method: string, params: Params): void {
    this.#delivery.flush();
    this.#write({ method, params });
  }

  request(method: string, params: Params): Promise<unknown> {
    if (!this.#isOpen) return Promise.reject(new AhpError('not-connected', 'The connection is closed.'));
    const id = this.#nextId++;
    this.#delivery.flush();
    return new Promise((resolve, reject) => {
      const cancel = this.#owner.environment.schedule(REQUEST_TIMEOUT_MS, () => {
        this.#waiting.delete(id);
        reject(new AhpError('timeout', `The client did not answer "${method}" in ${REQUEST_TIMEOUT_MS} ms.`));
      });
      this.#waiting.set(id, { resolve, reject, cancel });
      this.#write({ id, method, params });
    });
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#delivery.flush();
    this.#link.close();
    this.#end();
  }

  #receive(text: string): void {
    if (!this.#isOpen) return;
    const message = readFrame(text);
    switch (message.kind) {
      case 'request':
        this.#answer(message.id, message.method, message.params);
        break;
      case 'notification':
        // Whatever comes before the handshake has nobody to act for.
        if (this.client) this.#owner.hear(this, message.method, message.params);
        break;
      case 'response': {
        const waiting = this.#waiting.get(message.id);
        this.#waiting.delete(message.id);
        waiting?.cancel();
        if (message.error) waiting?.reject(new AhpError('rpc', message.error.message, { rpc: message.error }));
        else waiting?.resolve(message.result);
        break;
      }
      case 'bad':
        this.#owner.diagnose('bad-frame', message.error.message);
        this.#write({ id: null, error: message.error });
        break;
    }
  }

  #answer(id: RequestId, method: string, params: Params): void {
    const succeed = (result: unknown) => {
      this.#reply({ id, result: result ?? null });
    };
    const fail = (error: unknown) => {
      this.#reply({ id, error: this.#toErrorObject(error) });
      // Versions that do not meet, or a client that the host will not have: nothing more can be said.
      if (error instanceof AhpError && error.code === 'version-mismatch') this.close();
    };
    try {
      const result = this.#owner.answer(this, method, params);
      if (result instanceof Promise) result.then(succeed, fail);
      else succeed(result);
    } catch (error) {
      fail(error);
    }
  }

  #reply(message: { readonly id: RequestId; readonly result?: unknown; readonly error?: RpcErrorObject }): void {
    // An answer must not overtake the actions it builds on.
    this.#delivery.flush();
    if (this.#write(message)) return;
    this.#write({ id: message.id, error: internalError });
  }

  #toErrorObject(error: unknown): RpcErrorObject {
    if (error instanceof AhpError && error.rpc) {
      this.#owner.refusing(error.rpc);
      return error.rpc;
    }
    this.#owner.diagnose('request-failed', error);
    return internalError;
  }

  #sendAction(envelope: ActionEnvelope<StateAction>): void {
    if (!this.client) return;
    let params: ActionEnvelope;
    try {
      params = this.#owner.adapt(this.client, envelope);
    } catch (error) {
      // What a plug-in of the host has dispatched is not in form; the other clients are not to suffer.
      this.#owner.diagnose('unwritable', error);
      return;
    }
    this.#write({ method: 'action', params });
  }

  /** Returns whether the message could be written out; what the host's own hooks made may have a cycle. */
  #write(message: object): boolean {
    if (!this.#isOpen) return true;
    try {
      this.#link.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
      return true;
    } catch (error) {
      this.#owner.diagnose('unwritable', error);
      return false;
    }
  }

  #end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#delivery.close();
    for (const waiting of this.#waiting.values()) {
      waiting.cancel();
      waiting.reject(new AhpError('disconnected', 'The client has gone.'));
    }
    this.#waiting.clear();
    this.#owner.closed(this);
  }
}

/** What went wrong inside is no business of the client, least of all with a stack. */
const internalError: RpcErrorObject = { code: RpcCode.InternalError, message: 'The host failed to answer.' };
