/**
 * Tools that the page offers to a session's agent: they are registered while somebody provides them, and each call of one is
 * run here, once. What one call goes through is in `tool-run.ts`. Source: AHP, tools contributed by a client.
 */

import { findCall } from '../chat/selectors.js';
import { toolCallDenied } from '../chat/actions.js';
import { compose, isEqual } from '../protocol/record.js';
import type {
  ActiveTurn,
  SessionState,
  ToolCallState,
  ToolDefinition,
  ToolResultContent,
  URI,
} from '../protocol/state.js';
import type { Chat } from './chat.js';
import type { Lease } from './counted.js';
import type { Cancel } from './environment.js';
import type { Replica } from './replica.js';
import { runCall, toKey, type RunAddress, type ToolHost } from './tool-run.js';

/** What a tool gives back: text, content, or both with a line that says what was done. */
export type ToolOutput =
  | void
  | string
  | readonly ToolResultContent[]
  | {
      readonly content?: readonly ToolResultContent[];
      readonly structuredContent?: unknown;
      /** In the past tense, for the line of the call. */
      readonly pastTenseMessage?: string;
    };

/** A tool of the page: what the agent is told of it, and what it does. */
export interface ClientTool extends ToolDefinition {
  /**
   * Runs one call, at most once. `input` is what the agent gave, parsed; check it. `signal` is aborted when the call or its
   * turn ends before: what is returned then is thrown away. `report` shows content while it runs, all of it each time.
   * Throwing fails the call with the error's message.
   */
  run(
    input: unknown,
    signal: AbortSignal,
    report: (content: string | readonly ToolResultContent[]) => void,
  ): ToolOutput | Promise<ToolOutput>;
}

/** By host, what its sessions are offered. */
const offers = new WeakMap<ToolHost, Map<URI, SessionTools>>();

/** Offers `tools` to the session of `chat`, as soon as that is known, until the returned function is called. */
export function provideTools(host: ToolHost, chat: Chat, tools: readonly ClientTool[]): Cancel {
  let end: Cancel | undefined;
  const begin = () => {
    if (end || chat.session === undefined) return;
    const sessions = offers.get(host) ?? new Map<URI, SessionTools>();
    offers.set(host, sessions);
    const { session } = chat;
    const offer = sessions.get(session) ?? new SessionTools(host, session, () => sessions.delete(session));
    sessions.set(session, offer);
    end = offer.add(chat, tools);
  };
  const stop = chat.store.subscribe(begin);
  begin();
  return () => {
    stop();
    end?.();
  };
}

class SessionTools {
  readonly #host: ToolHost;
  readonly #session: URI;
  readonly #onEmpty: () => void;
  readonly #lease: Lease<Replica<SessionState>>;
  readonly #providers = new Set<{ readonly tools: readonly ClientTool[]; readonly chat: Chat }>();
  /** Calls that were taken up and ran, or that somebody else has in hand. */
  readonly #taken = new Set<string>();
  readonly #leaving = new AbortController();
  #ends: Cancel[] = [];
  /** What was asked for last, over which connection: the host is not asked the same twice. */
  #asked = '';
  #isLookDue = false;

  constructor(host: ToolHost, session: URI, onEmpty: () => void) {
    this.#host = host;
    this.#session = session;
    this.#onEmpty = onEmpty;
    this.#lease = host.openSession(session);
    this.#ends.push(
      this.#lease.value.subscribe(() => this.#lookSoon()),
      host.client.onState(() => this.#lookSoon()),
    );
  }

  add(chat: Chat, tools: readonly ClientTool[]): Cancel {
    const provider = { tools, chat };
    this.#providers.add(provider);
    const stop = chat.store.subscribe(() => this.#lookSoon());
    this.#lookSoon();
    return () => {
      stop();
      if (!this.#providers.delete(provider)) return;
      if (this.#providers.size === 0) this.#close();
      else this.#lookSoon();
    };
  }

  /** The host fails what still runs when it hears that its owner has left. */
  #close(): void {
    const { client } = this.#host;
    for (const end of this.#ends.splice(0)) end();
    if (this.#asked || this.#findEntry()) {
      const action = { type: 'session/activeClientRemoved' as const, clientId: client.clientId };
      client.dispatch(this.#session, client.nextClientSeq(), action);
    }
    this.#leaving.abort(new DOMException('The tool was withdrawn.', 'AbortError'));
    this.#lease.release();
    this.#onEmpty();
  }

  /** Several changes of one moment are one look. */
  #lookSoon(): void {
    if (this.#isLookDue) return;
    this.#isLookDue = true;
    queueMicrotask(() => {
      this.#isLookDue = false;
      if (this.#leaving.signal.aborted || this.#providers.size === 0) return;
      this.#register();
      this.#takeUp();
    });
  }

  #findEntry() {
    const { clientId } = this.#host.client;
    return this.#lease.value.state?.activeClients.find((client) => client.clientId === clientId);
  }

  /** Says what this client offers, unless the session knows. After a reconnect the session may have forgotten. */
  #register(): void {
    const { client } = this.#host;
    if (client.state.phase !== 'connected' || !this.#lease.value.state) return;
    const tools = [...this.#listTools().values()].map(toDefinition);
    const entry = this.#findEntry();
    if (entry && isEqual(entry.tools, tools)) return;
    const asked = JSON.stringify([client.clientId, client.connectedAt, tools]);
    if (asked === this.#asked) return;
    this.#asked = asked;
    const activeClient = { ...entry, clientId: client.clientId, tools };
    client.dispatch(this.#session, client.nextClientSeq(), { type: 'session/activeClientSet', activeClient });
  }

  /** By name; the one provided last counts. */
  #listTools(): ReadonlyMap<string, ClientTool> {
    return new Map([...this.#providers].flatMap(({ tools }) => tools).map((tool) => [tool.name, tool]));
  }

  /** Calls of this client's that run, and those that wait for a person although nobody here can run them. */
  #takeUp(): void {
    for (const { chat, turnId, call } of this.#listCalls()) {
      const { contributor, toolCallId, status } = call;
      if (contributor?.kind !== 'client' || contributor.clientId !== this.#host.client.clientId) continue;
      if (status === 'pending-confirmation') {
        if (!this.#listTools().has(call.toolName)) this.#refuse(chat, turnId, toolCallId);
      } else if (status === 'running' && this.#isNew('run', chat, turnId, toolCallId)) {
        void this.#run({ chat, turnId, toolCallId });
      }
    }
  }

  async #run(address: RunAddress): Promise<void> {
    const findTool = (name: string) => this.#listTools().get(name);
    const isTaken = await runCall(this.#host, this.#session, address, findTool, this.#leaving.signal);
    // The chat had not heard of the call yet, and may still.
    if (!isTaken) this.#taken.delete(toTaken('run', address));
  }

  *#listCalls(): Iterable<{ readonly chat: URI; readonly turnId: string; readonly call: ToolCallState }> {
    for (const entry of this.#lease.value.state?.inputNeeded ?? []) {
      if ('toolCall' in entry && entry.toolCall) yield { chat: entry.chat, turnId: entry.turnId, call: entry.toolCall };
    }
    for (const {
      chat: { uri, store },
    } of this.#providers) {
      const turn: ActiveTurn | undefined = store.state?.activeTurn;
      for (const part of turn?.responseParts ?? []) {
        const call = part?.kind === 'toolCall' ? findCall(turn, part.toolCall?.toolCallId) : undefined;
        if (turn && call) yield { chat: uri, turnId: turn.id, call };
      }
    }
  }

  #isNew(what: 'run' | 'refuse', chat: URI, turnId: string, toolCallId: string): boolean {
    const key = toTaken(what, { chat, turnId, toolCallId });
    if (this.#taken.has(key)) return false;
    this.#taken.add(key);
    return true;
  }

  /** Nobody is asked about a tool that is not there. */
  #refuse(chat: URI, turnId: string, toolCallId: string): void {
    if (!this.#isNew('refuse', chat, turnId, toolCallId)) return;
    const lease = this.#host.acquireChat(chat, { session: this.#session });
    const reasonMessage = 'This page no longer has the tool.';
    lease.value.store.dispatch({ ...toolCallDenied({ turnId, toolCallId }), reasonMessage });
    lease.release();
  }
}

const toTaken = (what: 'run' | 'refuse', address: RunAddress): string => `${what} ${toKey(address)}`;

function toDefinition(tool: ClientTool): ToolDefinition {
  const { name, title, description, inputSchema, outputSchema, annotations, _meta } = tool;
  return compose({ name }, { title, description, inputSchema, outputSchema, annotations, _meta });
}
