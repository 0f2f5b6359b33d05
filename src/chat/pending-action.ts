/**
 * An action that was dispatched and not proven yet, and the questions one asks of such entries. Source: AHP, optimistic
 * state and outbox.
 */

import type { ClientChatAction } from '../protocol/actions.js';
import type { UnconfirmedIntent } from './store.js';

/** One dispatched action without proof. */
export interface PendingAction {
  /** Never used for another action, and the same each time this one is sent. */
  readonly clientSeq: number;
  /** Identifies the intent; its entries stand or fall together. */
  readonly group: string;
  readonly action: ClientChatAction;
  /** When it went out over the present connection, in milliseconds by the caller's clock; absent: still to be sent. */
  readonly sentAt?: number;
  /** How often it went out over any connection. */
  readonly sends: number;
  /** The newest turn when it first went out; absent if there was none. */
  readonly sentAfter?: string;
  /** It waits for the person and is never sent by itself. */
  readonly isHeld?: boolean;
}

/** What the person is offered, one item for each intent. */
export function unconfirmedIntents(unconfirmed: readonly PendingAction[]): readonly UnconfirmedIntent[] {
  const groups = new Map<string, PendingAction[]>();
  for (const entry of unconfirmed) groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry]);
  return [...groups].map(([id, entries]) => ({
    id,
    actions: entries.map((entry) => entry.action),
    canRetry: canRetry(entries),
  }));
}

/** What unproven intents are about: ids of turns, pending messages, tool calls and input requests. */
export const pendingIds = (pending: readonly PendingAction[]): ReadonlySet<string> =>
  new Set(pending.flatMap(({ action }) => idsOf(action)));

function idsOf(action: ClientChatAction): readonly string[] {
  switch (action.type) {
    case 'chat/turnStarted':
    case 'chat/turnResume':
    case 'chat/turnCancelled':
      return [action.turnId];
    case 'chat/pendingMessageSet':
    case 'chat/pendingMessageRemoved':
      return [action.id];
    case 'chat/steeringMessageSet':
      return [action.steeringMessage.id];
    case 'chat/toolCallConfirmed':
    case 'chat/toolCallResultConfirmed':
    case 'chat/toolCallComplete':
      return [action.toolCallId];
    case 'chat/inputCompleted':
      return [action.requestId];
    default:
      return [];
  }
}

/** Nobody misses these, and the next of their kind says more: they are not worth a question. */
export const isQuiet = ({ type }: ClientChatAction): boolean =>
  type === 'chat/draftChanged' || type === 'chat/isReadChanged' || type === 'chat/isArchivedChanged';

/** About a call that asks; right for what was on screen then. */
export const isAnswer = ({ action }: PendingAction): boolean =>
  action.type === 'chat/toolCallConfirmed' || action.type === 'chat/toolCallResultConfirmed';

/** A call of this client is nobody else's to end: a host refuses it from whoever took the result over. */
export const isOwnResult = ({ action }: PendingAction): boolean => action.type === 'chat/toolCallComplete';

/** A truncation sent twice could cut off what came in between. */
export const canRetry = (entries: readonly PendingAction[]): boolean =>
  entries.every((entry) => entry.action.type !== 'chat/truncated');

/** The entry as it is when its connection is gone. */
export function unsent(entry: PendingAction): PendingAction {
  if (entry.sentAt === undefined) return entry;
  const { sentAt: _, ...rest } = entry;
  return rest;
}

/** It went out, over whichever connection. */
export const wasSent = ({ sends }: PendingAction): boolean => sends > 0;

export const inOrder = (entries: readonly PendingAction[]): readonly PendingAction[] =>
  entries.toSorted((a, b) => a.clientSeq - b.clientSeq);
