/**
 * One call of one tool of the page, from the moment it runs at the host to its completion. It runs at most once, also over
 * reconnects, reloads and copies of the tab: before it begins that is written down, and a call that was begun by a page
 * that is gone fails instead of running again. Source: AHP, tools contributed by a client.
 */

import { toolCallComplete, toolCallContentChanged } from '../chat/actions.js';
import { findCall } from '../chat/selectors.js';
import type { Mirror } from '../mirror/mirror.js';
import { AhpError } from '../protocol/errors.js';
import { compose } from '../protocol/record.js';
import type {
  ChatState,
  SessionState,
  ToolCallResult,
  ToolCallState,
  ToolResultContent,
  URI,
} from '../protocol/state.js';
import type { AhpClient } from './ahp-client.js';
import type { Chat } from './chat.js';
import type { ClientTool, ToolOutput } from './client-tools.js';
import type { Lease } from './counted.js';
import type { Cancel, Environment } from './environment.js';
import type { Replica } from './replica.js';
import type { SyncedChatStore } from './synced-chat-store.js';
import { waitFor, within } from './wait.js';

/** What running tools needs of a host client. */
export interface ToolHost {
  readonly key: string;
  readonly environment: Environment;
  readonly mirror: Mirror;
  readonly client: AhpClient;
  openSession(session: URI): Lease<Replica<SessionState>>;
  acquireChat(uri: URI, options: { readonly session?: URI }): Lease<Chat>;
}

export interface RunAddress {
  readonly chat: URI;
  readonly turnId: string;
  readonly toolCallId: string;
}

/** Call ids are the host's and may hold anything; JSON keeps the three apart. */
export const toKey = ({ chat, turnId, toolCallId }: RunAddress): string => JSON.stringify([chat, turnId, toolCallId]);

type FindTool = (name: string) => ClientTool | undefined;

/** How long the disk may take to say that a call was begun. */
const diskPatienceMs = 1000;
/** Between two reports of a running tool. */
const reportMs = 100;

/**
 * Resolves when the call is over, whoever ended it, with `false` where the chat knows of no such call that runs: what says
 * so may be ahead of it. `leaving` ends the run without a word.
 */
export async function runCall(
  host: ToolHost,
  session: URI,
  address: RunAddress,
  findTool: FindTool,
  leaving: AbortSignal,
): Promise<boolean> {
  const lease = host.acquireChat(address.chat, { session });
  try {
    return await new ToolRun(host, lease.value.store, address, leaving).run(findTool);
  } catch (error) {
    // The page withdrew the tool, or the host no longer has the chat.
    if (!leaving.aborted && !(error instanceof AhpError)) throw error;
    return true;
  } finally {
    lease.release();
  }
}

class ToolRun {
  readonly #host: ToolHost;
  readonly #store: SyncedChatStore;
  readonly #address: RunAddress;
  readonly #leaving: AbortSignal;

  constructor(host: ToolHost, store: SyncedChatStore, address: RunAddress, leaving: AbortSignal) {
    this.#host = host;
    this.#store = store;
    this.#address = address;
    this.#leaving = leaving;
  }

  async run(findTool: FindTool): Promise<boolean> {
    // Only the host's own word lets a tool run: an approval of ours may still be refused.
    const call = await this.#until(() => {
      if (!this.#store.isLive) return undefined;
      return this.#findRunning() ?? (this.#isOpen() ? undefined : 'over');
    });
    if (call === 'over') return false;
    const unlock = await this.#lock();
    // Another document of this client has it in hand.
    if (!unlock) return true;
    // A page that is left holds nothing back from the one that follows it.
    const stop = this.#host.environment.onLifecycle((event) => event === 'pagehide' && unlock());
    try {
      await this.#complete(call, await this.#execute(call, findTool(call.toolName)));
      return true;
    } finally {
      stop();
      unlock();
    }
  }

  /** The result, or `undefined` where the call was ended by somebody else. */
  async #execute(call: ToolCallState, tool: ClientTool | undefined): Promise<ToolCallResult | undefined> {
    if (!tool) return toFailure(call, 'unknown-tool', 'This page has no such tool.');
    const ended = new AbortController();
    const look = () => {
      if (this.#store.isLive && !this.#isOpen()) ended.abort(new DOMException('The call has ended.', 'AbortError'));
    };
    const stop = this.#store.subscribe(look);
    const signal = AbortSignal.any([ended.signal, this.#leaving]);
    const reports = new Reports(this.#host.environment, (content) => this.#show(content));
    try {
      const input = await this.#readInput(call, signal);
      if (!(await this.#claim())) {
        return toFailure(call, 'interrupted', 'The page that ran this tool was left before it had ended.');
      }
      signal.throwIfAborted();
      const output = await tool.run(input, signal, (content) => reports.take(toContent(content)));
      return signal.aborted ? undefined : toResult(call, output);
    } catch (error) {
      return signal.aborted ? undefined : toFailure(call, 'failed', toMessage(error));
    } finally {
      reports.end();
      stop();
    }
  }

  /** Sends the result, unless the call is over; then stays until the host is known to have it. */
  async #complete(call: ToolCallState, result: ToolCallResult | undefined): Promise<void> {
    if (!result || this.#leaving.aborted) return;
    // Asked about again in the middle: what it gave waits for the answer.
    const isOver = await this.#until(() => {
      if (!this.#isOpen()) return 'over';
      return this.#findRunning() ? 'running' : undefined;
    });
    if (isOver === 'over') return;
    this.#store.dispatch(toolCallComplete(this.#address, result));
    await this.#until(() => !this.#findConfirmed(call.toolCallId) || undefined);
  }

  /* -------------------------------------------------------------- the call */

  get #confirmed(): ChatState | undefined {
    // The channel was opened as a chat.
    return this.#store.current()?.state as ChatState | undefined;
  }

  #find(state: ChatState | undefined): ToolCallState | undefined {
    const turn = state?.activeTurn;
    return turn?.id === this.#address.turnId ? findCall(turn, this.#address.toolCallId) : undefined;
  }

  /** The call where the host says that it runs, it is ours, and no completion of it is on its way. */
  #findRunning(): ToolCallState | undefined {
    const call = this.#find(this.#confirmed);
    const isOwn = call?.contributor?.kind === 'client' && call.contributor.clientId === this.#host.client.clientId;
    return isOwn && call.status === 'running' && this.#find(this.#store.state)?.status === 'running' ? call : undefined;
  }

  /** Running, or asked about again. */
  #isOpen(): boolean {
    const status = this.#find(this.#confirmed)?.status;
    return status === 'running' || status === 'pending-confirmation';
  }

  #findConfirmed(toolCallId: string): boolean {
    const call = this.#find(this.#confirmed);
    return call?.toolCallId === toolCallId && call.status === 'running';
  }

  #until<T>(find: () => T | undefined): Promise<T> {
    return waitFor(find, { subscribe: (look) => this.#store.subscribe(look), signal: this.#leaving });
  }

  #show(content: readonly ToolResultContent[]): void {
    if (this.#findRunning()) this.#store.sendOnce(toolCallContentChanged(this.#address, content));
  }

  /** JSON, mostly; the rest stands as it is. A referenced input is read when the call runs and not before. */
  async #readInput(call: ToolCallState, signal: AbortSignal): Promise<unknown> {
    const given = 'toolInput' in call ? call.toolInput : undefined;
    if (given === undefined) return {};
    const text = typeof given === 'string' ? given : await this.#readReference(given, signal);
    try {
      return text.trim() === '' ? {} : (JSON.parse(text) as unknown);
    } catch {
      // Not every agent speaks JSON; the tool decides what it makes of it.
      return text;
    }
  }

  async #readReference(
    ref: Parameters<NonNullable<NonNullable<SyncedChatStore['services']>['readResource']>>[0],
    signal: AbortSignal,
  ) {
    const read = this.#store.services?.readResource;
    if (!read) throw new AhpError('misuse', 'The input of the tool cannot be read.');
    const { data, encoding } = await read(ref, signal);
    if (encoding === 'utf-8') return data;
    return new TextDecoder().decode(Uint8Array.from(atob(data), (character) => character.charCodeAt(0)));
  }

  /* -------------------------------------------------------------- once */

  /** `undefined` where another document holds it. */
  async #lock(): Promise<Cancel | undefined> {
    const { locks } = this.#host.environment;
    const none = () => undefined;
    if (!locks) return none;
    try {
      return await locks.tryAcquire(`ahp-chat:tool:${this.#host.key} ${toKey(this.#address)}`);
    } catch {
      // A document that may not have locks; the marks below still hold.
      return none;
    }
  }

  /** Whether the call is begun here and now for the first time. Both marks are written before anything runs. */
  async #claim(): Promise<boolean> {
    const { environment, mirror, key } = this.#host;
    const id = toKey(this.#address);
    const mark = `ahp-chat:tool:${key} ${id}`;
    if (environment.session.get(mark) !== undefined) return false;
    // The tab's storage answers at once, also where the disk hangs.
    environment.session.set(mark, String(environment.now()));
    try {
      return (await within(mirror.claimToolRun(id, environment.now()), environment, diskPatienceMs)) !== false;
    } catch (error) {
      if (error instanceof AhpError) return true;
      throw error;
    }
  }
}

/** Holds back what comes too fast; the last of it is what counts. */
class Reports {
  readonly #environment: Environment;
  readonly #send: (content: readonly ToolResultContent[]) => void;
  #waiting: readonly ToolResultContent[] | undefined;
  #cancel: Cancel | undefined;

  constructor(environment: Environment, send: (content: readonly ToolResultContent[]) => void) {
    this.#environment = environment;
    this.#send = send;
  }

  take(content: readonly ToolResultContent[]): void {
    this.#waiting = content;
    if (!this.#cancel) this.#flush();
  }

  end(): void {
    this.#cancel?.();
  }

  #flush(): void {
    const content = this.#waiting;
    this.#waiting = undefined;
    this.#cancel = undefined;
    if (!content) return;
    this.#send(content);
    this.#cancel = this.#environment.schedule(reportMs, () => this.#flush());
  }
}

const toContent = (content: string | readonly ToolResultContent[]): readonly ToolResultContent[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

function toResult(call: ToolCallState, output: ToolOutput): ToolCallResult {
  const name = call.displayName || call.toolName;
  if (output === undefined || output === null) return { success: true, pastTenseMessage: name };
  if (typeof output === 'string' || isContent(output)) {
    return { success: true, pastTenseMessage: name, content: toContent(output) };
  }
  const { content, structuredContent, pastTenseMessage = name } = output;
  return compose({ success: true, pastTenseMessage }, { content, structuredContent });
}

const isContent = (output: object): output is readonly ToolResultContent[] => Array.isArray(output);

function toFailure(call: ToolCallState, code: string, message: string): ToolCallResult {
  return { success: false, pastTenseMessage: call.displayName || call.toolName, error: { code, message } };
}

/** The message alone: a stack tells the host more of the page than it needs. */
const toMessage = (error: unknown): string => (error instanceof Error ? error.message : 'The tool failed.');
