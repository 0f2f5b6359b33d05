/** What the owner of a host calls. The rest of `HostCore` is for the files of this folder. */

import type { StateAction } from '../protocol/actions.js';
import type { Link } from '../protocol/link.js';
import type {
  ChatState,
  Message,
  RootState,
  SessionState,
  SessionSummary,
  TerminalState,
  Turn,
  URI,
} from '../protocol/state.js';
import type { HostConnection } from './connection.js';
import type { ChatSeed } from './hooks.js';
import type { NewSession } from './directory.js';
import { HostCore } from './host-core.js';
import type { HostOptions } from './options.js';
import type { HostExport, RestoreOptions } from './persistence.js';

export interface Host {
  /** The number of the newest envelope. */
  readonly serverSeq: number;
  readonly root: RootState;
  getSession(uri: URI): SessionState | undefined;
  getChat(uri: URI): ChatState | undefined;
  getTerminal(uri: URI): TerminalState | undefined;
  /** Newest first. */
  listSessions(): readonly SessionSummary[];

  /** Takes over a link; the first frame must be a handshake. */
  connect(link: Link): HostConnection;
  /** Sends a notification, for example `auth/required`, to everybody who is subscribed to the root. */
  notify(method: string, params: Readonly<Record<string, unknown>>): void;

  /**
   * Applies one action of the host itself and tells everybody who is subscribed. Returns its `serverSeq`, or `undefined`
   * when there is no such channel.
   */
  dispatch(channel: URI, action: StateAction): number | undefined;

  createSession(session: NewSession): URI;
  disposeSession(session: URI): boolean;
  /** Adds a chat to a session and its catalogue. Throws `AhpError` where there is none, or the URI is taken. */
  createChat(session: URI, seed?: ChatSeed): URI;
  disposeChat(chat: URI): boolean;
  createTerminal(uri: URI, state: TerminalState): void;
  disposeTerminal(uri: URI): boolean;

  /** Starts a turn of the host's own accord. Returns its id, or `undefined` when the chat is gone or busy. */
  startTurn(chat: URI, message: Message, options?: { readonly queuedMessageId?: string }): string | undefined;
  /** Waits for the end of a turn, wherever it runs. `undefined` when it was cut off, or the chat is gone. */
  turnEnd(chat: URI, turnId: string): Promise<Turn | undefined>;
  /** Starts what waits in an idle chat: its steering message, else the head of its queue. */
  startPending(chat: URI): boolean;

  /** Everything durable, as plain JSON that shares the host's own objects. */
  exportState(): HostExport;
  /** Takes over what an earlier host has exported and journalled; before the first connection. */
  restore(options: RestoreOptions): void;

  /** Ends everything: turns are aborted without a record, links closed, timers cancelled. */
  close(): void;
}

export function createHost(options: HostOptions): Host {
  const core = new HostCore(options);
  const { directory } = core;
  return {
    get serverSeq() {
      return core.serverSeq;
    },
    get root() {
      return core.root;
    },
    getSession: (uri) => core.getSession(uri),
    getChat: (uri) => core.getChat(uri),
    getTerminal: (uri) => core.getTerminal(uri),
    listSessions: () => directory.listSessions(),
    connect: (link) => core.connect(link),
    notify: (method, params) => {
      core.notify(method, params);
    },
    dispatch: (channel, action) => core.dispatch(channel, action),
    createSession: (session) => directory.createSession(session),
    disposeSession: (session) => directory.disposeSession(session),
    createChat: (session, seed) => directory.createChat(session, seed),
    disposeChat: (chat) => directory.disposeChat(chat),
    createTerminal: (uri, state) => {
      directory.createTerminal(uri, state);
    },
    disposeTerminal: (uri) => directory.disposeTerminal(uri),
    startTurn: (chat, message, turnOptions) => core.startTurn(chat, message, turnOptions),
    turnEnd: (chat, turnId) => core.runner.turnEnd(chat, turnId),
    startPending: (chat) => core.startPending(chat),
    exportState: () => core.exportState(),
    restore: (saved) => {
      core.restore(saved);
    },
    close: () => {
      core.close();
    },
  };
}
