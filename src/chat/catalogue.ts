/**
 * The chats of a session, and the sessions of a host, as a list shows them. Types and pure questions; `client/catalogue.ts`
 * fills them. Source: AHP, session channel parts; root channel.
 */

import type { AhpError } from '../protocol/errors.js';
import {
  Status,
  type ChatOrigin,
  type ChatSummary,
  type Interactivity,
  type SessionSummary,
  type URI,
} from '../protocol/state.js';
import { hasStatus } from '../protocol/status.js';

/** One chat, as its session lists it. Never a hidden one. */
export interface ListedChat {
  readonly resource: URI;
  readonly title: string;
  /** Bits; a session may list its chats without. */
  readonly status: number | undefined;
  readonly modifiedAt: string | undefined;
  readonly activity: string | undefined;
  readonly origin: ChatOrigin | undefined;
  readonly isReadOnly: boolean;
}

export interface ListedSession {
  readonly resource: URI;
  readonly title: string;
  readonly status: number;
  readonly modifiedAt: string | undefined;
  readonly activity: string | undefined;
  readonly defaultChat: URI | undefined;
  readonly chats: readonly ListedChat[];
  /** Whether its agent can have another chat in it. */
  readonly canCreateChat: boolean;
}

export interface Catalogue {
  readonly phase: 'loading' | 'live' | 'offline' | 'failed';
  readonly error?: AhpError;
  /** The one used last first. */
  readonly sessions: readonly ListedSession[];
}

/** A session, or one chat of it. */
export interface CatalogueTarget {
  readonly session: URI;
  readonly chat?: URI;
}

/** Where a list gets its entries from, and what it may do with them. Every promise rejects with `AhpError`. */
export interface CatalogueStore {
  readonly catalogue: Catalogue;
  subscribe(listener: () => void): () => void;
  /** Another chat in `session`, or another session. Resolves with what to open. */
  create(session?: URI): Promise<Required<CatalogueTarget>>;
  /** Only sessions have a title of the person's. */
  rename(session: URI, title: string): Promise<void>;
  setArchived(target: CatalogueTarget, isArchived: boolean): Promise<void>;
  remove(target: CatalogueTarget): Promise<void>;
}

export const isUnread = (entry: { readonly status: number | undefined }): boolean =>
  entry.status !== undefined && !hasStatus(entry.status, Status.IsRead);

/** Its chats tell, where they have a status; a session's own mark is from before chats had one. */
export function isSessionUnread({ chats, status }: ListedSession): boolean {
  const told = chats.filter((chat) => chat.status !== undefined);
  return told.length > 0 ? told.some(isUnread) : isUnread({ status });
}

export const isArchivedEntry = ({ status }: { readonly status: number | undefined }): boolean =>
  hasStatus(status ?? 0, Status.IsArchived);

/** What stands out about an entry; what waits for a person wins. */
export function markOf({
  status = 0,
}: {
  readonly status: number | undefined;
}): 'input' | 'running' | 'error' | undefined {
  if (hasStatus(status, Status.InputNeeded)) return 'input';
  if (hasStatus(status, Status.InProgress)) return 'running';
  return hasStatus(status, Status.Error) ? 'error' : undefined;
}

type AnyChat = Pick<ChatSummary, 'resource'> & Partial<ChatSummary>;

/** A hidden chat is never listed; one of a kind nobody knows is only read. */
export const toListedChats = (chats: readonly AnyChat[] | undefined): readonly ListedChat[] =>
  (chats ?? [])
    .filter(({ interactivity }) => interactivity !== 'hidden')
    .map(({ resource, title, status, modifiedAt, activity, origin, interactivity }) => ({
      resource,
      title: title ?? '',
      status,
      modifiedAt,
      activity,
      origin,
      isReadOnly: !isFull(interactivity),
    }));

const isFull = (interactivity: Interactivity | undefined): boolean =>
  interactivity === undefined || interactivity === 'full';

export function toListedSession(summary: SessionSummary, canCreateChat: boolean): ListedSession {
  const { resource, title, status, modifiedAt, activity, defaultChat, chats } = summary;
  const listed = toListedChats(chats);
  return {
    resource,
    title,
    status,
    modifiedAt,
    activity: activity || undefined,
    defaultChat,
    chats: listed,
    canCreateChat,
  };
}

/** The one used last first. Timestamps of one form compare as strings; what has none comes last. */
export const newestFirst = <T extends { readonly modifiedAt?: string | undefined }>(
  items: readonly T[],
): readonly T[] => items.toSorted(({ modifiedAt: a = '' }, { modifiedAt: b = '' }) => Number(a < b) - Number(a > b));

/** The chat that opens with a session: its default one, unless that is hidden, else the newest. */
export function chatToOpen({ defaultChat, chats }: ListedSession): URI | undefined {
  const isListed = chats.length === 0 || chats.some(({ resource }) => resource === defaultChat);
  return isListed && defaultChat !== undefined ? defaultChat : newestFirst(chats)[0]?.resource;
}
