/** Which chat stands for a session, and which session for a host. Pure. Source: AHP, session channel parts. */

import { Status, type ChatSummary, type SessionState, type SessionSummary, type URI } from '../protocol/state.js';
import { hasStatus } from '../protocol/status.js';

/** The default chat, else the only visible one, else the visible one used last. */
export function chooseChat({ defaultChat, chats }: Pick<SessionState, 'defaultChat' | 'chats'>): URI | undefined {
  if (defaultChat !== undefined) return defaultChat;
  return newestFirst(chats.filter(({ interactivity }) => interactivity !== 'hidden'))[0]?.resource;
}

/** Sessions in the order in which one is looked for: the one used last first, archived ones not at all. */
export const orderSessions = (sessions: readonly SessionSummary[]): readonly SessionSummary[] =>
  newestFirst(sessions.filter(({ status }) => !hasStatus(status, Status.IsArchived)));

/** Timestamps of one form compare as strings; what has none comes last. */
function newestFirst<T extends Pick<ChatSummary, 'modifiedAt'>>(items: readonly T[]): readonly T[] {
  return items.toSorted((a, b) => compare(b.modifiedAt, a.modifiedAt));
}

const compare = (a = '', b = ''): number => Number(a > b) - Number(a < b);
