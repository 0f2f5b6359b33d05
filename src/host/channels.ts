/**
 * The channels a host holds, each with its authoritative state. They are reduced by the very reducers a client uses, so
 * both sides agree by construction.
 */

import { chatReducer } from '../chat/reducer.js';
import { rootReducer } from '../channels/root.js';
import { sessionReducer } from '../channels/session.js';
import { terminalReducer } from '../channels/terminal.js';
import type { StateAction } from '../protocol/actions.js';
import type {
  ChatState,
  PendingMessage,
  RootState,
  SessionState,
  TerminalState,
  Timestamp,
  URI,
} from '../protocol/state.js';

export interface RootChannel {
  readonly kind: 'root';
  readonly uri: URI;
  state: RootState;
}

export interface SessionChannel {
  readonly kind: 'session';
  readonly uri: URI;
  readonly createdAt: Timestamp;
  state: SessionState;
}

export interface ChatChannel {
  readonly kind: 'chat';
  readonly uri: URI;
  /** The session that lists the chat; not part of the chat's own state. */
  readonly session: URI;
  state: ChatState;
  /** Steering messages that turns have read out of the slot; the newest last. */
  read?: readonly PendingMessage[];
}

export interface TerminalChannel {
  readonly kind: 'terminal';
  readonly uri: URI;
  state: TerminalState;
}

export type Channel = RootChannel | SessionChannel | ChatChannel | TerminalChannel;

/**
 * Applies one action. Returns whether the state changed; an action of another channel, or one without effect, leaves the
 * very same state object.
 */
export function reduceChannel(channel: Channel, action: StateAction): boolean {
  const before = channel.state;
  // Each reducer ignores what is not its own.
  switch (channel.kind) {
    case 'root':
      channel.state = rootReducer(channel.state, action);
      break;
    case 'session':
      channel.state = sessionReducer(channel.state, action);
      break;
    case 'chat':
      channel.state = chatReducer(channel.state, action);
      break;
    case 'terminal':
      channel.state = terminalReducer(channel.state, action);
      break;
  }
  return channel.state !== before;
}
