/**
 * What a screen reader is told when a chat goes from one state to the next: that a turn started, how it ended, and what it
 * waits for. Never a delta, a page of older turns, or what was there when the chat was opened. Keys and parameters only;
 * the words come from `i18n`.
 */

import { toReason } from '../protocol/reason.js';
import type { ActiveTurn, ChatState, InputResponse, StringOrMarkdown, Turn } from '../protocol/state.js';
import {
  assistantText,
  blockedCalls,
  needsInput,
  openInputRequests,
  turnError,
  type BlockedCall,
} from './selectors.js';

export type Announcement = { readonly politeness: 'polite' | 'assertive' } & (
  | { readonly key: 'turnStarted' }
  /** `text` is the beginning of the answer as Markdown, empty if it is none. */
  | { readonly key: 'turnFinished'; readonly text: string; readonly isTrimmed: boolean }
  | { readonly key: 'turnCancelled' }
  | { readonly key: 'turnFailed'; readonly message: string }
  | { readonly key: 'confirmationNeeded' | 'resultConfirmationNeeded' | 'authenticationNeeded'; readonly tool: string }
  | { readonly key: 'questionAsked'; readonly message: string }
  /** By whomever: also a form that is being filled in may close. */
  | { readonly key: 'questionClosed'; readonly response: InputResponse }
);

/** Longer answers are cut: a live region cannot be skimmed. In UTF-16 units. */
const MAX_TEXT = 240;

/** What there is to say, in order. Nothing while a chat is opened or another one takes its place. */
export function announcements(previous: ChatState | undefined, next: ChatState | undefined): readonly Announcement[] {
  if (!previous || !next || previous === next || previous.resource !== next.resource) return [];
  if (previous.activeTurn === next.activeTurn && previous.turns === next.turns) return [];
  return [
    ...endings(previous, next),
    ...beginnings(previous, next),
    ...closings(previous, next),
    ...questions(previous, next),
  ];
}

function endings(previous: ChatState, next: ChatState): readonly Announcement[] {
  const before = previous.activeTurn;
  if (!before || before.id === next.activeTurn?.id) return [];
  const turn = next.turns.findLast((other) => other.id === before.id);
  return turn ? [ending(turn)] : [];
}

function ending(turn: Turn): Announcement {
  switch (turn.state) {
    case 'error':
      return { key: 'turnFailed', politeness: 'assertive', message: toReason(turnError(turn)?.message ?? '') };
    case 'cancelled':
      return { key: 'turnCancelled', politeness: 'polite' };
    default: {
      const text = assistantText(turn).trim();
      const isTrimmed = text.length > MAX_TEXT;
      return { key: 'turnFinished', politeness: 'polite', text: isTrimmed ? trim(text) : text, isTrimmed };
    }
  }
}

/** Cut at the last space that leaves most of the text; never through a surrogate pair. */
function trim(text: string): string {
  const cut = text.slice(0, MAX_TEXT).replace(/[\uD800-\uDBFF]$/, '');
  const space = cut.search(/\s\S*$/);
  return space > MAX_TEXT / 2 ? cut.slice(0, space) : cut;
}

const beginnings = (previous: ChatState, next: ChatState): readonly Announcement[] =>
  next.activeTurn && next.activeTurn.id !== previous.activeTurn?.id
    ? [{ key: 'turnStarted', politeness: 'polite' }]
    : [];

/** Questions that were open in the turn that still runs, and have an answer now. */
function closings(previous: ChatState, next: ChatState): readonly Announcement[] {
  if (!next.activeTurn || !sameTurn(previous.activeTurn, next.activeTurn)) return [];
  const open = new Set(openInputRequests(previous).map((part) => part.request?.id));
  if (open.size === 0) return [];
  return next.activeTurn.responseParts.flatMap((part) =>
    part?.kind === 'inputRequest' && part.response !== undefined && open.has(part.request?.id)
      ? [{ key: 'questionClosed', politeness: 'polite', response: part.response } as const]
      : [],
  );
}

function questions(previous: ChatState, next: ChatState): readonly Announcement[] {
  if (!needsInput(next)) return [];
  const before = sameTurn(previous.activeTurn, next.activeTurn) ? previous : undefined;
  const asked = new Set(before ? openInputRequests(before).map((part) => part.request?.id) : []);
  const blocked = new Set(before ? blockedCalls(before).map(blockKey) : []);
  return [
    ...blockedCalls(next)
      .filter((call) => !blocked.has(blockKey(call)))
      .map(needed),
    ...openInputRequests(next)
      .filter((part) => !asked.has(part.request?.id))
      .map((part) => questionAsked(part.request?.message)),
  ];
}

const sameTurn = (a: ActiveTurn | undefined, b: ActiveTurn | undefined): boolean => a?.id === b?.id;

/** A call that waits for something else than before is news. */
const blockKey = (call: BlockedCall): string => `${call.status} ${call.toolCallId}`;

const questionAsked = (message: StringOrMarkdown | undefined): Announcement => ({
  key: 'questionAsked',
  politeness: 'assertive',
  message: plain(message),
});

function needed(call: BlockedCall): Announcement {
  const tool = call.displayName ?? call.toolName ?? '';
  switch (call.status) {
    case 'pending-confirmation':
      return { key: 'confirmationNeeded', politeness: 'assertive', tool };
    case 'pending-result-confirmation':
      return { key: 'resultConfirmationNeeded', politeness: 'assertive', tool };
    case 'auth-required':
      return { key: 'authenticationNeeded', politeness: 'assertive', tool };
  }
}

const plain = (text: StringOrMarkdown | undefined): string =>
  typeof text === 'string' ? text : typeof text?.markdown === 'string' ? text.markdown : '';
